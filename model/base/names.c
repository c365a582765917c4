// Hash table of names, with open addressing.
#include "names.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool fa_names_new(fa_names *names, int n)
{
    size_t size = 16;
    while (size < 2 * (size_t)n) size *= 2;
    names->mask = size - 1;
    names->entry = calloc(size, sizeof *names->entry);
    return names->entry != NULL;
}

void fa_names_free(fa_names *names)
{
    free(names->entry);
    names->entry = NULL;
}

// The entry that holds the name, or the free one where it belongs.
static struct fa_names_entry *entry_of(const fa_names *names, const char *name)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char *p = name; *p; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    size_t i = (size_t)(hash ^ hash >> 32) & names->mask;
    while (names->entry[i].name && strcmp(names->entry[i].name, name) != 0)
        i = (i + 1) & names->mask;
    return &names->entry[i];
}

int fa_names_add(fa_names *names, const char *name, int index)
{
    struct fa_names_entry *entry = entry_of(names, name);
    if (entry->name) return entry->index;
    *entry = (struct fa_names_entry){name, index};
    return -1;
}

int fa_names_find(const fa_names *names, const char *name)
{
    const struct fa_names_entry *entry = entry_of(names, name);
    return entry->name ? entry->index : -1;
}

enum { WORD = 64 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

// Optimal string alignment, row by row.
int fa_words_apart(const char *a, const char *b)
{
    int rows[3][WORD + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (strlen(a) >= WORD || strlen(b) >= WORD) return INT_MAX;
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int change = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + change);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_above[j - 2] + 1 < row[j]) row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

bool fa_words_close(const char *word, int apart)
{
    int length = (int)strlen(word);
    return apart <= (length < 4 ? 1 : length < 8 ? 2 : 3);
}
