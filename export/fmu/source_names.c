// Writes source_names.h of a source-code FMU.
//
// Macros rename every word that begins with fa_, so that several FMUs can be linked into one
// program without further options. They rename functions, types and variables alike; renaming those
// without linkage is harmless, since all files include the same header.
#include "source_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct word {
    const char *begin;
    int         length;
} word;

typedef struct words {
    word  *of;
    size_t n, room;
} words;

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Adds the words of a text; false: no memory.
static bool add_words(words *found, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t begin = i;
        while (i < size && is_of_name(text[i])) i++;
        const size_t length = i - begin;
        if (length == 0) i++;
        // A word that ends in _ is an operand of ##, not a name.
        if (length <= 3 || strncmp(text + begin, "fa_", 3) != 0 || text[i - 1] == '_') continue;
        if (found->n == found->room) {
            const size_t room = 2 * found->room + 1024;
            word        *more = realloc(found->of, room * sizeof *more);
            if (!more) return false;
            found->of = more;
            found->room = room;
        }
        found->of[found->n++] = (word){text + begin, (int)length};
    }
    return true;
}

static int compare_words(const void *one, const void *other)
{
    const word *a = one, *b = other;
    const int   shorter = a->length < b->length ? a->length : b->length;
    const int   order = strncmp(a->begin, b->begin, (size_t)shorter);
    return order != 0 ? order : a->length - b->length;
}

// Sorts the words and removes duplicates.
static void sort_words(words *found)
{
    size_t n = 0;
    if (found->n > 0) qsort(found->of, found->n, sizeof *found->of, compare_words);
    for (size_t i = 0; i < found->n; i++)
        if (n == 0 || compare_words(&found->of[n - 1], &found->of[i]) != 0)
            found->of[n++] = found->of[i];
    found->n = n;
}

static const char head[] = "// The names of this FMU apart from those of all others, so that "
                           "several of them can be linked\n"
                           "// into one program. The standard's functions are called "
                           "%s_fmi%dDoStep and so on; who compiles\n"
                           "// a shared library defines FMI%d_OVERRIDE_FUNCTION_PREFIX, and they "
                           "have their plain names; who\n"
                           "// wants another prefix defines FMI%d_FUNCTION_PREFIX.\n"
                           "#ifndef FA_SOURCE_NAMES_H\n"
                           "#define FA_SOURCE_NAMES_H\n"
                           "\n"
                           "#define FA_BUILT_IN // the robot, in built_in.c\n"
                           "\n";

static const char prefix3[] =
    "#if !defined(FMI3_FUNCTION_PREFIX) && !defined(FMI3_OVERRIDE_FUNCTION_PREFIX) && \\\n"
    "    !defined(FMI3_ACTUAL_FUNCTION_PREFIX)\n"
    "#define FMI3_FUNCTION_PREFIX %s_\n"
    "#endif\n"
    "// With a prefix, even an empty one, the standard's header does not show the functions.\n"
    "#if defined(_WIN32) && defined(FMI3_OVERRIDE_FUNCTION_PREFIX) && !defined(FMI3_Export)\n"
    "#define FMI3_Export __declspec(dllexport)\n"
    "#endif\n"
    "\n";

// Some tools bring a header of FMI 2.0 without prefixes. These macros apply the prefix all the
// same; they expand where a name is used.
static const char prefix2[] =
    "#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX)\n"
    "#undef FMI2_FUNCTION_PREFIX\n"
    "#elif !defined(FMI2_FUNCTION_PREFIX)\n"
    "#define FMI2_FUNCTION_PREFIX %s_\n"
    "#elif defined(FA_SOURCE_SHOWS)\n"
    "#include \"fmi2Functions.h\" // which may know no prefix\n"
    "#undef fmi2FullName\n"
    "#define fmi2FullName(name)       FA_WITH_PREFIX(FMI2_FUNCTION_PREFIX, name)\n"
    "#define FA_WITH_PREFIX(a, b)     FA_WITH_THIS_PREFIX(a, b)\n"
    "#define FA_WITH_THIS_PREFIX(a, b) a##b\n"
    "#endif\n"
    "\n";

fa_status fa_source_names_write(const fa_sources *sources, const fa_options *options, char **text,
                                size_t *size, fa_error *error)
{
    words found = {.n = 0};
    bool  enough = true;
    for (int i = 0; i < sources->n && enough; i++)
        enough = add_words(&found, sources->of[i].text, sources->of[i].size);
    sort_words(&found);

    const char  *identifier = options->identifier;
    const size_t longest = strlen(identifier) + sizeof "#define  _\n";
    size_t       room = sizeof head + sizeof prefix2 + sizeof prefix3 + 8 * strlen(identifier) + 64;
    for (size_t i = 0; i < found.n; i++) room += longest + 2 * (size_t)found.of[i].length;
    char *out = enough ? malloc(room) : NULL;
    if (!out) {
        free(found.of);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the names of the FMU's sources");
    }
    char *at = out + sprintf(out, head, identifier, options->fmi, options->fmi, options->fmi);
    at += sprintf(at, options->fmi == 2 ? prefix2 : prefix3, identifier);
    for (size_t i = 0; i < found.n; i++)
        at += sprintf(at, "#define %.*s %s_%.*s\n", found.of[i].length, found.of[i].begin,
                      identifier, found.of[i].length, found.of[i].begin);
    at += sprintf(at, "\n#endif\n");
    free(found.of);
    *text = out;
    *size = (size_t)(at - out);
    return FA_OK;
}
