// Closes the loops of a mechanism: from the positions accepted last along the tangent, in pieces
// where that is far, then by Newton's iteration. So the result is a function of the values, in
// which the accepted positions stand, and not of the evaluations before.
#include "mechanism_loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arctan.h"
#include "joint_parts.h"
#include "methods.h"
#include "number.h"

#define PIECE 0.5 // [rad], [lengths of the cluster]: further goes by pieces
enum { PIECES = 16, FAR_PIECES = 4096 };

static double *positions(const fa_mechanism *m)
{
    return m->value + m->arm->row[FA_ARM_POSITION];
}

static double *speeds(const fa_mechanism *m)
{
    return m->value + m->arm->row[FA_ARM_VELOCITY];
}

static double *accelerations(const fa_mechanism *m)
{
    return m->value + m->arm->row[FA_ARM_ACCELERATION];
}

// The rotation of a ball from its joint's axes on the parent, R^T.
static fa_mat3 frame_of(const fa_mechanism *m, const fa_mechanism_ball *ball)
{
    return mat3_mat3(m->arm->body[ball->body].home.E, mat3_transpose(ball->origin));
}

static void set_frame(const fa_mechanism *m, const fa_mechanism_ball *ball, fa_mat3 E)
{
    m->arm->body[ball->body].home.E = mat3_mat3(E, ball->origin);
}

// The turn, in the child's axes, from one orientation to another.
static fa_vec3 turn_between(fa_mat3 from, fa_mat3 to)
{
    // R_from^T R_to = E_from E_to^T turns coordinates of the child after to those before.
    const fa_quaternion p = fa_quaternion_of(mat3_mat3(to, mat3_transpose(from)));
    const double        sine = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    const double        factor = sine > 0 ? 2 * fa_atan2(sine, p.w) / sine : 2;
    return vec3(factor * p.x, factor * p.y, factor * p.z);
}

// ------------------------------------------------------------------------------------- sentences

// The dependent coordinate that moves most with the independent ones near the last accepted point.
static const fa_mechanism_joint *joint_at(const struct fa_mechanism_loops *x, int coordinate)
{
    const fa_mechanism_joint *joint = x->joint;
    for (int i = 0; i < x->n_joints; i++)
        if (x->joint[i].first <= coordinate) joint = &x->joint[i];
    return joint;
}

// Detection of a bad choice: dependent joints move this much more than independent ones; in a
// singular pose of the mechanism they do not. On the two sides of a dead point they move so in
// opposite directions.
static const double GAIN = 30, SIDES = 5;

// An entry of G in the measure of the choice.
static double gain_of(const fa_loops *l, const fa_cluster *cluster, const double G[], int i, int u)
{
    const int own = l->coordinate[cluster->first_coordinate + i];
    const int other = l->independent[cluster->first_independent + u];
    return G[cluster->first_G + i * cluster->freedoms + u] * l->weight[other] / l->weight[own];
}

// Returns true if a dead point of the choice lies between the last accepted pose and this one. A
// motion cannot be continued past it: the states' speeds are zero there and do not determine the
// dependent ones. Sets the cluster to the weakest one.
static bool crosses_dead_point(const fa_mechanism *m)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        for (int i = 0; i < cluster->n && cluster->n_dependents > 0; i++)
            for (int u = 0; u < cluster->freedoms; u++) {
                const double before = gain_of(l, cluster, x->tangent_G, i, u);
                const double now = gain_of(l, cluster, x->work.G, i, u);
                if (fmin(fabs(before), fabs(now)) <= SIDES || before * now > 0) continue;
                x->work.weakest = k;
                return true;
            }
    }
    return false;
}

// State joints of the worst cluster, their positions, and the joint that would be better.
typedef struct choice {
    char        list[400], at[400];
    const char *better;
    double      gain; // largest entry of G there, in the measure of the choice
} choice;

