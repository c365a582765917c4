// Gives joints with limits their stops, with stiffness and damping from the inertia felt there.
#include "robot_stops.h"

#include <math.h>
#include <stdlib.h>

#include "chain.h"
#include "dynamics.h"

typedef struct stand {
    fa_chain         chain; // without gravity, where each joint starts
    const fa_method *method;
    fa_body         *body;
    int             *link_body; // per link
    fa_transform    *link_frame;
    double          *q, *zero, *unit, *result;
    void            *work;
} stand;

static void leave(stand *s)
{
    free(s->body);
    free(s->link_body);
    free(s->link_frame);
    free(s->q);
    free(s->work);
}

// Without memory, the caller releases all of it.
static bool take_stand(const fa_robot *robot, stand *s)
{
    const size_t n = (size_t)fa_chain_bodies(robot), links = (size_t)robot->n_links;
    s->body = malloc((n + 1) * sizeof *s->body);
    s->link_body = malloc(links * sizeof *s->link_body);
    s->link_frame = malloc(links * sizeof *s->link_frame);
    s->q = calloc(4 * n + 1, sizeof *s->q);
    if (!s->body || !s->link_body || !s->link_frame || !s->q) return false;
    s->chain = fa_chain_build(robot, s->body, s->link_body, s->link_frame);
    s->chain.gravity = (fa_vec3){0, 0, 0};
    s->method = fa_method_forward(&s->chain);
    s->zero = s->q + n;
    s->unit = s->zero + n;
    s->result = s->unit + n;
    s->work = malloc(s->method->work_size(&s->chain) + 1);
    fa_chain_start(robot, s->body, s->link_body, s->q);
    return s->work;
}

// Returns the inertia that a torque at the coordinate accelerates at s->q, all others free. NaN if
// undefined.
static double felt_inertia(stand *s, int c)
{
    const fa_load none = {NULL};
    s->unit[c] = 1;
    const fa_status status =
        s->method->forward(&s->chain, s->q, s->zero, s->unit, &none, s->result, s->work);
    s->unit[c] = 0;
    return status == FA_OK ? 1 / s->result[c] : NAN;
}

static double three_digits(double x)
{
    double scale = 1;
    while (x * scale < 100) scale *= 10;
    while (x * scale >= 1000) scale /= 10;
    return round(x * scale) / scale;
}

static bool wants_stop(const fa_joint *joint)
{
    return fa_joint_is_free(joint) && !joint->stop.present &&
           (!isinf(joint->limit.lower) || !isinf(joint->limit.upper));
}

// The larger of what the joint feels at its two limits.
static double inertia_at_limits(stand *s, const fa_joint *joint, int c)
{
    const double limit[] = {joint->limit.lower, joint->limit.upper}, start = s->q[c];
    double       most = NAN;
    for (int k = 0; k < 2; k++) {
        if (isinf(limit[k])) continue;
        s->q[c] = limit[k];
        most = fmax(most, felt_inertia(s, c)); // fmax passes over NaN
    }
    s->q[c] = start;
    return most;
}

static fa_status choose(const fa_robot *robot, stand *s, const fa_link *link, int body,
                        fa_stop_data *stop, fa_error *error)
{
    const double omega = 2 * 3.14159265358979323846 * FA_STOP_FREQUENCY;
    const double inertia = inertia_at_limits(s, &link->joint, s->body[body].coordinate);
    const double k = inertia * omega * omega, d = 2 * FA_STOP_DAMPING * inertia * omega;
    if (!(k > 1e-30 && k < 1e30))
        return fa_fail(error, FA_BAD_INPUT, robot->source, link->joint.place,
                       "no stop can be chosen for joint '%s', as at its limits it feels no inertia "
                       "that is a usable number; give it a <stop> of its own, or "
                       "--stops=stiffness=K,damping=D",
                       link->joint.name);
    *stop = (fa_stop_data){true, .stiffness = three_digits(k), .damping = three_digits(d)};
    return FA_OK;
}

fa_status fa_robot_give_stops(fa_robot *robot, const fa_stops *stops, int *n, fa_error *error)
{
    stand     s = {0};
    fa_status status = FA_OK;
    *n = 0;
    robot->checked = false;
    if (stops->chosen && !take_stand(robot, &s))
        status = fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                         "there is not enough memory for a robot of %d links", robot->n_links);
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        fa_link     *link = &robot->link[i];
        fa_stop_data stop = {true, stops->stiffness, stops->damping};
        if (!wants_stop(&link->joint)) continue;
        if (stops->chosen) status = choose(robot, &s, link, s.link_body[i], &stop, error);
        link->joint.stop = stop;
        ++*n;
    }
    leave(&s);
    return status;
}
