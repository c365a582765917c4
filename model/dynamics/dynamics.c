// The table of methods, and lookup by name and by chain.
#include "dynamics.h"

#include <string.h>

#include "closed_form.h"
#include "methods.h"

static const fa_method gibbs_appell = {
    .name = "gibbs-appell",
    .page = "gibbs-appell",
    .paper = "Mata and others 2002, sections 4.1 and 4.2",
    .order = "n inverse, n^2 matrix, n^3 forward",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_gibbs_appell_work_size,
    .forward = fa_gibbs_appell_forward,
    .inverse = fa_gibbs_appell_inverse,
    .mass_matrix = fa_gibbs_appell_mass_matrix,
};

static const fa_method gibbs_hessian = {
    .name = "gibbs-hessian",
    .page = "gibbs-appell",
    .paper = "Mata and others 2002, (1) to (5) and (19)",
    .order = "n^3",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_gibbs_hessian_work_size,
    .mass_matrix = fa_gibbs_hessian_mass_matrix,
};

static const fa_method walker_orin = {
    .name = "walker-orin",
    .page = "walker-orin",
    .paper = "Swartz 1982, (1) to (26); Walker and Orin 1982, method 3",
    .order = "n inverse, n^2 matrix, n^3 forward",
    .covers = FA_COVERS_PRISMATIC,
    .work_size = fa_walker_orin_work_size,
    .forward = fa_walker_orin_forward,
    .inverse = fa_walker_orin_inverse,
    .mass_matrix = fa_walker_orin_mass_matrix,
};

static const fa_method walker_orin_1 = {
    .name = "walker-orin-1",
    .page = "walker-orin",
    .paper = "Swartz 1982, (1) to (15); Walker and Orin 1982, method 1",
    .order = "n^2 matrix, n^3 forward",
    .covers = FA_COVERS_PRISMATIC,
    .work_size = fa_walker_orin_work_size,
    .forward = fa_walker_orin_1_forward,
    .mass_matrix = fa_walker_orin_1_mass_matrix,
};

static const fa_method closed_form = {
    .name = "closed-form",
    .page = "closed-form",
    .paper = "Grigorov 2013, (5) to (13)",
    .order = "n^3",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_closed_form_work_size,
    .forward = fa_closed_form_forward,
    .inverse = fa_closed_form_inverse,
    .mass_matrix = fa_closed_form_mass_matrix,
    .inverse_one = fa_closed_form_inverse_one,
};

static const fa_method natural_complement = {
    .name = "natural-complement",
    .page = "natural-complement",
    .paper = "Angeles and Ma 1988; Angeles, Ma and Rojas 1989",
    .order = "n inverse, n^3",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_natural_complement_work_size,
    .forward = fa_natural_complement_forward,
    .inverse = fa_natural_complement_inverse,
    .mass_matrix = fa_natural_complement_mass_matrix,
};

static const fa_method decoupled_complement = {
    .name = "decoupled-complement",
    .page = "natural-complement",
    .paper = "Saha 1997",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_decoupled_complement_work_size,
    .forward = fa_decoupled_complement_forward,
};

static const fa_method lagrange = {
    .name = "lagrange",
    .page = "lagrange",
    .paper = "Silver 1981, (3.1) to (3.16)",
    .order = "n^2 inverse, n^3",
    .covers = FA_COVERS_ANY_TREE | FA_COVERS_HELD | FA_COVERS_MOVING_BASE | FA_COVERS_SCREW,
    .work_size = fa_lagrange_work_size,
    .forward = fa_lagrange_forward,
    .inverse = fa_lagrange_inverse,
    .mass_matrix = fa_lagrange_mass_matrix,
};

static const fa_method uicker_kahn = {
    .name = "uicker-kahn",
    .page = "uicker-kahn",
    .paper = "Uicker 1965, Kahn 1969; Silver 1981, (1.2)",
    .order = "n^4",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_uicker_kahn_work_size,
    .forward = fa_uicker_kahn_forward,
    .inverse = fa_uicker_kahn_inverse,
    .mass_matrix = fa_uicker_kahn_mass_matrix,
};

static const fa_method hollerbach_4x4 = {
    .name = "hollerbach-4x4",
    .page = "hollerbach",
    .paper = "Hollerbach 1980",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_hollerbach_work_size,
    .inverse = fa_hollerbach_4x4_inverse,
};

static const fa_method hollerbach_3x3 = {
    .name = "hollerbach-3x3",
    .page = "hollerbach",
    .paper = "Hollerbach 1980",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_hollerbach_work_size,
    .inverse = fa_hollerbach_3x3_inverse,
};

static const fa_method fast_composite = {
    .name = "fast-composite",
    .page = "fast",
    .paper = "composite-body in a fixed frame, four bodies at once; up to 16 joints",
    .order = "n^3",
    .covers = FA_COVERS_PRISMATIC,
    .work_size = fa_fast_work_size,
    .prepare = fa_fast_prepare_work,
    .prepared = fa_fast_composite_prepared,
};

static const fa_method fast_articulated = {
    .name = "fast-articulated",
    .page = "fast",
    .paper = "articulated-body in a fixed frame, four bodies at once",
    .order = "n",
    .covers = FA_COVERS_PRISMATIC | FA_COVERS_BRANCHED,
    .work_size = fa_fast_work_size,
    .prepare = fa_fast_prepare_work,
    .prepared = fa_fast_articulated_prepared,
};

const fa_method *const fa_methods[] = {
    &fa_articulated_body_method,
    &fa_composite_body_method,
    &fa_newton_euler_method,
    &fa_cluster_elimination_method,
    &gibbs_appell,
    &gibbs_hessian,
    &walker_orin,
    &walker_orin_1,
    &closed_form,
    &natural_complement,
    &decoupled_complement,
    &lagrange,
    &uicker_kahn,
    &hollerbach_4x4,
    &hollerbach_3x3,
    &fast_composite,
    &fast_articulated,
};

const int fa_method_count = sizeof fa_methods / sizeof *fa_methods;

const fa_method *fa_method_find(const char *name)
{
    for (int i = 0; i < fa_method_count; i++)
        if (strcmp(fa_methods[i]->name, name) == 0) return fa_methods[i];
    return NULL;
}

bool fa_method_fits(const fa_method *method, const fa_chain *chain)
{
    unsigned needed = 0;
    if (chain->branched) needed |= FA_COVERS_BRANCHED;
    if (chain->coupled && !chain->loops) needed |= FA_COVERS_COUPLED;
    if (chain->loops) needed |= FA_COVERS_LOOPS;
    if (chain->held) needed |= FA_COVERS_HELD;
    if (chain->base_moves) needed |= FA_COVERS_MOVING_BASE;
    if (chain->screws) needed |= FA_COVERS_SCREW;
    for (int i = 0; i < chain->n; i++)
        if (fa_joint_slides(chain->body[i].joint)) needed |= FA_COVERS_PRISMATIC;
    return (needed & ~method->covers) == 0;
}

size_t fa_methods_work_size(const fa_chain *chain)
{
    size_t largest = 0;
    for (int i = 0; i < fa_method_count; i++) {
        size_t size = fa_methods[i]->work_size(chain);
        if (size > largest) largest = size;
    }
    return largest;
}