static choice choice_of(const fa_mechanism *m, const double value[])
{
    const struct fa_mechanism_loops *x = m->loops;
    const fa_loops                  *l = x->loops;
    const int                        k = x->work.weakest < 0 ? 0 : x->work.weakest;
    const fa_cluster                *cluster = &l->cluster[k];
    const double                    *G = &x->work.G[cluster->first_G];
    int                              best = l->dependent[cluster->first_dependent];
    double                           most = -1, gain = 0;
    for (int i = 0; i < cluster->n; i++) {
        const int own = l->coordinate[cluster->first_coordinate + i];
        double    size = 0;
        for (int u = 0; u < cluster->freedoms; u++) {
            const double entry = fabs(G[i * cluster->freedoms + u]);
            size += entry;
            gain = fmax(gain, fabs(gain_of(l, cluster, x->work.G, i, u)));
        }
        size /= l->weight[own];
        if (!l->is_dependent[own] || !(size > most)) continue;
        most = size;
        best = own;
    }
    choice                    c = {.better = joint_at(x, best)->name, .gain = gain};
    char                     *list = c.list, *at = c.at;
    const fa_mechanism_joint *before = NULL; // which may have several of them
    for (int u = 0; u < cluster->freedoms; u++) {
        const fa_mechanism_joint *joint =
            joint_at(x, l->independent[cluster->first_independent + u]);
        const size_t used = strlen(list), said = strlen(at);
        if (used > 250) break;
        if (joint == before) continue;
        before = joint;
        (void)snprintf(list + used, sizeof c.list - used, "%s%.100s", used ? ", " : "",
                       joint->name);
        if (joint->ball == FA_NOBODY && joint->sliding == 1)
            (void)snprintf(at + said, sizeof c.at - said, ", %.100s = %s", joint->name,
                           fa_number_text(value[joint->position]).text);
    }
    return c;
}

// Where a search from afar has ended without closing the loops: they are open by more than this
// share of the cluster's length; at a dead point that they come to, by much less.
static const double OPEN = 1e-4;

static bool stays_open(const fa_mechanism *m)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    fa_loops_residual(l, &m->arm->chain, positions(m), &x->work);
    for (int i = 0; i < l->n_constraints; i++)
        if (!(fa_loops_gap(l, i, &x->work) <= OPEN * l->cluster[l->constraint[i].cluster].length))
            return true;
    return false;
}

static fa_status not_closed(const fa_mechanism *m, const double value[], fa_error *error)
{
    const choice c = choice_of(m, value);
    return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                   "the loops cannot be closed with the joints that are states (%s) there%s; give "
                   "other %spositions",
                   c.list, c.at, m->inverse ? "" : "initial ");
}

static fa_status dead_point(const fa_mechanism *m, const double value[], fa_error *error)
{
    const choice c = choice_of(m, value);
    return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                   "the joints that are states (%s) no longer determine '%s': dead point%s; choose "
                   "'%s' as independent",
                   c.list, c.better, c.at, c.better);
}

fa_status fa_mechanism_watch(fa_mechanism *m, const double value[], bool initial, fa_error *error)
{
    struct fa_mechanism_loops *x = m->loops;
    if (initial) x->is_told = x->is_new = false;
    if (!(x->regularity < FA_LOOP_WARN)) return FA_OK;
    const choice c = choice_of(m, value);
    if (!initial && x->regularity < FA_LOOP_LOST && c.gain > GAIN)
        return dead_point(m, value, error);
    if (x->is_told) return FA_OK;
    const fa_text t = fa_number_text(m->value[m->arm->time_row]);
    x->is_told = x->is_new = true;
    if (c.gain > GAIN)
        (void)snprintf(x->sentence, sizeof x->sentence,
                       "a dead point is near at t = %s s%s: the joints that are states (%s) hardly "
                       "determine '%s'; choose '%s' as independent",
                       t.text, c.at, c.list, c.better, c.better);
    else
        (void)snprintf(x->sentence, sizeof x->sentence,
                       "the mechanism is near a pose where its branches meet, at t = %s s%s: the "
                       "joints that are states (%s) hardly determine '%s', nor would others; it "
                       "goes on along its tangent",
                       t.text, c.at, c.list, c.better);
    return FA_OK;
}

