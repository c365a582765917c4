// Forces of the ground, its patches and obstacles on the links of a snake, with derivatives. The
// laws are elements (elements/at_feet.h, patch.h, touch.h); this file evaluates them and adds their
// results to the links.
#include <math.h>
#include <string.h>

#include "sliding_plant.h"

#include "laws.h"

#include "laws.gen.h"

// Arguments of a law of the ground: its parameters, then the givens of the place, in this order.
enum { ALONG, ACROSS, TURN, LOAD, SHARE, SCALE_ALONG, SCALE_ACROSS, GIVEN };
typedef union foot_in {
    double x[FA_FOOT_ROWS_MOST + GIVEN];
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) fa_##name##_in name;
#include "passes.h"
} foot_in;

enum { FORWARDS, SIDEWAYS, MOMENT, USAGE, RESULTS };
typedef union foot_out {
    double x[RESULTS];
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) fa_##name##_out name;
#include "passes.h"
} foot_out;

typedef union patch_in {
    double      x[FA_THING_NUMBERS + 2];
    fa_patch_in law;
} patch_in;

enum { TOUCH_NUMBERS = 5 };
enum { CX, CY, SIZE, HX, HY, RADIUS, REAR, FRONT, PX, PY, EX, EY, VX, VY, TOUCH_TURN, TOUCH_GIVEN };
typedef union touch_in {
    double      x[TOUCH_NUMBERS + TOUCH_GIVEN];
    fa_touch_in law;
} touch_in;

// Laws of things on the ground, compiled once each: several functions evaluate them, and inlined in
// all of these they would take most of this file's code.
#define THING_LAW(element)                                                                         \
    FA_APART void element##_law(const fa_##element##_in *in, fa_##element##_out *out)              \
    {                                                                                              \
        fa_##element##_law(in, out);                                                               \
    }                                                                                              \
    FA_APART void element##_tangent(const fa_##element##_in *in, const fa_##element##_in *dot,     \
                                    fa_##element##_out *out)                                       \
    {                                                                                              \
        fa_##element##_tangent(in, dot, out);                                                      \
    }                                                                                              \
    FA_APART void element##_adjoint(const fa_##element##_in *in, const fa_##element##_out *bar,    \
                                    fa_##element##_in *by)                                         \
    {                                                                                              \
        fa_##element##_adjoint(in, bar, by);                                                       \
    }
THING_LAW(patch)
THING_LAW(touch)
#undef THING_LAW

// ------------------------------------------------------------------------------------ one foothold

#define ELEMENT_LIST "at_feet.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_at(const foot_in *in, foot_out *out)                                        \
    {                                                                                              \
        fa_##name##_law(&in->name, &out->name);                                                    \
    }                                                                                              \
    static void name##_change(const foot_in *in, const foot_in *dot, foot_out *out)                \
    {                                                                                              \
        fa_##name##_tangent(&in->name, &dot->name, &out->name);                                    \
    }                                                                                              \
    static void name##_slopes(const foot_in *in, const foot_out *bar, foot_in *by)                 \
    {                                                                                              \
        fa_##name##_adjoint(&in->name, &bar->name, &by->name);                                     \
    }
#include "passes.h"

static const struct {
    void (*at)(const foot_in *in, foot_out *out);
    void (*change)(const foot_in *in, const foot_in *dot, foot_out *out);
    void (*slopes)(const foot_in *in, const foot_out *bar, foot_in *by);
} laws[FA_FOOT_LAST] = {
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) [FA_FOOT_##name] = {name##_at, name##_change, name##_slopes},
#include "passes.h"
};

static foot_out ask(int law, const foot_in *in)
{
    foot_out out = {.x = {[USAGE] = 0}}; // laws without this result leave it 0
    laws[law].at(in, &out);
    return out;
}

static foot_out ask_change(int law, const foot_in *in, const foot_in *dot)
{
    foot_out out = {.x = {[USAGE] = 0}};
    laws[law].change(in, dot, &out);
    return out;
}

