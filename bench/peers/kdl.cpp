// Orocos KDL's forward dynamics.
#include <kdl/chain.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>

#include "peer.h"

namespace
{

struct Arm {
    KDL::Chain              chain;
    KDL::ChainFdSolver_RNE *solver;
    KDL::JntArray           q, qd, tau, qdd;
    KDL::Wrenches           none;
};

KDL::Chain build(const peer_robot &r)
{
    KDL::Chain chain;
    for (int i = 0; i < r.n; i++) {
        const peer_body  &b = r.body[i];
        const double     *R = b.rotation, *I = b.inertia;
        const KDL::Frame  home(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                               KDL::Vector(b.place[0], b.place[1], b.place[2]));
        const KDL::Vector axis = home.M * KDL::Vector(b.axis[0], b.axis[1], b.axis[2]);
        const KDL::Joint  joint("joint", home.p, axis,
                               b.prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
        const KDL::RigidBodyInertia inertia(
            b.mass, KDL::Vector(b.com[0], b.com[1], b.com[2]),
            KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
        chain.addSegment(KDL::Segment("segment", joint, home, inertia));
    }
    return chain;
}

void forward(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    Arm           &arm = *static_cast<Arm *>(self);
    const unsigned n = arm.q.rows();
    for (unsigned i = 0; i < n; i++) {
        arm.q(i) = q[i];
        arm.qd(i) = qd[i];
        arm.tau(i) = tau[i];
    }
    arm.solver->CartToJnt(arm.q, arm.qd, arm.tau, arm.none, arm.qdd);
    for (unsigned i = 0; i < n; i++) qdd[i] = arm.qdd(i);
}

} // namespace

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        Arm              arm;
        arm.chain = build(r);
        arm.solver = new KDL::ChainFdSolver_RNE(
            arm.chain, KDL::Vector(r.gravity[0], r.gravity[1], r.gravity[2]));
        arm.q = arm.qd = arm.tau = arm.qdd = KDL::JntArray(r.n);
        arm.none.resize(r.n, KDL::Wrench::Zero());
        peer_report("kdl recursive newton-euler", forward, &arm, &r);
    }
    return 0;
}
