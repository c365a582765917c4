// Contacts, cones and line springs: where their points are, what the laws say there, and the forces
// as wrenches on bodies.
#include "arm_touches_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm_cones.h"
#include "methods.h"
#include "robot_touches.h"

// ------------------------------------------------------------------------------------------ layout

void fa_arm_touches_lay_out(fa_arena *arena, fa_arm_touches *to, const fa_robot *robot,
                            size_t bodies, size_t coordinates)
{
    const size_t contacts = (size_t)robot->n_contacts, springs = (size_t)robot->n_springs;
    const size_t cones = (size_t)fa_robot_cones(robot);
    const size_t n = contacts + cones + springs > 0 ? bodies : 0;
    to->contact = fa_arena_take(arena, contacts, sizeof *to->contact);
    to->spring = fa_arena_take(arena, springs, sizeof *to->spring);
    to->cone = fa_arena_take(arena, cones, sizeof *to->cone);
    to->touch = fa_arena_take(arena, contacts + 2 * cones + 2 * springs, sizeof *to->touch);
    to->motion = fa_arena_take(arena, n, sizeof *to->motion);
    to->tangent = fa_arena_take(arena, n, sizeof *to->tangent);
    to->adjoint = fa_arena_take(arena, n, sizeof *to->adjoint);
    to->wrench = fa_arena_take(arena, n, sizeof *to->wrench);
    to->speed = fa_arena_take(arena, n > 0 ? coordinates : 0, sizeof *to->speed);
}

static void set_surface(const fa_obstacle *o, fa_contact_in *in)
{
    const fa_mat3 E = o->pose.E;
    const bool    box = o->shape == FA_OBSTACLE_BOX;
    in->ox = o->pose.r.x;
    in->oy = o->pose.r.y;
    in->oz = o->pose.r.z;
    in->half_x = box ? 0.5 * o->size.x : o->radius;
    in->half_y = box ? 0.5 * o->size.y : 0;
    in->half_z = box ? 0.5 * o->size.z : 0;
    in->px = E.m[0][0], in->py = E.m[0][1], in->pz = E.m[0][2];
    in->qx = E.m[1][0], in->qy = E.m[1][1], in->qz = E.m[1][2];
    in->rx = E.m[2][0], in->ry = E.m[2][1], in->rz = E.m[2][2];
}

static void prepare_contact(fa_arm_contact *c, const fa_robot *robot, const fa_contact *from,
                            const int link_body[], const fa_transform link_frame[])
{
    c->body = link_body[from->link];
    c->frame = link_frame[from->link];
    c->axis = mat3_tmul(c->frame.E, from->axis);
    c->on_ground = from->on == FA_WORLD;
    fa_contact_fill(robot, from, &c->in);
    if (!c->on_ground) set_surface(fa_robot_obstacle(robot, from->on), &c->in);
}

static void prepare_spring(fa_arm_spring *s, const fa_line_spring *from, const int link_body[],
                           const fa_transform link_frame[])
{
    const int     link[] = {from->from, from->to};
    const fa_vec3 point[] = {from->from_point, from->to_point};
    for (int i = 0; i < 2; i++) {
        s->body[i] = link_body[link[i]];
        s->frame[i] = transform_identity();
        s->frame[i].r = point_to_parent(link_frame[link[i]], point[i]);
    }
    fa_line_spring_fill(from, &s->in);
}

static void find_rows(fa_arm_touches *t, const fa_variables *variables)
{
    for (int k = 0; k < t->n_contacts; k++)
        for (int i = 0; i < FA_TOUCH_STRIDE; i++) t->contact[k].at[i] = FA_NO_ROW;
    for (int k = 0; k < t->n_springs; k++)
        for (int i = 0; i < FA_TOUCH_STRIDE; i++) t->spring[k].at[i] = FA_NO_ROW;
    for (int k = 0; k < t->n_cones; k++)
        for (int i = 0; i < FA_TOUCH_STRIDE; i++) t->cone[k].at[i] = FA_NO_ROW;
    for (int row = variables->n - 1; row >= 0; row--) {
        const fa_variable *v = &variables->row[row];
        const int          k = v->index / FA_TOUCH_STRIDE, item = v->index % FA_TOUCH_STRIDE;
        if (v->quantity == FA_ARM_CONTACT_ITEM) t->contact[k].at[item] = row;
        if (v->quantity == FA_ARM_SPRING_ITEM) t->spring[k].at[item] = row;
        if (v->quantity == FA_ARM_CONE_ITEM) t->cone[k].at[item] = row;
        if (v->quantity == FA_ARM_CONTACT_POINT) t->contact[k].point_row = row;
        if (v->quantity == FA_ARM_GROUND) t->ground_row = row;
    }
}

