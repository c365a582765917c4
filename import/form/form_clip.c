// Principal moments below zero become zero.
#include "form_clip.h"

#include "number.h"

static fa_sym3 sum(fa_sym3 a, double factor, fa_sym3 b)
{
    return sym3_add(a, sym3_scale(factor, b));
}

// (I - a)(I - b): these commute, so the product is symmetric.
static fa_sym3 product(fa_sym3 I, double a, double b)
{
    const fa_sym3 one = {.xx = 1, .yy = 1, .zz = 1};
    const fa_sym3 square = {.xx = I.xx * I.xx + I.xy * I.xy + I.xz * I.xz,
                            .yy = I.xy * I.xy + I.yy * I.yy + I.yz * I.yz,
                            .zz = I.xz * I.xz + I.yz * I.yz + I.zz * I.zz,
                            .xy = I.xx * I.xy + I.xy * I.yy + I.xz * I.yz,
                            .xz = I.xx * I.xz + I.xy * I.yz + I.xz * I.zz,
                            .yz = I.xy * I.xz + I.yy * I.yz + I.yz * I.zz};
    return sum(sum(square, -(a + b), I), a * b, one);
}

// With moments x <= y <= z, the part of one of them is (I - the two others) over the differences.
static fa_sym3 without_negative(fa_sym3 I, fa_vec3 moment)
{
    const double  x = moment.x, y = moment.y, z = moment.z;
    const fa_sym3 none = {.xx = 0};
    if (!(z > 0)) return none;
    if (y < 0) return sum(none, z / ((z - x) * (z - y)), product(I, x, y));
    return sum(I, -x / ((x - y) * (x - z)), product(I, y, z));
}

void fa_form_clip(fa_form *form, const fa_log *log)
{
    for (int i = 0; i < form->n_links; i++) {
        fa_form_link    *link = &form->link[i];
        const fa_form_at at = link->inertial_at.file ? link->inertial_at : link->at;
        const fa_vec3    moment = fa_sym3_eigenvalues(link->inertia);
        if (!(moment.x < 0)) continue;
        link->inertia = without_negative(link->inertia, moment);
        fa_warn(log, at.file ? at.file : form->source, at.place,
                "the inertia of link '%s' has a principal moment of %s kg m^2, which is taken as 0",
                link->name, fa_number_text(moment.x).text);
    }
}
