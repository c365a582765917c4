// Pseudo-random states from a seed.
#include "draw.h"

#include <math.h>

#include "joint_parts.h"

// Steele, Lea and Flood (2014), "Fast Splittable Pseudorandom Number Generators": SplitMix64.
double fa_draw_between(uint64_t *seed, double low, double high)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}

// Draws the coordinates of the parts of a joint (joint_parts.h), and returns their number. The
// orientation of a ball joint is the robot file's: its three angles are zero.
static int draw_several(fa_joint_type type, uint64_t *seed, double q[])
{
    const int    ball = fa_joint_ball_part(type), n = fa_joint_kinds[type].speeds;
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < n; k++) {
        const double usual = type == FA_PLANAR && k == 2 ? pi : 1;
        q[k] = ball != FA_NOBODY && k >= ball ? 0 : fa_draw_between(seed, -usual, usual);
    }
    return n;
}

void fa_draw_pose(const fa_robot *robot, uint64_t *seed, double q[])
{
    const double pi = 3.14159265358979323846;
    int          n = 0;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        if (fa_joint_is_several(joint->type)) {
            n += draw_several(joint->type, seed, q + n);
            continue;
        }
        double usual = fa_joint_turns(joint->type) ? pi : 1;
        double low = isfinite(joint->limit.lower) ? joint->limit.lower : -usual;
        double high = isfinite(joint->limit.upper) ? joint->limit.upper : usual;
        q[n++] = fa_draw_between(seed, low, high);
    }
}
