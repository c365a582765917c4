// How contacts, cones and line springs change: tangents and adjoints of what arm_touches.c
// computes.
#include <string.h>

#include "arm_cones.h"

// ---------------------------------------------------------------------------------------- tangents

static fa_contact_in contact_in_tangent(const fa_arm *arm, const fa_arm_contact *c,
                                        const double value[], const double direction[])
{
    const fa_arm_touches    *t = &arm->touches;
    const fa_element        *e = fa_contact_list();
    const fa_motion         *body = &t->motion[c->body];
    const fa_motion_tangent *tangent = &t->tangent[c->body];
    const fa_transform       frame = fa_contact_centre(c, value);
    const fa_motion          m = fa_frame_motion(body, frame);
    const fa_motion_tangent  dm = fa_frame_motion_tangent(tangent, frame);
    const double            *x = direction + c->point_row;
    const fa_vec3            moved = mat3_tmul(c->frame.E, vec3(x[0], x[1], x[2]));
    const fa_mat3            E = m.pose.E;
    const fa_twist           v = fa_world_velocity_tangent(&m, &dm);
    const fa_vec3            dc = mat3_tmul(E, vec3_add(dm.pose.linear, moved));
    const fa_vec3 dv = vec3_add(v.linear, mat3_tmul(E, cross(body->velocity.angular, moved)));
    const fa_vec3 da = mat3_tmul(E, cross(tangent->pose.angular, c->axis));
    fa_contact_in dot;
    memset(&dot, 0, sizeof dot);
    for (int i = 0; i < e->n_items && e->item[i].kind <= FA_ITEM_MODE; i++) {
        const fa_item_kind kind = (fa_item_kind)e->item[i].kind;
        if ((kind == FA_ITEM_NUMBER || kind == FA_ITEM_STATE) && c->at[i] != FA_NO_ROW)
            *fa_element_real(e, &dot, i) = direction[c->at[i]];
    }
    dot.cx = dc.x, dot.cy = dc.y, dot.cz = dc.z;
    dot.vx = dv.x, dot.vy = dv.y, dot.vz = dv.z;
    dot.wx = v.angular.x, dot.wy = v.angular.y, dot.wz = v.angular.z;
    dot.ax = da.x, dot.ay = da.y, dot.az = da.z;
    if (!c->on_ground) return dot;
    const double *g = direction + t->ground_row;
    dot.ox = g[0], dot.oy = g[1], dot.oz = g[2];
    dot.px = g[3], dot.py = g[4], dot.pz = g[5];
    return dot;
}

static void spring_tangent(const fa_arm *arm, fa_arm_spring *s, const double direction[],
                           fa_arm_touch touch[2])
{
    const fa_arm_touches *t = &arm->touches;
    fa_vec3               dv[2] = {{0, 0, 0}, {0, 0, 0}};
    fa_line_spring_in     dot;
    memset(&dot, 0, sizeof dot);
    for (int i = 0; i < 2; i++) {
        touch[i].point_tangent = vec3(0, 0, 0);
        if (s->body[i] == FA_WORLD) continue;
        const fa_motion         m = fa_frame_motion(&t->motion[s->body[i]], s->frame[i]);
        const fa_motion_tangent dm = fa_frame_motion_tangent(&t->tangent[s->body[i]], s->frame[i]);
        touch[i].point_tangent = mat3_tmul(m.pose.E, dm.pose.linear);
        dv[i] = fa_world_velocity_tangent(&m, &dm).linear;
    }
    for (int i = 0; i < fa_spring_list()->n_numbers; i++)
        if (s->at[i] != FA_NO_ROW)
            *fa_element_real(fa_spring_list(), &dot, i) = direction[s->at[i]];
    const fa_vec3 d = vec3_sub(touch[1].point_tangent, touch[0].point_tangent);
    const fa_vec3 v = vec3_sub(dv[1], dv[0]);
    dot.dx = d.x, dot.dy = d.y, dot.dz = d.z;
    dot.vx = v.x, dot.vy = v.y, dot.vz = v.z;
    fa_line_spring_tangent(&s->in, &dot, &s->out_tangent);
    touch[1].force_tangent =
        vec3(s->out_tangent.force_x, s->out_tangent.force_y, s->out_tangent.force_z);
    touch[0].force_tangent = vec3_scale(-1, touch[1].force_tangent);
}

