// Rank, independent coordinates, rows and blocks of each cluster, at one closed pose.
//
// QR with column pivoting of the scaled Jacobian, columns over sqrt(M_jj) and rows on position over
// the cluster's length, so that neither metres nor masses decide. Pivot columns are dependent.
#include "loop_choice.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "loop_rows.h"

// Columns one behind the other.
typedef struct matrix {
    int     m, n;
    double *at;
} matrix;

typedef struct pivoting {
    int   *order; // columns that became pivots
    int    rank;
    double largest, least, next; // pivots; the largest that was not taken
    double floor;                // no pivot is smaller
} pivoting;

enum { TIE = 1000000 }; // pivots within a millionth are equal

static double norm_of(const matrix *A, int j)
{
    double sum = 0;
    for (int i = 0; i < A->m; i++) sum += A->at[j * A->m + i] * A->at[j * A->m + i];
    return sqrt(sum);
}

// Goes on with those columns that are allowed, and overwrites A: modified Gram-Schmidt. Of equal
// pivots the later column goes first, which leaves the earlier joint independent.
static void pivot_columns(matrix *A, bool allowed[], double tolerance, pivoting *p)
{
    for (;;) {
        int    best = FA_NOBODY;
        double pivot = 0;
        for (int j = 0; j < A->n; j++) {
            if (!allowed[j]) continue;
            const double norm = norm_of(A, j);
            if (best != FA_NOBODY && norm < pivot * (1 - 1.0 / TIE)) continue;
            if (norm > pivot) pivot = norm;
            best = j;
        }
        p->next = best == FA_NOBODY ? 0 : pivot;
        const double enough = fmax(tolerance * p->largest, p->floor);
        if (best == FA_NOBODY || !(pivot > enough) || p->rank == A->m) return;
        if (pivot > p->largest) p->largest = pivot;
        if (p->rank == 0 || pivot < p->least) p->least = pivot;
        p->order[p->rank++] = best;
        allowed[best] = false;
        double      *q = &A->at[best * A->m];
        const double norm = norm_of(A, best);
        for (int i = 0; i < A->m; i++) q[i] /= norm;
        for (int j = 0; j < A->n; j++) {
            if (!allowed[j]) continue;
            double *a = &A->at[j * A->m], along = 0;
            for (int i = 0; i < A->m; i++) along += q[i] * a[i];
            for (int i = 0; i < A->m; i++) a[i] -= along * q[i];
        }
    }
}

typedef struct work {
    fa_loops             *loops;
    fa_cluster           *cluster;
    const fa_loop_wishes *wishes;
    matrix                K, copy; // scaled
    bool                 *out, *allowed, *first;
    int                  *order, *row_order, *row_of;
    int                  *index, *low, *stack, *component;
    bool                 *on_stack, *seen;
    int                   depth, counter, n_components;
    double                floor; // of pivots
} work;

// Where all rows vanish, the largest pivot is what rounding or assembly have left, and nothing is
// to be compared with it: a pivot is at least this share of what a radian, or a length of the
// cluster, at the heaviest joint does to a point as far away. Assembly comes within 1e-6 of a dead
// point.
static const double LEAST_PIVOT = 1e-5;

static double floor_of(const work *w)
{
    const fa_loops *l = w->loops;
    double          least = INFINITY;
    for (int j = 0; j < w->K.n; j++) {
        const int c = l->coordinate[w->cluster->first_coordinate + j];
        least = fmin(least, l->weight[c] / (l->slides[c] ? w->cluster->length : 1));
    }
    return LEAST_PIVOT * least;
}

static int rank_of(work *w, pivoting *p)
{
    memcpy(w->copy.at, w->K.at, (size_t)w->K.m * (size_t)w->K.n * sizeof(double));
    w->copy.m = w->K.m;
    w->copy.n = w->K.n;
    for (int j = 0; j < w->K.n; j++) w->allowed[j] = !w->out[j];
    *p = (pivoting){.order = w->order, .floor = w->floor};
    pivot_columns(&w->copy, w->allowed, w->wishes->tolerance, p);
    return p->rank;
}

static int coordinate_of(const work *w, int j)
{
    return w->loops->coordinate[w->cluster->first_coordinate + j];
}

