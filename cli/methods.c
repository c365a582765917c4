// forearm methods: the table of methods.
#include <string.h>

#include "dynamics.h"
#include "options.h"
#include "table.h"

static void join(char text[], size_t size, bool holds, const char *word)
{
    if (!holds) return;
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? ", " : "", word);
}

fa_exit fa_run_methods(const fa_arguments *arguments)
{
    (void)arguments;
    fa_table          table = fa_table_new(5);
    const char *const head[] = {"name", "gives", "cost", "covers also", "paper"};
    for (int i = 0; i < 5; i++) fa_table_text(&table, head[i]);
    for (int i = 0; i < fa_method_count; i++) {
        const fa_method *m = &fa_methods[i];
        char             gives[64] = "", covers[64] = "";
        join(gives, sizeof gives, m->forward, "forward");
        join(gives, sizeof gives, m->inverse, "inverse");
        join(gives, sizeof gives, m->mass_matrix, "mass matrix");
        join(covers, sizeof covers, m->covers & FA_COVERS_PRISMATIC, "prismatic");
        join(covers, sizeof covers, m->covers & FA_COVERS_BRANCHED, "branched");
        join(covers, sizeof covers, m->covers & FA_COVERS_COUPLED, "mimic");
        fa_table_text(&table, m->name);
        fa_table_text(&table, gives);
        fa_table_text(&table, m->order);
        fa_table_text(&table, covers[0] ? covers : "-");
        fa_table_text(&table, m->paper);
    }
    fa_error  error;
    fa_status status = fa_table_print(&table, stdout, &error);
    fa_table_free(&table);
    return status == FA_OK ? FA_EXIT_DONE : fa_report(&error);
}
