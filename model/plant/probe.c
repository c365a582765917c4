// Measures which known variables have an effect on which computed ones.
#include "probe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "robot_cylinders.h"
#include "robot_lists.h"

#define POINTS   12 // random points; several, because some laws have two branches
#define ATTEMPTS 30 // limit of points tried; some may have no solution
// The same for a plant with modes. Every second point activates all laws; the others have random
// modes.
#define POINTS_SWITCHING   24
#define ATTEMPTS_SWITCHING 60

// Largest derivative that is taken for zero, as a share of the largest value or derivative of the
// same quantity. In the robots here and the 60 of the example-robot-data package, rounding stayed
// below 1.3e-14, and true derivatives of arms were above 1e-9. Between them, at 4.9e-12, is what
// right angles do that are written with eleven digits: they are meant as right.
#define ROUNDING 1e-11

typedef struct sample {
    const fa_plant     *plant;
    const fa_variables *table;
    void               *self;
    double             *value;     // n
    double             *direction; // n
    double             *adjoint;   // n squared: derivative of each row by each known
} sample;

static bool is_known(const fa_variables *table, int row)
{
    return row < table->first[FA_OUTPUT] && table->row[row].type == FA_REAL;
}

// SplitMix64 (Steele, Lea and Flood 2014), as a number between low and high.
static double draw(uint64_t *seed, double low, double high)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return low + (high - low) * ((double)((z ^ z >> 31) >> 11) * 0x1p-53);
}

// Values of order one, whatever the robot's own: masses and frictions positive, tensors of inertia
// definite.
static double random_value(const fa_variable *v, uint64_t *seed)
{
    const fa_along along = (fa_along)v->key.axis;
    if (v->role != FA_PARAMETER && v->role != FA_TUNABLE) return draw(seed, -1, 1);
    if (v->minimum >= 0) return draw(seed, 0.5, fmin(1.5, v->maximum));
    if (v->unit == FA_UNIT_KILOGRAM_METRE2)
        return along <= FA_ALONG_ZZ ? draw(seed, 0.5, 1) : draw(seed, -0.1, 0.1);
    return draw(seed, -1, 1);
}

// Swaps two parameters of a joint whose order is prescribed.
static void keep_order(const sample *s)
{
    static const char *const pair[][2] = {
        {"lower_limit", "upper_limit"},
        {"coulomb_friction", "static_friction"},
        {"coulomb_friction_negative", "static_friction_negative"},
    };
    for (int row = FA_COMMON_ROWS; row < s->table->first[FA_INPUT]; row++)
        for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
            const fa_variables *table = s->table;
            if (!fa_variable_is(&table->row[row], FA_OF_JOINT, pair[i][0])) continue;
            const int other =
                fa_variables_row(table, FA_OF_JOINT, table->row[row].key.part, pair[i][1], row);
            if (other == FA_NO_ROW) continue;
            const double one = s->value[row], two = s->value[other];
            s->value[row] = fmin(one, two);
            s->value[other] = fmax(one, two);
        }
}

// Draws the discrete rows: modes of locks, friction, stops and valves. At points where all laws are
// active, no joint is locked and every joint is in a stop: limits are chosen so. At the others all
// modes are random.
static void draw_modes(const sample *s, int point, uint64_t *seed)
{
    const bool   most = point % 2 == 0;
    const double side = point % 4 < 2 ? 1 : -1;
    for (int row = s->table->first[FA_OUTPUT]; row < s->table->first[FA_INDICATOR]; row++) {
        const fa_variable *v = &s->table->row[row];
        if (!v->discrete) continue;
        double *value = &s->value[row];
        *value = draw(seed, -1, 1);
        if (v->type == FA_BOOLEAN)
            *value = *value > 0 && !(most && fa_variable_is(v, FA_OF_JOINT, "locked"));
        if (v->type == FA_INT32)
            *value = most ? copysign(1, *value) : fabs(*value) < 1. / 3 ? 0 : copysign(1, *value);
        if (most && fa_variable_is(v, FA_OF_JOINT, "stop")) *value = side;
    }
    for (int row = FA_COMMON_ROWS; most && row < s->table->first[FA_INPUT]; row++)
        if (fa_variable_is(&s->table->row[row], FA_OF_JOINT, "lower_limit") ||
            fa_variable_is(&s->table->row[row], FA_OF_JOINT, "upper_limit"))
            s->value[row] -= 3 * side; // beyond all positions
}

static bool evaluate_somewhere(const sample *s, int point, uint64_t *seed)
{
    for (int row = 0; row < s->table->n; row++) {
        const fa_variable *v = &s->table->row[row];
        s->value[row] =
            is_known(s->table, row) && row >= FA_COMMON_ROWS ? random_value(v, seed) : v->start;
        uint64_t other = *seed; // a copy, so that time does not change the sequence
        if (v->role == FA_TIME) s->value[row] = draw(&other, 0, 1);
    }
    keep_order(s);
    draw_modes(s, point, seed);
    return s->plant->configure(s->self, s->value, NULL) == FA_OK &&
           fa_plant_evaluate(s->plant, s->self, s->value, FA_GROUP_ALL, NULL, NULL) == FA_OK;
}