static int group_of(const work *w, int j)
{
    const int c = coordinate_of(w, j);
    return w->wishes->group ? w->wishes->group[c] : c;
}

static bool wished(const work *w, int j)
{
    return w->wishes->independent && w->wishes->independent[coordinate_of(w, j)];
}

static void set_out(work *w, int group, bool out)
{
    for (int j = 0; j < w->K.n; j++)
        if (group_of(w, j) == group) w->out[j] = out;
}

static bool fail(fa_loop_report *report, fa_loop_fault fault, int coordinate, int other)
{
    report->fault = fault;
    report->coordinate = coordinate;
    report->other = other;
    return false;
}

// The joints that the file names, one after the other.
static bool hold_wished(work *w, int rank, fa_loop_report *report)
{
    const int freedoms = w->K.n - rank;
    int       named = 0, before = FA_NOBODY;
    pivoting  p;
    for (int j = 0; j < w->K.n; j++) {
        if (!wished(w, j) || w->out[j]) continue;
        const int group = group_of(w, j);
        set_out(w, group, true);
        for (int i = 0; i < w->K.n; i++) named += group_of(w, i) == group;
        if (rank_of(w, &p) == rank) {
            before = coordinate_of(w, j);
            continue;
        }
        report->rank = rank;
        report->freedoms = freedoms;
        if (named > freedoms)
            return fail(report, FA_LOOP_TOO_MANY, coordinate_of(w, j),
                        before == FA_NOBODY ? coordinate_of(w, j) : before);
        int left = FA_NOBODY; // the first one that the rows do not determine
        for (int i = 0; i < w->K.n && left == FA_NOBODY; i++)
            if (w->allowed[i]) left = coordinate_of(w, i);
        return fail(report, FA_LOOP_DEAD_POINT, left, coordinate_of(w, j));
    }
    return true;
}

static int group_size(const work *w, int j)
{
    int n = 0;
    for (int i = 0; i < w->K.n; i++) n += group_of(w, i) == group_of(w, j);
    return n;
}

// Dependent coordinates into w->order. A joint of several freedoms is taken as a whole.
static bool choose_columns(work *w, fa_loop_report *report, pivoting *p)
{
    const double tolerance = w->wishes->tolerance;
    memset(w->out, 0, (size_t)w->K.n * sizeof *w->out);
    memset(w->first, 0, (size_t)w->K.n * sizeof *w->first);
    const int rank = rank_of(w, p);
    if (rank >= w->K.n) {
        report->rank = rank;
        return fail(report, FA_LOOP_NO_FREEDOM, coordinate_of(w, 0), FA_NOBODY);
    }
    if (!hold_wished(w, rank, report)) return false;
    int n_first = 0;
    for (int j = 0; j < w->K.n; j++) {
        if (group_of(w, j) != coordinate_of(w, j) || group_size(w, j) == 1 || w->out[j]) continue;
        set_out(w, group_of(w, j), true);
        if (rank_of(w, p) == rank) continue;
        set_out(w, group_of(w, j), false);
        for (int i = 0; i < w->K.n; i++)
            if (group_of(w, i) == group_of(w, j)) w->first[i] = true, n_first++;
    }
    memcpy(w->copy.at, w->K.at, (size_t)w->K.m * (size_t)w->K.n * sizeof(double));
    *p = (pivoting){.order = w->order, .floor = w->floor};
    if (n_first > 0) {
        // Columns of the rest must follow, so that all are carried along and masked by turns.
        for (int j = 0; j < w->K.n; j++) w->allowed[j] = w->first[j];
        pivot_columns(&w->copy, w->allowed, tolerance, p);
        for (int j = 0; j < w->K.n; j++)
            if (w->allowed[j]) return fail(report, FA_LOOP_SPLIT, coordinate_of(w, j), FA_NOBODY);
        for (int j = 0; j < w->K.n; j++) {
            if (w->first[j] || w->out[j]) continue;
            double *a = &w->copy.at[j * w->K.m];
            for (int k = 0; k < p->rank; k++) {
                const double *q = &w->copy.at[p->order[k] * w->K.m];
                double        along = 0;
                for (int i = 0; i < w->K.m; i++) along += q[i] * a[i];
                for (int i = 0; i < w->K.m; i++) a[i] -= along * q[i];
            }
        }
    }
    for (int j = 0; j < w->K.n; j++) w->allowed[j] = !w->first[j] && !w->out[j];
    pivot_columns(&w->copy, w->allowed, tolerance, p);
    w->cluster->least = p->rank ? p->least / p->largest : 1;
    w->cluster->dropped = p->rank ? p->next / p->largest : 0;
    return true;
}

