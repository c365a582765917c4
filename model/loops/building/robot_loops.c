// Loops of a robot: rules, assembly, and the choice of the joints that are states.
#include "robot_loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_parts.h"
#include "number.h"
#include "robot_lists.h"

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)

// Axes that are closer than this are meant to be parallel [rad].
static const double PARALLEL = 1e-3;

// A gap of redundant rows above this fraction of the mechanism's length is said.
static const double GAP_SAID = 1e-4;

// A number with so many digits.
static fa_text rounded(double x, int digits)
{
    if (!(fabs(x) > 0) || !isfinite(x)) return fa_number_text(x);
    int    shift = digits - 1 - (int)floor(log10(fabs(x)));
    double scale = 1; // the power of ten, without pow, which asks for a newer C library
    for (; shift > 0; shift--) scale *= 10;
    for (; shift < 0; shift++) scale /= 10;
    return fa_number_text(round(x * scale) / scale);
}

// ------------------------------------------------------------------------------------ the block

fa_robot *fa_robot_with_loops(fa_robot *robot, int n)
{
    const int      before = robot->n_loops;
    fa_robot_lists lists = fa_robot_lists_of(robot);
    lists.n[FA_LIST_LOOPS] = n;
    fa_robot *larger = fa_robot_with_lists(robot, &lists);
    if (!larger) return NULL;
    larger->closed = false;
    for (int k = before; k < n; k++) {
        fa_loop *loop = &fa_robot_loops(larger)[k];
        memset(loop, 0, sizeof *loop);
        loop->from_frame = loop->to_frame = transform_identity();
        loop->axis = vec3(0, 0, 1);
        loop->second = vec3(0, 1, 0);
        loop->ratio = 1;
    }
    return larger;
}

