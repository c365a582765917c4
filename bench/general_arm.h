// The arm on which operations are counted: n revolute joints in Craig's frames, each link turned by
// alpha about x and set off by a and d, all different, and inertias without zeros. Gravity lies
// along the first axis. Papers call this the general case.
#ifndef FA_BENCH_GENERAL_ARM_H
#define FA_BENCH_GENERAL_ARM_H

#include "chain.h"

static inline fa_chain general_arm(int n, fa_body body[])
{
    for (int i = 0; i < n; i++) {
        const double  alpha = 0.4 + 0.1 * i, a = 0.3 + 0.0071 * i, d = 0.2 + 0.0173 * i;
        const double  c = cos(alpha), s = sin(alpha);
        const fa_mat3 Rx = {{{1, 0, 0}, {0, c, s}, {0, -s, c}}};
        body[i] = (fa_body){.parent = i - 1,
                            .joint = FA_REVOLUTE,
                            .axis = {0, 0, 1},
                            .home = {Rx, {a, -d * s, d * c}},
                            .inertia = {2, {0.3, 0.2, 0.4}, {0.5, 0.6, 0.4, 0.03, 0.02, 0.01}},
                            .coordinate = i,
                            .ratio = 1};
    }
    return (fa_chain){.n = n, .n_coordinates = n, .body = body, .gravity = {0, 0, -9.81}};
}

#endif
