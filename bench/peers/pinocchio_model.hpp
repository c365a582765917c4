// The robot of the comparison as Pinocchio's model.
#ifndef PINOCCHIO_MODEL_HPP
#define PINOCCHIO_MODEL_HPP

#include <pinocchio/multibody.hpp>

#include "peer.h"

inline pinocchio::Model build(const peer_robot &r)
{
    using namespace pinocchio;
    Model      model;
    JointIndex last = 0;
    model.gravity.linear() = Eigen::Vector3d(r.gravity[0], r.gravity[1], r.gravity[2]);
    for (int i = 0; i < r.n; i++) {
        const peer_body      &b = r.body[i];
        const Eigen::Matrix3d R =
            Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.rotation);
        const Eigen::Vector3d axis(b.axis[0], b.axis[1], b.axis[2]);
        const SE3             home(R, Eigen::Vector3d(b.place[0], b.place[1], b.place[2]));
        const std::string     name = "joint" + std::to_string(i);
        if (b.prismatic)
            last = model.addJoint(last, JointModelPrismaticUnaligned(axis), home, name);
        else if (axis[0] == 1) // those that know their axis are faster
            last = model.addJoint(last, JointModelRX(), home, name);
        else if (axis[1] == 1)
            last = model.addJoint(last, JointModelRY(), home, name);
        else if (axis[2] == 1)
            last = model.addJoint(last, JointModelRZ(), home, name);
        else
            last = model.addJoint(last, JointModelRevoluteUnaligned(axis), home, name);
        Eigen::Matrix3d I;
        const double   *t = b.inertia;
        I << t[0], t[1], t[2], t[1], t[3], t[4], t[2], t[4], t[5];
        const Eigen::Vector3d com(b.com[0], b.com[1], b.com[2]);
        model.appendBodyToJoint(last, Inertia(b.mass, com, I), SE3::Identity());
    }
    return model;
}

#endif
