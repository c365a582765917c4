// Constants of the fast methods, computed when parameters change:
//
// - Each body gets a frame with its z axis along the joint. A rotation of the joint then mixes two
// axes by its sine and cosine, and needs no general rotation.
// - Inertias are expressed in that frame.
// - The part of a revolute body's inertia that does not affect its own joint moves to the parent: a
// mass m, a first moment along the axis, and equal moments of inertia across it are independent of
// the angle. (Identification groups parameters in the same way: W. Khalil and J.-F. Bennis,
// "Symbolic calculation of the base inertial parameters of closed-loop robots", 1995, for one.) If
// every joint is revolute then every mass is zero, and the kernels leave those terms out.
#include <math.h>
#include <string.h>

#include "arena.h"
#include "fast.h"

bool fa_fast_fits(const fa_chain *chain)
{
    return FA_FAST_LANES && !chain->coupled && !chain->held && !chain->base_moves && !chain->screws;
}

static fa_fast *lay_out(void *memory, const fa_chain *chain, size_t *size)
{
    size_t   n = (size_t)chain->n, n_groups = (n + 3) / 4;
    fa_arena a = {memory, 0};
    fa_fast  measured, *fast = fa_arena_take(&a, 1, sizeof *fast);
    if (!fast) fast = &measured;
    fast->group = fa_arena_take(&a, n_groups, sizeof *fast->group);
    fast->parent = fa_arena_take(&a, n, sizeof *fast->parent);
    fast->turned = fa_arena_take(&a, n, sizeof *fast->turned);
    fast->scratch = fa_arena_take(&a, n_groups * 4, sizeof *fast->scratch);
    fast->fork = fa_arena_take(&a, chain->branched ? n_groups * 4 : 0, sizeof *fast->fork);
    fast->block = fa_arena_take(&a, (size_t)fa_special_block_size(chain->n), sizeof *fast->block);
    if (size) *size = a.size;
    return memory;
}

size_t fa_fast_size(const fa_chain *chain)
{
    size_t size;
    lay_out(NULL, chain, &size);
    return size;
}

fa_fast *fa_fast_place(void *memory, const fa_chain *chain, int kernel)
{
    fa_fast *fast = lay_out(memory, chain, NULL);
    fast->n = chain->n;
    fast->kernel = kernel;
    fast->special = NULL;
    fast->deterministic = false;
    return fast;
}

// The inertia of `body` in its frame here, and what is in group[] of the frame.
static fa_transform place_in_parent(const fa_fast *fast, const fa_body *body, int i)
{
    fa_transform X = body->home;
    X.E = mat3_mat3(fast->turned[i], X.E);
    if (body->parent == FA_WORLD) return X;
    const fa_mat3 parent = fast->turned[body->parent];
    X.E = mat3_mat3(X.E, mat3_transpose(parent));
    X.r = mat3_mul(parent, X.r);
    return X;
}

static fa_inertia inertia_of(const fa_fast_group *group, int lane)
{
    const double(*I)[4] = group->inertia;
    return (fa_inertia){group->mass[lane],
                        {group->first[0][lane], group->first[1][lane], group->first[2][lane]},
                        {I[0][lane], I[1][lane], I[2][lane], I[3][lane], I[4][lane], I[5][lane]}};
}

static void put_inertia(fa_fast_group *group, int lane, fa_inertia I)
{
    const double tensor[6] = {I.I.xx, I.I.yy, I.I.zz, I.I.xy, I.I.xz, I.I.yz};
    group->mass[lane] = I.mass;
    group->first[0][lane] = I.h.x;
    group->first[1][lane] = I.h.y;
    group->first[2][lane] = I.h.z;
    for (int k = 0; k < 6; k++) group->inertia[k][lane] = tensor[k];
}

// Gives the parent what the joint does not feel.
static void regroup(const fa_fast *fast, const fa_transform *X, int i)
{
    fa_inertia I = inertia_of(&fast->group[i / 4], i % 4);
    fa_inertia alike = {I.mass, {0, 0, I.h.z}, {I.I.yy, I.I.yy, 0, 0, 0, 0}};
    fa_inertia felt = {0, {I.h.x, I.h.y, 0}, {I.I.xx - I.I.yy, 0, I.I.zz, I.I.xy, I.I.xz, I.I.yz}};
    put_inertia(&fast->group[i / 4], i % 4, felt);
    int parent = fast->parent[i];
    if (parent == FA_WORLD) return;
    fa_inertia sum =
        inertia_add(inertia_of(&fast->group[parent / 4], parent % 4), inertia_to_parent(*X, alike));
    put_inertia(&fast->group[parent / 4], parent % 4, sum);
}

static void put_frame(fa_fast_group *group, int lane, const fa_transform *X, fa_vec3 origin)
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++) group->axis[axis][k][lane] = X->E.m[axis][k];
    group->place[0][lane] = X->r.x - origin.x;
    group->place[1][lane] = X->r.y - origin.y;
    group->place[2][lane] = X->r.z - origin.z;
}

static void prepare_special(const fa_special *special, const fa_chain *chain, double block[])
{
    double parameter[FA_SPECIAL_PER_BODY * FA_SPECIAL_MAX + 3];
    fa_special_parameters(chain, parameter);
    special->prepare(parameter, block);
}

void fa_fast_prepare(fa_fast *fast, const fa_chain *chain)
{
    const fa_body *body = chain->body;
    const fa_vec3  zero = {0, 0, 0}, origin = chain->n > 0 ? body[0].home.r : zero;
    memset(fast->group, 0, (size_t)((chain->n + 3) / 4) * sizeof *fast->group);
    fast->gravity = chain->gravity;
    fast->branched = chain->branched;
    fast->slides = false;
    for (int i = 0; i < chain->n; i++) {
        fa_fast_group *group = &fast->group[i / 4];
        fast->turned[i] = fa_frame_along(body[i].axis);
        fast->parent[i] = body[i].parent;
        fast->slides |= fa_joint_slides(body[i].joint);
        fa_transform X = place_in_parent(fast, &body[i], i);
        put_frame(group, i % 4, &X, body[i].parent == FA_WORLD ? origin : zero);
        fa_transform turn = {mat3_transpose(fast->turned[i]), zero};
        put_inertia(group, i % 4, inertia_to_parent(turn, body[i].inertia));
        group->rotor[i % 4] = body[i].rotor;
        group->turns[i % 4] = fa_joint_turns(body[i].joint);
    }
    for (int i = chain->n - 1; i >= 0; i--) {
        fa_transform X = place_in_parent(fast, &body[i], i);
        if (fa_joint_turns(body[i].joint)) regroup(fast, &X, i);
    }
    if (fast->special) prepare_special(fast->special, chain, fast->block);
}
