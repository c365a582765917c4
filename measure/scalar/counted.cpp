// fa_count: the methods with numbers that count.
#include <type_traits>

#include "buffer.hpp"
#include "counted.hpp"
#include "read_twice.hpp"
#define double counted
namespace counted_model
{
#include "dynamics.h"
#include "gibbs_appell.h"
} // namespace counted_model
#undef double
#include "convert.hpp"

namespace counted_model
{
extern "C++" size_t fa_gibbs_appell_work_size(const fa_chain *chain);
}

namespace plain
{
#define FA_DYNAMICS_H // the methods' headers have been read
#define FA_SNAKE_H
#include "counts.h"
} // namespace plain

counted::tally counted::executed, counted::online;

extern "C" const char *fa_counts_missing(void)
{
    return nullptr;
}

extern "C" plain::fa_status fa_count(const char *name, plain::fa_question question,
                                     const plain::fa_chain *from, plain::fa_operations *executed,
                                     plain::fa_operations *online)
{
    using namespace counted_model;
    converted_chain<counted, fa_chain> robot(from, of_geometry, of_robot);
    if (robot.missing()) return plain::FA_NO_MEMORY;
    const counted rate(0.4, counted::state); // of ground that moves; no count depends on it
    robot.chain.base_moves = from->base_moves;
    robot.chain.base_rate = {rate, rate, rate};
    robot.chain.base_acceleration = {{rate, rate, rate}, {rate, rate, rate}};
    const fa_chain  *chain = &robot.chain;
    const fa_method *m = fa_method_find(name);
    if (!m || !fa_method_fits(m, chain)) return plain::FA_UNFIT;

    const size_t        n = from->n_coordinates;
    buffer<counted>     q(n), qd(n), x(n), zero(n), answer(n * n + n);
    buffer<max_align_t> work(m->work_size(chain) / sizeof(max_align_t) + 1);
    if (q.missing() || qd.missing() || x.missing() || zero.missing() || answer.missing() ||
        work.missing())
        return plain::FA_NO_MEMORY;
    for (size_t i = 0; i < n; i++) { // any state: no count depends on the values
        q[i] = counted(0.3 + 0.1 * i, counted::state);
        qd[i] = counted(0.7 - 0.2 * i, counted::state);
        x[i] = counted(1.1 + 0.3 * i, counted::state);
    }

    counted::executed = counted::online = counted::tally();
    fa_status status = FA_UNFIT;
    if (question == plain::FA_FORWARD && m->forward)
        status = m->forward(chain, &q[0], &qd[0], &x[0], nullptr, &answer[0], &work[0]);
    if (question == plain::FA_INVERSE && m->inverse)
        status = m->inverse(chain, &q[0], &qd[0], &x[0], nullptr, &answer[0], &work[0]);
    if (question == plain::FA_BIAS && m->inverse)
        status = m->inverse(chain, &q[0], &qd[0], &zero[0], nullptr, &answer[0], &work[0]);
    if (question == plain::FA_MATRIX && m->mass_matrix)
        status = m->mass_matrix(chain, &q[0], &answer[0], &work[0]);
    *executed = operations<plain::fa_operations>(counted::executed);
    *online = operations<plain::fa_operations>(counted::online);
    return static_cast<plain::fa_status>(status);
}

// Runs the steps of a list one by one and writes down what each has cost.
template <class Step, class Problem>
static void count_steps(const Step steps[], int n, Problem *problem, plain::fa_step_count *count)
{
    for (int i = 0; i < n; i++) {
        counted::online = counted::tally();
        steps[i].run(problem);
        const plain::fa_operations of = operations<plain::fa_operations>(counted::online);
        count[i] = {steps[i].name, steps[i].paper, plain::fa_products(of), of.additions};
    }
}

extern "C" int fa_count_gibbs_steps(plain::fa_question question, const plain::fa_chain *from,
                                    plain::fa_step_count count[plain::FA_STEPS_MAX])
{
    using namespace counted_model;
    const converted_chain<counted, fa_chain> robot(from, of_geometry, of_robot);
    if (robot.missing()) return 0;
    const fa_chain *chain = &robot.chain;

    const size_t        n = from->n;
    buffer<counted>     q(n), qd(n), qdd(n), answer(n * n + n);
    buffer<max_align_t> work(fa_gibbs_appell_work_size(chain) / sizeof(max_align_t) + 1);
    if (q.missing() || qd.missing() || qdd.missing() || answer.missing() || work.missing())
        return 0;
    for (size_t i = 0; i < n; i++) q[i] = qd[i] = qdd[i] = counted(0.3 + 0.1 * i, counted::state);
    if (question == plain::FA_INVERSE) {
        auto p = fa_gibbs_inverse_of(chain, &q[0], &qd[0], &qdd[0], nullptr, &answer[0], &work[0]);
        count_steps(fa_gibbs_inverse_tangents, fa_gibbs_inverse_step_count, &p, count);
        return fa_gibbs_inverse_step_count;
    }
    auto p = fa_gibbs_matrix_of(chain, &q[0], &answer[0], &work[0]);
    count_steps(fa_gibbs_matrix_tangents, fa_gibbs_matrix_step_count, &p, count);
    return fa_gibbs_matrix_step_count;
}
