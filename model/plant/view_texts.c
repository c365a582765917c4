// Describes an array by the description of its first element.
#include "view_texts.h"

#include <string.h>

typedef struct writer {
    char  *out;
    size_t used, size;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    if (w->used + length + 1 > w->size) length = w->size - w->used - 1;
    memcpy(w->out + w->used, text, length);
    w->used += length;
    w->out[w->used] = '\0';
}

static bool word_at(const char *from, const char *at, fa_slice word)
{
    const char after = at[word.length];
    const bool begins = at == from || at[-1] == ' ';
    const bool ends = after == '\0' || after == ' ' || after == ',' || after == ';' || after == ':';
    return begins && ends;
}

static const char *find_word(const char *text, fa_slice word)
{
    for (const char *at = text; word.length > 0 && *at; at++)
        if (strncmp(at, word.text, (size_t)word.length) == 0 && word_at(text, at, word)) return at;
    return NULL;
}

// Finds a part's name behind its owner's word: "of link upper (written up per), …".
static const char *find_part(const char *text, const fa_variable *row)
{
    const fa_slice part = fa_key_part(&row->key, row->name), owner = fa_key_owner(&row->key);
    for (const char *at = text; (at = find_word(at, part)) != NULL; at++) {
        const char *before = at - 1 - owner.length;
        if (before >= text && at[-1] == ' ' &&
            strncmp(before, owner.text, (size_t)owner.length) == 0)
            return at;
    }
    return NULL;
}

void fa_describe_all(const fa_variable *first, bool all_axes, char out[], size_t size)
{
    static const char written[] = " (written ";
    const fa_along    along = all_axes ? (fa_along)first->key.axis : FA_ALONG_NONE;
    const char       *word = fa_along_word(along), *text = first->description;
    const fa_slice    said = {word, (int)strlen(word)};
    writer            w = {out, 0, size};
    const char       *part = first->key.part != FA_NO_PART ? find_part(text, first) : NULL;
    const char       *axis = find_word(text, said); // empty without an axis
    out[0] = '\0';
    for (const char *at = text; *at;) {
        if (at == part) {
            put(&w, "i", 1);
            at += fa_key_part(&first->key, first->name).length;
            if (strncmp(at, written, sizeof written - 1) == 0 && strchr(at, ')'))
                at = strchr(at, ')') + 1;
        } else if (at == axis) {
            for (int k = 0; k < fa_along_family(along); k++) {
                const char *one = fa_along_word((fa_along)(fa_along_first(along) + k));
                if (k > 0) put(&w, ", ", 2);
                put(&w, one, strlen(one));
            }
            at += said.length;
        } else {
            put(&w, at++, 1);
        }
    }
}
