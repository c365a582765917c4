// Compiles the FMU's library with specialised code, for each platform of the compiler.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "files.h"
#include "machine.h"
#include "paths.h"
#include "universal.h"

#define LIMIT ((size_t)1 << 20) // limit of the list of sources [bytes]

enum { JOBS_MAX = 16, SOURCES_MAX = 256 };

// ------------------------------------------------------------------------------------- the sources

// The C files of files.txt, with special.c replaced by the one in `folder`.
typedef struct sources_list {
    char *text; // text of files.txt
    int   n;
    char  path[SOURCES_MAX][FA_PATH_SIZE];
} sources_list;

static fa_status list_sources(const char *sources, const char *folder, sources_list *list,
                              fa_error *error)
{
    char   path[FA_PATH_SIZE];
    size_t size;
    if (!fa_path_join(path, sources, "files.txt"))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", sources);
    fa_status status = fa_file_read(path, LIMIT, &list->text, &size, error);
    for (char *name = list->text, *next; status == FA_OK && name && *name; name = next) {
        next = strchr(name, '\n');
        if (next) *next++ = '\0';
        const size_t length = strlen(name);
        if (length < 3 || strcmp(name + length - 2, ".c") != 0) continue;
        const bool special = strcmp(name, "special.c") == 0;
        if (list->n == SOURCES_MAX ||
            !fa_path_join(list->path[list->n++], special ? folder : sources, name))
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                             "there are too many sources, or their folder's path is too long");
    }
    return status;
}

// ------------------------------------------------------------------------------------ one target

// Arguments of a compilation job for one target.
typedef struct task {
    const fa_compiler  *compiler;
    const fa_target    *target;
    const char         *sources, *headers, *folder;
    const sources_list *list;
    int                 n_jobs;
} task;

// Compiles every n_jobs-th file in a folder of the job's own.
static fa_status compile_all(const task *t, fa_error *error)
{
    char part[JOBS_MAX][FA_PATH_SIZE], name[16];
    int  process[JOBS_MAX], wrong = -1;
    for (int job = 0; job < t->n_jobs; job++) {
        fa_child_words command = fa_compile_begin(t->compiler, t->target);
        (void)snprintf(name, sizeof name, "%d", job);
        process[job] = -1;
        if (!fa_path_join(part[job], t->folder, name) || !fa_folder_make(part[job])) continue;
        fa_compile_flags(&command, t->sources, t->headers);
        fa_child_add(&command, "-c");
        for (int i = job; i < t->list->n; i += t->n_jobs) fa_child_add(&command, t->list->path[i]);
        process[job] = fa_process_start(&command, part[job]);
    }
    for (int job = 0; job < t->n_jobs; job++)
        if (!fa_process_finish(process[job])) wrong = job;
    return wrong < 0 ? FA_OK : fa_compile_failed(t->compiler, part[wrong], error);
}

// Runs a link command after adding its last words.
static fa_status finish_link(const task *t, fa_child_words *command, const char *library,
                             fa_error *error)
{
    const char *const rest[] = {"-lm", "-s", "-o", library};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) fa_child_add(command, rest[i]);
    return fa_process_finish(fa_process_start(command, t->folder))
               ? FA_OK
               : fa_compile_failed(t->compiler, t->folder, error);
}

static fa_status link_all(const task *t, const char *library, fa_error *error)
{
    char(*object)[FA_PATH_SIZE] = malloc(SOURCES_MAX * sizeof *object);
    if (!object)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to link the FMU's library");
    fa_child_words command = fa_compile_begin(t->compiler, t->target);
    fa_link_flags(&command, t->target);
    for (int i = 0; i < t->list->n; i++) {
        const char *base = strrchr(t->list->path[i], '/') + 1;
        const int   length = (int)strlen(base) - 1; // without the letter c
        const int   n = snprintf(object[i], FA_PATH_SIZE, "%s/%d/%.*so", t->folder, i % t->n_jobs,
                                 length, base);
        if (n > 0 && n < FA_PATH_SIZE) fa_child_add(&command, object[i]);
    }
    const fa_status status = finish_link(t, &command, library, error);
    free(object);
    return status;
}

// zig runs parallel compilations only when it also links; then it uses all processors.
static fa_status compile_and_link(const task *t, const char *library, fa_error *error)
{
    fa_child_words command = fa_compile_begin(t->compiler, t->target);
    fa_compile_flags(&command, t->sources, t->headers);
    fa_link_flags(&command, t->target);
    for (int i = 0; i < t->list->n; i++) fa_child_add(&command, t->list->path[i]);
    return finish_link(t, &command, library, error);
}

static fa_status make_one(const task *t, const char *library, fa_error *error)
{
    if (t->compiler->is_zig) return compile_and_link(t, library, error);
    fa_status status = compile_all(t, error);
    return status == FA_OK ? link_all(t, library, error) : status;
}

// ------------------------------------------------------------------------------------ one platform

fa_status fa_special_library(const fa_compiler *compiler, const char *sources, const char *folder,
                             fa_library *library, fa_error *error)
{
    const fa_target *target[FA_TARGETS_MAX];
    const int        n_targets = fa_compiler_targets(compiler, library->platform, target);
    char          headers[FA_PATH_SIZE], path[FA_TARGETS_MAX][FA_PATH_SIZE], joined[FA_PATH_SIZE];
    sources_list *list = calloc(1, sizeof *list);
    if (!list)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to compile the FMU's library");
    const int processors = fa_processors();
    task      t = {.compiler = compiler, .sources = sources, .headers = headers, .folder = folder};
    t.list = list;
    t.n_jobs = processors > JOBS_MAX ? JOBS_MAX : processors;

    fa_status status = FA_OK;
    if (!fa_path_join(headers, sources, "fmi") || !fa_path_join(joined, folder, "universal.dylib"))
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", folder);
    if (status == FA_OK) status = list_sources(sources, folder, list, error);
    for (int i = 0; i < n_targets && status == FA_OK; i++) {
        t.target = target[i];
        if (!fa_path_join(path[i], folder, target[i]->platform))
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", folder);
        if (status == FA_OK) status = make_one(&t, path[i], error);
    }
    if (status == FA_OK && n_targets > 1)
        status = fa_universal_join((const char *const[]){path[0], path[1]}, joined, error);
    if (status == FA_OK) memcpy(library->path, n_targets > 1 ? joined : path[0], FA_PATH_SIZE);
    free(list->text);
    free(list);
    return status;
}