fa_status fa_robot_set_independent(fa_robot *robot, const char *list, fa_error *error)
{
    robot->checked = robot->closed = false;
    for (int i = 0; i < robot->n_links; i++) robot->link[i].joint.independent = false;
    for (const char *word = list, *end; word; word = *end ? end + 1 : NULL) {
        while (*word == ' ') word++;
        end = word + strcspn(word, ",");
        int size = (int)(end - word), link = 0;
        while (size > 0 && word[size - 1] == ' ') size--;
        for (; link < robot->n_links; link++) {
            const fa_joint *joint = &robot->link[link].joint;
            if ((int)strlen(joint->name) == size && strncmp(joint->name, word, (size_t)size) == 0 &&
                size > 0)
                break;
        }
        if (link == robot->n_links || robot->link[link].joint.type == FA_FIXED)
            return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                           "there is no joint '%.*s' that moves and could be independent; see "
                           "`forearm check` for the names",
                           size < FA_NAME_SIZE ? size : FA_NAME_SIZE, word);
        robot->link[link].joint.independent = true;
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------- the rules

static bool finite_frame(fa_transform X)
{
    double sum = vec3_norm(X.r);
    for (int i = 0; i < 9; i++) sum += fabs(X.E.m[i / 3][i % 3]);
    return isfinite(sum);
}

static const char *noun(const fa_loop *loop)
{
    return fa_loop_is_of_positions(loop->type) ? "coupling" : "loop";
}

static fa_status check_relation(const fa_robot *robot, const fa_loop *loop, fa_error *error)
{
    const bool counted = loop->n_terms >= 2 && loop->n_terms <= FA_RELATION_TERMS;
    double     sum = 0;
    for (int i = 0; counted && i < loop->n_terms; i++)
        for (int k = 0; k <= FA_RELATION_DEGREE; k++) sum += fabs(loop->term[i].coefficient[k]);
    if (!counted || !isfinite(sum) || loop->from != loop->term[0].of ||
        loop->to != loop->term[1].of)
        return FAIL(loop->place, "coupling '%s' is not of 2 to %d joints with finite coefficients",
                    loop->name, FA_RELATION_TERMS);
    for (int i = 0; i < loop->n_terms; i++) {
        const int       of = loop->term[i].of;
        const fa_joint *joint = of >= 0 && of < robot->n_links ? &robot->link[of].joint : NULL;
        if (!joint || joint->type == FA_FIXED || fa_joint_is_several(joint->type))
            return FAIL(loop->place,
                        "coupling '%s' is of joint '%s', which has to move in one freedom; let it, "
                        "without a lock, or remove the coupling",
                        loop->name, joint ? joint->name : "");
    }
    return FA_OK;
}

// A coupling sums up positions on the ways to its two links.
static fa_status check_coupling(const fa_robot *robot, const fa_loop *loop, fa_error *error)
{
    int a = loop->from, b = loop->to;
    while (a != b) {
        int            *deeper = a > b ? &a : &b;
        const fa_joint *joint = &robot->link[*deeper].joint;
        const int       parent = robot->link[*deeper].parent;
        if (parent < FA_WORLD || parent >= *deeper) return FA_OK; // refused with the tree
        if (fa_joint_is_several(joint->type))
            return FAIL(loop->place,
                        "coupling '%s' sums up positions on the way to '%s', and joint '%s' there "
                        "has several; name links between which all joints have one freedom",
                        loop->name, robot->link[*deeper].name, joint->name);
        *deeper = parent;
    }
    return FA_OK;
}

static fa_status check_loop(const fa_robot *robot, int k, fa_error *error)
{
    const fa_loop *loop = fa_robot_loop(robot, k);
    if ((unsigned)loop->type >= FA_LOOP_TYPE_COUNT)
        return FAIL(loop->place, "loop '%s' is of a type that does not exist", loop->name);
    if (!loop->name[0]) return FAIL(loop->place, "a %s has no name; give it one", noun(loop));
    for (int i = 0; i < k; i++)
        if (strcmp(fa_robot_loop(robot, i)->name, loop->name) == 0)
            return FAIL(loop->place,
                        "two loops are called '%s' (the other one in line %d); give each its own "
                        "name",
                        loop->name, fa_robot_loop(robot, i)->place.line);
    if (loop->from < 0 || loop->from >= robot->n_links || loop->to < 0 ||
        loop->to >= robot->n_links)
        return FAIL(loop->place, "an end of %s '%s' is on no link", noun(loop), loop->name);
    if (!finite_frame(loop->from_frame) || !finite_frame(loop->to_frame))
        return FAIL(loop->place, "an end of %s '%s' is not at a finite place", noun(loop),
                    loop->name);
    if (!(fabs(vec3_norm(loop->axis) - 1) < 1e-6) || !(fabs(vec3_norm(loop->second) - 1) < 1e-6))
        return FAIL(loop->place, "the axis of loop '%s' has no direction; write a vector",
                    loop->name);
    if (loop->type == FA_LOOP_DISTANCE && !(loop->length > 0 && isfinite(loop->length)))
        return FAIL(loop->place,
                    "loop '%s' keeps a distance and needs its length, above zero; add "
                    "length=\"…\" [m]",
                    loop->name);
    if (loop->type == FA_LOOP_COUPLING && (!isfinite(loop->ratio) || loop->ratio == 0))
        return FAIL(loop->place,
                    "the ratio of coupling '%s' is %s; it must be a number that is "
                    "not zero",
                    loop->name, fa_number_text(loop->ratio).text);
    if (loop->type == FA_LOOP_COUPLING) return check_coupling(robot, loop, error);
    return loop->type == FA_LOOP_RELATION ? check_relation(robot, loop, error) : FA_OK;
}

fa_status fa_robot_check_loops(const fa_robot *robot, fa_error *error)
{
    fa_status status = FA_OK;
    for (int k = 0; k < robot->n_loops && status == FA_OK; k++)
        status = check_loop(robot, k, error);
    return status;
}

// --------------------------------------------------------------------------------------- the chain

void fa_robot_constraints(const fa_robot *robot, const int link_body[],
                          const fa_transform link_frame[], fa_constraint constraint[])
{
    for (int k = 0; k < robot->n_loops; k++) {
        const fa_loop *loop = fa_robot_loop(robot, k);
        fa_constraint *c = &constraint[k];
        *c = (fa_constraint){
            .type = loop->type,
            .predecessor = link_body[loop->from],
            .successor = link_body[loop->to],
            .from = transform_compose(link_frame[loop->from], loop->from_frame),
            .to = transform_compose(link_frame[loop->to], loop->to_frame),
            .axis = loop->axis,
            .second = loop->second,
            .length = loop->length,
            .ratio = loop->ratio,
            .n_terms = loop->type == FA_LOOP_RELATION ? loop->n_terms : 0,
        };
        for (int i = 0; i < c->n_terms; i++) {
            c->term[i] = loop->term[i];
            c->term[i].of = link_body[loop->term[i].of];
        }
        fa_axes_across(c->axis, &c->e1, &c->e2);
    }
}

typedef struct stand {
    fa_chain       chain;
    fa_body       *body;
    int           *link_body;
    fa_transform  *link_frame;
    fa_constraint *constraint;
    double        *q;
    fa_mat3       *home;            // of bodies, as built
    int           *group, *link_of; // of a coordinate
    bool          *independent, *ball;
    fa_loop_wishes wishes;
    bool           ready;
} stand;

static void leave(stand *s)
{
    free(s->body);
    free(s->link_body);
    free(s->link_frame);
    free(s->constraint);
    free(s->q);
    free(s->home);
    free(s->group);
    free(s->link_of);
    free(s->independent);
    free(s->ball);
}

// The chain at the robot's initial positions.
static void take_stand(const fa_robot *robot, stand *s)
{
    const size_t links = (size_t)robot->n_links, n = (size_t)fa_chain_bodies(robot) + 1;
    memset(s, 0, sizeof *s);
    s->body = malloc(n * sizeof *s->body);
    s->link_body = malloc(links * sizeof *s->link_body);
    s->link_frame = malloc(links * sizeof *s->link_frame);
    s->constraint = malloc(((size_t)robot->n_loops + 1) * sizeof *s->constraint);
    s->q = calloc(n, sizeof *s->q);
    s->home = malloc(n * sizeof *s->home);
    s->group = calloc(n, sizeof *s->group);
    s->link_of = calloc(n, sizeof *s->link_of);
    s->independent = calloc(n, sizeof *s->independent);
    s->ball = calloc(n, sizeof *s->ball);
    s->ready = s->body && s->link_body && s->link_frame && s->constraint && s->q && s->home &&
               s->group && s->link_of && s->independent && s->ball;
    if (!s->ready) return;
    s->chain = fa_chain_build(robot, s->body, s->link_body, s->link_frame);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        fa_joint_part   part[FA_JOINT_SPEEDS_MAX];
        if (!fa_joint_is_free(joint)) continue;
        const int n_parts = fa_joint_parts(joint, part), ball = fa_joint_ball_part(joint->type);
        const int first = s->body[s->link_body[i]].coordinate - n_parts + 1;
        for (int k = 0; k < n_parts; k++) {
            const int c = first + k;
            s->q[c] = part[k].position;
            s->group[c] = first;
            s->link_of[c] = i;
            s->independent[c] = robot->closed ? !joint->dependent : joint->independent;
            s->ball[c] = k == ball && ball != FA_NOBODY;
        }
    }
    for (int i = 0; i < s->chain.n; i++) s->home[i] = s->body[i].home.E;
    fa_robot_constraints(robot, s->link_body, s->link_frame, s->constraint);
    s->wishes = (fa_loop_wishes){.group = s->group,
                                 .independent = s->independent,
                                 .ball = s->ball,
                                 .tolerance = robot->loop_tolerance > 0 ? robot->loop_tolerance
                                                                        : FA_LOOP_TOLERANCE};
}

