// ModelStructure, for FMI 2.0 and 3.0.
#include "structure.h"

#include <stdlib.h>
#include <string.h>

#include "probe.h"

// Phase of a dependency list: it determines the independent variables besides the inputs.
enum phase {
    INITIALISATION, // independent: parameters, including initial values of states; states are
                    // unknowns
    SIMULATION      // independent: states, and in FMI 3.0 the other parameters
};

// Relations of a row to the states; FA_NO_ROW: none.
typedef struct row_link {
    int derivative_of; // state whose derivative is this row
    int initial_of;    // state that starts from this row
    int moves; // state that starts from this row times the time; for time, the first such state
} row_link;

typedef struct structure {
    fa_markup          *out;
    const fa_plant     *plant;
    const fa_robot     *robot;
    const fa_variables *variables;
    const fa_view      *view;
    row_link           *link; // relations of each row
    int                 fmi;
    fa_probe            probe;
    fa_dependence      *depends; // for each variable: the dependence of the current unknown on it
    char               *list;    // buffer for one list of dependencies or kinds
} structure;

static int first(const structure *s, fa_role role)
{
    return s->variables->first[role];
}

static bool has_role(const structure *s, int row, fa_role role)
{
    return first(s, role) <= row && row < first(s, role + 1);
}

// Returns the dependence of a computed row on a row that is no start value. A state depends on
// itself only. Otherwise the plant decides by structure, and the probe by geometry.
static fa_dependence on_row(const structure *s, int unknown, int known)
{
    if (has_role(s, unknown, FA_STATE)) {
        return unknown == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    }
    bool probed = known < first(s, FA_OUTPUT) && s->variables->row[known].type == FA_REAL;
    if (probed && !fa_probe_effect(&s->probe, unknown, known)) return FA_INDEPENDENT;
    return s->plant->depends(s->robot, s->variables, unknown, known);
}

static fa_dependence dependence(const structure *s, int unknown, int known, enum phase phase)
{
    const int  moved = phase == INITIALISATION ? s->link[known].moves : FA_NO_ROW;
    const bool listed = s->fmi == 3 || !has_role(s, known, FA_TIME);
    if (moved != FA_NO_ROW && listed && on_row(s, unknown, moved) != FA_INDEPENDENT)
        return FA_DEPENDENT;
    // Solver parameters: no equation contains them.
    if (known < FA_COMMON_ROWS) return FA_INDEPENDENT;
    if (s->link[known].initial_of != FA_NO_ROW) {
        if (phase == SIMULATION) return FA_INDEPENDENT;
        return on_row(s, unknown, s->link[known].initial_of);
    }
    if (has_role(s, known, FA_STATE)) {
        return phase == SIMULATION ? on_row(s, unknown, known) : FA_INDEPENDENT;
    }
    if (has_role(s, known, FA_INPUT)) return on_row(s, unknown, known);
    // FMI 2.0 has no row for time, and counts parameters as independent during initialisation only.
    if (has_role(s, known, FA_TIME)) {
        return s->fmi == 2 ? FA_INDEPENDENT : on_row(s, unknown, known);
    }
    if (has_role(s, known, FA_PARAMETER) || has_role(s, known, FA_TUNABLE)) {
        return s->fmi == 2 && phase == SIMULATION ? FA_INDEPENDENT : on_row(s, unknown, known);
    }
    return FA_INDEPENDENT; // computed rows are not independent
}

static char *append(char *end, const char *word)
{
    size_t length = strlen(word);
    memcpy(end, word, length + 1);
    end[length] = ' ';
    return end + length + 1;
}

static char *append_reference(char *end, int variable)
{
    char digits[16];
    int  n = 0;
    for (int rest = variable + 1; rest > 0; rest /= 10) digits[n++] = (char)('0' + rest % 10);
    while (n > 0) *end++ = digits[--n];
    *end++ = ' ';
    return end;
}

static void write_list(const structure *s, const char *name, char *end)
{
    if (end > s->list) end--; // removes the trailing blank
    *end = '\0';
    fa_markup_attribute(s->out, name, s->list);
}

// Returns the strongest dependence between elements of two variables.
static fa_dependence between(const structure *s, int unknown, int known, enum phase phase)
{
    const fa_extent *of = &s->view->extent[unknown], *on = &s->view->extent[known];
    fa_dependence    all = FA_INDEPENDENT;
    for (int i = 0; i < of->n; i++)
        for (int k = 0; k < on->n; k++) {
            const int row = s->view->cell[of->first + i], other = s->view->cell[on->first + k];
            // Cells without rows are constant.
            if (row >= s->variables->n || other >= s->variables->n) continue;
            const fa_dependence one = dependence(s, row, other, phase);
            if (one == FA_DEPENDENT) return one;
            if (one == FA_PROPORTIONAL) all = one;
        }
    return all;
}

static void write_dependencies(const structure *s, int unknown, enum phase phase)
{
    int   n = s->view->n;
    bool  proportional = false;
    char *end = s->list;
    for (int known = 0; known < n; known++) {
        s->depends[known] = between(s, unknown, known, phase);
        if (s->depends[known] != FA_INDEPENDENT) end = append_reference(end, known);
        if (s->depends[known] == FA_PROPORTIONAL) proportional = true;
    }
    write_list(s, "dependencies", end);
    if (!proportional) return; // the default kind is "dependent"

    end = s->list;
    for (int known = 0; known < n; known++) {
        if (s->depends[known] == FA_INDEPENDENT) continue;
        end = append(end, s->depends[known] == FA_PROPORTIONAL ? "constant" : "dependent");
    }
    write_list(s, "dependenciesKind", end);
}