void fa_arm_touches_tangent(const fa_arm *arm, const double value[], const double direction[])
{
    const fa_arm_touches *t = &arm->touches;
    if (t->n == 0) return;
    const fa_chain         still = fa_arm_still(arm);
    const fa_joint_tangent joint = {.q = direction + arm->row[FA_ARM_POSITION],
                                    .qd = direction + arm->row[FA_ARM_VELOCITY]};
    fa_chain_motion_tangent(&still, value + arm->row[FA_ARM_VELOCITY], NULL, t->motion, joint,
                            t->tangent);
    for (int k = 0; k < t->n_contacts; k++) {
        fa_arm_contact     *c = &t->contact[k];
        const fa_contact_in dot = contact_in_tangent(arm, c, value, direction);
        fa_contact_out     *to = &c->out_tangent;
        fa_contact_tangent(&c->in, &dot, to);
        t->touch[k].force_tangent = vec3(to->force_x, to->force_y, to->force_z);
        t->touch[k].point_tangent = vec3(to->foot_x, to->foot_y, to->foot_z);
    }
    for (int k = 0; k < t->n_springs; k++)
        spring_tangent(arm, &t->spring[k], direction, fa_spring_touch(t, k));
    for (int k = 0; k < t->n_cones; k++)
        fa_arm_cone_tangent(arm, &t->cone[k], direction, fa_cone_touch(t, k));
}

void fa_arm_touches_wrench_tangents(const fa_arm *arm, bool links, const fa_motion motion[],
                                    const fa_motion_tangent tangent[], fa_wrench wrench_tangent[])
{
    for (int i = 0; i < arm->touches.n; i++) {
        const fa_arm_touch *touch = &arm->touches.touch[i];
        const int           b = links ? touch->link : touch->body;
        if (b == FA_WORLD) continue;
        const fa_wrench W = {vec3_add(cross(touch->point, touch->force), touch->moment),
                             touch->force};
        const fa_vec3   turning = vec3_add(cross(touch->point_tangent, touch->force),
                                           cross(touch->point, touch->force_tangent));
        const fa_wrench dW = {vec3_add(turning, touch->moment_tangent), touch->force_tangent};
        const fa_wrench own = wrench_to_child(motion[b].pose, W);
        wrench_tangent[b] =
            wrench_add(wrench_tangent[b], wrench_sub(wrench_to_child(motion[b].pose, dW),
                                                     twist_cross_wrench(tangent[b].pose, own)));
    }
}

void fa_arm_touches_power_tangents(const fa_arm *arm, double power_tangent[])
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++)
        power_tangent[FA_ARM_CONTACTS] += t->contact[k].out_tangent.loss;
    for (int k = 0; k < t->n_cones; k++) power_tangent[FA_ARM_STOPS] += t->cone[k].out_tangent.loss;
    for (int k = 0; k < t->n_springs; k++)
        power_tangent[FA_ARM_FRICTION] += t->spring[k].out_tangent.loss;
}

double fa_arm_touches_work_tangent(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    double                sum = 0;
    for (int k = 0; k < t->n_contacts; k++) sum += t->contact[k].out_tangent.work;
    for (int k = 0; k < t->n_cones; k++) sum += t->cone[k].out_tangent.work;
    for (int k = 0; k < t->n_springs; k++) sum += t->spring[k].out_tangent.work;
    return sum;
}

double fa_arm_touches_energy_tangent(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    double                sum = 0;
    for (int k = 0; k < t->n_contacts; k++) sum += t->contact[k].out_tangent.energy;
    for (int k = 0; k < t->n_cones; k++) sum += t->cone[k].out_tangent.energy;
    for (int k = 0; k < t->n_springs; k++) sum += t->spring[k].out_tangent.energy;
    return sum;
}

static void put_tangent(const fa_element *e, const int at[], const double out[], unsigned groups,
                        double to[])
{
    for (int r = 0; r < e->n_results; r++) {
        const int i = fa_first_result(e) + r;
        if (at[i] != FA_NO_ROW && groups & fa_touch_group(&e->item[i])) to[at[i]] = out[r];
    }
}

void fa_arm_touches_put_tangent(const fa_arm *arm, double direction[], unsigned groups)
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++)
        put_tangent(fa_contact_list(), t->contact[k].at, &t->contact[k].out_tangent.force_x, groups,
                    direction);
    for (int k = 0; k < t->n_cones; k++)
        put_tangent(fa_cone_list(), t->cone[k].at, &t->cone[k].out_tangent.torque, groups,
                    direction);
    for (int k = 0; k < t->n_springs; k++)
        put_tangent(fa_spring_list(), t->spring[k].at, &t->spring[k].out_tangent.force_x, groups,
                    direction);
}

// ---------------------------------------------------------------------------------------- adjoints

