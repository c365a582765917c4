// Times derivatives against Pinocchio's in the same program, compiled by the same compiler
// with the same flags. bench/derivatives/run builds and runs it; docs/performance.md has the
// figures.
//
//     derivatives ROBOT[:JOINT=VALUE]
//
// Rotors and friction are left out, which Pinocchio leaves to its callers. Before anything is
// measured, all must agree. Where code for this robot alone is linked in, it is measured, too.
//
// Throughput: calls one after the other on different states. Latency: the positions of each call
// depend on the results of the last.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <pinocchio/fwd.hpp>

#include <pinocchio/multibody.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

extern "C" {
#include "arm.h"
#include "cholesky.h"
#include "derivatives.h"
#include "dynamics.h"
#include "fast.h"
#include "jacobians.h"
#include "measure.h"
#include "methods.h"
}

namespace
{

enum { STATES = 16 };

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double between(double low, double high) // SplitMix64 (Steele, Lea and Flood 2014)
{
    static uint64_t seed = 7;
    uint64_t        z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return low + (high - low) * static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
}

// One robot with random states, for them and for us.
struct Arm {
    std::string            name;
    fa_chain               chain;
    fa_fast               *lanes, *special; // special: NULL if there is no code for it alone
    bool                   waits;           // for the last call's results
    pinocchio::Model       model;
    pinocchio::Data        data;
    Vector                 q[STATES], qd[STATES], tau[STATES], qdd[STATES];
    Eigen::MatrixXd        their_q, their_qd, their_tau;
    Matrix                 by_q, by_qd, by_tau;
    Vector                 result, step, place;
    std::vector<double>    work, factor;
    std::vector<fa_motion> motion;
    std::vector<fa_motion_tangent> motion_step;
    std::vector<fa_motion_adjoint> motion_slope;
};

pinocchio::SE3 place(const fa_transform &X)
{
    Eigen::Matrix3d E;
    for (int i = 0; i < 9; i++) E(i / 3, i % 3) = X.E.m[i / 3][i % 3];
    return pinocchio::SE3(E.transpose(), Eigen::Vector3d(X.r.x, X.r.y, X.r.z));
}

pinocchio::Model model_of(const fa_chain &chain)
{
    using namespace pinocchio;
    Model model;
    model.gravity.linear() = Eigen::Vector3d(chain.gravity.x, chain.gravity.y, chain.gravity.z);
    for (int i = 0; i < chain.n; i++) {
        const fa_body        &b = chain.body[i];
        const JointIndex      parent = static_cast<JointIndex>(b.parent + 1);
        const Eigen::Vector3d axis(b.axis.x, b.axis.y, b.axis.z);
        const std::string     name = "joint" + std::to_string(i);
        const SE3             home = place(b.home);
        JointIndex            at;
        if (fa_joint_slides(b.joint))
            at = model.addJoint(parent, JointModelPrismaticUnaligned(axis), home, name);
        else if (axis[0] == 1) // those that know their axis are faster
            at = model.addJoint(parent, JointModelRX(), home, name);
        else if (axis[1] == 1)
            at = model.addJoint(parent, JointModelRY(), home, name);
        else if (axis[2] == 1)
            at = model.addJoint(parent, JointModelRZ(), home, name);
        else
            at = model.addJoint(parent, JointModelRevoluteUnaligned(axis), home, name);
        const fa_vec3   c = inertia_centre(b.inertia);
        const fa_sym3   t = inertia_about_centre(b.inertia);
        Eigen::Matrix3d I;
        I << t.xx, t.xy, t.xz, t.xy, t.yy, t.yz, t.xz, t.yz, t.zz;
        model.appendBodyToJoint(at, Inertia(b.inertia.mass, Eigen::Vector3d(c.x, c.y, c.z), I),
                                SE3::Identity());
    }
    return model;
}

// The positions of a call. What is added changes no bit of them.
const Vector &positions(Arm &arm, int s)
{
    if (!arm.waits) return arm.q[s];
    const Eigen::Index last = arm.result.size() - 1;
    const double       sum = arm.result[last] + arm.by_q(last, last) + arm.by_qd(last, last) +
                       arm.by_tau(last, last) + arm.their_q(last, last) + arm.their_qd(last, last) +
                       arm.their_tau(last, last);
    arm.place = arm.q[s].array() + 1e-40 * sum;
    return arm.place;
}

// -------------------------------------------------------------------------------------- our calls

fa_jacobians ours(Arm &arm)
{
    return fa_jacobians{arm.by_q.data(), arm.by_qd.data(), arm.by_tau.data()};
}

void forward_at(Arm &arm, const Vector &q, int s)
{
    fa_method_forward(&arm.chain)
        ->forward(&arm.chain, q.data(), arm.qd[s].data(), arm.tau[s].data(), nullptr,
                  arm.result.data(), arm.work.data());
}

void forward(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    forward_at(arm, positions(arm, s), s);
}

// Accelerations and all their derivatives, as computeABADerivatives gives them.
void readable(void *self, long turn)
{
    Arm          &arm = *static_cast<Arm *>(self);
    const int     s = static_cast<int>(turn % STATES);
    const Vector &q = positions(arm, s);
    forward_at(arm, q, s);
    fa_forward_jacobians(&arm.chain, q.data(), arm.qd[s].data(), arm.result.data(), nullptr,
                         fa_load_turn{nullptr}, ours(arm), arm.work.data());
}

// The same as FMUs call it; NaN where this is left to the readable methods.
void fast(Arm &arm, const fa_fast *method, long turn)
{
    const int     s = static_cast<int>(turn % STATES);
    const Vector &q = positions(arm, s);
    if (fa_fast_forward(method, q.data(), arm.qd[s].data(), arm.tau[s].data(), nullptr,
                        arm.result.data()) != FA_OK ||
        fa_fast_jacobians(method, q.data(), arm.qd[s].data(), arm.result.data(), arm.by_q.data(),
                          arm.by_qd.data(), arm.by_tau.data()) != FA_OK)
        arm.by_q(0, 0) = NAN;
}

void in_lanes(void *self, long turn)
{
    Arm &arm = *static_cast<Arm *>(self);
    fast(arm, arm.lanes, turn);
}

void specialised(void *self, long turn)
{
    Arm &arm = *static_cast<Arm *>(self);
    fast(arm, arm.special, turn);
}

void inverse_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    fa_inverse_jacobians(&arm.chain, positions(arm, s).data(), arm.qd[s].data(), arm.qdd[s].data(),
                         nullptr, fa_load_turn{nullptr}, ours(arm), arm.work.data());
}

