// A motion as moments of a scene (scene.h): at equal distances in time, from its start to its end.
#ifndef FA_MOMENTS_H
#define FA_MOMENTS_H

#include "options.h"
#include "robot.h"
#include "scene.h"
#include "state.h"

typedef struct fa_moments {
    int          n;
    fa_instant  *of;
    int          n_trace; // places of the tip, more closely than the moments; none of snakes
    fa_vec3     *trace;
    fa_transform upright;
    // Storage, and rows of the state's table.
    fa_transform *pose;
    double (*pressure)[2];
    int *row; // of each link
    int  tip_row, length_row;
} fa_moments;

// Adds to a robot the outputs that moments are read from. Before its state is made.
void fa_moments_want(fa_robot *robot);

// Simulates from 0 to `stop` [s], by the options --set, --input and so on; the start alone where
// stop is 0. Scenes that show them are upright by `upright`. Release with fa_moments_free, also
// after a failure.
fa_status fa_moments_new(const fa_arguments *arguments, const fa_robot *robot, double stop, int n,
                         fa_transform upright, fa_moments *moments, fa_error *error);
void      fa_moments_free(fa_moments *moments);

#endif