// --------------------------------------------------------------------------------------- sentences

static const char *joint_of(const fa_robot *robot, const stand *s, int coordinate)
{
    return coordinate < 0 || !s ? "" : robot->link[s->link_of[coordinate]].joint.name;
}

// Returns true for a coordinate of a joint with a ball: it rotates about any axis, so no axis of it
// can be parallel to another.
static bool is_of_ball(const fa_robot *robot, const stand *s, int coordinate)
{
    return coordinate >= 0 && fa_joint_has_ball(robot->link[s->link_of[coordinate]].joint.type);
}

// "; planar loops want parallel axes: …" where two joints of the loop turn about axes that are
// nearly so, or a joint and the loop itself; empty otherwise.
static void name_axes(const fa_robot *robot, const stand *s, int k, char text[], size_t size)
{
    const fa_loop *loop = fa_robot_loop(robot, k);
    fa_transform  *pose = malloc(((size_t)s->chain.n + 1) * sizeof *pose);
    text[0] = '\0';
    if (!pose) return;
    fa_chain_poses(&s->chain, s->q, pose);
    int    a = s->constraint[k].predecessor, b = s->constraint[k].successor;
    double least = 1;
    struct {
        fa_vec3     axis;
        const char *name;
    } first = {.name = NULL};
    while (a != b) {
        int           *deeper = a > b ? &a : &b;
        const fa_body *body = &s->chain.body[*deeper];
        const char    *name = joint_of(robot, s, body->coordinate);
        if (fa_joint_turns(body->joint) && !is_of_ball(robot, s, body->coordinate)) {
            const fa_vec3 axis = mat3_tmul(pose[*deeper].E, body->axis);
            const double  angle = first.name ? vec3_norm(cross(first.axis, axis)) : 0;
            if (!first.name) {
                first.axis = axis;
                first.name = name;
            } else if (angle > PARALLEL && angle < least) {
                least = angle;
                snprintf(text, size,
                         "; planar loops want parallel axes: those of '%s' and '%s' differ by %s "
                         "rad",
                         first.name, name, rounded(asin(fmin(angle, 1)), 2).text);
            }
        }
        *deeper = body->parent;
    }
    const bool has_axis = fa_loop_kinds[loop->type].orientation == FA_ROWS_ACROSS;
    for (int end = 0; end < 2 && first.name && !text[0] && has_axis; end++) {
        const int          body = end ? s->constraint[k].successor : s->constraint[k].predecessor;
        const fa_transform frame = end ? s->constraint[k].to : s->constraint[k].from;
        const fa_transform X = body == FA_WORLD ? frame : transform_compose(pose[body], frame);
        const fa_vec3      axis = mat3_tmul(X.E, loop->axis);
        const double       angle = vec3_norm(cross(first.axis, axis));
        if (angle > PARALLEL && angle < 1 - PARALLEL)
            snprintf(text, size,
                     "; planar loops want parallel axes: those of '%s' and '%s' differ by %s rad",
                     first.name, loop->name, rounded(asin(fmin(angle, 1)), 2).text);
    }
    free(pose);
}

