// What holds for every plant, on random robots of each kind: tangents are the limit of differences,
// adjoints are their transposes, Jacobians are made of them, dependencies cover them, energy is
// accounted for, and the values are all that there is to save. A new plant is a row of the table.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant_rig.h"

static fa_robot *arm(uint64_t *seed, int trial)
{
    return rig_arm(seed, 1 + trial % 8,
                   RIG_KINDS[trial / 8 % 4] | (trial / 2 % 3 == 0) * RIG_BASE |
                       (trial % 3 ? RIG_DRESSED : trial % 2 * RIG_SWITCHING),
                   "arm");
}

static fa_robot *inverse(uint64_t *seed, int trial)
{
    return rig_arm(seed, 1 + trial % 8,
                   RIG_KINDS[trial / 8 % 4] | (trial / 2 % 3 == 0) * RIG_BASE |
                       (trial % 3 ? RIG_DRESSED : 0),
                   "inverse");
}

static fa_robot *mechanism(uint64_t *seed, int trial)
{
    return rig_mechanism(seed, trial, "mechanism");
}

static fa_robot *closed(uint64_t *seed, int trial)
{
    return rig_closed(seed, trial);
}

static fa_robot *closed_balls(uint64_t *seed, int trial)
{
    return rig_closed_balls(seed, trial, "mechanism");
}

static fa_robot *inverse_closed_balls(uint64_t *seed, int trial)
{
    return rig_closed_balls(seed, trial, "inverse-mechanism");
}

static fa_robot *inverse_mechanism(uint64_t *seed, int trial)
{
    return rig_mechanism(seed, trial, "inverse-mechanism");
}

// Makes screws of joints that turn, in every third trial.
static fa_robot *with_screws(fa_robot *robot, int trial)
{
    for (int i = 1; i < robot->n_links && trial % 3 == 1; i += 2) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint) || joint->type != FA_REVOLUTE) continue;
        joint->type = FA_SCREW;
        joint->pitch = 0.3;
    }
    return robot;
}

static fa_robot *spanned(uint64_t *seed, int trial)
{
    return with_screws(rig_cylinders(seed, 2 + trial % 5, RIG_KINDS[trial / 5 % 4]), trial);
}

static fa_robot *cylinders(uint64_t *seed, int trial)
{
    return trial % 7 == 6 ? rig_linkage((fa_cut)(trial / 7 % 3)) : spanned(seed, trial);
}

static fa_robot *inverse_cylinders(uint64_t *seed, int trial)
{
    fa_robot *robot = trial % 7 == 6 ? rig_linkage(FA_CUT_FORCE) : spanned(seed, trial);
    strcpy(robot->plant, "inverse");
    return robot;
}

static fa_robot *axis(uint64_t *seed, int trial)
{
    (void)seed;
    return rig_axis(trial & 1, trial & 2, trial & 4);
}

static fa_robot *circuit(uint64_t *seed, int trial)
{
    (void)seed;
    return rig_circuit(trial);
}

static fa_robot *circuit_arm(uint64_t *seed, int trial)
{
    return rig_circuit_around(spanned(seed, trial), trial);
}

static fa_robot *circuit_closed(uint64_t *seed, int trial)
{
    return rig_circuit_around(rig_closed_cylinder(seed, trial + 3), trial);
}

static fa_robot *snake(uint64_t *seed, int trial)
{
    const fa_snake_input input = (fa_snake_input)(trial % FA_SNAKE_INPUT_COUNT);
    const int            n = 2 + trial / FA_SNAKE_INPUT_COUNT % 7;
    return rig_snake(seed, input == FA_SNAKE_SPEEDS && n < 3 ? 3 : n, input);
}

static fa_robot *sliding(uint64_t *seed, int trial)
{
    static const fa_snake_input input[] = {FA_SNAKE_TORQUE, FA_SNAKE_VOLTAGE, FA_SNAKE_GAIT,
                                           FA_SNAKE_PRESCRIBED};
    return rig_sliding(seed, 2 + trial / 4 % 6, input[trial % 4],
                       (fa_ground_law)(FA_GROUND_VISCOUS + trial / 4 % 3), trial / 12 % 8);
}

static fa_robot *rolling(uint64_t *seed, int trial)
{
    const fa_snake_input input = (fa_snake_input)(trial % FA_SNAKE_INPUT_COUNT);
    const int            n = 2 + trial / FA_SNAKE_INPUT_COUNT % 6;
    return rig_sliding(seed, input == FA_SNAKE_SPEEDS && n < 3 ? 3 : n, input, FA_GROUND_IDEAL, 0);
}

