// fa_count: the methods with numbers that count.
#include <type_traits>
#include <vector>

#include "counted.hpp"
#include "read_twice.hpp"
#define double counted
namespace counted_model {
#include "dynamics.h"
}
#undef double
#include "convert.hpp"

namespace plain {
#define FA_DYNAMICS_H // scalar.h finds the methods' headers read
#include "scalar.h"
} // namespace plain

counted::tally counted::executed, counted::online;

static counted of_robot(double x)
{
    return counted(x, counted::robot);
}

static counted of_geometry(double x)
{
    return x == 0 || x == 1 || x == -1 ? counted(x) : of_robot(x);
}

static plain::fa_operations operations(counted::tally t)
{
    return {t.products + t.quotients + t.roots, t.sums, t.sines};
}

extern "C" plain::fa_status fa_count(const char *name, plain::fa_question question,
                                     const plain::fa_chain *from, plain::fa_operations *executed,
                                     plain::fa_operations *online)
{
    using namespace counted_model;
    const converted_chain<counted, fa_chain> robot(from, of_geometry, of_robot);
    const fa_chain  *chain = &robot.chain;
    const fa_method *m = fa_method_find(name);
    if (!m || !fa_method_fits(m, chain)) return plain::FA_UNFIT;

    const size_t              n = from->n_coordinates;
    std::vector<counted>      q(n), qd(n), x(n), answer(n * n + n);
    std::vector<max_align_t>  work(m->work_size(chain) / sizeof(max_align_t) + 1);
    for (size_t i = 0; i < n; i++) { // any state: no count depends on the values
        q[i] = counted(0.3 + 0.1 * i, counted::state);
        qd[i] = counted(0.7 - 0.2 * i, counted::state);
        x[i] = counted(1.1 + 0.3 * i, counted::state);
    }
    const std::vector<counted> zero(n);

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
    *executed = operations(counted::executed);
    *online = operations(counted::online);
    return static_cast<plain::fa_status>(status);
}
