// Pinocchio's articulated bodies, in both of its conventions, and their derivatives, by the headers of
// its wheel.
#include <pinocchio/fwd.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include "pinocchio_model.hpp"

namespace
{

using Vector = Eigen::Map<const Eigen::VectorXd>;

struct Arm {
    pinocchio::Model model;
    pinocchio::Data  data;
    Eigen::VectorXd  q, qd, tau;
};

template <pinocchio::Convention convention>
void forward(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int n = arm.model.nv;
    arm.q = Vector(q, n);
    arm.qd = Vector(qd, n);
    arm.tau = Vector(tau, n);
    Eigen::Map<Eigen::VectorXd>(qdd, n) =
        pinocchio::aba(arm.model, arm.data, arm.q, arm.qd, arm.tau, convention);
}

// The accelerations, and how they change with q, qd and tau.
void derivatives(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int n = arm.model.nv;
    arm.q = Vector(q, n);
    arm.qd = Vector(qd, n);
    arm.tau = Vector(tau, n);
    pinocchio::computeABADerivatives(arm.model, arm.data, arm.q, arm.qd, arm.tau);
    Eigen::Map<Eigen::VectorXd>(qdd, n) = arm.data.ddq;
}

} // namespace

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot       r = peer_read(argv[a]);
        const pinocchio::Model model = build(r);
        const Eigen::VectorXd  zero = Eigen::VectorXd::Zero(r.n);
        Arm                    arm{model, pinocchio::Data(model), zero, zero, zero};
        peer_report("pinocchio aba local", forward<pinocchio::Convention::LOCAL>, &arm, &r);
        peer_report("pinocchio aba world", forward<pinocchio::Convention::WORLD>, &arm, &r);
        peer_report("derivatives pinocchio", derivatives, &arm, &r);
    }
    return 0;
}
