// Craig's frames of any chain, for the elementary rotations of gibbs_frames.h.
//
// A rotation from parent to child at q = 0 is C = Rz(theta) Rx(alpha) Rz(beta). The parent's frame
// takes over beta of its first child, which is in its own constant F from then on.
#include "gibbs_frames.h"

#include "sincos.h"

static fa_mat3 matrix_about_z(fa_turn t)
{
    return (fa_mat3){{{t.c, t.s, 0}, {-t.s, t.c, 0}, {0, 0, 1}}};
}

static bool is_identity(const fa_mat3 *A)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (A->m[i][j] != (i == j)) return false;
    return true;
}

// Returns beta of C, from its last row, which is (sin alpha sin beta, -sin alpha cos beta, cos
// alpha). Where alpha is zero or pi, beta is arbitrary.
static fa_turn first_turn(const fa_mat3 *C)
{
    const double x = C->m[2][0], y = C->m[2][1], sine = sqrt(x * x + y * y);
    const bool   is_craig = x == 0; // alpha may have either sign
    if (is_craig || sine == 0) return (fa_turn){1, 0};
    return (fa_turn){-y / sine, x / sine};
}

// The rest of C once beta is taken out, Rz(theta) Rx(alpha).
static void last_turns(const fa_mat3 *C, fa_turn *alpha, fa_turn *theta)
{
    *theta = (fa_turn){C->m[0][0], -C->m[1][0]};
    *alpha = (fa_turn){C->m[2][2], -C->m[2][1]};
}

void fa_gibbs_frames(const fa_chain *chain, fa_gibbs_frame frame[], fa_mat3 *world)
{
    const fa_vec3 up = {0, 0, 1};
    bool          ground_has_child = false;
    *world = mat3_identity();
    for (int i = 0; i < chain->n; i++) {
        const fa_vec3 z = chain->body[i].axis;
        const bool    is_z = z.x == up.x && z.y == up.y && z.z == up.z;
        frame[i].F = is_z ? mat3_identity() : fa_frame_along(z);
        frame[i].has_child = false;
        const int parent = chain->body[i].parent; // before it in the list
        bool     *has_child = parent == FA_WORLD ? &ground_has_child : &frame[parent].has_child;
        frame[i].R.is_first = !*has_child;
        *has_child = true;
    }
    for (int i = 0; i < chain->n; i++) { // a first child comes before all others
        const fa_body *body = &chain->body[i];
        fa_mat3       *parent = body->parent == FA_WORLD ? world : &frame[body->parent].F;
        const fa_mat3  home = mat3_mat3(frame[i].F, body->home.E);
        const fa_mat3  C = mat3_mat3(home, mat3_transpose(*parent));
        frame[i].R.beta = first_turn(&C);
        if (!frame[i].R.is_first) continue;
        const fa_mat3 turn = matrix_about_z(frame[i].R.beta);
        if (!is_identity(&turn)) *parent = mat3_mat3(turn, *parent);
    }
    for (int i = 0; i < chain->n; i++) {
        const fa_body  *body = &chain->body[i];
        fa_gibbs_frame *f = &frame[i];
        const fa_mat3  *parent = body->parent == FA_WORLD ? world : &frame[body->parent].F;
        const fa_mat3   home = mat3_mat3(f->F, body->home.E);
        fa_mat3         C = mat3_mat3(home, mat3_transpose(*parent));
        if (!f->R.is_first) {
            f->R.beta = first_turn(&C);
            C = mat3_mat3(C, mat3_transpose(matrix_about_z(f->R.beta)));
        }
        last_turns(&C, &f->R.alpha, &f->offset);
    }
}

void fa_gibbs_place(const fa_chain *chain, const double q[], const fa_mat3 *world,
                    fa_gibbs_frame frame[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body  *body = &chain->body[i];
        fa_gibbs_frame *f = &frame[i];
        const fa_mat3  *parent = body->parent == FA_WORLD ? world : &frame[body->parent].F;
        f->s = mat3_mul(*parent, body->home.r);
        f->R.theta = f->offset;
        if (fa_joint_slides(body->joint)) {
            const fa_vec3 along = mat3_mul(*parent, mat3_tmul(body->home.E, body->axis));
            f->s = vec3_add(f->s, vec3_scale(q[i], along));
            continue;
        }
        double s, c;
        fa_sincos(q[i], &s, &c);
        f->R.theta.c = f->offset.c * c - f->offset.s * s;
        f->R.theta.s = f->offset.s * c + f->offset.c * s;
    }
}
