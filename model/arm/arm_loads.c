// External forces on the links of an arm: as wrenches on its bodies, for the readable methods and
// for derivatives, and as torques at its joints, for accelerations.
#include <string.h>

#include "arm.h"
#include "sincos.h"

static bool any_nonzero(const double value[], int row, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) any |= value[row + i] != 0; // NaN, too
    return any;
}

// Returns true if the link may have an external force.
static bool has_push(const fa_arm_link *link)
{
    return link->wrench_row != FA_NO_ROW || link->relief != 0;
}

bool fa_arm_link_push(const fa_arm *arm, const fa_arm_link *link, const double value[],
                      double world[6])
{
    for (int i = 0; i < 6; i++) world[i] = 0;
    if (link->wrench_row != FA_NO_ROW) memcpy(world, value + link->wrench_row, 6 * sizeof *world);
    if (link->relief != 0) {
        const double *gravity = value + arm->row[FA_ARM_GRAVITY];
        for (int i = 0; i < 3; i++) world[i] -= link->relief * value[link->row] * gravity[i];
    }
    return any_nonzero(world, 0, 6);
}

void fa_arm_link_push_tangent(const fa_arm *arm, const fa_arm_link *link, const double value[],
                              const double direction[], double world_tangent[6])
{
    const int mass = link->row, gravity = arm->row[FA_ARM_GRAVITY];
    for (int i = 0; i < 6; i++)
        world_tangent[i] = link->wrench_row != FA_NO_ROW ? direction[link->wrench_row + i] : 0;
    if (link->relief == 0) return;
    for (int i = 0; i < 3; i++)
        world_tangent[i] -= link->relief * (direction[mass] * value[gravity + i] +
                                            value[mass] * direction[gravity + i]);
}

void fa_arm_link_push_adjoint(const fa_arm *arm, const fa_arm_link *link, const double value[],
                              const double world_adjoint[6], double adjoint[])
{
    const int mass = link->row, gravity = arm->row[FA_ARM_GRAVITY];
    for (int i = 0; i < 6 && link->wrench_row != FA_NO_ROW; i++)
        adjoint[link->wrench_row + i] += world_adjoint[i];
    for (int i = 0; i < 3 && link->relief != 0; i++) {
        adjoint[mass] -= link->relief * world_adjoint[i] * value[gravity + i];
        adjoint[gravity + i] -= link->relief * world_adjoint[i] * value[mass];
    }
}

// The point of the body at which the wrench on a link acts: the link's centre of mass.
static fa_vec3 wrench_point(const fa_arm_link *link, const double value[])
{
    return point_to_parent(link->frame, fa_arm_mass_at(value, link->row).com);
}

// A force and a torque in world axes at a point of a body, as a wrench about the body's origin.
static fa_wrench body_wrench(const fa_transform *pose, const double world[6], fa_vec3 point)
{
    fa_vec3 force = mat3_mul(pose->E, vec3(world[0], world[1], world[2]));
    fa_vec3 torque = mat3_mul(pose->E, vec3(world[3], world[4], world[5]));
    return (fa_wrench){vec3_add(torque, cross(point, force)), force};
}

bool fa_arm_loads(const fa_arm *arm, const double value[])
{
    bool   tip = arm->tip_body != FA_WORLD && any_nonzero(value, arm->row[FA_ARM_TIP_WRENCH], 6);
    bool   any = tip;
    double world[6];
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++)
        any |= has_push(&arm->link[i]) && fa_arm_link_push(arm, &arm->link[i], value, world);
    if (!any && arm->touches.n == 0) return false;

    fa_chain_poses(&arm->chain, value + arm->row[FA_ARM_POSITION], arm->pose);
    memset(arm->wrench, 0, (size_t)arm->chain.n * sizeof *arm->wrench);
    if (tip)
        arm->wrench[arm->tip_body] = body_wrench(
            &arm->pose[arm->tip_body], value + arm->row[FA_ARM_TIP_WRENCH], arm->tip_frame.r);
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (!has_push(link) || !fa_arm_link_push(arm, link, value, world)) continue;
        fa_wrench wrench = body_wrench(&arm->pose[link->body], world, wrench_point(link, value));
        arm->wrench[link->body] = wrench_add(arm->wrench[link->body], wrench);
    }
    fa_arm_touches_wrenches(arm, false, arm->touches.motion, arm->wrench);
    return true;
}

// ----------------------------------------------------------------------------------------- torques

// The joints' turns lie in arm->work, in the frames of the fast methods, whose z axes are
// the joints': the x and y axes of four bodies in the axes of their parents, component by
// component.
typedef struct turned {
    double x[3][4], y[3][4];
} turned;

static turned *turned_of(const fa_arm *arm)
{
    return arm->work;
}

