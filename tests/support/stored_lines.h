// Lines that stay as they were: a file has one for each case of a test, a name and digests of what
// the case comes to. With FOREARM_UPDATE=1 in the environment the file is written anew. For tests
// that read robots from folders: what is heard of warnings, and the files of a folder.
#ifndef STORED_LINES_H
#define STORED_LINES_H

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "sha256.h"
#include "test.h"

typedef struct stored_lines {
    const char *path;
    char       *text;
    FILE       *update; // NULL: lines are compared
    int         n, differ;
} stored_lines;

// `head`: the first line, which says whose the file is.
static inline stored_lines stored_open(const char *path, const char *head)
{
    stored_lines s = {.path = path};
    const bool   update = getenv("FOREARM_UPDATE") != NULL;
    FILE        *file = fopen(path, update ? "w" : "r");
    if (!file) fail_msg("%s cannot be opened", path);
    if (update) {
        (void)fprintf(file, "%s\n", head);
        s.update = file;
        return s;
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    s.text = malloc((size_t)size + 1);
    assert_non_null(s.text);
    assert_int_equal(fread(s.text, 1, (size_t)size, file), size);
    s.text[size] = '\0';
    (void)fclose(file);
    return s;
}

// A line without its end; `name` is the length of its name.
static inline void stored_compare(stored_lines *s, const char *line, size_t name)
{
    s->n++;
    if (s->update) {
        (void)fprintf(s->update, "%s\n", line);
        return;
    }
    const size_t length = strlen(line);
    const char  *named = NULL;
    for (const char *was = s->text; (was = strchr(was, '\n'));) {
        const size_t stored = strcspn(++was, "\n");
        if (stored == length && strncmp(was, line, length) == 0) return;
        if (!named && stored > name && was[name] == ' ' && strncmp(was, line, name) == 0)
            named = was;
    }
    print_message("here   %s\nstored %.*s\n", line, named ? (int)strcspn(named, "\n") : 0,
                  named ? named : "");
    s->differ++;
}

static inline void stored_close(stored_lines *s)
{
    int lines = -1; // without the head
    if (s->update) {
        assert_int_equal(fclose(s->update), 0);
        return;
    }
    for (const char *c = s->text; *c; c++) lines += *c == '\n';
    free(s->text);
    if (s->differ)
        fail_msg("%d lines of %s differ; look at what changed, and if it was meant to, run this "
                 "test with FOREARM_UPDATE=1",
                 s->differ, s->path);
    if (lines != s->n)
        fail_msg("%s has %d lines, and here are %d cases; if some were meant to go, run this test "
                 "with FOREARM_UPDATE=1",
                 s->path, lines, s->n);
}

// Writes the first bytes of the digest; gives the number of characters.
static inline size_t put_digest(char *to, int shown, const void *data, size_t size)
{
    uint8_t digest[32];
    fa_sha256(data, size, digest);
    for (int k = 0; k < shown; k++) (void)sprintf(to + 2 * k, "%02x", digest[k]);
    return 2 * (size_t)shown;
}

// Warnings of one case; `used` is set to 0 before it.
typedef struct heard_lines {
    char   text[1 << 16];
    size_t used;
} heard_lines;

static inline void hear_line(void *context, const char *file, fa_place place, const char *sentence)
{
    heard_lines *heard = context;
    (void)file;
    heard->used += (size_t)snprintf(heard->text + heard->used, sizeof heard->text - heard->used,
                                    "%d:%d %s\n", place.line, place.column, sentence);
    assert_true(heard->used < sizeof heard->text);
}

// The names of a folder's robot files, sorted.
static inline int robots_in(const char *where, char name[][NAME_MAX + 1], int most)
{
    int  n = 0;
    DIR *handle = opendir(where);
    assert_non_null(handle);
    for (struct dirent *entry; (entry = readdir(handle));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || (strcmp(ending, ".xml") != 0 && strcmp(ending, ".urdf") != 0 &&
                        strcmp(ending, ".sdf") != 0))
            continue;
        assert_true(n < most);
        strcpy(name[n++], entry->d_name);
    }
    (void)closedir(handle);
    qsort(name, (size_t)n, sizeof *name, (int (*)(const void *, const void *))strcmp);
    return n;
}

#endif
