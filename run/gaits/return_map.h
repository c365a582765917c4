// The return map of a snake's gait: from where a period begins to where it ends. Its fixed point is
// the settled gait, and the eigenvalues of its Jacobian there are the Floquet multipliers.
//
// Coordinates of the section, at the phase gait.phase: angles of all joints, their rates, velocity
// of the wheel of link 1 in that link's axes, rate of link 1; on ideal wheels the angles, speed and
// rate. Where the ground is not the same everywhere or in every direction, what that breaks is in:
// on a slope the angle of link 1, with patches or obstacles also its place.
#ifndef FA_RETURN_MAP_H
#define FA_RETURN_MAP_H

#include "state.h"

#define FA_RETURN_LINKS_MAX 200 // whose tangents take some 100 MB

typedef struct fa_return_map {
    int     n;              // coordinates of the section
    bool    directed;       // the angle of link 1 is one of them, …
    bool    placed;         // … and its place
    double *point;          // the fixed point
    double *re, *im;        // multipliers, the largest first
    double  shift[3];       // per period, where link 1 starts at angle 0: x, y, angle
    double  left;           // largest difference of the point and its image
    bool    by_differences; // joints touch stops: tangents would have to jump there
} fa_return_map;

// From the states where the state stands, which is close to the fixed point: at the end of a
// period. The state has been configured. Release with fa_return_map_free, also after a failure.
fa_status fa_return_map_find(fa_state *state, fa_return_map *map, fa_error *error);
void      fa_return_map_free(fa_return_map *map);

#endif