// Bounds are on errors as shares of the largest number of the same unit, within two orders of the
// worst seen: rounding over the step of differences, 1e-10, times the curvature; rounding times the
// condition of what is solved.
static const struct {
    const char *name;
    fa_robot *(*make)(uint64_t *seed, int trial);
    int    trials;
    double tangent, adjoint, jacobian, energy;
} plants[] = {
    {"arm", arm, 120, 1e-7, 1e-13, 5e-12, 2e-13},
    {"inverse", inverse, 60, 1e-7, 5e-14, 0, 0},
    {"mechanism", mechanism, 60, 1e-7, 1e-13, 0, 2e-13},
    {"closed-mechanism", closed, 24, 1e-7, 1e-12, 0, 2e-12},
    {"closed-balls", closed_balls, 24, 1e-7, 1e-12, 0, 2e-12},
    {"inverse-closed-balls", inverse_closed_balls, 24, 1e-7, 1e-12, 0, 0},
    {"inverse-mechanism", inverse_mechanism, 30, 1e-7, 1e-13, 0, 0},
    {"arm-with-cylinders", cylinders, 60, 3e-7, 5e-13, 2e-12, 2e-12},
    {"inverse-with-cylinders", inverse_cylinders, 20, 3e-7, 2e-12, 0, 0},
    {"cylinder", axis, 16, 5e-8, 1e-14, 5e-14, 0},
    {"circuit", circuit, 16, 5e-8, 1e-14, 0, 0},
    {"circuit-around-arm", circuit_arm, 12, 3e-7, 2e-12, 0, 2e-12},
    {"circuit-around-loops", circuit_closed, 8, 3e-7, 2e-12, 0, 2e-12},
    {"snake", snake, 200, 5e-6, 3e-13, 0, 1e-12},
    {"sliding-snake", sliding, 96, 5e-6, 3e-13, 0, 1e-12},
    {"rolling-snake", rolling, 96, 5e-6, 3e-13, 0, 1e-12},
};

enum { PLANTS = sizeof plants / sizeof *plants };

// Those that are asked about: the one that the command line names, or all.
static int first_plant = 0, end_plant = PLANTS;

// Whether an inverse, which is asked far from where it starts, is where loops hardly determine what
// follows from them. Changes grow with one over the regularity, and differences at steps of 3e-6
// err by the square of steps over it: 2e-8.
static bool is_near_dead_point(const rig *r)
{
    const double least = 0.02;
    const int row = fa_variables_row(&r->variables, FA_OF_MECHANISM, FA_NO_PART, "regularity", 0);
    return row != FA_NO_ROW && fa_robot_is_inverse(r->robot) && r->value[row] < least;
}

// A robot and its values, evaluated. Shapes in which a snake cannot be controlled, and poses that
// loops hardly determine, are drawn again.
static rig draw(int plant, int trial, uint64_t *seed)
{
    rig          r = rig_build(plants[plant].make(seed, trial));
    const size_t size = (size_t)r.variables.n * sizeof *r.value;
    double      *refused = malloc(size);
    fa_status    status;
    fa_error     error = fa_no_error(), again = fa_no_error(), first = fa_no_error();
    assert_non_null(refused);
    do {
        rig_shake(&r, seed);
        status = r.plant->configure(r.self, r.value, &error);
        if (status == FA_OK) status = r.plant->evaluate(r.self, r.value, FA_GROUP_ALL, &error);
        if (status != FA_SINGULAR || first.status != FA_OK) continue;
        memcpy(refused, r.value, size);
        first = error;
    } while (status == FA_SINGULAR || is_near_dead_point(&r));
    if (status != FA_OK) fail_msg("%s: %s", plants[plant].name, error.message);
    if (first.status != FA_OK) { // the sentence is the same whatever was asked in between
        status = r.plant->configure(r.self, refused, &again);
        if (status == FA_OK) status = r.plant->evaluate(r.self, refused, FA_GROUP_ALL, &again);
        assert_int_equal(status, first.status);
        assert_string_equal(again.message, first.message);
        for (int i = 0; i < r.robot->n_links; i++) { // and names each joint once
            char        twice[2 * FA_NAME_SIZE + 8];
            const char *name = r.robot->link[i].joint.name;
            (void)snprintf(twice, sizeof twice, "%s, %s,", name, name);
            if (name[0]) assert_null(strstr(first.message, twice));
        }
        assert_int_equal(r.plant->configure(r.self, r.value, &error), FA_OK);
        rig_evaluate(&r, r.value);
    }
    free(refused);
    return r;
}

