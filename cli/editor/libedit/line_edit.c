// Line editor of the session on libedit.
#define _XOPEN_SOURCE 700
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "line_editor.h"
#include "paths.h"

enum { LINES_KEPT = 1000, WIDTH = 80 };

struct fa_line_editor {
    EditLine   *edit;
    History    *history;
    char        file[4096]; // file of the history; empty: none
    const char *prompt;
    bool        is_answer, broken;
    locale_t    letters; // the user's encoding for typed text; numbers stay in the C locale
};

static fa_line_editor *editor_of(EditLine *edit)
{
    void *editor = NULL;
    (void)el_get(edit, EL_CLIENTDATA, &editor);
    return editor;
}

static char *prompt_of(EditLine *edit)
{
    return (char *)editor_of(edit)->prompt;
}

// ----------------------------------------------------------------------------------- completion

static void list(const fa_completions *c)
{
    size_t width = 0;
    for (int i = 0; i < c->n; i++) width = strlen(c->of[i]) > width ? strlen(c->of[i]) : width;
    int columns = width + 2 < WIDTH ? (int)(WIDTH / (width + 2)) : 1;
    for (int i = 0; i < c->n; i++)
        printf("%s%-*s", i % columns == 0 ? "\n" : "  ", (int)width, c->of[i]);
    putchar('\n');
    (void)fflush(stdout);
}

// Inserts the unique rest of the word and its ending; if it is ambiguous, lists the candidates.
static unsigned char complete(EditLine *edit, int key)
{
    (void)key;
    const LineInfo *line = el_line(edit);
    size_t          cursor = (size_t)(line->cursor - line->buffer);
    char           *text = malloc(cursor + 1);
    unsigned char   what = CC_REFRESH_BEEP;
    if (!text) return what;
    memcpy(text, line->buffer, cursor);
    text[cursor] = '\0';
    fa_completions c = fa_complete(text, cursor, editor_of(edit)->is_answer);
    size_t         typed = cursor - c.start;
    if (c.n > 0 && c.same > typed) {
        c.of[0][c.same] = '\0';
        if (el_insertstr(edit, c.of[0] + typed) == 0) what = CC_REFRESH;
    } else if (c.n > 1) {
        list(&c);
        what = CC_REDISPLAY;
    }
    if (c.n == 1 && what != CC_REDISPLAY && c.same > 0 && c.of[0][c.same - 1] != '/' &&
        el_insertstr(edit, " ") == 0)
        what = CC_REFRESH;
    fa_completions_free(&c);
    free(text);
    return what;
}

// Ctrl-C. It is bound as a key: a signal between two reads would be lost.
static unsigned char break_line(EditLine *edit, int key)
{
    (void)key;
    editor_of(edit)->broken = true;
    return CC_EOF;
}

// Ctrl-Z. It is bound as a key for the same reason.
static unsigned char suspend(EditLine *edit, int key)
{
    (void)key;
    (void)el_set(edit, EL_PREP_TERM, 0);
    (void)raise(SIGTSTP);
    (void)el_set(edit, EL_PREP_TERM, 1);
    return CC_REDISPLAY;
}

// -------------------------------------------------------------------------------------- history

// Finds the history file: $FOREARM_HISTORY, or a file in $XDG_STATE_HOME or the home folder.
// Creates missing folders.
static void find_file(char file[], size_t size)
{
    const char *own = getenv("FOREARM_HISTORY"), *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int         length = 0;
    if (own)
        length = snprintf(file, size, "%s", own);
    else if (state && *state)
        length = snprintf(file, size, "%s/forearm/sim_history", state);
    else if (home && *home)
        length = snprintf(file, size, "%s/.local/state/forearm/sim_history", home);
    if (length <= 0 || (size_t)length >= size) file[0] = '\0';
    if (own || !file[0]) return;
    for (char *slash = strchr(file + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)fa_folder_make(file);
        *slash = '/';
    }
}

