// Numbers as text: what is written reads back as the same bits, and what is read is correctly
// rounded.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "random.h"

static double any_double(uint64_t *seed)
{
    double value;
    do {
        uint64_t bits = random_bits(seed);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static double read_all(const char *text)
{
    double value = 0;
    assert_int_equal(fa_number_read(text, strlen(text), &value), strlen(text));
    return value;
}

static void assert_same_bits(double a, double b, const char *text)
{
    if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s gives %a, not %a", text, a, b);
}

static void what_is_written_reads_back_as_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        double value = any_double(&seed), again;
        char   text[FA_NUMBER_SIZE];
        size_t length = fa_number_write(value, text);
        assert_int_equal(length, strlen(text));
        assert_same_bits(read_all(text), value, text);
        length = fa_hex_write(value, text);
        assert_int_equal(fa_hex_read(text, length, &again), length);
        assert_same_bits(again, value, text);
    }
}

// The C library in the "C" locale is the referee: it shares no code with ours.
static void the_c_library_agrees_in_both_directions(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        char   theirs[64], ours[FA_NUMBER_SIZE];
        double value = any_double(&seed);
        int    digits = 1 + (int)random_in(&seed, 0, 25);
        snprintf(theirs, sizeof theirs, "%.*e", digits, value);
        assert_same_bits(read_all(theirs), strtod(theirs, NULL), theirs);
        fa_number_write(value, ours);
        assert_same_bits(strtod(ours, NULL), value, ours);
    }
}

// Beyond the digits that are kept, before and behind the point, zeros in front, and exponents that
// bring it back.
static void the_c_library_agrees_on_long_texts(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < 3000; i++) {
        char         text[2048];
        const int    digits = 1 + (int)random_in(&seed, 0, i % 3 == 0 ? 30 : 1500);
        const int    point = (int)random_in(&seed, -1, digits + 1);
        const double zeros = random_in(&seed, 0, 1) < 0.3 ? random_in(&seed, 0, 1) : 0;
        int          at = 0;
        if (i % 5 == 0) text[at++] = i % 2 ? '-' : '+';
        for (int k = 0; k < digits; k++) {
            if (k == point) text[at++] = '.';
            text[at++] = k < zeros * digits ? '0' : (char)('0' + (int)random_in(&seed, 0, 9.99));
        }
        (void)snprintf(text + at, sizeof text - (size_t)at, "e%d",
                       (int)random_in(&seed, -20, 20) - (point < 0 ? digits : point));
        assert_same_bits(read_all(text), strtod(text, NULL), text);
    }
}

// Nothing with fewer digits reads back: the text is the shortest.
static void no_shorter_text_would_do(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        char   ours[FA_NUMBER_SIZE], shorter[64];
        double value = any_double(&seed);
        fa_number_write(value, ours);
        int digits = 0, significant = 0; // zeros at either end only place the point
        for (const char *c = ours; *c && *c != 'e'; c++) {
            if (*c < '0' || *c > '9' || (*c == '0' && digits == 0)) continue;
            digits++;
            if (*c != '0') significant = digits;
        }
        digits = significant;
        if (digits < 2) continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        if (strtod(shorter, NULL) == value) fail_msg("%s is longer than %s", ours, shorter);
    }
}

static void halves_and_edges_round_to_even(void **state)
{
    (void)state;
    assert_same_bits(read_all("9007199254740993"), 9007199254740992.0, "2^53 + 1");
    assert_same_bits(read_all("9007199254740995"), 9007199254740996.0, "2^53 + 3");
    assert_same_bits(read_all("9007199254740993.00000000000000000000000000000000000000001"),
                     9007199254740994.0, "just above a half");
    assert_same_bits(read_all("4.9406564584124654e-324"), 0x1p-1074, "least denormal");
    assert_same_bits(read_all("2.4703282292062327e-324"), 0, "half of it, rounded down");
    assert_same_bits(read_all("2.4703282292062328e-324"), 0x1p-1074, "more than half of it");
    assert_same_bits(read_all("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022, "denormal");
    assert_same_bits(read_all("1.7976931348623157e308"), 0x1.fffffffffffffp1023, "greatest");
    assert_same_bits(read_all("1.7976931348623159e308"), INFINITY, "beyond it");
    assert_same_bits(read_all("1e400"), INFINITY, "far beyond");
    assert_same_bits(read_all("1e-400"), 0, "far below");
    assert_same_bits(read_all("-0"), -0.0, "-0");
    assert_same_bits(read_all("+1.5e0"), 1.5, "+1.5e0");
    assert_same_bits(read_all(".5"), 0.5, ".5");
    assert_same_bits(read_all("5."), 5, "5.");
    assert_same_bits(read_all("00000000000000000000000000001"), 1, "leading zeros");
    assert_same_bits(read_all("0.000000000000000000000000000001"), 1e-30, "1e-30");
}

static void what_is_no_number_is_not_read(void **state)
{
    (void)state;
    static const char *const text[] = {"",    "+", "-.", ".",   "e5", "nan",
                                       "inf", "x", " 1", "--1", "+-1"};
    double                   value;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_int_equal(fa_number_read(text[i], strlen(text[i]), &value), 0);
    assert_int_equal(fa_number_read("1,5", 3, &value), 1);
    assert_int_equal(fa_number_read("1e", 2, &value), 1);
    assert_int_equal(fa_number_read("0x10", 4, &value), 1);
    assert_int_equal(fa_number_read("12345", 2, &value), 2);
    assert_true(value == 12);
}

static void hexadecimal_has_one_spelling_for_each_value(void **state)
{
    (void)state;
    static const char *const other[] = {"0x1.0p+0",  "0x2p+0",      "0x1p0",  "0x01p+0", "0x1p+00",
                                        "0X1p+0",    "0x1P+0",      "1",      "nan",     "0x0p+1",
                                        "0x1.80p+1", "0x1.8p+1024", "+0x1p+0"};
    double                   value;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (fa_hex_read(other[i], strlen(other[i]), &value) == strlen(other[i]))
            fail_msg("%s was read", other[i]);
}

static void messages_show_numbers_as_people_write_them(void **state)
{
    (void)state;
    assert_string_equal(fa_number_text(0.1).text, "0.1");
    assert_string_equal(fa_number_text(-3).text, "-3");
    assert_string_equal(fa_number_text(100000).text, "100000");
    assert_string_equal(fa_number_text(6.02e23).text, "6.02e+23");
    assert_string_equal(fa_number_text(0.00012).text, "0.00012");
    assert_string_equal(fa_number_text(1e-7).text, "1e-7");
    assert_string_equal(fa_number_text(5e-324).text, "5e-324");
    assert_string_equal(fa_number_text(1.7976931348623157e308).text, "1.7976931348623157e+308");
    assert_string_equal(fa_number_text(-INFINITY).text, "-infinity");
    assert_string_equal(fa_number_text(INFINITY).text, "infinity");
    assert_string_equal(fa_number_text(NAN).text, "NaN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_as_the_same_bits),
        cmocka_unit_test(the_c_library_agrees_in_both_directions),
        cmocka_unit_test(the_c_library_agrees_on_long_texts),
        cmocka_unit_test(no_shorter_text_would_do),
        cmocka_unit_test(halves_and_edges_round_to_even),
        cmocka_unit_test(what_is_no_number_is_not_read),
        cmocka_unit_test(hexadecimal_has_one_spelling_for_each_value),
        cmocka_unit_test(messages_show_numbers_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
