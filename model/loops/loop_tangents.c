// First-order changes of the rows of loops, and of the forces that they pass on: the formulas of
// loop_rows.c with dual numbers, a value and its change.
#include "loop_tangents.h"

#include <math.h>
#include <string.h>

#include "loop_rows.h"

typedef struct dual3 {
    fa_vec3 v, d;
} dual3;

static dual3 sum(dual3 a, dual3 b)
{
    return (dual3){vec3_add(a.v, b.v), vec3_add(a.d, b.d)};
}

static dual3 minus(dual3 a, dual3 b)
{
    return (dual3){vec3_sub(a.v, b.v), vec3_sub(a.d, b.d)};
}

static dual3 times(dual3 a, dual3 b) // cross
{
    return (dual3){cross(a.v, b.v), vec3_add(cross(a.d, b.v), cross(a.v, b.d))};
}

static dual3 twice(dual3 a)
{
    return (dual3){vec3_scale(2, a.v), vec3_scale(2, a.d)};
}

static double dot_tangent(dual3 a, dual3 b)
{
    return dot(a.d, b.v) + dot(a.v, b.d);
}

// ----------------------------------------------------------------------------------------- bodies

size_t fa_loop_tangents_size(const fa_loops *l)
{
    return (size_t)l->n_bodies * sizeof(fa_loop_body_tangent);
}

static const fa_loop_body_tangent STILL = {.pose = {{0, 0, 0}, {0, 0, 0}}};

static const fa_loop_body_tangent *tangent_of(const fa_loop_body_tangent tangent[], int body,
                                              int carrier)
{
    return body == carrier ? &STILL : &tangent[body];
}

static double at(const double x[], int c)
{
    return x ? x[c] : 0;
}

// Derivative of a screw's motion by its advance.
static fa_twist advance_of(const fa_body *body, bool one_more, const fa_loop_body *at)
{
    const double   change = body->advance_tangent + (one_more ? 1 : 0);
    const fa_twist along = {{0, 0, 0}, vec3_scale(change, body->axis)};
    return change != 0 ? twist_to_parent(at->X, along) : (fa_twist){{0, 0, 0}, {0, 0, 0}};
}

// Velocities, accelerations and changes of a cluster's bodies, relative to the carrier.
static void step_bodies(const fa_loops *l, const fa_cluster *cluster, const fa_chain *chain,
                        const fa_loop_motion *m, const fa_loop_work *w,
                        fa_loop_body_tangent tangent[])
{
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int                   b = l->body[cluster->first_body + i];
        const int                   parent = chain->body[b].parent, c = chain->body[b].coordinate;
        const fa_loop_body_tangent *p = tangent_of(tangent, parent, cluster->carrier);
        const fa_twist              s = w->body[b].s;
        const fa_twist along = advance_of(&chain->body[b], m->screw == b + 1, &w->body[b]);
        const fa_twist ds =
            twist_add(twist_cross(p->pose, s), twist_scale(chain->body[b].ratio, along));
        const double          qd = at(m->qd, c), qdd = at(m->qdd, c);
        const fa_twist        vJ = twist_scale(qd, s);
        const fa_twist        dvJ = twist_add(twist_scale(qd, ds), twist_scale(at(m->dqd, c), s));
        fa_loop_body_tangent *k = &tangent[b];
        k->pose = twist_add(twist_add(p->pose, twist_scale(at(m->dq, c), s)),
                            twist_scale(w->body[b].position, along));
        k->v = twist_add(p->v, vJ);
        k->a = twist_add(twist_add(p->a, twist_scale(qdd, s)), twist_cross(k->v, vJ));
        k->dv = twist_add(p->dv, dvJ);
        k->da = twist_add(twist_add(p->da, twist_scale(qdd, ds)),
                          twist_add(twist_cross(k->dv, vJ), twist_cross(k->v, dvJ)));
    }
}

static dual3 turned(const fa_loop_body_tangent *k, fa_vec3 a) // a vector fixed in the body
{
    return (dual3){a, cross(k->pose.angular, a)};
}

static dual3 moved(const fa_loop_body_tangent *k, fa_vec3 r) // a point of the body
{
    return (dual3){r, vec3_add(k->pose.linear, cross(k->pose.angular, r))};
}

static dual3 angular(fa_twist v, fa_twist d)
{
    return (dual3){v.angular, d.angular};
}

