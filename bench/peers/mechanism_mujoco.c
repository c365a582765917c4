// Times MuJoCo's mj_forward of a mechanism, whose loops are soft constraints.
//
//   mechanism_mujoco NAME.txt NAME.xml
#include <mujoco/mujoco.h>

#include "mechanism_peer.h"

typedef struct robot {
    mjModel *model;
    mjData  *data;
} robot;

static void forward(void *self)
{
    robot *r = (robot *)self;
    mj_forward(r->model, r->data);
}

int main(int argc, char *argv[])
{
    char            error[500] = "";
    const mechanism m = mechanism_read(argv[1]);
    robot           r = {mj_loadXML(argc > 2 ? argv[2] : "", NULL, error, sizeof error), NULL};
    if (!r.model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    r.data = mj_makeData(r.model);
    for (int i = 0; i < m.n; i++) {
        const mechanism_body *b = &m.body[i];
        const int             joint = mj_name2id(r.model, mjOBJ_JOINT, b->name),
                  on = r.model->jnt_dofadr[joint];
        double      *q = r.data->qpos + r.model->jnt_qposadr[joint];
        const size_t n = b->type == FREE ? 6 : 1;
        memcpy(q, b->position, (n == 6 ? 7 : 1) * sizeof *q);
        memcpy(r.data->qvel + on, b->velocity, n * sizeof *q);
        memcpy(r.data->qfrc_applied + on, b->tau, n * sizeof *q);
        if (n == 6) { // positions in world axes, rotations in the body's own axes
            for (int k = 0; k < 3; k++) q[k] += b->place[k];
            mju_normalize4(q + 3);
            double back[4];
            mju_negQuat(back, q + 3);
            mju_rotVecQuat(r.data->qvel + on + 3, b->velocity + 3, back);
            mju_rotVecQuat(r.data->qfrc_applied + on + 3, b->tau + 3, back);
        }
    }
    mj_forward(r.model, r.data);
    for (int i = 0; i < m.n; i++)
        if (m.body[i].type != FREE)
            mechanism_answer(
                m.body[i].name,
                r.data
                    ->qacc[r.model->jnt_dofadr[mj_name2id(r.model, mjOBJ_JOINT, m.body[i].name)]]);
    mechanism_say("mujoco mj_forward", mechanism_time(forward, &r));
    return 0;
}
