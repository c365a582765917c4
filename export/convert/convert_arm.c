// Writes <arm> XML of serial arms, by modified Denavit-Hartenberg parameters: z is each joint's
// axis, x the common normal of this axis and the next. The frames of links change, their mass
// distributions do not.
#include <math.h>
#include <string.h>

#include "convert_parts.h"

// Angle below which axes count as parallel: their common normal would be rounding.
static const double PARALLEL = 1e-9;

// Links that are rigidly connected, as one body of the chain, in the world at position 0.
typedef struct segment {
    const fa_link *link;    // link whose joint moves the segment
    fa_transform   at_zero; // world to the joint's frame
    fa_inertia     inertia; // about the world's origin, world axes
} segment;

static fa_status not_serial(const fa_convert_writer *w, const fa_link *link, const char *why)
{
    return fa_fail(w->error, FA_UNFIT, w->robot->source, link->joint.place,
                   "joint '%s' %s, and an <arm> is a line of revolute and prismatic joints; write "
                   "URDF (.urdf) or MJCF (.mjcf)",
                   link->joint.name, why);
}

static fa_inertia inertia_of(const fa_link *link, fa_transform world)
{
    const fa_sym3 about =
        sym3_add(link->inertia, sym3_scale(link->mass, sym3_point(link->com, link->com)));
    const fa_inertia own = {link->mass, vec3_scale(link->mass, link->com), about};
    return inertia_to_parent(world, own);
}

#define SEGMENTS 1000

// Finds the segments in their order; *n of them, without the base.
static fa_status find_segments(const fa_convert_writer *w, segment s[], int *n)
{
    const fa_robot *r = w->robot;
    fa_transform    world[SEGMENTS + 1];
    int             segment_of[SEGMENTS + 1];
    *n = 0;
    if (r->n_links > SEGMENTS)
        return fa_fail(w->error, FA_UNFIT, r->source, FA_NOWHERE,
                       "an <arm> of %d links is more than is written; %d are the most", r->n_links,
                       SEGMENTS);
    for (int i = 0; i < r->n_links; i++) {
        const fa_link  *link = &r->link[i];
        const fa_joint *joint = &link->joint;
        fa_transform    parent = transform_identity();
        int             before = 0;
        if (link->parent != FA_WORLD) { // a parent precedes its children
            parent = world[link->parent];
            before = segment_of[link->parent];
        }
        const fa_transform frame = transform_compose(parent, joint->origin);
        world[i] = transform_compose(frame, link->frame);
        segment_of[i] = before;
        if (joint->type != FA_FIXED) {
            if (joint->type != FA_REVOLUTE && joint->type != FA_PRISMATIC)
                return not_serial(w, link, "is of another kind");
            if (before != *n) return not_serial(w, link, "begins a second branch");
            if (joint->mimic.leader != FA_NOBODY) return not_serial(w, link, "follows another");
            segment_of[i] = ++*n;
            s[*n - 1] = (segment){.link = link, .at_zero = frame};
        }
        if (segment_of[i] > 0)
            s[segment_of[i] - 1].inertia =
                inertia_add(s[segment_of[i] - 1].inertia, inertia_of(link, world[i]));
    }
    return FA_OK;
}

static fa_vec3 axis_of(const segment *s)
{
    return mat3_tmul(s->at_zero.E, s->link->joint.axis);
}

static fa_vec3 any_normal(fa_vec3 z)
{
    const fa_vec3 side = fabs(z.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    const fa_vec3 x = vec3_sub(side, vec3_scale(dot(side, z), z));
    return vec3_scale(1 / vec3_norm(x), x);
}

static fa_transform frame_of(fa_vec3 at, fa_vec3 x, fa_vec3 z)
{
    const fa_vec3 y = cross(z, x);
    return (fa_transform){{{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}}, at};
}

// Returns the frame of segment i: z along its axis, x along the common normal with the next one,
// the origin at the normal's foot.
static fa_transform dh_frame(const segment s[], int n, int i, fa_vec3 x_before)
{
    const fa_vec3 z = axis_of(&s[i]), p = s[i].at_zero.r;
    if (i == n - 1) {
        fa_vec3 x = vec3_sub(x_before, vec3_scale(dot(x_before, z), z));
        x = vec3_norm(x) > PARALLEL ? vec3_scale(1 / vec3_norm(x), x) : any_normal(z);
        return frame_of(p, x, z);
    }
    const fa_vec3 other = axis_of(&s[i + 1]), q = s[i + 1].at_zero.r, apart = vec3_sub(q, p);
    const fa_vec3 normal = cross(z, other);
    const double  sine = vec3_norm(normal);
    if (sine < PARALLEL) { // every normal is valid: use the one through this joint's own point
        fa_vec3 x = vec3_sub(apart, vec3_scale(dot(apart, z), z));
        x = vec3_norm(x) > PARALLEL * (1 + vec3_norm(apart)) ? vec3_scale(1 / vec3_norm(x), x)
                                                             : any_normal(z);
        return frame_of(p, x, z);
    }
    const double  along = dot(cross(apart, other), normal) / (sine * sine);
    const fa_vec3 foot = vec3_add(p, vec3_scale(along, z));
    fa_vec3       x = vec3_scale(1 / sine, normal);
    const fa_vec3 to = vec3_sub(q, foot);
    if (dot(to, x) < 0) x = vec3_scale(-1, x);
    return frame_of(foot, x, z);
}

static void write_place(fa_convert_writer *w, const char *element, fa_transform X)
{
    fa_markup_open(&w->xml, element);
    fa_convert_vec3(w, "xyz", X.r);
    fa_convert_vec3(w, "rpy", fa_convert_rpy(X.E));
    fa_markup_close(&w->xml);
}

// Writes the elements of a joint from their lists: numbers that are given or not zero, and choices.
static void write_elements(fa_convert_writer *w, const fa_joint *joint)
{
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        fa_joint          copy = *joint, usual = *joint;
        bool              some = false;
        if (!e->xml[0] || !fa_joint_says(joint, (fa_joint_element)k)) continue;
        fa_joint_reset(&usual, (fa_joint_element)k);
        for (int i = 0; i < e->n_numbers; i++) {
            const double a = *fa_joint_number(&copy, (fa_joint_element)k, i);
            const double b = *fa_joint_number(&usual, (fa_joint_element)k, i);
            some |= isfinite(a) && a != b;
        }
        if (e->everywhere && !some) continue;
        fa_markup_open(&w->xml, e->xml);
        for (int i = 0; i < e->n_choices; i++) {
            const fa_item *item = fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, i);
            if (*fa_joint_choice(&copy, (fa_joint_element)k, i))
                fa_markup_attribute(&w->xml, item->xml, item->word);
        }
        for (int i = 0; i < e->n_numbers; i++) {
            const double a = *fa_joint_number(&copy, (fa_joint_element)k, i);
            const double b = *fa_joint_number(&usual, (fa_joint_element)k, i);
            if (isfinite(a) && (a != b || !e->everywhere))
                fa_markup_number(&w->xml, e->item[i].xml, a);
        }
        fa_markup_close(&w->xml);
    }
}

