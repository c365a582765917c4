// Finds the fixed point of a gait's return map, by Newton's iteration, and its multipliers.
//
// The Jacobian of the map is that of the motion's end by its start: a tangent for each coordinate
// is integrated beside the motion, with the plant's exact tangents. Where a joint meets a stop
// within the period, central differences of whole periods take their place.
#include "return_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eigenvalues.h"
#include "lu.h"
#include "settled_gait.h"
#include "simulation.h"
#include "sincos.h"
#include "sliding_plant.h"

static const double TOLERANCE = 1e-11; // of the integrator: the map is good to some 1e-10, …
static const double CLOSE = 1e-9;      // … and the point is found when it returns within this
static const double STEP = 1e-6; // of central differences: their error is some 1e-6 of a multiplier
enum { ITERATIONS_MOST = 12 };   // Newton's doubles the digits each time

typedef struct section {
    fa_state *state;
    bool      wheels, directed, placed; // ideal wheels; angle of link 1 and place are in
    int       links, n, motion;         // coordinates, and states that the motion follows from
    int       first, time, angle;       // rows: of the states, time, gait.angle or FA_NO_ROW
    double    period, frequency, phase;
    unsigned  groups;
    double   *x, *end;    // states
    double   *image;      // of the point
    double   *step;       // Newton's, or of the differences
    double   *jacobian;   // n x n
    double   *matrix;     // scratch of the same size
    double   *augmented;  // the states and a tangent for each coordinate, one after the other
    double   *integrator; // its work
    double   *direction;
    bool     *above; // of each indicator of a stop, where the period begins
    int      *pivot;
} section;

// ------------------------------------------------------------------------------------ coordinates

// Turns a vector by an angle.
static void turn(double angle, double x, double y, double out[2])
{
    double sine, cosine;
    fa_sincos(angle, &sine, &cosine);
    out[0] = cosine * x - sine * y;
    out[1] = sine * x + cosine * y;
}

// Computes the states of a point; coordinates that it does not have put link 1 at the origin along
// x.
static void states_of(const section *s, const double z[], double x[])
{
    const int n = s->links;
    int       next = s->wheels ? n + 1 : 2 * n + 1;
    x[0] = s->directed ? z[next++] : 0;
    for (int i = 0; i < 2; i++) x[n + i] = s->placed ? z[next++] : 0;
    for (int k = 1; k < n; k++) x[k] = x[k - 1] + z[k - 1];
    if (s->wheels) {
        x[n + 2] = z[n - 1];
        x[n + 3] = z[n];
        return;
    }
    const double *rate = z + n - 1, *velocity = rate + n - 1;
    x[n + 2] = velocity[2];
    for (int k = 1; k < n; k++) x[n + 2 + k] = x[n + 1 + k] + rate[k - 1];
    turn(x[0], velocity[0], velocity[1], &x[2 * n + 2]);
}

// Computes the point of the states x.
static void point_of(const section *s, const double x[], double z[])
{
    const int n = s->links;
    int       next = s->wheels ? n + 1 : 2 * n + 1;
    if (s->directed) z[next++] = x[0];
    for (int i = 0; s->placed && i < 2; i++) z[next++] = x[n + i];
    for (int k = 1; k < n; k++) z[k - 1] = x[k] - x[k - 1];
    if (s->wheels) {
        z[n - 1] = x[n + 2];
        z[n] = x[n + 3];
        return;
    }
    double *rate = z + n - 1, *velocity = rate + n - 1;
    for (int k = 1; k < n; k++) rate[k - 1] = x[n + 2 + k] - x[n + 1 + k];
    turn(-x[0], x[2 * n + 2], x[2 * n + 3], velocity);
    velocity[2] = x[n + 2];
}

// Computes the derivative of states_of by coordinate j, at the point of the states x.
static void states_tangent(const section *s, const double x[], int j, double dx[])
{
    double   *z = s->step;
    const int n = s->links, angle = s->wheels ? n + 1 : 2 * n + 1;
    memset(z, 0, (size_t)s->n * sizeof *z);
    z[j] = 1;
    // Everything but the velocity is linear in the coordinates …
    states_of(s, z, dx);
    if (s->wheels) return;
    const double *velocity = z + 2 * n - 2;
    turn(x[0], velocity[0], velocity[1], &dx[2 * n + 2]);
    // … which the angle of link 1 turns.
    if (s->directed && j == angle) {
        dx[2 * n + 2] = -x[2 * n + 3];
        dx[2 * n + 3] = x[2 * n + 2];
    }
}