// Chooses as many independent rows as dependents, from the dependents' columns: the same algorithm
// on the transpose.
static bool choose_rows(work *w, int rank, fa_loop_report *report)
{
    for (int r = 0; r < w->K.m; r++) {
        w->allowed[r] = true;
        for (int d = 0; d < rank; d++) w->copy.at[r * rank + d] = w->K.at[w->order[d] * w->K.m + r];
    }
    matrix   transposed = {rank, w->K.m, w->copy.at};
    pivoting p = {.order = w->row_order};
    pivot_columns(&transposed, w->allowed, 0, &p);
    if (p.rank == rank) return true;
    const int one = coordinate_of(w, w->order[0]);
    return fail(report, FA_LOOP_DEAD_POINT, one, one);
}

// ------------------------------------------------------------------------------------ reactions

// A component of a reaction, a sum over multipliers, is determined if the null space of K^T does
// not reach it: if it is a combination of the columns of K, of which w->copy has a basis.
static bool is_determined(const work *w, const pivoting *p, double f[], double unit)
{
    double rest = 0;
    for (int k = 0; k < p->rank; k++) {
        const double *q = &w->copy.at[w->order[k] * w->K.m];
        double        along = 0;
        for (int r = 0; r < w->K.m; r++) along += q[r] * f[r];
        for (int r = 0; r < w->K.m; r++) f[r] -= along * q[r];
    }
    for (int r = 0; r < w->K.m; r++) rest += f[r] * f[r];
    return sqrt(rest) <= w->wishes->tolerance * unit;
}

static void mark_reactions(work *w, const fa_chain *chain, const fa_loop_body body[],
                           const pivoting *p, double f[])
{
    fa_loops *l = w->loops;
    int       at = 0;
    for (int i = 0; i < w->cluster->n_constraints; i++) {
        fa_constraint       *c = &l->constraint[w->cluster->first_constraint + i];
        const fa_loop_frames frames = fa_loop_frames_at(c, chain, body, w->cluster->carrier);
        c->determined = 0;
        for (int part = 0; part < 6 && !fa_loop_is_of_positions(c->type); part++) {
            for (int r = 0; r < w->K.m; r++) f[r] = 0;
            for (int r = 0; r < c->n_rows; r++) {
                const fa_vec3 e = mat3_mul(frames.S.E, frames.direction[r]);
                const double  along[] = {e.x, e.y, e.z};
                const bool    on_position = r < frames.n_position;
                if (on_position == (part < 3))
                    f[at + r] = along[part % 3] * l->row_weight[c->first_row + r];
            }
            const double unit = part < 3 ? 1 / w->cluster->length : 1;
            if (is_determined(w, p, f, unit)) c->determined |= 1U << part;
        }
        at += c->n_rows;
    }
}

// ------------------------------------------------------------------- dead points and redundancy

// Rows that others imply at this pose are redundant if they stay implied along every motion that is
// left. With y^T K = 0 this asks, to second order, for y^T k = 0 at every speed v with K v = 0, k
// being the rows' accelerations at these speeds (y^T K qdd = 0 whatever qdd is). Otherwise the rank
// is what it is at this pose alone: a rod that is stretched has a row of zeros, and one freedom too
// many could be read out of it.
//
// Accelerations that y leaves, in lengths or radians per square of the largest speed. Geometry off
// by 1e-6 leaves as much; the rod of a link a hundredth as long as the loop 1e-2.
static const double SECOND_ORDER = 1e-3;

// A larger `loop-tolerance` takes rougher geometry for redundant, which leaves this many times as
// much here.
static const double PER_TOLERANCE = 10;

typedef struct second_order {
    matrix          across; // rows as columns: then a basis of the space of rows
    int            *order;
    double         *speed, *scaled, *k, *y, *row;
    const fa_chain *chain;
    const double   *q;
    fa_loop_body   *body;
    int             rank;
} second_order;