// The factor of the mass matrix that the directions below share.
void factor(Arm &arm, int s)
{
    fa_composite_body_mass_matrix(&arm.chain, arm.q[s].data(), arm.factor.data(), arm.work.data());
    fa_cholesky_factor(arm.chain.n_coordinates, arm.factor.data());
}

// One direction, with everything that it needs but the factor: in the first state.
void tangent(void *self, long)
{
    Arm          &arm = *static_cast<Arm *>(self);
    const double *step = arm.step.data();
    fa_tangent    all = {};
    all.joint = fa_joint_tangent{step, step, nullptr};
    all.tau = step;
    fa_chain_motion(&arm.chain, arm.q[0].data(), arm.qd[0].data(), arm.qdd[0].data(),
                    arm.motion.data());
    fa_chain_motion_tangent(&arm.chain, arm.qd[0].data(), arm.qdd[0].data(), arm.motion.data(),
                            all.joint, arm.motion_step.data());
    fa_forward_tangent(&arm.chain, arm.qdd[0].data(), nullptr, arm.motion.data(), &all,
                       arm.motion_step.data(), arm.factor.data(), arm.result.data(),
                       arm.work.data());
}

// ------------------------------------------------------------------------------------ their calls

void their_forward(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::aba(arm.model, arm.data, positions(arm, s), arm.qd[s], arm.tau[s],
                   pinocchio::Convention::WORLD);
}

void their_forward_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::computeABADerivatives(arm.model, arm.data, positions(arm, s), arm.qd[s], arm.tau[s],
                                     arm.their_q, arm.their_qd, arm.their_tau);
}

void their_inverse_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::computeRNEADerivatives(arm.model, arm.data, positions(arm, s), arm.qd[s], arm.qdd[s],
                                      arm.their_q, arm.their_qd, arm.their_tau);
}

// ---------------------------------------------------------------------------------------- the run

double apart(const Eigen::MatrixXd &theirs, const Matrix &mine)
{
    return (theirs - Eigen::MatrixXd(mine)).cwiseAbs().maxCoeff() / mine.cwiseAbs().maxCoeff();
}

// Computes q'' and its derivatives by q, qd and tau. NULL: not for this robot.
struct Row {
    const char *name;
    void (*run)(void *, long);
};

std::vector<Row> all_derivatives(const Arm &arm)
{
    std::vector<Row> row = {{"readable", readable}};
    if (arm.lanes) row.push_back({"in lanes", in_lanes});
    if (arm.special) row.push_back({"specialised", specialised});
    return row;
}

bool agree(Arm &arm)
{
    double worst = 0;
    for (int s = 0; s < STATES; s++) {
        for (const Row &row : all_derivatives(arm)) {
            row.run(&arm, s);
            arm.qdd[s] = arm.result;
            their_forward_jacobians(&arm, s);
            arm.their_tau.triangularView<Eigen::StrictlyLower>() =
                arm.their_tau.transpose().triangularView<Eigen::StrictlyLower>();
            for (const double off :
                 {apart(arm.their_q, arm.by_q), apart(arm.their_qd, arm.by_qd),
                  apart(arm.their_tau, arm.by_tau), apart(arm.data.ddq, arm.result)})
                if (!(off <= worst)) worst = off; // NaN, too
        }
    }
    factor(arm, 0);
    readable(&arm, 0);
    const Vector want = arm.by_q * arm.step + arm.by_qd * arm.step + arm.by_tau * arm.step;
    tangent(&arm, 0);
    worst = std::max(worst, (want - arm.result).cwiseAbs().maxCoeff() / want.cwiseAbs().maxCoeff());
    std::fprintf(stderr, "%s: all agree to %.1e of the largest element\n", arm.name.c_str(), worst);
    return worst < 1e-8; // rounding times the condition of the mass matrix
}

