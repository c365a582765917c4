// Geometry and parameters of a chain, for comparison with specialised code and as its arguments.
#include <string.h>

#include "special.h"

void fa_special_geometry(const fa_chain *chain, double geometry[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double        *to = geometry + FA_SPECIAL_GEOMETRY * i;
        *to++ = body->parent;
        *to++ = fa_joint_turns(body->joint);
        *to++ = body->axis.x, *to++ = body->axis.y, *to++ = body->axis.z;
        memcpy(to, body->home.E.m, sizeof body->home.E.m);
        to += 9;
        *to++ = body->home.r.x, *to++ = body->home.r.y, *to++ = body->home.r.z;
    }
}

static bool is_geometry(const double geometry[], const fa_chain *chain)
{
    for (int i = 0; i < chain->n; i++) {
        const fa_chain one = {.n = 1, .body = &chain->body[i]};
        double         got[FA_SPECIAL_GEOMETRY] = {0};
        fa_special_geometry(&one, got);
        for (int k = 0; k < FA_SPECIAL_GEOMETRY; k++)
            if (got[k] != geometry[FA_SPECIAL_GEOMETRY * i + k]) return false;
    }
    return true;
}

double fa_special_parameter(const fa_chain *chain, int index)
{
    const double gravity[3] = {chain->gravity.x, chain->gravity.y, chain->gravity.z};
    const int    i = index / FA_SPECIAL_PER_BODY, k = index % FA_SPECIAL_PER_BODY;
    if (i == chain->n) return gravity[k];
    const fa_inertia *I = &chain->body[i].inertia;
    const double      of_body[FA_SPECIAL_PER_BODY] = {I->mass,
                                                      I->h.x,
                                                      I->h.y,
                                                      I->h.z,
                                                      I->I.xx,
                                                      I->I.yy,
                                                      I->I.zz,
                                                      I->I.xy,
                                                      I->I.xz,
                                                      I->I.yz,
                                                      chain->body[i].rotor};
    return of_body[k];
}

void fa_special_parameters(const fa_chain *chain, double parameter[])
{
    for (int k = 0; k < FA_SPECIAL_PER_BODY * chain->n + 3; k++)
        parameter[k] = fa_special_parameter(chain, k);
}

static bool has_zeros(const fa_special *code, const fa_chain *chain)
{
    for (int k = 0; k < code->n_zeros; k++)
        if (fa_special_parameter(chain, code->zero[k]) != 0) return false;
    return true;
}

const fa_special *fa_special_for(const fa_chain *chain)
{
    for (int v = 0; v < fa_special_count; v++) {
        const fa_special *code = &fa_special_code[v];
        if (code->n == chain->n && !chain->coupled && is_geometry(code->geometry, chain) &&
            has_zeros(code, chain))
            return code;
    }
    return NULL;
}

int fa_special_block_size(int n)
{
    int longest = 0;
    for (int v = 0; v < fa_special_count; v++)
        if (fa_special_code[v].n == n && fa_special_code[v].n_block > longest)
            longest = fa_special_code[v].n_block;
    return longest;
}
