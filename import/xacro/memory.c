// The arena of an expansion, texts that grow in it, and the ways out of it.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "paths.h"

#define CHUNK ((size_t)256 << 10)

struct fa_xacro_chunk {
    struct fa_xacro_chunk *next;
    size_t                 used, size;
    max_align_t            data[];
};

void *fa_xacro_try_take(fa_xacro *x, size_t size)
{
    if (size > FA_XACRO_MEMORY) return NULL;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct fa_xacro_chunk *c = x->chunks;
    if (!c || c->size - c->used < size) {
        const size_t room = size > CHUNK ? size : CHUNK;
        if (x->memory + room > FA_XACRO_MEMORY) return NULL;
        c = malloc(sizeof *c + room);
        if (!c) return NULL;
        *c = (struct fa_xacro_chunk){.next = x->chunks, .size = room};
        x->chunks = c;
        x->memory += room;
    }
    void *memory = (char *)c->data + c->used;
    c->used += size;
    return memset(memory, 0, size);
}

void *fa_xacro_take(fa_xacro *x, size_t size)
{
    void *memory = fa_xacro_try_take(x, size);
    if (memory) return memory;
    if (x->memory + size > FA_XACRO_MEMORY - CHUNK)
        fa_xacro_halt(x, "expanding this takes more than %d MiB; no robot needs that",
                      (int)(FA_XACRO_MEMORY >> 20));
    fa_xacro_leave(x, FA_NO_MEMORY);
}

void fa_xacro_count(fa_xacro *x, size_t n)
{
    x->steps += n;
    if (x->steps > FA_XACRO_STEPS)
        fa_xacro_halt(x, "expanding this takes more than %d million steps; no robot needs that",
                      FA_XACRO_STEPS / 1000000);
}

void fa_xacro_chunks_free(struct fa_xacro_chunk *chunks)
{
    for (struct fa_xacro_chunk *c = chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
}

const char *fa_xacro_kept(fa_xacro *x, const char *text, size_t size)
{
    char *copy = fa_xacro_take(x, size + 1);
    memcpy(copy, text, size);
    return copy;
}

const char *fa_xacro_print(fa_xacro *x, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = fa_xacro_take(x, (size_t)(n > 0 ? n : 0) + 1);
    if (n > 0) (void)vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

// ------------------------------------------------------------------------------------------ texts

void fa_xacro_build(fa_xacro *x, fa_xacro_builder *b, const char *text, size_t size)
{
    if (b->n + size + 1 > b->room) {
        const size_t room = 2 * (b->n + size) + 32;
        char        *larger = fa_xacro_take(x, room);
        if (b->n) memcpy(larger, b->text, b->n);
        b->text = larger;
        b->room = room;
    }
    fa_xacro_count(x, 1 + size / 16);
    if (size) memcpy(b->text + b->n, text, size);
    b->n += size;
    b->text[b->n] = '\0';
    if (b->n > FA_XACRO_LENGTH && !b->long_one)
        fa_xacro_halt(x, "a text becomes longer than %d bytes here; no robot needs that",
                      FA_XACRO_LENGTH);
}

void fa_xacro_build_text(fa_xacro *x, fa_xacro_builder *b, const char *text)
{
    fa_xacro_build(x, b, text, strlen(text));
}

const char *fa_xacro_built(fa_xacro *x, fa_xacro_builder *b)
{
    fa_xacro_build(x, b, "", 0);
    return b->text;
}

// -------------------------------------------------------------------------------------- ways out

void fa_xacro_stack_text(const fa_xacro_call *call, fa_macro_stack *stack)
{
    enum { SHOWN = 4 };
    size_t used = 0;
    int    n = 0, left = 0;
    stack->text[0] = '\0';
    for (const fa_xacro_call *c = call; c; c = c->outer) {
        const char  *slash = fa_path_last(c->file);
        const size_t room = sizeof stack->text - used;
        if (n == SHOWN || room < 32) {
            left++;
            continue;
        }
        char macro[80] = "included by";
        if (c->macro) (void)snprintf(macro, sizeof macro, "in macro '%.40s' of", c->macro);
        const int put = snprintf(stack->text + used, room - 24, "%s%s %.60s:%d", n ? ", " : " (",
                                 macro, slash ? slash + 1 : c->file, c->line);
        used += put < (int)room - 24 ? (size_t)put : room - 25;
        n++;
    }
    if (left) used += (size_t)snprintf(stack->text + used, sizeof stack->text - used, " …");
    if (n) (void)snprintf(stack->text + used, sizeof stack->text - used, ")");
}

static const char *file_here(const fa_xacro *x)
{
    return x->at && x->at->file ? x->at->file : x->n_files ? x->file[x->n_files - 1] : x->path;
}

void fa_xacro_halt(fa_xacro *x, const char *format, ...)
{
    char           sentence[800];
    fa_macro_stack stack;
    va_list        list;
    va_start(list, format);
    (void)vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    fa_xacro_stack_text(x->call, &stack);
    const char *e = x->expression;
    x->status = fa_fail(x->error, FA_BAD_INPUT, file_here(x), x->at ? x->at->place : FA_NOWHERE,
                        "%s%s%.160s%s%s", sentence, e ? " (in ${" : "", e ? e : "", e ? "})" : "",
                        stack.text);
    longjmp(x->leave, 1);
}

void fa_xacro_leave(fa_xacro *x, fa_status status)
{
    x->status = status;
    longjmp(x->leave, 1);
}

void fa_xacro_mention(fa_xacro *x, const char *format, ...)
{
    char    sentence[800];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    fa_warn(x->log, file_here(x), x->at ? x->at->place : FA_NOWHERE, "%s", sentence);
}
