// fa_single: the methods in single precision.
#include <type_traits>

#include "buffer.hpp"
#include "single.hpp"
#include "read_twice.hpp"
#define double single
namespace single_model {
#include "dynamics.h"
#include "gauss_jordan.h"
}
#undef double
#include "convert.hpp"

namespace plain {
#define FA_DYNAMICS_H // the methods' headers have been read
#define FA_SNAKE_H
#include "single_precision.h"
} // namespace plain

static single rounded(double x)
{
    return single(x);
}

extern "C" plain::fa_status fa_single(const char *name, plain::fa_question question,
                                      const plain::fa_chain *from, const double q_in[],
                                      const double qd_in[], const double x_in[], double answer[])
{
    using namespace single_model;
    const converted_chain<single, fa_chain> robot(from, rounded, rounded);
    if (robot.missing()) return plain::FA_NO_MEMORY;
    const fa_chain  *chain = &robot.chain;
    const fa_method *m = fa_method_find(name);
    if (!m || !fa_method_fits(m, chain)) return plain::FA_UNFIT;

    const size_t        n = from->n_coordinates, answers = question == plain::FA_MATRIX ? n * n : n;
    const bool          matrix = question == plain::FA_MATRIX;
    buffer<single>      q(n), qd(n), x(n), got(answers);
    buffer<max_align_t> work(m->work_size(chain) / sizeof(max_align_t) + 1);
    if (q.missing() || qd.missing() || x.missing() || got.missing() || work.missing())
        return plain::FA_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        q[i] = single(q_in[i]);
        if (!matrix) qd[i] = single(qd_in[i]);
        if (question == plain::FA_FORWARD || question == plain::FA_INVERSE) x[i] = single(x_in[i]);
    }
    fa_status status = FA_UNFIT;
    if (question == plain::FA_FORWARD && m->forward)
        status = m->forward(chain, &q[0], &qd[0], &x[0], nullptr, &got[0], &work[0]);
    if ((question == plain::FA_INVERSE || question == plain::FA_BIAS) && m->inverse)
        status = m->inverse(chain, &q[0], &qd[0], &x[0], nullptr, &got[0], &work[0]);
    if (matrix && m->mass_matrix) status = m->mass_matrix(chain, &q[0], &got[0], &work[0]);
    for (size_t i = 0; i < answers; i++) answer[i] = got[i].value;
    return static_cast<plain::fa_status>(status);
}

extern "C" plain::fa_status fa_single_gauss_jordan(int n, const double A[], const double b[],
                                                   double x[])
{
    const size_t   entries = static_cast<size_t>(n) * n;
    buffer<single> rounded_A(entries), rounded_b(n);
    if (rounded_A.missing() || rounded_b.missing()) return plain::FA_NO_MEMORY;
    for (size_t i = 0; i < entries; i++) rounded_A[i] = single(A[i]);
    for (int i = 0; i < n; i++) rounded_b[i] = single(b[i]);
    const auto status = single_model::fa_gauss_jordan_solve(n, &rounded_A[0], &rounded_b[0]);
    for (int i = 0; i < n; i++) x[i] = rounded_b[i].value;
    return static_cast<plain::fa_status>(status);
}