static void write_unknown(const structure *s, const char *element, int variable, enum phase phase)
{
    fa_markup_open(s->out, element);
    fa_markup_integer(s->out, s->fmi == 2 ? "index" : "valueReference", variable + 1);
    if (fa_structure_is_exact(s->variables)) write_dependencies(s, variable, phase);
    fa_markup_close(s->out);
}

// Opens an element. FMI 2.0 groups the unknowns of one kind in an element; FMI 3.0 names the kind
// of each.
static void open_group(const structure *s, const char *element)
{
    if (s->fmi == 2) fa_markup_open(s->out, element);
}

static void close_group(const structure *s)
{
    if (s->fmi == 2) fa_markup_close(s->out);
}

static const char *unknown_name(const structure *s, const char *fmi3)
{
    return s->fmi == 2 ? "Unknown" : fmi3;
}

static bool is_of(const structure *s, int variable, fa_role role)
{
    return s->view->variable[variable].role == role;
}

static void write_outputs(const structure *s)
{
    if (first(s, FA_STATE) == first(s, FA_LOCAL)) return;
    open_group(s, "Outputs");
    for (int v = 0; v < s->view->n; v++)
        if (is_of(s, v, FA_STATE) || is_of(s, v, FA_OUTPUT))
            write_unknown(s, unknown_name(s, "Output"), v, SIMULATION);
    close_group(s);
}

static void write_derivatives(const structure *s)
{
    if (first(s, FA_STATE) == first(s, FA_OUTPUT)) return;
    open_group(s, "Derivatives");
    for (int v = 0; v < s->view->n; v++)
        if (is_of(s, v, FA_STATE))
            write_unknown(s, unknown_name(s, "ContinuousStateDerivative"),
                          s->view->variable[v].derivative, SIMULATION);
    close_group(s);
}

// Returns true for a row that is only a derivative.
static bool is_derivative(const structure *s, int variable)
{
    const int row = s->view->cell[s->view->extent[variable].first];
    return is_of(s, variable, FA_LOCAL) && s->link[row].derivative_of != FA_NO_ROW;
}

// Writes outputs, states and derivatives, each once, in the order of the variables.
static void write_initial_unknowns(const structure *s)
{
    if (first(s, FA_STATE) == first(s, FA_LOCAL)) return;
    open_group(s, "InitialUnknowns");
    for (int v = 0; v < s->view->n; v++)
        if (is_of(s, v, FA_STATE) || is_of(s, v, FA_OUTPUT) || is_derivative(s, v))
            write_unknown(s, unknown_name(s, "InitialUnknown"), v, INITIALISATION);
    close_group(s);
}

static void write_indicators(const structure *s)
{
    if (s->fmi == 2) return; // FMI 2.0 has the number of event indicators only
    for (int v = 0; v < s->view->n; v++)
        if (is_of(s, v, FA_INDICATOR)) write_unknown(s, "EventIndicator", v, SIMULATION);
}

static void link_rows(const structure *s)
{
    const fa_variables *table = s->variables;
    for (int row = 0; row < table->n; row++)
        s->link[row] = (row_link){FA_NO_ROW, FA_NO_ROW, FA_NO_ROW};
    for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT]; row++) {
        const fa_variable *state = &table->row[row];
        if (state->derivative != FA_NO_ROW) s->link[state->derivative].derivative_of = row;
        if (state->initial != FA_NO_ROW) s->link[state->initial].initial_of = row;
        if (state->initial_rate == FA_NO_ROW) continue;
        s->link[state->initial_rate].moves = row;
        s->link[table->first[FA_TIME]].moves = row;
    }
}

bool fa_structure_is_exact(const fa_variables *variables)
{
    return fa_probe_fits(variables);
}

fa_status fa_structure_write(fa_markup *markup, const fa_plant *plant, const fa_robot *robot,
                             const fa_variables *variables, const fa_view *view, int fmi,
                             fa_error *error)
{
    size_t    n = (size_t)view->n;
    structure s = {.out = markup,
                   .plant = plant,
                   .robot = robot,
                   .variables = variables,
                   .view = view,
                   .link = calloc((size_t)variables->n, sizeof(row_link)),
                   .fmi = fmi,
                   .depends = malloc(n * sizeof(fa_dependence)),
                   .list = malloc(16 * n)}; // a reference or a kind, and a blank: at most 12 bytes
    fa_status status = FA_OK;
    if (!s.link || !s.depends || !s.list) {
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the FMU's description");
        goto done;
    }
    link_rows(&s);
    if (fa_structure_is_exact(variables) && !plant->exact) {
        status = fa_probe_take(plant, robot, variables, &s.probe, error);
        if (status != FA_OK) goto done;
    }
    fa_markup_open(markup, "ModelStructure");
    write_outputs(&s);
    write_derivatives(&s);
    write_initial_unknowns(&s);
    write_indicators(&s);
    fa_markup_close(markup);
done:
    fa_probe_free(&s.probe);
    free(s.link);
    free(s.depends);
    free(s.list);
    return status;
}