static void clear(rig *r)
{
    memset(r->direction, 0, (size_t)r->variables.n * sizeof *r->direction);
}

static void take_tangent(rig *r, unsigned groups)
{
    fa_error error = fa_no_error();
    if (r->plant->tangent(r->self, r->value, r->direction, groups, &error) != FA_OK)
        fail_msg("%s", error.message);
}

// The largest value or change among the calculated rows of a unit.
static double scale_of(const rig *r, fa_unit unit)
{
    double scale = 1e-9;
    for (int row = r->variables.first[FA_OUTPUT]; row < r->variables.first[FA_TIME]; row++) {
        const fa_variable *v = &r->variables.row[row];
        if (rig_calculates(v) && v->unit == unit)
            scale = fmax(scale, fmax(fabs(r->direction[row]), fabs(r->value[row])));
    }
    return scale;
}

// A measure of two links' controllability would be zero but for rounding, and its root has no
// slope.
static bool is_degenerate(const rig *r, const fa_variable *v)
{
    return r->robot->n_links == 2 && fa_variable_is(v, FA_OF_ROBOT, "controllability");
}

// Central differences in one random direction over all parameters, inputs, states and time at once.
static void tangents_are_the_limit_of_differences(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 1;
        double   worst = 0;
        for (int trial = 0; trial < plants[p].trials; trial++) {
            rig          r = draw(p, trial, &seed);
            const int    n = r.variables.n;
            const size_t size = (size_t)n * sizeof(double);
            double      *side[2] = {malloc(size), malloc(size)};
            for (int row = FA_COMMON_ROWS; row < n; row++)
                if (rig_knows(&r.variables.row[row]))
                    r.direction[row] = rig_size_of(&r.variables.row[row]) * random_in(&seed, -1, 1);
            for (int s = 0; s < 2; s++) {
                for (int row = 0; row < n; row++)
                    side[s][row] = r.value[row] + (s ? h : -h) * r.direction[row];
                rig_evaluate(&r, side[s]);
            }
            rig_evaluate(&r, r.value);
            take_tangent(&r, FA_GROUP_ALL);
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++) {
                const fa_variable *v = &r.variables.row[row];
                if (!rig_calculates(v) || is_degenerate(&r, v)) continue;
                const double difference = (side[1][row] - side[0][row]) / (2 * h);
                // What Newton's iteration leaves of numbers that are zero, over the step.
                const double left = r.robot->n_loops > 0 ? 1e-10 : 0;
                const double off =
                    fmax(fabs(difference - r.direction[row]) - left, 0) / scale_of(&r, v->unit);
                worst = fmax(worst, off);
                if (!(off < plants[p].tangent))
                    fail_msg("%s, trial %d: %s changes by %g, differences say %g", plants[p].name,
                             trial, v->name, r.direction[row], difference);
            }
            free(side[0]);
            free(side[1]);
            rig_take_down(&r);
        }
        print_message("%s: worst %.1e\n", plants[p].name, worst);
    }
}

// The dot-product identity: slope . (J step) = (J^T slope) . step, for all groups and for some.
static void adjoints_are_the_transpose_of_tangents(void **state)
{
    (void)state;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 7;
        double   worst = 0;
        for (int trial = 0; trial < 2 * plants[p].trials; trial++) {
            rig       r = draw(p, trial, &seed);
            const int n = r.variables.n;
            double   *slope = calloc((size_t)n, sizeof *slope), forwards = 0, backwards = 0;
            double    size = 0;
            unsigned  groups = 0;
            rig_evaluate(&r, r.value);
            for (int row = FA_COMMON_ROWS; row < n; row++) {
                const fa_variable *v = &r.variables.row[row];
                if (rig_knows(v)) r.direction[row] = rig_size_of(v) * random_in(&seed, -1, 1);
                if (!rig_calculates(v)) continue;
                if (trial % 3 == 0 && random_in(&seed, 0, 1) < 0.8) continue; // some, not all
                const double usual = v->unit == FA_UNIT_METRE3_PER_SECOND ? 1e-4 : 1;
                slope[row] = random_in(&seed, -1, 1) / (usual + fabs(r.value[row]));
                groups |= v->group;
            }
            double *given = malloc((size_t)n * sizeof *given);
            memcpy(given, r.direction, (size_t)n * sizeof *given);
            take_tangent(&r, groups);
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++) {
                forwards += slope[row] * (slope[row] != 0 ? r.direction[row] : 0);
                size += fabs(slope[row] != 0 ? slope[row] * r.direction[row] : 0);
            }
            fa_error error = fa_no_error();
            assert_int_equal(r.plant->adjoint(r.self, r.value, slope, groups, &error), FA_OK);
            for (int row = FA_COMMON_ROWS; row < n; row++) {
                if (!rig_knows(&r.variables.row[row])) continue;
                backwards += slope[row] * given[row];
                size += fabs(slope[row] * given[row]);
            }
            // Where all that was asked for is rounding, there is nothing to compare.
            const double off = size > 1e-6 ? fabs(forwards - backwards) / size : 0;
            worst = fmax(worst, off);
            if (!(off < plants[p].adjoint))
                fail_msg("%s, trial %d, groups %u: %.17g forwards, %.17g backwards", plants[p].name,
                         trial, groups, forwards, backwards);
            free(given);
            free(slope);
            rig_take_down(&r);
        }
        print_message("%s: worst %.1e\n", plants[p].name, worst);
    }
}