// ----------------------------------------------------------------------------------- parameters

static bool host_has_placed(const fa_mechanism *m, const double value[])
{
    const struct fa_mechanism_loops *x = m->loops;
    for (int i = 0; i < x->n_joints; i++)
        for (int k = 0; x->joint[i].dependent && k < x->joint[i].sliding; k++)
            if (value[x->joint[i].initial + k] != x->start[x->joint[i].first + k]) return true;
    return false;
}

void fa_mechanism_configure_loops(fa_mechanism *m, const double value[])
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    x->has_tangent_G = false;
    if (!l) return;
    const bool    placed = m->n_balls == 0 && host_has_placed(m, value);
    fa_transform *pose = m->arm->pose;
    for (int k = 0; k < l->n_constraints; k++) {
        fa_constraint *c = &l->constraint[k];
        if (!x->open[k]) continue;
        c->from = x->from[k];
        if (!placed) continue;
        for (int i = 0; i < x->n_joints; i++)
            memcpy(x->goal + x->joint[i].first, value + x->joint[i].initial,
                   (size_t)x->joint[i].sliding * sizeof *value);
        fa_chain_poses(&m->arm->chain, x->goal, pose);
        const fa_transform at =
            c->successor == FA_WORLD ? c->to : transform_compose(pose[c->successor], c->to);
        c->from = c->predecessor == FA_WORLD
                      ? at
                      : transform_compose(transform_inverse(pose[c->predecessor]), at);
    }
}

// --------------------------------------------------------------------------------------- closing

static bool is_placed(const fa_mechanism *m, const double value[])
{
    return m->loops->placed != FA_NO_ROW && value[m->loops->placed] != 0;
}

// The arm's pose from rows of the outer table that begin at `row` of each joint.
static void set_pose(fa_mechanism *m, const double value[], bool accepted, bool all)
{
    struct fa_mechanism_loops *x = m->loops;
    double                    *q = positions(m);
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        const double             *from = value + (accepted ? joint->accepted : joint->initial);
        if (!all && !joint->dependent) continue;
        memcpy(q + joint->first, from, (size_t)joint->sliding * sizeof *q);
        if (joint->ball == FA_NOBODY) continue;
        set_frame(m, &m->ball[joint->ball], fa_rotation_of_quaternion(from + joint->sliding));
        memset(q + joint->first + joint->sliding, 0, 3 * sizeof *q);
    }
}

// Changes of independent coordinates from the pose to the goal; then of dependent ones, along the
// tangent G of that pose. The largest of the latter.
static double head_for(fa_mechanism *m, const double tangent[])
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    const double              *q = positions(m);
    double                     largest = 0;
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        double                   *change = x->change + joint->first;
        if (joint->dependent) continue;
        for (int k = 0; k < joint->sliding; k++)
            change[k] = x->goal[joint->first + k] - q[joint->first + k];
        if (joint->ball == FA_NOBODY) continue;
        const fa_vec3 turn =
            turn_between(frame_of(m, &m->ball[joint->ball]), x->frame[joint->ball]);
        change[joint->sliding] = turn.x;
        change[joint->sliding + 1] = turn.y;
        change[joint->sliding + 2] = turn.z;
    }
    for (int c = 0; c < l->n_coordinates && m->inverse; c++)
        if (!l->is_dependent[c] && !l->slides[c]) largest = fmax(largest, fabs(x->change[c]));
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         f = cluster->freedoms;
        for (int i = 0; i < cluster->n_dependents; i++) {
            const int     c = l->dependent[cluster->first_dependent + i];
            const double *G = &tangent[cluster->first_G + l->local[c] * f];
            double        sum = 0;
            for (int u = 0; u < f; u++)
                sum += G[u] * x->change[l->independent[cluster->first_independent + u]];
            x->change[c] = sum;
            const double size = fabs(sum) / (l->slides[c] ? cluster->length : 1);
            if (size > largest || isnan(size)) largest = size;
        }
    }
    return largest;
}

