// xacro.load_yaml: a YAML file as dicts, lists and scalars, read by libyaml. Plain scalars mean
// what PyYAML takes them for, that is YAML 1.1: yes and on are truths, 1e-3 is a text.
#include <math.h>
#include <string.h>
#include <yaml.h>

#include "expansion.h"
#include "number.h"
#include "source.h"

typedef struct reading {
    fa_xacro        *x;
    const char      *path;
    yaml_document_t *document;
    fa_xacro_value  *done; // of each node; nodes with several names are converted once
    char            *state;
    int              n, depth;
} reading;

enum { NEW, UNDER_WAY, DONE };

static _Noreturn void halt_at(const reading *r, const yaml_node_t *node, const char *why)
{
    fa_xacro_halt(r->x, "%.300s, line %d: %s", r->path, node ? (int)node->start_mark.line + 1 : 0,
                  why);
}

static bool is_one_of(const char *text, const char *const list[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, list[i]) == 0) return true;
    return false;
}

static fa_xacro_wide digits(const char *text, int base, bool *fits)
{
    fa_xacro_wide value = 0;
    for (; *text; text++) {
        if (*text == '_') continue;
        const int digit = *text <= '9' ? *text - '0' : (*text | 0x20) - 'a' + 10;
        *fits &= !__builtin_mul_overflow(value, (fa_xacro_wide)base, &value) &&
                 !__builtin_add_overflow(value, (fa_xacro_wide)digit, &value);
    }
    return value;
}

static bool only(const char *text, const char *of)
{
    return *text && text[strspn(text, of)] == '\0' && text[strspn(text, "_")] != '\0';
}

static bool read_integer(const char *text, fa_xacro_value *v)
{
    const char   *t = text + (*text == '-' || *text == '+');
    bool          fits = true;
    fa_xacro_wide n;
    if (t[0] == '0' && t[1] == 'b' && only(t + 2, "01_"))
        n = digits(t + 2, 2, &fits);
    else if (t[0] == '0' && t[1] == 'x' && only(t + 2, "0123456789abcdefABCDEF_"))
        n = digits(t + 2, 16, &fits);
    else if (t[0] == '0' && t[1] && only(t + 1, "01234567_"))
        n = digits(t + 1, 8, &fits);
    else if ((t[0] == '0' && !t[1]) || (t[0] >= '1' && t[0] <= '9' && only(t, "0123456789_")))
        n = digits(t, 10, &fits);
    else if (t[0] >= '1' && t[0] <= '9' && strchr(t, ':')) { // 1:30 is 90
        n = 0;
        for (const char *p = t; *p && fits;) {
            const size_t size = strcspn(p, ":");
            if (size == 0 || (p > t && (size > 2 || (size == 2 && *p > '5')))) return false;
            fa_xacro_wide part = 0;
            for (size_t i = 0; i < size; i++) {
                if (p[i] == '_' && p == t) continue;
                if (p[i] < '0' || p[i] > '9') return false;
                part = 10 * part + (p[i] - '0');
                if (part > 1000000000) return false;
            }
            fits &= !__builtin_mul_overflow(n, (fa_xacro_wide)60, &n) &&
                    !__builtin_add_overflow(n, part, &n);
            p += size;
            if (*p == ':' && !*++p) return false;
        }
    } else {
        return false;
    }
    if (!fits) return false;
    *v = fa_xacro_of_int(*text == '-' ? -n : n);
    return true;
}

