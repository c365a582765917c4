// Lines of a terminal without libedit (cli/editor/plain/line_plain.c), which no program contains
// that has it.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "line_editor.h"

// Standard input is this text from now on.
static void type(const char *text)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (int)strlen(text));
    assert_int_equal(close(ends[1]), 0);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    assert_int_equal(close(ends[0]), 0);
}

static void lines_come_without_their_ends_until_there_are_no_more(void **state)
{
    (void)state;
    static const char *const want[] = {"theta = 1", "", "the last one has no end"};
    fa_line_editor          *editor = fa_line_editor_new();
    char                    *text = NULL;
    size_t                   room = 0;
    fa_line_end              end;
    fa_error                 error = fa_no_error();
    type("theta = 1\n\nthe last one has no end");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(fa_line_editor_read(editor, "? ", i == 1, &text, &room, &end, &error),
                         FA_OK);
        assert_int_equal(end, FA_LINE_READ);
        assert_string_equal(text, want[i]);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fa_line_editor_read(editor, "? ", false, &text, &room, &end, &error),
                         FA_OK);
        assert_int_equal(end, FA_LINE_NONE);
    }
    free(text);
    fa_line_editor_free(editor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_without_their_ends_until_there_are_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