// Takes out of x what lies along the first `rank` columns of a basis.
static void project_out(const matrix *basis, const int order[], int rank, double x[])
{
    for (int k = 0; k < rank; k++) {
        const double *b = &basis->at[order[k] * basis->m];
        double        along = 0;
        for (int i = 0; i < basis->m; i++) along += b[i] * x[i];
        for (int i = 0; i < basis->m; i++) x[i] -= along * b[i];
    }
}

// A speed of the cluster's coordinates with K v = 0 out of any, the largest of them being 1 rad/s
// or a length of the cluster per second. False: nothing of it is left.
static bool find_speed(const work *w, second_order *s)
{
    double most = 0, before = 0;
    for (int j = 0; j < w->K.n; j++) before = fmax(before, fabs(s->scaled[j]));
    project_out(&s->across, s->order, s->rank, s->scaled);
    for (int j = 0; j < w->K.n; j++)
        if (fabs(s->scaled[j]) < 1e-6 * before) s->scaled[j] = 0; // rounding
    for (int j = 0; j < w->K.n; j++) {
        const int c = coordinate_of(w, j);
        s->scaled[j] *= w->loops->weight[c];
        most = fmax(most, fabs(s->scaled[j]) / (w->loops->slides[c] ? w->cluster->length : 1));
    }
    for (int j = 0; j < w->K.n && most > 0; j++)
        s->speed[coordinate_of(w, j)] = s->scaled[j] / most;
    return most > 0;
}

static double relation_scale(const work *w, const fa_constraint *c);

// Returns the residual of the rows' accelerations: the part that no acceleration of joints cancels.
static double left_over(const work *w, const pivoting *p, second_order *s)
{
    fa_loops *l = w->loops;
    double    sum = 0, bias[FA_LOOP_ROWS_MAX];
    int       at = 0;
    fa_loop_velocities(l, w->cluster, s->chain, s->speed, s->body);
    for (int i = 0; i < w->cluster->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[w->cluster->first_constraint + i];
        const fa_loop_frames f = fa_loop_frames_at(c, s->chain, s->body, w->cluster->carrier);
        const double         scale = relation_scale(w, c);
        fa_loop_row_jacobian(c, l, s->chain, &f, s->body, s->q, NULL, s->row);
        fa_loop_row_bias(c, l, &f, s->body, w->cluster->carrier, s->speed, s->row, bias);
        for (int r = 0; r < c->n_rows; r++, at++)
            s->k[at] = scale * bias[r] * l->row_weight[c->first_row + r];
    }
    project_out(&w->copy, p->order, p->rank, s->k);
    for (int r = 0; r < w->K.m; r++) sum += s->k[r] * s->k[r];
    return sqrt(sum);
}

// The joint that moves the most, and of the others the one that does.
static void name_joints(const work *w, const second_order *s, fa_loop_report *report)
{
    double most[] = {-1, -1};
    int   *name[] = {&report->coordinate, &report->other};
    for (int k = 0; k < 2; k++) {
        *name[k] = FA_NOBODY;
        for (int j = 0; j < w->K.n; j++) {
            const int    c = coordinate_of(w, j);
            const double length = w->loops->slides[c] ? w->cluster->length : 1;
            if (k == 1 && group_of(w, j) == group_of(w, w->loops->local[report->coordinate]))
                continue;
            if (!(fabs(s->speed[c]) / length > most[k])) continue;
            most[k] = fabs(s->speed[c]) / length;
            *name[k] = c;
        }
    }
}

// A speed that the rows leave at this pose: of one joint, or of all of them by chance.
static bool try_speed(const work *w, second_order *s, int trial, uint32_t *seed)
{
    for (int j = 0; j < w->K.n; j++) {
        *seed = *seed * 1664525 + 1013904223;
        s->scaled[j] = trial < w->K.n ? j == trial : *seed / 2147483648.0 - 1;
    }
    return find_speed(w, s);
}

