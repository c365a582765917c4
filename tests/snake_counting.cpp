#include "snake_counting.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdbool.h>
#include <string.h>
#include <vector>

#include "status.h"

// Used by one test, in one thread.
static operations done;

// Trivial, like a double: work memory becomes numbers by a cast.
struct counted {
    double value;
    counted() = default;
    counted(double of) : value(of)
    {
    }
};

static counted operator+(counted a, counted b)
{
    return done.add++, a.value + b.value;
}
static counted operator-(counted a, counted b)
{
    return done.add++, a.value - b.value;
}
static counted operator*(counted a, counted b)
{
    return done.multiply++, a.value * b.value;
}
static counted operator/(counted a, counted b)
{
    return done.divide++, a.value / b.value;
}
static counted operator-(counted a)
{
    return -a.value;
}
static counted &operator+=(counted &a, counted b)
{
    return a = a + b;
}
static counted &operator-=(counted &a, counted b)
{
    return a = a - b;
}
static counted &operator/=(counted &a, counted b)
{
    return a = a / b;
}
static bool operator==(counted a, counted b)
{
    return a.value == b.value;
}
static bool operator!=(counted a, counted b)
{
    return a.value != b.value;
}
static bool operator>(counted a, counted b)
{
    return a.value > b.value;
}
static bool operator<(counted a, counted b)
{
    return a.value < b.value;
}
static counted cos(counted a)
{
    return done.other++, std::cos(a.value);
}
static counted sin(counted a)
{
    return done.other++, std::sin(a.value);
}
static counted sqrt(counted a)
{
    return done.other++, std::sqrt(a.value);
}
static bool isfinite(counted a)
{
    return std::isfinite(a.value);
}

// In place of model/sincos.h, whose polynomials are as the library's.
#define FA_SINCOS_H
static void fa_sincos(counted x, counted *sine, counted *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

#define double counted
namespace counting
{
#include "snake_forces.c"
#include "snake_kane.c"
#include "snake_kkt.c"
namespace paper
{
#include "snake_kane_paper.c"
}
namespace lagrange
{
#include "snake_lagrange.c"
}
namespace newton_euler
{
#include "snake_newton_euler.c"
}
} // namespace counting
#undef double

using namespace counting;

operations snake_operations(int method, int n)
{
    fa_snake_forward_fn *const forward[] = {fa_snake_kane, paper::fa_snake_kane_paper,
                                            lagrange::fa_snake_lagrange,
                                            newton_euler::fa_snake_newton_euler};
    size_t (*const work_size[])(int) = {
        fa_snake_kane_work_size, paper::fa_snake_kane_paper_work_size,
        lagrange::fa_snake_lagrange_work_size, newton_euler::fa_snake_newton_euler_work_size};

    std::vector<fa_snake_link>  link(n);
    std::vector<fa_snake_joint> joint(n);
    std::vector<counted>        theta(n), torque(n);
    for (int k = 0; k < n; k++) {
        link[k].a = link[k].b = 0.1;
        link[k].c = link[k].d = 0;
        link[k].m = 1;
        link[k].I = 0.005;
        joint[k].rotor = 0;
        theta[k] = k % 2 ? 0.5 : -0.5;
        torque[k] = 0.1 * k;
    }
    fa_snake              snake = {n, 0, link.data(), joint.data(), 0};
    const fa_snake_forces forces = {torque.data(), NULL};
    const counted         u[2] = {1, 2};
    counted               ud[2];
    void                 *work = std::malloc(work_size[method](n));

    done = {0, 0, 0, 0};
    const fa_status status = forward[method](&snake, theta.data(), u, &forces, ud, NULL, work);
    std::free(work);
    if (status != FA_OK) return {-1, -1, -1, -1};
    return done;
}
