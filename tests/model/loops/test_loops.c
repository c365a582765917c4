// Closed loops against numbers computed in 72 digits (tests/mechanisms).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "dynamics.h"
#include "form_build.h"
#include "formats.h"
#include "import.h"
#include "loop_derivatives.h"
#include "loops.h"
#include "methods.h"
#include "read_json.h"
#include "robot_file.h"
#include "robot_loops.h"

#define FOLDER "mechanisms/"

// Relative to the largest acceleration of the state. The worst was 3e-14.
static const double ACCELERATION_TOLERANCE = 1e-11;
// Tolerance of positions that Newton's iteration found [rad] or [m].
static const double POSITION_TOLERANCE = 1e-12;

static const char *const mechanism[] = {
    "four_bar", "four_bar_welded", "slider_crank",   "slider_crank_cut", "palletiser",  "excavator",
    "andrews",  "watt_six_bar",    "five_bar_scara", "bricard",          "hooke_joint",
};
enum { MECHANISMS = sizeof mechanism / sizeof *mechanism };

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static double number_of(const json *object, const char *name, double otherwise)
{
    return object && json_has(object, name) ? json_number(json_member(object, name)) : otherwise;
}

// A robot at the positions of a state; `independent`: in the place of those that the file names.
// `off`: every angle of the file is off by as much.
static bool lists(const json *names, const char *name)
{
    for (int i = 0; i < json_count(names); i++)
        if (strcmp(json_string(json_element(names, i)), name) == 0) return true;
    return false;
}