static void remember(fa_line_editor *editor, const char *line)
{
    HistEvent event;
    if (line[strspn(line, " \t\n")]) (void)history(editor->history, &event, H_ENTER, line);
}

// --------------------------------------------------------------------------------------- editor

static bool begin(fa_line_editor *editor)
{
    HistEvent event;
    editor->edit = el_init("forearm", stdin, stdout, stderr);
    editor->history = history_init();
    if (!editor->edit || !editor->history) return false;
    (void)history(editor->history, &event, H_SETSIZE, LINES_KEPT);
    (void)history(editor->history, &event, H_SETUNIQUE, 1);
    find_file(editor->file, sizeof editor->file);
    if (editor->file[0]) (void)history(editor->history, &event, H_LOAD, editor->file);
    (void)el_set(editor->edit, EL_CLIENTDATA, editor);
    (void)el_set(editor->edit, EL_PROMPT, prompt_of);
    (void)el_set(editor->edit, EL_EDITOR, "emacs");
    (void)el_set(editor->edit, EL_HIST, history, editor->history);
    (void)el_set(editor->edit, EL_ADDFN, "fa-complete", "Complete a word", complete);
    (void)el_set(editor->edit, EL_BIND, "^I", "fa-complete", NULL);
    (void)el_set(editor->edit, EL_SETTY, "-d", "-isig", NULL);
    (void)el_set(editor->edit, EL_ADDFN, "fa-break", "Leave the line", break_line);
    (void)el_set(editor->edit, EL_BIND, "^C", "fa-break", NULL);
    (void)el_set(editor->edit, EL_ADDFN, "fa-suspend", "Stop until the shell goes on", suspend);
    (void)el_set(editor->edit, EL_BIND, "^Z", "fa-suspend", NULL);
    (void)el_set(editor->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    (void)el_source(editor->edit, NULL); // the user's own key bindings
    return true;
}

fa_line_editor *fa_line_editor_new(void)
{
    fa_line_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->letters = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    locale_t before = uselocale(editor->letters);
    bool     good = begin(editor);
    (void)uselocale(before);
    if (good) return editor;
    editor->file[0] = '\0';
    fa_line_editor_free(editor);
    return NULL;
}

void fa_line_editor_free(fa_line_editor *editor)
{
    HistEvent event;
    if (!editor) return;
    if (editor->file[0]) (void)history(editor->history, &event, H_SAVE, editor->file);
    if (editor->history) history_end(editor->history);
    if (editor->edit) el_end(editor->edit);
    if (editor->letters) freelocale(editor->letters);
    free(editor);
}

static fa_status keep(const char *line, int length, char **text, size_t *room, fa_error *error)
{
    size_t size = (size_t)length;
    if (size > 0 && line[size - 1] == '\n') size--;
    if (size >= *room) {
        char *larger = realloc(*text, size + 1);
        if (!larger)
            return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                           "there is not enough memory for the line");
        *text = larger;
        *room = size + 1;
    }
    memcpy(*text, line, size);
    (*text)[size] = '\0';
    return FA_OK;
}

fa_status fa_line_editor_read(fa_line_editor *editor, const char *prompt, bool is_answer,
                              char **text, size_t *room, fa_line_end *end, fa_error *error)
{
    int length = 0;
    *end = FA_LINE_NONE;
    if (!editor)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to read lines");
    editor->prompt = prompt;
    editor->is_answer = is_answer;
    editor->broken = false;
    locale_t before = uselocale(editor->letters);
    (void)el_set(editor->edit, EL_PREP_TERM,
                 1); // otherwise the terminal would still edit keys that were typed ahead
    const char *line = el_gets(editor->edit, &length);
    (void)uselocale(before);
    *end = line && length > 0 ? FA_LINE_READ : editor->broken ? FA_LINE_BROKEN : FA_LINE_NONE;
    if (*end != FA_LINE_READ) putchar('\n');
    if (*end != FA_LINE_READ) return FA_OK;
    if (!is_answer) remember(editor, line);
    return keep(line, length, text, room, error);
}
