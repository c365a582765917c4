// Which word somebody meant: the distance of words against its definition, and which of them are
// close.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "nearest.h"
#include "random.h"
#include "test.h"

// Optimal string alignment as it is defined, by all ways.
static int defined(const char *a, size_t n, const char *b, size_t m)
{
    if (n == 0 || m == 0) return (int)(n + m);
    const int ways[] = {defined(a, n - 1, b, m) + 1, defined(a, n, b, m - 1) + 1,
                        defined(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1])};
    int       least = ways[0];
    for (int i = 1; i < 3; i++) least = ways[i] < least ? ways[i] : least;
    if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
        const int swapped = defined(a, n - 2, b, m - 2) + 1;
        least = swapped < least ? swapped : least;
    }
    return least;
}

static void words_are_as_far_apart_as_defined(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 3000; trial++) {
        char   word[2][8] = {"", ""};
        size_t length[2];
        for (int w = 0; w < 2; w++) {
            length[w] = (size_t)random_in(&seed, 0, 6.99);
            for (size_t i = 0; i < length[w]; i++)
                word[w][i] = (char)('a' + (int)random_in(&seed, 0, 2.99));
        }
        const int want = defined(word[0], length[0], word[1], length[1]);
        const int got = fa_words_apart(word[0], word[1]);
        if (got != want) fail_msg("'%s' and '%s': %d, not %d", word[0], word[1], got, want);
    }
}

static void case_is_no_difference_and_long_words_are_far_apart(void **state)
{
    (void)state;
    char word[80];
    memset(word, 'a', sizeof word);
    assert_int_equal(fa_words_apart("Revolute", "rEVOLUTE"), 0);
    word[63] = '\0';
    assert_int_equal(fa_words_apart(word, word), 0);
    word[63] = 'a';
    word[64] = '\0';
    assert_int_equal(fa_words_apart(word, "a"), INT_MAX);
    assert_int_equal(fa_words_apart("a", word), INT_MAX);
}

static void short_words_must_be_closer(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int         apart;
    } most[] = {{"abc", 1}, {"abcd", 2}, {"abcdefg", 2}, {"abcdefgh", 3}};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        assert_true(fa_words_close(most[i].word, most[i].apart));
        assert_false(fa_words_close(most[i].word, most[i].apart + 1));
    }
}

// The first of the nearest words is suggested, and none that is too far from what was typed.
static void the_nearest_word_is_suggested(void **state)
{
    (void)state;
    static const char *const known[] = {"stiffness", "damping", "dampings", "mass"};
    static const struct {
        const char *word, *found, *hint;
    } typed[] = {{"damping", "damping", "did you mean 'damping'?"},
                 {"dampin", "damping", "did you mean 'damping'?"},
                 {"stifness", "stiffness", "did you mean 'stiffness'?"},
                 {"mas", "mass", "did you mean 'mass'?"},
                 {"colour", NULL, "look it up"}};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        fa_nearest nearest = fa_nearest_to(typed[i].word);
        assert_null(fa_nearest_found(&nearest));
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            fa_nearest_try(&nearest, known[k]);
        const char *found = fa_nearest_found(&nearest);
        assert_true(!found == !typed[i].found);
        if (found) assert_string_equal(found, typed[i].found);
        const fa_hint hint = fa_nearest_hint(&nearest, "look it up");
        assert_string_equal(hint.text, typed[i].hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_as_far_apart_as_defined),
        cmocka_unit_test(case_is_no_difference_and_long_words_are_far_apart),
        cmocka_unit_test(short_words_must_be_closer),
        cmocka_unit_test(the_nearest_word_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
