// Tab completion in a session.
#include "complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "session.h"

// Adds a candidate. Without memory the list is shorter.
static void add(fa_completions *c, const char *text, size_t size, const char *ending)
{
    if (c->n == c->room) {
        int    room = 2 * c->room + 16;
        char **larger = realloc(c->of, (size_t)room * sizeof *larger);
        if (!larger) return;
        c->of = larger;
        c->room = room;
    }
    char *word = malloc(size + strlen(ending) + 1);
    if (!word) return;
    memcpy(word, text, size);
    strcpy(word + size, ending);
    c->of[c->n++] = word;
}

static void try_word(fa_completions *c, const char *begun, const char *word, size_t size)
{
    size_t length = strlen(begun);
    if (length <= size && memcmp(begun, word, length) == 0) add(c, word, size, "");
}

// ------------------------------------------------------------------------------------- candidates

static void try_names(fa_completions *c, const char *begun, bool commands, bool numbers)
{
    for (int i = 0; i < fa_session_command_count && commands; i++)
        try_word(c, begun, fa_session_commands[i].name, strlen(fa_session_commands[i].name));
    for (int i = 0; i < fa_session_variable_count; i++) {
        const fa_session_variable *v = &fa_session_variables[i];
        if (numbers || v->vector != FA_SIM_VECTORS) try_word(c, begun, v->name, strlen(v->name));
    }
}

static void try_answers(fa_completions *c, const char *begun, const char *answers)
{
    while (*answers) {
        size_t size = strcspn(answers, " ");
        try_word(c, begun, answers, size);
        answers += size + (answers[size] == ' ');
    }
}

static bool is_folder(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", folder, name);
    return fa_path_is_folder(path);
}

static void try_files(fa_completions *c, const char *begun, bool quoted)
{
    char        folder[4096], word[4096];
    const char *slash = fa_path_last(begun);
    size_t      length = slash ? (size_t)(slash - begun) + 1 : 0;
    if (length >= sizeof folder) return;
    memcpy(folder, begun, length);
    folder[length] = '\0';
    begun += length;
    int    n;
    char **names = fa_folder_names(length > 0 ? folder : ".", true, &n);
    for (int i = 0; i < n; i++) {
        const char *name = names[i];
        if (strncmp(name, begun, strlen(begun)) != 0 || (name[0] == '.' && begun[0] != '.'))
            continue;
        if (!quoted && strpbrk(name, " \t=#'\"")) continue;
        int size = snprintf(word, sizeof word, "%s%s", folder, name);
        if (size > 0 && (size_t)size < sizeof word)
            add(c, word, (size_t)size, is_folder(folder, name) ? "/" : "");
    }
    fa_folder_free(names, n);
}

// ---------------------------------------------------------------------------------------- context

// Context of the cursor: the first word, the last finished one, and the beginning of the one to
// complete.
typedef struct place {
    char   first[64], before[64];
    int    n; // number of words before the incomplete one
    size_t start;
    bool   quoted;
} place;

static void keep(char to[64], const char *line, size_t from, size_t end)
{
    size_t size = end - from < 63 ? end - from : 63;
    memcpy(to, line + from, size);
    to[size] = '\0';
}

static place find_place(const char *line, size_t cursor)
{
    place p = {.n = 0};
    char  quote = 0;
    bool  in_word = false;
    for (size_t i = 0; i < cursor; i++) {
        bool blank = !quote && (line[i] == ' ' || line[i] == '\t');
        if (!in_word && !blank) {
            in_word = true;
            p.start = i;
        } else if (in_word && blank) {
            in_word = false;
            keep(p.before, line, p.start, i);
            if (p.n++ == 0) keep(p.first, line, p.start, i);
        }
        if (quote && line[i] == quote)
            quote = 0;
        else if (!quote && (line[i] == '\'' || line[i] == '"'))
            quote = line[i];
    }
    if (!in_word) p.start = cursor;
    p.quoted = in_word && quote && line[p.start] == quote;
    if (p.quoted) p.start++;
    return p;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t in_common(const fa_completions *c)
{
    size_t same = c->n > 0 ? strlen(c->of[0]) : 0;
    for (int i = 1; i < c->n; i++) {
        size_t k = 0;
        while (k < same && c->of[i][k] == c->of[0][k]) k++;
        same = k;
    }
    return same;
}

fa_completions fa_complete(const char *line, size_t cursor, bool is_answer)
{
    const place               p = find_place(line, cursor);
    fa_completions            c = {.start = p.start};
    const fa_session_command *command = fa_session_command_find(p.first);
    unsigned                  completes = command ? command->completes : 0;
    char                     *begun = malloc(cursor - p.start + 1);
    if (!begun) return c;
    memcpy(begun, line + p.start, cursor - p.start);
    begun[cursor - p.start] = '\0';
    // A file name follows a word that announces one, or precedes variables.
    bool answers = !is_answer && p.n > 0 && (completes & FA_TAKES_ANSWERS);
    bool named =
        answers ? strcmp(p.before, "schedule") == 0 : p.n == 1 || !(completes & FA_TAKES_VARIABLES);
    if (!is_answer && p.n == 0) try_names(&c, begun, true, true);
    if (!is_answer && p.n > 0 && (completes & FA_TAKES_NAMES)) try_names(&c, begun, true, true);
    if (!is_answer && p.n > 0 && (completes & FA_TAKES_VARIABLES))
        try_names(&c, begun, false, false);
    if (answers && !named) try_answers(&c, begun, command->answers);
    if (is_answer || (p.n > 0 && (completes & FA_TAKES_FILES) && named))
        try_files(&c, begun, p.quoted);
    free(begun);
    if (c.n > 0) qsort(c.of, (size_t)c.n, sizeof *c.of, compare);
    c.same = in_common(&c);
    return c;
}

void fa_completions_free(fa_completions *completions)
{
    for (int i = 0; i < completions->n; i++) free(completions->of[i]);
    free(completions->of);
    *completions = (fa_completions){.n = 0};
}