// Computes the tangent of point_of at the states x.
static void point_tangent(const section *s, const double x[], const double dx[], double dz[])
{
    const int n = s->links;
    point_of(s, dx, dz);
    if (s->wheels) return;
    double own[2], *velocity = dz + 2 * n - 2;
    turn(-x[0], x[2 * n + 2], x[2 * n + 3], own);
    turn(-x[0], dx[2 * n + 2], dx[2 * n + 3], velocity);
    velocity[0] += own[1] * dx[0];
    velocity[1] -= own[0] * dx[0];
}

// ------------------------------------------------------------------------------------- one period

// Where a period begins: the plant's values are at the states, and what switches has switched.
static fa_status begin(const section *s, fa_simulation *simulation, const double x[],
                       fa_error *error)
{
    fa_state *state = s->state;
    state->value[s->time] = 0;
    fa_state_start(state);
    memcpy(state->value + s->first, x, (size_t)s->motion * sizeof *x);
    return fa_simulation_begin(simulation, 0, error);
}

static fa_status one_period(const section *s, const double z[], double image[], fa_error *error)
{
    fa_schedule   nothing = {0};
    fa_simulation simulation;
    fa_status     status = fa_simulation_new(s->state, &nothing, &simulation, error);
    simulation.trajectory.most_asked = (long)fa_trajectory_patience(s->motion);
    states_of(s, z, s->x);
    if (status == FA_OK) status = begin(s, &simulation, s->x, error);
    if (status == FA_OK) status = fa_simulation_advance(&simulation, s->period, error);
    if (status == FA_OK) memcpy(s->end, simulation.x, (size_t)s->motion * sizeof *s->end);
    if (status == FA_OK) point_of(s, s->end, image);
    fa_simulation_free(&simulation);
    return status;
}

static fa_status by_differences(const section *s, double z[], double image[], fa_error *error)
{
    fa_status status = FA_OK;
    double   *behind = s->step;
    for (int j = 0; j < s->n && status == FA_OK; j++) {
        const double here = z[j];
        z[j] = here - STEP;
        status = one_period(s, z, behind, error);
        z[j] = here + STEP;
        if (status == FA_OK) status = one_period(s, z, image, error);
        z[j] = here;
        for (int i = 0; i < s->n; i++)
            s->jacobian[(size_t)i * (size_t)s->n + (size_t)j] = (image[i] - behind[i]) / (2 * STEP);
    }
    return status == FA_OK ? one_period(s, z, image, error) : status;
}

// ---------------------------------------------------------------------------------------- tangents

static void place(const section *s, double t, const double x[])
{
    double *value = s->state->value;
    value[s->time] = t;
    memcpy(value + s->first, x, (size_t)s->motion * sizeof *x);
    if (s->angle != FA_NO_ROW) value[s->angle] = s->phase + s->frequency * t;
}

// Motion and tangents side by side.
static fa_status rates(void *context, double t, const double x[], double dx[], fa_error *error)
{
    const section     *s = context;
    fa_state          *state = s->state;
    const fa_variable *row = state->table.row;
    const size_t       size = (size_t)s->motion;
    place(s, t, x);
    fa_status status =
        fa_plant_evaluate(state->plant, state->self, state->value, s->groups, NULL, error);
    for (int i = 0; i < s->motion && status == FA_OK; i++)
        dx[i] = state->value[row[s->first + i].derivative];
    for (int j = 0; j < s->n && status == FA_OK; j++) {
        memset(s->direction, 0, (size_t)state->table.n * sizeof *s->direction);
        memcpy(s->direction + s->first, x + (size_t)(j + 1) * size, size * sizeof *x);
        status = state->plant->tangent(state->self, state->value, s->direction, s->groups, error);
        for (int i = 0; i < s->motion; i++)
            dx[(size_t)(j + 1) * size + (size_t)i] = s->direction[row[s->first + i].derivative];
    }
    return status;
}

static bool is_stop(const fa_state *state, int row)
{
    return state->table.row[row].quantity == FA_SNAKE_ROW_STOP_INDICATOR;
}

static fa_status crossed(void *context, double t, const double x[], bool *has, fa_error *error)
{
    const section *s = context;
    fa_state      *state = s->state;
    const int      first = state->table.first[FA_INDICATOR];
    place(s, t, x);
    const fa_status status = fa_plant_evaluate(state->plant, state->self, state->value,
                                               fa_indicator_groups(&state->table), NULL, error);
    *has = false;
    for (int row = first; row < state->table.first[FA_INDICATOR + 1]; row++)
        if (is_stop(state, row)) *has |= (state->value[row] > 0) != s->above[row - first];
    return status;
}

