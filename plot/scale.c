// Axis range, tick positions and tick labels.
#include "scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

#define MOST_DIGITS 5     // of a number beside an axis, before an offset is taken off all of them
#define ROUNDING    64    // of DBL_EPSILON: what differs by less is constant
#define SMALL       1e-2  // below this, and
#define LARGE       1e4   // from this on, numbers get a prefix or a power of ten
#define TINY        1e-30 // below this, every number is zero

// A step of 1, 2 or 5 times a power of ten, next to the wanted one in ratio.
static double round_step(double wanted)
{
    static const double steps[] = {1, 2, 5, 10};
    double              power = pow(10, floor(log10(wanted))), best = power;
    for (int i = 0; i < 4; i++)
        if (fabs(log(steps[i] * power / wanted)) < fabs(log(best / wanted)))
            best = steps[i] * power;
    return best;
}

// ------------------------------------------------------------------------------------------- unit

// FMI's "kg.m2/s2" as people write it.
static void put_unit(char *out, size_t size, const char *unit)
{
    size_t length = strlen(out);
    if (strcmp(unit, "Ohm") == 0) unit = "\u2126"; // the sign, not the letter
    for (; *unit && length + 4 < size; unit++) {
        const char *part = *unit == '.'   ? "\u00b7"
                           : *unit == '2' ? "\u00b2"
                           : *unit == '3' ? "\u00b3"
                                          : NULL;
        if (part)
            length += (size_t)snprintf(out + length, size - length, "%s", part);
        else
            out[length++] = *unit;
    }
    out[length] = 0;
}

static void put_power(char *out, size_t size, int power)
{
    static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char                     digits[16];
    size_t                   length = strlen(out);
    snprintf(digits, sizeof digits, "%d", power);
    length += (size_t)snprintf(out + length, size - length, "\u00d710");
    for (const char *d = digits; *d && length + 4 < size; d++)
        length += (size_t)snprintf(out + length, size - length, "%s",
                                   *d == '-' ? "\u207b" : raised[*d - '0']);
}

// Returns true if the unit takes a prefix: not a square metre, a kilogram, or "per second"; nor
// kiloseconds.
static bool takes_prefix(const char *unit, int power)
{
    static const char *const first[] = {"m", "rad", "N", "J",  "W",  "Pa",
                                        "V", "A",   "H", "Hz", "Ohm"};
    if (strcmp(unit, "s") == 0) return power < 0;
    size_t length = strcspn(unit, "./");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (length == strlen(first[i]) && strncmp(unit, first[i], length) == 0) return true;
    return false;
}

static void choose_power(fa_scale *scale, double largest, const char *unit)
{
    static const char *const prefixes[] = {"f", "p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
    if (largest < TINY) return;
    if ((largest < SMALL && strcmp(unit, "") != 0) || largest < SMALL / 10 || largest >= LARGE) {
        int power = 3 * (int)floor(log10(largest) / 3 + 1e-9);
        if (takes_prefix(unit, power) && power >= -15 && power <= 12) {
            snprintf(scale->unit + strlen(scale->unit), 4, "%s", prefixes[power / 3 + 5]);
            scale->power = power;
        } else if (strcmp(unit, "s") != 0) {
            scale->power = (int)floor(log10(largest) + 1e-9);
            put_power(scale->unit, sizeof scale->unit, scale->power);
            if (*unit) strcat(scale->unit, " ");
        }
    }
}

// ------------------------------------------------------------------------------------------ range

fa_scale fa_scale_fit(double low, double high, double margin, int about, const char *unit)
{
    fa_scale scale = {.power = 0};
    double   size = fmax(fabs(low), fabs(high));
    if (high - low <= ROUNDING * DBL_EPSILON * size || size < TINY) {
        double around = size < TINY ? 1 : 0.5 * size; // a constant is in the middle
        double middle = size < TINY ? 0 : 0.5 * low + 0.5 * high;
        low = middle - around;
        high = middle + around;
    } else {
        double more = margin * (high - low);
        if (margin > 0 && low > 0 && low < 0.35 * high) low = 0;
        if (margin > 0 && high < 0 && high > 0.35 * low) high = 0;
        low -= low == 0 ? 0.4 * more : more;
        high += high == 0 ? 0.4 * more : more;
    }
    scale.low = low;
    scale.high = high;
    scale.step = round_step((high - low) / about);
    while ((high - low) / scale.step > FA_TICKS - 2) scale.step *= 10;
    double from = ceil(low / scale.step - 1e-9), to = floor(high / scale.step + 1e-9);
    scale.first = from * scale.step;
    scale.n = (int)(to - from) + 1;

    // Numbers that agree in their first digits are written without these.
    size = fmax(fabs(scale.first), fabs(scale.first + (scale.n - 1) * scale.step));
    if (size / scale.step >= pow(10, MOST_DIGITS)) {
        double digit = ceil(log10(high - low)); // the offset's last one; powers above 1 are exact
        double middle = 0.5 * low + 0.5 * high, power = pow(10, fabs(digit));
        scale.offset = digit < 0 ? round(middle * power) / power : round(middle / power) * power;
        snprintf(scale.unit, sizeof scale.unit, "%s %s ", scale.offset < 0 ? "\u2212" : "+",
                 fa_number_text(fabs(scale.offset)).text);
        double before = fabs(scale.first - scale.offset);
        size = fmax(before, fabs(scale.first - scale.offset + (scale.n - 1) * scale.step));
        put_unit(scale.unit, sizeof scale.unit, unit);
        if (*unit) strcat(scale.unit, ", ");
    }
    choose_power(&scale, size, unit);
    put_unit(scale.unit, sizeof scale.unit, unit);
    scale.decimals = (int)fmax(0, ceil(scale.power - log10(scale.step) - 1e-9));
    return scale;
}

double fa_scale_tick(const fa_scale *scale, int i)
{
    return scale->first + i * scale->step;
}

void fa_scale_label(const fa_scale *scale, int i, char text[FA_TICK_SIZE])
{
    double unit = pow(10, scale->decimals - scale->power);
    double counted = (fa_scale_tick(scale, i) - scale->offset) * unit;
    if (!(fabs(counted) < 1e18)) { // more digits than a long long holds
        snprintf(text, FA_TICK_SIZE, "%.4g", fa_scale_tick(scale, i) - scale->offset);
        return;
    }
    long long whole = llround(counted);
    if (whole == 0) {
        strcpy(text, "0");
        return;
    }
    char   digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%0*lld", scale->decimals + 1,
                                     whole < 0 ? -whole : whole);
    size_t before = length - (size_t)scale->decimals;
    snprintf(text, FA_TICK_SIZE, "%s%.*s%s%s", whole < 0 ? "\u2212" : "", (int)before, digits,
             scale->decimals > 0 ? "." : "", digits + before);
}
