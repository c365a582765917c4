#include "robot_link.h"

#include <math.h>

#include "methods.h"
#include "number.h"

#define FAIL(...) fa_fail(error, FA_BAD_INPUT, source, link->place, __VA_ARGS__)

// Printed numbers of an inertia carry about six digits: a moment that far below zero, or beyond the
// sum of the other two, in relation to the largest one is rounding.
static const double INERTIA_TOLERANCE = 1e-6;

// Real files also have rounding where zero was meant (iCub: 1e-20 in an inertia that is 0
// otherwise). An inertia that moving the link's mass by this length could make is below what
// anybody measures.
static const double INERTIA_LENGTH = 1e-6; // [m]

fa_status fa_link_check(const fa_link *link, const char *source, const fa_log *log, fa_error *error)
{
    if (!isfinite(link->mass) || !fa_all_finite(&link->com.x, 3) ||
        !fa_all_finite(&link->inertia.xx, 6))
        return FAIL("the mass, centre of mass or inertia of link '%s' is not finite", link->name);
    if (link->mass < 0)
        return FAIL("link '%s' has the mass %s kg; a mass cannot be negative", link->name,
                    fa_number_text(link->mass).text);

    fa_vec3 moment = fa_sym3_eigenvalues(link->inertia);
    if (!isfinite(moment.x) || !isfinite(moment.z))
        return FAIL("the inertia of link '%s' is too large to be calculated with; it is in kg m^2",
                    link->name);
    double rounding =
        INERTIA_TOLERANCE * fabs(moment.z) + link->mass * INERTIA_LENGTH * INERTIA_LENGTH;
    if (!(moment.x >= -rounding))
        return FAIL("the inertia of link '%s' is not positive semi-definite: its principal moments "
                    "are %s, %s and %s kg m^2; check the signs of ixx … izz",
                    link->name, fa_number_text(moment.x).text, fa_number_text(moment.y).text,
                    fa_number_text(moment.z).text);
    if (moment.x + moment.y < moment.z - rounding)
        fa_warn(log, source, link->place,
                "no body has the inertia of link '%s': of its principal moments %s, %s and %s "
                "kg m^2 the largest exceeds the sum of the others; it is used as it is",
                link->name, fa_number_text(moment.x).text, fa_number_text(moment.y).text,
                fa_number_text(moment.z).text);
    return FA_OK;
}
