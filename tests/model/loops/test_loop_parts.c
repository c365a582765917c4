// What loops are made of, against what follows from their definition: clusters, ways and columns of
// any tree, residuals at half a turn, tangents of relations.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loop_choice.h"
#include "loop_tangents.h"
#include "loops.h"

enum { BODIES = 14, CONSTRAINTS = 5 };

typedef struct tree {
    fa_body       body[BODIES];
    fa_chain      chain;
    fa_constraint constraint[CONSTRAINTS];
    int           n; // constraints
} tree;

static unsigned below(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % n;
}

static fa_constraint constraint_between(fa_loop_type type, int from, int to)
{
    return (fa_constraint){.type = type,
                           .predecessor = from,
                           .successor = to,
                           .from = transform_identity(),
                           .to = transform_identity(),
                           .axis = vec3(0, 0, 1),
                           .e1 = vec3(1, 0, 0),
                           .e2 = vec3(0, 1, 0),
                           .second = vec3(1, 0, 0),
                           .length = 1,
                           .ratio = 1};
}

static fa_body body_on(int parent, int coordinate)
{
    return (fa_body){.parent = parent,
                     .joint = FA_REVOLUTE,
                     .axis = vec3(0, 0, 1),
                     .home = {mat3_identity(), vec3(0.3, 0.1, 0)},
                     .inertia = {.mass = 1, .I = {.xx = 1, .yy = 1, .zz = 1}},
                     .coordinate = coordinate,
                     .ratio = 1};
}

// A tree whose joints follow others here and there, with loops anywhere and relations of joints.
static void grow(tree *t, uint64_t *seed)
{
    const int n = 2 + (int)below(seed, BODIES - 1);
    int       coordinates = 0;
    for (int i = 0; i < n; i++) {
        const bool follows = i > 0 && below(seed, 5) == 0;
        t->body[i] = body_on((int)below(seed, (unsigned)i + 1) - 1,
                             follows ? (int)below(seed, (unsigned)coordinates) : coordinates);
        coordinates += !follows;
    }
    t->chain = (fa_chain){.n = n, .n_coordinates = coordinates, .body = t->body};
    t->n = 0;
    for (int k = (int)below(seed, CONSTRAINTS + 1); k > 0; k--) {
        const int  from = (int)below(seed, (unsigned)n + 1) - 1, to = (int)below(seed, (unsigned)n);
        const bool relates = n > 3 && below(seed, 3) == 0;
        fa_constraint c = constraint_between(
            relates ? FA_LOOP_RELATION : (fa_loop_type)below(seed, FA_LOOP_RELATION), from, to);
        if (relates) { // of different joints, in any order
            int other[BODIES];
            for (int i = 0; i < n; i++) other[i] = i;
            c.n_terms = 2 + (int)below(seed, 3);
            for (int i = 0; i < c.n_terms; i++) {
                const int at = i + (int)below(seed, (unsigned)(n - i)), of = other[at];
                other[at] = other[i];
                c.term[i] = (fa_relation_term){.of = of, .coefficient = {0, 1}};
            }
            c.predecessor = c.term[0].of;
            c.successor = c.term[1].of;
        }
        if (c.predecessor != c.successor) t->constraint[t->n++] = c;
    }
}

static bool is_above(const fa_chain *chain, int body, int ancestor)
{
    while (body > ancestor) body = chain->body[body].parent;
    return body == ancestor;
}

// On the way between two bodies: what carries one of them, or is it, and not the other.
static bool is_between(const fa_chain *chain, int a, int b, int body)
{
    return is_above(chain, a, body) != is_above(chain, b, body);
}

typedef struct relation {
    bool of[BODIES][BODIES];
} relation;