// Advances by a share of the remaining distance, or all of it.
static void advance(fa_mechanism *m, int pieces)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    double                    *q = positions(m);
    for (int c = 0; c < l->n_coordinates; c++) x->part[c] = x->change[c] / pieces;
    for (int c = 0; c < l->n_coordinates; c++) fa_loops_move(l, m->arm->body, q, c, x->part);
    for (int i = 0; i < x->n_joints && pieces == 1; i++) { // to the last bit
        const fa_mechanism_joint *joint = &x->joint[i];
        if (joint->dependent) continue;
        memcpy(q + joint->first, x->goal + joint->first, (size_t)joint->sliding * sizeof *q);
        if (joint->ball != FA_NOBODY) set_frame(m, &m->ball[joint->ball], x->frame[joint->ball]);
    }
}

// Returns true if the cache belongs to the accepted positions; otherwise stores them as its new
// key.
static bool has_tangent(struct fa_mechanism_loops *x, const double value[])
{
    bool    same = x->has_tangent_G;
    double *from = x->tangent_from;
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        const size_t              n = (size_t)joint->sliding + (joint->ball == FA_NOBODY ? 0 : 4);
        same = same && memcmp(from, value + joint->accepted, n * sizeof *from) == 0;
        if (!same) memcpy(from, value + joint->accepted, n * sizeof *from);
        from += n;
    }
    return same;
}

// From a closed pose to the goal, in at most so many pieces. `accepted`: the values whose accepted
// positions the pose is, from which many evaluations of a step begin; NULL: it is another pose.
static fa_status follow(fa_mechanism *m, const double accepted[], int most)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    double                    *q = positions(m);
    bool                       known = accepted && has_tangent(x, accepted);
    int                        pieces = 0;
    if (known) memcpy(x->work.G, x->tangent_G, (size_t)l->n_G * sizeof *x->tangent_G);
    do {
        fa_status status = known ? FA_OK : fa_loops_factor(l, &m->arm->chain, q, &x->work);
        if (pieces == 0 && accepted) {
            x->has_tangent_G = status == FA_OK;
            if (!known) memcpy(x->tangent_G, x->work.G, (size_t)l->n_G * sizeof *x->tangent_G);
        }
        if (status != FA_OK) return status;
        known = false;
        const double far = head_for(m, x->work.G);
        if (!isfinite(far)) return FA_NOT_FINITE;
        if (pieces == 0) pieces = far > PIECE * most ? most : (int)(far / PIECE) + 1;
        advance(m, pieces);
        status = fa_loops_close(l, &m->arm->chain, m->arm->body, q, FA_LOOP_NEAR, &x->work);
        if (status != FA_OK) return status;
    } while (--pieces > 0);
    return FA_OK;
}

// Inverse dynamics has no memory between evaluations: it continues from the robot's start pose, so
// that each pose is found on the branch of the assembly; if that fails, from the initial positions
// of dependent joints.
static fa_status reach(fa_mechanism *m, const double value[])
{
    struct fa_mechanism_loops *x = m->loops;
    double                    *q = positions(m);
    set_pose(m, value, false, true);
    fa_status status =
        fa_loops_close(x->loops, &m->arm->chain, m->arm->body, q, FA_LOOP_FAR, &x->work);
    if (status == FA_OK) status = follow(m, NULL, FAR_PIECES);
    if (status == FA_OK) return FA_OK;
    memcpy(q, x->goal, (size_t)m->arm->chain.n_coordinates * sizeof *q);
    for (int k = 0; k < m->n_balls; k++) set_frame(m, &m->ball[k], x->frame[k]);
    set_pose(m, value, false, false);
    return fa_loops_close(x->loops, &m->arm->chain, m->arm->body, q, FA_LOOP_FAR, &x->work);
}

