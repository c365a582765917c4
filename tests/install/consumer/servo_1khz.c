// An arm behind position servos, stepped by 1 ms as a controller's loop would: nothing is
// allocated.
#include <forearm/forearm.h>
#include <stdio.h>

enum { JOINTS = 32 };

int main(int argc, char *argv[])
{
    fa_error  error = fa_no_error();
    fa_robot *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    double    kp[JOINTS], kd[JOINTS], limit[JOINTS], target[JOINTS] = {0.1}, q[JOINTS], qd[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        kp[i] = 400;
        kd[i] = 40;
        limit[i] = 100;
    }
    const fa_servos          servos = {kp, kd, limit};
    const fa_stepper_options options = {sizeof options, FA_STEP_SEMI_IMPLICIT, 1e-3, &servos};
    fa_stepper              *arm =
        robot && fa_robot_joints(robot) <= JOINTS ? fa_stepper_new(robot, &options, &error) : NULL;
    if (!arm) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    fa_stepper_hold(arm, target);
    for (int millisecond = 1; millisecond <= 1000; millisecond++)
        if (fa_stepper_step(arm, 1e-3 * millisecond, q, qd) != FA_OK) return 1;
    printf("after %.0f s the first joint is at %.4f, going %.4f\n", fa_stepper_time(arm), q[0],
           qd[0]);
    fa_stepper_free(arm);
    fa_robot_free(robot);
    return 0;
}
