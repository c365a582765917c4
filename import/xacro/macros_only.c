// Files of macros without a robot: people open one by mistake, and the robot lies beside it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "paths.h"
#include "source.h"
#include "values.h"

static bool is_xacro(const char *name)
{
    return strstr(name, ".xacro") != NULL;
}

// <robot … name=…> says that a file is a robot, and not a part of one.
static bool is_robot(const char *path)
{
    char  *text;
    size_t size;
    if (fa_source_load_regular(path, &text, &size, NULL) != FA_OK) return false;
    char *closed = realloc(text, size + 1);
    bool  named = false;
    if (closed) {
        text = closed;
        text[size] = '\0';
        const char *tag = strstr(text, "<robot"), *end = tag ? strchr(tag, '>') : NULL;
        const char *name = tag ? strstr(tag, " name=") : NULL;
        named = name && end && name < end;
    }
    free(text);
    return named;
}

fa_status fa_xacro_check_links(const fa_expansion *expansion, const char *path, fa_error *error)
{
    enum { MOST = 1000 };
    const char *root = strstr(expansion->text, "\n<");
    if (!expansion->has_macros || !root || strncmp(root, "\n<robot", 7) != 0 ||
        strstr(expansion->text, "<link"))
        return FA_OK;
    const char *slash = fa_path_last(path);
    char        folder[4096];
    int         n;
    fa_list     names = {.used = 0};
    (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 2,
                   slash ? path : "./");
    char **entry = fa_folder_names(folder, false, &n);
    int    found = 0, looked = 0;
    for (int i = 0; i < n; i++) {
        if (!is_xacro(entry[i])) continue;
        char file[4096 + 300];
        (void)snprintf(file, sizeof file, "%s%s", folder, entry[i]);
        if (looked++ < MOST && is_robot(file)) { // which the file itself is not
            fa_list_add(&names, entry[i]);
            found++;
        }
    }
    fa_folder_free(entry, n);
    if (!found)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "the file defines macros only, and no robot lies beside it; name the file "
                       "that includes it");
    return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                   "the file defines macros only; the robots here are: %s", fa_list_text(&names));
}
