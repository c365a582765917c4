// fa_count_snake: the snake's methods with numbers that count.
#include "buffer.hpp"
#include "counted.hpp"
#include "read_twice.hpp"
#define double counted
namespace counted_model
{
#include "snake_methods.h"
}
#undef double

namespace plain
{
#define FA_DYNAMICS_H // the methods' headers have been read
#define FA_CHAIN_H
#include "counts.h"
} // namespace plain

using namespace counted_model;

// The rows of fa_snake_methods. The table itself lies beside the rules on snakes, whose sentences
// need numbers as text.
static const struct {
    const char          *name;
    fa_snake_forward_fn *forward;
    size_t (*work_size)(int n_links);
} rows[] = {
    {"kane", fa_snake_kane, fa_snake_kane_work_size},
    {"kane-paper", fa_snake_kane_paper, fa_snake_kane_paper_work_size},
    {"lagrange", fa_snake_lagrange, fa_snake_lagrange_work_size},
    {"newton-euler", fa_snake_newton_euler, fa_snake_newton_euler_work_size},
};

extern "C" plain::fa_status fa_count_snake(const char *method, const plain::fa_snake *from,
                                           bool wheel_forces, plain::fa_operations *executed,
                                           plain::fa_operations *online)
{
    const size_t n = from->n;
    for (const auto &row : rows) {
        if (strcmp(row.name, method) != 0) continue;
        buffer<fa_snake_link>  link(n);
        buffer<fa_snake_joint> joint(n);
        buffer<counted>        theta(n), torque(n), lambda(n);
        buffer<max_align_t>    work(row.work_size(from->n) / sizeof(max_align_t) + 1);
        if (link.missing() || joint.missing() || theta.missing() || torque.missing() ||
            lambda.missing() || work.missing())
            return plain::FA_NO_MEMORY;
        for (size_t k = 0; k < n; k++) { // any state: no count depends on the values
            const plain::fa_snake_link &a = from->link[k];
            link[k].a = of_geometry(a.a);
            link[k].b = of_geometry(a.b);
            link[k].c = of_geometry(a.c);
            link[k].d = of_geometry(a.d);
            link[k].m = of_robot(a.m);
            link[k].I = of_robot(a.I);
            if (k + 1 < n) joint[k].rotor = of_geometry(from->joint[k].rotor);
            theta[k] = counted(k % 2 ? 0.5 : -0.5, counted::state);
            torque[k] = counted(0.1 + 0.1 * k, counted::state);
        }
        const fa_snake        snake = {from->n, from->base, link.data(), joint.data(), 0};
        const fa_snake_forces forces = {torque.data(), nullptr, nullptr, nullptr};
        const counted         u[2] = {counted(1.5, counted::state), counted(2, counted::state)};
        counted               ud[2];

        counted::executed = counted::online = counted::tally();
        const fa_status status = row.forward(&snake, theta.data(), u, &forces, ud,
                                             wheel_forces ? lambda.data() : nullptr, work.data());
        *executed = operations<plain::fa_operations>(counted::executed);
        *online = operations<plain::fa_operations>(counted::online);
        return static_cast<plain::fa_status>(status);
    }
    return plain::FA_UNFIT;
}
