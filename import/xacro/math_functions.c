// The functions and constants of Python's `math`, which expressions have by name alone, too.
#include <math.h>
#include <string.h>

#include "expansion.h"

#define PI 3.141592653589793

static double number(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_value *v)
{
    if (!fa_xacro_is_number(v))
        fa_xacro_halt(x, "%s(…) needs a number, and this is %.200s", self->name,
                      fa_xacro_literal_of(x, v));
    return fa_xacro_double(v);
}

static fa_xacro_wide integer(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_value *v)
{
    if (!fa_xacro_is_integral(v))
        fa_xacro_halt(x, "%s(…) needs an integer, and this is %.200s", self->name,
                      fa_xacro_literal_of(x, v));
    return fa_xacro_integer(v);
}

// A NaN from numbers means that an argument is outside the function's domain.
static fa_xacro_value checked(fa_xacro *x, const fa_xacro_function *self, double result, double a,
                              double b)
{
    if (isnan(result) && !isnan(a) && !isnan(b))
        fa_xacro_halt(x, "%s(…) has no value at %s", self->name, fa_xacro_float_text(x, a));
    if (isinf(result) && isfinite(a) && isfinite(b))
        fa_xacro_halt(x, "%s(…) is infinite or too large at %s", self->name,
                      fa_xacro_float_text(x, a));
    return fa_xacro_of_float(result);
}

static fa_xacro_value simple(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const double a = number(x, self, &with->of[0]);
    return checked(x, self, self->of_number(a), a, 0);
}

typedef double two_numbers(double, double);

static fa_xacro_value pair(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    static const struct {
        const char  *name;
        two_numbers *run;
    } row[] = {{"atan2", atan2}, {"copysign", copysign},   {"fmod", fmod},
               {"pow", pow},     {"remainder", remainder}, {"nextafter", nextafter}};
    const double a = number(x, self, &with->of[0]), b = number(x, self, &with->of[1]);
    size_t       i = 0;
    while (strcmp(row[i].name, self->name) != 0) i++;
    return checked(x, self, row[i].run(a, b), a, b);
}

static double to_radians(double a)
{
    return a * (PI / 180);
}
static double to_degrees(double a)
{
    return a * (180 / PI);
}

// ceil, floor, trunc: a float becomes an integer.
static fa_xacro_value rounded(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    if (fa_xacro_is_integral(&with->of[0])) return fa_xacro_of_int(fa_xacro_integer(&with->of[0]));
    const double a = number(x, self, &with->of[0]);
    if (!(fabs(a) < 1e38))
        fa_xacro_halt(x, "%s(…) of %s is no integer", self->name, fa_xacro_float_text(x, a));
    return fa_xacro_of_int((fa_xacro_wide)(self->name[0] == 'c'   ? ceil(a)
                                           : self->name[0] == 'f' ? floor(a)
                                                                  : trunc(a)));
}

static fa_xacro_value hypotenuse(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    double total = 0;
    for (int i = 0; i < with->n; i++) total = hypot(total, number(x, self, &with->of[i]));
    return fa_xacro_of_float(total);
}

static fa_xacro_value logarithm(fa_xacro *x, const fa_xacro_function *self,
                                const fa_xacro_given *with)
{
    const double a = number(x, self, &with->of[0]);
    const double base = with->n > 1 ? number(x, self, &with->of[1]) : 0;
    if (!(a > 0) && !isnan(a))
        fa_xacro_halt(x, "log(…) has no value at %s", fa_xacro_float_text(x, a));
    if (with->n == 1) return fa_xacro_of_float(log(a));
    if (!(base > 0) || base == 1)
        fa_xacro_halt(x, "log(…) has no base %s", fa_xacro_float_text(x, base));
    return fa_xacro_of_float(log(a) / log(base));
}

static fa_xacro_value asked(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const double a = number(x, self, &with->of[0]);
    return fa_xacro_of_bool(self->name[2] == 'n'   ? isnan(a)
                            : self->name[2] == 'i' ? isinf(a)
                                                   : isfinite(a));
}

