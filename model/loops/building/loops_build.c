// Builds the loops of a chain: paths, clusters, rows, and the order in which dependents follow.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loop_choice.h"
#include "loop_rows.h"
#include "loops.h"

// ------------------------------------------------------------------------------------- clusters

static int root_of(int set[], int i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

static void unite(int set[], int a, int b)
{
    a = root_of(set, a);
    b = root_of(set, b);
    if (a < b) set[b] = a;
    if (b < a) set[a] = b;
}

// Unites all bodies on the ways from two bodies to their nearest common ancestor, without it.
static void unite_way(const fa_chain *chain, int set[], int a, int b)
{
    int first = FA_NOBODY;
    while (a != b) {
        int *deeper = a > b ? &a : &b;
        if (first == FA_NOBODY) first = *deeper;
        unite(set, first, *deeper);
        *deeper = chain->body[*deeper].parent;
    }
}

// Each set hangs on one body, which carries the first of the set's: ways do, a joint that is united
// with what it carries does, and of two such sets that share a body one carrier is above the other,
// or the same, with all that lies between in the set.
static void find_sets(const fa_chain *chain, const fa_constraint constraint[], int n, int set[],
                      int first_of[])
{
    for (int i = 0; i < chain->n; i++) set[i] = i;
    for (int i = 0; i < n; i++) {
        const fa_constraint *c = &constraint[i];
        unite_way(chain, set, c->predecessor, c->successor);
        for (int k = 1; k < c->n_terms; k++) { // of a relation; its joints may carry each other
            unite_way(chain, set, c->term[0].of, c->term[k].of);
            unite(set, c->term[0].of, c->term[k].of);
        }
    }
    // Followers and their leader share a coordinate.
    for (int c = 0; c < chain->n_coordinates; c++) first_of[c] = FA_NOBODY;
    for (int i = 0; i < chain->n; i++) {
        int *first = &first_of[chain->body[i].coordinate];
        if (*first == FA_NOBODY) {
            *first = i;
            continue;
        }
        unite_way(chain, set, *first, i);
        unite(set, *first, i);
    }
}

// --------------------------------------------------------------------------------------- memory

// Arena: runs twice, to measure and to assign addresses.
static fa_loops *place(const fa_loops *counts, fa_arena *arena)
{
    fa_loops    *loops = fa_arena_take(arena, 1, sizeof *loops);
    fa_loops     l = *counts;
    const size_t bodies = (size_t)l.n_bodies, coordinates = (size_t)l.n_coordinates;
    l.constraint = fa_arena_take(arena, (size_t)l.n_constraints, sizeof *l.constraint);
    l.given = fa_arena_take(arena, (size_t)l.n_constraints, sizeof(int));
    l.cluster = fa_arena_take(arena, (size_t)l.n_clusters, sizeof *l.cluster);
    l.path = fa_arena_take(arena, (size_t)l.n_path, sizeof(int));
    l.side = fa_arena_take(arena, (size_t)l.n_path, sizeof(int));
    l.path_column = fa_arena_take(arena, (size_t)l.n_path, sizeof(int));
    l.column = fa_arena_take(arena, (size_t)l.n_path, sizeof(int));
    l.body = fa_arena_take(arena, bodies, sizeof(int));
    l.coordinate = fa_arena_take(arena, coordinates, sizeof(int));
    l.independent = fa_arena_take(arena, coordinates, sizeof(int));
    l.dependent = fa_arena_take(arena, coordinates, sizeof(int));
    l.row = fa_arena_take(arena, coordinates, sizeof(int));
    l.row_constraint = fa_arena_take(arena, (size_t)l.n_rows, sizeof(int));
    l.local = fa_arena_take(arena, coordinates, sizeof(int));
    l.cluster_of = fa_arena_take(arena, coordinates, sizeof(int));
    l.is_dependent = fa_arena_take(arena, coordinates, sizeof(bool));
    l.slides = fa_arena_take(arena, coordinates, sizeof(bool));
    l.place = fa_arena_take(arena, coordinates, sizeof(int));
    l.block_of = fa_arena_take(arena, coordinates, sizeof(int));
    l.kept = fa_arena_take(arena, (size_t)l.n_rows, sizeof(bool));
    l.weight = fa_arena_take(arena, coordinates, sizeof(double));
    l.row_weight = fa_arena_take(arena, (size_t)l.n_rows, sizeof(double));
    l.ball = fa_arena_take(arena, coordinates, sizeof(int));
    l.block = fa_arena_take(arena, coordinates, sizeof *l.block);
    if (loops) *loops = l;
    return loops;
}

size_t fa_loops_size(const fa_loops *loops)
{
    fa_arena arena = {NULL, 0};
    place(loops, &arena);
    return arena.size;
}

fa_loops *fa_loops_copy(const fa_loops *loops, void *memory)
{
    fa_arena  arena = {memory, 0};
    fa_loops *copy = place(loops, &arena);
    // Arrays stand at the same offsets behind both.
    memcpy((char *)memory + sizeof(fa_loops), (const char *)loops + sizeof(fa_loops),
           arena.size - sizeof(fa_loops));
    return copy;
}

void fa_loops_free(fa_loops *loops)
{
    free(loops);
}

// --------------------------------------------------------------------------------------- filling

static int way_length(const fa_chain *chain, int a, int b)
{
    int n = 0;
    while (a != b) {
        int *deeper = a > b ? &a : &b;
        *deeper = chain->body[*deeper].parent;
        n++;
    }
    return n;
}

// Clusters in the order of their carriers, each with its bodies.
static void list_clusters(fa_loops *l, const fa_chain *chain, int set[])
{
    int n_clusters = 0, n_bodies = 0;
    for (int c = FA_WORLD; c < l->n_bodies; c++)
        for (int own = 0; own < l->n_bodies; own++) {
            if (root_of(set, own) != own || chain->body[own].parent != c) continue;
            fa_cluster *cluster = &l->cluster[n_clusters++];
            *cluster = (fa_cluster){.carrier = c, .first_body = n_bodies, .least = 1};
            for (int i = own; i < l->n_bodies; i++)
                if (root_of(set, i) == own) l->body[n_bodies++] = i;
            cluster->n_bodies = n_bodies - cluster->first_body;
        }
}

static void list_coordinates(fa_loops *l, const fa_chain *chain)
{
    int n = 0;
    for (int c = 0; c < l->n_coordinates; c++) l->local[c] = FA_NOBODY;
    for (int k = 0; k < l->n_clusters; k++) {
        fa_cluster *cluster = &l->cluster[k];
        cluster->first_coordinate = n;
        for (int i = 0; i < cluster->n_bodies; i++) {
            const int c = chain->body[l->body[cluster->first_body + i]].coordinate;
            if (l->local[c] != FA_NOBODY) continue;
            l->local[c] = n - cluster->first_coordinate;
            l->cluster_of[c] = k;
            l->slides[c] = fa_joint_is_linear(chain->body[l->body[cluster->first_body + i]].joint);
            l->coordinate[n++] = c;
        }
        cluster->n = n - cluster->first_coordinate;
    }
}

static void list_body(fa_loops *l, const fa_chain *chain, const fa_constraint *c, int body,
                      int side)
{
    const int coordinate = chain->body[body].coordinate;
    int       column = 0;
    while (column < l->n_column - c->first_column &&
           l->column[c->first_column + column] != coordinate)
        column++;
    if (column == l->n_column - c->first_column) l->column[l->n_column++] = coordinate;
    l->path[l->n_path] = body;
    l->side[l->n_path] = side;
    l->path_column[l->n_path++] = column;
}

// The way of a constraint: bodies, sides, and coordinates without repetition. That of a relation
// is its terms.
static void list_way(fa_loops *l, const fa_chain *chain, fa_constraint *c)
{
    int a = c->predecessor, b = c->successor;
    c->first_path = l->n_path;
    c->first_column = l->n_column;
    for (int k = 0; k < c->n_terms; k++) list_body(l, chain, c, c->term[k].of, 1);
    while (a != b && c->n_terms == 0) {
        int *deeper = a > b ? &a : &b;
        list_body(l, chain, c, *deeper, deeper == &b ? 1 : -1);
        *deeper = chain->body[*deeper].parent;
    }
    c->n_path = l->n_path - c->first_path;
    c->n_column = l->n_column - c->first_column;
}

static void list_constraints(fa_loops *l, const fa_chain *chain, const fa_constraint constraint[],
                             int n, int set[])
{
    int listed = 0;
    l->n_rows = l->n_path = l->n_column = l->n_entries = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        fa_cluster *cluster = &l->cluster[k];
        const int   own = root_of(set, l->body[cluster->first_body]);
        cluster->first_constraint = listed;
        for (int i = 0; i < n; i++) {
            const int end = constraint[i].predecessor > constraint[i].successor
                                ? constraint[i].predecessor
                                : constraint[i].successor;
            if (root_of(set, end) != own) continue;
            fa_constraint *c = &l->constraint[listed];
            l->given[listed++] = i;
            *c = constraint[i];
            c->cluster = k;
            c->first_row = l->n_rows;
            c->n_rows = fa_loop_row_count(c->type);
            list_way(l, chain, c);
            c->first_entry = l->n_entries;
            l->n_entries += (c->type == FA_LOOP_RELATION ? 3 : c->n_rows) * c->n_column;
            for (int r = 0; r < c->n_rows; r++) l->row_constraint[l->n_rows++] = listed - 1;
        }
        cluster->n_constraints = listed - cluster->first_constraint;
    }
}