static dual3 point_velocity(const fa_loop_body_tangent *k, dual3 r)
{
    const dual3 linear = {k->v.linear, k->dv.linear};
    return sum(linear, times(angular(k->v, k->dv), r));
}

static dual3 point_acceleration(const fa_loop_body_tangent *k, dual3 r)
{
    const dual3 linear = {k->a.linear, k->da.linear};
    return sum(sum(linear, times(angular(k->a, k->da), r)),
               times(angular(k->v, k->dv), point_velocity(k, r)));
}

// ------------------------------------------------------------------------------------------- rows

typedef struct moving_frames {
    const fa_loop_body_tangent *P, *S;
    dual3                       r, d; // of S; from P to S
    dual3                       direction[FA_LOOP_ROWS_MAX];
    dual3                       a, b; // axes of universal
} moving_frames;

static moving_frames frames_of(const fa_constraint *c, const fa_loop_frames *f, int carrier,
                               const fa_loop_body_tangent tangent[])
{
    moving_frames m;
    m.P = tangent_of(tangent, c->predecessor, carrier);
    m.S = tangent_of(tangent, c->successor, carrier);
    m.r = moved(m.S, f->S.r);
    m.d = minus(m.r, moved(m.P, f->P.r));
    for (int i = 0; i < f->n_rows; i++) m.direction[i] = turned(m.P, f->direction[i]);
    m.a = turned(m.P, mat3_tmul(f->P.E, c->axis));
    m.b = turned(m.S, mat3_tmul(f->S.E, c->second));
    if (c->type == FA_LOOP_DISTANCE) m.direction[0] = m.d;
    if (c->type == FA_LOOP_UNIVERSAL) m.direction[3] = times(m.b, m.a);
    return m;
}

static void step_rows(const fa_constraint *c, const fa_loop_frames *f, const moving_frames *m,
                      double velocity[], double acceleration[])
{
    const dual3 u = minus(point_velocity(m->S, m->r), point_velocity(m->P, m->r));
    const dual3 omega_P = angular(m->P->v, m->P->dv);
    const dual3 omega = minus(angular(m->S->v, m->S->dv), omega_P);
    const dual3 w = minus(minus(point_acceleration(m->S, m->r), point_acceleration(m->P, m->r)),
                          twice(times(omega_P, u)));
    const dual3 alpha =
        minus(minus(angular(m->S->a, m->S->da), angular(m->P->a, m->P->da)), times(omega_P, omega));
    for (int i = 0; i < c->n_rows; i++) {
        const bool on_position = i < f->n_position;
        velocity[i] = dot_tangent(m->direction[i], on_position ? u : omega);
        acceleration[i] = dot_tangent(m->direction[i], on_position ? w : alpha);
    }
    if (c->type == FA_LOOP_DISTANCE) acceleration[0] += dot_tangent(u, u);
    if (c->type == FA_LOOP_UNIVERSAL)
        acceleration[3] += dot_tangent(m->a, times(omega, times(omega, m->b)));
}

// A coupling has constant coefficients; those of a relation stand behind its row of K.
static void step_positions(const fa_loops *l, const fa_constraint *c, const fa_loop_motion *m,
                           const fa_loop_work *w, double velocity[], double acceleration[])
{
    velocity[0] = acceleration[0] = 0;
    for (int j = 0; j < c->n_column; j++) {
        const int     k = l->column[c->first_column + j];
        const double *first = &w->K[c->first_entry + j];
        velocity[0] += first[0] * at(m->dqd, k);
        if (c->type != FA_LOOP_RELATION) continue;
        const double second = first[c->n_column], third = first[2 * c->n_column];
        const double qd = at(m->qd, k), dq = at(m->dq, k);
        velocity[0] += second * dq * qd;
        acceleration[0] +=
            second * (dq * at(m->qdd, k) + 2 * qd * at(m->dqd, k)) + third * dq * qd * qd;
    }
}

void fa_loops_row_tangents(const fa_loops *l, const fa_chain *chain, const fa_loop_motion *motion,
                           const fa_loop_work *w, double velocity[], double acceleration[],
                           fa_loop_body_tangent tangent[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        if (cluster->n_constraints == 0) continue;
        step_bodies(l, cluster, chain, motion, w, tangent);
        for (int i = 0; i < cluster->n_constraints; i++) {
            const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
            double *to_v = &velocity[c->first_row], *to_a = &acceleration[c->first_row];
            if (fa_loop_is_of_positions(c->type)) {
                step_positions(l, c, motion, w, to_v, to_a);
                continue;
            }
            const fa_loop_frames f = fa_loop_frames_at(c, chain, w->body, cluster->carrier);
            const moving_frames  m = frames_of(c, &f, cluster->carrier, tangent);
            step_rows(c, &f, &m, to_v, to_a);
        }
    }
}

