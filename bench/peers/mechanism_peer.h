// Reads a mechanism at one state, as mechanisms.py writes it for the peers: a tree of joints that
// turn, slide or leave a body free, and points of two bodies that coincide.
#ifndef MECHANISM_PEER_H
#define MECHANISM_PEER_H

#include "peer.h"

typedef enum mechanism_joint { HINGE, SLIDE, FREE } mechanism_joint;

typedef struct mechanism_body {
    char   name[64]; // name of the joint
    int    type;     // of type mechanism_joint
    int    parent;   // -1: the ground
    double rotation[9], place[3], axis[3];
    double mass, com[3], inertia[6];         // about the centre of mass: xx xy xz yy yz zz
    double position[7], velocity[6], tau[6]; // free: x y z, qw qx qy qz; in the parent's axes
} mechanism_body;

typedef struct mechanism_loop {
    int    body[2];
    double point[2][3];
} mechanism_loop;

typedef struct mechanism {
    int             n, n_loops;
    double          gravity[3];
    mechanism_body *body;
    mechanism_loop *loop;
} mechanism;

static inline mechanism mechanism_read(const char *path)
{
    mechanism m;
    FILE     *file = fopen(path, "r");
    if (!file || fscanf(file, "%d %d", &m.n, &m.n_loops) != 2) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    peer_numbers(file, m.gravity, 3);
    m.body = (mechanism_body *)calloc((size_t)m.n, sizeof *m.body);
    m.loop = (mechanism_loop *)calloc((size_t)m.n_loops + 1, sizeof *m.loop);
    for (int i = 0; i < m.n; i++) {
        mechanism_body *b = &m.body[i];
        if (fscanf(file, "%63s %d %d", b->name, &b->type, &b->parent) != 3) exit(1);
        peer_numbers(file, b->rotation, 9);
        peer_numbers(file, b->place, 3);
        peer_numbers(file, b->axis, 3);
        peer_numbers(file, &b->mass, 1);
        peer_numbers(file, b->com, 3);
        peer_numbers(file, b->inertia, 6);
        peer_numbers(file, b->position, b->type == FREE ? 7 : 1);
        peer_numbers(file, b->velocity, b->type == FREE ? 6 : 1);
        peer_numbers(file, b->tau, b->type == FREE ? 6 : 1);
    }
    for (int i = 0; i < m.n_loops; i++)
        for (int k = 0; k < 2; k++) {
            if (fscanf(file, "%d", &m.loop[i].body[k]) != 1) exit(1);
            peer_numbers(file, m.loop[i].point[k], 3);
        }
    fclose(file);
    return m;
}

// Returns the nanoseconds of a call: the lowest of many rounds.
static inline double mechanism_time(void (*call)(void *self), void *self)
{
    double best = INFINITY;
    for (const double begin = peer_now(); peer_now() - begin < 3 * PEER_BUDGET;) {
        const double start = peer_now();
        for (int k = 0; k < 32; k++) call(self);
        best = fmin(best, (peer_now() - start) / 32);
    }
    return best;
}

static inline void mechanism_say(const char *who, double ns)
{
    printf("time,%s,%.1f\n", who, ns);
    fflush(stdout);
}

// Prints the acceleration of a joint with one freedom.
static inline void mechanism_answer(const char *joint, double acceleration)
{
    printf("answer,%s,%.17g\n", joint, acceleration);
}

#endif
