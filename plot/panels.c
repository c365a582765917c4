// Groups curves of one unit into panels and derives titles.
#include "panels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t fa_name_part(const char *name, int part, const char **begin)
{
    for (; part > 0 && *name; part--) {
        name += strcspn(name, ".");
        name += *name == '.';
    }
    *begin = name;
    return strcspn(name, ".");
}

static int count_parts(const char *name)
{
    int n = 1;
    for (; *name; name++) n += *name == '.';
    return n;
}

// Returns true if two names are equal except for one part. `among`: number of parts.
static bool differ_only_in(const char *a, const char *b, int part, int parts)
{
    for (int i = 0; i < parts; i++) {
        const char *x, *y;
        size_t      m = fa_name_part(a, i, &x), n = fa_name_part(b, i, &y);
        bool        same = m == n && memcmp(x, y, n) == 0;
        if (same == (i == part)) return false;
    }
    return true;
}

static bool fits(const fa_plot *plot, int a, int b, int part, int parts)
{
    const fa_series *x = &plot->series[a], *y = &plot->series[b];
    return !x->apart && !y->apart && strcmp(x->unit, y->unit) == 0 &&
           count_parts(y->name) == parts && differ_only_in(x->name, y->name, part, parts);
}

// The part in which most of the free curves differ from this one; the leftmost if there are
// several: it is what a name is about, and the parts behind say what of it.
static int choose_part(const fa_plot *plot, const bool taken[], int first, int parts)
{
    int best = -1, most = 0;
    for (int part = 0; part < parts; part++) {
        int n = 0;
        for (int i = first + 1; i < plot->n_series; i++)
            n += !taken[i] && fits(plot, first, i, part, parts);
        if (n > most) best = part, most = n;
    }
    return best;
}

// Returns the length of the common prefix or suffix of all names of the panel, within their part.
static size_t common(const fa_plot *plot, const fa_panel *panel, bool at_end)
{
    const char *a;
    size_t      m = fa_name_part(plot->series[panel->series[0]].name, panel->part, &a), least = m;
    for (int i = 1; i < panel->n; i++) {
        const char *b;
        size_t      n = fa_name_part(plot->series[panel->series[i]].name, panel->part, &b), k = 0;
        while (k < m && k < n && (at_end ? a[m - 1 - k] == b[n - 1 - k] : a[k] == b[k])) k++;
        if (k < least) least = k;
    }
    return least;
}

// "joint.*.position", "link*.angle"; where only the star would be left, "x, y".
static void name_pattern(const fa_plot *plot, fa_panel *panel)
{
    const char *name = plot->series[panel->series[0]].name;
    char       *out = panel->pattern;
    size_t      length = 0, size = sizeof panel->pattern;
    for (int i = 0; i < panel->parts && length + 2 < size; i++) {
        const char *text;
        size_t      n = fa_name_part(name, i, &text);
        if (i > 0) out[length++] = '.';
        if (i != panel->part) {
            length += (size_t)snprintf(out + length, size - length, "%.*s", (int)n, text);
            continue;
        }
        size_t head = common(plot, panel, false), tail = common(plot, panel, true);
        if (tail > n - head) tail = n - head;
        length += (size_t)snprintf(out + length, size - length, "%.*s*%.*s", (int)head, text,
                                   (int)tail, text + n - tail);
    }
    if (strcmp(out, "*") != 0) return;
    enum { NAMES = 4 };
    for (int i = 0, used = 0; i < panel->n && i <= NAMES && used + 4 < (int)size; i++)
        used += snprintf(out + used, size - (size_t)used, "%s%s", i > 0 ? ", " : "",
                         i < NAMES ? plot->series[panel->series[i]].name : "\u2026");
}

fa_status fa_panels_of(const fa_plot *plot, fa_panels *panels, fa_error *error)
{
    size_t n = (size_t)plot->n_series;
    *panels = (fa_panels){.n = 0};
    panels->of = calloc(n + 1, sizeof *panels->of);
    panels->series = calloc(n + 1, sizeof *panels->series);
    bool *taken = calloc(n + 1, sizeof *taken);
    if (!panels->of || !panels->series || !taken) {
        free(taken);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the plot");
    }
    int *next = panels->series;
    for (int i = 0; i < plot->n_series; i++) {
        if (taken[i]) continue;
        const char *name = plot->series[i].name;
        fa_panel   *panel = &panels->of[panels->n++];
        panel->parts = count_parts(name);
        panel->part = choose_part(plot, taken, i, panel->parts);
        panel->series = next;
        for (int k = i; k < plot->n_series; k++) {
            if (taken[k] || (k != i && !fits(plot, i, k, panel->part, panel->parts))) continue;
            taken[k] = true;
            panel->series[panel->n++] = k;
        }
        next += panel->n;
        name_pattern(plot, panel);
    }
    free(taken);
    return FA_OK;
}

void fa_panels_free(fa_panels *panels)
{
    free(panels->of);
    free(panels->series);
    *panels = (fa_panels){.n = 0};
}
