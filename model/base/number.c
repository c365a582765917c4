// Conversion between doubles and text with integers of any length: exact, so that every result is
// the correctly rounded one, after Steele and White, "How to Print Floating-Point Numbers
// Accurately" (PLDI 1990), and Clinger, "How to Read Floating Point Numbers Accurately" (same).
// Numbers that fit take a short way first (marked so); it gives the same result.
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// ------------------------------------------------------------------------ integers of any length

// 800 digits, or 2^1100 times a double's digits, fit: 800 log2(10) + 1100 < 120 * 32.
enum { LIMBS = 120 };

typedef struct big {
    uint32_t limb[LIMBS]; // least significant first
    int      n;           // limbs in use; the last one is not zero
} big;

static void big_set(big *b, uint64_t value)
{
    b->n = 0;
    for (; value; value >>= 32) b->limb[b->n++] = (uint32_t)value;
}

// b = b * factor + summand
static void big_mul_add(big *b, uint32_t factor, uint32_t summand)
{
    uint64_t carry = summand;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) b->limb[b->n++] = (uint32_t)carry;
}

static void big_shift_left(big *b, int bits)
{
    if (b->n == 0) return;
    int limbs = bits / 32, rest = bits % 32;
    if (limbs) {
        memmove(b->limb + limbs, b->limb, (size_t)b->n * sizeof *b->limb);
        memset(b->limb, 0, (size_t)limbs * sizeof *b->limb);
        b->n += limbs;
    }
    if (rest) big_mul_add(b, (uint32_t)1 << rest, 0);
}

