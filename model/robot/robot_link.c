// Validates masses and inertia tensors.
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

static double rounding_of(const fa_link *link, double largest)
{
    return INERTIA_TOLERANCE * fabs(largest) + link->mass * INERTIA_LENGTH * INERTIA_LENGTH;
}

bool fa_link_is_of_a_body(const fa_link *link)
{
    const fa_vec3 moment = fa_sym3_eigenvalues(link->inertia);
    return moment.x + moment.y >= moment.z - rounding_of(link, moment.z);
}

double fa_link_largest_moment(const fa_link *link)
{
    return fa_sym3_eigenvalues(link->inertia).z;
}

fa_status fa_link_check(const fa_link *link, double together, const char *source, const fa_log *log,
                        fa_error *error)
{
    if (!isfinite(link->relief))
        return FAIL("the gravity factor of link '%s' is not finite", link->name);
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
    const double below = -rounding_of(link, moment.z);
    // Files print too few decimals to tell small moments from zero, and CAD programs give antennas
    // and covers made-up tensors (-3.5e-8 of 9.1e-8 kg m^2 in Tiago, on a base of 1 kg m^2). What
    // moves as one body with something large may be off by rounding of the large.
    if (!(moment.x >= below - INERTIA_TOLERANCE * together))
        return FAIL("the inertia of link '%s' is not positive semi-definite: its principal moments "
                    "are %s, %s and %s kg m^2; check the signs of ixx … izz",
                    link->name, fa_number_text(moment.x).text, fa_number_text(moment.y).text,
                    fa_number_text(moment.z).text);
    if (moment.x < below)
        fa_remark(
            log, source, link->place,
            "no body has the inertia of link '%s': of its principal moments %s, %s and %s "
            "kg m^2 the first is below zero, by less than a millionth of what is bolted to it; it "
            "is used as it is",
            link->name, fa_number_text(moment.x).text, fa_number_text(moment.y).text,
            fa_number_text(moment.z).text);
    else if (!fa_link_is_of_a_body(link) && !link->as_published)
        fa_remark(log, source, link->place,
                  "no body has the inertia of link '%s': of its principal moments %s, %s and %s "
                  "kg m^2 the largest exceeds the sum of the others; it is used as it is",
                  link->name, fa_number_text(moment.x).text, fa_number_text(moment.y).text,
                  fa_number_text(moment.z).text);
    return FA_OK;
}
