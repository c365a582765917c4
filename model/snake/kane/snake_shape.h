// Points of a snake for drawing, its centre of mass and mean heading.
#ifndef FA_SNAKE_SHAPE_H
#define FA_SNAKE_SHAPE_H

#include "snake.h"

typedef struct fa_snake_point {
    double x, y; // world axes [m]
} fa_snake_point;

// Computes the wheels (n of them) and the links' ends (n + 1: tip of link 0, the joints, tip of the
// last link) of a snake whose link 0 has its wheel at `first`. Either array may be NULL.
void fa_snake_points(const fa_snake *snake, const double theta[], fa_snake_point first,
                     fa_snake_point wheel[], fa_snake_point end[]);

// Returns the centre of mass of the snake.
fa_snake_point fa_snake_centre(const fa_snake *snake, const double theta[], fa_snake_point first);

// Returns the direction of the mean of all e, from -pi to pi; 0 where the mean vanishes [rad].
double fa_snake_heading(const fa_snake *snake, const double theta[]);

#endif