static void big_mul_pow10(big *b, int exponent)
{
    for (; exponent >= 9; exponent -= 9) big_mul_add(b, 1000000000u, 0);
    for (; exponent > 0; exponent--) big_mul_add(b, 10, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void big_add(big *a, const big *b)
{
    uint64_t carry = 0;
    int      n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)(i < a->n ? a->limb[i] : 0) + (i < b->n ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    a->n = n;
    if (carry) a->limb[a->n++] = (uint32_t)carry;
}

// a = a - b for a >= b
static void big_sub(big *a, const big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->n ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 32; // 0 or -1
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0) a->n--;
}

static int big_bits(const big *b)
{
    if (b->n == 0) return 0;
    int bits = 32 * (b->n - 1);
    for (uint32_t top = b->limb[b->n - 1]; top; top >>= 1) bits++;
    return bits;
}

// ------------------------------------------------------------------------------------- doubles

enum { MANTISSA_BITS = 53, LEAST_EXPONENT = -1074, GREATEST_EXPONENT = 971 };

// value = mantissa 2^exponent, for finite values >= 0, with LEAST_EXPONENT <= exponent.
static uint64_t double_split(double value, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int      biased = (int)(bits >> 52 & 0x7FF);
    uint64_t mantissa = bits & 0xFFFFFFFFFFFFFu;
    if (biased) mantissa |= (uint64_t)1 << 52;
    *exponent = (biased ? biased : 1) - 1075;
    return mantissa;
}

// mantissa 2^exponent, which must be representable, or too large.
static double double_join(uint64_t mantissa, int exponent)
{
    if (mantissa >> MANTISSA_BITS) { // rounding up has carried: 2^53
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > GREATEST_EXPONENT) return INFINITY;
    bool     normal = mantissa >> (MANTISSA_BITS - 1) != 0;
    uint64_t bits = (mantissa & 0xFFFFFFFFFFFFFu) | (uint64_t)(normal ? exponent + 1075 : 0) << 52;
    double   value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The double nearest to numerator / denominator, halves to even. Both are destroyed.
static double nearest_ratio(big *numerator, big *denominator)
{
    // Scale so that the quotient has 53 bits, or fewer where the double is denormal, and divide bit
    // by bit: the quotient is short, whatever the length of the numbers.
    int exponent = big_bits(numerator) - big_bits(denominator) - MANTISSA_BITS;
    if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT;
    if (exponent > GREATEST_EXPONENT) return INFINITY;
    if (exponent > 0)
        big_shift_left(denominator, exponent);
    else
        big_shift_left(numerator, -exponent);

    big_shift_left(denominator, MANTISSA_BITS);
    uint64_t quotient = 0;
    for (int bit = MANTISSA_BITS; bit >= 0; bit--) { // quotient < 2^54
        quotient <<= 1;
        if (big_compare(numerator, denominator) >= 0) {
            big_sub(numerator, denominator);
            quotient |= 1;
        }
        if (bit > 0) big_shift_left(numerator, 1);
    }
    // The denominator is now 2^53 of its own, as is the numerator: the remainder compares with half
    // of it directly. A quotient of 54 bits loses its last bit to the rounding.
    big_shift_left(numerator, 1);
    int  half = big_compare(numerator, denominator);
    bool rest = numerator->n > 0;
    if (quotient >> MANTISSA_BITS) {
        bool last = quotient & 1;
        quotient >>= 1;
        exponent++;
        if (last && (rest || (quotient & 1))) quotient++;
    } else if (half > 0 || (half == 0 && (quotient & 1))) {
        quotient++;
    }
    return double_join(quotient, exponent);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// An exponent behind its letter; gives the bytes consumed, 0 if there is none.
static size_t read_exponent(const char *text, size_t size, int *exponent)
{
    size_t i = 0;
    bool   negative = false;
    if (i < size && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';
    if (i == size || !is_digit(text[i])) return 0;
    int value = 0;
    for (; i < size && is_digit(text[i]); i++)
        if (value < 100000) value = 10 * value + (text[i] - '0'); // beyond any double already
    *exponent = negative ? -value : value;
    return i;
}

size_t fa_number_read(const char *text, size_t size, double *value)
{
    // A double, and the middle between two of them, has at most 767 significant digits: of what
    // comes after 780, only whether it is zero can matter.
    enum { DIGITS_KEPT = 780 };
    size_t i = 0;
    bool   negative = false;
    if (i < size && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';

    big      digits = {.n = 0};
    uint64_t small = 0; // the same number while it has at most 19 digits
    int      kept = 0, exponent = 0;
    bool     any = false, point = false;
    for (; i < size && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        any = true;
        uint32_t digit = (uint32_t)(text[i] - '0');
        if (kept == 0 && digit == 0) { // leading zero
            exponent -= point;
        } else if (kept < DIGITS_KEPT) {
            if (kept < 19) small = 10 * small + digit;
            if (kept == 18) big_set(&digits, small);
            if (kept > 18) big_mul_add(&digits, 10, digit);
            kept++;
            exponent -= point;
        } else {
            if (digit) digits.limb[0] |= 1; // sticky: not exactly what was kept
            exponent += !point;
        }
    }
    if (!any) return 0;
    if (i < size && (text[i] == 'e' || text[i] == 'E')) {
        int    written = 0;
        size_t used = read_exponent(text + i + 1, size - i - 1, &written);
        if (used) i += 1 + used;
        exponent += written;
    }

    double magnitude;
    if (kept == 0) {
        magnitude = 0;
    } else if (kept <= 15 && exponent >= -22 && exponent <= 22) {
        // The short way: digits and power are exact doubles, so one operation rounds once.
        static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
        magnitude =
            exponent < 0 ? (double)small / power[-exponent] : (double)small * power[exponent];
    } else if (kept + exponent > 310) { // at least 1e310
        magnitude = INFINITY;
    } else if (kept + exponent < -330) { // less than 1e-330
        magnitude = 0;
    } else {
        big denominator;
        if (kept < 19) big_set(&digits, small);
        big_set(&denominator, 1);
        if (exponent >= 0)
            big_mul_pow10(&digits, exponent);
        else
            big_mul_pow10(&denominator, -exponent);
        magnitude = nearest_ratio(&digits, &denominator);
    }
    *value = negative ? -magnitude : magnitude;
    return i;
}

// The shortest digits d1 d2 … dn that only `value` is nearest to, so that it is about
// 0.d1d2…dn 10^point. Gives n.
static int shortest_digits(double value, char digit[17], int *point)
{
    int      exponent;
    uint64_t mantissa = double_split(value, &exponent);
    bool     even = mantissa % 2 == 0; // then its bounds read back as itself, too
    bool     lopsided = mantissa == (uint64_t)1 << 52 && exponent > LEAST_EXPONENT;

    // value = r / s, and its neighbours are at value - below / s and value + above / s, half way.
    big r, s, below, above;
    int extra = lopsided ? 2 : 1;
    big_set(&r, mantissa);
    big_set(&s, 1);
    big_set(&below, 1);
    big_shift_left(&r, extra + (exponent > 0 ? exponent : 0));
    big_shift_left(&s, extra + (exponent < 0 ? -exponent : 0));
    if (exponent > 0) big_shift_left(&below, exponent);
    above = below;
    if (lopsided) big_shift_left(&above, 1);

    // Scale by the power of ten that brings value + above into (s / 10, s].
    int power = (int)ceil((big_bits(&r) - big_bits(&s) - 1) * 0.30102999566398120); // log10(2)
    if (power > 0) {
        big_mul_pow10(&s, power);
    } else {
        big_mul_pow10(&r, -power);
        big_mul_pow10(&below, -power);
        big_mul_pow10(&above, -power);
    }
    for (;; power++) {
        big sum = r;
        big_add(&sum, &above);
        int compared = big_compare(&sum, &s);
        if (compared < 0 || (compared == 0 && !even)) break;
        big_mul_add(&s, 10, 0);
    }
    *point = power;

    for (int n = 0;;) {
        big_mul_add(&r, 10, 0);
        big_mul_add(&below, 10, 0);
        big_mul_add(&above, 10, 0);
        char next = '0';
        for (; big_compare(&r, &s) >= 0; next++) big_sub(&r, &s);

        big sum = r;
        big_add(&sum, &above);
        int  low = big_compare(&r, &below), high = big_compare(&sum, &s);
        bool low_enough = low < 0 || (low == 0 && even);
        bool high_enough = high > 0 || (high == 0 && even);
        if (!low_enough && !high_enough) {
            digit[n++] = next;
            continue;
        }
        if (low_enough && high_enough) { // both neighbours would do: the nearer one
            big_shift_left(&r, 1);
            high_enough = big_compare(&r, &s) >= 0;
        }
        digit[n++] = (char)(next + (high_enough ? 1 : 0));
        return n;
    }
}

static size_t write_text(char *to, const char *from)
{
    size_t length = strlen(from);
    memcpy(to, from, length + 1);
    return length;
}

static size_t write_integer(char *to, int value)
{
    char   reversed[12] = "";
    size_t n = 0, length = 0;
    if (value < 0) to[length++] = '-';
    for (unsigned rest = (unsigned)(value < 0 ? -value : value); rest || n == 0; rest /= 10)
        reversed[n++] = (char)('0' + rest % 10);
    while (n) to[length++] = reversed[--n];
    return length;
}

// Infinities and NaN; gives 0 for anything else.
static size_t write_special(double value, char text[])
{
    if (isnan(value)) return write_text(text, "nan");
    if (isinf(value)) return write_text(text, value < 0 ? "-inf" : "inf");
    return 0;
}

size_t fa_number_write(double value, char text[FA_NUMBER_SIZE])
{
    size_t length = write_special(value, text);
    if (length) return length;
    if (signbit(value)) {
        text[length++] = '-';
        value = -value;
    }
    if (value == 0) return length + write_text(text + length, "0");

    char digit[17];
    int  point, n = shortest_digits(value, digit, &point);
    if (point > 0 && point <= 21) { // 123, 12.5, 1200
        for (int i = 0; i < n || i < point; i++) {
            if (i == point) text[length++] = '.';
            text[length++] = i < n ? digit[i] : '0';
        }
    } else if (point <= 0 && point > -5) { // 0.00012
        text[length++] = '0';
        text[length++] = '.';
        for (int i = point; i < 0; i++) text[length++] = '0';
        for (int i = 0; i < n; i++) text[length++] = digit[i];
    } else { // 1.2e-7
        text[length++] = digit[0];
        if (n > 1) text[length++] = '.';
        for (int i = 1; i < n; i++) text[length++] = digit[i];
        text[length++] = 'e';
        if (point > 0) text[length++] = '+';
        length += write_integer(text + length, point - 1);
    }
    text[length] = '\0';
    return length;
}

fa_text fa_number_text(double value)
{
    fa_text     text = {""};
    const char *word = isnan(value) ? "NaN" : value > 0 ? "infinity" : "-infinity";
    if (isfinite(value))
        fa_number_write(value, text.text);
    else
        memcpy(text.text, word, strlen(word) + 1);
    return text;
}

// --------------------------------------------------------------------------------- hexadecimal

static const char hex_digit[] = "0123456789abcdef";

size_t fa_hex_write(double value, char text[FA_NUMBER_SIZE])
{
    size_t length = write_special(value, text);
    if (length) return length;
    if (signbit(value)) {
        text[length++] = '-';
        value = -value;
    }
    if (value == 0) return length + write_text(text + length, "0x0p+0");

    // 1.hhhh 2^e, or 0.hhhh 2^-1022 for denormals; no trailing zeros: one spelling for each value.
    int      exponent;
    uint64_t mantissa = double_split(value, &exponent);
    text[length++] = '0';
    text[length++] = 'x';
    text[length++] = (char)('0' + (mantissa >> 52));
    mantissa &= 0xFFFFFFFFFFFFFu;
    if (mantissa) text[length++] = '.';
    for (int shift = 48; mantissa; shift -= 4) {
        text[length++] = hex_digit[mantissa >> shift & 15];
        mantissa &= ((uint64_t)1 << shift) - 1;
    }
    exponent += 52;
    text[length++] = 'p';
    if (exponent >= 0) text[length++] = '+';
    length += write_integer(text + length, exponent);
    text[length] = '\0';
    return length;
}

size_t fa_hex_read(const char *text, size_t size, double *value)
{
    size_t i = 0;
    bool   negative = false;
    double magnitude;
    if (i < size && text[i] == '-') negative = text[i++] == '-';
    if (size - i >= 3 && memcmp(text + i, "inf", 3) == 0) {
        magnitude = INFINITY;
        i += 3;
    } else {
        if (size - i < 6 || text[i] != '0' || text[i + 1] != 'x') return 0;
        i += 2;
        if (text[i] != '0' && text[i] != '1') return 0;
        uint64_t mantissa = (uint64_t)(text[i++] - '0') << 52;
        if (i < size && text[i] == '.') i++;
        for (int shift = 48; i < size && text[i] != 'p' && shift >= 0; shift -= 4, i++) {
            const char *digit = text[i] ? strchr(hex_digit, text[i]) : NULL;
            if (!digit) return 0;
            mantissa |= (uint64_t)(digit - hex_digit) << shift;
        }
        if (i == size || text[i] != 'p') return 0;
        int    exponent;
        size_t used = read_exponent(text + i + 1, size - i - 1, &exponent);
        if (!used || exponent < -1022 || exponent > 1023) return 0;
        i += 1 + used;
        magnitude = double_join(mantissa, exponent - 52);
    }
    // Requires the canonical spelling of each value.
    char   again[FA_NUMBER_SIZE];
    double result = negative ? -magnitude : magnitude;
    if (fa_hex_write(result, again) != i || memcmp(again, text, i) != 0) return 0;
    *value = result;
    return i;
}