// The bodies between two, and where a joint itself is tied these two, move together.
static void tie(const tree *t, int a, int b, bool joints, relation *together)
{
    bool in[BODIES] = {false};
    for (int i = 0; i < t->chain.n; i++)
        in[i] = is_between(&t->chain, a, b, i) || (joints && (i == a || i == b));
    for (int i = 0; i < t->chain.n; i++)
        for (int j = 0; j < t->chain.n; j++) together->of[i][j] |= in[i] && in[j];
}

static relation relation_of(const tree *t)
{
    relation  r = {0};
    const int n = t->chain.n;
    for (int i = 0; i < n; i++) {
        r.of[i][i] = true;
        for (int j = 0; j < i; j++)
            if (t->body[i].coordinate == t->body[j].coordinate) tie(t, i, j, true, &r);
    }
    for (int k = 0; k < t->n; k++) {
        const fa_constraint *c = &t->constraint[k];
        if (c->type != FA_LOOP_RELATION) tie(t, c->predecessor, c->successor, false, &r);
        for (int i = 1; i < c->n_terms; i++) tie(t, c->term[0].of, c->term[i].of, true, &r);
    }
    for (int k = 0; k < n; k++) // closure, after Warshall
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) r.of[i][j] |= r.of[i][k] && r.of[k][j];
    return r;
}

static void clusters_are_what_moves_together(const tree *t, const fa_loops *l)
{
    const relation together = relation_of(t);
    int            cluster_of[BODIES], seen = 0;
    for (int i = 0; i < BODIES; i++) cluster_of[i] = -1;
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        assert_int_equal(cluster->first_body, seen);
        for (int i = 0; i < cluster->n_bodies; i++) {
            const int body = l->body[seen++], parent = t->body[body].parent;
            assert_int_equal(cluster_of[body], -1);
            cluster_of[body] = k;
            assert_int_equal(l->cluster_of[t->body[body].coordinate], k);
            // Parents first, and all of it hangs on one body, whose cluster came before.
            assert_true(parent == cluster->carrier || cluster_of[parent] == k);
        }
        assert_true(cluster->carrier == FA_WORLD || cluster_of[cluster->carrier] >= 0);
        assert_true(cluster->carrier == FA_WORLD || cluster_of[cluster->carrier] < k);
    }
    assert_int_equal(seen, t->chain.n);
    for (int i = 0; i < t->chain.n; i++)
        for (int j = 0; j < t->chain.n; j++)
            assert_int_equal(cluster_of[i] == cluster_of[j], together.of[i][j]);
}

static void coordinates_are_listed_once(const tree *t, const fa_loops *l)
{
    int n = 0;
    for (int k = 0; k < l->n_clusters; k++)
        for (int i = 0; i < l->cluster[k].n; i++, n++) {
            assert_int_equal(l->cluster[k].first_coordinate + i, n);
            assert_int_equal(l->local[l->coordinate[n]], i);
            assert_int_equal(l->cluster_of[l->coordinate[n]], k);
        }
    assert_int_equal(n, t->chain.n_coordinates);
}

static void ways_lead_from_end_to_end(const tree *t, const fa_loops *l)
{
    bool given[CONSTRAINTS] = {false};
    assert_int_equal(l->n_constraints, t->n);
    for (int k = 0; k < l->n_constraints; k++) {
        const fa_constraint *c = &l->constraint[k], *as_given = &t->constraint[l->given[k]];
        assert_false(given[l->given[k]]);
        given[l->given[k]] = true;
        assert_int_equal(c->predecessor, as_given->predecessor);
        assert_int_equal(c->successor, as_given->successor);
        int on_way = 0;
        for (int i = 0; i < t->chain.n; i++)
            on_way += is_between(&t->chain, c->predecessor, c->successor, i);
        assert_int_equal(c->n_path, c->n_terms > 0 ? c->n_terms : on_way);
        bool listed[BODIES] = {false};
        for (int p = 0; p < c->n_path; p++) {
            const int body = l->path[c->first_path + p], column = l->path_column[c->first_path + p];
            assert_false(listed[body]);
            listed[body] = true;
            assert_in_range(column, 0, c->n_column - 1);
            assert_int_equal(l->column[c->first_column + column], t->body[body].coordinate);
            assert_int_equal(l->cluster_of[t->body[body].coordinate], c->cluster);
            if (c->n_terms > 0) {
                assert_int_equal(body, c->term[p].of);
                assert_int_equal(l->side[c->first_path + p], 1);
                continue;
            }
            assert_true(is_between(&t->chain, c->predecessor, c->successor, body));
            assert_int_equal(l->side[c->first_path + p],
                             is_above(&t->chain, c->successor, body) ? 1 : -1);
        }
        for (int i = 0; i < c->n_column; i++)
            for (int j = 0; j < i; j++)
                assert_int_not_equal(l->column[c->first_column + i],
                                     l->column[c->first_column + j]);
    }
}