static fa_robot *robot_at(const char *path, const json *position, const json *independent,
                          double off)
{
    static const fa_import_options none = {0};
    fa_error                       error = fa_no_error();
    fa_form                        form;
    fa_robot                      *robot = NULL;
    uint64_t                       seed = 5;
    if (fa_import_form(path, &none, &form, &error) != FA_OK) fail_msg("%s", error.message);
    for (int i = 0; i < form.n_joints; i++) {
        fa_form_joint *joint = &form.joint[i];
        joint->start[0] = number_of(position, joint->name, 0);
        if (independent) joint->independent = lists(independent, joint->name);
        if (off == 0) continue;
        const fa_vec3 turn = {off * random_number(&seed), off * random_number(&seed),
                              off * random_number(&seed)};
        joint->origin.E = mat3_mat3(fa_rotation_rpy(turn), joint->origin.E);
    }
    for (int i = 0; i < form.n_loops && off != 0; i++)
        for (int end = 0; end < 2; end++) {
            const fa_vec3 turn = {off * random_number(&seed), off * random_number(&seed),
                                  off * random_number(&seed)};
            form.loop[i].frame[end].E = mat3_mat3(fa_rotation_rpy(turn), form.loop[i].frame[end].E);
        }
    if (fa_form_build(&form, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    fa_form_free(&form);
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s: %s", path, error.message);
    return robot;
}

typedef struct bench {
    fa_robot     *robot;
    fa_chain      chain;
    fa_body      *body;
    int          *link_body;
    fa_transform *link_frame;
    fa_loops     *loops;
    double       *q, *qd, *qdd, *tau;
    fa_wrench    *wrench;
    void         *memory, *work;
} bench;

static bench take(fa_robot *robot)
{
    const size_t n = (size_t)fa_chain_bodies(robot) + 1, links = (size_t)robot->n_links;
    bench        b = {.robot = robot};
    b.body = malloc(n * sizeof *b.body);
    b.link_body = malloc(links * sizeof *b.link_body);
    b.link_frame = malloc(links * sizeof *b.link_frame);
    b.chain = fa_chain_build(robot, b.body, b.link_body, b.link_frame);
    b.loops = fa_robot_build_loops(robot);
    assert_non_null(b.loops);
    b.chain.loops = b.loops;
    b.q = calloc(4 * n, sizeof *b.q);
    b.qd = b.q + n;
    b.qdd = b.qd + n;
    b.tau = b.qdd + n;
    b.wrench = calloc(n, sizeof *b.wrench);
    b.memory = malloc(fa_loop_work_size(b.loops) + 1);
    b.work = malloc(fa_method_forward(&b.chain)->work_size(&b.chain) + 1);
    return b;
}

static void leave(bench *b)
{
    fa_loops_free(b->loops);
    free(b->body);
    free(b->link_body);
    free(b->link_frame);
    free(b->q);
    free(b->wrench);
    free(b->memory);
    free(b->work);
    free(b->robot);
}

// Positions, speeds, efforts and loads of a state.
static void set_state(bench *b, const json *point)
{
    const json *position = json_member(point, "position"),
               *velocity = json_member(point, "velocity");
    const json *input = json_member(point, "input");
    const json *effort = json_has(input, "effort") ? json_member(input, "effort") : NULL;
    const json *force = json_has(input, "link_force") ? json_member(input, "link_force") : NULL;
    const json *torque = json_has(input, "link_torque") ? json_member(input, "link_torque") : NULL;
    for (int i = 0; i < b->robot->n_links; i++) {
        const fa_joint *joint = &b->robot->link[i].joint;
        if (joint->type == FA_FIXED) continue;
        const int c = b->body[b->link_body[i]].coordinate;
        b->q[c] = number_of(position, joint->name, joint->initial_position);
        b->qd[c] = number_of(velocity, joint->name, 0);
        b->tau[c] = number_of(effort, joint->name, 0) - joint->friction.viscous * b->qd[c];
    }
    fa_transform pose[64];
    memset(b->wrench, 0, (size_t)b->chain.n * sizeof *b->wrench);
    fa_chain_poses(&b->chain, b->q, pose);
    for (int i = 0; i < b->robot->n_links; i++) {
        const fa_link *link = &b->robot->link[i];
        const int      k = b->link_body[i];
        double         f[3] = {0}, t[3] = {0};
        if (k == FA_WORLD) continue;
        if (force && json_has(force, link->name))
            json_numbers(json_member(force, link->name), f, 3);
        if (torque && json_has(torque, link->name))
            json_numbers(json_member(torque, link->name), t, 3);
        fa_vec3 at = point_to_parent(b->link_frame[i], link->com);
        fa_vec3 push = mat3_mul(pose[k].E, vec3(f[0], f[1], f[2]));
        fa_vec3 turn = mat3_mul(pose[k].E, vec3(t[0], t[1], t[2]));
        b->wrench[k] = wrench_add(b->wrench[k], (fa_wrench){vec3_add(turn, cross(at, push)), push});
    }
}

// Loads stand in world axes, and so turn the other way in the bodies'.
static void push_tangent(const bench *b, const json *point, const fa_motion motion[],
                         const fa_motion_tangent step[], fa_wrench change[])
{
    const json *input = json_member(point, "input");
    const json *force = json_has(input, "link_force") ? json_member(input, "link_force") : NULL;
    const json *torque = json_has(input, "link_torque") ? json_member(input, "link_torque") : NULL;
    memset(change, 0, (size_t)b->chain.n * sizeof *change);
    for (int i = 0; i < b->robot->n_links; i++) {
        const fa_link *link = &b->robot->link[i];
        const int      k = b->link_body[i];
        double         f[3] = {0}, t[3] = {0};
        if (k == FA_WORLD) continue;
        if (force && json_has(force, link->name))
            json_numbers(json_member(force, link->name), f, 3);
        if (torque && json_has(torque, link->name))
            json_numbers(json_member(torque, link->name), t, 3);
        const fa_vec3 at = point_to_parent(b->link_frame[i], link->com);
        const fa_vec3 push = mat3_mul(motion[k].pose.E, vec3(f[0], f[1], f[2]));
        const fa_vec3 turn = mat3_mul(motion[k].pose.E, vec3(t[0], t[1], t[2]));
        const fa_vec3 dpush = cross(push, step[k].pose.angular);
        const fa_vec3 dturn = cross(turn, step[k].pose.angular);
        change[k] = wrench_add(change[k], (fa_wrench){vec3_add(dturn, cross(at, dpush)), dpush});
    }
}

static void accelerations_agree(const char *name, bench *b, const json *point, double tolerance)
{
    const json      *wanted = json_member(point, "acceleration");
    const fa_load    load = {b->wrench};
    double           largest = 0;
    const fa_method *method = fa_method_forward(&b->chain);
    set_state(b, point);
    assert_true(fa_method_fits(method, &b->chain));
    const fa_status status =
        method->forward(&b->chain, b->q, b->qd, b->tau, &load, b->qdd, b->work);
    if (status != FA_OK) fail_msg("%s: %s", name, fa_status_text(status));
    for (int i = 0; i < b->robot->n_links; i++) {
        const char *joint = b->robot->link[i].joint.name;
        largest = fmax(largest, fabs(number_of(wanted, joint, 0)));
    }
    for (int i = 0; i < b->robot->n_links; i++) {
        const fa_joint *joint = &b->robot->link[i].joint;
        if (!json_has(wanted, joint->name)) continue;
        const double got = b->qdd[b->body[b->link_body[i]].coordinate];
        const double want = json_number(json_member(wanted, joint->name));
        if (!(fabs(got - want) <= tolerance * (1 + largest)))
            fail_msg("%s: acceleration of '%s' is %.17g, not %.17g: off by %g of %g", name,
                     joint->name, got, want, got - want, largest);
    }
}

static json *points_of(const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, FOLDER "points/%s.json", name);
    return json_read(path);
}

static fa_robot *golden_robot(const char *name, const json *point, const json *independent,
                              double off)
{
    char path[200];
    (void)snprintf(path, sizeof path, FOLDER "robots/%s.urdf", name);
    return robot_at(path, json_member(point, "position"), independent, off);
}

static void accelerations_are_those_of_72_digits(void **state)
{
    (void)state;
    for (int m = 0; m < MECHANISMS; m++) {
        if (strcmp(mechanism[m], "andrews") == 0) continue; // its spring is no part of a chain
        json       *text = points_of(mechanism[m]);
        const json *points = json_member(text, "points");
        bench       b = take(golden_robot(mechanism[m], json_element(points, 0),
                                          json_member(text, "independent"), 0));
        for (int p = 0; p < json_count(points); p++)
            accelerations_agree(mechanism[m], &b, json_element(points, p), ACCELERATION_TOLERANCE);
        leave(&b);
        json_free(text);
    }
}

static void structure_is_as_expected(void **state)
{
    (void)state;
    json *text = json_read(FOLDER "structure.json");
    for (int m = 0; m < MECHANISMS; m++)
        for (int off = 0; off < 2; off++) {
            const json *wanted = json_member(text, mechanism[m]);
            json       *points = points_of(mechanism[m]);
            const json *point = json_element(json_member(points, "points"), 0);
            fa_robot   *robot = golden_robot(mechanism[m], point, NULL, off ? 1e-6 : 0);
            fa_closing  found;
            fa_error    error = fa_no_error();
            assert_int_equal(fa_robot_close(robot, NULL, &found, &error), FA_OK);
            print_message("%s: %d of %d rows, %d freedoms, pivot %.3f\n", mechanism[m],
                          found.redundant, found.rows, found.freedoms, found.least_pivot);
            assert_int_equal(found.speeds, (int)json_number(json_member(wanted, "speeds")));
            assert_int_equal(found.rows, (int)json_number(json_member(wanted, "rows")));
            assert_int_equal(found.redundant, (int)json_number(json_member(wanted, "redundant")));
            assert_int_equal(found.freedoms, (int)json_number(json_member(wanted, "freedoms")));
            const json *independent = json_member(wanted, "independent");
            for (int i = 0; i < json_count(independent); i++) {
                const char *name = json_string(json_element(independent, i));
                const int   link = fa_robot_find_joint(robot, name);
                if (robot->link[link].joint.dependent)
                    fail_msg("%s: '%s' is dependent", mechanism[m], name);
            }
            // Axes that are off by as much change accelerations little.
            bench b = take(robot);
            if (off && strcmp(mechanism[m], "andrews") != 0)
                accelerations_agree(mechanism[m], &b, point, 1e-4);
            leave(&b);
            json_free(points);
        }
    json_free(text);
}

static void dependent_positions_follow_from_rounded_guesses(void **state)
{
    (void)state;
    for (int m = 0; m < MECHANISMS; m++) {
        json       *text = points_of(mechanism[m]);
        const json *points = json_member(text, "points");
        bench       b = take(golden_robot(mechanism[m], json_element(points, 0),
                                          json_member(text, "independent"), 0));
        for (int p = 0; p < json_count(points); p++) {
            double       exact[64], speed[64];
            fa_loop_work work = fa_loop_work_at(b.loops, b.memory);
            set_state(&b, json_element(points, p));
            const size_t n = (size_t)b.chain.n_coordinates;
            memcpy(exact, b.q, n * sizeof *exact);
            memcpy(speed, b.qd, n * sizeof *speed);
            for (size_t c = 0; c < n; c++)
                if (b.loops->is_dependent[c]) {
                    b.q[c] = round(100 * b.q[c]) / 100;
                    b.qd[c] = 7;
                }
            assert_int_equal(fa_loops_close(b.loops, &b.chain, b.body, b.q, FA_LOOP_FAR, &work),
                             FA_OK);
            assert_int_equal(fa_loops_factor(b.loops, &b.chain, b.q, &work), FA_OK);
            fa_loops_speeds(b.loops, b.qd, &work);
            for (size_t c = 0; c < n; c++) {
                if (!(fabs(b.q[c] - exact[c]) <= POSITION_TOLERANCE))
                    fail_msg("%s: position %.17g, not %.17g", mechanism[m], b.q[c], exact[c]);
                if (!(fabs(b.qd[c] - speed[c]) <= 1e-10 * (1 + fabs(speed[c]))))
                    fail_msg("%s: speed %.17g, not %.17g", mechanism[m], b.qd[c], speed[c]);
            }
        }
        leave(&b);
        json_free(text);
    }
}

// Newton-Euler and derivatives need a motion of all bodies.
typedef struct tangent {
    fa_loop_tangent    t;
    void              *memory, *work;
    fa_motion         *motion;
    fa_motion_tangent *step;
    fa_motion_adjoint *slope;
} tangent;

static tangent linearise(const char *name, bench *b, const fa_load *load)
{
    const size_t n = (size_t)b->chain.n + 1;
    tangent      x = {.memory = malloc(fa_loop_tangent_size(&b->chain) + 1),
                      .work = malloc(fa_methods_work_size(&b->chain) + 1),
                      .motion = malloc(n * sizeof(fa_motion)),
                      .step = malloc(n * sizeof(fa_motion_tangent)),
                      .slope = calloc(n, sizeof(fa_motion_adjoint))};
    x.t = fa_loop_tangent_at(&b->chain, x.memory);
    if (fa_loops_linearise(&b->chain, b->q, b->qd, b->qdd, b->tau, load, &x.t, x.work) != FA_OK)
        fail_msg("%s has no derivative", name);
    fa_chain_motion(&b->chain, b->q, b->qd, b->qdd, x.motion);
    return x;
}

static void release(tangent *x)
{
    free(x->memory);
    free(x->work);
    free(x->motion);
    free(x->step);
    free(x->slope);
}

// A joint that is held, dependent or not, has no acceleration; and the mechanism moves as without
// the hold, if the effort that is said to hold acts there. Many sets of held joints are tried, also
// those that are more than the freedoms; these stand still, as what is held does.
static void what_holds_a_joint_is_an_effort_there(void **state)
{
    (void)state;
    double worst = 0;
    for (int m = 0; m < MECHANISMS; m++) {
        if (strcmp(mechanism[m], "andrews") == 0) continue;
        json       *text = points_of(mechanism[m]);
        const json *point = json_element(json_member(text, "points"), 1);
        bench     b = take(golden_robot(mechanism[m], point, json_member(text, "independent"), 0));
        const int n = b.chain.n_coordinates;
        const fa_load load = {b.wrench};
        bool         *held = calloc((size_t)n + 1, sizeof *held);
        double       *push = calloc(3 * (size_t)n + 1, sizeof *push);
        double       *moved = push + n, *tau = moved + n;
        set_state(&b, point);
        const fa_method *method = fa_method_forward(&b.chain);
        for (unsigned set = 1; set < 1u << (n < 6 ? n : 6); set++) {
            for (int c = 0; c < n; c++) held[c] = c < 6 && set >> c & 1;
            set_state(&b, point);
            for (int c = 0; c < n && (set & (set - 1)) != 0; c++) b.qd[c] = 0;
            b.chain.held = held;
            const fa_status status =
                method->forward(&b.chain, b.q, b.qd, b.tau, &load, b.qdd, b.work);
            assert_int_equal(status, FA_OK);
            tangent x = linearise(mechanism[m], &b, &load);
            assert_int_equal(
                fa_newton_euler_inverse(&b.chain, b.q, b.qd, b.qdd, &load, push, x.work), FA_OK);
            double largest = 1, effort = 1;
            for (int c = 0; c < n; c++) push[c] = b.tau[c] - push[c];
            assert_int_equal(fa_loops_push(&b.chain, b.q, push, &x.t), FA_OK);
            b.chain.held = NULL;
            for (int c = 0; c < n; c++) {
                tau[c] = b.tau[c] - push[c];
                effort = fmax(effort, fabs(push[c]));
                if (!held[c]) assert_true(push[c] == 0);
            }
            assert_int_equal(method->forward(&b.chain, b.q, b.qd, tau, &load, moved, b.work),
                             FA_OK);
            for (int c = 0; c < n; c++) largest = fmax(largest, fabs(b.qdd[c]) + fabs(moved[c]));
            // Rounding; the worst was 4.5e-14 of the largest acceleration and effort.
            for (int c = 0; c < n; c++) {
                const double off = fmax(fabs(moved[c] - b.qdd[c]), held[c] ? fabs(b.qdd[c]) : 0);
                worst = fmax(worst, off / (largest + effort));
                if (!(off <= 1e-12 * (largest + effort)))
                    fail_msg("%s, set %u: coordinate %d is off by %g of %g", mechanism[m], set, c,
                             off, largest);
            }
            release(&x);
        }
        free(push);
        free(held);
        leave(&b);
        json_free(text);
    }
    print_message("worst %.1e\n", worst);
}

static void derivatives_and_reactions_are_those_of_72_digits(void **state)
{
    (void)state;
    for (int m = 0; m < MECHANISMS; m++) {
        if (strcmp(mechanism[m], "andrews") == 0) continue;
        json       *text = points_of(mechanism[m]);
        const json *points = json_member(text, "points");
        bench       b = take(golden_robot(mechanism[m], json_element(points, 0),
                                          json_member(text, "independent"), 0));
        for (int p = 0; p < json_count(points); p++) {
            const json   *point = json_element(points, p);
            const fa_load load = {b.wrench};
            const size_t  n = (size_t)b.chain.n_coordinates;
            accelerations_agree(mechanism[m], &b, point, ACCELERATION_TOLERANCE);
            tangent x = linearise(mechanism[m], &b, &load);
            for (int k = 0; k < b.loops->n_constraints; k++) {
                const fa_loop  *loop = fa_robot_loop(b.robot, b.loops->given[k]);
                const fa_wrench got =
                    fa_loops_reaction(b.loops, &b.chain, k, x.t.lambda, &x.t.loop);
                const double is[6] = {got.force.x,  got.force.y,  got.force.z,
                                      got.moment.x, got.moment.y, got.moment.z};
                if (!json_has(json_member(point, "loop_reaction"), loop->name)) continue;
                const json *wanted = json_member(json_member(point, "loop_reaction"), loop->name);
                for (int i = 0; i < 6 && json_has(wanted, "force"); i++) {
                    const json *want =
                        json_element(json_member(wanted, i < 3 ? "force" : "torque"), i % 3);
                    if (json_is_null(want) == (b.loops->constraint[k].determined >> i & 1))
                        fail_msg("%s: component %d of '%s' is %sdetermined", mechanism[m], i,
                                 loop->name, json_is_null(want) ? "" : "not ");
                    if (!json_is_null(want) &&
                        !(fabs(is[i] - json_number(want)) <= 1e-8 * (1 + fabs(json_number(want)))))
                        fail_msg("%s: component %d of '%s' is %.12g, not %.12g", mechanism[m], i,
                                 loop->name, is[i], json_number(want));
                }
            }
            if (!json_has(point, "derivative")) {
                release(&x);
                continue;
            }
            const json *d = json_member(point, "derivative"), *along = json_member(d, "along");
            double      dq[64] = {0}, dqd[64] = {0}, dtau[64] = {0}, dqdd[64] = {0};
            double      by[64], by_q[64] = {0}, by_qd[64] = {0}, by_tau[64] = {0};
            for (int i = 0; i < b.robot->n_links; i++) {
                const fa_joint *joint = &b.robot->link[i].joint;
                const int       k = b.link_body[i];
                if (joint->type == FA_FIXED) continue;
                const int c = b.body[k].coordinate;
                dq[c] =
                    number_of(json_has(along, "position") ? json_member(along, "position") : NULL,
                              joint->name, 0);
                dqd[c] =
                    number_of(json_has(along, "velocity") ? json_member(along, "velocity") : NULL,
                              joint->name, 0);
                dtau[c] = number_of(json_has(along, "effort") ? json_member(along, "effort") : NULL,
                                    joint->name, 0);
            }
            double along_all = 0;
            double q0[64], qd0[64], tau0[64];
            memcpy(q0, dq, sizeof q0);
            memcpy(qd0, dqd, sizeof qd0);
            memcpy(tau0, dtau, sizeof tau0);
            fa_loops_complete_tangents(&b.chain, dq, dqd, &x.t);
            for (int i = 0; i < b.robot->n_links; i++) {
                const fa_joint *joint = &b.robot->link[i].joint;
                if (joint->type == FA_FIXED) continue;
                const int c = b.body[b.link_body[i]].coordinate;
                dtau[c] -= joint->friction.viscous * dqd[c];
            }
            fa_wrench        turned[64];
            const fa_tangent step = {.joint = {.q = dq, .qd = dqd}, .tau = dtau, .wrench = turned};
            fa_chain_motion_tangent(&b.chain, b.qd, b.qdd, x.motion, step.joint, x.step);
            push_tangent(&b, point, x.motion, x.step, turned);
            fa_loops_forward_tangent(&b.chain, b.qdd, &load, x.motion, &step, x.step, &x.t, dqdd,
                                     x.work);
            const json *wanted = json_member(d, "acceleration");
            double      largest = 0;
            for (int i = 0; i < b.robot->n_links; i++)
                largest = fmax(largest, fabs(number_of(wanted, b.robot->link[i].joint.name, 0)));
            for (int i = 0; i < b.robot->n_links; i++) {
                const char *joint = b.robot->link[i].joint.name;
                if (!json_has(wanted, joint)) continue;
                const double want = json_number(json_member(wanted, joint));
                const double got = dqdd[b.body[b.link_body[i]].coordinate];
                if (!(fabs(got - want) <= 1e-10 * (1 + largest)))
                    fail_msg("%s: derivative of '%s' is %.12g, not %.12g", mechanism[m], joint, got,
                             want);
            }
            // The transpose pairs as the step does; without loads, which this test steps itself.
            if (json_has(json_member(point, "input"), "link_force")) {
                release(&x);
                continue;
            }
            double as_step = 0, as_adjoint = 0;
            for (size_t c = 0; c < n; c++) {
                by[c] = sin(1.0 + (double)c);
                as_step += by[c] * dqdd[c];
            }
            fa_adjoint slope = {.joint = {.q = by_q, .qd = by_qd}, .tau = by_tau};
            fa_loops_forward_adjoint(&b.chain, b.qdd, &load, x.motion, &x.t, by, &slope, x.slope,
                                     x.work);
            fa_chain_motion_adjoint(&b.chain, b.qd, b.qdd, x.motion, x.slope, slope.joint);
            for (int i = 0; i < b.robot->n_links; i++) {
                const fa_joint *joint = &b.robot->link[i].joint;
                if (joint->type == FA_FIXED) continue;
                const int c = b.body[b.link_body[i]].coordinate;
                by_qd[c] -= joint->friction.viscous * by_tau[c];
            }
            fa_loops_complete_adjoints(&b.chain, by_q, by_qd, NULL, &x.t);
            for (size_t c = 0; c < n; c++)
                as_adjoint += by_q[c] * q0[c] + by_qd[c] * qd0[c] + by_tau[c] * tau0[c];
            along_all = fabs(as_step) + fabs(as_adjoint) + largest;
            if (!(fabs(as_step - as_adjoint) <= 1e-10 * along_all))
                fail_msg("%s: %.15g by steps, %.15g by slopes", mechanism[m], as_step, as_adjoint);
            release(&x);
        }
        leave(&b);
        json_free(text);
    }
}

// What no file can say, since readers refuse it before.
static void rules_on_loops_are_kept(void **state)
{
    (void)state;
    for (int rule = 0; rule < 5; rule++) {
        static const char *const wanted[] = {
            "a loop has no name; give it one", "an end of loop 'pin' is not at a finite place",
            "the axis of loop 'pin' has no direction; write a vector",
            "the robot has 1001 loops; 1000 are the most", "an end of loop 'pin' is on no link"};
        json     *text = points_of("four_bar");
        fa_robot *robot =
            golden_robot("four_bar", json_element(json_member(text, "points"), 0), NULL, 0);
        fa_error error = fa_no_error();
        fa_loop *loop = fa_robot_loops(robot);
        if (rule == 0) loop->name[0] = '\0';
        if (rule == 1) loop->to_frame.r.x = INFINITY;
        if (rule == 2) loop->axis = vec3(0, 0, 0);
        if (rule == 3) {
            robot = fa_robot_with_loops(robot, 1001);
            assert_non_null(robot);
        }
        if (rule == 4) loop->to = 77;
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
        assert_string_equal(error.message, wanted[rule]);
        free(robot);
        json_free(text);
    }
}

// Two joints, the second along a parabola of the first.
static fa_robot *tied(void)
{
    static const char text[] =
        "<mujoco><worldbody><body name='a'><joint name='j'/><inertial pos='1 0 0' mass='1' "
        "diaginertia='1 1 1'/><body name='b'><joint name='k' axis='1 0 0'/><inertial pos='0 1 0' "
        "mass='1' diaginertia='1 1 1'/></body></body></worldbody><equality><joint joint1='k' "
        "joint2='j' polycoef='0 1 1'/></equality></mujoco>";
    fa_robot *robot = NULL;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_import_text(text, sizeof text - 1, "tied.xml", NULL, NULL, &robot, &error),
                     FA_OK);
    return robot;
}

