// The table of the snake's methods, the rules on snakes, and the choice of the base link.
#include "snake_methods.h"

#include <math.h>
#include <string.h>

#include "number.h"

const fa_snake_method fa_snake_methods[] = {
    {.name = "kane",
     .page = "snake",
     .paper = "Tavakoli Nia 2005, eqs. (1) to (14), bias by recursion",
     .order = "n",
     .any_base = true,
     .work_size = fa_snake_kane_work_size,
     .forward = fa_snake_kane},
    {.name = "kane-paper",
     .page = "snake",
     .paper = "Tavakoli Nia 2005, eqs. (1) to (21)",
     .order = "n^2",
     .any_base = false,
     .work_size = fa_snake_kane_paper_work_size,
     .forward = fa_snake_kane_paper},
    {.name = "lagrange",
     .page = "snake",
     .paper = "Tavakoli Nia 2005, eqs. (22) to (27)",
     .order = "n^3",
     .any_base = true,
     .work_size = fa_snake_lagrange_work_size,
     .forward = fa_snake_lagrange},
    {.name = "newton-euler",
     .page = "snake",
     .paper = "Walker and Orin 1982, method 1; Tavakoli Nia 2005, section V",
     .order = "n^3",
     .any_base = true,
     .work_size = fa_snake_newton_euler_work_size,
     .forward = fa_snake_newton_euler},
};

const int fa_snake_method_count = sizeof fa_snake_methods / sizeof *fa_snake_methods;

const fa_snake_method *fa_snake_method_find(const char *name)
{
    for (int i = 0; i < fa_snake_method_count; i++)
        if (strcmp(fa_snake_methods[i].name, name) == 0) return &fa_snake_methods[i];
    return NULL;
}

size_t fa_snake_methods_work_size(int n_links)
{
    size_t largest = 0;
    for (int i = 0; i < fa_snake_method_count; i++) {
        const size_t size = fa_snake_methods[i].work_size(n_links);
        if (size > largest) largest = size;
    }
    return largest;
}

// Height of link k: logarithm of the growth of rounding along a straight snake. Each joint
// multiplies the rates by b / a. An error that arises at one link is multiplied by the product of
// the joints up to another one. From the highest link all paths begin downhill, so that an error
// grows only behind a minimum.
static double step_up(const fa_snake *snake, int k)
{
    return fabs(snake->link[k].b / snake->link[k + 1].a);
}

int fa_snake_best_base(const fa_snake *snake)
{
    int    best = 0;
    double height = 0, highest = 0; // sums logarithms: the product may overflow
    for (int k = 0; k < snake->n - 1; k++) {
        height += log10(step_up(snake, k));
        if (height > highest) {
            highest = height;
            best = k + 1;
        }
    }
    return best;
}

double fa_snake_growth(const fa_snake *snake, int base)
{
    double worst = 1;
    double climb = 1; // steepest climb that ends at this link, on this side of the base
    for (int k = base; k < snake->n - 1; k++) {
        climb = fmax(1, climb * step_up(snake, k));
        worst = fmax(worst, climb);
    }
    climb = 1;
    for (int k = base - 1; k >= 0; k--) {
        climb = fmax(1, climb / step_up(snake, k));
        worst = fmax(worst, climb);
    }
    return worst;
}

// Returns the power of ten nearest to a growth, for messages.
static int decades(double growth)
{
    return (int)fmin(round(log10(growth)), 999);
}

static fa_status check_number(double value, int link, const char *what, fa_error *error)
{
    if (isfinite(value)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the %s of link %d is %s; give a finite number", what, link + 1,
                   fa_number_text(value).text);
}

static fa_status check_positive(double value, int link, const char *what, const char *unit,
                                fa_error *error)
{
    if (value > 0 && isfinite(value)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the %s of link %d is %s; every link of a snake needs a positive one, in %s",
                   what, link + 1, fa_number_text(value).text, unit);
}

static fa_status check_not_negative(double value, const char *kind, int index, const char *what,
                                    fa_error *error)
{
    if (value >= 0 && isfinite(value)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the %s of %s %d is %s; give zero or a positive number", what, kind, index + 1,
                   fa_number_text(value).text);
}

