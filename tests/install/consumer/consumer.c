// A point mass on a level rod, let go: it falls with g / l, whatever the mass.
#include <forearm/dynamics.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const double  mass = 3, length = 0.5, g = 9.81;
    const fa_body body = {
        .parent = FA_WORLD,
        .joint = FA_REVOLUTE,
        .axis = {0, 1, 0},
        .home = {.E = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
        .inertia = {mass,
                    {mass * length, 0, 0},
                    {.yy = mass * length * length, .zz = mass * length * length}},
        .ratio = 1,
    };
    const fa_chain   chain = {.n = 1, .n_coordinates = 1, .body = &body, .gravity = {0, 0, -g}};
    const fa_method *method = fa_method_forward(&chain);
    void            *work = malloc(method->work_size(&chain));
    double           q = 0, qd = 0, tau = 0, qdd = 0;
    fa_status        status = method->forward(&chain, &q, &qd, &tau, NULL, &qdd, work);
    free(work);
    printf("%s: %s, %.6f rad/s2\n", method->name, fa_status_text(status), qdd);
    // Rounding: a handful of operations on numbers of this size.
    return !(status == FA_OK && fabs(qdd - g / length) < 1e-12 * g / length);
}