static void rules_on_relations_are_kept(void **state)
{
    (void)state;
    static const char counted[] = "coupling 'k' is not of 2 to 8 joints with finite coefficients";
    for (int rule = 0; rule < 4; rule++) {
        fa_robot *robot = tied();
        fa_error  error = fa_no_error();
        fa_loop  *loop = fa_robot_loops(robot);
        robot->closed = false;
        if (rule == 0) loop->n_terms = 9;
        if (rule == 1) loop->term[1].coefficient[4] = NAN;
        if (rule == 2) loop->from = 0;
        if (rule == 3) loop->term[1].of = loop->to = 0; // the ground
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
        if (rule < 3)
            assert_string_equal(error.message, counted);
        else
            assert_non_null(strstr(error.message, "which has to move in one freedom"));
        free(robot);
    }
}

static void a_robot_file_with_a_relation_reads_back(void **state)
{
    (void)state;
    fa_robot        *robot = tied(), *again;
    const fa_options options = {.fmi = 3, .identifier = "tied"};
    fa_options       read;
    fa_error         error = fa_no_error();
    char            *file;
    size_t           size;
    assert_int_equal(fa_robot_file_write(robot, &options, &file, &size, &error), FA_OK);
    assert_int_equal(fa_robot_file_read(file, size, &again, &read, &error), FA_OK);
    assert_memory_equal(fa_robot_loop(again, 0)->term, fa_robot_loop(robot, 0)->term,
                        sizeof fa_robot_loop(robot, 0)->term);
    free(again);
    char *terms = strstr(file, "terms 2");
    assert_non_null(terms);
    terms[6] = '9';
    assert_int_not_equal(fa_robot_file_read(file, size, &again, &read, &error), FA_OK);
    assert_non_null(strstr(error.message, "a relation is of too many joints or too few"));
    free(file);
    free(robot);
}