// A point is needed, and a sign in the exponent.
static bool read_float(fa_xacro *x, const char *text, fa_xacro_value *v)
{
    const char              *t = text + (*text == '-' || *text == '+');
    static const char *const inf[] = {".inf", ".Inf", ".INF"}, *const nan[] = {".nan", ".NaN",
                                                                               ".NAN"};
    if (is_one_of(t, inf, 3)) {
        *v = fa_xacro_of_float(*text == '-' ? -INFINITY : INFINITY);
        return true;
    }
    if (is_one_of(text, nan, 3)) {
        *v = fa_xacro_of_float(NAN);
        return true;
    }
    const size_t before = strspn(t, "0123456789_");
    if (t[before] != '.' || (before && t[0] == '_')) return false;
    const size_t after = strspn(t + before + 1, "0123456789_");
    const char  *rest = t + before + 1 + after;
    if (before == 0 && (after == 0 || t[1] == '_' || t != text)) return false;
    if (*rest) {
        if ((*rest | 0x20) != 'e' || (rest[1] != '-' && rest[1] != '+')) return false;
        if (!rest[2] || rest[2 + strspn(rest + 2, "0123456789")]) return false;
    }
    fa_xacro_builder plain = {.n = 0};
    for (const char *p = text; *p; p++)
        if (*p != '_') fa_xacro_build(x, &plain, p, 1);
    double number;
    if (fa_number_read(fa_xacro_built(x, &plain), plain.n, &number) != plain.n) return false;
    *v = fa_xacro_of_float(number);
    return true;
}

static fa_xacro_value plain_scalar(fa_xacro *x, const char *text)
{
    static const char *const yes[] = {"yes",  "Yes", "YES", "true", "True",
                                      "TRUE", "on",  "On",  "ON"};
    static const char *const no[] = {"no",    "No",  "NO",  "false", "False",
                                     "FALSE", "off", "Off", "OFF"};
    static const char *const nothing[] = {"", "~", "null", "Null", "NULL"};
    fa_xacro_value           v;
    if (is_one_of(text, yes, 9)) return fa_xacro_of_bool(true);
    if (is_one_of(text, no, 9)) return fa_xacro_of_bool(false);
    if (is_one_of(text, nothing, 5)) return FA_NONE;
    if (read_integer(text, &v) || read_float(x, text, &v)) return v;
    return fa_xacro_of_text(text);
}

static fa_xacro_value scalar(const reading *r, const yaml_node_t *node)
{
    static const struct {
        const char *tag;
        double      factor;
    } unit[] = {{"!radians", 1},   {"!degrees", 3.141592653589793 / 180},
                {"!meters", 1},    {"!millimeters", 0.001},
                {"!foot", 0.3048}, {"!inches", 0.0254}};
    const char *tag = (const char *)node->tag;
    const char *text =
        fa_xacro_kept(r->x, (const char *)node->data.scalar.value, node->data.scalar.length);
    if (strlen(text) != node->data.scalar.length) halt_at(r, node, "there is a NUL byte");
    for (size_t i = 0; tag && i < sizeof unit / sizeof *unit; i++) {
        if (strcmp(tag, unit[i].tag) != 0) continue;
        const fa_xacro_value v = fa_xacro_evaluate(r->x, text, NULL);
        double               number;
        if (fa_xacro_is_number(&v))
            number = fa_xacro_double(&v);
        else if (v.kind != FA_VALUE_TEXT || !fa_xacro_read_float(v.is.text, &number))
            halt_at(r, node, "a quantity with a unit is no number");
        return fa_xacro_of_float(number * unit[i].factor);
    }
    if (tag && strcmp(tag, YAML_STR_TAG) != 0)
        halt_at(r, node,
                "this tag is not read here; !radians, !degrees, !meters, !millimeters, "
                "!foot and !inches are");
    return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain_scalar(r->x, text)
                                                              : fa_xacro_of_text(text);
}

static fa_xacro_value convert(reading *r, int index);

static fa_xacro_value mapping(reading *r, const yaml_node_t *node)
{
    fa_xacro_value dict = fa_xacro_dict_new(r->x);
    dict.is.dict->dotted = true;
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        const fa_xacro_value key = convert(r, p->key);
        if (key.kind == FA_VALUE_TEXT && strcmp(key.is.text, "<<") == 0)
            halt_at(r, node, "merging with << is not read here; write the keys out");
        fa_xacro_dict_put(r->x, dict.is.dict, key, convert(r, p->value));
    }
    return dict;
}