// Columns of the Jacobian that integrators take against tangents: the worst difference, in shares
// of the largest element of the same row, by the columns' sizes.
static bool compare_jacobian(rig *r, double *worst)
{
    const int           first = r->variables.first[FA_STATE];
    const int           n = r->variables.first[FA_OUTPUT] - first;
    double             *by_state = calloc((size_t)(n * n + 1), sizeof *by_state);
    double             *tangents = calloc((size_t)(n * n + 1), sizeof *tangents);
    fa_state_row       *of = calloc((size_t)n + 1, sizeof *of);
    fa_error            error = fa_no_error();
    const fa_state_rows states = fa_variables_states(&r->variables, of);
    clear(r);
    const bool answered =
        r->plant->jacobian(r->self, &states, r->value, r->direction, by_state, &error) == FA_OK;
    for (int j = 0; j < n; j++) {
        clear(r);
        r->direction[first + j] = 1;
        take_tangent(r, FA_GROUP_ALL);
        for (int i = 0; i < n; i++)
            tangents[i * n + j] = r->direction[r->variables.row[first + i].derivative];
    }
    for (int i = 0; i < n && answered; i++) {
        double scale = 0;
        for (int j = 0; j < n; j++)
            scale =
                fmax(scale, fabs(tangents[i * n + j]) * rig_size_of(&r->variables.row[first + j]));
        for (int j = 0; j < n && scale > 0; j++) {
            const double size = rig_size_of(&r->variables.row[first + j]) / scale;
            *worst = fmax(*worst, fabs(by_state[i * n + j] - tangents[i * n + j]) * size);
        }
    }
    free(of);
    free(tangents);
    free(by_state);
    return answered;
}

static void jacobians_are_made_of_tangents(void **state)
{
    (void)state;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 9;
        double   worst = 0;
        int      answered = 0, asked = 0;
        for (int trial = 0; trial < plants[p].trials; trial++) {
            rig r = draw(p, trial, &seed);
            if (r.plant->jacobian && fa_variables_count(&r.variables, FA_STATE) > 0) {
                if (trial % 3 == 0) // without loads
                    for (int row = r.variables.first[FA_INPUT]; row < r.variables.first[FA_STATE];
                         row++)
                        if (r.variables.row[row].unit == FA_UNIT_NEWTON ||
                            r.variables.row[row].unit == FA_UNIT_NEWTON_METRE)
                            r.value[row] = 0;
                rig_evaluate(&r, r.value);
                answered += compare_jacobian(&r, &worst);
                asked++;
            }
            rig_take_down(&r);
        }
        print_message("%s: %d of %d, worst %.1e\n", plants[p].name, answered, asked, worst);
        assert_true(2 * answered >= asked); // what tangents answer is left to them
        assert_true(worst <= plants[p].jacobian);
    }
}

// What the table calls independent does not move.
static void dependencies_are_those_of_the_tangents(void **state)
{
    (void)state;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 2;
        for (int trial = 0; trial < plants[p].trials / 4; trial++) {
            rig r = draw(p, trial, &seed);
            rig_evaluate(&r, r.value);
            for (int known = FA_COMMON_ROWS; known < r.variables.n; known++) {
                const fa_variable *on = &r.variables.row[known];
                if (!rig_knows(on)) continue;
                clear(&r);
                r.direction[known] = rig_size_of(on);
                take_tangent(&r, FA_GROUP_ALL);
                for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME];
                     row++) {
                    const fa_variable *of = &r.variables.row[row];
                    // Products that cancel leave a few roundings of what cancelled.
                    if (!rig_calculates(of) ||
                        fabs(r.direction[row]) < 1e-9 * (1 + scale_of(&r, of->unit)))
                        continue;
                    if (r.plant->depends(r.robot, &r.variables, row, known) == FA_INDEPENDENT)
                        fail_msg("%s, trial %d: %s moves with %s by %g", plants[p].name, trial,
                                 of->name, on->name, r.direction[row]);
                }
            }
            rig_take_down(&r);
        }
    }
}