// Dependent accelerations of an inverse, from those that hosts give.
static void accelerate(fa_mechanism *m)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    double                    *qdd = accelerations(m);
    fa_loops_bias(l, &m->arm->chain, speeds(m), &x->work);
    for (int c = 0; c < l->n_coordinates; c++)
        if (l->is_dependent[c]) qdd[c] = x->work.g[c] + fa_loops_combine(l, c, qdd, &x->work);
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        if (!joint->dependent || joint->ball == FA_NOBODY) continue;
        const double *of = qdd + joint->first + joint->sliding;
        m->ball[joint->ball].now.acceleration = vec3(of[0], of[1], of[2]);
    }
}

// Computes quaternion and angular velocity of a dependent ball, and the arm's arguments.
static void place_ball(fa_mechanism *m, const fa_mechanism_joint *joint, const double value[])
{
    fa_mechanism_ball  *ball = &m->ball[joint->ball];
    const double       *before = value + (is_placed(m, value) ? joint->accepted : joint->initial);
    const fa_quaternion turn = fa_quaternion_of(frame_of(m, ball));
    double              p[4] = {turn.w, turn.x, turn.y, turn.z}, w[3] = {0, 0, 0}, along = 0;
    for (int i = 0; i < 4; i++) along += p[i] * before[joint->sliding + i];
    for (int i = 0; i < 4 && along < 0; i++) p[i] = -p[i];
    fa_ball_place(&ball->now, p, w);
    const double *rate = speeds(m) + joint->first + joint->sliding;
    fa_ball_velocity_out(&ball->now, vec3(rate[0], rate[1], rate[2]), w);
    fa_ball_place(&ball->now, p, w);
    fa_mechanism_take_ball_rest(m, ball, value);
}

fa_status fa_mechanism_close(fa_mechanism *m, const double value[], fa_error *error)
{
    struct fa_mechanism_loops *x = m->loops;
    if (!x->loops) return fa_explain(error, FA_NO_MEMORY, NULL);
    double   *q = positions(m), *qd = speeds(m);
    fa_chain *chain = &m->arm->chain;
    chain->closed = NULL;
    memcpy(x->goal, q, (size_t)chain->n_coordinates * sizeof *q);
    for (int k = 0; k < m->n_balls; k++) x->frame[k] = m->ball[k].now.E;
    // A sentence on a dead point reads G, also where closing ends before it has found one.
    memset(x->work.G, 0, (size_t)x->loops->n_G * sizeof *x->work.G);
    fa_status status;
    if (m->inverse) {
        status = reach(m, value);
    } else if (is_placed(m, value)) {
        set_pose(m, value, true, true);
        status = follow(m, value, PIECES);
    } else {
        set_pose(m, value, false, false);
        status = fa_loops_close(x->loops, chain, m->arm->body, q, FA_LOOP_FAR, &x->work);
    }
    if (status == FA_OK) status = fa_loops_factor(x->loops, chain, q, &x->work);
    if (status == FA_SINGULAR && (m->inverse || !is_placed(m, value)) && stays_open(m))
        return not_closed(m, value, error);
    if (status == FA_SINGULAR) return dead_point(m, value, error);
    if (status != FA_OK) return fa_explain(error, status, NULL);
    if (is_placed(m, value) && crosses_dead_point(m)) return dead_point(m, value, error);
    x->regularity = x->work.regularity;
    chain->closed = &x->work;
    fa_loops_speeds(x->loops, qd, &x->work);
    for (int i = 0; i < x->n_joints; i++)
        if (x->joint[i].dependent && x->joint[i].ball != FA_NOBODY)
            place_ball(m, &x->joint[i], value);
    if (m->inverse) accelerate(m);
    return FA_OK;
}

