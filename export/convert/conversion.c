// Dispatches to the writers of robot formats, and provides their common functions.
#include "convert_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

bool fa_convert_format_of(const char *path, fa_convert_format *format)
{
    static const struct {
        const char       *suffix;
        fa_convert_format format;
    } known[] = {{".urdf", FA_CONVERT_URDF}, {".mjcf", FA_CONVERT_MJCF}, {".xml", FA_CONVERT_ARM}};
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t m = strlen(known[i].suffix);
        if (n <= m || strcmp(path + n - m, known[i].suffix) != 0) continue;
        *format = known[i].format;
        return true;
    }
    return false;
}

void fa_convert_numbers(fa_convert_writer *w, const char *name, const double value[], int n)
{
    char   text[512];
    size_t used = 0;
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                                 fa_number_text(value[i]).text);
    fa_markup_attribute(&w->xml, name, text);
}

void fa_convert_vec3(fa_convert_writer *w, const char *name, fa_vec3 v)
{
    const double value[] = {v.x, v.y, v.z};
    fa_convert_numbers(w, name, value, 3);
}

fa_vec3 fa_convert_rpy(fa_mat3 E)
{
    // R = E^T = Rz(yaw) Ry(pitch) Rx(roll). Pitch and roll are computed after undoing yaw, so any
    // yaw is valid.
    const double yaw = atan2(E.m[0][1], E.m[0][0]), c = cos(yaw), s = sin(yaw);
    const double pitch = atan2(-E.m[0][2], c * E.m[0][0] + s * E.m[0][1]);
    const double roll = atan2(s * E.m[2][0] - c * E.m[2][1], c * E.m[1][1] - s * E.m[1][0]);
    return vec3(roll, pitch, yaw);
}

void fa_convert_lose(const fa_convert_writer *w, fa_place place, const char *of, const char *name,
                     const char *what)
{
    fa_warn(w->log, w->robot->source, place, "not in the file that is written: %s of %s '%s'", what,
            of, name);
}

static bool has_plain_friction(const fa_joint *joint)
{
    const fa_friction_data *f = &joint->friction;
    return !f->sticks && !f->on_motor && f->coulomb_negative == f->coulomb &&
           (f->coulomb == 0 || f->width == FA_FRICTION_WIDTH);
}

void fa_convert_lose_elements(const fa_convert_writer *w, const fa_joint *joint, unsigned has)
{
    const fa_rotor_data *rotor = &joint->rotor;
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        bool says = e->xml[0] && !e->everywhere && fa_joint_says(joint, (fa_joint_element)k) &&
                    !(has >> k & 1);
        if (k == FA_JOINT_rotor) says = rotor->inertia * rotor->gear != 0 && !(has >> k & 1);
        if (k == FA_JOINT_limit) says = false; // each writer handles limits itself
        if (k == FA_JOINT_spring && !(has >> k & 1))
            // Its damping counts as friction.
            says = joint->spring.present && joint->spring.stiffness != 0;
        if (k == FA_JOINT_friction) says = !has_plain_friction(joint);
        if (says) fa_convert_lose(w, joint->place, "joint", joint->name, e->about);
    }
    if (joint->cone.present)
        fa_convert_lose(w, joint->place, "joint", joint->name, "the cone of its stop");
}

void fa_convert_lose_rest(const fa_convert_writer *w, bool gravity, bool relief)
{
    const fa_robot *r = w->robot;
    const fa_vec3   g = r->gravity;
    if (gravity && (g.x != 0 || g.y != 0 || g.z != -9.81))
        fa_convert_lose(w, FA_NOWHERE, "robot", r->name, "the gravity");
    for (int i = 0; i < r->n_links && relief; i++)
        if (r->link[i].relief != 0)
            fa_convert_lose(w, r->link[i].place, "link", r->link[i].name, "the relief of weight");
    for (int k = 0; k < r->n_cylinders; k++)
        fa_convert_lose(w, fa_robot_cylinder(r, k)->place, "cylinder",
                        fa_robot_cylinder(r, k)->name, "all");
}

double fa_convert_damping(const fa_joint *joint)
{
    return joint->friction.viscous + (joint->spring.present ? joint->spring.damping : 0);
}

fa_status fa_convert(const fa_robot *robot, fa_convert_format format, const fa_log *log,
                     char **text, size_t *size, fa_error *error)
{
    fa_convert_writer w = {.robot = robot, .log = log, .error = error};
    if (fa_robot_is_snake(robot) || fa_robot_is_axis(robot))
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "'%s' is a %s, which no other format has a word for", robot->name,
                       fa_robot_is_snake(robot) ? "snake" : "hydraulic axis");
    w.xml = fa_markup_new();
    fa_markup_declaration(&w.xml);
    fa_status status = format == FA_CONVERT_URDF   ? fa_convert_urdf(&w)
                       : format == FA_CONVERT_MJCF ? fa_convert_mjcf(&w)
                                                   : fa_convert_arm(&w);
    *text = NULL;
    fa_status finished = fa_markup_finish(&w.xml, text, size, status == FA_OK ? error : NULL);
    if (status == FA_OK) return finished;
    free(*text);
    *text = NULL;
    return status;
}