static fa_xacro_value close_by(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const double a = number(x, self, &with->of[0]), b = number(x, self, &with->of[1]);
    double       relative = 1e-9, absolute = 0; // Python's own
    for (int i = 0; i < with->n_keywords; i++)
        *(with->name[i][0] == 'r' ? &relative : &absolute) = number(x, self, &with->keyword[i]);
    const double most = fmax(relative * fmax(fabs(a), fabs(b)), absolute);
    return fa_xacro_of_bool(a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= most));
}

static fa_xacro_wide common_divisor(fa_xacro_wide a, fa_xacro_wide b)
{
    while (b != 0) {
        const fa_xacro_wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static fa_xacro_wide product(fa_xacro *x, fa_xacro_wide a, fa_xacro_wide b)
{
    const fa_xacro_value p = fa_xacro_of_int(a), q = fa_xacro_of_int(b);
    return fa_xacro_binary(x, FA_OP_MULTIPLY, &p, &q).is.integer;
}

static fa_xacro_value divisor(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    fa_xacro_wide result = self->name[0] == 'l';
    for (int i = 0; i < with->n; i++) {
        const fa_xacro_wide n = integer(x, self, &with->of[i]), common = common_divisor(result, n);
        result = self->name[0] == 'g' ? common
                 : common             ? product(x, result / common, n < 0 ? -n : n)
                                      : 0;
    }
    return fa_xacro_of_int(result);
}

static fa_xacro_value counted(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    const fa_xacro_wide n = integer(x, self, &with->of[0]);
    const fa_xacro_wide k = with->n > 1 ? integer(x, self, &with->of[1]) : n;
    fa_xacro_wide       result = 1;
    if (n < 0 || k < 0) fa_xacro_halt(x, "%s(…) needs integers that are not negative", self->name);
    if (k > n) return fa_xacro_of_int(0);
    for (fa_xacro_wide i = 0; i < k && result > 0; i++) {
        result = product(x, result, n - i);
        if (self->name[0] == 'c') result /= i + 1;
    }
    return fa_xacro_of_int(result);
}

static fa_xacro_value whole_root(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    const fa_xacro_wide n = integer(x, self, &with->of[0]);
    if (n < 0) fa_xacro_halt(x, "isqrt(…) needs an integer that is not negative");
    fa_xacro_wide root = (fa_xacro_wide)sqrt((double)n);
    while (root > 0 && root > n / root) root--;
    while ((root + 1) <= n / (root + 1)) root++;
    return fa_xacro_of_int(root);
}

static fa_xacro_value summed(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const fa_xacro_value list = fa_xacro_elements_of(x, &with->of[0]);
    double               total = 0, rest = 0; // Neumaier's summation
    for (int i = 0; i < list.is.list->n; i++) {
        const double a = number(x, self, &list.is.list->of[i]), next = total + a;
        rest += fabs(total) >= fabs(a) ? total - next + a : a - next + total;
        total = next;
    }
    return fa_xacro_of_float(isfinite(rest) ? total + rest : total);
}

static fa_xacro_value multiplied(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    const fa_xacro_value list = fa_xacro_elements_of(x, &with->of[0]);
    fa_xacro_value       result = fa_xacro_of_int(1);
    (void)self;
    for (int i = 0; i < list.is.list->n; i++)
        result = fa_xacro_binary(x, FA_OP_MULTIPLY, &result, &list.is.list->of[i]);
    return result;
}

static fa_xacro_value distance(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const fa_xacro_value p = fa_xacro_elements_of(x, &with->of[0]),
                         q = fa_xacro_elements_of(x, &with->of[1]);
    double total = 0;
    if (p.is.list->n != q.is.list->n) fa_xacro_halt(x, "dist(…) needs two points of one dimension");
    for (int i = 0; i < p.is.list->n; i++)
        total =
            hypot(total, number(x, self, &p.is.list->of[i]) - number(x, self, &q.is.list->of[i]));
    return fa_xacro_of_float(total);
}

static fa_xacro_value parts(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const double   a = number(x, self, &with->of[0]);
    fa_xacro_value both = fa_xacro_list_new(x, FA_VALUE_TUPLE, 2);
    int            exponent = 0;
    double         whole = 0, part = self->name[0] == 'm' ? modf(a, &whole) : frexp(a, &exponent);
    both.is.list->of[0] = fa_xacro_of_float(part);
    both.is.list->of[1] =
        self->name[0] == 'm' ? fa_xacro_of_float(whole) : fa_xacro_of_int(exponent);
    return both;
}

static fa_xacro_value scaled(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const double        a = number(x, self, &with->of[0]);
    const fa_xacro_wide n = integer(x, self, &with->of[1]);
    return checked(x, self, ldexp(a, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n), a, 0);
}

#define SIMPLE(name, function)                                                                     \
    {                                                                                              \
#name, FA_IN_MATH | FA_BARE, 1, 1, simple, function                                        \
    }
#define OTHER(name, least, most, run)                                                              \
    {                                                                                              \
#name, FA_IN_MATH | FA_BARE, least, most, run, NULL                                        \
    }
enum { ANY = 1000 };

const fa_xacro_function fa_xacro_math_functions[] = {SIMPLE(acos, acos),
                                                     SIMPLE(acosh, acosh),
                                                     SIMPLE(asin, asin),
                                                     SIMPLE(asinh, asinh),
                                                     SIMPLE(atan, atan),
                                                     SIMPLE(atanh, atanh),
                                                     SIMPLE(cbrt, cbrt),
                                                     SIMPLE(cos, cos),
                                                     SIMPLE(cosh, cosh),
                                                     SIMPLE(degrees, to_degrees),
                                                     SIMPLE(erf, erf),
                                                     SIMPLE(erfc, erfc),
                                                     SIMPLE(exp, exp),
                                                     SIMPLE(exp2, exp2),
                                                     SIMPLE(expm1, expm1),
                                                     SIMPLE(fabs, fabs),
                                                     SIMPLE(gamma, tgamma),
                                                     SIMPLE(lgamma, lgamma),
                                                     SIMPLE(log10, log10),
                                                     SIMPLE(log1p, log1p),
                                                     SIMPLE(log2, log2),
                                                     SIMPLE(radians, to_radians),
                                                     SIMPLE(sin, sin),
                                                     SIMPLE(sinh, sinh),
                                                     SIMPLE(sqrt, sqrt),
                                                     SIMPLE(tan, tan),
                                                     SIMPLE(tanh, tanh),
                                                     OTHER(atan2, 2, 2, pair),
                                                     OTHER(copysign, 2, 2, pair),
                                                     OTHER(fmod, 2, 2, pair),
                                                     OTHER(pow, 2, 2, pair),
                                                     OTHER(remainder, 2, 2, pair),
                                                     OTHER(nextafter, 2, 2, pair),
                                                     OTHER(ceil, 1, 1, rounded),
                                                     OTHER(floor, 1, 1, rounded),
                                                     OTHER(trunc, 1, 1, rounded),
                                                     OTHER(hypot, 0, ANY, hypotenuse),
                                                     OTHER(log, 1, 2, logarithm),
                                                     OTHER(isnan, 1, 1, asked),
                                                     OTHER(isinf, 1, 1, asked),
                                                     OTHER(isfinite, 1, 1, asked),
                                                     OTHER(isclose, 2, 2, close_by),
                                                     OTHER(gcd, 0, ANY, divisor),
                                                     OTHER(lcm, 0, ANY, divisor),
                                                     OTHER(factorial, 1, 1, counted),
                                                     OTHER(comb, 2, 2, counted),
                                                     OTHER(perm, 1, 2, counted),
                                                     OTHER(isqrt, 1, 1, whole_root),
                                                     OTHER(fsum, 1, 1, summed),
                                                     OTHER(prod, 1, 1, multiplied),
                                                     OTHER(dist, 2, 2, distance),
                                                     OTHER(modf, 1, 1, parts),
                                                     OTHER(frexp, 1, 1, parts),
                                                     OTHER(ldexp, 2, 2, scaled),
                                                     {NULL, 0, 0, 0, NULL, NULL}};
