// Paths that a pattern names, as glob() of POSIX finds them.
#include <stdlib.h>
#include <string.h>

#include "paths.h"

enum { PATH_SIZE = 4096 };

typedef struct matches {
    char **path;
    int    n, room;
    bool   full; // no memory
} matches;

// Returns true if the letter is in the set that begins after '['; *end is where the set ends. NULL
// in *end: it does not.
static bool is_in_set(const char *set, const char *stop, char letter, const char **end)
{
    const bool not = set < stop && (*set == '!' || *set == '^');
    const char *at = set + not ;
    bool        found = false;
    *end = NULL;
    for (const char *first = at; at < stop && (*at != ']' || at == first); at++) {
        if (at + 2 < stop && at[1] == '-' && at[2] != ']') {
            found |= at[0] <= letter && letter <= at[2];
            at += 2;
        } else {
            found |= *at == letter;
        }
    }
    if (at < stop) *end = at + 1;
    return found != not ;
}

// Compares a name with the pattern between `p` and `stop`.
static bool fits(const char *p, const char *stop, const char *name)
{
    for (; p < stop; name++) {
        const char *end;
        if (*p == '*') {
            for (p++;; name++) {
                if (fits(p, stop, name)) return true;
                if (!*name) return false;
            }
        }
        if (!*name) return false;
        if (*p == '[') {
            const bool in = is_in_set(p + 1, stop, *name, &end);
            if (end) {
                if (!in) return false;
                p = end;
                continue;
            }
        }
        if (*p != '?' && *p != *name) return false;
        p++;
    }
    return !*name;
}

static void keep(matches *m, const char *path)
{
    if (m->n == m->room) {
        const int room = 2 * m->room + 8;
        char    **larger = realloc(m->path, (size_t)room * sizeof *larger);
        if (!larger) {
            m->full = true;
            return;
        }
        m->path = larger;
        m->room = room;
    }
    m->path[m->n] = malloc(strlen(path) + 1);
    if (m->path[m->n])
        strcpy(m->path[m->n++], path);
    else
        m->full = true;
}

// Follows the pattern from `p` on, below what `path` holds, n bytes long.
static void follow(matches *m, char path[PATH_SIZE], size_t n, const char *p)
{
    const size_t length = strcspn(p, "/");
    const size_t wild = strcspn(p, "*?[");
    if (m->full || n + length + 2 >= PATH_SIZE) return;
    if (wild >= length) { // a name, taken as it is
        memcpy(path + n, p, length);
        path[n += length] = '\0';
        if (!p[length]) {
            if (fa_path_is_there(path)) keep(m, path);
            return;
        }
        path[n++] = '/';
        path[n] = '\0';
        follow(m, path, n, p + length + 1);
        return;
    }
    int    names;
    char **name = fa_folder_names(n > 0 ? path : ".", p[0] == '.', &names);
    for (int i = 0; i < names; i++) {
        const size_t size = strlen(name[i]);
        if (n + size + 2 >= PATH_SIZE || !fits(p, p + length, name[i])) continue;
        memcpy(path + n, name[i], size + 1);
        if (!p[length]) {
            keep(m, path);
        } else if (fa_path_is_folder(path)) {
            path[n + size] = '/';
            path[n + size + 1] = '\0';
            follow(m, path, n + size + 1, p + length + 1);
        }
        path[n] = '\0';
    }
    fa_folder_free(name, names);
}

char **fa_path_matches(const char *pattern, int *n)
{
    char    path[PATH_SIZE] = "";
    matches m = {.path = NULL};
    follow(&m, path, 0, pattern);
    *n = m.n;
    if (!m.full && m.n > 0) return m.path;
    fa_folder_free(m.path, m.n);
    *n = 0;
    return NULL;
}