static void a_robot_file_with_loops_reads_back(void **state)
{
    (void)state;
    json     *text = points_of("four_bar");
    fa_robot *robot =
        golden_robot("four_bar", json_element(json_member(text, "points"), 0), NULL, 0);
    const fa_options options = {.fmi = 3, .identifier = "four_bar"};
    fa_options       read;
    fa_robot        *again;
    fa_error         error = fa_no_error();
    char            *file;
    size_t           size;
    assert_int_equal(fa_robot_file_write(robot, &options, &file, &size, &error), FA_OK);
    assert_int_equal(fa_robot_file_read(file, size, &again, &read, &error), FA_OK);
    assert_int_equal(again->n_loops, 1);
    assert_memory_equal(&fa_robot_loop(again, 0)->from_frame, &fa_robot_loop(robot, 0)->from_frame,
                        sizeof(fa_transform));
    for (int i = 0; i < robot->n_links; i++)
        assert_int_equal(again->link[i].joint.dependent, robot->link[i].joint.dependent);
    free(again);
    memcpy(strstr(file, "loop.type revolute") + 10, "reversed", 8);
    assert_int_not_equal(fa_robot_file_read(file, size, &again, &read, &error), FA_OK);
    assert_non_null(strstr(error.message, "there is no such type of loop"));
    free(file);
    free(robot);
    json_free(text);
}