static fa_status check_link(const fa_snake *snake, int k, fa_error *error)
{
    const fa_snake_link *link = &snake->link[k];
    fa_status            status;
    if ((status = check_number(link->a, k, "wheel position", error)) != FA_OK ||
        (status = check_number(link->b, k, "distance from wheel to front joint", error)) != FA_OK ||
        (status = check_number(link->c, k, "centre of mass along the link", error)) != FA_OK ||
        (status = check_number(link->d, k, "centre of mass across the link", error)) != FA_OK ||
        (status = check_positive(link->a + link->b, k, "length", "m", error)) != FA_OK ||
        (status = check_positive(link->m, k, "mass", "kg", error)) != FA_OK ||
        (status = check_positive(link->I, k, "moment of inertia", "kg m^2", error)) != FA_OK ||
        (status = check_not_negative(link->rolling_viscous, "link", k, "viscous rolling friction",
                                     error)) != FA_OK ||
        (status = check_not_negative(link->rolling_coulomb, "link", k, "Coulomb rolling friction",
                                     error)) != FA_OK)
        return status;

    if (k > 0 && link->a == 0)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the wheel of link %d sits on the joint to link %d, so that it cannot "
                       "steer its link and the snake has another number of degrees of freedom; "
                       "move the wheel away from the joint",
                       k + 1, k);
    if (link->rolling_coulomb > 0 && !(snake->rolling_width > 0))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "link %d has Coulomb rolling friction but the speed over which it turns "
                       "round is %s; give a positive one, in m/s",
                       k + 1, fa_number_text(snake->rolling_width).text);
    return FA_OK;
}

static fa_status check_joint(const fa_snake_joint *joint, int k, fa_error *error)
{
    fa_status status;
    if ((status = check_not_negative(joint->rotor, "joint", k, "rotor inertia", error)) != FA_OK ||
        (status = check_not_negative(joint->viscous, "joint", k, "viscous friction", error)) !=
            FA_OK ||
        (status = check_not_negative(joint->stiffness, "joint", k, "stiffness", error)) != FA_OK)
        return status;
    if (isfinite(joint->rest)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the rest angle of joint %d is %s; give a finite number", k + 1,
                   fa_number_text(joint->rest).text);
}

fa_status fa_snake_check(const fa_snake *snake, fa_error *error)
{
    int link, joint;
    return fa_snake_check_parts(snake, &link, &joint, error);
}

fa_status fa_snake_check_parts(const fa_snake *snake, int *link, int *joint, fa_error *error)
{
    *link = *joint = FA_SNAKE_WHOLE;
    if (snake->n < 2)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "a snake of %d links has no joint to move; give it two links or more",
                       snake->n);
    if (snake->base < 0 || snake->base >= snake->n)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "link %ld cannot carry the snake's speed, because its links are 1 to %d; "
                       "choose one of these",
                       snake->base + 1L, snake->n);

    fa_status status;
    for (int k = 0; k < snake->n; k++)
        if ((status = check_link(snake, *link = k, error)) != FA_OK) return status;
    *link = FA_SNAKE_WHOLE;
    for (int k = 0; k < snake->n - 1; k++)
        if ((status = check_joint(&snake->joint[k], *joint = k, error)) != FA_OK) return status;
    *joint = FA_SNAKE_WHOLE;

    const double growth = fa_snake_growth(snake, snake->base);
    if (growth <= FA_SNAKE_GROWTH_MAX) return FA_OK;
    const int    best = fa_snake_best_base(snake);
    const double least = fa_snake_growth(snake, best);
    if (least <= FA_SNAKE_GROWTH_MAX)
        return fa_fail(
            error, FA_BAD_INPUT, NULL, FA_NOWHERE,
            "the wheels sit so that a rounding error in the speed of link %d grows "
            "10^%d-fold along the snake; describe the snake's motion by link %d (base=\"%d\")",
            snake->base + 1, decades(growth), best + 1, best + 1);
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the wheels sit so that a rounding error in the speed of any link grows "
                   "10^%d-fold or more along the snake; move the wheels towards the middles of "
                   "the links",
                   decades(least));
}
