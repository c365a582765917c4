// The tables of elements, made from all.h by one pass for each kind of entry.
#include "elements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "description.h"
#include "laws.h"
#include "number.h"

// ------------------------------------------------------------------------------------------- lists

#define USUAL(x) .usual = (x)
#define AS(a)                                                                                      \
    .usual = NAN, .as = &(const fa_item_as)                                                        \
    {                                                                                              \
        .number = #a                                                                               \
    }
#define AS_SAID(a, b)                                                                              \
    .usual = NAN, .as = &(const fa_item_as)                                                        \
    {                                                                                              \
        .number = #a, .unsaid = #b                                                                 \
    }
#define QUOTIENT(a, b)                                                                             \
    .usual = NAN, .as = &(const fa_item_as)                                                        \
    {                                                                                              \
        .number = #a, .over = #b                                                                   \
    }
#define REQUIRED      .usual = NAN, .required = true
#define ELSEWHERE     .usual = NAN
#define ALWAYS        NULL
#define IF(flag)      #flag
#define SHARED        NULL, .shared = true
#define UP_TO(number) .bound = NAN, .bound_by = #number
#define WITHIN(x)     .bound = (x)
#define FREE          .bound = INFINITY

#define ELEMENT(name, at, xml, about) static const fa_item name##_items[] = {
#define NUMBER(NAME, XML, ROW, UNIT, OTHERWISE, RULE, WHEN, ABOUT)                                 \
    {.kind = FA_ITEM_NUMBER,                                                                       \
     .name = #NAME,                                                                                \
     .xml = XML,                                                                                   \
     .row = ROW,                                                                                   \
     .unit = FA_UNIT_##UNIT,                                                                       \
     OTHERWISE,                                                                                    \
     .rule = FA_RULE_##RULE,                                                                       \
     .when = WHEN,                                                                                 \
     .about = FA_DESCRIPTION(ABOUT)},
#define NUMBER_OF(NAME, ELEMENT) {.kind = FA_ITEM_NUMBER_OF, .name = #NAME, .xml = #ELEMENT},
#define INPUT(NAME, ROW, UNIT, BOUND, WHEN, ABOUT)                                                 \
    {.kind = FA_ITEM_INPUT,                                                                        \
     .name = #NAME,                                                                                \
     .row = ROW,                                                                                   \
     .unit = FA_UNIT_##UNIT,                                                                       \
     .range = &(const fa_item_range){BOUND},                                                       \
     .when = WHEN,                                                                                 \
     .about = FA_DESCRIPTION(ABOUT)},
#define STATE(NAME, ROW, UNIT, NOMINAL, BOUND, WHEN, ABOUT)                                        \
    {.kind = FA_ITEM_STATE,                                                                        \
     .name = #NAME,                                                                                \
     .row = ROW,                                                                                   \
     .unit = FA_UNIT_##UNIT,                                                                       \
     .range = &(const fa_item_range){BOUND, .nominal = NOMINAL},                                   \
     .when = WHEN,                                                                                 \
     .about = FA_DESCRIPTION(ABOUT)},