// Computes the rotations of the first n bodies.
static void find_turns(const fa_arm *arm, const double q[], int n)
{
    enum { ANGLES = 8, GROUP = 4 }; // at a time
    for (int i = 0; i < n; i += ANGLES) {
        double angle[ANGLES] = {0}, sine[ANGLES], cosine[ANGLES];
        for (int k = 0; k < ANGLES && i + k < n; k++)
            if (fa_joint_turns(arm->body[i + k].joint))
                angle[k] = fa_joint_position(&arm->body[i + k], q);
        fa_sincos_eight(angle, sine, cosine);
        for (int k = 0; k < ANGLES && i + k < n; k += GROUP) {
            const fa_fast_group *group = &arm->fast->group[(i + k) / GROUP];
            turned              *to = &turned_of(arm)[(i + k) / GROUP];
            for (int axis = 0; axis < 3; axis++)
                for (int l = 0; l < GROUP; l++) {
                    const double c = cosine[k + l], s = sine[k + l];
                    const double x = group->axis[0][axis][l], y = group->axis[1][axis][l];
                    to->x[axis][l] = c * x + s * y;
                    to->y[axis][l] = c * y - s * x;
                }
        }
    }
}

// The axes of a body in those of its parent; components are four numbers apart.
typedef struct axes {
    const double *x, *y, *z;
} axes;

static axes axes_of(const fa_arm *arm, int i)
{
    const turned *t = &turned_of(arm)[i / 4];
    return (axes){&t->x[0][i % 4], &t->y[0][i % 4], &arm->fast->group[i / 4].axis[2][0][i % 4]};
}

static inline double component(const double axis[], fa_vec3 v)
{
    return axis[0] * v.x + axis[4] * v.y + axis[8] * v.z;
}

static inline fa_vec3 to_body(axes a, fa_vec3 v)
{
    return vec3(component(a.x, v), component(a.y, v), component(a.z, v));
}

static inline fa_vec3 from_body(axes a, fa_vec3 v)
{
    return vec3(a.x[0] * v.x + a.y[0] * v.y + a.z[0] * v.z,
                a.x[4] * v.x + a.y[4] * v.y + a.z[4] * v.z,
                a.x[8] * v.x + a.y[8] * v.y + a.z[8] * v.z);
}

// Adds to torque[], after find_turns, what a force and a torque in world axes do that act at a
// point of a body: both go out to it from axes to axes, and the lever between them and each joint
// comes back.
static void push(const fa_arm *arm, const double q[], int at_body, fa_vec3 point,
                 const double world[6], double torque[])
{
    const fa_wrench given = {{world[3], world[4], world[5]}, {world[0], world[1], world[2]}};
    for (int i = 0; i <= at_body; i++) {
        const int        parent = arm->body[i].parent;
        const fa_wrench *from = parent == FA_WORLD ? &given : &arm->wrench[parent];
        const axes       a = axes_of(arm, i);
        arm->wrench[i].moment = to_body(a, from->moment);
        arm->wrench[i].force = to_body(a, from->force);
    }
    fa_vec3 lever = mat3_mul(arm->fast->turned[at_body], point);
    for (int i = at_body; i != FA_WORLD; i = arm->body[i].parent) {
        const fa_body   *body = &arm->body[i];
        const fa_wrench *f = &arm->wrench[i];
        const double    *place = &arm->fast->group[i / 4].place[0][i % 4];
        const bool       slides = fa_joint_slides(body->joint);
        const double     about = f->moment.z + (lever.x * f->force.y - lever.y * f->force.x);
        torque[body->coordinate] += body->ratio * (slides ? f->force.z : about);
        if (slides) lever.z += fa_joint_position(body, q);
        lever = vec3_add(from_body(axes_of(arm, i), lever), vec3(place[0], place[4], place[8]));
    }
}

double fa_arm_push(fa_arm *arm, const double value[], double tau[])
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const int     tip_row = arm->row[FA_ARM_TIP_WRENCH];
    const bool    tip = arm->tip_body != FA_WORLD && any_nonzero(value, tip_row, 6);
    int           n = tip ? arm->tip_body + 1 : 0; // bodies whose frames are wanted
    double        world[6];
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (link->body >= n && has_push(link) && fa_arm_link_push(arm, link, value, world))
            n = link->body + 1;
    }
    if (n == 0) return 0;

    double *torque = arm->bias, power = 0;
    memset(torque, 0, (size_t)arm->chain.n_coordinates * sizeof *torque);
    find_turns(arm, q, n);
    if (tip) push(arm, q, arm->tip_body, arm->tip_frame.r, value + tip_row, torque);
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (has_push(link) && fa_arm_link_push(arm, link, value, world))
            push(arm, q, link->body, wrench_point(link, value), world, torque);
    }
    for (int i = 0; i < arm->chain.n_coordinates; i++) {
        tau[i] += torque[i];
        power += torque[i] * qd[i];
    }
    return power;
}
