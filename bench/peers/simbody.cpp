// Simbody's forward dynamics, by articulated bodies, without constraints.
#include <Simbody.h>

#include "peer.h"

namespace
{

using namespace SimTK;

struct Arm {
    MultibodySystem        system;
    SimbodyMatterSubsystem matter{system};
    State                  state;
    Vec3                   gravity;
    Vector                 tau, qdd;
    Vector_<SpatialVec>    weights, accelerations;
};

// A pin turns about z, a slider goes along x, of a frame on both bodies.
void build(const peer_robot &r, Arm &arm)
{
    MobilizedBody last = arm.matter.Ground();
    for (int i = 0; i < r.n; i++) {
        const peer_body     &b = r.body[i];
        const double        *R = b.rotation, *I = b.inertia;
        const Vec3           com(b.com[0], b.com[1], b.com[2]);
        const MassProperties mass(
            b.mass, com,
            Inertia(I[0], I[3], I[5], I[1], I[2], I[4]).shiftFromMassCenter(com, b.mass));
        const Transform home(Rotation(Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8])),
                             Vec3(b.place[0], b.place[1], b.place[2]));
        const UnitVec3  axis(b.axis[0], b.axis[1], b.axis[2]);
        const CoordinateAxis along = b.prismatic ? CoordinateAxis(XAxis) : CoordinateAxis(ZAxis);
        const Transform      joint(Rotation(axis, along));
        if (b.prismatic)
            last = MobilizedBody::Slider(last, home * joint, Body::Rigid(mass), joint);
        else
            last = MobilizedBody::Pin(last, home * joint, Body::Rigid(mass), joint);
    }
    arm.gravity = Vec3(r.gravity[0], r.gravity[1], r.gravity[2]);
    arm.state = arm.system.realizeTopology();
    arm.system.realizeModel(arm.state);
    arm.tau.resize(r.n);
    arm.qdd.resize(r.n);
    arm.weights.resize(arm.matter.getNumBodies());
    arm.accelerations.resize(arm.matter.getNumBodies());
    arm.weights[0] = SpatialVec(Vec3(0), Vec3(0));
}

void forward(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    Arm      &arm = *static_cast<Arm *>(self);
    const int n = arm.tau.size();
    Vector   &position = arm.state.updQ(), &velocity = arm.state.updU();
    for (int i = 0; i < n; i++) {
        position[i] = q[i];
        velocity[i] = qd[i];
        arm.tau[i] = tau[i];
    }
    arm.system.realize(arm.state, Stage::Dynamics);
    for (int i = 1; i <= n; i++) {
        const MobilizedBody  &body = arm.matter.getMobilizedBody(MobilizedBodyIndex(i));
        const MassProperties &mass = body.getBodyMassProperties(arm.state);
        const Vec3            weight = mass.getMass() * arm.gravity;
        const Vec3 com = body.getBodyRotation(arm.state) * mass.getMassCenter();
        arm.weights[i] = SpatialVec(com % weight, weight);
    }
    arm.matter.calcAccelerationIgnoringConstraints(arm.state, arm.tau, arm.weights, arm.qdd,
                                                   arm.accelerations);
    for (int i = 0; i < n; i++) qdd[i] = arm.qdd[i];
}

} // namespace

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        Arm              arm;
        build(r, arm);
        peer_report("simbody articulated bodies", forward, &arm, &r);
    }
    return 0;
}
