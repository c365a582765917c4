// An arm behind position servos, stepped by 1 ms as a controller's loop would: nothing is
// allocated.
#include <forearm/forearm.h>
#include <stdio.h>

enum { JOINTS = 32 };

int main(int argc, char *argv[])
{
    fa_error      error = fa_no_error();
    fa_robot     *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    fa_workspace *workspace = robot ? fa_workspace_new(robot, 1, &error) : NULL;
    if (!workspace || fa_robot_joints(robot) > JOINTS) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const int n = fa_robot_joints(robot);
    double    kp[JOINTS], kd[JOINTS], limit[JOINTS], target[JOINTS] = {0.1}, q[JOINTS] = {0},
                                                  qd[JOINTS] = {0};
    for (int i = 0; i < n; i++) {
        kp[i] = 400;
        kd[i] = 40;
        limit[i] = 100;
    }
    const fa_servos servos = {kp, kd, limit};
    for (int millisecond = 0; millisecond < 1000; millisecond++)
        if (fa_fixed_steps(robot, workspace, 1, FA_STEP_SEMI_IMPLICIT, 1, 1e-3, &servos, target, q,
                           qd) != FA_OK)
            return 1;
    printf("after 1 s the first joint is at %.4f, going %.4f\n", q[0], qd[0]);
    fa_workspace_free(workspace);
    fa_robot_free(robot);
    return 0;
}