// Each dependent coordinate has a row of its own.
static void rows_determine_dependents(const fa_robot *robot, const fa_closing *closing)
{
    fa_loops *l = fa_robot_build_loops(robot);
    bool      seen[64] = {false};
    assert_non_null(l);
    assert_int_equal(closing->rows - closing->redundant + closing->freedoms, closing->speeds);
    for (int i = 0; i < l->n_dependents; i++) {
        assert_in_range(l->row[i], 0, l->n_rows - 1);
        assert_false(seen[l->row[i]]);
        seen[l->row[i]] = true;
    }
    fa_loops_free(l);
}

// Rows are weighted by masses: with one of any size the loops build, or a sentence says why not.
static void masses_of_any_size_are_taken_or_refused(void **state)
{
    static const char *const files[] = {"fuzz/robots/loops_tree.urdf", "fuzz/robots/loops_arm.xml"};
    static const double      masses[] = {5e-324, 1e-200, 1e-9, 1e15, 1e200, 1.7976931348623157e308};
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        fa_error  error = fa_no_error();
        fa_robot *robot = NULL;
        if (fa_import(files[k], NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
        for (int i = 0; i < robot->n_links; i++) {
            const double was = robot->link[i].mass;
            for (size_t m = 0; m < sizeof masses / sizeof *masses && was > 0; m++) {
                fa_closing closing;
                error = fa_no_error();
                robot->link[i].mass = masses[m];
                robot->closed = false;
                if (fa_robot_close(robot, NULL, &closing, &error) == FA_OK)
                    rows_determine_dependents(robot, &closing);
                else
                    assert_true(error.message[0] != '\0');
            }
            robot->link[i].mass = was;
        }
        free(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_are_those_of_72_digits),
        cmocka_unit_test(structure_is_as_expected),
        cmocka_unit_test(derivatives_and_reactions_are_those_of_72_digits),
        cmocka_unit_test(what_holds_a_joint_is_an_effort_there),
        cmocka_unit_test(rules_on_loops_are_kept),
        cmocka_unit_test(a_robot_file_with_loops_reads_back),
        cmocka_unit_test(rules_on_relations_are_kept),
        cmocka_unit_test(a_robot_file_with_a_relation_reads_back),
        cmocka_unit_test(dependent_positions_follow_from_rounded_guesses),
        cmocka_unit_test(masses_of_any_size_are_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