static double place_along(const fa_foothold *hold, const fa_snake_link *link)
{
    return hold->a * link->a + hold->b * link->b + hold->c * link->c;
}

// A contact point in the link's axes, and in the world.
typedef struct stand {
    double  z, d; // along the link and across it, from the wheel
    fa_flat at;   // world
    fa_flat n;
} stand;

static stand stand_of(const fa_foothold *hold, const fa_snake_link *link, const fa_sliding_link *at)
{
    stand s = {.z = place_along(hold, link), .d = hold->d * link->d, .n = flat_left(at->e)};
    s.at = flat_sum(at->P, flat_mix(s.z, at->e, s.d, s.n));
    return s;
}

// ----------------------------------------------------------------------------------------- patches

static patch_in patch_at(const fa_sliding_thing *thing, const double of[], fa_flat at)
{
    patch_in in = {.law = {.rectangle = thing->rectangle, .round = !thing->rectangle}};
    for (int i = 0; i < FA_THING_NUMBERS; i++)
        in.x[i] = thing->row[i] == FA_NO_ROW ? 1 : of[thing->row[i]];
    in.law.px = at.x;
    in.law.py = at.y;
    return in;
}

static void scale_by_patches(const fa_sliding_self *self, const double value[], fa_flat at,
                             double scale[2])
{
    scale[0] = scale[1] = 1;
    for (int i = 0; i < self->n_patches; i++) {
        const patch_in in = patch_at(&self->thing[i], value, at);
        fa_patch_out   out;
        patch_law(&in.law, &out);
        scale[0] *= out.along;
        scale[1] *= out.across;
    }
}

static patch_in patch_change(const fa_sliding_thing *thing, const double direction[], fa_flat at)
{
    patch_in in = {.law = {.rectangle = thing->rectangle, .round = !thing->rectangle}};
    for (int i = 0; i < FA_THING_NUMBERS; i++)
        in.x[i] = thing->row[i] == FA_NO_ROW ? 0 : direction[thing->row[i]];
    in.law.px = at.x;
    in.law.py = at.y;
    return in;
}

static void scale_tangent(const fa_sliding_self *self, const double value[],
                          const double direction[], fa_flat at, fa_flat at_change, double scale[2],
                          double change[2])
{
    scale[0] = scale[1] = 1;
    change[0] = change[1] = 0;
    for (int i = 0; i < self->n_patches; i++) {
        const patch_in in = patch_at(&self->thing[i], value, at);
        const patch_in dot = patch_change(&self->thing[i], direction, at_change);
        fa_patch_out   out, by;
        patch_law(&in.law, &out);
        patch_tangent(&in.law, &dot.law, &by);
        change[0] = change[0] * out.along + scale[0] * by.along;
        change[1] = change[1] * out.across + scale[1] * by.across;
        scale[0] *= out.along;
        scale[1] *= out.across;
    }
}

// Adds to the adjoints of the patches' parameters and of the contact point's position.
static void scale_adjoint(const fa_sliding_self *self, const double value[], fa_flat at,
                          const double wanted[2], double adjoint[], fa_flat *by_at)
{
    double *before = self->factor; // products over the previous patches, along and across
    double  scale[2] = {1, 1}, after[2] = {1, 1};
    for (int i = 0; i < self->n_patches; i++) {
        const patch_in in = patch_at(&self->thing[i], value, at);
        fa_patch_out   out;
        patch_law(&in.law, &out);
        before[2 * i] = scale[0];
        before[2 * i + 1] = scale[1];
        scale[0] *= out.along;
        scale[1] *= out.across;
    }
    for (int i = self->n_patches - 1; i >= 0; i--) {
        const fa_sliding_thing *thing = &self->thing[i];
        const patch_in          in = patch_at(thing, value, at);
        fa_patch_out            out;
        patch_law(&in.law, &out);
        fa_patch_out bar = {.along = wanted[0] * before[2 * i] * after[0],
                            .across = wanted[1] * before[2 * i + 1] * after[1]};
        patch_in     by;
        patch_adjoint(&in.law, &bar, &by.law);
        for (int j = 0; j < FA_THING_NUMBERS; j++)
            if (thing->row[j] != FA_NO_ROW) adjoint[thing->row[j]] += by.x[j];
        flat_add(by_at, flat(by.law.px, by.law.py));
        after[0] *= out.along;
        after[1] *= out.across;
    }
}

