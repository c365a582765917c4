// Evaluates a sliding snake: motion, forces, accelerations, powers.
#include "sliding_plant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arctan.h"
#include "elements.h"
#include "sincos.h"

// ------------------------------------------------------------------------------------- parameters

// Checks what no link may be without, whatever it stands on.
static fa_status check_link(const fa_sliding_self *self, const double value[], int k,
                            fa_error *error)
{
    static const struct {
        const char  *word;
        fa_item_rule rule;
    } numbers[] = {{"mass", FA_RULE_ABOVE_ZERO},   {"inertia", FA_RULE_ABOVE_ZERO},
                   {"length", FA_RULE_ABOVE_ZERO}, {"wheel", FA_RULE_FINITE},
                   {"com.along", FA_RULE_FINITE},  {"com.across", FA_RULE_FINITE}};
    const double *v = value + fa_snake_link_row(&self->snake, FA_SNAKE_ROW_MASS, k);
    char          owner[32];
    fa_status     status = FA_OK;
    (void)snprintf(owner, sizeof owner, "link %d", k + 1);
    for (int i = 0; i < 6 && status == FA_OK; i++)
        status = fa_item_rule_check(numbers[i].rule, v[i], numbers[i].word, owner, NULL, FA_NOWHERE,
                                    error);
    return status;
}

static fa_status check_slope(const fa_sliding_self *self, const double value[], fa_error *error)
{
    const double slope = value[fa_sliding_row(self, FA_SNAKE_ROW_SLOPE)];
    if (slope >= 0 && slope < 1.5707963267948966) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                   "the slope of the ground must be at least 0 and below a right angle");
}

// Checks the parameters of things on the ground, and of contacts with them.
static fa_status check_things(const fa_sliding_self *self, const double value[], fa_error *error)
{
    const fa_element *patch = &fa_elements[FA_ELEMENT_patch],
                     *touch = &fa_elements[FA_ELEMENT_touch];
    fa_status status = FA_OK;
    for (int i = 0; i < self->n_things; i++)
        for (int j = 0; j < FA_THING_NUMBERS && status == FA_OK; j++) {
            const int  row = self->thing[i].row[j];
            const bool of_patch = self->thing[i].kind == FA_THING_PATCH;
            if (row == FA_NO_ROW) continue;
            const fa_item_rule rule = of_patch ? (fa_item_rule)patch->item[j].rule
                                      : j == 2 ? FA_RULE_ABOVE_ZERO
                                               : FA_RULE_FINITE;
            status = fa_item_rule_check(rule, value[row], of_patch ? patch->item[j].row : "place",
                                        "what lies on the ground", NULL, FA_NOWHERE, error);
        }
    for (int i = 0; self->touches && i < touch->n_numbers && status == FA_OK; i++)
        status = fa_item_rule_check((fa_item_rule)touch->item[i].rule, value[self->touch_row[i]],
                                    touch->item[i].row, "contact", NULL, FA_NOWHERE, error);
    for (int k = 0; self->touches && k < self->chain.n && status == FA_OK; k++)
        status = fa_item_rule_check(FA_RULE_NOT_NEGATIVE,
                                    value[fa_sliding_row(self, FA_SNAKE_ROW_RADIUS) + k], "radius",
                                    "a link", NULL, FA_NOWHERE, error);
    return status;
}

fa_status fa_sliding_configure(void *memory, const double value[], fa_error *error)
{
    fa_sliding_self *self = memory;
    fa_status        status = fa_snake_configure(&self->snake, value, error);
    for (int k = 0; k < self->chain.n && status == FA_OK; k++)
        status = check_link(self, value, k, error);
    if (status == FA_OK && self->wheels) status = fa_snake_check(&self->snake.snake, error);
    if (status == FA_OK) status = check_slope(self, value, error);
    return status == FA_OK ? check_things(self, value, error) : status;
}

// ------------------------------------------------------------------------------------------ motion

static void weigh(fa_sliding_self *self, const double value[])
{
    double       sine, cosine, along_x, along_y;
    const double g = value[fa_sliding_row(self, FA_SNAKE_ROW_GRAVITY)];
    fa_sincos(value[fa_sliding_row(self, FA_SNAKE_ROW_SLOPE)], &sine, &cosine);
    fa_sincos(value[fa_sliding_row(self, FA_SNAKE_ROW_SLOPE_DIRECTION)], &along_y, &along_x);
    self->press = g * cosine;
    self->pull_x = g * sine * along_x;
    self->pull_y = g * sine * along_y;
}