// Returns the angle of a residual: the cosine of an angle that is to be right; or of one that is to
// be zero, the sine up to 60 degrees, and twice the sine of its half beyond (`turned`,
// loop_rows.c).
static double turned_by(const fa_loop *loop, double residual)
{
    const double sine_of_60_degrees = 0.8660254037844387;
    if (loop->type == FA_LOOP_UNIVERSAL || residual <= sine_of_60_degrees + 1e-9)
        return asin(fmin(residual, 1));
    return 2 * asin(fmin(residual / 2, 1));
}

static fa_status explain(const fa_robot *robot, const stand *s, const fa_loop_report *report,
                         fa_error *error)
{
    const int      k = report->constraint < 0 ? 0 : report->constraint;
    const fa_loop *loop = fa_robot_loop(robot, k);
    const char    *one = joint_of(robot, s, report->coordinate);
    const char    *other = joint_of(robot, s, report->other);
    char           axes[400];
    switch (report->fault) {
    case FA_LOOP_ONE_BODY:
        return FAIL(loop->place,
                    "%s '%s' joins two links that are one body: no joint lets '%s' and '%s' move "
                    "against each other; remove it, or name other links",
                    noun(loop), loop->name, robot->link[loop->from].name,
                    robot->link[loop->to].name);
    case FA_LOOP_OPEN: {
        int held = FA_NOBODY;
        for (int c = 0; c < s->chain.n_coordinates && held == FA_NOBODY; c++)
            if (s->independent[c]) held = c;
        name_axes(robot, s, k, axes, sizeof axes);
        if (held == FA_NOBODY) held = report->coordinate;
        if (report->meets)
            return FAIL(loop->place,
                        "loop '%s' cannot be closed: with '%s' at %s the ends meet, but their axes "
                        "stay %s rad %s%s; check the directions of axes and origins, or give "
                        "other `initial` positions",
                        loop->name, joint_of(robot, s, held),
                        rounded(s->q[held < 0 ? 0 : held], 3).text,
                        rounded(turned_by(loop, report->turned), 2).text,
                        loop->type == FA_LOOP_UNIVERSAL ? "off a right angle" : "apart", axes);
        return FAIL(loop->place,
                    "loop '%s' cannot be closed: with '%s' at %s the ends stay %s mm apart%s; "
                    "check lengths and the origins of the loop, or give other `initial` positions",
                    loop->name, joint_of(robot, s, held),
                    rounded(s->q[held < 0 ? 0 : held], 3).text, rounded(1000 * report->gap, 2).text,
                    axes);
    }
    case FA_LOOP_NO_FREEDOM:
        name_axes(robot, s, k, axes, sizeof axes);
        return FAIL(loop->place,
                    "the loops leave no freedom: rank %d where joints have %d freedom%s, at loop "
                    "'%s'%s; remove the loop, or give it a joint that it lacks",
                    report->rank, report->rank, report->rank == 1 ? "" : "s", loop->name, axes);
    case FA_LOOP_TOO_MANY: {
        const fa_place place = robot->link[s->link_of[report->coordinate]].joint.place;
        if (report->freedoms == 1)
            return FAIL(place,
                        "'%s' and '%s' cannot both be independent: the mechanism has one freedom",
                        other, one);
        return FAIL(place,
                    "'%s' cannot be independent beside '%s' and the others: the mechanism has %d "
                    "freedoms",
                    one, other, report->freedoms);
    }
    case FA_LOOP_SPLIT:
        return FAIL(loop->place,
                    "'%s' is determined by loop '%s' but for its spin: make it two revolute "
                    "joints, or the spin a joint of its own",
                    one, loop->name);
    case FA_LOOP_DEAD_POINT:
        return FAIL(loop->place,
                    "loop '%s' is closed at a dead point: '%s' does not decide where '%s' is; "
                    "start elsewhere or make '%s' independent",
                    loop->name, other, one, one);
    case FA_LOOP_SINGULAR:
        if (report->other < 0)
            return FAIL(loop->place,
                        "loop '%s' is closed at a dead point: it holds '%s', and in this position "
                        "no force in it does; start elsewhere, or give the loop other lengths",
                        loop->name, one);
        return FAIL(loop->place,
                    "loop '%s' is closed at a dead point: '%s' does not decide where '%s' is, "
                    "whichever joint is independent; start elsewhere, or give the loop other "
                    "lengths",
                    loop->name, other, one);
    case FA_LOOP_CROSSING:
        return FAIL(loop->place,
                    "loop '%s' is closed at a dead point: branches of the mechanism cross in this "
                    "position, and '%s' does not decide which way '%s' goes; start beside it, with "
                    "other `initial` positions",
                    loop->name, report->other < 0 ? one : other, one);
    case FA_LOOP_FINE:
    case FA_LOOP_MEMORY:
        break;
    }
    return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                   "there is not enough memory for the loops of '%s'", robot->name);
}

