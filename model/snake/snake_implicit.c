// Solves the linear equations of implicit integrators for a snake, (sigma - J) x = b, in time and
// memory proportional to the number of links.
//
// J is full, but structured. The derivatives of the angles are the links' rates, which follow from
// the base's motion by the recursion (6), (7) of the paper over the joints. The derivatives of the
// base's speed and rate, and the power, have one row each, which the adjoint sweep computes. With
// dtheta = (dw + b) / sigma in each link, the tangents obey a recursion, too: over a joint with C,
// S of its angle, with b of the link behind, a of the one in front, V and w of the point of
// linearisation,
//
//   forwards   (a - V'/sigma) dw' = S dV - (C b + V'/sigma) dw + V' q
//   backwards  (b + V/sigma) dw = S dV' - (C a - V/sigma) dw' + V q
//
// where a dash marks the link in front and q is the difference of both b, divided by sigma. So all
// angles and the base's speeds follow from dV, dw of one link, the pivot, for which two equations
// of motion remain. A change grows from link to link by |b + V/sigma| / |a - V'/sigma|. The pivot
// is the link with the least growth to all others, like the base in snake_shape.c.
#include <math.h>
#include <string.h>

#include "snake_plant.h"

// Largest growth of a change from the pivot to another link: six of the sixteen digits of a double.
// Beyond it the equations are refused; a shorter step, with a larger sigma, has less growth.
static const double growth_most = 1e6;

enum { ROWS = FA_SNAKE_LINEAR_ROWS }; // dense rows of J: speed, rate, work

// Results of a sweep besides the angles.
typedef struct sweep {
    double base[2]; // tangents of speed and rate of the base
    double first;   // tangent of the speed of link 1
    double most;    // largest tangent of any link, speeds relative to its lengths
} sweep;

static fa_status linearise(void *memory, const double value[], double direction[], fa_error *error)
{
    static const fa_snake_quantity of_row[ROWS] = {
        FA_SNAKE_ROW_SPEED_DERIVATIVE, FA_SNAKE_ROW_RATE_DERIVATIVE, FA_SNAKE_ROW_POWER};
    fa_snake_self   *self = memory;
    fa_snake_linear *linear = &self->linear;
    for (int i = 0; i < ROWS - !self->works; i++) {
        memset(direction, 0, ((size_t)self->time_row + 1) * sizeof *direction);
        direction[self->row[of_row[i]]] = 1;
        const fa_status status =
            fa_snake_adjoint(self, value, direction, FA_GROUP_DERIVATIVES, error);
        if (status != FA_OK) return status;
        memcpy(linear->row[i], direction + self->row[FA_SNAKE_ROW_ANGLE],
               (size_t)self->n_states * sizeof *linear->row[i]);
    }
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_motion *of = &self->motion[k];
        linear->link[k] =
            (fa_snake_turn){of->C, of->S, of->V, of->w, self->link[k].a, self->link[k].b};
    }
    linear->cosine = self->cosine[0];
    linear->sine = self->sine[0];
    return FA_OK;
}

static double product(int n, const double a[], const double b[])
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// ---------------------------------------------------------------------------------------- product

// Multiplies with J, from the base to both ends, at the given angles.
static void multiply(const void *memory, const double x[], double out[])
{
    const fa_snake_self   *self = memory;
    const fa_snake_linear *linear = &self->linear;
    const fa_snake_turn   *link = linear->link;
    const int              n = self->snake.n, base = self->snake.base;
    double                 V = x[n + 2], w = x[n + 3], first = V;
    out[base] = w;
    for (int k = base; k < n - 1; k++) {
        const fa_snake_turn *rear = &link[k], *front = &link[k + 1];
        const double         phi = x[k + 1] - x[k];
        const double turn = (rear->S * V - rear->C * rear->b * w + front->V * phi) / front->a;
        V = rear->C * V + rear->S * rear->b * w - front->a * front->w * phi;
        out[k + 1] = w = turn;
    }
    V = x[n + 2];
    w = x[n + 3];
    for (int k = base - 1; k >= 0; k--) {
        const fa_snake_turn *rear = &link[k], *front = &link[k + 1];
        const double         phi = x[k + 1] - x[k];
        const double turn = (rear->S * V - rear->C * front->a * w + rear->V * phi) / rear->b;
        V = rear->C * V + rear->S * front->a * w - rear->b * rear->w * phi;
        out[k] = w = turn;
        first = V;
    }
    out[n] = linear->cosine * first - linear->sine * link[0].V * x[0];
    out[n + 1] = linear->sine * first + linear->cosine * link[0].V * x[0];
    for (int i = 0; i < 2; i++) out[n + 2 + i] = product(self->n_states, linear->row[i], x);
    for (int i = n + 4; i < self->n_states; i++)
        out[i] = 0; // the derivative of the gait's angle depends on no state
    if (self->works) out[self->n_states - 1] = product(self->n_states, linear->row[2], x);
}

// --------------------------------------------------------------------------------------- solution

static void note(sweep *to, const fa_snake_self *self, int k, double V, double w)
{
    const fa_snake_turn *link = &self->linear.link[k];
    const double         size = fabs(V) + (fabs(link->a) + fabs(link->b)) * fabs(w);
    if (!(size <= to->most)) to->most = size; // also true if NaN
    if (k == self->snake.base) {
        to->base[0] = V;
        to->base[1] = w;
    }
    if (k == 0) to->first = V;
}

