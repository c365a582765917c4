// The arms of tests/reference/arm_points.json as chains.
#ifndef FA_TEST_GOLDEN_ARM_H
#define FA_TEST_GOLDEN_ARM_H

#include "chain.h"
#include "read_json.h"

enum { GOLDEN_MAX = 20 }; // joints

typedef struct golden_arm {
    fa_body      body[GOLDEN_MAX];
    fa_chain     chain;
    fa_transform hand; // the last link's frame in its body
    fa_vec3      tip;  // in that frame
} golden_arm;

// From the member "arm" of a robot in the file. The result must not be moved: the chain points to
// the bodies.
void golden_arm_read(const json *text, golden_arm *arm);

#endif