// ------------------------------------------------------------------------------------------ ground

static foot_in foot_at(const fa_sliding_self *self, const double value[], int k,
                       const fa_foothold *hold, const stand *s, const double scale[2])
{
    const fa_sliding_link *at = &self->at[k];
    foot_in                in;
    double                *given = in.x + self->n_numbers;
    for (int i = 0; i < self->n_numbers; i++)
        in.x[i] = value[self->foot[i] + k * self->foot_step[i]];
    given[ALONG] = flat_dot(at->V, at->e) - at->w * s->d;
    given[ACROSS] = flat_dot(at->V, s->n) + at->w * s->z;
    given[TURN] = at->w;
    given[LOAD] = self->snake.link[k].m * self->press;
    given[SHARE] = hold->share;
    given[SCALE_ALONG] = scale[0];
    given[SCALE_ACROSS] = self->wheels ? 0 : scale[1];
    return in;
}

static void push_link(fa_sliding_self *self, const double value[], int k)
{
    const fa_snake_link *link = &self->snake.link[k];
    fa_sliding_link     *at = &self->at[k];
    double               f = 0, l = 0, m = 0;
    for (int i = 0; i < self->n_holds; i++) {
        const fa_foothold *hold = &self->hold[i];
        const stand        s = stand_of(hold, link, at);
        double             scale[2];
        scale_by_patches(self, value, s.at, scale);
        const foot_in  in = foot_at(self, value, k, hold, &s, scale);
        const double  *given = in.x + self->n_numbers;
        const foot_out out = ask(self->law, &in);
        f += out.x[FORWARDS];
        l += out.x[SIDEWAYS];
        m += (s.z - link->c) * out.x[SIDEWAYS] - (s.d - link->d) * out.x[FORWARDS] + out.x[MOMENT];
        at->usage = out.x[USAGE];
        self->power.ground += out.x[FORWARDS] * given[ALONG] + out.x[SIDEWAYS] * given[ACROSS] +
                              out.x[MOMENT] * at->w;
    }
    at->forwards = f;
    at->lateral = l;
    at->ground = flat_mix(f, at->e, l, flat_left(at->e));
    at->ground_moment = m;
    flat_add(&at->F, at->ground);
    at->M += m;
}

