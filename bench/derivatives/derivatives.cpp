// What derivatives cost, against Pinocchio's in the same program, compiled by the same compiler
// with the same flags. bench/derivatives/run builds and runs it; docs/performance.md has the
// figures.
//
//     derivatives ROBOT[:JOINT=VALUE]...
//
// Rotors and friction are left out, which Pinocchio leaves to its callers. Before anything is
// measured, all must agree.
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
#include "cholesky.h"
#include "derivatives.h"
#include "dynamics.h"
#include "import.h"
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
    std::string                  name;
    std::vector<fa_body>         body;
    fa_chain                     chain;
    pinocchio::Model             model;
    pinocchio::Data              data;
    Vector                       q[STATES], qd[STATES], tau[STATES], qdd[STATES];
    Eigen::MatrixXd              their_q, their_qd, their_tau;
    Matrix                       by_q, by_qd, by_tau;
    Vector                       result, step;
    std::vector<double>          work, factor;
    std::vector<fa_motion>       motion;
    std::vector<fa_motion_step>  motion_step;
    std::vector<fa_motion_slope> motion_slope;
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
        if (b.joint == FA_PRISMATIC)
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

// -------------------------------------------------------------------------------------- our calls

fa_jacobians ours(Arm &arm)
{
    return fa_jacobians{arm.by_q.data(), arm.by_qd.data(), arm.by_tau.data()};
}

void forward(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    fa_method_forward(&arm.chain)
        ->forward(&arm.chain, arm.q[s].data(), arm.qd[s].data(), arm.tau[s].data(), nullptr,
                  arm.result.data(), arm.work.data());
}

// Accelerations and all their derivatives, as computeABADerivatives gives them.
void forward_with_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    forward(self, turn);
    fa_forward_jacobians(&arm.chain, arm.q[s].data(), arm.qd[s].data(), arm.result.data(), nullptr,
                         fa_load_turn{nullptr}, ours(arm), arm.work.data());
}

void inverse_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    fa_inverse_jacobians(&arm.chain, arm.q[s].data(), arm.qd[s].data(), arm.qdd[s].data(), nullptr,
                         fa_load_turn{nullptr}, ours(arm), arm.work.data());
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
    fa_step       all = {};
    all.joint = fa_joint_step{step, step, nullptr};
    all.tau = step;
    fa_chain_motion(&arm.chain, arm.q[0].data(), arm.qd[0].data(), arm.qdd[0].data(),
                    arm.motion.data());
    fa_chain_motion_step(&arm.chain, arm.qd[0].data(), arm.qdd[0].data(), arm.motion.data(),
                         all.joint, arm.motion_step.data());
    fa_forward_step(&arm.chain, arm.qdd[0].data(), nullptr, arm.motion.data(), &all,
                    arm.motion_step.data(), arm.factor.data(), arm.result.data(), arm.work.data());
}

// ------------------------------------------------------------------------------------ their calls

void their_forward(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::aba(arm.model, arm.data, arm.q[s], arm.qd[s], arm.tau[s],
                   pinocchio::Convention::WORLD);
}

void their_forward_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::computeABADerivatives(arm.model, arm.data, arm.q[s], arm.qd[s], arm.tau[s],
                                     arm.their_q, arm.their_qd, arm.their_tau);
}

void their_inverse_jacobians(void *self, long turn)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int s = static_cast<int>(turn % STATES);
    pinocchio::computeRNEADerivatives(arm.model, arm.data, arm.q[s], arm.qd[s], arm.qdd[s],
                                      arm.their_q, arm.their_qd, arm.their_tau);
}

// ---------------------------------------------------------------------------------------- the run

double apart(const Eigen::MatrixXd &theirs, const Matrix &mine)
{
    return (theirs - Eigen::MatrixXd(mine)).cwiseAbs().maxCoeff() / mine.cwiseAbs().maxCoeff();
}

bool agree(Arm &arm)
{
    double worst = 0;
    for (int s = 0; s < STATES; s++) {
        forward_with_jacobians(&arm, s);
        arm.qdd[s] = arm.result;
        their_forward_jacobians(&arm, s);
        arm.their_tau.triangularView<Eigen::StrictlyLower>() =
            arm.their_tau.transpose().triangularView<Eigen::StrictlyLower>();
        worst = std::max({worst, apart(arm.their_q, arm.by_q), apart(arm.their_qd, arm.by_qd),
                          apart(arm.their_tau, arm.by_tau)});
    }
    factor(arm, 0);
    forward_with_jacobians(&arm, 0);
    const Vector want = arm.by_q * arm.step + arm.by_qd * arm.step + arm.by_tau * arm.step;
    tangent(&arm, 0);
    worst = std::max(worst, (want - arm.result).cwiseAbs().maxCoeff() / want.cwiseAbs().maxCoeff());
    std::fprintf(stderr, "%s: all agree to %.1e of the largest element\n", arm.name.c_str(), worst);
    return worst < 1e-8; // rounding times the condition of the mass matrix
}

void measure(Arm &arm)
{
    const struct {
        const char *name;
        void (*run)(void *, long);
    } row[] = {{"forward dynamics", forward},
               {"forward dynamics with all derivatives", forward_with_jacobians},
               {"one directional derivative", tangent},
               {"all derivatives of inverse dynamics", inverse_jacobians},
               {"pinocchio aba", their_forward},
               {"pinocchio computeABADerivatives", their_forward_jacobians},
               {"pinocchio computeRNEADerivatives", their_inverse_jacobians}};
    const fa_counter counter = fa_counter_find();
    for (const auto &r : row) {
        const fa_call call = {r.run, &arm};
        const double  seconds = fa_measure_seconds(&call, 0.5);
        const double  instructions = fa_measure_instructions(counter, &call, 2e6);
        std::printf("%s,%d,%s,%.1f,%.0f\n", arm.name.c_str(), arm.chain.n, r.name, seconds * 1e9,
                    instructions);
    }
}

bool compare(char *argument)
{
    std::vector<fa_import_lock> locks;
    fa_import_options           options = {};
    fa_error                    error;
    fa_log                      log = {};
    fa_robot                   *robot;
    for (char *lock = std::strchr(argument, ':'); lock;) {
        *lock++ = '\0';
        char *value = std::strchr(lock, '='), *next = std::strchr(lock, ':');
        *value++ = '\0';
        locks.push_back(fa_import_lock{lock, std::strtod(value, nullptr)});
        lock = next;
    }
    options.lock = locks.data();
    options.n_locks = static_cast<int>(locks.size());
    if (fa_import(argument, &options, &log, &robot, &error) != FA_OK) {
        std::fprintf(stderr, "%s: %s\n", argument, error.message);
        return false;
    }
    Arm                       arm;
    const size_t              bodies = static_cast<size_t>(fa_chain_bodies(robot));
    std::vector<int>          link_body(static_cast<size_t>(robot->n_links));
    std::vector<fa_transform> link_frame(static_cast<size_t>(robot->n_links));
    arm.name = robot->name;
    arm.body.resize(bodies);
    arm.chain = fa_chain_build(robot, arm.body.data(), link_body.data(), link_frame.data());
    for (fa_body &b : arm.body) b.rotor = 0;
    free(robot);
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
    std::printf("robot,joints,what,nanoseconds,instructions\n");
    for (int i = 1; i < argc; i++)
        if (!compare(argv[i])) return 1;
    return 0;
}
