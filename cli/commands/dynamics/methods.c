// forearm methods: the tables of methods.
#include <string.h>

#include "dynamics.h"
#include "options.h"
#include "snake.h"
#include "table.h"

static void join(char text[], size_t size, bool holds, const char *word)
{
    if (!holds) return;
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? ", " : "", word);
}

enum { COLUMNS = 6 };

static fa_table begin(const char *const head[COLUMNS])
{
    fa_table table = fa_table_new(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) fa_table_text(&table, head[i]);
    return table;
}

static fa_status end(fa_table *table, fa_error *error)
{
    fa_status status = fa_table_print(table, stdout, error);
    fa_table_free(table);
    return status;
}

static fa_status print_arms(fa_error *error)
{
    static const char *const head[COLUMNS] = {"name",        "gives", "cost",
                                              "covers also", "page",  "paper"};
    fa_table                 table = begin(head);
    for (int i = 0; i < fa_method_count; i++) {
        const fa_method *m = fa_methods[i];
        char             gives[64] = "", covers[64] = "";
        join(gives, sizeof gives, fa_method_has_forward(m), "forward");
        join(gives, sizeof gives, m->inverse, "inverse");
        join(gives, sizeof gives, m->mass_matrix, "mass matrix");
        join(covers, sizeof covers, m->covers & FA_COVERS_PRISMATIC, "prismatic");
        join(covers, sizeof covers, m->covers & FA_COVERS_BRANCHED, "branched");
        join(covers, sizeof covers, m->covers & FA_COVERS_COUPLED, "mimic");
        fa_table_text(&table, m->name);
        fa_table_text(&table, gives);
        fa_table_text(&table, m->order);
        fa_table_text(&table, covers[0] ? covers : "-");
        fa_table_text(&table, m->page);
        fa_table_text(&table, m->paper);
    }
    return end(&table, error);
}

static fa_status print_snakes(fa_error *error)
{
    static const char *const head[COLUMNS] = {"for snakes",   "gives", "cost",
                                              "described by", "page",  "paper"};
    fa_table                 table = begin(head);
    for (int i = 0; i < fa_snake_method_count; i++) {
        const fa_snake_method *m = &fa_snake_methods[i];
        fa_table_text(&table, m->name);
        fa_table_text(&table, "forward, wheel forces");
        fa_table_text(&table, m->order);
        fa_table_text(&table, m->any_base ? "any link" : "link 1");
        fa_table_text(&table, m->page);
        fa_table_text(&table, m->paper);
    }
    return end(&table, error);
}

fa_exit fa_run_methods(const fa_arguments *arguments)
{
    (void)arguments;
    fa_error  error = fa_no_error();
    fa_status status = print_arms(&error);
    putchar('\n');
    if (status == FA_OK) status = print_snakes(&error);
    return fa_report(status, &error);
}
