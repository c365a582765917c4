// Pinocchio's forward dynamics of a mechanism by the headers of its wheel: constraintDynamics with one
// point for each loop, or aba where there is none.
#include <pinocchio/fwd.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/multibody.hpp>

#include "mechanism_peer.h"

using namespace pinocchio;

namespace
{

struct Robot {
    Model                             model;
    Data                              data;
    Eigen::VectorXd                   q, qd, tau, qdd;
    std::vector<RigidConstraintModel> loops;
    std::vector<RigidConstraintData>  work;
    ProximalSettings                  settings;
};

SE3 home(const mechanism_body &b)
{
    const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.rotation);
    return SE3(R, Eigen::Vector3d(b.place[0], b.place[1], b.place[2]));
}

JointIndex add(Model &model, const mechanism_body &b)
{
    const JointIndex      parent = b.parent + 1;
    const Eigen::Vector3d axis(b.axis[0], b.axis[1], b.axis[2]);
    if (b.type == FREE) return model.addJoint(parent, JointModelFreeFlyer(), home(b), b.name);
    if (b.type == SLIDE) {
        if (axis[0] == 1) return model.addJoint(parent, JointModelPX(), home(b), b.name);
        if (axis[1] == 1) return model.addJoint(parent, JointModelPY(), home(b), b.name);
        if (axis[2] == 1) return model.addJoint(parent, JointModelPZ(), home(b), b.name);
        return model.addJoint(parent, JointModelPrismaticUnaligned(axis), home(b), b.name);
    }
    if (axis[0] == 1) return model.addJoint(parent, JointModelRX(), home(b), b.name);
    if (axis[1] == 1) return model.addJoint(parent, JointModelRY(), home(b), b.name);
    if (axis[2] == 1) return model.addJoint(parent, JointModelRZ(), home(b), b.name);
    return model.addJoint(parent, JointModelRevoluteUnaligned(axis), home(b), b.name);
}

// Speeds and efforts of a free body are in its own axes there.
void set(Robot &r, const mechanism &m)
{
    for (int i = 0; i < m.n; i++) {
        const mechanism_body &b = m.body[i];
        const int             at = r.model.joints[i + 1].idx_q(), on = r.model.joints[i + 1].idx_v();
        if (b.type != FREE) {
            r.q[at] = b.position[0], r.qd[on] = b.velocity[0], r.tau[on] = b.tau[0];
            continue;
        }
        const double            *p = b.position;
        const Eigen::Quaterniond turn = Eigen::Quaterniond(p[3], p[4], p[5], p[6]).normalized();
        const Eigen::Matrix3d    R = turn.toRotationMatrix();
        r.q.segment<3>(at) = Eigen::Vector3d(p[0], p[1], p[2]);
        r.q.segment<4>(at + 3) = turn.coeffs();
        for (int k = 0; k < 6; k += 3) {
            r.qd.segment<3>(on + k) =
                R.transpose() * Eigen::Vector3d(b.velocity[k], b.velocity[k + 1], b.velocity[k + 2]);
            r.tau.segment<3>(on + k) = R.transpose() * Eigen::Vector3d(b.tau[k], b.tau[k + 1], b.tau[k + 2]);
        }
    }
}

void constrained(void *self)
{
    Robot &r = *static_cast<Robot *>(self);
    r.qdd = constraintDynamics(r.model, r.data, r.q, r.qd, r.tau, r.loops, r.work, r.settings);
}

void free_tree(void *self)
{
    Robot &r = *static_cast<Robot *>(self);
    r.qdd = aba(r.model, r.data, r.q, r.qd, r.tau, Convention::WORLD);
}

} // namespace

int main(int, char *argv[])
{
    const mechanism m = mechanism_read(argv[1]);
    Model           model;
    model.gravity.linear() = Eigen::Vector3d(m.gravity[0], m.gravity[1], m.gravity[2]);
    for (int i = 0; i < m.n; i++) {
        const mechanism_body &b = m.body[i];
        const double         *t = b.inertia;
        Eigen::Matrix3d       I;
        I << t[0], t[1], t[2], t[1], t[3], t[4], t[2], t[4], t[5];
        model.appendBodyToJoint(add(model, b), Inertia(b.mass, Eigen::Vector3d(b.com[0], b.com[1], b.com[2]), I),
                                SE3::Identity());
    }
    Robot r{model, Data(model), Eigen::VectorXd::Zero(model.nq), Eigen::VectorXd::Zero(model.nv),
            Eigen::VectorXd::Zero(model.nv), Eigen::VectorXd::Zero(model.nv), {}, {},
            ProximalSettings(1e-10, 1e-10, 20)};
    set(r, m);
    for (int i = 0; i < m.n_loops; i++) {
        const mechanism_loop &l = m.loop[i];
        SE3                   at[2];
        for (int k = 0; k < 2; k++)
            at[k] = SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(l.point[k][0], l.point[k][1], l.point[k][2]));
        r.loops.emplace_back(CONTACT_3D, r.model, l.body[0] + 1, at[0], l.body[1] + 1, at[1], LOCAL);
        r.work.emplace_back(r.loops.back());
    }
    initConstraintDynamics(r.model, r.data, r.loops, r.work);
    if (m.n_loops > 0) {
        constrained(&r);
    } else {
        free_tree(&r);
    }
    for (int i = 0; i < m.n; i++)
        if (m.body[i].type != FREE) mechanism_answer(m.body[i].name, r.qdd[r.model.joints[i + 1].idx_v()]);
    if (m.n_loops > 0) mechanism_say("pinocchio constraintDynamics", mechanism_time(constrained, &r));
    mechanism_say("pinocchio aba of the tree", mechanism_time(free_tree, &r));
    return 0;
}