// ---------------------------------------------------------------------------------------- closing

static fa_status no_memory(const fa_robot *robot, fa_error *error)
{
    return explain(robot, NULL, &(fa_loop_report){.fault = FA_LOOP_MEMORY}, error);
}

static void keep_moves(fa_robot *robot, const stand *s)
{
    for (int c = 0; c < s->chain.n_coordinates; c++) {
        const int link = s->link_of[c], part = c - s->group[c];
        fa_joint *joint = &robot->link[link].joint;
        if (!fa_joint_is_several(joint->type)) {
            joint->given_position = joint->initial_position;
            joint->initial_position = s->q[c];
        } else if (s->ball[c]) {
            // The frame of the ball's first body has turned from what it was built as.
            const int     body = s->link_body[link] - 2;
            const fa_mat3 turned = mat3_mat3(s->body[body].home.E, mat3_transpose(s->home[body]));
            const fa_quaternion p = fa_quaternion_of(
                mat3_mat3(turned, fa_rotation_of_quaternion(joint->start.quaternion)));
            const double all[] = {p.w, p.x, p.y, p.z};
            memcpy(joint->start.quaternion, all, sizeof all);
        } else if (part < 3 && fa_joint_ball_part(joint->type) != 0) {
            joint->start.position[part] = s->q[c];
        }
    }
}