// Joints that stick or are locked stand still, as events leave them.
static void stop_what_is_held(rig *r)
{
    for (int row = r->variables.first[FA_OUTPUT]; row < r->variables.first[FA_INDICATOR]; row++) {
        const fa_variable *v = &r->variables.row[row];
        const bool         sticks = fa_variable_is(v, FA_OF_JOINT, "slip") && r->value[row] == 0;
        const bool         locked = fa_variable_is(v, FA_OF_JOINT, "locked") && r->value[row] != 0;
        int                link = v->key.part;
        if (!sticks && !locked) continue;
        if (r->robot->link[link].joint.dependent) { // it moves with others
            r->value[row] = sticks;
            continue;
        }
        while (r->robot->link[link].joint.mimic.leader != FA_NOBODY)
            link = r->robot->link[link].joint.mimic.leader;
        r->value[fa_variables_row(&r->variables, FA_OF_JOINT, link, "velocity", 0)] = 0;
    }
}

// Depths of wheels on balls and boxes are by the normal at the centre, so that they do not change
// quite as their lowest point moves: these contacts are made too soft to count.
static void soften_wheels_on_obstacles(rig *r)
{
    for (int k = 0; k < r->robot->n_contacts; k++) {
        const fa_contact *c = fa_robot_contact(r->robot, k);
        if (c->shape != FA_CONTACT_WHEEL || c->on == FA_WORLD) continue;
        const int row = fa_variables_row(&r->variables, FA_OF_CONTACT, k, "stiffness", 0);
        if (row != FA_NO_ROW) r->value[row] = 1e-14; // an inverse has none
    }
}

// What the motion changes of the energy is what the powers say: the tangent along the motion.
static void powers_are_the_rate_of_the_energy(void **state)
{
    (void)state;
    static const struct {
        const char *quantity;
        double      sign;
    } power[] = {{"actuator_power", 1}, {"external_power", 1}, {"friction_power", -1},
                 {"stop_power", -1},    {"contact_power", -1}, {"power", 1}};
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 3;
        double   worst = 0;
        int      balances = 0;
        for (int trial = 0; trial < plants[p].trials; trial++) {
            rig    r = draw(p, trial, &seed);
            double rate = 0, given = 0, size = 1e-9;
            bool   powers = false;
            // The account of a sliding snake counts the work of weight and springs as well.
            const bool works = fa_robot_has_ground(r.robot);
            stop_what_is_held(&r);
            soften_wheels_on_obstacles(&r);
            rig_evaluate(&r, r.value);
            clear(&r);
            for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++)
                r.direction[row] = r.value[r.variables.row[row].derivative];
            take_tangent(&r, FA_GROUP_ALL);
            for (int row = r.variables.first[FA_OUTPUT]; row < r.variables.first[FA_TIME]; row++) {
                const fa_variable *v = &r.variables.row[row];
                for (size_t i = 0; i < sizeof power / sizeof *power; i++) {
                    if (!fa_variable_is(v, FA_OF_ENERGY, power[i].quantity)) continue;
                    given += power[i].sign * r.value[row];
                    size = fmax(size, fabs(r.value[row]));
                    powers = true;
                }
                if (!fa_variable_is(v, FA_OF_ENERGY, "kinetic") &&
                    (works || !fa_variable_is(v, FA_OF_ENERGY, "potential")))
                    continue;
                rate += r.direction[row];
                size = fmax(size, fabs(r.direction[row]));
            }
            if (powers) worst = fmax(worst, fabs(rate - given) / size);
            balances += powers;
            rig_take_down(&r);
        }
        print_message("%s: %d balances, worst %.1e\n", plants[p].name, balances, worst);
        assert_true(worst <= plants[p].energy);
        assert_true(plants[p].energy == 0 || 4 * balances >= plants[p].trials);
    }
}