// Finds the directions of all links, eight at a time where possible.
static void turn_links(fa_sliding_self *self, const double theta[])
{
    const int n = self->chain.n;
    int       k = 0;
    for (; k + 8 <= n; k += 8) {
        double S[8], C[8];
        fa_sincos_eight(theta + k, S, C);
        for (int i = 0; i < 8; i++) self->at[k + i].e = flat(C[i], S[i]);
    }
    for (; k < n; k++) fa_sincos(theta[k], &self->at[k].e.y, &self->at[k].e.x);
}

static void move(fa_sliding_self *self, const double value[])
{
    const double *theta = value + fa_sliding_row(self, FA_SNAKE_ROW_ANGLE);
    const double *rate = value + fa_sliding_row(self, FA_SNAKE_ROW_LINK_RATE);
    turn_links(self, theta);
    for (int k = 0; k < self->chain.n && !self->wheels; k++)
        self->at[k].w = self->snake.motion[k].w = rate[k];
    self->at[0].P = flat(value[fa_sliding_row(self, FA_SNAKE_ROW_X)],
                         value[fa_sliding_row(self, FA_SNAKE_ROW_Y)]);
    if (self->wheels)
        fa_rolling_move(self, value);
    else
        self->at[0].V = flat(value[fa_sliding_row(self, FA_SNAKE_ROW_X_RATE)],
                             value[fa_sliding_row(self, FA_SNAKE_ROW_Y_RATE)]);
    fa_sliding_move(&self->chain, self->at);
}

static void find_powers(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double power = self->drive[k] * (self->at[k + 1].w - self->at[k].w);
        self->power.drive += power;
        self->power.positive += power > 0 ? power : 0;
    }
}

static fa_status solve(fa_sliding_self *self, fa_error *error)
{
    double   *solved = self->snake.drive;
    fa_status status = fa_sliding_solve(&self->chain, true, self->at, self->snake.torque,
                                        self->told_acceleration, solved, self->body);
    if (status == FA_SINGULAR)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the snake's mass matrix has no inverse; masses and lengths are too far "
                       "from anything that a machine has");
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE, "the accelerations are not finite numbers");
    for (int k = 0; k < self->chain.n - 1; k++)
        if (self->told[k]) self->drive[k] += solved[k];
    return FA_OK;
}