void fa_arm_touches_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                            const int link_body[], const fa_transform link_frame[])
{
    fa_arm_touches *t = &arm->touches;
    t->n_contacts = arm->inverse ? 0 : robot->n_contacts;
    t->n_cones = arm->inverse ? 0 : fa_robot_cones(robot);
    t->n_springs = robot->n_springs;
    t->n = t->n_contacts + 2 * t->n_cones + 2 * t->n_springs;
    t->ground_row = FA_NO_ROW;
    for (int i = 0; i < t->n; i++) memset(&t->touch[i], 0, sizeof t->touch[i]);
    for (int k = 0; k < t->n_contacts; k++) {
        const fa_contact *from = fa_robot_contact(robot, k);
        prepare_contact(&t->contact[k], robot, from, link_body, link_frame);
        t->touch[k].body = t->contact[k].body;
        t->touch[k].link = from->link;
    }
    for (int k = 0; k < t->n_cones; k++)
        fa_arm_cone_prepare(arm, &t->cone[k], robot, fa_robot_cone(robot, k), link_body,
                            fa_cone_touch(t, k));
    for (int k = 0; k < t->n_springs; k++) {
        const fa_line_spring *from = fa_robot_spring(robot, k);
        fa_arm_touch         *touch = fa_spring_touch(t, k);
        prepare_spring(&t->spring[k], from, link_body, link_frame);
        touch[0].body = t->spring[k].body[0];
        touch[0].link = from->from;
        touch[1].body = t->spring[k].body[1];
        touch[1].link = from->to;
    }
    find_rows(t, variables);
}

// --------------------------------------------------------------------------------- parameters

// Numbers with rows, into the law's block; refused, the block stays as it was.
static fa_status take_numbers(const fa_element *e, const int at[], const double value[], void *in,
                              const char *owner, fa_error *error)
{
    double now[FA_TOUCH_STRIDE];
    memcpy(now, in, e->in_size);
    for (int i = 0; i < e->n_numbers; i++)
        if (at[i] != FA_NO_ROW) *fa_element_real(e, now, i) = value[at[i]];
    const fa_status status = fa_element_configure(e, now, owner, error);
    if (status == FA_OK) memcpy(in, now, e->in_size);
    return status;
}

fa_status fa_arm_touches_configure(const fa_arm *arm, const double value[], fa_error *error)
{
    const fa_arm_touches *t = &arm->touches;
    char                  owner[32];
    fa_status             status = FA_OK;
    for (int k = 0; k < t->n_contacts && status == FA_OK; k++) {
        (void)snprintf(owner, sizeof owner, "contact %d", k + 1);
        status = take_numbers(fa_contact_list(), t->contact[k].at, value, &t->contact[k].in, owner,
                              error);
    }
    for (int k = 0; k < t->n_cones && status == FA_OK; k++) {
        (void)snprintf(owner, sizeof owner, "the cone of ball joint %d", k + 1);
        status = take_numbers(fa_cone_list(), t->cone[k].at, value, &t->cone[k].in, owner, error);
    }
    for (int k = 0; k < t->n_springs && status == FA_OK; k++) {
        (void)snprintf(owner, sizeof owner, "line spring %d", k + 1);
        status =
            take_numbers(fa_spring_list(), t->spring[k].at, value, &t->spring[k].in, owner, error);
    }
    if (status != FA_OK || t->ground_row == FA_NO_ROW) return status;
    const double *n = value + t->ground_row + 3;
    if (vec3_norm(vec3(n[0], n[1], n[2])) > 0) return FA_OK;
    return fa_fail(
        error, FA_BAD_INPUT, NULL, FA_NOWHERE,
        "the normal of the ground, ground.normal.x to .z, is 0 0 0; say where it points");
}

// ------------------------------------------------------------------------------------------ values

static void trace_contact(const fa_arm *arm, fa_arm_contact *c, const double value[],
                          fa_arm_touch *touch)
{
    const fa_arm_touches *t = &arm->touches;
    const fa_element     *e = fa_contact_list();
    fa_contact_in        *in = &c->in;
    const fa_motion       m = fa_frame_motion(&t->motion[c->body], fa_contact_centre(c, value));
    const fa_twist        v = fa_world_velocity(&m);
    const fa_vec3         a = mat3_tmul(m.pose.E, c->axis);
    in->cx = m.pose.r.x, in->cy = m.pose.r.y, in->cz = m.pose.r.z;
    in->vx = v.linear.x, in->vy = v.linear.y, in->vz = v.linear.z;
    in->wx = v.angular.x, in->wy = v.angular.y, in->wz = v.angular.z;
    in->ax = a.x, in->ay = a.y, in->az = a.z;
    if (c->on_ground) {
        const double *g = value + t->ground_row;
        in->ox = g[0], in->oy = g[1], in->oz = g[2];
        in->px = g[3], in->py = g[4], in->pz = g[5];
    }
    for (int i = 0; i < e->n_items; i++) {
        const fa_item *item = &e->item[i];
        if (item->kind == FA_ITEM_STATE || item->kind == FA_ITEM_MODE)
            *fa_element_real(e, in, i) = c->at[i] == FA_NO_ROW ? 0 : value[c->at[i]];
    }
    fa_contact_law(in, &c->out);
    touch->force = vec3(c->out.force_x, c->out.force_y, c->out.force_z);
    touch->point = vec3(c->out.foot_x, c->out.foot_y, c->out.foot_z);
}