void fa_mechanism_keep(const fa_mechanism *m, double value[])
{
    const struct fa_mechanism_loops *x = m->loops;
    const double                    *q = positions(m);
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        memcpy(value + joint->accepted, q + joint->first, (size_t)joint->sliding * sizeof *q);
        if (joint->ball != FA_NOBODY)
            memcpy(value + joint->accepted + joint->sliding, m->ball[joint->ball].now.unit,
                   4 * sizeof *q);
    }
    value[x->placed] = 1;
}

// ---------------------------------------------------------------------------------------- results

static fa_status give_forces(fa_mechanism *m, double value[], fa_error *error)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    fa_status                  status = fa_arm_linearise_loops(m->arm, m->value, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < l->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[i];
        if (fa_loop_is_of_positions(c->type)) continue;
        const fa_wrench on =
            fa_loops_reaction(l, &m->arm->chain, i, x->tangent.lambda, &x->tangent.loop);
        const double part[6] = {on.force.x,  on.force.y,  on.force.z,
                                on.moment.x, on.moment.y, on.moment.z};
        const int    row = x->force_of[l->given[i]];
        for (int k = 0; k < 6; k++) value[row + k] = c->determined >> k & 1 ? part[k] : 0;
        if (c->type == FA_LOOP_DISTANCE)
            value[row + 6] = c->length * x->tangent.lambda[c->first_row];
    }
    return FA_OK;
}

fa_status fa_mechanism_give_loops(fa_mechanism *m, double value[], unsigned groups, fa_error *error)
{
    struct fa_mechanism_loops *x = m->loops;
    const double              *q = positions(m), *qd = speeds(m);
    if (groups & FA_ARM_GROUP_REACTIONS && x->has_forces) {
        const fa_status status = give_forces(m, value, error);
        if (status != FA_OK) return status;
    }
    if (!(groups & FA_ARM_GROUP_LOOPS)) return FA_OK;
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        if (!joint->dependent) continue;
        const size_t size = (size_t)joint->sliding * sizeof *q;
        memcpy(value + joint->position, q + joint->first, size);
        memcpy(value + joint->velocity, qd + joint->first, size);
        if (m->inverse) memcpy(value + joint->acceleration, accelerations(m) + joint->first, size);
        if (joint->ball == FA_NOBODY) continue;
        const fa_ball *now = &m->ball[joint->ball].now;
        memcpy(value + joint->position + joint->sliding, now->unit, 4 * sizeof *q);
        value[joint->velocity + joint->sliding] = now->w.x;
        value[joint->velocity + joint->sliding + 1] = now->w.y;
        value[joint->velocity + joint->sliding + 2] = now->w.z;
        if (m->inverse)
            fa_ball_acceleration_out(now, now->acceleration,
                                     value + joint->acceleration + joint->sliding);
    }
    fa_loops_residual(x->loops, &m->arm->chain, q, &x->work);
    for (int i = 0; i < x->loops->n_constraints; i++)
        value[x->error + x->loops->given[i]] = fa_loops_gap(x->loops, i, &x->work);
    value[x->regularity_row] = x->regularity;
    return FA_OK;
}

// ------------------------------------------------------------------------------------ derivatives

fa_status fa_mechanism_step_loops(fa_mechanism *m, fa_error *error)
{
    const fa_status status = fa_arm_linearise_loops(m->arm, m->value, error);
    if (status != FA_OK) return status;
    fa_loops_complete_tangents(&m->arm->chain, m->change + m->arm->row[FA_ARM_POSITION],
                               m->change + m->arm->row[FA_ARM_VELOCITY], &m->loops->tangent);
    if (m->inverse)
        fa_loops_complete_accelerations(&m->arm->chain, m->change + m->arm->row[FA_ARM_POSITION],
                                        m->change + m->arm->row[FA_ARM_VELOCITY],
                                        m->change + m->arm->row[FA_ARM_ACCELERATION],
                                        &m->loops->tangent);
    return FA_OK;
}

