// Python's own functions of lists that expressions may call.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "expansion.h"

static fa_xacro_value length(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    (void)self;
    if (with->of[0].kind == FA_VALUE_TEXT)
        return fa_xacro_of_int((fa_xacro_wide)fa_xacro_characters(with->of[0].is.text));
    return fa_xacro_of_int(fa_xacro_elements_of(x, &with->of[0]).is.list->n);
}

static fa_xacro_value range(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    fa_xacro_wide part[3] = {0, 0, 1};
    (void)self;
    for (int i = 0; i < with->n; i++) {
        if (!fa_xacro_is_integral(&with->of[i])) fa_xacro_halt(x, "range(…) needs integers");
        part[with->n == 1 ? 1 : i] = fa_xacro_integer(&with->of[i]);
        if (part[with->n == 1 ? 1 : i] > INT64_MAX || part[with->n == 1 ? 1 : i] < INT64_MIN)
            fa_xacro_halt(x, "range(…) is too long");
    }
    if (part[2] == 0) fa_xacro_halt(x, "the step of range(…) is 0");
    fa_xacro_wide n = part[2] > 0 ? (part[1] - part[0] + part[2] - 1) / part[2]
                                  : (part[0] - part[1] - part[2] - 1) / -part[2];
    if (n < 0) n = 0;
    fa_xacro_value list =
        fa_xacro_list_new(x, FA_VALUE_RANGE, n > FA_XACRO_LENGTH ? FA_XACRO_LENGTH + 1 : (int)n);
    for (int i = 0; i < (int)n; i++) list.is.list->of[i] = fa_xacro_of_int(part[0] + i * part[2]);
    list.is.list->start = part[0];
    list.is.list->stop = part[1];
    list.is.list->step = part[2];
    return list;
}

static fa_xacro_value copied(fa_xacro *x, const fa_xacro_value *of)
{
    const fa_xacro_value from = fa_xacro_elements_of(x, of);
    fa_xacro_value       list = fa_xacro_list_new(x, FA_VALUE_LIST, from.is.list->n);
    for (int i = 0; i < from.is.list->n; i++) list.is.list->of[i] = from.is.list->of[i];
    return list;
}

// A merge sort: equal ones keep their order, and it takes no longer for any list.
static void sort(fa_xacro *x, fa_xacro_value *of, fa_xacro_value *room, int n, int sense)
{
    const int half = n / 2;
    if (n < 2) return;
    sort(x, of, room, half, sense);
    sort(x, of + half, room, n - half, sense);
    memcpy(room, of, (size_t)n * sizeof *of);
    for (int i = 0, a = 0, b = half; i < n; i++) {
        const bool second =
            a == half || (b < n && sense * fa_xacro_order(x, &room[b], &room[a]) < 0);
        of[i] = second ? room[b++] : room[a++];
    }
}

static fa_xacro_value sorted(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    fa_xacro_value        list = copied(x, &with->of[0]);
    const fa_xacro_value *reverse = fa_xacro_keyword(with, "reverse");
    (void)self;
    if (fa_xacro_keyword(with, "key"))
        fa_xacro_halt(x, "sorted(…) with a key is more of Python than is read here");
    sort(x, list.is.list->of, fa_xacro_take(x, (size_t)list.is.list->n * sizeof *list.is.list->of),
         list.is.list->n, reverse && fa_xacro_truth(reverse) ? -1 : 1);
    return list;
}

static fa_xacro_value reversed(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const fa_xacro_value from = fa_xacro_elements_of(x, &with->of[0]);
    fa_xacro_value       list = fa_xacro_list_new(x, FA_VALUE_LIST, from.is.list->n);
    (void)self;
    for (int i = 0; i < from.is.list->n; i++)
        list.is.list->of[i] = from.is.list->of[from.is.list->n - 1 - i];
    return list;
}