// Computes all angles, from the pivot's tangents of speed and rate and the right-hand side of the
// angles' own equations (NULL: zero).
static sweep go(const fa_snake_self *self, const double b[], double V0, double w0, double theta[])
{
    const fa_snake_linear *linear = &self->linear;
    const fa_snake_turn   *link = linear->link;
    const double           sigma = linear->sigma;
    const int              n = self->snake.n, pivot = linear->pivot;
    sweep                  to = {.most = 0};
    double                 V = V0, w = w0;
    theta[pivot] = (w + (b ? b[pivot] : 0)) / sigma;
    note(&to, self, pivot, V, w);
    for (int k = pivot; k < n - 1; k++) {
        const fa_snake_turn *rear = &link[k], *front = &link[k + 1];
        const double         q = b ? (b[k + 1] - b[k]) / sigma : 0, bend = front->V / sigma;
        const double         turn =
            (rear->S * V - (rear->C * rear->b + bend) * w + front->V * q) / (front->a - bend);
        V = rear->C * V + rear->S * rear->b * w - front->a * front->w * ((turn - w) / sigma + q);
        w = turn;
        theta[k + 1] = (w + (b ? b[k + 1] : 0)) / sigma;
        note(&to, self, k + 1, V, w);
    }
    V = V0;
    w = w0;
    for (int k = pivot - 1; k >= 0; k--) {
        const fa_snake_turn *rear = &link[k], *front = &link[k + 1];
        const double         q = b ? (b[k + 1] - b[k]) / sigma : 0, bend = rear->V / sigma;
        const double         turn =
            (rear->S * V - (rear->C * front->a - bend) * w + rear->V * q) / (rear->b + bend);
        V = rear->C * V + rear->S * front->a * w - rear->b * rear->w * ((w - turn) / sigma + q);
        w = turn;
        theta[k] = (w + (b ? b[k] : 0)) / sigma;
        note(&to, self, k, V, w);
    }
    return to;
}

// Returns the link with the least growth to all others.
static int find_pivot(const fa_snake_self *self, double sigma)
{
    const fa_snake_turn *link = self->linear.link;
    double               growth = 1; // growth since the best link so far
    int                  best = 0;
    for (int k = 0; k + 1 < self->snake.n; k++) {
        growth *= fabs((link[k].b + link[k].V / sigma) / (link[k + 1].a - link[k + 1].V / sigma));
        if (!(growth > 1)) continue;
        growth = 1;
        best = k + 1;
    }
    return best;
}

static bool factor(void *memory, double sigma)
{
    fa_snake_self   *self = memory;
    fa_snake_linear *linear = &self->linear;
    const int        n = self->snake.n;
    linear->sigma = sigma;
    linear->pivot = find_pivot(self, sigma);
    const fa_snake_turn *pivot = &linear->link[linear->pivot];
    // Scales the rate so that both unknowns move the ends of the link alike.
    const double unit = 1 / (fabs(pivot->a) + fabs(pivot->b));
    for (int j = 0; j < 2; j++) {
        const sweep by = go(self, NULL, j == 0 ? 1 : 0, j == 0 ? 0 : unit, linear->angle[j]);
        if (!(by.most <= growth_most)) return false;
        memcpy(linear->base[j], by.base, sizeof by.base);
        linear->first[j] = by.first;
        for (int i = 0; i < 2; i++)
            linear->N[i][j] = sigma * by.base[i] - product(n, linear->row[i], linear->angle[j]) -
                              product(2, linear->row[i] + n + 2, by.base);
    }
    linear->determinant = linear->N[0][0] * linear->N[1][1] - linear->N[0][1] * linear->N[1][0];
    return fabs(linear->determinant) > 0 && isfinite(1 / linear->determinant);
}

// The derivative of the gait's angle depends on no state, and no derivative depends on the work.
static void solve(void *memory, double b[])
{
    fa_snake_self         *self = memory;
    const fa_snake_linear *linear = &self->linear;
    const int              n = self->snake.n, last = self->n_states - self->works;
    const double           sigma = linear->sigma;
    double                *theta = linear->spare, r[2], z[2];
    const sweep            own = go(self, b, 0, 0, theta);
    for (int i = n + 4; i < last; i++) b[i] /= sigma;
    for (int i = 0; i < 2; i++)
        r[i] = b[n + 2 + i] - sigma * own.base[i] + product(n, linear->row[i], theta) +
               product(2, linear->row[i] + n + 2, own.base) +
               product(last - n - 4, linear->row[i] + n + 4, b + n + 4);
    z[0] = (r[0] * linear->N[1][1] - r[1] * linear->N[0][1]) / linear->determinant;
    z[1] = (r[1] * linear->N[0][0] - r[0] * linear->N[1][0]) / linear->determinant;

    for (int k = 0; k < n; k++)
        b[k] = theta[k] + z[0] * linear->angle[0][k] + z[1] * linear->angle[1][k];
    for (int i = 0; i < 2; i++)
        b[n + 2 + i] = own.base[i] + z[0] * linear->base[0][i] + z[1] * linear->base[1][i];
    const double first = own.first + z[0] * linear->first[0] + z[1] * linear->first[1];
    const double turn = linear->link[0].V * b[0];
    b[n] = (b[n] + linear->cosine * first - linear->sine * turn) / sigma;
    b[n + 1] = (b[n + 1] + linear->sine * first + linear->cosine * turn) / sigma;
    if (!self->works) return;
    b[last] =
        (b[last] + product(n, linear->row[2], b) + product(2, linear->row[2] + n + 2, b + n + 2) +
         product(last - n - 4, linear->row[2] + n + 4, b + n + 4)) /
        sigma;
}

const fa_implicit fa_snake_implicit = {linearise, multiply, factor, solve};