void fa_arm_touches_begin_adjoints(const fa_arm *arm)
{
    const fa_arm_touches *t = &arm->touches;
    if (t->n == 0) return;
    memset(t->adjoint, 0, (size_t)arm->chain.n * sizeof *t->adjoint);
    for (int i = 0; i < t->n; i++)
        t->touch[i].force_adjoint = t->touch[i].point_adjoint = t->touch[i].moment_adjoint =
            vec3(0, 0, 0);
    for (int k = 0; k < t->n_contacts; k++)
        memset(&t->contact[k].out_adjoint, 0, sizeof t->contact[k].out_adjoint);
    for (int k = 0; k < t->n_cones; k++)
        memset(&t->cone[k].out_adjoint, 0, sizeof t->cone[k].out_adjoint);
    for (int k = 0; k < t->n_springs; k++)
        memset(&t->spring[k].out_adjoint, 0, sizeof t->spring[k].out_adjoint);
}

void fa_arm_touches_wrench_adjoints(const fa_arm *arm, bool links, const fa_motion motion[],
                                    const fa_twist wrench_adjoint[], fa_motion_adjoint adjoint[])
{
    for (int i = 0; i < arm->touches.n; i++) {
        fa_arm_touch *touch = &arm->touches.touch[i];
        const int     b = links ? touch->link : touch->body;
        if (b == FA_WORLD) continue;
        const fa_wrench W = {vec3_add(cross(touch->point, touch->force), touch->moment),
                             touch->force};
        const fa_wrench own = wrench_to_child(motion[b].pose, W);
        const fa_twist  wanted = twist_to_parent(motion[b].pose, wrench_adjoint[b]);
        touch->force_adjoint = vec3_add(
            touch->force_adjoint, vec3_add(wanted.linear, cross(wanted.angular, touch->point)));
        touch->point_adjoint = vec3_add(touch->point_adjoint, cross(touch->force, wanted.angular));
        touch->moment_adjoint = vec3_add(touch->moment_adjoint, wanted.angular);
        adjoint[b].pose = wrench_add(adjoint[b].pose, twist_cross_wrench(wrench_adjoint[b], own));
    }
}

void fa_arm_touches_power_adjoints(const fa_arm *arm, const double power_adjoint[])
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++)
        t->contact[k].out_adjoint.loss += power_adjoint[FA_ARM_CONTACTS];
    for (int k = 0; k < t->n_cones; k++) t->cone[k].out_adjoint.loss += power_adjoint[FA_ARM_STOPS];
    for (int k = 0; k < t->n_springs; k++)
        t->spring[k].out_adjoint.loss += power_adjoint[FA_ARM_FRICTION];
}

void fa_arm_touches_work_adjoint(const fa_arm *arm, double wanted)
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++) t->contact[k].out_adjoint.work += wanted;
    for (int k = 0; k < t->n_cones; k++) t->cone[k].out_adjoint.work += wanted;
    for (int k = 0; k < t->n_springs; k++) t->spring[k].out_adjoint.work += wanted;
}

void fa_arm_touches_energy_adjoint(const fa_arm *arm, double wanted)
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++) t->contact[k].out_adjoint.energy += wanted;
    for (int k = 0; k < t->n_cones; k++) t->cone[k].out_adjoint.energy += wanted;
    for (int k = 0; k < t->n_springs; k++) t->spring[k].out_adjoint.energy += wanted;
}

static void put_adjoint(const fa_element *e, const int at[], double bar[], unsigned groups,
                        const double from[])
{
    for (int r = 0; r < e->n_results; r++) {
        const int i = fa_first_result(e) + r;
        if (at[i] != FA_NO_ROW && groups & fa_touch_group(&e->item[i])) bar[r] += from[at[i]];
    }
}

void fa_arm_touches_put_adjoint(const fa_arm *arm, const double adjoint[], unsigned groups)
{
    const fa_arm_touches *t = &arm->touches;
    for (int k = 0; k < t->n_contacts; k++)
        put_adjoint(fa_contact_list(), t->contact[k].at, &t->contact[k].out_adjoint.force_x, groups,
                    adjoint);
    for (int k = 0; k < t->n_cones; k++)
        put_adjoint(fa_cone_list(), t->cone[k].at, &t->cone[k].out_adjoint.torque, groups, adjoint);
    for (int k = 0; k < t->n_springs; k++)
        put_adjoint(fa_spring_list(), t->spring[k].at, &t->spring[k].out_adjoint.force_x, groups,
                    adjoint);
}

static void add(double to[], fa_vec3 v)
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}

// Hands adjoints by a place and a velocity in the world on to the body.
static void point_adjoints(const fa_motion *body, fa_transform frame, fa_vec3 by_place,
                           fa_twist by_v, fa_motion_adjoint *to)
{
    static const fa_wrench none = {{0, 0, 0}, {0, 0, 0}};
    const fa_motion        m = fa_frame_motion(body, frame);
    fa_motion_adjoint      adjoint = {none, none, none};
    fa_world_velocity_adjoint(&m, by_v, &adjoint);
    adjoint.pose.force = mat3_mul(m.pose.E, by_place); // of the place alone
    fa_frame_motion_adjoint(&adjoint, frame, to);
}