static fa_xacro_value total(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const fa_xacro_value list = fa_xacro_elements_of(x, &with->of[0]);
    fa_xacro_value       sum = with->n > 1 ? with->of[1] : fa_xacro_of_int(0);
    (void)self;
    if (sum.kind == FA_VALUE_TEXT)
        fa_xacro_halt(x, "sum(…) adds no texts; ''.join(…) puts them together");
    for (int i = 0; i < list.is.list->n; i++)
        sum = fa_xacro_binary(x, FA_OP_ADD, &sum, &list.is.list->of[i]);
    return sum;
}

// any and all
static fa_xacro_value any_or_all(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    const fa_xacro_value list = fa_xacro_elements_of(x, &with->of[0]);
    const bool           any = self->name[1] == 'n';
    for (int i = 0; i < list.is.list->n; i++)
        if (fa_xacro_truth(&list.is.list->of[i]) == any) return fa_xacro_of_bool(any);
    return fa_xacro_of_bool(!any);
}

// zip, and map with several lists
static fa_xacro_value tuples(fa_xacro *x, const fa_xacro_value *of, int n_lists)
{
    fa_xacro_value *list = fa_xacro_take(x, (size_t)n_lists * sizeof *list);
    int             n = n_lists ? FA_XACRO_LENGTH : 0;
    for (int k = 0; k < n_lists; k++) {
        list[k] = fa_xacro_elements_of(x, &of[k]);
        if (list[k].is.list->n < n) n = list[k].is.list->n;
    }
    fa_xacro_value all = fa_xacro_list_new(x, FA_VALUE_LIST, n);
    for (int i = 0; i < n; i++) {
        all.is.list->of[i] = fa_xacro_list_new(x, FA_VALUE_TUPLE, n_lists);
        for (int k = 0; k < n_lists; k++)
            all.is.list->of[i].is.list->of[k] = list[k].is.list->of[i];
    }
    return all;
}

static fa_xacro_value zipped(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    (void)self;
    return tuples(x, with->of, with->n);
}

static fa_xacro_value mapped(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    const fa_xacro_value rows = tuples(x, with->of + 1, with->n - 1);
    (void)self;
    for (int i = 0; i < rows.is.list->n; i++) {
        const fa_xacro_values *row = rows.is.list->of[i].is.list;
        rows.is.list->of[i] =
            fa_xacro_apply(x, &with->of[0], &(fa_xacro_given){.n = row->n, .of = row->of});
    }
    return rows;
}

static fa_xacro_value enumerated(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    const fa_xacro_value  list = fa_xacro_elements_of(x, &with->of[0]);
    const fa_xacro_value *start = with->n > 1 ? &with->of[1] : fa_xacro_keyword(with, "start");
    if (start && !fa_xacro_is_integral(start))
        fa_xacro_halt(x, "enumerate(…) needs a whole number to start from");
    const fa_xacro_wide first = start ? fa_xacro_integer(start) : 0;
    fa_xacro_value      all = fa_xacro_list_new(x, FA_VALUE_LIST, list.is.list->n);
    (void)self;
    for (int i = 0; i < list.is.list->n; i++) {
        all.is.list->of[i] = fa_xacro_list_new(x, FA_VALUE_TUPLE, 2);
        all.is.list->of[i].is.list->of[0] = fa_xacro_of_int(first + i);
        all.is.list->of[i].is.list->of[1] = list.is.list->of[i];
    }
    return all;
}

#define BOTH(name, least, most, run)                                                               \
    {                                                                                              \
#name, FA_IN_PYTHON | FA_BARE, least, most, run, NULL                                      \
    }
#define PYTHON(name, least, most, run)                                                             \
    {                                                                                              \
#name, FA_IN_PYTHON, least, most, run, NULL                                                \
    }
const fa_xacro_function fa_xacro_list_functions[] = {
    BOTH(map, 2, 9, mapped),       BOTH(len, 1, 1, length),
    BOTH(sorted, 1, 1, sorted),    BOTH(range, 1, 3, range),
    PYTHON(sum, 1, 2, total),      PYTHON(any, 1, 1, any_or_all),
    PYTHON(all, 1, 1, any_or_all), PYTHON(enumerate, 1, 2, enumerated),
    PYTHON(zip, 0, 9, zipped),     PYTHON(reversed, 1, 1, reversed),
    {NULL, 0, 0, 0, NULL, NULL}};
