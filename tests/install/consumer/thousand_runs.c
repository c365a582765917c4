// A thousand motions of an arm from different poses with different payloads: where they end.
#include <forearm/forearm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 1000 };

int main(int argc, char *argv[])
{
    fa_error  error = fa_no_error();
    fa_robot *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    int       payload;
    if (!robot || fa_robot_find_parameter(robot, "payload.mass", &payload, &error) != FA_OK) {
        fprintf(stderr, "%s:%d: %s\n", error.file, error.place.line, error.message);
        return 1;
    }
    const fa_motions_options options = {sizeof options, 2, 0.01, 1e-8, &payload, 1};
    const size_t             n = (size_t)fa_robot_joints(robot);
    fa_motions              *motions = fa_motions_new(robot, &options, &error);
    const size_t             states = motions ? (size_t)fa_motions_states(motions) : 0;
    double *q = calloc(RUNS * (n + 1 + states), sizeof *q), low = INFINITY, high = -low;
    if (!motions || !q) return 1;
    double *mass = q + RUNS * n, *last = mass + RUNS;
    for (size_t k = 0; k < RUNS; k++) {
        for (size_t i = 0; i < n; i++) q[k * n + i] = sin((double)(k * n + i));
        mass[k] = (double)k / RUNS;
    }
    fa_run_table table = {sizeof table, q, NULL, NULL, mass};
    fa_sink      sink = {sizeof sink, last, NULL, 0, 0, true, NULL, NULL};
    fa_status    status = fa_motions_run(motions, RUNS, &table, &sink, 2, &error);
    for (size_t k = 0; k < RUNS; k++) {
        low = fmin(low, last[k * states]);
        high = fmax(high, last[k * states]);
    }
    printf("%s, %s: %s from %.3f to %.3f\n", fa_status_name(status),
           fa_motions_in_lanes(motions) ? "in lanes" : "one by one",
           fa_motions_state_name(motions, 0), low, high);
    free(q);
    fa_motions_free(motions);
    fa_robot_free(robot);
    return status != FA_OK;
}