fa_status fa_sliding_trace(fa_sliding_self *self, const double value[], unsigned groups,
                           fa_error *error)
{
    const bool driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    weigh(self, value);
    move(self, value);
    self->power = (fa_sliding_power){0};
    fa_sliding_push(self, value);
    fa_sliding_smooth(self, value);
    fa_sliding_turn(self, value);
    if (!driven && !(self->wheels && (groups & FA_SNAKE_GROUP_CONTROL))) return FA_OK;
    const fa_status status =
        self->wheels ? fa_rolling_solve(self, value, groups, error) : solve(self, error);
    if (status != FA_OK || !driven) return status;
    find_powers(self);
    if (self->reactions && (groups & FA_SNAKE_GROUP_FORCES)) {
        fa_sliding_accelerate(&self->chain, self->at);
        fa_sliding_reactions(&self->chain, self->at, self->force);
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- rows

static double *to(fa_sliding_self *self, fa_snake_quantity quantity)
{
    return self->snake.result + self->snake.row[quantity];
}

static fa_flat heading_of(const fa_sliding_self *self)
{
    fa_flat sum = {0, 0};
    for (int k = 0; k < self->chain.n; k++) flat_add(&sum, self->at[k].e);
    return sum;
}

static void put_derivatives(fa_sliding_self *self, const double value[])
{
    const int               n = self->chain.n;
    const fa_flat           heading = heading_of(self);
    const double            size = sqrt(flat_dot(heading, heading));
    const fa_sliding_power *p = &self->power;
    for (int k = 0; k < n; k++) to(self, FA_SNAKE_ROW_LINK_ACCELERATION)[k] = self->at[k].alpha;
    *to(self, FA_SNAKE_ROW_X_ACCELERATION) = self->at[0].A.x;
    *to(self, FA_SNAKE_ROW_Y_ACCELERATION) = self->at[0].A.y;
    const double rate[FA_SUMS] = {[FA_SUM_HEADING_X] = size > 0 ? heading.x / size : 0,
                                  [FA_SUM_HEADING_Y] = size > 0 ? heading.y / size : 0,
                                  [FA_SUM_DRIVE] = p->drive,
                                  [FA_SUM_POSITIVE] = p->positive,
                                  [FA_SUM_GROUND] = p->ground,
                                  [FA_SUM_CONTACT] = p->contact,
                                  [FA_SUM_JOINTS] = p->joints};
    memcpy(to(self, FA_SNAKE_ROW_SUM_RATE), rate, sizeof rate);
    if (self->wheels) fa_rolling_put_derivatives(self);
    if (fa_snake_has_angle(&self->snake))
        *to(self, FA_SNAKE_ROW_GAIT_ANGLE_RATE) = value[fa_sliding_frequency_row(self)];
    if (self->snake.gait_told)
        memcpy(to(self, FA_SNAKE_ROW_GAIT_NOW_ACCELERATION), self->gait.bend,
               sizeof self->gait.bend);
    double gravity = 0, springs = 0;
    for (int k = 0; k < n; k++) {
        const fa_flat V = fa_sliding_centre_velocity(&self->snake.link[k], &self->at[k]);
        gravity += self->snake.link[k].m * (self->pull_x * V.x + self->pull_y * V.y);
    }
    springs = self->power.spring_power;
    *to(self, FA_SNAKE_ROW_POWER) =
        p->drive + p->ground + p->contact + p->joints + gravity + springs;
    for (int k = 0; k < n - 1; k++)
        if (self->snake.drive_row[k] != FA_NO_ROW)
            self->snake.result[self->snake.drive_row[k]] = self->drive[k];
}

static void put_joints(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double *theta = value + fa_sliding_row(self, FA_SNAKE_ROW_ANGLE) + k;
        to(self, FA_SNAKE_ROW_JOINT_ANGLE)[k] = theta[1] - theta[0];
        to(self, FA_SNAKE_ROW_JOINT_RATE)[k] = self->at[k + 1].w - self->at[k].w;
    }
    fa_sliding_tell(self, value);
}

static void put_motion(fa_sliding_self *self, const double value[])
{
    const fa_flat heading = heading_of(self);
    fa_flat       centre = {0, 0}, velocity = {0, 0};
    double        mass = 0, kinetic = 0;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k];
        const fa_sliding_link *at = &self->at[k];
        const fa_flat          V = fa_sliding_centre_velocity(link, at);
        to(self, FA_SNAKE_ROW_LINK_SPEED)[k] = flat_dot(at->V, at->e);
        to(self, FA_SNAKE_ROW_LINK_X)[k] = at->P.x;
        to(self, FA_SNAKE_ROW_LINK_Y)[k] = at->P.y;
        flat_add(&centre, flat_times(link->m, flat_sum(at->P, fa_sliding_centre(link, at))));
        flat_add(&velocity, flat_times(link->m, V));
        mass += link->m;
        kinetic += link->m * flat_dot(V, V) + link->I * at->w * at->w;
        if (k < self->chain.n - 1) {
            const double phid = self->at[k + 1].w - at->w;
            kinetic += self->snake.joint[k].rotor * phid * phid;
        }
        if (self->snake.row[FA_SNAKE_ROW_AXES] == FA_NO_ROW) continue;
        const double axes[] = {at->e.x, at->e.y, -at->e.y, at->e.x};
        memcpy(to(self, FA_SNAKE_ROW_AXES) + 4L * k, axes, sizeof axes);
    }
    *to(self, FA_SNAKE_ROW_COM_X) = centre.x / mass;
    *to(self, FA_SNAKE_ROW_COM_Y) = centre.y / mass;
    *to(self, FA_SNAKE_ROW_COM_X_RATE) = velocity.x / mass;
    *to(self, FA_SNAKE_ROW_COM_Y_RATE) = velocity.y / mass;
    *to(self, FA_SNAKE_ROW_HEADING) = fa_atan2(heading.y, heading.x);
    if (!self->wheels) {
        const fa_sliding_link *base = &self->at[self->snake.snake.base];
        *to(self, FA_SNAKE_ROW_SPEED) = flat_dot(base->V, base->e);
        *to(self, FA_SNAKE_ROW_RATE) = base->w;
    }
    *to(self, FA_SNAKE_ROW_KINETIC) = kinetic / 2;
    *to(self, FA_SNAKE_ROW_POTENTIAL) =
        self->power.springs - self->pull_x * centre.x - self->pull_y * centre.y;
    *to(self, FA_SNAKE_ROW_CONTACT_STORED) = self->power.stored;
    for (int i = self->n_patches; i < self->n_things; i++) {
        const fa_sliding_thing *thing = &self->thing[i];
        const bool              touching = value[thing->touching_row] != 0;
        self->snake.result[thing->indicator_row] = thing->depth + (touching ? 1e-9 : -1e-9);
    }
    *to(self, FA_SNAKE_ROW_PERIOD_INDICATOR) = fa_sliding_turn_left(self, value);
    put_joints(self, value);
}

