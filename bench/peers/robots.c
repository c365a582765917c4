// Writes the robots of the comparison, each with random states and their accelerations in 128 bits:
//
//     peer_robots ur5 ur5.urdf                              from a robot file
//     peer_robots panda panda.urdf panda_finger_joint1=0    joints locked
//     peer_robots chain50 50                                an arm of our own making
//
// On standard output, as peer.h reads it. Joint friction and rotors are left out: not every peer
// has them.
#include <stdint.h>

#include "chain.h"
#include "import.h"
#include "our_chain.h"
#include "reference.h"

enum { STATES = 16 };

// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
static double between(double low, double high)
{
    static uint64_t seed = 7;
    uint64_t        z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return low + (high - low) * ((double)((z ^ z >> 31) >> 11) * 0x1p-53);
}

static fa_vec3 vector(double size)
{
    const double x = between(-size, size), y = between(-size, size);
    return vec3(x, y, between(-size, size));
}

// Creates a chain of links of 0.3 m with random axes.
static fa_chain made_up(int n, fa_body body[])
{
    for (int i = 0; i < n; i++) {
        const fa_vec3 axis = vector(1), along = vector(1);
        const double  mass = between(0.5, 5);
        fa_sym3       I = {0.01, 0.01, 0.01, 0, 0, 0};
        const fa_vec3 rod = vector(0.15);
        I = sym3_scale(mass, sym3_add(I, sym3_point(rod, rod)));
        body[i] = (fa_body){
            .parent = i - 1,
            .joint = FA_REVOLUTE,
            .axis = vec3_scale(1 / vec3_norm(axis), axis),
            .home = {mat3_identity(), vec3_scale(i ? 0.3 / vec3_norm(along) : 0, along)},
            .inertia = fa_link_inertia(mass, vector(0.15), I, transform_identity()),
            .coordinate = i,
            .ratio = 1,
        };
    }
    return (fa_chain){.n = n, .n_coordinates = n, .body = body, .gravity = {0, 0, -9.81}};
}

static fa_chain imported(int n_locks, char *lock[], const char *path, fa_body **body)
{
    fa_import_lock    locks[8];
    fa_import_options options = {.lock = locks, .n_locks = n_locks};
    for (int i = 0; i < n_locks && i < 8; i++) {
        char *at = strchr(lock[i], '=');
        *at = 0;
        locks[i] = (fa_import_lock){lock[i], strtod(at + 1, NULL)};
    }
    fa_robot *robot;
    fa_error  error = fa_no_error();
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    int          *link_body = calloc((size_t)robot->n_links, sizeof *link_body);
    fa_transform *frame = calloc((size_t)robot->n_links, sizeof *frame);
    *body = calloc((size_t)fa_chain_bodies(robot), sizeof **body);
    return fa_chain_build(robot, *body, link_body, frame);
}

static void put(const double v[], int n)
{
    for (int i = 0; i < n; i++) printf(" %.17g", v[i]);
}

static void put_body(const peer_body *p)
{
    printf("%d", p->prismatic);
    put(p->rotation, 9);
    put(p->place, 3);
    put(p->axis, 3);
    put(&p->mass, 1);
    put(p->com, 3);
    put(p->inertia, 6);
    printf("\n");
}

int main(int argc, char *argv[])
{
    if (argc < 3) return 1;
    const int length = atoi(argv[2]);
    fa_body  *body = calloc(length > 0 ? (size_t)length : 1, sizeof *body);
    fa_chain  chain =
        length > 0 ? made_up(length, body) : imported(argc - 3, argv + 3, argv[2], &body);
    const int  n = chain.n;
    peer_robot r = {.n = n, .n_states = STATES};
    printf("%s %d %d\n%.17g %.17g %.17g\n", argv[1], n, STATES, chain.gravity.x, chain.gravity.y,
           chain.gravity.z);
    r.gravity[0] = chain.gravity.x, r.gravity[1] = chain.gravity.y, r.gravity[2] = chain.gravity.z;
    r.body = calloc((size_t)n, sizeof *r.body);
    for (int i = 0; i < n; i++) {
        r.body[i] = peer_body_of(&chain.body[i]);
        put_body(&r.body[i]);
    }

    static double q[STATES][REFERENCE_MAX], qd[STATES][REFERENCE_MAX], tau[STATES][REFERENCE_MAX];
    static double qdd[STATES][REFERENCE_MAX];
    for (int k = 0; k < STATES; k++) {
        for (int i = 0; i < n; i++) {
            q[k][i] = between(-3, 3);
            qd[k][i] = between(-1, 1) * (n < 20 ? 2 : 0.5);
            tau[k][i] = between(-30, 30);
        }
        wide_forward(&r, q[k], qd[k], tau[k], qdd[k]);
    }
    double(*const table[4])[REFERENCE_MAX] = {q, qd, tau, qdd};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < STATES; k++) {
            put(table[t][k], n);
            printf("\n");
        }
    return 0;
}
