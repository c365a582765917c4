// DART's forward dynamics, by articulated bodies.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "peer.h"

namespace
{

using dart::dynamics::BodyNode;
using dart::dynamics::PrismaticJoint;
using dart::dynamics::RevoluteJoint;
using dart::dynamics::SkeletonPtr;

template <class Joint> BodyNode *add(const SkeletonPtr &arm, BodyNode *parent, const peer_body &b)
{
    typename Joint::Properties properties;
    const std::string          name = std::to_string(arm->getNumBodyNodes());
    const double              *R = b.rotation, *I = b.inertia;
    Eigen::Matrix3d            rotation;
    rotation << R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8];
    properties.mAxis = Eigen::Vector3d(b.axis[0], b.axis[1], b.axis[2]);
    properties.mT_ParentBodyToJoint.linear() = rotation;
    properties.mT_ParentBodyToJoint.translation() =
        Eigen::Vector3d(b.place[0], b.place[1], b.place[2]);
    properties.mName = "joint" + name;
    BodyNode *body = arm->createJointAndBodyNodePair<Joint>(
                            parent, properties, BodyNode::AspectProperties("body" + name))
                         .second;
    body->setInertia(dart::dynamics::Inertia(b.mass, b.com[0], b.com[1], b.com[2], I[0], I[3], I[5],
                                             I[1], I[2], I[4]));
    return body;
}

SkeletonPtr build(const peer_robot &r)
{
    SkeletonPtr arm = dart::dynamics::Skeleton::create("arm");
    BodyNode   *last = nullptr;
    for (int i = 0; i < r.n; i++)
        last = r.body[i].prismatic ? add<PrismaticJoint>(arm, last, r.body[i])
                                   : add<RevoluteJoint>(arm, last, r.body[i]);
    arm->setGravity(Eigen::Vector3d(r.gravity[0], r.gravity[1], r.gravity[2]));
    return arm;
}

using Vector = Eigen::Map<const Eigen::VectorXd>;

void forward(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    const SkeletonPtr &arm = *static_cast<SkeletonPtr *>(self);
    const int          n = static_cast<int>(arm->getNumDofs());
    arm->setPositions(Vector(q, n));
    arm->setVelocities(Vector(qd, n));
    arm->setForces(Vector(tau, n));
    arm->computeForwardDynamics();
    Eigen::Map<Eigen::VectorXd>(qdd, n) = arm->getAccelerations();
}

} // namespace

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        SkeletonPtr      arm = build(r);
        peer_report("dart articulated bodies", forward, &arm, &r);
    }
    return 0;
}
