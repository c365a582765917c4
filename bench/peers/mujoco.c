// Times MuJoCo: the parts of its pipeline that compute accelerations, without contacts and
// constraints.
#include <mujoco/mujoco.h>

#include "peer.h"

typedef struct arm {
    mjModel *model;
    mjData  *data;
} arm;

// Builds the robot as an MJCF file in memory.
static mjModel *build(const peer_robot *r)
{
    char  *text = (char *)malloc((size_t)(r->n + 1) * 2000), error[500] = "";
    size_t end = (size_t)sprintf(
        text,
        "<mujoco><compiler angle='radian' autolimits='false' boundmass='0' boundinertia='0' "
        "balanceinertia='false'/><option gravity='%.17g %.17g %.17g'><flag contact='disable' "
        "constraint='disable'/></option><worldbody>",
        r->gravity[0], r->gravity[1], r->gravity[2]);
    for (int i = 0; i < r->n; i++) {
        const peer_body *b = &r->body[i];
        const double    *R = b->rotation, *I = b->inertia;
        end += (size_t)sprintf(
            text + end,
            "<body pos='%.17g %.17g %.17g' xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'>"
            "<joint type='%s' axis='%.17g %.17g %.17g'/><inertial pos='%.17g %.17g %.17g' "
            "mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>",
            b->place[0], b->place[1], b->place[2], R[0], R[3], R[6], R[1], R[4], R[7],
            b->prismatic ? "slide" : "hinge", b->axis[0], b->axis[1], b->axis[2], b->com[0],
            b->com[1], b->com[2], b->mass, I[0], I[3], I[5], I[1], I[2], I[4]);
    }
    for (int i = 0; i < r->n; i++) end += (size_t)sprintf(text + end, "</body>");
    sprintf(text + end, "</worldbody></mujoco>");
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "arm.xml", text, (int)strlen(text));
    mjModel *model = mj_loadXML("arm.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    free(text);
    if (!model) fprintf(stderr, "%s\n", error);
    return model;
}

static void forward(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    arm           *a = (arm *)self;
    const mjModel *m = a->model;
    mjData        *d = a->data;
    const size_t   size = (size_t)m->nv * sizeof(double);
    memcpy(d->qpos, q, size);
    memcpy(d->qvel, qd, size);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_makeM(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int i = 0; i < m->nv; i++) d->qfrc_smooth[i] = tau[i] - d->qfrc_bias[i];
    mj_solveM(m, d, qdd, d->qfrc_smooth, 1);
}

int main(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        const peer_robot r = peer_read(argv[i]);
        arm              a = {build(&r), NULL};
        if (!a.model) continue;
        a.data = mj_makeData(a.model);
        peer_report("mujoco composite body", forward, &a, &r);
    }
    return 0;
}
