// Writes C for one robot's forward dynamics: Pinocchio's articulated bodies with CasADi's symbols
// for numbers, then CasADi's generator. What people do today for the fastest code of one robot.
//
//     peer_casadi robot.txt      writes casadi_robot.c in the current folder
#include <pinocchio/autodiff/casadi.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include "pinocchio_model.hpp"

int main(int argc, char *argv[])
{
    using Symbol = ::casadi::SX;
    using Symbols = Eigen::Matrix<Symbol, Eigen::Dynamic, 1>;
    for (int a = 1; a < argc; a++) {
        const peer_robot           r = peer_read(argv[a]);
        const auto                 model = build(r).cast<Symbol>();
        pinocchio::DataTpl<Symbol> data(model);
        const Symbol               q = Symbol::sym("q", r.n), qd = Symbol::sym("qd", r.n),
                     tau = Symbol::sym("tau", r.n);
        Symbols x(r.n), v(r.n), t(r.n);
        for (int i = 0; i < r.n; i++) x[i] = q(i), v[i] = qd(i), t[i] = tau(i);
        pinocchio::aba(model, data, x, v, t, pinocchio::Convention::LOCAL);
        Symbol qdd(r.n, 1);
        for (int i = 0; i < r.n; i++) qdd(i) = data.ddq[i];
        qdd = Symbol::cse(std::vector<Symbol>{qdd})[0];
        ::casadi::Function f("forward", {q, qd, tau}, {qdd});
        f.generate("casadi_" + std::string(r.name) + ".c");
    }
    return 0;
}
