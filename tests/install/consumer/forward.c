// A thousand states of a robot: accelerations, and the torques that they need.
#include <forearm/forearm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATES = 1000 };

int main(int argc, char *argv[])
{
    fa_error      error = fa_no_error();
    fa_robot     *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    fa_workspace *workspace = robot ? fa_workspace_new(robot, 0, &error) : NULL;
    if (!workspace) {
        fprintf(stderr, "%s:%d: %s\n", error.file, error.place.line, error.message);
        fa_robot_free(robot);
        return 1;
    }
    const size_t n = (size_t)fa_robot_joints(robot), numbers = STATES * n;
    double      *q = calloc(5 * numbers, sizeof *q), worst = 0;
    if (!q) return 1;
    double *qd = q + numbers, *tau = qd + numbers, *qdd = tau + numbers, *back = qdd + numbers;
    for (size_t i = 0; i < numbers; i++) {
        q[i] = sin((double)i);
        qd[i] = cos((double)i);
    }
    fa_status status = fa_forward(robot, workspace, STATES, q, qd, tau, qdd);
    if (status == FA_OK) status = fa_inverse(robot, workspace, STATES, q, qd, qdd, back);
    for (size_t i = 0; i < numbers; i++) worst = fmax(worst, fabs(back[i] - tau[i]));
    printf("%s: first acceleration %.6f, torques back within %s\n", fa_status_name(status), qdd[0],
           worst < 1e-9 ? "1e-9" : "more than 1e-9");
    free(q);
    fa_workspace_free(workspace);
    fa_robot_free(robot);
    return status != FA_OK;
}