// Random trees; the expected clusters are the closure of the relation of moving together.
static void parts_of_any_tree_are_as_defined(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int k = 0; k < 3000; k++) {
        tree           t;
        double         q[BODIES] = {0};
        fa_loop_report report;
        fa_loops      *l;
        grow(&t, &seed);
        l = fa_loops_outline(&t.chain, t.constraint, t.n, q, &report);
        assert_non_null(l);
        clusters_are_what_moves_together(&t, l);
        coordinates_are_listed_once(&t, l);
        ways_lead_from_end_to_end(&t, l);
        fa_loops_free(l);
    }
}

// ------------------------------------------------------------------------------------- residuals

// How far the orientation of a loop is off, where its successor is turned.
static double turned_by(fa_loop_type type, fa_mat3 E)
{
    const fa_body  body = body_on(FA_WORLD, 0);
    const fa_chain chain = {.n = 1, .n_coordinates = 1, .body = &body};
    const double   q[1] = {0};
    fa_constraint  c = constraint_between(type, FA_WORLD, 0);
    fa_loop_report report;
    double         sum = 0;
    c.to.E = E;
    c.from.r = body.home.r; // the places agree
    fa_loops *l = fa_loops_outline(&chain, &c, 1, q, &report);
    assert_non_null(l);
    void *memory = malloc(fa_loop_work_size(l) + 1);
    assert_non_null(memory);
    fa_loop_work work = fa_loop_work_at(l, memory);
    fa_loops_residual(l, &chain, q, &work);
    for (int r = 0; r < l->n_rows; r++) sum += work.residual[r] * work.residual[r];
    free(memory);
    fa_loops_free(l);
    return sqrt(sum);
}

// Newton's iteration must not take an orientation for closed that is not. Twice the sine of half an
// angle is no less than 0.63 of it, up to half a turn, where a cross product alone would be zero.
// Half a turn about n is 2 n n^T - 1, to the last bit.
static void no_turn_is_taken_for_closed(void **state)
{
    static const fa_loop_type all[] = {FA_LOOP_FIXED, FA_LOOP_PRISMATIC};
    static const fa_loop_type across[] = {FA_LOOP_REVOLUTE, FA_LOOP_CYLINDRICAL, FA_LOOP_PLANAR};
    static const fa_vec3 about[] = {{1, 0, 0}, {0, 1, 0}, {0.6, -0.8, 0}, {0, 0, 1}, {0.6, 0, 0.8}};
    (void)state;
    for (int k = 0; k < 5; k++) {
        const double n[3] = {about[k].x, about[k].y, about[k].z};
        fa_mat3      half;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) half.m[i][j] = 2 * n[i] * n[j] - (i == j);
        for (int t = 0; t < 2; t++) assert_true(turned_by(all[t], half) >= 2);
        for (int t = 0; t < 3 && k < 3; t++) assert_true(turned_by(across[t], half) >= 2);
        for (double angle = 0.1; angle < 3.14; angle += 0.1) {
            const double        s = sin(0.5 * angle);
            const fa_quaternion p = {cos(0.5 * angle), s * n[0], s * n[1], s * n[2]};
            const fa_mat3       E = mat3_transpose(fa_rotation_quaternion(p));
            for (int t = 0; t < 2; t++) assert_true(turned_by(all[t], E) >= 0.63 * angle);
            for (int t = 0; t < 3 && k < 3; t++)
                assert_true(turned_by(across[t], E) >= 0.63 * angle);
        }
    }
}

