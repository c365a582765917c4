// Mass and inertia of links whose file says none, from their shapes and a material.
#ifndef FA_FORM_WEIGH_H
#define FA_FORM_WEIGH_H

#include "form.h"
#include "solid.h"
#include "xacro.h"

// Density or mass of a link from a side file; the other number is 0. Both 0: not given.
typedef struct fa_link_weight {
    fa_form_at at;
    double     density; // [kg/m^3]
    double     mass;    // [kg]
} fa_link_weight;

typedef struct fa_weights {
    double                density;    // of links of which nothing is said [kg/m^3]; 0: none
    double                total_mass; // of the whole robot, for one density of all these; 0: none
    const fa_link_weight *link;       // one for each link of the form; NULL: none
} fa_weights;

// Gives links without mass that of their shapes: of collision, or where there are none, or where
// one of them cannot be weighed, those for pictures. Shapes are full, and where they overlap, the
// material counts twice. Links without shapes keep no mass: frames are such. What the file weighs
// stays; where a side file says something of that, this fails. So it does where a link that moves
// has shapes none of which can be weighed, and says why.
fa_status fa_form_weigh(fa_form *form, const fa_weights *weights, const fa_xacro_options *xacro,
                        const fa_log *log, fa_error *error);

// A shape as a body of 1 kg/m^3, in its link's axes but for its place. Where it cannot be weighed,
// `why` says so.
fa_status fa_form_shape_solid(const fa_form *form, const fa_form_shape *shape,
                              const fa_xacro_options *xacro, const fa_log *log, fa_solid *solid,
                              char why[512]);

#endif