static void trace_spring(const fa_arm *arm, fa_arm_spring *s, fa_arm_touch touch[2])
{
    static const fa_twist rest = {{0, 0, 0}, {0, 0, 0}};
    fa_twist              v[2];
    for (int i = 0; i < 2; i++) {
        const bool still = s->body[i] == FA_WORLD;
        fa_motion  m = {.pose = s->frame[i], .velocity = rest};
        if (!still) m = fa_frame_motion(&arm->touches.motion[s->body[i]], s->frame[i]);
        touch[i].point = m.pose.r;
        v[i] = still ? rest : fa_world_velocity(&m);
    }
    const fa_vec3 d = vec3_sub(touch[1].point, touch[0].point);
    const fa_vec3 rate = vec3_sub(v[1].linear, v[0].linear);
    s->in.dx = d.x, s->in.dy = d.y, s->in.dz = d.z;
    s->in.vx = rate.x, s->in.vy = rate.y, s->in.vz = rate.z;
    fa_line_spring_law(&s->in, &s->out);
    touch[1].force = vec3(s->out.force_x, s->out.force_y, s->out.force_z);
    touch[0].force = vec3_scale(-1, touch[1].force);
}

void fa_arm_touches_trace(const fa_arm *arm, const double value[])
{
    const fa_arm_touches *t = &arm->touches;
    if (t->n == 0) return;
    const fa_chain still = fa_arm_still(arm);
    fa_chain_motion(&still, value + arm->row[FA_ARM_POSITION], value + arm->row[FA_ARM_VELOCITY],
                    NULL, t->motion);
    for (int k = 0; k < t->n_contacts; k++) trace_contact(arm, &t->contact[k], value, &t->touch[k]);
    for (int k = 0; k < t->n_cones; k++)
        fa_arm_cone_trace(arm, &t->cone[k], value, fa_cone_touch(t, k));
    for (int k = 0; k < t->n_springs; k++) trace_spring(arm, &t->spring[k], fa_spring_touch(t, k));
}

bool fa_arm_touches_finite(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    bool                  finite = true;
    for (int k = 0; k < t->n_contacts; k++)
        finite &= fa_all_finite(&t->contact[k].out.force_x, fa_contact_list()->n_results);
    for (int k = 0; k < t->n_cones; k++)
        finite &= fa_all_finite(&t->cone[k].out.torque, fa_cone_list()->n_results);
    for (int k = 0; k < t->n_springs; k++)
        finite &= fa_all_finite(&t->spring[k].out.force_x, fa_spring_list()->n_results);
    return finite;
}

// A force at a point and a moment, about the world's origin.
static fa_wrench in_world(const fa_arm_touch *touch)
{
    return (fa_wrench){vec3_add(cross(touch->point, touch->force), touch->moment), touch->force};
}

void fa_arm_touches_wrenches(const fa_arm *arm, bool links, const fa_motion motion[],
                             fa_wrench wrench[])
{
    for (int i = 0; i < arm->touches.n; i++) {
        const fa_arm_touch *touch = &arm->touches.touch[i];
        const int           b = links ? touch->link : touch->body;
        if (b == FA_WORLD) continue;
        wrench[b] = wrench_add(wrench[b], wrench_to_child(motion[b].pose, in_world(touch)));
    }
}

// Adds the joint efforts of the forces at n touches to tau.
static void gather(const fa_arm *arm, const fa_arm_touch *touches, int n, double tau[])
{
    const fa_arm_touches *t = &arm->touches;
    fa_wrench            *wrench = t->wrench;
    memset(wrench, 0, (size_t)arm->chain.n * sizeof *wrench);
    for (int i = 0; i < n; i++) {
        const fa_arm_touch *touch = &touches[i];
        const int           b = touch->body;
        if (b == FA_WORLD) continue;
        wrench[b] = wrench_add(wrench[b], wrench_to_child(t->motion[b].pose, in_world(touch)));
    }
    for (int i = arm->chain.n - 1; i >= 0; i--) {
        const fa_body *body = &arm->body[i];
        tau[body->coordinate] += body->ratio * power(fa_joint_axis(body), wrench[i]);
        if (body->parent != FA_WORLD)
            wrench[body->parent] =
                wrench_add(wrench[body->parent], to_parent(t->motion[i].X, wrench[i]));
    }
}

