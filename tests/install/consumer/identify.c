// Weighs a payload: its mass from one measured set of torques, since torques are linear in it.
#include <forearm/forearm.h>
#include <math.h>
#include <stdio.h>

enum { JOINTS = 16 };

int main(int argc, char *argv[])
{
    fa_error      error = fa_no_error();
    fa_robot     *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    fa_workspace *workspace = robot ? fa_workspace_new(robot, 0, &error) : NULL;
    int           payload;
    if (!workspace || fa_robot_joints(robot) > JOINTS ||
        fa_robot_find_parameter(robot, "payload.mass", &payload, &error) != FA_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const int    n = fa_robot_joints(robot);
    const double q[JOINTS] = {0.5, -0.3}, qd[JOINTS] = {1, 2}, qdd[JOINTS] = {3, -1}, truth = 1.7;
    double       measured[JOINTS], without[JOINTS], by[JOINTS], above = 0, below = 0;
    const double none = 0;
    fa_workspace_set(workspace, 1, &payload, &truth, &error); // in the place of a measurement
    fa_inverse(robot, workspace, 1, q, qd, qdd, measured);
    fa_workspace_set(workspace, 1, &payload, &none, &error);
    fa_inverse(robot, workspace, 1, q, qd, qdd, without);
    fa_parameter_derivatives(robot, workspace, 1, q, qd, qdd, 1, &payload, by);
    for (int i = 0; i < n; i++) {
        above += by[i] * (measured[i] - without[i]);
        below += by[i] * by[i];
    }
    printf("payload of %.6f kg\n", above / below);
    fa_workspace_free(workspace);
    fa_robot_free(robot);
    return !(fabs(above / below - truth) < 1e-9);
}
