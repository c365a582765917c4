// Lines of a session become words.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "words.h"

// The words with | between them and the column of each in front: "1:a|3:b".
static void assert_words(const char *line, const char *want)
{
    fa_words words;
    fa_error error = fa_no_error();
    char     got[512] = "";
    size_t   length = 0;
    assert_int_equal(fa_words_split(line, &words, &error), FA_OK);
    for (int i = 0; i < words.n; i++)
        length += (size_t)snprintf(got + length, sizeof got - length, "%s%d:%s", i ? "|" : "",
                                   words.of[i].column, words.of[i].text);
    assert_string_equal(got, want);
    fa_words_free(&words);
}

static void blanks_separate_words_and_remarks_end_them(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words(" \t\r", "");
    assert_words("# all of it", "");
    assert_words("help # me", "1:help");
    assert_words("\thelp  simulate ", "2:help|8:simulate");
    assert_words("file#1 # 2", "1:file#1");
}

static void an_equals_sign_is_a_word(void **state)
{
    (void)state;
    assert_words("theta = 1 2", "1:theta|7:=|9:1|11:2");
    assert_words("theta=1", "1:theta|6:=|7:1");
    assert_words("==", "1:=|2:=");
}

static void quotes_keep_what_is_in_them(void **state)
{
    (void)state;
    assert_words("open 'a b' \"c = # d\"", "1:open|6:a b|12:c = # d");
    assert_words("a' 'b", "1:a b");
    assert_words("''", "1:");
    assert_words("\"it's\"", "1:it's");
}

static void an_open_quote_is_refused_with_its_place(void **state)
{
    (void)state;
    fa_words words;
    fa_error error = fa_no_error();
    assert_int_equal(fa_words_split("open 'a b", &words, &error), FA_BAD_INPUT);
    assert_int_equal(error.place.column, 6);
    assert_string_equal(error.message, "a quotation mark is not closed");
    fa_words_free(&words);
}

// The sanitizers look while this runs.
static void lines_of_any_kind_stay_within_their_memory(void **state)
{
    (void)state;
    static const char signs[] = " \t=='\"#ab.";
    uint64_t          seed = 1;
    for (int trial = 0; trial < 20000; trial++) {
        char     line[24] = "";
        int      n = (int)(random_bits(&seed) % sizeof line);
        fa_words words;
        fa_error error = fa_no_error();
        for (int i = 0; i < n; i++) line[i] = signs[random_bits(&seed) % (sizeof signs - 1)];
        fa_status status = fa_words_split(line, &words, &error);
        assert_true(status == FA_OK || (status == FA_BAD_INPUT && strpbrk(line, "'\"")));
        for (int i = 0; i < words.n; i++) assert_true(words.of[i].column <= (int)strlen(line));
        fa_words_free(&words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_separate_words_and_remarks_end_them),
        cmocka_unit_test(an_equals_sign_is_a_word),
        cmocka_unit_test(quotes_keep_what_is_in_them),
        cmocka_unit_test(an_open_quote_is_refused_with_its_place),
        cmocka_unit_test(lines_of_any_kind_stay_within_their_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