// Where motions to both sides of what y leaves are possible, branches cross, as those of a
// parallelogram that lies flat: each has fewer freedoms than the rank says, and nothing here tells
// which one is meant. Where all go to one side, there is no motion.
static bool stays_closed(const work *w, const pivoting *p, second_order *s, fa_loop_report *report)
{
    enum { OF_ALL = 32 };
    const int    m = w->K.m, n = w->K.n;
    pivoting     rows = {.order = s->order, .floor = w->floor};
    const double least = fmax(SECOND_ORDER, PER_TOLERANCE * w->wishes->tolerance);
    double       worst = least;
    uint32_t     seed = 1;
    if (p->rank == m) return true;
    s->across.m = n;
    s->across.n = m;
    for (int r = 0; r < m; r++) w->allowed[r] = true;
    for (int r = 0; r < m; r++)
        for (int j = 0; j < n; j++) s->across.at[r * n + j] = w->K.at[j * m + r];
    pivot_columns(&s->across, w->allowed, w->wishes->tolerance, &rows);
    s->rank = rows.rank;
    for (int trial = 0; trial < n + OF_ALL; trial++) {
        if (!try_speed(w, s, trial, &seed)) continue;
        const double left = left_over(w, p, s);
        if (!(left > 1.01 * worst)) continue;
        worst = left;
        memcpy(s->y, s->k, (size_t)m * sizeof *s->y);
        name_joints(w, s, report);
    }
    if (!(worst > least)) return true;
    report->fault = FA_LOOP_SINGULAR;
    for (int trial = 0; trial < n + OF_ALL; trial++) {
        double along = 0;
        if (!try_speed(w, s, trial, &seed)) continue;
        (void)left_over(w, p, s);
        for (int r = 0; r < m; r++) along += s->y[r] * s->k[r];
        if (along < -least * worst) report->fault = FA_LOOP_CROSSING;
    }
    return false;
}

// --------------------------------------------------------------------------------------- blocks

// Returns true if the row constrains the coordinate in some pose.
static bool holds(const work *w, int row, int coordinate)
{
    const fa_loops      *l = w->loops;
    const fa_constraint *c = &l->constraint[l->row_constraint[row]];
    for (int i = 0; i < c->n_column; i++)
        if (l->column[c->first_column + i] == coordinate) return true;
    return false;
}

// An element that decides, of a row and of a dependent by its place in w->order.
static double element(const work *w, int row, int d)
{
    return fabs(w->K.at[w->order[d] * w->K.m + w->row_order[row]]);
}

// Augmenting paths over elements above a size: w->row_of of a dependent, by its place in w->order.
static bool augment(work *w, int row, int rank, double above)
{
    for (int d = 0; d < rank; d++) {
        if (w->seen[d] || !(element(w, row, d) > above)) continue;
        w->seen[d] = true;
        if (w->row_of[d] != FA_NOBODY && !augment(w, w->row_of[d], rank, above)) continue;
        w->row_of[d] = row;
        return true;
    }
    return false;
}

// A row for each dependent. Numbers that are there at this pose make a match that has a factor:
// those that rounding alone may have left come last. False: there is no match, and no factor.
static bool match(work *w, int rank)
{
    const double rounding = 1e-9; // of the row's largest element
    for (int d = 0; d < rank; d++) w->row_of[d] = FA_NOBODY;
    for (int r = 0; r < rank; r++) {
        double largest = 0;
        for (int d = 0; d < rank; d++) largest = fmax(largest, element(w, r, d));
        for (int d = 0; d < rank; d++) w->seen[d] = false;
        if (augment(w, r, rank, rounding * largest)) continue;
        for (int d = 0; d < rank; d++) w->seen[d] = false;
        if (!augment(w, r, rank, 0)) return false;
    }
    return true;
}

// Strongly connected components (Tarjan): those that others depend on come out first.
static void connect(work *w, int d, int rank, int first_row)
{
    fa_loops *l = w->loops;
    w->index[d] = w->low[d] = ++w->counter;
    w->stack[w->depth++] = d;
    w->on_stack[d] = true;
    const int row = first_row + w->row_order[w->row_of[d]];
    for (int e = 0; e < rank; e++) {
        if (e == d || !holds(w, row, coordinate_of(w, w->order[e]))) continue;
        if (w->index[e] == 0) {
            connect(w, e, rank, first_row);
            if (w->low[e] < w->low[d]) w->low[d] = w->low[e];
        } else if (w->on_stack[e] && w->index[e] < w->low[d]) {
            w->low[d] = w->index[e];
        }
    }
    if (w->low[d] != w->index[d]) return;
    fa_block *block = &l->block[l->n_blocks++];
    *block = (fa_block){.first = l->n_dependents - w->cluster->first_dependent,
                        .first_entry = l->n_factors};
    for (int e = FA_NOBODY; e != d;) {
        e = w->stack[--w->depth];
        w->on_stack[e] = false;
        const int c = coordinate_of(w, w->order[e]);
        l->dependent[l->n_dependents] = c;
        l->place[c] = block->n;
        l->block_of[c] = l->n_blocks - 1;
        l->kept[first_row + w->row_order[w->row_of[e]]] = true;
        l->row[l->n_dependents++] = first_row + w->row_order[w->row_of[e]];
        block->n++;
    }
    l->n_factors += block->n * block->n;
}