static bool measure_adjoints(const sample *s)
{
    size_t n = (size_t)s->table->n;
    for (int known = FA_COMMON_ROWS; known < s->table->first[FA_OUTPUT]; known++) {
        if (!is_known(s->table, known)) continue;
        memset(s->direction, 0, n * sizeof *s->direction);
        s->direction[known] = 1;
        fa_status status = s->plant->tangent(s->self, s->value, s->direction, FA_GROUP_ALL, NULL);
        if (status != FA_OK) return false;
        for (size_t row = 0; row < n; row++)
            s->adjoint[row * n + (size_t)known] = s->direction[row];
    }
    return true;
}

// Returns the scale of the rows of one quantity: a coordinate that is always zero has no scale of
// its own.
static double scale_of(const sample *s, int first, int last)
{
    int    n = s->table->n;
    double scale = 0;
    for (int row = first; row < last; row++) {
        scale = fmax(scale, fabs(s->value[row]));
        for (int known = 0; known < s->table->first[FA_OUTPUT]; known++) {
            scale = fmax(scale, fabs(s->adjoint[(size_t)row * (size_t)n + (size_t)known]));
        }
    }
    return scale;
}

// Returns true for parameters with a one-sided effect, such as efficiencies and limits: a few
// points may miss it.
static bool is_one_sided(const fa_variable *known)
{
    static const char *const quantity[] = {"efficiency", "efficiency_back", "voltage_limit",
                                           "current_limit"};
    for (size_t i = 0; i < sizeof quantity / sizeof *quantity; i++)
        if (fa_variable_is(known, FA_OF_JOINT, quantity[i])) return true;
    return false;
}

static bool switches(const fa_variables *table)
{
    bool some = fa_variables_count(table, FA_INDICATOR) > 0;
    for (int row = table->first[FA_INPUT]; row < table->first[FA_STATE]; row++)
        some |= table->row[row].discrete;
    return some;
}

static void note_effects(const sample *s, fa_probe *probe)
{
    int n = s->table->n;
    int end;
    for (int first = s->table->first[FA_OUTPUT]; first < s->table->first[FA_TIME]; first = end) {
        end = first + 1;
        while (end < n && s->table->row[end].quantity == s->table->row[first].quantity) end++;
        double least = ROUNDING * scale_of(s, first, end);
        for (int row = first; row < end; row++) {
            for (int known = 0; known < s->table->first[FA_OUTPUT]; known++) {
                size_t at = (size_t)row * (size_t)n + (size_t)known;
                if (!(fabs(s->adjoint[at]) <= least) || is_one_sided(&s->table->row[known]))
                    probe->effect[at] = 1; // also when the adjoint is NaN
            }
        }
    }
}

static void take_samples(const sample *s, fa_probe *probe)
{
    size_t   n = (size_t)s->table->n;
    uint64_t seed = 1;
    int      taken = 0;
    bool     modes = switches(s->table);
    int      attempts = modes ? ATTEMPTS_SWITCHING : ATTEMPTS;
    int      points = modes ? POINTS_SWITCHING : POINTS;
    for (int attempt = 0; attempt < attempts && taken < points; attempt++) {
        memset(s->adjoint, 0, n * n * sizeof *s->adjoint);
        if (!evaluate_somewhere(s, taken, &seed) || !measure_adjoints(s)) continue;
        note_effects(s, probe);
        taken++;
    }
    if (taken > 0) return;
    free(probe->effect);
    probe->effect = NULL;
}

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the FMU's description");
}

static fa_status take(const fa_plant *plant, const fa_robot *robot, const fa_variables *variables,
                      fa_probe *probe, fa_error *error)
{
    size_t n = (size_t)variables->n;
    sample s = {.plant = plant,
                .table = variables,
                .self = malloc(plant->size(robot)),
                .value = malloc(n * sizeof(double)),
                .direction = malloc(n * sizeof(double)),
                .adjoint = malloc(n * n * sizeof(double))};
    *probe = (fa_probe){variables->n, calloc(n, n)};
    fa_status status = FA_OK;
    if (s.self && s.value && s.direction && s.adjoint && probe->effect) {
        plant->prepare(s.self, robot, variables);
        take_samples(&s, probe);
    } else {
        fa_probe_free(probe);
        status = no_memory(error);
    }
    free(s.self);
    free(s.value);
    free(s.direction);
    free(s.adjoint);
    return status;
}

// Returns true for a state of a joint that a cylinder spans, or the parameter that it starts from:
// the arm without the cylinder does not show its effect on the cylinder's force. With loops or
// joints of several freedoms, any joint counts as spanned.
static bool is_spanned(const fa_robot *robot, const fa_variable *row)
{
    if (fa_robot_is_mechanism(robot)) return row->key.owner == FA_OF_JOINT;
    static const char *const quantity[] = {"position", "velocity", "initial_position",
                                           "initial_velocity"};
    bool                     spans = false;
    for (size_t i = 0; i < sizeof quantity / sizeof *quantity; i++) {
        if (!fa_variable_is(row, FA_OF_JOINT, quantity[i])) continue;
        for (int k = 0; k < robot->n_cylinders; k++)
            spans |= fa_joint_is_free(&robot->link[row->key.part].joint) &&
                     fa_cylinder_spans(robot, fa_robot_cylinder(robot, k), row->key.part);
    }
    return spans;
}