static fa_xacro_value sequence(reading *r, const yaml_node_t *node)
{
    const yaml_node_item_t *first = node->data.sequence.items.start;
    const int               n = (int)(node->data.sequence.items.top - first);
    fa_xacro_value          list = fa_xacro_list_new(r->x, FA_VALUE_LIST, n);
    for (int i = 0; i < n; i++) list.is.list->of[i] = convert(r, first[i]);
    return list;
}

static fa_xacro_value convert(reading *r, int index)
{
    const yaml_node_t *node = yaml_document_get_node(r->document, index);
    if (!node || index > r->n) return FA_NONE;
    if (r->state[index - 1] == DONE) return r->done[index - 1];
    if (r->state[index - 1] == UNDER_WAY) halt_at(r, node, "a node is a part of itself");
    if (++r->depth > FA_XACRO_DEPTH) halt_at(r, node, "it is nested too deep");
    r->state[index - 1] = UNDER_WAY;
    const bool  is_scalar = node->type == YAML_SCALAR_NODE;
    const char *usual = node->type == YAML_MAPPING_NODE ? YAML_MAP_TAG : YAML_SEQ_TAG;
    if (!is_scalar && node->tag && strcmp((const char *)node->tag, usual) != 0)
        halt_at(r, node, "this tag is not read here");
    r->done[index - 1] = is_scalar                         ? scalar(r, node)
                         : node->type == YAML_MAPPING_NODE ? mapping(r, node)
                                                           : sequence(r, node);
    r->state[index - 1] = DONE;
    r->depth--;
    return r->done[index - 1];
}

fa_xacro_value fa_xacro_yaml_parse(fa_xacro *x, const char *bytes, size_t size, const char *path)
{
    yaml_parser_t   *parser = fa_xacro_take(x, sizeof *parser);
    yaml_document_t *document = fa_xacro_take(x, sizeof *document),
                    *second = fa_xacro_take(x, sizeof *second);
    if (!yaml_parser_initialize(parser)) fa_xacro_leave(x, FA_NO_MEMORY);
    x->open_yaml_parser = parser;
    yaml_parser_set_input_string(parser, (const unsigned char *)bytes, size);
    if (!yaml_parser_load(parser, document)) {
        if (parser->error == YAML_MEMORY_ERROR) fa_xacro_leave(x, FA_NO_MEMORY);
        fa_xacro_halt(x, "%.300s, line %d: this is not YAML: %.200s", path,
                      (int)parser->problem_mark.line + 1, parser->problem ? parser->problem : "");
    }
    x->open_yaml = document;
    fa_xacro_value value = FA_NONE;
    if (yaml_document_get_root_node(document)) {
        reading r = {.x = x, .path = path, .document = document};
        r.n = (int)(document->nodes.top - document->nodes.start);
        r.done = fa_xacro_take(x, (size_t)r.n * sizeof *r.done);
        r.state = fa_xacro_take(x, (size_t)r.n);
        value = convert(&r, 1);
        const bool whole = yaml_parser_load(parser, second) != 0;
        const bool more = whole && yaml_document_get_root_node(second);
        if (whole) yaml_document_delete(second);
        if (!whole || more)
            fa_xacro_halt(
                x, "%.300s: there is more after the first document, which is not read here", path);
    }
    yaml_document_delete(document);
    yaml_parser_delete(parser);
    x->open_yaml = x->open_yaml_parser = NULL;
    return value;
}

fa_xacro_value fa_xacro_yaml_load(fa_xacro *x, const char *name)
{
    const char *path = fa_xacro_from_here(x, name);
    size_t      size;
    if (++x->n_read > FA_XACRO_FILES)
        fa_xacro_halt(x, "more than %d files are read; no robot needs that", FA_XACRO_FILES);
    fa_xacro_must_be_near(x, path);
    fa_xacro_open_read(x, path, &size);
    const fa_xacro_value value = fa_xacro_yaml_parse(x, x->open_bytes, size, path);
    fa_xacro_open_release(x);
    return value;
}