// Tangent of the misalignment: the residuals are products of S's and P's vectors.
static dual3 misalignment(const fa_constraint *c, const fa_loop_frames *f, const moving_frames *m)
{
    dual3 total = {{0, 0, 0}, {0, 0, 0}};
    if (fa_loop_kinds[c->type].orientation == FA_ROWS_ACROSS)
        return times(m->a, turned(m->S, mat3_tmul(f->S.E, c->axis)));
    for (int i = 0; i < 3; i++) {
        const fa_vec3 unit = {i == 0, i == 1, i == 2};
        total = sum(total, times(turned(m->P, mat3_tmul(f->P.E, unit)),
                                 turned(m->S, mat3_tmul(f->S.E, unit))));
    }
    return (dual3){vec3_scale(0.5, total.v), vec3_scale(0.5, total.d)};
}

void fa_loops_residual_tangents(const fa_loops *l, const fa_chain *chain,
                                const fa_loop_motion *motion, const fa_loop_work *w,
                                double residual[], fa_loop_body_tangent tangent[])
{
    const fa_loop_motion still = {.dq = motion->dq, .screw = motion->screw};
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        if (cluster->n_constraints == 0) continue;
        step_bodies(l, cluster, chain, &still, w, tangent);
        for (int i = 0; i < cluster->n_constraints; i++) {
            const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
            double              *to = &residual[c->first_row];
            if (fa_loop_is_of_positions(c->type)) {
                to[0] = 0;
                for (int j = 0; j < c->n_column; j++)
                    to[0] +=
                        w->K[c->first_entry + j] * at(motion->dq, l->column[c->first_column + j]);
                continue;
            }
            const fa_loop_frames f = fa_loop_frames_at(c, chain, w->body, cluster->carrier);
            const moving_frames  m = frames_of(c, &f, cluster->carrier, tangent);
            const dual3          turn = misalignment(c, &f, &m);
            for (int r = 0; r < c->n_rows; r++)
                to[r] = dot_tangent(m.direction[r], r < f.n_position ? m.d : turn);
            if (c->type == FA_LOOP_DISTANCE) to[0] = dot(m.d.v, m.d.d);
            if (c->type == FA_LOOP_UNIVERSAL) to[3] = dot_tangent(m.a, m.b);
        }
    }
}

bool fa_loops_regularity_parts(const fa_loops *l, const fa_loop_work *w, double x[],
                               double by_row[])
{
    memset(x, 0, (size_t)l->n_coordinates * sizeof *x);
    memset(by_row, 0, (size_t)l->n_rows * sizeof *by_row);
    if (w->weakest == FA_NOBODY) return false;
    // The least pivot d of blocks A = L U changes by d times the element of L^-1 dA U^-1 there.
    const fa_cluster *cluster = &l->cluster[w->weakest];
    const fa_block   *block = NULL;
    int               k = 0;
    double            least = INFINITY;
    for (int b = 0; b < cluster->n_blocks; b++) {
        const fa_block *own = &l->block[cluster->first_block + b];
        for (int i = 0; i < own->n; i++) {
            const double d = fabs(w->factor[own->first_entry + i * own->n + i]);
            if (!(d < least)) continue;
            least = d;
            block = own;
            k = i;
        }
    }
    if (!block) return false;
    const int     n = block->n, first = cluster->first_dependent + block->first;
    const double *A = &w->factor[block->first_entry];
    const int    *row = &w->pivot[2 * (size_t)first], *column = row + n;
    double       *z = w->column, *y = z + n;
    for (int i = k; i >= 0; i--) { // U z = unit k, y L = unit k
        z[i] = y[i] = i == k;
        for (int j = i + 1; j <= k; j++) {
            z[i] -= A[i * n + j] * z[j];
            y[i] -= A[j * n + i] * y[j];
        }
        z[i] /= A[i * n + i];
    }
    for (int i = 0; i <= k; i++) {
        const int c = l->dependent[first + column[i]], r = l->row[first + row[i]];
        x[c] = z[i] * l->weight[c];
        by_row[r] = y[i] * l->row_weight[r] * w->regularity;
    }
    return true;
}