static bool list_blocks(work *w, int rank, fa_loop_report *report)
{
    fa_loops   *l = w->loops;
    fa_cluster *cluster = w->cluster;
    const int   first_row =
        cluster->n_constraints ? l->constraint[cluster->first_constraint].first_row : 0;
    if (!match(w, rank)) {
        const int one = coordinate_of(w, w->order[0]);
        return fail(report, FA_LOOP_DEAD_POINT, one, one);
    }
    for (int d = 0; d < rank; d++) {
        w->index[d] = 0;
        w->on_stack[d] = false;
    }
    w->depth = w->counter = 0;
    cluster->first_dependent = l->n_dependents;
    cluster->n_dependents = rank;
    cluster->first_block = l->n_blocks;
    for (int d = 0; d < rank; d++)
        if (w->index[d] == 0) connect(w, d, rank, first_row);
    cluster->n_blocks = l->n_blocks - cluster->first_block;
    // Independent coordinates, and G.
    cluster->first_independent = l->n_independent;
    for (int d = 0; d < rank; d++) l->is_dependent[coordinate_of(w, w->order[d])] = true;
    for (int j = 0; j < w->K.n; j++)
        if (!l->is_dependent[coordinate_of(w, j)]) {
            l->place[coordinate_of(w, j)] = l->n_independent - cluster->first_independent;
            l->block_of[coordinate_of(w, j)] = FA_NOBODY;
            l->independent[l->n_independent++] = coordinate_of(w, j);
        }
    cluster->freedoms = l->n_independent - cluster->first_independent;
    cluster->first_G = l->n_G;
    l->n_G += cluster->n * cluster->freedoms;
    return true;
}

// ------------------------------------------------------------------------------------------ all

// The first joint of a relation may have no mass, and so the weight of one. Its row is scaled as
// that of the cluster's heaviest joint, so that pivots tell how far others are from a dead point.
static double relation_scale(const work *w, const fa_constraint *c)
{
    const fa_loops *l = w->loops;
    double          least = INFINITY;
    if (c->type != FA_LOOP_RELATION) return 1;
    for (int i = 0; i < w->cluster->n; i++)
        least = fmin(least, l->weight[l->coordinate[w->cluster->first_coordinate + i]]);
    return least / l->weight[l->column[c->first_column]];
}

// Scaled rows of a cluster, as columns.
static void fill(work *w, const fa_chain *chain, const double q[], fa_loop_body body[],
                 double row[])
{
    fa_loops         *l = w->loops;
    const fa_cluster *cluster = w->cluster;
    fa_loop_poses(l, cluster, chain, q, body);
    memset(w->K.at, 0, (size_t)w->K.m * (size_t)w->K.n * sizeof(double));
    int at = 0;
    for (int i = 0; i < cluster->n_constraints; i++) {
        const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
        const fa_loop_frames f = fa_loop_frames_at(c, chain, body, cluster->carrier);
        const double         scale = relation_scale(w, c);
        fa_loop_row_jacobian(c, l, chain, &f, body, q, NULL, row);
        for (int r = 0; r < c->n_rows; r++, at++)
            for (int k = 0; k < c->n_column; k++) {
                const int coordinate = l->column[c->first_column + k];
                w->K.at[l->local[coordinate] * w->K.m + at] = scale * row[r * c->n_column + k] *
                                                              l->row_weight[c->first_row + r] *
                                                              l->weight[coordinate];
            }
    }
}

