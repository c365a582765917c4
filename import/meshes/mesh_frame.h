// Affine maps of scenes: from coordinates in a node to those around it. Unlike a fa_transform they
// may scale and mirror.
#ifndef FA_MESH_FRAME_H
#define FA_MESH_FRAME_H

#include "spatial.h"

typedef struct fa_mesh_frame {
    double row[3][4]; // a matrix, and behind it what is added
} fa_mesh_frame;

#define FA_MESH_UNMOVED ((fa_mesh_frame){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}})

// b first, then a.
static inline fa_mesh_frame fa_mesh_frame_after(const fa_mesh_frame *a, const fa_mesh_frame *b)
{
    fa_mesh_frame f;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            f.row[i][k] = k == 3 ? a->row[i][3] : 0;
            for (int m = 0; m < 3; m++) f.row[i][k] += a->row[i][m] * b->row[m][k];
        }
    return f;
}

static inline fa_vec3 fa_mesh_frame_apply(const fa_mesh_frame *f, double x, double y, double z)
{
    double to[3];
    for (int i = 0; i < 3; i++)
        to[i] = f->row[i][0] * x + f->row[i][1] * y + f->row[i][2] * z + f->row[i][3];
    return vec3(to[0], to[1], to[2]);
}

#endif