void fa_loops_force_tangent(const fa_loops *l, const fa_chain *chain, const fa_loop_motion *motion,
                            const double lambda[], const fa_loop_work *w, double force[],
                            fa_loop_body_tangent tangent[])
{
    const fa_loop_motion still = {.dq = motion->dq, .screw = motion->screw};
    memset(force, 0, (size_t)l->n_coordinates * sizeof *force);
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        if (cluster->n_constraints == 0) continue;
        step_bodies(l, cluster, chain, &still, w, tangent);
        for (int i = 0; i < cluster->n_constraints; i++) {
            const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
            for (int j = 0; j < c->n_column && c->type == FA_LOOP_RELATION; j++) {
                const int coordinate = l->column[c->first_column + j];
                force[coordinate] += lambda[c->first_row] * w->K[c->first_entry + c->n_column + j] *
                                     at(motion->dq, coordinate);
            }
            if (fa_loop_is_of_positions(c->type)) continue;
            const fa_loop_frames f = fa_loop_frames_at(c, chain, w->body, cluster->carrier);
            const moving_frames  m = frames_of(c, &f, cluster->carrier, tangent);
            for (int p = 0; p < c->n_path; p++) {
                const int                   b = l->path[c->first_path + p];
                const fa_loop_body_tangent *before =
                    tangent_of(tangent, chain->body[b].parent, cluster->carrier);
                const fa_twist s = w->body[b].s;
                const fa_twist along =
                    advance_of(&chain->body[b], motion->screw == b + 1, &w->body[b]);
                const fa_twist ds = twist_add(twist_cross(before->pose, s),
                                              twist_scale(chain->body[b].ratio, along));
                const dual3    turn = {s.angular, ds.angular};
                const dual3    move = sum((dual3){s.linear, ds.linear}, times(turn, m.r));
                double         change = 0;
                for (int r = 0; r < c->n_rows; r++)
                    change += lambda[c->first_row + r] *
                              dot_tangent(m.direction[r], r < f.n_position ? move : turn);
                force[chain->body[b].coordinate] += l->side[c->first_path + p] * change;
            }
        }
    }
}

// ------------------------------------------------------------------------------------- reactions

fa_wrench fa_loops_reaction(const fa_loops *l, const fa_chain *chain, int constraint,
                            const double lambda[], const fa_loop_work *w)
{
    const fa_constraint *c = &l->constraint[constraint];
    const int            carrier = l->cluster[c->cluster].carrier;
    const fa_loop_frames f = fa_loop_frames_at(c, chain, w->body, carrier);
    fa_wrench            on = {{0, 0, 0}, {0, 0, 0}};
    if (fa_loop_is_of_positions(c->type)) return on;
    for (int i = 0; i < c->n_rows; i++) {
        fa_vec3 *part = i < f.n_position ? &on.force : &on.moment;
        *part = vec3_add(*part, vec3_scale(lambda[c->first_row + i], f.direction[i]));
    }
    return (fa_wrench){mat3_mul(f.S.E, on.moment), mat3_mul(f.S.E, on.force)};
}

fa_wrench fa_loops_reaction_tangent(const fa_loops *l, const fa_chain *chain, int constraint,
                                    const double lambda[], const double lambda_tangent[],
                                    const fa_loop_work *w, const fa_loop_body_tangent tangent[])
{
    const fa_constraint *c = &l->constraint[constraint];
    const int            carrier = l->cluster[c->cluster].carrier;
    const fa_loop_frames f = fa_loop_frames_at(c, chain, w->body, carrier);
    const moving_frames  m = frames_of(c, &f, carrier, tangent);
    fa_wrench            on = {{0, 0, 0}, {0, 0, 0}};
    if (fa_loop_is_of_positions(c->type)) return on;
    for (int i = 0; i < c->n_rows; i++) {
        fa_vec3      *part = i < f.n_position ? &on.force : &on.moment;
        const int     row = c->first_row + i;
        const fa_vec3 e = m.direction[i].v; // seen from S, which turns as well
        const fa_vec3 de = vec3_sub(m.direction[i].d, cross(m.S->pose.angular, e));
        *part = vec3_add(*part,
                         vec3_add(vec3_scale(lambda_tangent[row], e), vec3_scale(lambda[row], de)));
    }
    return (fa_wrench){mat3_mul(f.S.E, on.moment), mat3_mul(f.S.E, on.force)};
}