// Gives coordinates without inertia the least one of their cluster, of those that slide or turn
// likewise where there are some.
static void carry_something(const fa_loops *l, const fa_cluster *cluster, double M[])
{
    const int *c = &l->coordinate[cluster->first_coordinate];
    double     least[2] = {INFINITY, INFINITY}, greatest = 0;
    for (int i = 0; i < cluster->n; i++) greatest = fmax(greatest, M[c[i]]);
    const double something = 1e-12 * greatest; // rounding leaves less
    for (int i = 0; i < cluster->n; i++)
        if (M[c[i]] > something) least[l->slides[c[i]]] = fmin(least[l->slides[c[i]]], M[c[i]]);
    const double any = fmin(least[0], least[1]);
    for (int i = 0; i < cluster->n; i++) {
        const double same = least[l->slides[c[i]]];
        if (!(M[c[i]] > something) && isfinite(any)) M[c[i]] = isfinite(same) ? same : any;
    }
}

// 1 / sqrt(M_jj), from the composite inertias of the tree at q.
static void weigh(fa_loops *l, const fa_chain *chain, const double q[], fa_inertia composite[])
{
    double *M = l->weight;
    for (int i = 0; i < chain->n; i++) composite[i] = chain->body[i].inertia;
    for (int c = 0; c < l->n_coordinates; c++) M[c] = 0;
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *b = &chain->body[i];
        const fa_twist S = fa_joint_axis(b);
        M[b->coordinate] +=
            b->ratio * b->ratio * (power(S, inertia_mul(composite[i], S)) + b->rotor);
        if (b->parent == FA_WORLD) continue;
        const fa_transform X = fa_joint_transform(b, fa_joint_position(b, q));
        composite[b->parent] =
            inertia_add(composite[b->parent], inertia_to_parent(X, composite[i]));
    }
    // A joint that carries nothing counts as the lightest one beside it: as of no mass it would
    // have the largest pivots, and those of others would look like dead points.
    for (int k = 0; k < l->n_clusters; k++) carry_something(l, &l->cluster[k], M);
    // No joint has less than a millionth of the greatest inertia of its cluster. The first one of a
    // relation has that: it is dependent before others are, and moves first.
    for (int i = 0; i < l->n_constraints; i++)
        if (l->constraint[i].type == FA_LOOP_RELATION)
            M[l->column[l->constraint[i].first_column]] = 0;
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int        *c = &l->coordinate[cluster->first_coordinate];
        double            greatest = 0;
        for (int i = 0; i < cluster->n; i++) greatest = fmax(greatest, M[c[i]]);
        for (int i = 0; i < cluster->n; i++)
            M[c[i]] = greatest > 0 ? 1 / sqrt(fmax(M[c[i]], 1e-6 * greatest)) : 1;
    }
}