// Returns true if a drive's effort at a joint has an effect on a row of the smaller table.
static bool is_driven(const fa_variables *fewer, const fa_probe *from, int row)
{
    for (int known = fewer->first[FA_INPUT]; known < fewer->first[FA_STATE]; known++)
        if (fewer->row[known].key.owner == FA_OF_JOINT && fa_probe_effect(from, row, known))
            return true;
    return false;
}

// Returns true for friction and end stops inside a cylinder: they affect the accounts of energy
// even where no drive does.
static bool has_losses(const fa_robot *robot, const fa_variable *row)
{
    bool inside = false;
    for (int k = 0; k < robot->n_cylinders; k++)
        inside |= fa_robot_cylinder(robot, k)->cut != FA_CUT_FORCE;
    return inside && row->key.owner == FA_OF_ENERGY;
}

// Copies the effects found in the smaller table. Cylinders act through joints: another parameter of
// a cylinder has an effect where the joints' drives have one. False: out of memory.
static bool widen(const fa_robot *robot, const fa_variables *variables, const fa_variables *fewer,
                  const fa_probe *from, fa_probe *probe)
{
    const size_t n = (size_t)variables->n;
    int         *row = malloc(n * sizeof *row);
    bool        *spanned = malloc(n * sizeof *spanned);
    const bool   room = row && spanned;
    memset(probe->effect, 1, n * n);
    for (size_t i = 0; room && i < n; i++) {
        const fa_variable *one = &variables->row[i];
        row[i] = fa_variables_find(fewer, one->name);
        spanned[i] = i < (size_t)variables->first[FA_OUTPUT] && is_spanned(robot, one);
    }
    for (size_t i = 0; room && i < n; i++) {
        if (row[i] == FA_NO_ROW) continue;
        const bool driven = is_driven(fewer, from, row[i]) || has_losses(robot, &variables->row[i]);
        const bool pushed = variables->row[i].group & FA_GROUP_DERIVATIVES;
        for (size_t k = 0; k < n; k++) {
            const bool shown = row[k] != FA_NO_ROW && fa_probe_effect(from, row[i], row[k]);
            const bool hidden = row[k] == FA_NO_ROW || spanned[k];
            probe->effect[i * n + k] =
                shown || (hidden && (driven || !pushed) && (pushed || row[k] == FA_NO_ROW));
        }
    }
    free(spanned);
    free(row);
    return room;
}

fa_status fa_probe_take(const fa_plant *plant, const fa_robot *robot, const fa_variables *variables,
                        fa_probe *probe, fa_error *error)
{
    if (robot->n_cylinders == 0) return take(plant, robot, variables, probe, error);
    if (fa_robot_is_axis(robot)) { // without its cylinder nothing is left of it
        *probe = (fa_probe){variables->n, NULL};
        return FA_OK;
    }
    // Cylinders are invalid at random parameters. Their own effects are known by structure; effects
    // of the arm are measured without them.
    const size_t n = (size_t)variables->n;
    fa_robot    *bare = malloc(fa_robot_size(robot));
    fa_variables fewer;
    fa_probe     found = {0, NULL};
    void        *block = NULL;
    *probe = (fa_probe){variables->n, calloc(n, n)};
    fa_status status;
    if (bare && probe->effect) {
        fa_robot_lists lists = fa_robot_lists_of(robot);
        memcpy(bare, robot, fa_robot_size(robot));
        lists.n[FA_LIST_CYLINDERS] = 0;
        fa_robot *without = fa_robot_with_lists(bare, &lists); // releases the other block
        status = without ? FA_OK : no_memory(error);
        if (without) bare = without;
        if (without) bare->checked = true; // was checked as a part of the whole robot
        if (status == FA_OK) status = fa_plant_variables(plant, bare, false, &fewer, &block, error);
        if (status == FA_OK) status = take(plant, bare, &fewer, &found, error);
        if (status == FA_OK && !widen(robot, variables, &fewer, &found, probe))
            status = no_memory(error);
    } else {
        status = no_memory(error);
    }
    fa_probe_free(&found);
    free(block);
    free(bare);
    if (status != FA_OK) fa_probe_free(probe);
    return status;
}

void fa_probe_free(fa_probe *probe)
{
    free(probe->effect);
    probe->effect = NULL;
}

bool fa_probe_effect(const fa_probe *probe, int unknown, int known)
{
    return !probe->effect || probe->effect[(size_t)unknown * (size_t)probe->n + (size_t)known];
}

bool fa_probe_fits(const fa_variables *variables)
{
    double known = variables->first[FA_OUTPUT];
    double unknown = variables->first[FA_TIME] - variables->first[FA_STATE];
    return known * unknown <= FA_DEPENDENCY_PAIRS_MAX;
}
