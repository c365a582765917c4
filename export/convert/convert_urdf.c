// Writes URDF 1.2, with screws, ball joints and loops of URDF+. URDF places a link's frame at its
// joint: other frames are moved, with their contents.
#include <math.h>
#include <stdio.h>

#include "convert_parts.h"

static void write_origin(fa_convert_writer *w, fa_transform X)
{
    fa_markup_open(&w->xml, "origin");
    fa_convert_vec3(w, "xyz", X.r);
    fa_convert_vec3(w, "rpy", fa_convert_rpy(X.E));
    fa_markup_close(&w->xml);
}

static void write_named(fa_convert_writer *w, const char *element, const char *attribute,
                        const char *value)
{
    fa_markup_open(&w->xml, element);
    fa_markup_attribute(&w->xml, attribute, value);
    fa_markup_close(&w->xml);
}

static void write_value(fa_convert_writer *w, const char *element, double value)
{
    fa_markup_open(&w->xml, element);
    fa_markup_number(&w->xml, "value", value);
    fa_markup_close(&w->xml);
}

static void write_link(fa_convert_writer *w, const fa_link *link)
{
    fa_markup_open(&w->xml, "link");
    fa_markup_attribute(&w->xml, "name", link->name);
    const fa_sym3 I = sym3_rotate(mat3_transpose(link->frame.E), link->inertia);
    const double  moment[] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
    bool          any = link->mass > 0;
    for (int i = 0; i < 6; i++) any |= moment[i] != 0;
    if (any) {
        static const char *const name[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
        fa_transform             centre = transform_identity();
        centre.r = point_to_parent(link->frame, link->com);
        fa_markup_open(&w->xml, "inertial");
        write_origin(w, centre);
        write_value(w, "mass", link->mass);
        fa_markup_open(&w->xml, "inertia");
        for (int i = 0; i < 6; i++) fa_markup_number(&w->xml, name[i], moment[i]);
        fa_markup_close(&w->xml);
        fa_markup_close(&w->xml);
    }
    fa_markup_close(&w->xml);
}

static const char *type_of(const fa_joint *joint)
{
    const bool ranged = !isinf(joint->limit.lower) && !isinf(joint->limit.upper);
    return joint->type == FA_REVOLUTE && !ranged ? "continuous" : fa_joint_kinds[joint->type].name;
}

static void write_limit(fa_convert_writer *w, const fa_joint *joint)
{
    const fa_limit_data *l = &joint->limit;
    const bool           lower = !isinf(l->lower), upper = !isinf(l->upper);
    const bool           several = fa_joint_is_several(joint->type);
    if (lower != upper)
        fa_convert_lose(w, joint->place, "joint", joint->name, "a limit on one side");
    const bool ranged = lower && upper;
    if (several ||
        (!ranged && isinf(l->effort) && isinf(l->velocity) && joint->type == FA_REVOLUTE))
        return;
    fa_markup_open(&w->xml, "limit");
    if (ranged) fa_markup_number(&w->xml, "lower", l->lower);
    if (ranged) fa_markup_number(&w->xml, "upper", l->upper);
    if (!isinf(l->effort)) fa_markup_number(&w->xml, "effort", l->effort);
    if (!isinf(l->velocity)) fa_markup_number(&w->xml, "velocity", l->velocity);
    fa_markup_close(&w->xml);
}

static void write_motion(fa_convert_writer *w, const fa_joint *joint)
{
    const fa_mimic *mimic = &joint->mimic;
    const double    damping = fa_convert_damping(joint);
    fa_markup_open(&w->xml, "axis");
    fa_convert_vec3(w, "xyz", joint->axis);
    fa_markup_close(&w->xml);
    write_limit(w, joint);
    if (joint->type == FA_SCREW) write_value(w, "screw_thread_pitch", joint->pitch);
    if (damping != 0 || joint->friction.coulomb != 0) {
        fa_markup_open(&w->xml, "dynamics");
        fa_markup_number(&w->xml, "damping", damping);
        fa_markup_number(&w->xml, "friction", joint->friction.coulomb);
        fa_markup_close(&w->xml);
    }
    if (mimic->leader != FA_NOBODY) {
        fa_markup_open(&w->xml, "mimic");
        fa_markup_attribute(&w->xml, "joint", w->robot->link[mimic->leader].joint.name);
        fa_markup_number(&w->xml, "multiplier", mimic->ratio);
        fa_markup_number(&w->xml, "offset", mimic->offset);
        fa_markup_close(&w->xml);
    }
    if (joint->initial_position != 0 || joint->initial_velocity != 0)
        fa_convert_lose(w, joint->place, "joint", joint->name, "where it starts");
    fa_convert_lose_elements(w, joint, 0);
}

static void write_joint(fa_convert_writer *w, const fa_link *link)
{
    const fa_link  *parent = &w->robot->link[link->parent];
    const fa_joint *joint = &link->joint;
    fa_markup_open(&w->xml, "joint");
    fa_markup_attribute(&w->xml, "name", joint->name);
    fa_markup_attribute(&w->xml, "type", type_of(joint));
    if (joint->independent) fa_markup_attribute(&w->xml, "independent", "true");
    write_origin(w, transform_compose(parent->frame, joint->origin));
    write_named(w, "parent", "link", parent->name);
    write_named(w, "child", "link", link->name);
    if (joint->type != FA_FIXED) write_motion(w, joint);
    fa_markup_close(&w->xml);
}

static void write_loop(fa_convert_writer *w, const fa_loop *loop)
{
    static const char *const type[] = {
        [FA_LOOP_FIXED] = "fixed",         [FA_LOOP_REVOLUTE] = "revolute",
        [FA_LOOP_PRISMATIC] = "prismatic", [FA_LOOP_CYLINDRICAL] = "cylindrical",
        [FA_LOOP_SPHERICAL] = "spherical", [FA_LOOP_UNIVERSAL] = "universal",
        [FA_LOOP_PLANAR] = "planar",       [FA_LOOP_DISTANCE] = "distance",
        [FA_LOOP_COUPLING] = NULL,         [FA_LOOP_RELATION] = NULL};
    const fa_link     *end[] = {&w->robot->link[loop->from], &w->robot->link[loop->to]};
    const fa_transform frame[] = {loop->from_frame, loop->to_frame};
    fa_markup_open(&w->xml, type[loop->type] ? "loop" : "coupling");
    fa_markup_attribute(&w->xml, "name", loop->name);
    if (type[loop->type]) fa_markup_attribute(&w->xml, "type", type[loop->type]);
    if (loop->type == FA_LOOP_DISTANCE) fa_markup_number(&w->xml, "length", loop->length);
    for (int i = 0; i < 2; i++) {
        fa_markup_open(&w->xml, i == 0 ? "predecessor" : "successor");
        fa_markup_attribute(&w->xml, "link", end[i]->name);
        write_origin(w, transform_compose(end[i]->frame, frame[i]));
        fa_markup_close(&w->xml);
    }
    if (loop->type == FA_LOOP_COUPLING) {
        write_value(w, "ratio", loop->ratio);
    } else {
        fa_markup_open(&w->xml, "axis");
        fa_convert_vec3(w, "xyz", loop->axis);
        fa_markup_close(&w->xml);
    }
    if (loop->type == FA_LOOP_UNIVERSAL) {
        fa_markup_open(&w->xml, "axis2");
        fa_convert_vec3(w, "xyz", loop->second);
        fa_markup_close(&w->xml);
    }
    fa_markup_close(&w->xml);
}

fa_status fa_convert_urdf(fa_convert_writer *w)
{
    const fa_robot *r = w->robot;
    const fa_link  *base = &r->link[0];
    const fa_mat3   one = mat3_identity();
    bool            moved =
        base->joint.origin.r.x != 0 || base->joint.origin.r.y != 0 || base->joint.origin.r.z != 0;
    for (int i = 0; i < 9; i++)
        moved |= base->joint.origin.E.m[i / 3][i % 3] != one.m[i / 3][i % 3];
    for (int i = 0; i < r->n_loops; i++)
        if (fa_robot_loop(r, i)->type == FA_LOOP_RELATION)
            return fa_fail(w->error, FA_UNFIT, r->source, fa_robot_loop(r, i)->place,
                           "'%s' ties joints together by more than a ratio, which URDF has no word "
                           "for; write MJCF (.mjcf)",
                           fa_robot_loop(r, i)->name);
    fa_markup_open(&w->xml, "robot");
    fa_markup_attribute(&w->xml, "name", r->name);
    fa_markup_attribute(&w->xml, "version", "1.2");
    if (moved) { // pose of the base: an additional link, world
        fa_link world = *base, held = *base;
        snprintf(world.name, sizeof world.name, "%s", "world");
        for (int k = 2; fa_robot_find_link(r, world.name) != FA_NOBODY; k++)
            snprintf(world.name, sizeof world.name, "world%d", k);
        world.mass = 0;
        world.inertia = (fa_sym3){0, 0, 0, 0, 0, 0};
        write_link(w, &world);
        fa_markup_open(&w->xml, "joint");
        fa_markup_attribute(&w->xml, "name", "base_to_world");
        fa_markup_attribute(&w->xml, "type", "fixed");
        write_origin(w, held.joint.origin);
        write_named(w, "parent", "link", world.name);
        write_named(w, "child", "link", base->name);
        fa_markup_close(&w->xml);
    }
    for (int i = 0; i < r->n_links; i++) write_link(w, &r->link[i]);
    for (int i = 0; i < r->n_links; i++)
        if (r->link[i].parent != FA_WORLD) write_joint(w, &r->link[i]);
    for (int i = 0; i < r->n_loops; i++) write_loop(w, fa_robot_loop(r, i));
    fa_convert_lose_rest(w, true, true);
    fa_markup_close(&w->xml);
    return FA_OK;
}