// Root mean square distance of the cluster's joints from their middle.
static void measure(fa_loops *l, const fa_chain *chain, const double q[], fa_loop_body body[])
{
    for (int k = 0; k < l->n_clusters; k++) {
        fa_cluster *cluster = &l->cluster[k];
        if (cluster->n_constraints == 0) continue;
        fa_loop_poses(l, cluster, chain, q, body);
        fa_vec3 middle = {0, 0, 0};
        double  sum = 0;
        int     n = 0;
        for (int i = 0; i < cluster->n_bodies; i++, n++)
            middle = vec3_add(middle, body[l->body[cluster->first_body + i]].X.r);
        middle = vec3_scale(1.0 / n, middle);
        for (int i = 0; i < cluster->n_bodies; i++) {
            fa_vec3 r = vec3_sub(body[l->body[cluster->first_body + i]].X.r, middle);
            sum += dot(r, r);
        }
        cluster->length = sqrt(sum / n);
        if (!(cluster->length > 1e-6)) cluster->length = 1;
        for (int i = 0; i < cluster->n_constraints; i++) {
            const fa_constraint *c = &l->constraint[cluster->first_constraint + i];
            const fa_loop_frames f = fa_loop_frames_at(c, chain, body, cluster->carrier);
            for (int r = 0; r < c->n_rows; r++)
                l->row_weight[c->first_row + r] = r < f.n_position ? 1 / cluster->length : 1;
            if (c->type == FA_LOOP_DISTANCE) l->row_weight[c->first_row] /= c->length;
            if (fa_loop_is_of_positions(c->type) &&
                fa_joint_is_linear(chain->body[l->path[c->first_path]].joint))
                l->row_weight[c->first_row] = 1 / cluster->length;
        }
    }
}

