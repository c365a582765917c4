// The methods that FMUs use, and what chooses among them. They stand apart from the table of all,
// so that a library which never asks for the table does without the other methods.
#include <math.h>

#include "methods.h"

// The papers' methods know a fixed base and free joints that turn or slide; what goes beyond is for
// these.
enum { BEYOND = FA_COVERS_HELD | FA_COVERS_MOVING_BASE | FA_COVERS_SCREW };

const fa_method fa_articulated_body_method = {
    .name = "articulated-body",
    .page = "articulated-body",
    .paper = "Featherstone 2008, table 7.1",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED | BEYOND,
    .work_size = fa_articulated_body_work_size,
    .forward = fa_articulated_body_forward,
};

const fa_method fa_composite_body_method = {
    .name = "composite-body",
    .page = "composite-body",
    .paper = "Walker and Orin 1982, method 3; Featherstone 2008, table 6.2",
    .order = "n^3",
    .covers = FA_COVERS_ANY_TREE | BEYOND,
    .work_size = fa_composite_body_work_size,
    .forward = fa_composite_body_forward,
    .mass_matrix = fa_composite_body_mass_matrix,
};

const fa_method fa_newton_euler_method = {
    .name = "newton-euler",
    .page = "newton-euler",
    .paper = "Luh, Walker and Paul 1980; Walker and Orin 1982, method 1",
    .order = "n inverse, n^3 forward",
    .covers = FA_COVERS_ANY_TREE | BEYOND,
    .work_size = fa_newton_euler_work_size,
    .forward = fa_newton_euler_forward,
    .inverse = fa_newton_euler_inverse,
    .mass_matrix = fa_newton_euler_mass_matrix,
};

const fa_method fa_cluster_elimination_method = {
    .name = "cluster-elimination",
    .page = "loops",
    .paper = "Jain 2012; Chignoli and others 2023",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED | FA_COVERS_LOOPS | BEYOND,
    .work_size = fa_cluster_elimination_work_size,
    .forward = fa_cluster_elimination_forward,
};

const fa_method *fa_method_forward(const fa_chain *chain)
{
    if (chain->loops) return &fa_cluster_elimination_method;
    return chain->coupled ? &fa_composite_body_method : &fa_articulated_body_method;
}

const fa_method *fa_method_inverse(const fa_chain *chain)
{
    (void)chain; // one method covers every kind
    return &fa_newton_euler_method;
}

bool fa_method_has_forward(const fa_method *method)
{
    return method->forward || method->prepared;
}

fa_ready fa_method_ready(const fa_method *method, const fa_chain *chain, void *work)
{
    fa_prepared *prepared = method->prepare ? method->prepare(chain, work) : NULL;
    return (fa_ready){method, chain, work, prepared};
}

fa_status fa_ready_forward(const fa_ready *ready, const double q[], const double qd[],
                           const double tau[], const fa_load *load, double qdd[])
{
    if (ready->prepared)
        return ready->method->prepared(ready->chain, q, qd, tau, load, qdd, ready->prepared);
    return ready->method->forward(ready->chain, q, qd, tau, load, qdd, ready->work);
}

bool fa_all_finite(const double value[], int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(value[i])) return false;
    return true;
}