static void put_forces(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n; k++) {
        const fa_sliding_link *at = &self->at[k];
        double                *ground = to(self, FA_SNAKE_ROW_GROUND_FORCE) + 3L * k;
        ground[0] = at->ground.x;
        ground[1] = at->ground.y;
        ground[2] = at->ground_moment;
        if (self->snake.law != FA_GROUND_WHEEL) continue;
        to(self, FA_SNAKE_ROW_LATERAL)[k] = at->lateral;
        to(self, FA_SNAKE_ROW_USAGE)[k] = at->usage;
    }
    if (self->wheels) fa_rolling_put_forces(self, value);
    for (int k = 0; k < self->chain.n - 1; k++) {
        const fa_sliding_link *rear = &self->at[k], *front = &self->at[k + 1];
        to(self, FA_SNAKE_ROW_DRIVE_TORQUE)[k] = self->drive[k];
        to(self, FA_SNAKE_ROW_JOINT_POWER)[k] = self->drive[k] * (front->w - rear->w);
        to(self, FA_SNAKE_ROW_JOINT_ACCELERATION)[k] = front->alpha - rear->alpha;
        if (!self->reactions) continue;
        to(self, FA_SNAKE_ROW_JOINT_FORCE)[2 * k] = self->force[k].x;
        to(self, FA_SNAKE_ROW_JOINT_FORCE)[2 * k + 1] = self->force[k].y;
    }
    for (int i = self->n_patches; i < self->n_things; i++) {
        self->snake.result[self->thing[i].force_row] = self->thing[i].force.x;
        self->snake.result[self->thing[i].force_row + 1] = self->thing[i].force.y;
    }
}

fa_status fa_sliding_evaluate(void *memory, double value[], unsigned groups, fa_error *error)
{
    fa_sliding_self *self = memory;
    fa_status        status = fa_sliding_trace(self, value, groups, error);
    if (status != FA_OK) return status;
    if (groups & FA_GROUP_DERIVATIVES) put_derivatives(self, value);
    if (groups & FA_SNAKE_GROUP_MOTION) put_motion(self, value);
    if (groups & FA_SNAKE_GROUP_FORCES) put_forces(self, value);
    if (self->wheels && (groups & FA_SNAKE_GROUP_CONTROL))
        *to(self, FA_SNAKE_ROW_CONTROLLABILITY) = self->snake.controllability;
    return fa_snake_keep_results(&self->snake, value, groups, error);
}

const fa_plant fa_sliding_plant = {
    .name = "sliding-snake",
    .about = "planar snake whose links slide on the ground",
    .exact = false,
    .structure = &fa_snake_structure,
    .declare = fa_sliding_declare,
    .depends = fa_sliding_depends,
    .size = fa_sliding_size,
    .prepare = fa_sliding_prepare,
    .configure = fa_sliding_configure,
    .tune = fa_snake_tune,
    .evaluate = fa_sliding_evaluate,
    .tangent = fa_sliding_tangent,
    .adjoint = fa_sliding_adjoint,
    .event = fa_sliding_event,
};
