// Times Forearm's forward dynamics of a mechanism from consistent positions, and a whole evaluation
// of an FMU's right-hand side: loops closed from the last accepted point, speeds, drives,
// accelerations.
//
//   mechanism_ours ROBOT SIDE-FILE|- NAME=VALUE …     start values, as for --set
//   mechanism_ours … only forward|evaluate|none TIMES     that many times, for callgrind
#include "mechanism_peer.h"

#include "import.h"
#include "mechanism.h"
#include "methods.h"
#include "state.h"

typedef struct robot {
    fa_state         state;
    fa_arm          *arm;
    fa_chain         chain; // the arm's chain, without its factored loops
    const fa_method *method;
    fa_ready         ready;
    double          *q, *qd, *tau, *qdd, *start;
    int              first, n_states, turn;
} robot;

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "mechanism_ours: %s\n", what);
    exit(1);
}

static void forward(void *self)
{
    robot          *r = self;
    const fa_status status = r->arm->fast && !r->chain.loops
                                 ? fa_fast_forward(r->arm->fast, r->q, r->qd, r->tau, NULL, r->qdd)
                                 : fa_ready_forward(&r->ready, r->q, r->qd, r->tau, NULL, r->qdd);
    if (status != FA_OK) r->qdd[0] = NAN;
}

// Evaluates at positions 1e-4 away from the last closed ones, with alternating sign.
static void evaluate(void *self)
{
    robot       *r = self;
    fa_error     error = fa_no_error();
    const double off = r->turn++ % 2 ? 1e-4 : -1e-4;
    for (int i = 0; i < r->n_states; i++) r->state.value[r->first + i] = r->start[i] + off;
    must(fa_state_evaluate(&r->state, FA_GROUP_DERIVATIVES, &error) == FA_OK, error.message);
}

static void none(void *self)
{
    (void)self;
}

int main(int argc, char *argv[])
{
    must(argc >= 3, "which robot?");
    robot                   r = {0};
    fa_robot               *loaded;
    fa_error                error = fa_no_error();
    const fa_import_options options = {.actuators = strcmp(argv[2], "-") == 0 ? NULL : argv[2]};
    must(fa_import(argv[1], &options, NULL, &loaded, &error) == FA_OK, error.message);
    must(fa_state_new(loaded, &r.state, &error) == FA_OK, error.message);
    int a = 3;
    for (; a < argc && strchr(argv[a], '='); a++) {
        char *at = strchr(argv[a], '=');
        *at = 0;
        must(fa_state_set(&r.state, argv[a], strtod(at + 1, NULL), &error) == FA_OK, error.message);
    }
    must(fa_state_begin(&r.state, &error) == FA_OK, error.message);
    must(fa_state_evaluate(&r.state, FA_GROUP_DERIVATIVES, &error) == FA_OK, error.message);
    bool moved; // out: accept() moved states; loops are closed from this point on
    if (r.state.plant->accept)
        must(r.state.plant->accept(r.state.self, r.state.value, &moved, &error) == FA_OK,
             error.message);
    const bool    several = strstr(r.state.plant->name, "mechanism") != NULL;
    fa_mechanism *m = several ? r.state.self : NULL;
    const double *value = several ? m->value : r.state.value;
    r.arm = several ? m->arm : r.state.self;
    r.chain = r.arm->chain;
    r.chain.closed = NULL;
    r.q = (double *)value + r.arm->row[FA_ARM_POSITION];
    r.qd = (double *)value + r.arm->row[FA_ARM_VELOCITY];
    r.tau = r.arm->tau;
    r.qdd = calloc((size_t)r.chain.n_coordinates, sizeof(double));
    r.method = fa_method_forward(&r.chain);
    r.ready = fa_method_ready(r.method, &r.chain, malloc(r.method->work_size(&r.chain) + 1));
    for (int row = 0; row < r.state.table.n; row++)
        if (r.state.table.row[row].role == FA_STATE) {
            if (r.n_states++ == 0) r.first = row;
        }
    r.start = malloc((size_t)r.n_states * sizeof(double));
    memcpy(r.start, r.state.value + r.first, (size_t)r.n_states * sizeof(double));
    // Calls forward() once before the measurements.
    forward(&r);
    if (a + 2 < argc && strcmp(argv[a], "only") == 0) {
        void (*call)(void *) = strcmp(argv[a + 1], "forward") == 0    ? forward
                               : strcmp(argv[a + 1], "evaluate") == 0 ? evaluate
                                                                      : none;
        for (long k = strtol(argv[a + 2], NULL, 10); k > 0; k--) call(&r);
        free(r.start);
        return 0;
    }
    for (int row = 0; row < r.state.table.n; row++) {
        const char *name = r.state.table.row[row].name, *end = strrchr(name, '.');
        if (strncmp(name, "joint.", 6) != 0 || strcmp(end, ".acceleration") != 0) continue;
        char joint[64];
        (void)snprintf(joint, sizeof joint, "%.*s", (int)(end - name - 6), name + 6);
        mechanism_answer(joint, r.state.value[row]);
    }
    mechanism_say("forearm forward", mechanism_time(forward, &r));
    mechanism_say("forearm evaluate", mechanism_time(evaluate, &r));
    free(r.start);
    return 0;
}
