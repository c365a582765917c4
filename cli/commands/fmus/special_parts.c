// Compiles specialised libraries for every platform asked for.
#include "special_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "compile.h"
#include "progress.h"

// The robot's chain; the caller releases body.
static fa_status build_chain(const fa_robot *robot, fa_chain *chain, fa_body **body,
                             fa_error *error)
{
    const size_t  n = (size_t)robot->n_links;
    int          *link_body = calloc(n + 1, sizeof *link_body);
    fa_transform *frame = calloc(n + 1, sizeof *frame);
    *body = calloc((size_t)fa_chain_bodies(robot) + 1, sizeof **body);
    const bool enough = link_body && frame && *body;
    if (enough) *chain = fa_chain_build(robot, *body, link_body, frame);
    chain->base_moves = robot->base_motion;
    free(link_body);
    free(frame);
    return enough ? FA_OK
                  : fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                            "there is not enough memory for code for one arm");
}

// Returns FA_UNFIT and the reason where no code can be generated; the FMU then has the general one.
static fa_status make(const fa_robot *robot, const fa_chain *chain, const char *sources,
                      fa_library library[], int n, const fa_log *log, fa_special_parts *parts,
                      fa_error *error)
{
    fa_compiler compiler;
    if (strcmp(robot->plant, "arm") != 0)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "there is such code for the motion of arms alone");
    fa_status status = fa_specialise(chain, robot->name, &parts->code, error);
    if (status != FA_OK) return status;
    if (n == 0) return FA_OK; // only the source code is wanted
    fa_error why = fa_no_error();
    status = fa_compiler_find(&compiler, &why);
    if (status == FA_OK) {
        status = fa_workshop_open(parts->folder, error);
        if (status != FA_OK) return status;
        fa_progress_begin("compiling the library");
        status = fa_special_try(&compiler, sources, parts->folder, &parts->code, chain, &why);
        if (status == FA_UNFIT) fa_specialised_free(&parts->code); // no library has the code
        for (int i = 0; i < n && status == FA_OK; i++) {
            const fa_target *target[FA_TARGETS_MAX];
            if (fa_compiler_targets(&compiler, library[i].platform, target) == 0) continue;
            status = fa_special_library(&compiler, sources, parts->folder, &library[i], &why);
            parts->compiled[i] = status == FA_OK;
            fa_progress_at(i + 1, n);
        }
        fa_progress_end();
    }
    if (status == FA_UNFIT) {
        fa_warn(log, robot->source, FA_NOWHERE,
                "--specialise leaves the FMU's libraries as they are: %s", why.message);
        return FA_OK;
    }
    if (status != FA_OK && error) *error = why;
    return status;
}

fa_status fa_special_parts_make(const fa_robot *robot, const char *sources, fa_library library[],
                                int n, const fa_log *log, fa_special_parts *parts, fa_error *error)
{
    fa_chain chain = {.n = 0};
    fa_body *body;
    fa_error why = fa_no_error();
    memset(parts, 0, sizeof *parts);
    fa_status status = build_chain(robot, &chain, &body, &why);
    if (status == FA_OK) status = make(robot, &chain, sources, library, n, log, parts, &why);
    free(body);
    if (status == FA_UNFIT) {
        fa_warn(log, robot->source, FA_NOWHERE, "--specialise changes nothing: %s", why.message);
        return FA_OK;
    }
    if (status != FA_OK && error) *error = why;
    return status;
}

void fa_special_parts_free(fa_special_parts *parts)
{
    fa_workshop_close(parts->folder);
    fa_specialised_free(&parts->code);
}

void fa_special_parts_report(const fa_special_parts *parts, const fa_library library[], int n,
                             bool sources)
{
    int reported = 0;
    for (int i = 0; i < n; i++)
        if (parts->compiled[i])
            printf("%s%s", reported++ > 0 ? ", " : "with code for this arm on ",
                   library[i].platform);
    if (parts->code.text && sources)
        printf("%s the sources", reported++ > 0 ? " and in" : "with code for this arm in");
    if (reported > 0) printf(": %d operations\n", parts->code.n_operations);
}