static void push_link_tangent(fa_sliding_self *self, const double value[], const double direction[],
                              int k)
{
    const fa_snake_link   *link = &self->snake.link[k], *by = &self->snake.link_tangent[k];
    const fa_sliding_link *at = &self->at[k];
    fa_sliding_link       *dot = &self->dot[k];
    const fa_flat          n = flat_left(at->e), dn = flat_left(dot->e);
    double                 f = 0, l = 0, m = 0;
    for (int i = 0; i < self->n_holds; i++) {
        const fa_foothold *hold = &self->hold[i];
        const stand        s = stand_of(hold, link, at);
        const double       dz = place_along(hold, by), dd = hold->d * by->d;
        const fa_flat      where =
            flat_sum(dot->P, flat_sum(flat_mix(dz, at->e, dd, n), flat_mix(s.z, dot->e, s.d, dn)));
        double scale[2], scale_change[2];
        scale_tangent(self, value, direction, s.at, where, scale, scale_change);
        const foot_in in = foot_at(self, value, k, hold, &s, scale);
        const double *given = in.x + self->n_numbers;
        foot_in       change;
        double       *to = change.x + self->n_numbers;
        for (int j = 0; j < self->n_numbers; j++)
            change.x[j] = direction[self->foot[j] + k * self->foot_step[j]];
        to[ALONG] = flat_dot(dot->V, at->e) + flat_dot(at->V, dot->e) - dot->w * s.d - at->w * dd;
        to[ACROSS] = flat_dot(dot->V, n) + flat_dot(at->V, dn) + dot->w * s.z + at->w * dz;
        to[TURN] = dot->w;
        to[LOAD] = by->m * self->press + link->m * self->press_change;
        to[SHARE] = 0;
        to[SCALE_ALONG] = scale_change[0];
        to[SCALE_ACROSS] = self->wheels ? 0 : scale_change[1];
        const foot_out out = ask(self->law, &in);
        const foot_out out_dot = ask_change(self->law, &in, &change);
        f += out_dot.x[FORWARDS];
        l += out_dot.x[SIDEWAYS];
        m += (dz - by->c) * out.x[SIDEWAYS] - (dd - by->d) * out.x[FORWARDS] +
             (s.z - link->c) * out_dot.x[SIDEWAYS] - (s.d - link->d) * out_dot.x[FORWARDS] +
             out_dot.x[MOMENT];
        dot->usage = out_dot.x[USAGE];
        self->power_change.ground +=
            out_dot.x[FORWARDS] * given[ALONG] + out.x[FORWARDS] * to[ALONG] +
            out_dot.x[SIDEWAYS] * given[ACROSS] + out.x[SIDEWAYS] * to[ACROSS] +
            out_dot.x[MOMENT] * at->w + out.x[MOMENT] * dot->w;
    }
    dot->forwards = f;
    dot->lateral = l;
    dot->ground =
        flat_sum(flat_mix(f, at->e, l, n), flat_mix(at->forwards, dot->e, at->lateral, dn));
    dot->ground_moment = m;
    flat_add(&dot->F, dot->ground);
    dot->M += m;
}

static void push_link_adjoint(fa_sliding_self *self, const double value[], double adjoint[], int k,
                              double wanted_power)
{
    const fa_snake_link   *link = &self->snake.link[k];
    fa_snake_link         *sums = &self->snake.link_tangent[k];
    const fa_sliding_link *at = &self->at[k];
    fa_sliding_link       *bar = &self->dot[k];
    const fa_flat          n = flat_left(at->e), ground = flat_sum(bar->ground, bar->F);
    const double           m = bar->ground_moment + bar->M;
    const double           f = bar->forwards + flat_dot(ground, at->e);
    const double           l = bar->lateral + flat_dot(ground, n);
    flat_add(&bar->e, flat_mix(at->forwards, ground, -at->lateral, flat_left(ground)));
    for (int i = 0; i < self->n_holds; i++) {
        const fa_foothold *hold = &self->hold[i];
        const stand        s = stand_of(hold, link, at);
        double             scale[2];
        scale_by_patches(self, value, s.at, scale);
        const foot_in  in = foot_at(self, value, k, hold, &s, scale);
        const double  *given = in.x + self->n_numbers;
        foot_in        by;
        const double  *to = by.x + self->n_numbers;
        const foot_out out = ask(self->law, &in);
        foot_out       wanted;
        wanted.x[FORWARDS] = f - m * (s.d - link->d) + wanted_power * given[ALONG];
        wanted.x[SIDEWAYS] = l + m * (s.z - link->c) + wanted_power * given[ACROSS];
        wanted.x[MOMENT] = m + wanted_power * at->w;
        wanted.x[USAGE] = i == self->n_holds - 1 ? bar->usage : 0;
        laws[self->law].slopes(&in, &wanted, &by);
        for (int j = 0; j < self->n_numbers; j++)
            adjoint[self->foot[j] + k * self->foot_step[j]] += by.x[j];
        const double along = to[ALONG] + wanted_power * out.x[FORWARDS];
        const double across = to[ACROSS] + wanted_power * out.x[SIDEWAYS];
        bar->w += to[TURN] + wanted_power * out.x[MOMENT] + across * s.z - along * s.d;
        flat_add(&bar->V, flat_mix(along, at->e, across, n));
        flat_add(&bar->e, flat_mix(along, at->V, -across, flat_left(at->V)));
        sums->m += to[LOAD] * self->press;
        self->press_change += to[LOAD] * link->m;
        fa_flat      where = {0, 0};
        const double by_scale[2] = {to[SCALE_ALONG], self->wheels ? 0 : to[SCALE_ACROSS]};
        scale_adjoint(self, value, s.at, by_scale, adjoint, &where);
        flat_add(&bar->P, where);
        flat_add(&bar->e, flat_mix(s.z, where, -s.d, flat_left(where)));
        const double z = m * out.x[SIDEWAYS] + across * at->w + flat_dot(where, at->e);
        const double d = -m * out.x[FORWARDS] - along * at->w + flat_dot(where, n);
        sums->a += hold->a * z;
        sums->b += hold->b * z;
        sums->c += hold->c * z - m * out.x[SIDEWAYS];
        sums->d += hold->d * d + m * out.x[FORWARDS];
    }
}

