// Draws random points of elements and reads the golden ones.
#include "element_points.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

void point_fill(const point *p, void *in)
{
    memset(in, 0, p->element->in_size);
    for (int i = 0; i < p->element->n_reals; i++) *fa_element_real(p->element, in, i) = p->real[i];
    for (int i = 0; i < p->element->n_flags; i++) *fa_element_flag(p->element, in, i) = p->flag[i];
}

void point_configure(point *p)
{
    double in[REALS + FLAGS];
    point_fill(p, in);
    p->element->configure(in);
    for (int i = 0; i < p->element->n_flags; i++) p->flag[i] = *fa_element_flag(p->element, in, i);
}

bool point_moves(const point *p, int real)
{
    const fa_item *item = fa_element_item(p->element, FA_ITEM_NUMBER, FA_ITEM_MODE, real);
    return item->kind != FA_ITEM_MODE && !isinf(p->real[real]);
}

// ----------------------------------------------------------------- golden.txt and golden_….txt

static const char *name_end(const char *text)
{
    return text + strcspn(text, "= |\n");
}

// "name=number …" up to a bar: into of[], by the index that find() gives.
static const char *read_numbers(const char *text, const fa_element *e, double of[])
{
    while (*text == ' ') text++;
    while (*text && *text != '|' && *text != '\n') {
        const char *end = name_end(text);
        const int   index = fa_element_real_index(e, text, (size_t)(end - text));
        char       *after;
        assert(index >= 0 && *end == '=');
        of[index] = strtod(end + 1, &after);
        text = after + strspn(after, " ");
    }
    return text;
}

static golden_point read_point(const char *text)
{
    golden_point g;
    char         name[32];
    memset(&g, 0, sizeof g);
    sscanf(text, "%31s", name);
    g.at.element = fa_element_named(name);
    g.at.index = (int)(g.at.element - fa_elements);
    const fa_element *e = g.at.element;
    text = read_numbers(strchr(text, '|') + 1, e, g.at.real);
    text++;
    for (text += strspn(text, " "); *text != '|'; text += strspn(text, " ")) {
        const char *end = name_end(text);
        const int   flag = fa_element_flag_index(e, text, (size_t)(end - text));
        assert(flag >= 0);
        g.at.flag[flag] = 1;
        text = end;
    }
    while (*text == '|') {
        text += 2;
        const char *end = name_end(text);
        const int   r = fa_element_result_index(e, text, (size_t)(end - text));
        assert(r >= 0);
        g.has[r] = true;
        g.value[r] = strtod(end, NULL);
        text = read_numbers(strchr(text, '|') + 1, e, g.by[r]);
    }
    point_configure(&g.at);
    return g;
}

static golden_point *read_points(const char *path, golden_point *all, int *n)
{
    static char line[1 << 15];
    FILE       *file = fopen(path, "r");
    assert(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        all = realloc(all, (size_t)(*n + 1) * sizeof *all);
        all[(*n)++] = read_point(line);
    }
    fclose(file);
    return all;
}

golden_point *golden_points(int *n)
{
    static const char *const paths[] = {
        "model/elements/golden.txt", "model/elements/golden_contact.txt",
        "model/elements/golden_snake.txt", "model/elements/golden_circuit.txt"};
    golden_point *all = NULL;
    *n = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) all = read_points(paths[i], all, n);
    return all;
}

double golden_size(const golden_point *g, int result)
{
    double size = isinf(g->value[result]) ? 1 : fabs(g->value[result]);
    for (int i = 0; i < g->at.element->n_reals; i++)
        if (g->by[result][i] != 0) size = fmax(size, fabs(g->by[result][i] * g->at.real[i]));
    return size > 0 ? size : 1;
}

// ------------------------------------------------------------------------------------------ random

// Every point of an element lies between the golden ones.
point point_random(int element, int variant, uint64_t *seed)
{
    static golden_point *golden;
    static int           n;
    const golden_point  *of[64] = {0};
    point                p;
    int                  found = 0;
    if (!golden) golden = golden_points(&n);
    for (int i = 0; i < n && found < 64; i++)
        if (golden[i].at.index == element) of[found++] = &golden[i];
    memset(&p, 0, sizeof p);
    p.element = &fa_elements[element];
    p.index = element;
    if (!found) { // without equations: a lock, limits
        for (int i = 0; i < p.element->n_reals; i++) p.real[i] = random_in(seed, 0, 1);
        point_configure(&p);
        return p;
    }
    // As the one chosen, with each real that moves between it and another one of the same kind.
    const golden_point *first = of[variant % found], *second = of[(variant / found) % found];
    p = first->at;
    for (int i = 0; i < p.element->n_reals; i++) {
        const double share = random_in(seed, 0, 1), other = second->at.real[i];
        if (!point_moves(&p, i) || p.real[i] == 0 || other == 0 || isinf(other)) continue;
        if (p.real[i] == 1) continue; // of an efficiency: no loss at all
        p.real[i] += share * (other - p.real[i]);
    }
    point_configure(&p);
    return p;
}
