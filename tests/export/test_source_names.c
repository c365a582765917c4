// The header that keeps the names of an FMU's sources apart: every word of ours gets a macro, once,
// and nothing else does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_names.h"
#include "test.h"

static char *written(fa_source_file *file, int n, int fmi)
{
    const fa_sources sources = {.n = n, .of = file};
    fa_options       options = {.identifier = "crane", .fmi = fmi};
    fa_error         error = fa_no_error();
    char            *text;
    size_t           size;
    for (int i = 0; i < n; i++) file[i].size = strlen(file[i].text);
    if (fa_source_names_write(&sources, &options, &text, &size, &error) != FA_OK)
        fail_msg("%s", error.message);
    assert_int_equal(size, strlen(text));
    return text;
}

static int times(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) n++;
    return n;
}

static void every_name_of_ours_gets_a_macro_once(void **state)
{
    (void)state;
    char first[] = "int fa_one(fa_two x) { return fa_one(x); } // fa_paste_##x, fa_";
    char second[] = "my_fa_word(a->fa_three) + fa_one(0) + fa_3 + sofa_fa + fa_one_more";
    for (int fmi = 2; fmi <= 3; fmi++) {
        fa_source_file file[] = {{.name = "one.c", .text = first},
                                 {.name = "two.c", .text = second}};
        char          *text = written(file, 2, fmi);
        const char    *begin = strstr(text, "#define fa_");
        assert_non_null(begin);
        // Sorted; what ends in _ is pasted together, and what only holds fa_ is none.
        const char *want = "#define fa_3 crane_fa_3\n"
                           "#define fa_one crane_fa_one\n"
                           "#define fa_one_more crane_fa_one_more\n"
                           "#define fa_three crane_fa_three\n"
                           "#define fa_two crane_fa_two\n"
                           "\n#endif\n";
        assert_string_equal(begin, want);
        assert_int_equal(times(text, "#define fa_"), 5);
        char prefix[64];
        (void)snprintf(prefix, sizeof prefix, "#define FMI%d_FUNCTION_PREFIX crane_\n", fmi);
        assert_int_equal(times(text, prefix), 1);
        free(text);
    }
}

// More words than there is room for at first, in many files.
static void many_names_have_room(void **state)
{
    (void)state;
    enum { FILES = 50, WORDS = 100 };
    fa_source_file file[FILES];
    for (int i = 0; i < FILES; i++) {
        char *at = malloc(WORDS * 16), *text = at;
        assert_non_null(at);
        for (int k = 0; k < WORDS; k++) at += sprintf(at, "fa_w%d_%d ", i, k);
        file[i] = (fa_source_file){.name = text, .text = text};
    }
    char *text = written(file, FILES, 3);
    assert_int_equal(times(text, "#define fa_"), FILES * WORDS);
    for (int i = 0; i < FILES; i++)
        for (int k = 0; k < WORDS; k++) {
            char line[64];
            (void)snprintf(line, sizeof line, "#define fa_w%d_%d crane_fa_w%d_%d\n", i, k, i, k);
            assert_non_null(strstr(text, line));
        }
    free(text);
    for (int i = 0; i < FILES; i++) free(file[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_of_ours_gets_a_macro_once),
        cmocka_unit_test(many_names_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