// Rows that were dropped still have to hold, to what a person would see.
static void tell_gaps(const fa_robot *robot, const stand *s, const fa_loops *l,
                      const fa_loop_work *work, const fa_log *log)
{
    (void)s;
    for (int i = 0; i < l->n_constraints; i++) {
        const fa_loop *loop = fa_robot_loop(robot, l->given[i]);
        const double   gap = fa_loops_gap(l, i, work);
        if (gap > GAP_SAID * l->cluster[l->constraint[i].cluster].length)
            fa_warn(log, robot->source, loop->place,
                    "loop '%s' stays open by %s mm in directions that other rows decide; check "
                    "its origins and axes",
                    loop->name, rounded(1000 * gap, 2).text);
    }
}

// A loop whose frame on the predecessor is not said has it where the successor's is now.
static bool complete_frames(fa_robot *robot, const stand *s)
{
    fa_transform *pose = malloc(((size_t)s->chain.n + 1) * sizeof *pose);
    if (!pose) return false;
    fa_chain_poses(&s->chain, s->q, pose);
    for (int k = 0; k < robot->n_loops; k++) {
        fa_loop     *loop = &fa_robot_loops(robot)[k];
        fa_transform end[2]; // world to the links
        const int    link[] = {loop->from, loop->to};
        if (!loop->open || robot->closed) continue;
        for (int i = 0; i < 2; i++) {
            const int body = s->link_body[link[i]];
            end[i] = body == FA_WORLD ? s->link_frame[link[i]]
                                      : transform_compose(pose[body], s->link_frame[link[i]]);
        }
        loop->from_frame =
            transform_compose(transform_inverse(end[0]), transform_compose(end[1], loop->to_frame));
    }
    free(pose);
    fa_robot_constraints(robot, s->link_body, s->link_frame, s->constraint);
    return true;
}

// Loops that stay open while the named joints are held may close when none is: then these are too
// many, if they exceed the freedoms.
static void look_for_too_many(const fa_robot *robot, stand *s, fa_loop_report *report)
{
    fa_loop_wishes none = s->wishes;
    fa_loop_report other;
    none.independent = NULL;
    if (!fa_loops_assemble(&s->chain, s->body, s->constraint, robot->n_loops, &none, s->q, &other))
        return;
    fa_loops *l =
        fa_loops_build(&s->chain, s->constraint, robot->n_loops, &s->wishes, s->q, &other);
    fa_loops_free(l);
    if (!l && other.fault == FA_LOOP_TOO_MANY) *report = other;
}

// Returns the distance of the points of a loop that must coincide [m].
static double ends_apart(const fa_robot *robot, const stand *s, int k)
{
    const fa_loop       *loop = fa_robot_loop(robot, k);
    const fa_constraint *c = &s->constraint[k];
    fa_transform        *pose = malloc(((size_t)s->chain.n + 1) * sizeof *pose);
    if (!pose || fa_loop_is_of_positions(loop->type)) {
        free(pose);
        return 0;
    }
    fa_chain_poses(&s->chain, s->q, pose);
    const fa_transform P =
        c->predecessor == FA_WORLD ? c->from : transform_compose(pose[c->predecessor], c->from);
    const fa_transform S =
        c->successor == FA_WORLD ? c->to : transform_compose(pose[c->successor], c->to);
    const fa_vec3 d = mat3_mul(P.E, vec3_sub(S.r, P.r));
    const double  along = dot(d, c->axis);
    free(pose);
    if (loop->type == FA_LOOP_DISTANCE) return fabs(vec3_norm(d) - loop->length);
    if (fa_loop_kinds[loop->type].position == FA_ROWS_ACROSS)
        return vec3_norm(vec3_sub(d, vec3_scale(along, c->axis)));
    return fa_loop_kinds[loop->type].position == FA_ROWS_ALONG ? fabs(along) : vec3_norm(d);
}