// Derivative of J (ball.h) times rates r, for a ball that rotates by d in its own axes.
static fa_vec3 tilt(fa_vec3 d, fa_vec3 r)
{
    return vec3(d.z * r.y, -d.z * r.x, d.y * r.x);
}

// Tangents of the forces in loops, after those of the accelerations.
static void give_force_tangents(const fa_mechanism *m, double direction[])
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_loops            *l = x->loops;
    const fa_tangent           tangent = {.joint = {.q = m->change + m->arm->row[FA_ARM_POSITION],
                                                    .qd = m->change + m->arm->row[FA_ARM_VELOCITY]}};
    const double *qdd = m->inverse ? x->zero : m->change + m->arm->row[FA_ARM_ACCELERATION];
    fa_loops_multiplier_tangent(&m->arm->chain, &tangent, qdd, &x->tangent);
    for (int i = 0; i < l->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[i];
        if (fa_loop_is_of_positions(c->type)) continue;
        const fa_wrench on = fa_loops_reaction_tangent(l, &m->arm->chain, i, x->tangent.lambda,
                                                       x->tangent.lambda_tangent, &x->tangent.loop,
                                                       x->tangent.tangent);
        const double    part[6] = {on.force.x,  on.force.y,  on.force.z,
                                   on.moment.x, on.moment.y, on.moment.z};
        const int       row = x->force_of[l->given[i]];
        for (int k = 0; k < 6; k++) direction[row + k] = c->determined >> k & 1 ? part[k] : 0;
        if (c->type == FA_LOOP_DISTANCE)
            direction[row + 6] = c->length * x->tangent.lambda_tangent[c->first_row];
    }
}

void fa_mechanism_give_loop_tangents(const fa_mechanism *m, double direction[], unsigned groups)
{
    struct fa_mechanism_loops *x = m->loops;
    const double              *dq = m->change + m->arm->row[FA_ARM_POSITION];
    const double              *dqd = m->change + m->arm->row[FA_ARM_VELOCITY];
    const double              *dqdd = m->change + m->arm->row[FA_ARM_ACCELERATION];
    if (groups & FA_ARM_GROUP_REACTIONS && x->has_forces) give_force_tangents(m, direction);
    if (!(groups & FA_ARM_GROUP_LOOPS)) return;
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        if (!joint->dependent) continue;
        const size_t size = (size_t)joint->sliding * sizeof *dq;
        memcpy(direction + joint->position, dq + joint->first, size);
        memcpy(direction + joint->velocity, dqd + joint->first, size);
        if (m->inverse) memcpy(direction + joint->acceleration, dqdd + joint->first, size);
        if (joint->ball == FA_NOBODY) continue;
        const fa_ball *now = &m->ball[joint->ball].now;
        const double  *d = dq + joint->first + joint->sliding,
                     *r = dqd + joint->first + joint->sliding;
        const fa_vec3       turn = vec3(d[0], d[1], d[2]);
        const fa_quaternion dp = fa_quaternion_mul(
            (fa_quaternion){now->unit[0], now->unit[1], now->unit[2], now->unit[3]},
            (fa_quaternion){0, 0.5 * d[0], 0.5 * d[1], 0.5 * d[2]});
        const fa_vec3 child = vec3_add(vec3(r[0], r[1], r[2]),
                                       vec3_add(tilt(turn, now->rate), cross(turn, now->rate)));
        const fa_vec3 dw = mat3_tmul(now->E, child);
        const double  rows[7] = {dp.w, dp.x, dp.y, dp.z, dw.x, dw.y, dw.z};
        memcpy(direction + joint->position + joint->sliding, rows, 4 * sizeof *rows);
        memcpy(direction + joint->velocity + joint->sliding, rows + 4, 3 * sizeof *rows);
        if (!m->inverse) continue;
        double y[FA_BALL_INNER] = {0}, out[FA_BALL_RESULTS];
        memcpy(y, d, 3 * sizeof *y);
        memcpy(y + 3, r, 3 * sizeof *y);
        memcpy(y + 9, dqdd + joint->first + joint->sliding, 3 * sizeof *y);
        fa_ball_step_out(now, false, y, out);
        memcpy(direction + joint->acceleration + joint->sliding, out, 3 * sizeof *out);
    }
    fa_loops_gap_tangents(&m->arm->chain, dq, direction + x->error, &x->tangent);
    direction[x->regularity_row] = fa_loops_regularity_tangent(&m->arm->chain, dq, &x->tangent);
}