static void note_sides(const section *s)
{
    const fa_state *state = s->state;
    const int       first = state->table.first[FA_INDICATOR];
    for (int row = first; row < state->table.first[FA_INDICATOR + 1]; row++)
        s->above[row - first] = state->value[row] > 0;
}

// *switched: a stop was met or left, and there is no result.
static fa_status by_tangents(const section *s, const double z[], double image[], bool *switched,
                             fa_error *error)
{
    const size_t     size = (size_t)s->motion;
    fa_schedule      nothing = {0};
    fa_simulation    simulation;
    fa_pace          pace = {0};
    double           t = 0;
    const fa_solver  solver = {FA_SOLVER_DORMAND_PRINCE, 0, TOLERANCE};
    const fa_problem problem = {
        .n = s->motion * (s->n + 1), .rhs = rates, .crossed = crossed, .context = (void *)s};
    fa_status status = fa_simulation_new(s->state, &nothing, &simulation, error);
    states_of(s, z, s->x);
    if (status == FA_OK) status = begin(s, &simulation, s->x, error);
    fa_simulation_free(&simulation);
    if (status == FA_OK) status = fa_state_evaluate(s->state, FA_GROUP_ALL, error);
    if (status != FA_OK) return status;
    note_sides(s);
    memcpy(s->augmented, s->x, size * sizeof *s->x);
    for (int j = 0; j < s->n; j++)
        states_tangent(s, s->x, j, s->augmented + (size_t)(j + 1) * size);
    status =
        fa_integrate(&problem, &solver, &t, s->period, s->augmented, &pace, s->integrator, error);
    *switched = t < s->period;
    if (status != FA_OK || *switched) return status;
    memcpy(s->end, s->augmented, size * sizeof *s->end);
    point_of(s, s->end, image);
    for (int j = 0; j < s->n; j++) {
        point_tangent(s, s->end, s->augmented + (size_t)(j + 1) * size, s->step);
        for (int i = 0; i < s->n; i++)
            s->jacobian[(size_t)i * (size_t)s->n + (size_t)j] = s->step[i];
    }
    return FA_OK;
}

static fa_status image_of(const section *s, fa_return_map *map, fa_error *error)
{
    bool switched = false;
    if (!map->by_differences) {
        const fa_status status = by_tangents(s, map->point, s->image, &switched, error);
        if (status != FA_OK || !switched) return status;
        map->by_differences = true;
    }
    return by_differences(s, map->point, s->image, error);
}

// ------------------------------------------------------------------------------------ fixed point

static fa_status no_fixed_point(const section *s, fa_error *error)
{
    return fa_fail(error, FA_SINGULAR, s->state->source, FA_NOWHERE,
                   "the gait has no motion near by that repeats itself%s",
                   s->placed ? ": with patches or obstacles it would have to come back to the same "
                               "place; leave them out"
                             : "; let it settle first, with more --periods");
}

static fa_status iterate(const section *s, fa_return_map *map, fa_error *error)
{
    double first = INFINITY;
    for (int i = 0; i < ITERATIONS_MOST; i++) {
        const fa_status status = image_of(s, map, error);
        double          size = 1;
        if (status != FA_OK) return status;
        map->left = 0;
        for (int k = 0; k < s->n; k++) {
            s->step[k] = s->image[k] - map->point[k];
            map->left = fmax(map->left, fabs(s->step[k]));
            size = fmax(size, fabs(map->point[k]));
        }
        if (i == 0) first = map->left;
        // It does not come closer: what there is to find is elsewhere.
        if (!(map->left <= 100 * first)) return no_fixed_point(s, error);
        if (map->left <= CLOSE * size) return FA_OK;
        // (1 - J) step = image - point
        for (int k = 0; k < s->n * s->n; k++) s->matrix[k] = -s->jacobian[k];
        for (int k = 0; k < s->n; k++) s->matrix[k * s->n + k] += 1;
        if (!fa_lu_factor(s->n, s->matrix, s->pivot)) return no_fixed_point(s, error);
        fa_lu_solve(s->n, s->matrix, s->pivot, s->step);
        for (int k = 0; k < s->n; k++) map->point[k] += s->step[k];
    }
    return no_fixed_point(s, error);
}

// -------------------------------------------------------------------------------- coming and going