static void write_segment(fa_convert_writer *w, const segment *s, fa_transform before,
                          fa_transform frame)
{
    const fa_joint    *joint = &s->link->joint;
    const fa_transform X = transform_compose(transform_inverse(before), frame);
    // X = Rx(alpha) Tx(a) Rz(theta) Tz(d): the previous frame's x is normal to both axes.
    const fa_vec3      z = vec3(X.E.m[2][0], X.E.m[2][1], X.E.m[2][2]);
    const double       alpha = atan2(-z.y, z.z), a = X.r.x;
    const double       d = dot(X.r, z), theta = atan2(-X.E.m[1][0], X.E.m[0][0]);
    const fa_transform own = transform_inverse(frame);
    const fa_inertia   I = inertia_to_parent(own, s->inertia);
    const fa_sym3      about = inertia_about_centre(I);
    const double       moment[] = {about.xx, about.yy, about.zz, about.xy, about.xz, about.yz};
    fa_markup_open(&w->xml, "joint");
    fa_markup_attribute(&w->xml, "name", joint->name);
    fa_markup_attribute(&w->xml, "type", fa_joint_kinds[joint->type].name);
    fa_markup_number(&w->xml, "a", a);
    fa_markup_number(&w->xml, "alpha", alpha);
    fa_markup_number(&w->xml, "d", d);
    fa_markup_number(&w->xml, "theta", theta);
    write_elements(w, joint);
    if (joint->initial_position != 0 || joint->initial_velocity != 0)
        fa_convert_lose(w, joint->place, "joint", joint->name, "where it starts");
    fa_markup_open(&w->xml, "link");
    fa_markup_attribute(&w->xml, "name", s->link->name);
    fa_markup_number(&w->xml, "mass", I.mass);
    fa_convert_vec3(w, "com", inertia_centre(I));
    fa_convert_numbers(w, "inertia", moment, 6);
    if (s->link->wrench) fa_markup_attribute(&w->xml, "wrench", "true");
    fa_markup_close(&w->xml);
    fa_markup_close(&w->xml);
}

fa_status fa_convert_arm(fa_convert_writer *w)
{
    const fa_robot *r = w->robot;
    segment         s[SEGMENTS];
    int             n;
    if (r->n_loops > 0)
        return fa_fail(
            w->error, FA_UNFIT, r->source, fa_robot_loop(r, 0)->place,
            "loop '%s' ties links together, and an <arm> is a line of joints; write URDF "
            "(.urdf)",
            fa_robot_loop(r, 0)->name);
    memset(s, 0, sizeof s);
    fa_status status = find_segments(w, s, &n);
    if (status != FA_OK) return status;
    fa_markup_open(&w->xml, "arm");
    fa_markup_attribute(&w->xml, "name", r->name);
    fa_markup_attribute(&w->xml, "convention", "modified");
    fa_convert_vec3(w, "gravity", r->gravity);
    // The base's z is the first axis, so alpha and a of the first joint are 0.
    fa_transform before = n > 0 ? dh_frame(s, n, 0, vec3(1, 0, 0)) : transform_identity();
    write_place(w, "base", before);
    for (int i = 0; i < n; i++) {
        const fa_vec3      x = vec3(before.E.m[0][0], before.E.m[0][1], before.E.m[0][2]);
        const fa_transform frame = dh_frame(s, n, i, x);
        write_segment(w, &s[i], before, frame);
        before = frame;
    }
    fa_markup_close(&w->xml);
    fa_convert_lose_rest(w, false, true);
    return FA_OK;
}