void fa_mechanism_take_loop_adjoints(fa_mechanism *m, const double adjoint[], unsigned groups)
{
    const struct fa_mechanism_loops *x = m->loops;
    double                          *q_adjoint = m->change + m->arm->row[FA_ARM_POSITION];
    double                          *qd_adjoint = m->change + m->arm->row[FA_ARM_VELOCITY];
    if (!(groups & FA_ARM_GROUP_LOOPS)) return;
    for (int i = 0; i < x->n_joints; i++) {
        const fa_mechanism_joint *joint = &x->joint[i];
        if (!joint->dependent) continue;
        for (int k = 0; k < joint->sliding; k++) {
            q_adjoint[joint->first + k] += adjoint[joint->position + k];
            qd_adjoint[joint->first + k] += adjoint[joint->velocity + k];
        }
        if (joint->ball == FA_NOBODY) continue;
        const fa_ball *now = &m->ball[joint->ball].now;
        const double  *s = adjoint + joint->position + joint->sliding;
        const double  *w = adjoint + joint->velocity + joint->sliding;
        const fa_vec3  by_child = mat3_mul(now->E, vec3(w[0], w[1], w[2]));
        for (int k = 0; k < 3; k++) {
            const fa_vec3       unit = vec3(k == 0, k == 1, k == 2);
            const fa_quaternion dp = fa_quaternion_mul(
                (fa_quaternion){now->unit[0], now->unit[1], now->unit[2], now->unit[3]},
                (fa_quaternion){0, 0.5 * unit.x, 0.5 * unit.y, 0.5 * unit.z});
            const fa_vec3 turned = vec3_add(tilt(unit, now->rate), cross(unit, now->rate));
            q_adjoint[joint->first + joint->sliding + k] +=
                s[0] * dp.w + s[1] * dp.x + s[2] * dp.y + s[3] * dp.z + dot(by_child, turned);
            qd_adjoint[joint->first + joint->sliding + k] += dot(by_child, unit);
        }
    }
}

fa_status fa_mechanism_slope_loops(fa_mechanism *m, const double adjoint[], unsigned groups,
                                   fa_error *error)
{
    struct fa_mechanism_loops *x = m->loops;
    const fa_chain            *chain = &m->arm->chain;
    double                    *q_adjoint = m->change + m->arm->row[FA_ARM_POSITION];
    const fa_status            status = fa_arm_linearise_loops(m->arm, m->value, error);
    if (status != FA_OK) return status;
    memset(x->advance, 0, (size_t)chain->n * sizeof *x->advance);
    if (groups & FA_ARM_GROUP_LOOPS)
        fa_loops_shown_adjoint(chain, adjoint[x->regularity_row], adjoint + x->error, q_adjoint,
                               x->advance, &x->tangent);
    fa_loops_complete_adjoints(chain, q_adjoint, m->change + m->arm->row[FA_ARM_VELOCITY],
                               x->advance, &x->tangent);
    fa_arm_advance_adjoints(m->arm, x->advance, m->change);
    return FA_OK;
}