static section section_of(fa_state *state)
{
    const fa_variables *table = &state->table;
    section             s = {.state = state,
                             .wheels = state->plant != &fa_sliding_plant,
                             .first = table->first[FA_STATE],
                             .time = table->first[FA_TIME],
                             .period = fa_gait_period(state)};
    for (int row = s.first; table->row[row].quantity == FA_SNAKE_ROW_ANGLE; row++) s.links++;
    const int slope = fa_gait_row(state, FA_SNAKE_ROW_SLOPE, 0);
    for (int row = 0; row < table->n; row++)
        s.placed |= table->row[row].quantity == FA_SNAKE_ROW_THING;
    s.directed = s.placed || (slope != FA_NO_ROW && state->value[slope] != 0);
    s.angle = fa_gait_row(state, FA_SNAKE_ROW_GAIT_ANGLE, 0);
    s.frequency = state->value[fa_gait_row(state, FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_FREQUENCY)];
    s.phase = state->value[fa_gait_row(state, FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_PHASE)];
    s.motion = s.wheels ? s.links + 4 : 2 * s.links + 4;
    for (int row = s.first; row < s.first + s.motion; row++)
        s.groups |= table->row[table->row[row].derivative].group;
    s.n = (s.wheels ? s.links + 1 : 2 * s.links + 1) + (s.directed ? 1 : 0) + (s.placed ? 2 : 0);
    return s;
}

static bool find_room(section *s, fa_return_map *map)
{
    const size_t n = (size_t)s->n, states = (size_t)fa_variables_count(&s->state->table, FA_STATE);
    const size_t all = (size_t)s->motion * (n + 1);
    s->x = calloc(states, sizeof *s->x);
    s->end = calloc(states, sizeof *s->end);
    s->image = calloc(n, sizeof *s->image);
    s->step = calloc(n, sizeof *s->step);
    s->jacobian = calloc(n * n, sizeof *s->jacobian);
    s->matrix = calloc(n * n, sizeof *s->matrix);
    s->augmented = calloc(all, sizeof *s->augmented);
    s->integrator = calloc(fa_integrate_work((int)all, NULL) + 1, sizeof *s->integrator);
    s->direction = calloc((size_t)s->state->table.n, sizeof *s->direction);
    s->above =
        calloc((size_t)fa_variables_count(&s->state->table, FA_INDICATOR) + 1, sizeof *s->above);
    s->pivot = calloc(n, sizeof *s->pivot);
    map->point = calloc(n, sizeof *map->point);
    map->re = calloc(n, sizeof *map->re);
    map->im = calloc(n, sizeof *map->im);
    return s->x && s->end && s->image && s->step && s->jacobian && s->matrix && s->augmented &&
           s->integrator && s->direction && s->above && s->pivot && map->point && map->re &&
           map->im;
}

static void free_room(section *s)
{
    free(s->x);
    free(s->end);
    free(s->image);
    free(s->step);
    free(s->jacobian);
    free(s->matrix);
    free(s->augmented);
    free(s->integrator);
    free(s->direction);
    free(s->above);
    free(s->pivot);
}

static fa_status find(section *s, fa_return_map *map, fa_error *error)
{
    fa_state *state = s->state;
    if (!find_room(s, map))
        return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                       "there is not enough memory for the return map of %d links", s->links);
    memcpy(s->x, state->value + s->first, (size_t)s->motion * sizeof *s->x);
    point_of(s, s->x, map->point);
    state->value[FA_ROW_SOLVER_TOLERANCE] = fmin(state->value[FA_ROW_SOLVER_TOLERANCE], TOLERANCE);
    fa_status status = iterate(s, map, error);
    if (status != FA_OK) return status;
    map->shift[0] = s->end[s->links] - s->x[s->links];
    map->shift[1] = s->end[s->links + 1] - s->x[s->links + 1];
    map->shift[2] = s->end[0] - s->x[0];
    memcpy(s->matrix, s->jacobian, (size_t)s->n * (size_t)s->n * sizeof *s->matrix);
    if (!fa_eigenvalues(s->n, s->matrix, map->re, map->im, s->step))
        return no_fixed_point(s, error);
    return FA_OK;
}

fa_status fa_return_map_find(fa_state *state, fa_return_map *map, fa_error *error)
{
    *map = (fa_return_map){.n = 0};
    fa_status status = fa_gait_fits(state, error);
    if (status != FA_OK) return status;
    section s = section_of(state);
    if (s.links > FA_RETURN_LINKS_MAX)
        return fa_fail(
            error, FA_UNFIT, state->source, FA_NOWHERE,
            "%d links are too many for a return map, whose tangents grow with the square; "
            "at most %d are possible",
            s.links, FA_RETURN_LINKS_MAX);
    map->n = s.n;
    map->directed = s.directed;
    map->placed = s.placed;
    status = find(&s, map, error);
    free_room(&s);
    return status;
}

void fa_return_map_free(fa_return_map *map)
{
    free(map->point);
    free(map->re);
    free(map->im);
}