// ------------------------------------------------------------------------------------- tangents

// A polynomial and its first three derivatives.
static void derive(const double c[FA_RELATION_DEGREE + 1], double x, double to[4])
{
    to[0] = c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x + c[4] * x * x * x * x;
    to[1] = c[1] + 2 * c[2] * x + 3 * c[3] * x * x + 4 * c[4] * x * x * x;
    to[2] = 2 * c[2] + 6 * c[3] * x + 12 * c[4] * x * x;
    to[3] = 6 * c[3] + 24 * c[4] * x;
}

// Expects, for r = sum of p(x), r' = sum of p' x' and r'' = sum of p' x'' + p'' x'^2, and their
// derivatives by x and x'. One joint follows another, at a ratio.
static void relations_change_as_their_polynomials_do(void **state)
{
    static const double coefficient[3][FA_RELATION_DEGREE + 1] = {
        {0, 0.7, -0.4, 0.9, 0.3}, {0, -1.3, 0.8, 0.2, -0.6}, {0, 0.5, 1.1, -0.7, 0.4}};
    static const double q[2] = {0.4, -0.3}, qd[2] = {1.7, -0.9}, qdd[2] = {0.6, 2.3};
    static const double dq[2] = {0.8, 1.9}, dqd[2] = {-1.2, 0.35};
    fa_body             body[3] = {body_on(FA_WORLD, 0), body_on(0, 1), body_on(1, 0)};
    const fa_chain      chain = {.n = 3, .n_coordinates = 2, .coupled = true, .body = body};
    fa_constraint       c = constraint_between(FA_LOOP_RELATION, 0, 1);
    fa_loop_report      report;
    double              sum = 0, speed = 0, turn = 0, velocity, acceleration;
    (void)state;
    body[2].ratio = -2;
    body[2].offset = 0.5;
    c.n_terms = 3;
    for (int i = 0; i < 3; i++) {
        const int    k = body[i].coordinate;
        const double ratio = body[i].ratio;
        double       p[4];
        c.term[i].of = i;
        memcpy(c.term[i].coefficient, coefficient[i], sizeof coefficient[i]);
        derive(coefficient[i], ratio * q[k] + body[i].offset, p);
        sum += p[0];
        speed += p[1] * ratio * dqd[k] + p[2] * ratio * dq[k] * ratio * qd[k];
        turn += p[2] * ratio * (dq[k] * ratio * qdd[k] + 2 * ratio * qd[k] * dqd[k]) +
                p[3] * ratio * dq[k] * ratio * qd[k] * ratio * qd[k];
    }
    c.term[0].coefficient[0] = -sum; // closed here
    const fa_loop_wishes wishes = {.tolerance = FA_LOOP_TOLERANCE};
    fa_loops            *l = fa_loops_build(&chain, &c, 1, &wishes, q, &report);
    assert_non_null(l);
    void                 *memory = malloc(fa_loop_work_size(l) + 1);
    fa_loop_body_tangent *tangent = calloc(3, sizeof *tangent);
    assert_non_null(memory);
    assert_non_null(tangent);
    fa_loop_work work = fa_loop_work_at(l, memory);
    assert_int_equal(fa_loops_factor(l, &chain, q, &work), FA_OK);
    const fa_loop_motion motion = {.qd = qd, .qdd = qdd, .dq = dq, .dqd = dqd};
    fa_loops_row_tangents(l, &chain, &motion, &work, &velocity, &acceleration, tangent);
    // Tolerance: rounding of some twenty products.
    assert_true(fabs(velocity - speed) <= 1e-13 * fabs(speed));
    assert_true(fabs(acceleration - turn) <= 1e-13 * fabs(turn));
    free(tangent);
    free(memory);
    fa_loops_free(l);
}