static fa_status settle(fa_robot *robot, stand *s, const fa_log *log, fa_closing *closing,
                        fa_error *error)
{
    fa_loop_report report = {.fault = FA_LOOP_FINE};
    if (!complete_frames(robot, s)) return no_memory(robot, error);
    for (int k = 0; k < robot->n_loops && !robot->closed; k++)
        fa_robot_loops(robot)[k].was_open = ends_apart(robot, s, k);
    if (!robot->closed && !fa_loops_assemble(&s->chain, s->body, s->constraint, robot->n_loops,
                                             &s->wishes, s->q, &report)) {
        // The sentence is on the positions that assembly has come to, which looking further moves.
        fa_status      status = explain(robot, s, &report, error);
        fa_loop_report other = report;
        if (report.fault == FA_LOOP_OPEN) look_for_too_many(robot, s, &other);
        if (other.fault != report.fault) status = explain(robot, s, &other, error);
        return status;
    }
    fa_loops *l =
        fa_loops_build(&s->chain, s->constraint, robot->n_loops, &s->wishes, s->q, &report);
    if (!l) return explain(robot, s, &report, error);
    void     *memory = malloc(fa_loop_work_size(l) + 1);
    fa_status status = memory ? FA_OK : no_memory(robot, error);
    if (status == FA_OK) {
        fa_loop_work work = fa_loop_work_at(l, memory);
        if (!robot->closed &&
            fa_loops_close(l, &s->chain, s->body, s->q, FA_LOOP_FAR, &work) != FA_OK) {
            report = (fa_loop_report){.fault = FA_LOOP_OPEN, .constraint = 0, .coordinate = 0};
            status = explain(robot, s, &report, error);
        }
        fa_loops_residual(l, &s->chain, s->q, &work);
        if (status == FA_OK) tell_gaps(robot, s, l, &work, log);
    }
    if (status == FA_OK && !robot->closed) {
        keep_moves(robot, s);
        for (int c = 0; c < l->n_coordinates; c++)
            robot->link[s->link_of[c]].joint.dependent = l->is_dependent[c];
    }
    if (status == FA_OK && closing) {
        *closing = (fa_closing){.speeds = l->n_coordinates,
                                .rows = l->n_rows,
                                .redundant = l->n_rows - l->n_dependents,
                                .freedoms = l->n_coordinates - l->n_dependents,
                                .least_pivot = 1};
        for (int k = 0; k < l->n_clusters; k++)
            closing->least_pivot = fmin(closing->least_pivot, l->cluster[k].least);
    }
    free(memory);
    fa_loops_free(l);
    return status;
}

fa_status fa_robot_close(fa_robot *robot, const fa_log *log, fa_closing *closing, fa_error *error)
{
    stand s;
    for (int i = 0; i < robot->n_links && !robot->closed; i++)
        robot->link[i].joint.dependent = false;
    if (robot->n_loops == 0) {
        robot->closed = true;
        return FA_OK;
    }
    take_stand(robot, &s);
    fa_status status = s.ready ? settle(robot, &s, log, closing, error) : no_memory(robot, error);
    leave(&s);
    robot->closed = status == FA_OK;
    return status;
}

fa_loops *fa_robot_build_loops(const fa_robot *robot)
{
    stand          s;
    fa_loop_report report;
    fa_loops      *loops = NULL;
    take_stand(robot, &s);
    if (s.ready)
        loops = fa_loops_build(&s.chain, s.constraint, robot->n_loops, &s.wishes, s.q, &report);
    leave(&s);
    return loops;
}