// --------------------------------------------------------------------------------------- obstacles

// Returns the arguments of an obstacle's law: x, y, radius or normal; NULL without tangents.
static touch_in touch_at(const fa_sliding_self *self, const fa_sliding_thing *thing,
                         const double of[], const fa_snake_link *link, const fa_sliding_link *at,
                         int k, bool ahead)
{
    const int *row = self->snake.row;
    touch_in   in;
    memset(&in, 0, sizeof in);
    double *given = in.x + TOUCH_NUMBERS;
    for (int i = 0; i < TOUCH_NUMBERS; i++) in.x[i] = of[self->touch_row[i]];
    for (int i = 0; i < 5; i++) // CX to HY
        given[i] = thing->row[i] == FA_NO_ROW ? 0 : of[thing->row[i]];
    given[RADIUS] = of[row[FA_SNAKE_ROW_RADIUS] + k];
    given[REAR] = link->a;
    given[FRONT] = link->b;
    given[PX] = at->P.x;
    given[PY] = at->P.y;
    given[EX] = at->e.x;
    given[EY] = at->e.y;
    given[VX] = at->V.x;
    given[VY] = at->V.y;
    given[TOUCH_TURN] = at->w;
    in.law.flat = thing->kind == FA_THING_WALL;
    in.law.ahead = ahead;
    in.law.linear = in.law.exponent == 1;
    return in;
}

// Returns true if the link is so far from the peg that only the distance matters.
static bool is_far(const touch_in *in)
{
    const double *given = in->x + TOUCH_NUMBERS;
    const double  x = given[CX] - given[PX], y = given[CY] - given[PY];
    const double  reach = given[SIZE] + given[RADIUS] + fabs(given[REAR]) + fabs(given[FRONT]);
    return !in->law.flat && x * x + y * y > reach * reach;
}

static void touch_link(fa_sliding_self *self, const double value[], fa_sliding_thing *thing, int k,
                       bool ahead)
{
    const fa_snake_link *link = &self->snake.link[k];
    fa_sliding_link     *at = &self->at[k];
    const touch_in       in = touch_at(self, thing, value, link, at, k, ahead);
    fa_touch_out         out;
    touch_law(&in.law, &out);
    if (out.depth > thing->depth) {
        thing->depth = out.depth;
        thing->deepest = k;
        thing->ahead = ahead;
    }
    if (!(out.depth > 0) || is_far(&in)) return;
    const fa_flat force = flat(out.force_x, out.force_y);
    flat_add(&thing->force, force);
    flat_add(&at->F, force);
    at->M += out.moment - flat_cross(fa_sliding_centre(link, at), force);
    self->power.contact += out.power;
    self->power.stored += out.energy;
}

