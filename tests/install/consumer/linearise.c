// How the accelerations of a hanging robot change with positions and speeds: the lower half of A.
#include <forearm/forearm.h>
#include <stdio.h>

enum { JOINTS = 16 };

int main(int argc, char *argv[])
{
    fa_error      error = fa_no_error();
    fa_robot     *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    fa_workspace *workspace = robot ? fa_workspace_new(robot, 0, &error) : NULL;
    if (!workspace || fa_robot_joints(robot) > JOINTS) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const int    n = fa_robot_joints(robot);
    const double q[JOINTS] = {0.5}, qd[JOINTS] = {0};
    double    tau[JOINTS], by_q[JOINTS * JOINTS], by_qd[JOINTS * JOINTS], by_tau[JOINTS * JOINTS];
    fa_status status = fa_gravity_torque(robot, workspace, 1, q, tau);
    if (status == FA_OK)
        status = fa_forward_derivatives(robot, workspace, 1, q, qd, tau, NULL, by_q, by_qd, by_tau);
    for (int i = 0; i < n && status == FA_OK; i++)
        for (int k = 0; k < 2 * n; k++)
            printf("%.6g%c", k < n ? by_q[i * n + k] : by_qd[i * n + k - n],
                   k + 1 < 2 * n ? ' ' : '\n');
    fa_workspace_free(workspace);
    fa_robot_free(robot);
    return status != FA_OK;
}