// One line of the table: throughput and latency [ns], and instructions.
struct Cost {
    double throughput, latency, instructions;
};

Cost cost(Arm &arm, const char *name, void (*run)(void *, long))
{
    const fa_measured call = {run, &arm};
    Cost              c;
    arm.waits = false;
    c.throughput = fa_measure_seconds(&call, 0.5) * 1e9;
    c.instructions = fa_measure_instructions(fa_counter_find(), &call, 2e6);
    arm.waits = true;
    c.latency = fa_measure_seconds(&call, 0.5) * 1e9;
    arm.waits = false;
    std::printf("%s,%d,%s,%.1f,%.1f,%.0f\n", arm.name.c_str(), arm.chain.n, name, c.throughput,
                c.latency, c.instructions);
    std::fflush(stdout);
    return c;
}

void measure(Arm &arm)
{
    const Cost theirs = cost(arm, "pinocchio computeABADerivatives", their_forward_jacobians);
    for (const Row &row : all_derivatives(arm)) {
        const std::string name = std::string("forward dynamics with all derivatives: ") + row.name;
        const Cost        c = cost(arm, name.c_str(), row.run);
        std::fprintf(stderr,
                     "%-28s %-12s %6.0f ns, %5.2f times as fast as computeABADerivatives; "
                     "latency %6.0f ns, %5.2f times; %5.2f times fewer instructions\n",
                     arm.name.c_str(), row.name, c.throughput, theirs.throughput / c.throughput,
                     c.latency, theirs.latency / c.latency, theirs.instructions / c.instructions);
    }
    const Row row[] = {{"forward dynamics", forward},
                       {"one directional derivative", tangent},
                       {"all derivatives of inverse dynamics", inverse_jacobians},
                       {"pinocchio aba", their_forward},
                       {"pinocchio computeRNEADerivatives", their_inverse_jacobians}};
    for (const Row &r : row) (void)cost(arm, r.name, r.run);
}

fa_fast *prepared(const fa_chain &chain, const fa_special *special)
{
    void    *memory = std::aligned_alloc(64, (fa_fast_size(&chain) + 63) / 64 * 64);
    fa_fast *fast = fa_fast_place(memory, &chain, fa_fast_kernel_best(false));
    fast->special = special;
    fa_fast_prepare(fast, &chain);
    return fast;
}

bool compare(char *argument)
{
    bench_arm read;
    if (!bench_arm_read(argument, &read)) return false;
    Arm arm;
    arm.name = read.name;
    arm.chain = read.chain;
    arm.waits = false;
    const fa_special *special = fa_special_for(&arm.chain);
    const bool        in_a_row = !arm.chain.branched && arm.chain.n <= FA_FAST_COMPOSITE_MAX;
    arm.lanes = fa_fast_fits(&arm.chain) && in_a_row ? prepared(arm.chain, nullptr) : nullptr;
    arm.special = special ? prepared(arm.chain, special) : nullptr;
    arm.model = model_of(arm.chain);
    arm.data = pinocchio::Data(arm.model);
    const int n = arm.chain.n;
    for (int s = 0; s < STATES; s++) {
        arm.q[s] = arm.qd[s] = arm.tau[s] = arm.qdd[s] = Vector::Zero(n);
        for (int i = 0; i < n; i++) {
            arm.q[s][i] = between(-2, 2);
            arm.qd[s][i] = between(-1, 1);
            arm.tau[s][i] = between(-10, 10);
        }
    }
    arm.their_q = arm.their_qd = arm.their_tau = Eigen::MatrixXd::Zero(n, n);
    arm.by_q = arm.by_qd = arm.by_tau = Matrix::Zero(n, n);
    arm.result = Vector::Zero(n);
    arm.step = Vector::Ones(n);
    const size_t bodies = static_cast<size_t>(n);
    arm.factor.resize(bodies * bodies);
    arm.motion.resize(bodies);
    arm.motion_step.resize(bodies);
    arm.work.resize((fa_methods_work_size(&arm.chain) + fa_jacobians_work_size(&arm.chain) +
                     fa_inverse_step_work_size(&arm.chain)) /
                        sizeof(double) +
                    1);
    if (!agree(arm)) return false;
    measure(arm);
    return true;
}

} // namespace

int main(int argc, char *argv[])
{
    return argc > 1 && compare(argv[1]) ? 0 : 1;
}