// ------------------------------------------------------------------- dead points and redundancy

// What reading the loop comes to: its freedoms, or a fault where it is closed at a dead point.
static int freedoms_of(const tree *t, const double q[], fa_loop_report *report)
{
    const fa_loop_wishes wishes = {.tolerance = FA_LOOP_TOLERANCE};
    fa_loops            *l = fa_loops_build(&t->chain, t->constraint, t->n, &wishes, q, report);
    const int            freedoms = l ? l->n_independent : -1;
    assert_true(l || report->fault == FA_LOOP_SINGULAR || report->fault == FA_LOOP_CROSSING);
    fa_loops_free(l);
    return freedoms;
}

// Two links in a plane and a rod from the ground to the tip of the second one, of any lengths.
static void a_rod_that_is_stretched_or_folded_is_a_dead_point(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 400; trial++) {
        tree          t = {.n = 1};
        const double  second = 0.03 + below(&seed, 100) / 100.0, at = below(&seed, 629) / 100.0;
        const bool    folded = trial % 2 == 1, turned = trial % 4 > 1;
        const double  bends[] = {0, 0.02, 0.5, -1.2};
        fa_constraint rod = constraint_between(FA_LOOP_DISTANCE, FA_WORLD, 1);
        t.body[0] = body_on(FA_WORLD, 0);
        t.body[1] = body_on(0, 1);
        t.body[0].home.r = vec3(0.1, 0.2, 0);
        t.body[1].home.r = vec3(1, 0, 0);
        t.chain = (fa_chain){.n = 2, .n_coordinates = 2, .body = t.body};
        rod.from.r = t.body[0].home.r;
        rod.to.r = vec3(second, 0, 0);
        if (turned) { // the rod the other way round
            const fa_transform ground = rod.from;
            rod.predecessor = 1;
            rod.successor = FA_WORLD;
            rod.from = rod.to;
            rod.to = ground;
        }
        for (size_t k = 0; k < sizeof bends / sizeof *bends; k++) {
            const double   bend = bends[k] + (folded ? acos(-1) : 0), q[] = {at, bend};
            fa_loop_report report = {.fault = FA_LOOP_FINE};
            rod.length = sqrt(1 + second * second + 2 * second * cos(bend));
            if (rod.length < 0.01) continue; // both ends at one place
            t.constraint[0] = rod;
            const int freedoms = freedoms_of(&t, q, &report);
            assert_int_equal(freedoms, k == 0 ? -1 : 1);
            if (k > 0) continue;
            assert_int_equal(report.fault, FA_LOOP_SINGULAR);
            assert_true(report.coordinate == 1 && report.other == 0);
        }
    }
}

// A rod to a point of an axis turns with it: its row is zero everywhere, and takes nothing.
static void a_row_that_is_zero_everywhere_is_redundant(void **state)
{
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        tree           t = {.n = 1};
        const double   q[] = {0.13 * trial, 1 - 0.21 * trial};
        fa_loop_report report = {.fault = FA_LOOP_FINE};
        t.body[0] = body_on(FA_WORLD, 0);
        t.body[1] = body_on(0, 1);
        t.chain = (fa_chain){.n = 2, .n_coordinates = 2, .body = t.body};
        t.constraint[0] = constraint_between(FA_LOOP_DISTANCE, FA_WORLD, 0);
        t.constraint[0].from.r = vec3_add(t.body[0].home.r, vec3(0, 0, 0.4));
        t.constraint[0].to.r = vec3(0.2, 0, 0);
        t.constraint[0].length = sqrt(0.2);
        assert_int_equal(freedoms_of(&t, q, &report), 2);
    }
}