#define GIVEN(NAME, UNIT, ABOUT)                                                                   \
    {.kind = FA_ITEM_GIVEN, .name = #NAME, .unit = FA_UNIT_##UNIT, .about = FA_DESCRIPTION(ABOUT)},
#define SWITCH(NAME, ROW, ABOUT)                                                                   \
    {.kind = FA_ITEM_SWITCH,                                                                       \
     .name = #NAME,                                                                                \
     .row = ROW,                                                                                   \
     .type = FA_MODE_BOOLEAN,                                                                      \
     .about = FA_DESCRIPTION(ABOUT)},
#define PORT(NAME, XML) {.kind = FA_ITEM_GIVEN, .name = #NAME, .xml = XML, .unit = FA_UNIT_PASCAL},
#define MODE(NAME, ROW, TYPE, UNIT, WHEN, ABOUT)                                                   \
    {.kind = FA_ITEM_MODE,                                                                         \
     .name = #NAME,                                                                                \
     .row = ROW,                                                                                   \
     .type = FA_MODE_##TYPE,                                                                       \
     .unit = FA_UNIT_##UNIT,                                                                       \
     .when = WHEN,                                                                                 \
     .about = FA_DESCRIPTION(ABOUT)},
#define SITE(NAME, ABOUT) {.kind = FA_ITEM_SITE, .name = #NAME, .about = FA_DESCRIPTION(ABOUT)},
#define CHOICE(NAME, XML, NO, YES)                                                                 \
    {.kind = FA_ITEM_CHOICE, .name = #NAME, .xml = XML, .row = NO, .word = YES},
#define FLAG(NAME, CONDITION, ABOUT)                                                               \
    {.kind = FA_ITEM_FLAG, .name = #NAME, .about = FA_DESCRIPTION(ABOUT)},
#define SHORTCUT(NAME, CONDITION) {.kind = FA_ITEM_SHORTCUT, .name = #NAME},
#define TABLE(NAME, XML, ABOUT)                                                                    \
    {.kind = FA_ITEM_TABLE, .name = #NAME, .xml = XML, .about = FA_DESCRIPTION(ABOUT)},
#define TURNING(FLAG) {.kind = FA_ITEM_TURNING, .name = #FLAG},
#define PRESENCE(XML, NO, YES)                                                                     \
    {.kind = FA_ITEM_PRESENCE, .name = "", .xml = XML, .row = NO, .word = YES},
#define BETWEEN(FLOW, FROM, TO)   {.kind = FA_ITEM_BETWEEN, .name = #FLOW, .xml = #FROM, .word = #TO},
#define RULE(CONDITION, SENTENCE) {.kind = FA_ITEM_RULE, .name = "", .about = SENTENCE},
#define RESULT(NAME, KIND, ROW, UNIT, WHEN, ABOUT)                                                 \
    {.kind = FA_ITEM_RESULT,                                                                       \
     .name = #NAME,                                                                                \
     .type = FA_RESULT_##KIND,                                                                     \
     .row = ROW,                                                                                   \
     .unit = FA_UNIT_##UNIT,                                                                       \
     .when = WHEN,                                                                                 \
     .about = FA_DESCRIPTION(ABOUT)},
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"

// --------------------------------------------------------------------------------- flags and rules

#define TAKE(type, name)                                                                           \
    const type name = s->name;                                                                     \
    (void)name;
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_configure(void *in)                                                         \
    {                                                                                              \
        fa_##name##_in *s = in;                                                                    \
        (void)s;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(double, name)
#define NUMBER_OF(name, element)                                   TAKE(double, name)
#define SITE(name, about)                                          TAKE(bool, name)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name)
#define FLAG(name, condition, about)                                                               \
    const bool name = s->name = (condition);                                                       \
    (void)name;
#define SHORTCUT(name, condition) s->name = (condition);
#define END(name)                 }
#include "passes.h"

#define ELEMENT(name, at, xml, about)                                                              \
    static const char *name##_broken(const void *in)                                               \
    {                                                                                              \
        const fa_##name##_in *s = in;                                                              \
        (void)s;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(double, name)
#define NUMBER_OF(name, element)                                   TAKE(double, name)
#define SITE(name, about)                                          TAKE(bool, name)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name)
#define FLAG(name, condition, about)                               TAKE(bool, name)
#define RULE(condition, sentence)                                                                  \
    if (!(condition)) return sentence;
#define END(name)                                                                                  \
    return NULL;                                                                                   \
    }
#include "passes.h"
#undef TAKE

// ------------------------------------------------------------------------------------- the table

// Numbers of items of each kind of an element, counted by the compiler.
#define ELEMENT(name, at, xml, about)                              enum { name##_numbers = 0
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about)              enum { name##_inputs = 0
#define INPUT(name, row, unit, bound, when, about) +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about) enum { name##_choices = 0
#define CHOICE(name, xml, no, yes)    +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about) enum { name##_everywhere = 0
#define EVERYWHERE()                  +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about) enum { name##_tunable = 0
#define TUNABLE()                     +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about)                              enum { name##_reals = 0
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) +1
#define NUMBER_OF(name, element)                                   +1
#define INPUT(name, row, unit, bound, when, about)                 +1
#define STATE(name, row, unit, nominal, bound, when, about)        +1
#define GIVEN(name, unit, about)                                   +1
#define MODE(name, row, type, unit, when, about)                   +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about) enum { name##_flags = 0
#define SITE(name, about)             +1
#define CHOICE(name, xml, no, yes)    +1
#define FLAG(name, condition, about)  +1
#define SHORTCUT(name, condition)     +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about) enum { name##_tables = 0
#define TABLE(name, xml, about)       +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define ELEMENT(name, at, xml, about)              enum { name##_results = 0
#define RESULT(name, kind, row, unit, when, about) +1
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"

const fa_element fa_elements[] = {
#define ELEMENT(NAME, AT, XML, ABOUT)                                                              \
    {.name = #NAME,                                                                                \
     .xml = XML,                                                                                   \
     .about = ABOUT,                                                                               \
     .at = FA_AT_##AT,                                                                             \
     .item = NAME##_items,                                                                         \
     .n_items = (int)(sizeof NAME##_items / sizeof *NAME##_items),                                 \
     .everywhere = NAME##_everywhere,                                                              \
     .tunable = NAME##_tunable,                                                                    \
     .n_numbers = NAME##_numbers,                                                                  \
     .n_inputs = NAME##_inputs,                                                                    \
     .n_choices = NAME##_choices,                                                                  \
     .n_reals = NAME##_reals,                                                                      \
     .n_flags = NAME##_flags,                                                                      \
     .n_tables = NAME##_tables,                                                                    \
     .n_results = NAME##_results,                                                                  \
     .in_size = sizeof(fa_##NAME##_in),                                                            \
     .out_size = sizeof(fa_##NAME##_out),                                                          \
     .configure = NAME##_configure,                                                                \
     .broken = NAME##_broken},
#include "passes.h"
};
const int fa_element_count = sizeof fa_elements / sizeof *fa_elements;

const fa_element *fa_element_named(const char *name)
{
    for (int i = 0; i < fa_element_count; i++)
        if (strcmp(fa_elements[i].name, name) == 0) return &fa_elements[i];
    return NULL;
}

double *fa_element_real(const fa_element *element, void *in, int index)
{
    (void)element;
    return (double *)in + index;
}

bool *fa_element_flag(const fa_element *element, void *in, int index)
{
    return (bool *)((char *)in + (size_t)element->n_reals * sizeof(double)) + index;
}

static bool flag_of(const fa_element *element, const void *in, int index)
{
    return ((const bool *)((const char *)in + (size_t)element->n_reals * sizeof(double)))[index];
}

static int index_of(const fa_element *element, fa_item_kind from, fa_item_kind to, const char *name,
                    size_t length)
{
    for (int i = 0, k = 0; i < element->n_items; i++) {
        const fa_item *item = &element->item[i];
        if (item->kind < from || item->kind > to) continue;
        if (strlen(item->name) == length && memcmp(item->name, name, length) == 0) return k;
        k++;
    }
    return -1;
}

int fa_element_real_index(const fa_element *element, const char *name, size_t length)
{
    return index_of(element, FA_ITEM_NUMBER, FA_ITEM_MODE, name, length);
}

int fa_element_flag_index(const fa_element *element, const char *name, size_t length)
{
    return index_of(element, FA_ITEM_SITE, FA_ITEM_SHORTCUT, name, length);
}

int fa_element_table_index(const fa_element *element, const char *name, size_t length)
{
    return index_of(element, FA_ITEM_TABLE, FA_ITEM_TABLE, name, length);
}

int fa_element_result_index(const fa_element *element, const char *name, size_t length)
{
    return index_of(element, FA_ITEM_RESULT, FA_ITEM_RESULT, name, length);
}

const fa_item *fa_element_item(const fa_element *element, fa_item_kind from, fa_item_kind to,
                               int index)
{
    for (int i = 0; i < element->n_items; i++)
        if (element->item[i].kind >= from && element->item[i].kind <= to && index-- == 0)
            return &element->item[i];
    return NULL;
}

bool fa_element_has(const fa_element *element, const fa_item *item, const void *in)
{
    return !item->when ||
           flag_of(element, in, fa_element_flag_index(element, item->when, strlen(item->when)));
}

// -------------------------------------------------------------------------------- units and texts

static bool is_turning(const fa_element *element, const void *in)
{
    const fa_item *item = fa_element_item(element, FA_ITEM_TURNING, FA_ITEM_TURNING, 0);
    return item && in &&
           flag_of(element, in, fa_element_flag_index(element, item->name, strlen(item->name)));
}

fa_unit fa_element_unit(const fa_element *element, const fa_item *item, const void *in, bool slides)
{
    static const struct {
        fa_unit turns, slides;
    } of_place[] = {
#define X(code, turns, slides) {turns, slides},
        FA_PLACE_UNIT_LIST(X)
#undef X
    };
    if (item->unit < FA_UNIT_COUNT) return (fa_unit)item->unit;
    const bool turns = !slides || (item->kind == FA_ITEM_NUMBER && is_turning(element, in));
    return turns ? of_place[item->unit - FA_UNIT_COUNT].turns
                 : of_place[item->unit - FA_UNIT_COUNT].slides;
}

static bool is_set(const fa_element *element, const void *in, bool slides, const char *name,
                   size_t length)
{
    const int index = fa_element_flag_index(element, name, length);
    if (length == 6 && memcmp(name, "slides", 6) == 0) return slides;
    return in && index >= 0 && flag_of(element, in, index);
}

// Formats the number of an element that is named between braces, into `out` from n on.
static size_t put_number(const fa_element *element, const char *name, size_t length, const void *in,
                         char out[], size_t n, size_t size)
{
    const int index = fa_element_real_index(element, name, length);
    const int more =
        snprintf(out + n, size - n, "%s",
                 in && index >= 0 ? fa_number_text(((const double *)in)[index]).text : "");
    return n + (size_t)more < size ? n + (size_t)more : size - 1;
}

void fa_item_text(const fa_element *element, const char *text, const void *in, bool slides,
                  const char *owner, char out[], size_t size)
{
    size_t n = 0;
    bool   shown = true, yes = false; // yes: the text before the colon is used
    for (const char *c = text; *c && n + 1 < size; c++) {
        if (*c == '[') {
            const char *end = strchr(c, '?');
            shown = yes = is_set(element, in, slides, c + 1, (size_t)(end - c) - 1);
            c = end;
        } else if (*c == ':' && strchr(c, ']')) {
            shown = !yes;
        } else if (*c == ']') {
            shown = true;
        } else if (*c == '{') {
            const size_t length = strcspn(c + 1, "}");
            if (shown) n = put_number(element, c + 1, length, in, out, n, size);
            c += length + 1;
        } else if (shown && c[0] == '%' && c[1] == 's') {
            const int length = snprintf(out + n, size - n, "%s", owner);
            n = n + (size_t)length < size ? n + (size_t)length : size - 1;
            c++;
        } else if (shown) {
            out[n++] = *c;
        }
    }
    out[n] = '\0';
}

// ------------------------------------------------------------------------------- numbers and rules

double fa_element_usual(const fa_element *element, const fa_item *item, void *in, const bool said[])
{
    if (!item->as) return item->usual;
    const fa_item_as *a = item->as;
    const int         as = fa_element_real_index(element, a->number, strlen(a->number));
    if (a->over) {
        const int    over = fa_element_real_index(element, a->over, strlen(a->over));
        const double by = *fa_element_real(element, in, over);
        return by != 0 ? *fa_element_real(element, in, as) / by : NAN;
    }
    if (said[as] || !a->unsaid) return *fa_element_real(element, in, as);
    const int other = fa_element_real_index(element, a->unsaid, strlen(a->unsaid));
    return *fa_element_real(element, in, other);
}

static bool keeps(fa_item_rule rule, double x)
{
    switch (rule) {
#define X(code, holds, text)                                                                       \
    case FA_RULE_##code:                                                                           \
        return holds;
        FA_ITEM_RULE_LIST(X)
#undef X
    }
    return false;
}

static const char *const rule_text[] = {
#define X(code, holds, text) text,
    FA_ITEM_RULE_LIST(X)
#undef X
};

fa_status fa_item_rule_check(fa_item_rule rule, double x, const char *name, const char *owner,
                             const char *source, fa_place place, fa_error *error)
{
    if (keeps(rule, x)) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, source, place, "the %s of %s is %s; it must be %s", name,
                   owner, fa_number_text(x).text, rule_text[rule]);
}

// Checks each number. One whose condition is not met has its default, which may be infinite: none.
static fa_status check_each_number(const fa_element *element, const void *in, const char *owner,
                                   const char *source, fa_place place, fa_error *error)
{
    for (int i = 0; i < element->n_items && element->item[i].kind == FA_ITEM_NUMBER; i++) {
        const fa_item *item = &element->item[i];
        const double   x = ((const double *)in)[i];
        if (x == item->usual) continue;
        const fa_status status =
            fa_item_rule_check((fa_item_rule)item->rule, x, item->row, owner, source, place, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

fa_status fa_element_check(const fa_element *element, const void *in, const char *owner,
                           const char *source, fa_place place, fa_error *error)
{
    char        said[512];
    fa_status   status = check_each_number(element, in, owner, source, place, error);
    const char *sentence = status == FA_OK ? element->broken(in) : NULL;
    if (!sentence) return status;
    fa_item_text(element, sentence, in, false, owner, said, sizeof said);
    return fa_fail(error, FA_BAD_INPUT, source, place, "%s", said);
}

fa_status fa_element_configure(const fa_element *element, void *in, const char *owner,
                               fa_error *error)
{
    double as_told[128]; // a block of an element with its flags
    memcpy(as_told, in, element->in_size);
    element->configure(as_told);
    for (int i = 0, k = 0; i < element->n_items; i++) {
        const fa_item *item = &element->item[i];
        if (item->kind < FA_ITEM_SITE || item->kind > FA_ITEM_SHORTCUT) continue;
        const int  flag = k++;
        const bool told = flag_of(element, as_told, flag);
        if (item->kind == FA_ITEM_FLAG && told != flag_of(element, in, flag))
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "with these parameters the %s of %s would %s %s, which decides what "
                           "there is and stays as it was exported; change it in the robot's file",
                           element->about, owner, told ? "get" : "lose", item->about);
        if (item->kind == FA_ITEM_SHORTCUT) *fa_element_flag(element, in, flag) = told;
    }
    return fa_element_check(element, in, owner, NULL, FA_NOWHERE, error);
}