// Another instance with the same values answers with the same bits, wherever the first has been:
// the values are all that a saved state needs.
static void values_are_all_that_a_saved_state_needs(void **state)
{
    (void)state;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 5;
        for (int trial = 0; trial < plants[p].trials / 2; trial++) {
            rig          r = draw(p, trial, &seed);
            const size_t size = (size_t)r.variables.n * sizeof(double);
            double      *saved = malloc(size), *elsewhere = malloc(size), *again = malloc(size);
            void        *other = rig_prepared(&r, 0);
            fa_error     error = fa_no_error();
            memcpy(saved, r.value, size);
            rig_evaluate(&r, r.value);
            memcpy(elsewhere, r.value, size);
            for (int row = r.variables.first[FA_INPUT]; row < r.variables.first[FA_OUTPUT]; row++)
                if (rig_knows(&r.variables.row[row])) {
                    // No farther than loops can follow.
                    elsewhere[row] *= r.robot->n_loops > 0 ? 0.999 : 0.9;
                }
            rig_evaluate(&r, elsewhere);
            memcpy(again, saved, size);
            rig_evaluate(&r, again);
            assert_memory_equal(again, r.value, size);
            assert_int_equal(r.plant->configure(other, saved, &error), FA_OK);
            assert_int_equal(r.plant->evaluate(other, saved, FA_GROUP_ALL, &error), FA_OK);
            assert_memory_equal(saved, r.value, size);
            free(other);
            free(again);
            free(elsewhere);
            free(saved);
            rig_take_down(&r);
        }
    }
}

// All that an instance in this memory comes to at its first instant, into value; its warnings.
static int begin_in(const rig *r, unsigned char before, double value[])
{
    fa_error        error = fa_no_error();
    const fa_plant *plant = r->plant;
    fa_event        event = {.initial = true};
    bool            moved = false;
    void           *self = rig_prepared(r, before);
    int             warnings = plant->warning && plant->warning(self);
    memcpy(value, r->value, (size_t)r->variables.n * sizeof *value);
    fa_status status = plant->configure(self, value, &error);
    if (status == FA_OK && plant->event) status = plant->event(self, value, &event, &error);
    if (status == FA_OK) status = plant->evaluate(self, value, FA_GROUP_ALL, &error);
    if (status == FA_OK && plant->accept) status = plant->accept(self, value, &moved, &error);
    warnings += 2 * (plant->warning && plant->warning(self));
    free(self);
    return warnings + 4 * (int)status;
}

// Nor does it matter what the memory of an instance held before: bytes of 1 are true as flags.
static void memory_is_all_set_by_prepare(void **state)
{
    (void)state;
    for (int p = first_plant; p < end_plant; p++) {
        uint64_t seed = 6;
        for (int trial = 0; trial < plants[p].trials / 2; trial++) {
            rig          r = draw(p, trial, &seed);
            const size_t size = (size_t)r.variables.n * sizeof(double);
            double      *from_zeros = malloc(size), *from_ones = malloc(size);
            assert_int_equal(begin_in(&r, 0, from_zeros), begin_in(&r, 1, from_ones));
            assert_memory_equal(from_zeros, from_ones, size);
            free(from_ones);
            free(from_zeros);
            rig_take_down(&r);
        }
    }
}

static void every_plant_has_a_row(void **state)
{
    (void)state;
    for (int i = 0; i < fa_plant_count; i++) {
        bool found = false;
        for (int p = 0; p < PLANTS && !found; p++) {
            uint64_t  seed = 1;
            fa_robot *robot = plants[p].make(&seed, 0);
            found = strcmp(robot->plant, fa_plants[i]->name) == 0;
            free(robot);
        }
        if (!found)
            fail_msg("no row of the table makes a robot of the plant %s", fa_plants[i]->name);
    }
}

int main(int argc, char *argv[])
{
    for (int p = 0; p < PLANTS && argc > 1; p++)
        if (strcmp(argv[1], plants[p].name) == 0) {
            first_plant = p;
            end_plant = p + 1;
        }
    if (argc > 1 && end_plant - first_plant != 1) return 2; // no such plant
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plant_has_a_row),
        cmocka_unit_test(tangents_are_the_limit_of_differences),
        cmocka_unit_test(adjoints_are_the_transpose_of_tangents),
        cmocka_unit_test(jacobians_are_made_of_tangents),
        cmocka_unit_test(dependencies_are_those_of_the_tangents),
        cmocka_unit_test(powers_are_the_rate_of_the_energy),
        cmocka_unit_test(values_are_all_that_a_saved_state_needs),
        cmocka_unit_test(memory_is_all_set_by_prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