static void touch_link_tangent(fa_sliding_self *self, const double value[],
                               const double direction[], int thing_index, int k, bool ahead,
                               fa_flat *force_change)
{
    const fa_sliding_thing *thing = &self->thing[thing_index];
    const fa_snake_link    *link = &self->snake.link[k], *by = &self->snake.link_tangent[k];
    const fa_sliding_link  *at = &self->at[k];
    fa_sliding_link        *dot = &self->dot[k];
    const touch_in          in = touch_at(self, thing, value, link, at, k, ahead);
    if (is_far(&in)) return;
    const touch_in change = touch_at(self, thing, direction, by, dot, k, ahead);
    fa_touch_out   out, out_dot;
    touch_law(&in.law, &out);
    if (!(out.depth > 0)) return;
    touch_tangent(&in.law, &change.law, &out_dot);
    const fa_flat force = flat(out.force_x, out.force_y);
    const fa_flat force_dot = flat(out_dot.force_x, out_dot.force_y);
    const fa_flat r = fa_sliding_centre(link, at);
    const fa_flat dr = flat_sum(fa_sliding_centre(link, dot), fa_sliding_centre(by, at));
    flat_add(force_change, force_dot);
    flat_add(&dot->F, force_dot);
    dot->M += out_dot.moment - flat_cross(r, force_dot) - flat_cross(dr, force);
    self->power_change.contact += out_dot.power;
    self->power_change.stored += out_dot.energy;
}

// Maps the adjoints of a touch's arguments to those of their sources.
static void give_back(fa_sliding_self *self, const fa_sliding_thing *thing, int k,
                      const touch_in *by, double adjoint[])
{
    fa_snake_link   *sums = &self->snake.link_tangent[k];
    fa_sliding_link *bar = &self->dot[k];
    const double    *given = by->x + TOUCH_NUMBERS;
    const int       *row = self->snake.row;
    for (int i = 0; i < TOUCH_NUMBERS; i++) adjoint[self->touch_row[i]] += by->x[i];
    for (int i = 0; i < 5; i++)
        if (thing->row[i] != FA_NO_ROW) adjoint[thing->row[i]] += given[i];
    adjoint[row[FA_SNAKE_ROW_RADIUS] + k] += given[RADIUS];
    sums->a += given[REAR];
    sums->b += given[FRONT];
    flat_add(&bar->P, flat(given[PX], given[PY]));
    flat_add(&bar->e, flat(given[EX], given[EY]));
    flat_add(&bar->V, flat(given[VX], given[VY]));
    bar->w += given[TOUCH_TURN];
}

static void touch_link_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                               int thing_index, int k, bool ahead, const fa_sliding_power *wanted)
{
    const fa_sliding_thing *thing = &self->thing[thing_index];
    const fa_snake_link    *link = &self->snake.link[k];
    fa_snake_link          *sums = &self->snake.link_tangent[k];
    const fa_sliding_link  *at = &self->at[k];
    fa_sliding_link        *bar = &self->dot[k];
    const touch_in          in = touch_at(self, thing, value, link, at, k, ahead);
    fa_touch_out            out;
    touch_in                by;
    if (is_far(&in)) return;
    touch_law(&in.law, &out);
    if (!(out.depth > 0)) return;
    const fa_flat force = flat(out.force_x, out.force_y), r = fa_sliding_centre(link, at);
    // Adjoint of the moment about the centre of mass.
    fa_flat by_force = flat_mix(1, bar->F, -bar->M, flat_left(r));
    if (thing->force_row != FA_NO_ROW)
        flat_add(&by_force, flat(adjoint[thing->force_row], adjoint[thing->force_row + 1]));
    const fa_flat by_r = flat_times(bar->M, flat_left(force)); // adjoint of -cross(r, force)
    sums->c += flat_dot(by_r, at->e);
    sums->d += flat_dot(by_r, flat_left(at->e));
    flat_add(&bar->e, flat_mix(link->c, by_r, -link->d, flat_left(by_r)));
    const fa_touch_out want = {.force_x = by_force.x,
                               .force_y = by_force.y,
                               .moment = bar->M,
                               .power = wanted->contact,
                               .energy = wanted->stored};
    touch_adjoint(&in.law, &want, &by.law);
    give_back(self, thing, k, &by, adjoint);
}