typedef struct scratch {
    int          *set, *first_of;
    fa_inertia   *composite;
    fa_loop_body *body;
} scratch;

static scratch take_scratch(const fa_chain *chain, fa_arena *arena)
{
    const size_t n = (size_t)chain->n;
    scratch      s;
    s.set = fa_arena_take(arena, n, sizeof(int));
    s.first_of = fa_arena_take(arena, (size_t)chain->n_coordinates, sizeof(int));
    s.composite = fa_arena_take(arena, n, sizeof *s.composite);
    s.body = fa_arena_take(arena, n, sizeof *s.body);
    return s;
}

// Counts what follows from the tree alone, rows and dependents at most.
static fa_loops count(const fa_chain *chain, const fa_constraint constraint[], int n, int set[])
{
    fa_loops l = {.n_bodies = chain->n, .n_coordinates = chain->n_coordinates, .n_constraints = n};
    for (int i = 0; i < chain->n; i++) l.n_clusters += root_of(set, i) == i;
    for (int i = 0; i < n; i++) {
        const fa_constraint *c = &constraint[i];
        l.n_path += c->n_terms > 0 ? c->n_terms : way_length(chain, c->predecessor, c->successor);
        l.n_rows += fa_loop_row_count(constraint[i].type);
    }
    return l;
}

fa_loops *fa_loops_outline(const fa_chain *chain, const fa_constraint constraint[], int n,
                           const double q[], fa_loop_report *report)
{
    *report =
        (fa_loop_report){.constraint = FA_NOBODY, .coordinate = FA_NOBODY, .other = FA_NOBODY};
    for (int i = 0; i < n; i++)
        if (constraint[i].predecessor == constraint[i].successor) {
            report->fault = FA_LOOP_ONE_BODY;
            report->constraint = i;
            return NULL;
        }
    fa_arena measured = {NULL, 0};
    take_scratch(chain, &measured);
    fa_arena arena = {malloc(measured.size + 1), 0};
    report->fault = FA_LOOP_MEMORY;
    if (!arena.base) return NULL;
    scratch s = take_scratch(chain, &arena);
    find_sets(chain, constraint, n, s.set, s.first_of);
    const fa_loops counts = count(chain, constraint, n, s.set);
    const size_t   size = fa_loops_size(&counts);
    fa_arena       block = {calloc(1, size), 0};
    fa_loops      *l = NULL;
    if (block.base) {
        l = place(&counts, &block);
        list_clusters(l, chain, s.set);
        list_coordinates(l, chain);
        list_constraints(l, chain, constraint, n, s.set);
        weigh(l, chain, q, s.composite);
        measure(l, chain, q, s.body);
        for (int c = 0; c < l->n_coordinates; c++) l->ball[c] = FA_NOBODY;
        report->fault = FA_LOOP_FINE;
    }
    free(arena.base);
    return l;
}

// The pivots of the blocks at this pose, which later ones are compared with.
static bool refer(fa_loops *l, const fa_chain *chain, const double q[], fa_loop_report *report)
{
    void *memory = malloc(fa_loop_work_size(l) + 1);
    report->fault = memory ? FA_LOOP_FINE : FA_LOOP_MEMORY;
    if (!memory) return false;
    fa_loop_work work = fa_loop_work_at(l, memory);
    for (int k = 0; k < l->n_clusters; k++) l->cluster[k].reference = 0;
    fa_loops_factor(l, chain, q, &work);
    for (int k = 0; k < l->n_clusters; k++) l->cluster[k].reference = work.largest[k];
    free(memory);
    return true;
}

fa_loops *fa_loops_build(const fa_chain *chain, const fa_constraint constraint[], int n,
                         const fa_loop_wishes *wishes, const double q[], fa_loop_report *report)
{
    fa_loops *l = fa_loops_outline(chain, constraint, n, q, report);
    if (!l) return NULL;
    for (int c = 0; wishes->ball && c < l->n_coordinates; c++)
        if (wishes->ball[c])
            for (int i = 0; i < 3; i++) l->ball[c + i] = c;
    if (fa_loops_choose(l, chain, wishes, q, report) && refer(l, chain, q, report)) return l;
    fa_loops_free(l);
    return NULL;
}
