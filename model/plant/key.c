// Composes variables' names from keys; the only place that knows how names are built.
#include "key.h"

#include <stdio.h>
#include <string.h>

#include "keywords.h"
#include "robot.h"

static const char *const owners[] = {
#define X(code, word) [code] = word,
    FA_OWNER_LIST(X)
#undef X
};

static const struct {
    char    word[3];
    uint8_t place, family;
} axes[] = {
#define X(code, word, place, family) [code] = {word, place, family},
    FA_ALONG_LIST(X)
#undef X
};

// The quantity that names omit between owner and axis: tip.x.
static const char UNWRITTEN[] = "position";

fa_key fa_key_of(fa_owner owner, const char *quantity)
{
    return (fa_key){owner, FA_NO_PART, NULL, quantity, FA_ALONG_NONE};
}

fa_key fa_key_of_part(fa_owner owner, int part, const char *name, const char *quantity)
{
    return (fa_key){owner, part, name, quantity, FA_ALONG_NONE};
}

fa_key fa_key_along(fa_key key, fa_along axis)
{
    key.axis = axis;
    return key;
}

void fa_key_set_word(fa_key *key, const char *word, char room[], size_t size)
{
    const char *dot = strrchr(word, '.');
    const char *last = dot ? dot + 1 : word;
    key->axis = FA_ALONG_NONE;
    for (int i = FA_ALONG_X; i <= FA_ALONG_Z; i++)
        if (strcmp(last, axes[i].word) == 0) key->axis = (fa_along)i;
    const bool whole = key->axis == FA_ALONG_NONE;
    (void)snprintf(room, size, "%.*s",
                   (int)(whole ? strlen(word)
                         : dot ? (size_t)(dot - word)
                               : 0),
                   word);
    key->quantity = room;
}

// Names of a circuit's parts and nodes are a contract, even if they are keywords; they are never
// the first level.
static void put_segment(const char *name, bool keywords, char segment[], size_t size)
{
    const bool prefix = (name[0] >= '0' && name[0] <= '9') ||
                        (keywords && fa_is_keyword(name, FA_OF_MATLAB | FA_OF_MODELICA));
    size_t n = 0;
    if (prefix && n + 1 < size) segment[n++] = '_';
    for (const unsigned char *c = (const unsigned char *)name; *c && n + 1 < size; c++) {
        if ((*c & 0xC0) == 0x80) continue; // the rest of a UTF-8 character, replaced as one
        bool legal = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '_';
        segment[n++] = legal ? (char)*c : '_';
        if (c[0] == ':' && c[1] == ':') c++; // a::b, of a nested model, is a_b
    }
    segment[n] = '\0';
}

void fa_variable_segment(const char *name, char segment[], size_t size)
{
    put_segment(name, true, segment, size);
}

typedef struct writer {
    char  *out;
    size_t used, size;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    const size_t room = w->used + 1 < w->size ? w->size - 1 - w->used : 0;
    if (room > 0) memcpy(w->out + w->used, text, length < room ? length : room);
    w->used += length;
}

static void put_dot(writer *w)
{
    if (w->used > 0) put(w, ".", 1);
}

static size_t end(writer *w)
{
    if (w->size > 0) w->out[w->used < w->size ? w->used : w->size - 1] = '\0';
    return w->used;
}

// Splits the name of a node, which may have dots, into levels.
static void node_segments(const char *name, char out[], size_t size)
{
    char        piece[FA_NAME_SIZE];
    const char *dot = strrchr(name, '.');
    (void)snprintf(piece, sizeof piece, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    put_segment(piece, false, out, size);
    const size_t n = strlen(out);
    if (!dot || n + 2 >= size) return;
    out[n] = '.';
    put_segment(dot + 1, false, out + n + 1, size - n - 1);
}

size_t fa_key_compose(const fa_key *key, char name[], size_t size, fa_row_key *kept)
{
    writer     w = {name, 0, size};
    const bool numbered = key->part != FA_NO_PART && !key->name;
    char       part[FA_NAME_SIZE + 1] = "";
    if (numbered)
        (void)snprintf(part, sizeof part, "%d", key->part + 1);
    else if (key->name && key->owner == FA_OF_NODE)
        node_segments(key->name, part, sizeof part);
    else if (key->name)
        put_segment(key->name, key->owner < FA_OF_NODE, part, sizeof part);
    put(&w, owners[key->owner], strlen(owners[key->owner]));
    if (part[0] && !numbered) put_dot(&w);
    put(&w, part, strlen(part));
    put_dot(&w);
    *kept = (fa_row_key){.part = key->part,
                         .word = (uint16_t)w.used,
                         .length = (uint16_t)strlen(key->quantity),
                         .owner = (uint8_t)key->owner,
                         .axis = (uint8_t)key->axis,
                         .numbered = numbered};
    put(&w, key->quantity, kept->length);
    if (key->axis != FA_ALONG_NONE) {
        if (kept->length > 0) put(&w, ".", 1);
        put(&w, axes[key->axis].word, strlen(axes[key->axis].word));
    }
    return end(&w);
}

// ---------------------------------------------------------------------------------------- reading

bool fa_slices_equal(fa_slice a, fa_slice b)
{
    return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

static bool is(fa_slice slice, const char *text)
{
    return fa_slices_equal(slice, (fa_slice){text, (int)strlen(text)});
}

fa_slice fa_key_owner(const fa_row_key *key)
{
    const char *word = owners[key->owner];
    return (fa_slice){word, (int)strlen(word)};
}

fa_slice fa_key_part(const fa_row_key *key, const char *name)
{
    if (key->part == FA_NO_PART) return (fa_slice){name, 0};
    const int from = (int)strlen(owners[key->owner]) + !key->numbered;
    return (fa_slice){name + from, key->word - 1 - from};
}

fa_slice fa_key_quantity(const fa_row_key *key, const char *name)
{
    if (key->length == 0) return (fa_slice){UNWRITTEN, sizeof UNWRITTEN - 1};
    return (fa_slice){name + key->word, key->length};
}

fa_slice fa_key_rest(const fa_row_key *key, const char *name)
{
    return (fa_slice){name + key->word, (int)strlen(name + key->word)};
}

const char *fa_along_word(fa_along axis)
{
    return axes[axis].word;
}

int fa_along_family(fa_along axis)
{
    return axes[axis].family;
}

fa_along fa_along_first(fa_along axis)
{
    return (fa_along)(axis - axes[axis].place);
}

bool fa_key_is(const fa_row_key *key, const char *name, fa_owner owner, const char *quantity)
{
    return key->owner == owner && is(fa_key_quantity(key, name), quantity);
}

void fa_key_array(const fa_row_key *key, const char *name, bool rest, char out[], size_t size,
                  fa_row_key *kept)
{
    writer         w = {out, 0, size};
    const fa_slice owner = fa_key_owner(key);
    const fa_slice word = rest ? fa_key_rest(key, name) : fa_key_quantity(key, name);
    put(&w, owner.text, (size_t)owner.length);
    put_dot(&w);
    *kept = *key;
    kept->part = FA_NO_PART;
    kept->numbered = false;
    kept->word = (uint16_t)w.used;
    kept->length = (uint16_t)word.length;
    if (!rest) kept->axis = FA_ALONG_NONE;
    put(&w, word.text, (size_t)word.length);
    (void)end(&w);
}