double fa_sliding_depth_tangent(const fa_sliding_self *self, const double value[],
                                const double direction[], int thing_index)
{
    const fa_sliding_thing *thing = &self->thing[thing_index];
    const int               k = thing->deepest;
    const touch_in          in =
        touch_at(self, thing, value, &self->snake.link[k], &self->at[k], k, thing->ahead);
    const touch_in change = touch_at(self, thing, direction, &self->snake.link_tangent[k],
                                     &self->dot[k], k, thing->ahead);
    fa_touch_out   out;
    touch_tangent(&in.law, &change.law, &out);
    return out.depth;
}

void fa_sliding_depth_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                              int thing_index, double wanted)
{
    const fa_sliding_thing *thing = &self->thing[thing_index];
    const int               k = thing->deepest;
    const touch_in          in =
        touch_at(self, thing, value, &self->snake.link[k], &self->at[k], k, thing->ahead);
    const fa_touch_out want = {.depth = wanted};
    touch_in           by;
    touch_adjoint(&in.law, &want, &by.law);
    give_back(self, thing, k, &by, adjoint);
}

// --------------------------------------------------------------------------------------- together

// Returns the number of contact points: a peg has one per link, a wall one at either end.
static int ends(const fa_sliding_thing *thing)
{
    return thing->kind == FA_THING_WALL ? 2 : 1;
}

void fa_sliding_push(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n; k++) {
        const double m = self->snake.link[k].m;
        self->at[k].F = flat(m * self->pull_x, m * self->pull_y);
        self->at[k].M = 0;
        push_link(self, value, k);
    }
    for (int i = self->n_patches; i < self->n_things; i++) {
        fa_sliding_thing *thing = &self->thing[i];
        thing->depth = -INFINITY;
        thing->force = flat(0, 0);
        for (int k = 0; k < self->chain.n; k++)
            for (int end = 0; end < ends(thing); end++) touch_link(self, value, thing, k, end);
    }
}

void fa_sliding_push_tangent(fa_sliding_self *self, const double value[], const double direction[])
{
    for (int k = 0; k < self->chain.n; k++) {
        const double m = self->snake.link[k].m, dm = self->snake.link_tangent[k].m;
        self->dot[k].F = flat(dm * self->pull_x + m * self->pull_change_x,
                              dm * self->pull_y + m * self->pull_change_y);
        self->dot[k].M = 0;
        push_link_tangent(self, value, direction, k);
    }
    for (int i = self->n_patches; i < self->n_things; i++) {
        fa_flat change = {0, 0};
        for (int k = 0; k < self->chain.n; k++)
            for (int end = 0; end < ends(&self->thing[i]); end++)
                touch_link_tangent(self, value, direction, i, k, end, &change);
        self->thing[i].force_change = change;
    }
}

void fa_sliding_push_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                             const fa_sliding_power *wanted)
{
    for (int k = 0; k < self->chain.n; k++) {
        const fa_sliding_link *bar = &self->dot[k];
        const double           m = self->snake.link[k].m;
        self->snake.link_tangent[k].m += bar->F.x * self->pull_x + bar->F.y * self->pull_y;
        self->pull_change_x += m * bar->F.x;
        self->pull_change_y += m * bar->F.y;
        push_link_adjoint(self, value, adjoint, k, wanted->ground);
    }
    for (int i = self->n_patches; i < self->n_things; i++)
        for (int k = 0; k < self->chain.n; k++)
            for (int end = 0; end < ends(&self->thing[i]); end++)
                touch_link_adjoint(self, value, adjoint, i, k, end, wanted);
}