static void contact_adjoints(const fa_arm *arm, fa_arm_contact *c, const fa_arm_touch *touch,
                             const double value[], double adjoint[])
{
    const fa_arm_touches *t = &arm->touches;
    const fa_element     *e = fa_contact_list();
    const fa_motion      *body = &t->motion[c->body];
    fa_contact_out        bar = c->out_adjoint;
    fa_contact_in         by;
    bar.force_x += touch->force_adjoint.x;
    bar.force_y += touch->force_adjoint.y;
    bar.force_z += touch->force_adjoint.z;
    bar.foot_x += touch->point_adjoint.x;
    bar.foot_y += touch->point_adjoint.y;
    bar.foot_z += touch->point_adjoint.z;
    fa_contact_adjoint(&c->in, &bar, &by);
    for (int i = 0; i < e->n_items && e->item[i].kind <= FA_ITEM_MODE; i++) {
        const fa_item_kind kind = (fa_item_kind)e->item[i].kind;
        if ((kind == FA_ITEM_NUMBER || kind == FA_ITEM_STATE) && c->at[i] != FA_NO_ROW)
            adjoint[c->at[i]] += *fa_element_real(e, &by, i);
    }
    const fa_mat3  E = body->pose.E;
    const fa_vec3  by_place = vec3(by.cx, by.cy, by.cz), by_speed = vec3(by.vx, by.vy, by.vz);
    const fa_twist by_v = {vec3(by.wx, by.wy, by.wz), by_speed};
    const fa_vec3  by_axis = mat3_mul(E, vec3(by.ax, by.ay, by.az));
    point_adjoints(body, fa_contact_centre(c, value), by_place, by_v, &t->adjoint[c->body]);
    t->adjoint[c->body].pose.moment =
        vec3_add(t->adjoint[c->body].pose.moment, cross(c->axis, by_axis));
    const fa_vec3 moved =
        vec3_add(mat3_mul(E, by_place), cross(mat3_mul(E, by_speed), body->velocity.angular));
    add(adjoint + c->point_row, mat3_mul(c->frame.E, moved));
    if (!c->on_ground) return;
    add(adjoint + t->ground_row, vec3(by.ox, by.oy, by.oz));
    add(adjoint + t->ground_row + 3, vec3(by.px, by.py, by.pz));
}

static void spring_adjoints(const fa_arm *arm, fa_arm_spring *s, const fa_arm_touch touch[2],
                            double adjoint[])
{
    const fa_arm_touches *t = &arm->touches;
    fa_line_spring_out    bar = s->out_adjoint;
    fa_line_spring_in     by;
    const fa_vec3         force = vec3_sub(touch[1].force_adjoint, touch[0].force_adjoint);
    bar.force_x += force.x;
    bar.force_y += force.y;
    bar.force_z += force.z;
    fa_line_spring_adjoint(&s->in, &bar, &by);
    for (int i = 0; i < fa_spring_list()->n_numbers; i++)
        if (s->at[i] != FA_NO_ROW) adjoint[s->at[i]] += *fa_element_real(fa_spring_list(), &by, i);
    for (int i = 0; i < 2; i++) {
        const double   sign = i == 0 ? -1 : 1;
        const fa_vec3  by_d = vec3_scale(sign, vec3(by.dx, by.dy, by.dz));
        const fa_twist by_v = {vec3(0, 0, 0), vec3_scale(sign, vec3(by.vx, by.vy, by.vz))};
        if (s->body[i] != FA_WORLD)
            point_adjoints(&t->motion[s->body[i]], s->frame[i],
                           vec3_add(by_d, touch[i].point_adjoint), by_v, &t->adjoint[s->body[i]]);
    }
}

void fa_arm_touches_end_adjoints(const fa_arm *arm, const double value[], double adjoint[])
{
    const fa_arm_touches *t = &arm->touches;
    if (t->n == 0) return;
    const fa_chain         still = fa_arm_still(arm);
    const fa_joint_adjoint joint = {.q = adjoint + arm->row[FA_ARM_POSITION],
                                    .qd = adjoint + arm->row[FA_ARM_VELOCITY]};
    for (int k = 0; k < t->n_contacts; k++)
        contact_adjoints(arm, &t->contact[k], &t->touch[k], value, adjoint);
    for (int k = 0; k < t->n_springs; k++)
        spring_adjoints(arm, &t->spring[k], fa_spring_touch(t, k), adjoint);
    for (int k = 0; k < t->n_cones; k++)
        fa_arm_cone_adjoints(arm, &t->cone[k], fa_cone_touch(t, k), adjoint);
    fa_chain_motion_adjoint(&still, value + arm->row[FA_ARM_VELOCITY], NULL, t->motion, t->adjoint,
                            joint);
}
