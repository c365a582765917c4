// A straight line of the hand at constant speed, the motion of section 5.2 of Mata and others
// (2002), and the joint motion that produces it.
#ifndef FA_BENCH_LINE_H
#define FA_BENCH_LINE_H

#include "chain.h"

enum { LINE_JOINTS = 6 };

typedef struct straight_line {
    const fa_chain *chain;    // six joints in a row; the hand is the last body's frame
    fa_vec3         from, to; // of the hand's origin, world axes [m]
    double          duration; // [s]
    fa_mat3         E;        // rotation from world axes to the hand's, constant
} straight_line;

// Reads the PUMA 560 without rotors, and sets the line of the paper. The chain points to `body`,
// the line to the chain. Exits if the file cannot be read.
straight_line line_of_puma(const char *path, fa_chain *chain, fa_body body[LINE_JOINTS]);

// Initial guess of the coordinates at t = 0: waist forward, elbow up, as in the reference.
extern const double line_start[LINE_JOINTS];

// Computes coordinates at time t and their derivatives. On entry q is the initial guess.
// FA_SINGULAR where the joints cannot follow the line.
fa_status line_motion(const straight_line *line, double t, double q[], double qd[], double qdd[]);

#endif