void fa_arm_touches_torques(const fa_arm *arm, bool springs, double tau[])
{
    const fa_arm_touches *t = &arm->touches;
    if (t->n > 0) gather(arm, t->touch, springs ? t->n : t->n - 2 * t->n_springs, tau);
}

void fa_arm_cone_push(const fa_arm *arm, int cone, double tau[])
{
    const fa_arm_cone *c = &arm->touches.cone[cone];
    const fa_vec3      none = {0, 0, 0};
    fa_arm_touch       unit[2];
    for (int i = 0; i < 2; i++)
        unit[i] = (fa_arm_touch){.body = c->body[i],
                                 .link = FA_WORLD,
                                 .force = none,
                                 .moment = vec3_scale(i == 0 ? -1 : 1, c->normal)};
    memset(tau, 0, (size_t)arm->chain.n_coordinates * sizeof *tau);
    gather(arm, unit, 2, tau);
}

void fa_arm_touches_powers(const fa_arm *arm, double power[])
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_cones; k++) power[FA_ARM_STOPS] += t->cone[k].out.loss;
    for (int k = 0; k < t->n_contacts; k++) power[FA_ARM_CONTACTS] += t->contact[k].out.loss;
    for (int k = 0; k < t->n_springs; k++) power[FA_ARM_FRICTION] += t->spring[k].out.loss;
}

double fa_arm_touches_work(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    double                sum = 0;
    for (int k = 0; k < t->n_contacts; k++) sum += t->contact[k].out.work;
    for (int k = 0; k < t->n_cones; k++) sum += t->cone[k].out.work;
    for (int k = 0; k < t->n_springs; k++) sum += t->spring[k].out.work;
    return sum;
}

double fa_arm_touches_energy(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    double                sum = 0;
    for (int k = 0; k < t->n_contacts; k++) sum += t->contact[k].out.energy;
    for (int k = 0; k < t->n_cones; k++) sum += t->cone[k].out.energy;
    for (int k = 0; k < t->n_springs; k++) sum += t->spring[k].out.energy;
    return sum;
}

static void put(const fa_element *e, const int at[], const double out[], unsigned groups,
                double to[])
{
    for (int r = 0; r < e->n_results; r++) {
        const int i = fa_first_result(e) + r;
        if (at[i] != FA_NO_ROW && groups & fa_touch_group(&e->item[i])) to[at[i]] = out[r];
    }
}

void fa_arm_touches_put(const fa_arm *arm, double value[], unsigned groups)
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++)
        put(fa_contact_list(), t->contact[k].at, &t->contact[k].out.force_x, groups, value);
    for (int k = 0; k < t->n_cones; k++)
        put(fa_cone_list(), t->cone[k].at, &t->cone[k].out.torque, groups, value);
    for (int k = 0; k < t->n_springs; k++)
        put(fa_spring_list(), t->spring[k].at, &t->spring[k].out.force_x, groups, value);
}

void fa_arm_touches_switch(const fa_arm *arm, double value[])
{
    const fa_arm_touches *t = &arm->touches;
    const fa_element     *e = fa_contact_list();
    const int             mode = fa_element_real_index(e, "touching", strlen("touching"));
    fa_arm_touches_trace(arm, value);
    for (int k = 0; k < t->n_contacts; k++) {
        fa_arm_contact *c = &t->contact[k];
        fa_contact_in   next = c->in;
        double          next_time = INFINITY;
        fa_contact_event(&c->in, &c->out, &next, 0, &next_time);
        value[c->at[mode]] = next.touching;
    }
}

bool fa_arm_cone_switches(const fa_arm *arm, double value[], int cone, fa_arm_cone_change *change)
{
    fa_arm_cone      *c = &arm->touches.cone[cone];
    const fa_element *e = fa_cone_list();
    const int         mode = fa_element_real_index(e, "side", strlen("side"));
    fa_arm_touches_trace(arm, value);
    fa_cone_in  next = c->in;
    fa_cone_out then;
    double      next_time = INFINITY;
    fa_cone_event(&c->in, &c->out, &next, 0, &next_time);
    fa_cone_law(&next, &then);
    *change = (fa_arm_cone_change){next.side != 0, c->out.energy, then.energy, c->in.rate};
    if (next.side == c->in.side) return false;
    value[c->at[mode]] = next.side;
    return true;
}