static int rows_of(const fa_loops *l, const fa_cluster *cluster)
{
    int m = 0;
    for (int i = 0; i < cluster->n_constraints; i++)
        m += l->constraint[cluster->first_constraint + i].n_rows;
    return m;
}

typedef struct sizes {
    size_t rows, coordinates, numbers, bodies, columns;
} sizes;

static void take_work(work *w, sizes s, second_order *second, fa_loop_body **body, double **row,
                      double **functional, fa_arena *arena)
{
    const size_t most = s.rows > s.coordinates ? s.rows : s.coordinates;
    w->K.at = fa_arena_take(arena, s.numbers, sizeof(double));
    w->copy.at = fa_arena_take(arena, s.numbers, sizeof(double));
    w->out = fa_arena_take(arena, most, sizeof(bool));
    w->allowed = fa_arena_take(arena, most, sizeof(bool));
    w->first = fa_arena_take(arena, most, sizeof(bool));
    w->on_stack = fa_arena_take(arena, most, sizeof(bool));
    w->seen = fa_arena_take(arena, most, sizeof(bool));
    w->order = fa_arena_take(arena, most, sizeof(int));
    w->row_order = fa_arena_take(arena, most, sizeof(int));
    w->row_of = fa_arena_take(arena, most, sizeof(int));
    w->index = fa_arena_take(arena, most, sizeof(int));
    w->low = fa_arena_take(arena, most, sizeof(int));
    w->stack = fa_arena_take(arena, most, sizeof(int));
    second->across.at = fa_arena_take(arena, s.numbers, sizeof(double));
    second->order = fa_arena_take(arena, most, sizeof(int));
    second->speed = fa_arena_take(arena, s.columns, sizeof(double));
    second->scaled = fa_arena_take(arena, most, sizeof(double));
    second->k = fa_arena_take(arena, most, sizeof(double));
    second->y = fa_arena_take(arena, most, sizeof(double));
    *body = fa_arena_take(arena, s.bodies, sizeof **body);
    *functional = fa_arena_take(arena, s.rows, sizeof(double));
    *row = fa_arena_take(arena, FA_LOOP_ROWS_MAX * s.columns, sizeof(double));
}

bool fa_loops_choose(fa_loops *l, const fa_chain *chain, const fa_loop_wishes *wishes,
                     const double q[], fa_loop_report *report)
{
    sizes s = {1, 1, 1, (size_t)l->n_bodies, (size_t)l->n_coordinates};
    for (int k = 0; k < l->n_clusters; k++) {
        const size_t m = (size_t)rows_of(l, &l->cluster[k]), n = (size_t)l->cluster[k].n;
        if (m > s.rows) s.rows = m;
        if (n > s.coordinates) s.coordinates = n;
        if (m * n > s.numbers) s.numbers = m * n;
    }
    work          w = {.loops = l, .wishes = wishes};
    second_order  second = {.chain = chain, .q = q};
    fa_loop_body *body;
    double       *row, *functional;
    fa_arena      measured = {NULL, 0};
    take_work(&w, s, &second, &body, &row, &functional, &measured);
    fa_arena arena = {malloc(measured.size + 1), 0};
    if (!arena.base) return fail(report, FA_LOOP_MEMORY, FA_NOBODY, FA_NOBODY);
    take_work(&w, s, &second, &body, &row, &functional, &arena);
    second.body = body;
    second.row = row;
    l->n_dependents = l->n_independent = l->n_blocks = l->n_factors = l->n_G = 0;
    bool fine = true;
    for (int k = 0; k < l->n_clusters && fine; k++) {
        w.cluster = &l->cluster[k];
        w.K.m = rows_of(l, w.cluster);
        w.K.n = w.cluster->n;
        pivoting p = {.order = w.order};
        if (w.K.m > 0) {
            fill(&w, chain, q, body, row);
            w.floor = floor_of(&w);
            fine = choose_columns(&w, report, &p) && stays_closed(&w, &p, &second, report);
            if (fine) {
                mark_reactions(&w, chain, body, &p, functional);
                fine = choose_rows(&w, p.rank, report);
            }
        }
        fine = fine && list_blocks(&w, p.rank, report);
        if (!fine) report->constraint = l->given[w.cluster->first_constraint];
    }
    free(arena.base);
    return fine;
}