// Two links in a line, and a rod of another length than theirs: the first steps have no direction.
// The elbow's angle follows from the law of cosines.
static void a_straight_start_is_closed_if_the_rod_is_short_enough(void **state)
{
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        tree                 t = {.n = 1};
        const bool           folded = trial % 2 == 1;
        const double         second = 0.3 + 0.005 * (trial / 2 % 100);
        const double         least = folded ? 1.001 - second : 0.95 - second, most = 1 + second;
        const double         share = trial < 100 ? 0.01 * (trial % 100) : 0.999;
        const fa_loop_wishes wishes = {.tolerance = FA_LOOP_TOLERANCE};
        fa_constraint       *rod = &t.constraint[0];
        fa_loop_report       report = {.fault = FA_LOOP_FINE};
        double               q[] = {0.03 * trial, folded ? acos(-1) : 0};
        t.body[0] = body_on(FA_WORLD, 0);
        t.body[1] = body_on(0, 1);
        t.body[1].home.r = vec3(1, 0, 0);
        t.chain = (fa_chain){.n = 2, .n_coordinates = 2, .body = t.body};
        *rod = constraint_between(FA_LOOP_DISTANCE, FA_WORLD, 1);
        rod->from.r = t.body[0].home.r;
        rod->to.r = vec3(second, 0, 0);
        rod->length = least + share * (most - least);
        const bool reaches = rod->length > 1 - second && rod->length < 1 + second;
        const bool closed =
            fa_loops_assemble(&t.chain, t.body, t.constraint, 1, &wishes, q, &report);
        assert_int_equal(closed, reaches);
        const double c = (rod->length * rod->length - 1 - second * second) / (2 * second);
        // Assembly ends where the residual is rounding; near the stretch its root counts.
        if (closed) assert_true(fabs(cos(q[1]) - c) < 1e-11);
        if (!closed) assert_int_equal(report.fault, FA_LOOP_OPEN);
    }
}

// A parallelogram has one freedom, and three of its five rows are redundant. Where it lies flat its
// rank is one less, and the branch of the antiparallelogram crosses.
static void a_parallelogram_is_closed_but_where_it_lies_flat(void **state)
{
    (void)state;
    for (int trial = 0; trial < 64; trial++) {
        tree           t = {.n = 1};
        const bool     flat = trial % 8 == 0;
        const double   angle = flat ? acos(-1) * (trial / 8 % 2) : 0.05 * trial;
        const double   q[] = {angle, -angle, angle};
        fa_loop_report report = {.fault = FA_LOOP_FINE};
        for (int i = 0; i < 3; i++) t.body[i] = body_on(i - 1, i);
        t.body[1].home.r = vec3(0.3, 0, 0);
        t.body[2].home.r = vec3(1, 0, 0);
        t.chain = (fa_chain){.n = 3, .n_coordinates = 3, .body = t.body};
        t.constraint[0] = constraint_between(FA_LOOP_REVOLUTE, FA_WORLD, 2);
        t.constraint[0].from.r = vec3_add(t.body[0].home.r, vec3(1, 0, 0));
        t.constraint[0].to.r = vec3(-0.3, 0, 0);
        assert_int_equal(freedoms_of(&t, q, &report), flat ? -1 : 1);
        assert_int_equal(report.fault, flat ? FA_LOOP_CROSSING : FA_LOOP_FINE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_any_tree_are_as_defined),
        cmocka_unit_test(no_turn_is_taken_for_closed),
        cmocka_unit_test(relations_change_as_their_polynomials_do),
        cmocka_unit_test(a_rod_that_is_stretched_or_folded_is_a_dead_point),
        cmocka_unit_test(a_row_that_is_zero_everywhere_is_redundant),
        cmocka_unit_test(a_straight_start_is_closed_if_the_rod_is_short_enough),
        cmocka_unit_test(a_parallelogram_is_closed_but_where_it_lies_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
