"""The motion of a URDF's arm by Pinocchio: what an FMU of ours has to agree with.

What Pinocchio leaves to its callers is done here, with numpy: friction, and joints that mimic
others, whose part of the equations of motion is projected onto the joints that they follow.
"""

import re
import xml.etree.ElementTree as xml

import numpy as np
import pinocchio as pin


def segment(name):
    """A name of the robot file as variables of the FMU spell it."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return "_" + name if name[0].isdigit() else name


class PinocchioArm:
    """`urdf` with its states in the order of the FMU's joints."""

    def __init__(self, urdf, fmu, tip, locked=None):
        """locked: positions of joints that do not move, by their names."""
        self.model = pin.buildModelFromUrdf(str(urdf))
        if locked:
            still = pin.neutral(self.model)
            for name, position in locked.items():
                still[self.model.joints[self.model.getJointId(name)].idx_q] = position
            self.model = pin.buildReducedModel(
                self.model, [self.model.getJointId(name) for name in locked], still)
        self.data = self.model.createData()
        self.fmu = fmu
        self.tip = self.model.getFrameId(tip, pin.BODY)
        self.index = {segment(name): self.model.joints[i].idx_v
                      for i, name in enumerate(self.model.names) if i > 0}
        self._follow(xml.parse(urdf).getroot())
        # Friction as the FMU's parameters have it, in Pinocchio's order.
        self.friction = {what: np.zeros(self.model.nv) for what in
                         ("viscous_friction", "coulomb_friction", "coulomb_friction_negative",
                          "friction_width")}
        for what, values in self.friction.items():
            for name, i in self.index.items():
                values[i] = fmu.start(f"joint.{name}.{what}")

    def _follow(self, robot):
        """Pinocchio's velocities are G times the FMU's; its angles G q + g."""
        n = len(self.fmu.joints)
        self.G = np.zeros((self.model.nv, n))
        self.g = np.zeros(self.model.nv)
        mimic = {segment(joint.get("name")): joint.find("mimic") for joint in robot.iter("joint")
                 if joint.find("mimic") is not None and joint.get("name")}
        for name, i in self.index.items():
            ratio, offset = 1.0, 0.0
            while name in mimic:  # a follower may follow a follower
                follow = mimic[name]
                offset += ratio * float(follow.get("offset", 0))
                ratio *= float(follow.get("multiplier", 1))
                name = segment(follow.get("joint"))
            self.G[i, self.fmu.joints.index(name)] = ratio
            self.g[i] = offset
        self.coupled = bool(mimic)

    def configuration(self, q):
        """Angles as Pinocchio has them: joints without limits by their cosine and sine."""
        angles = self.G @ q + self.g
        full = np.zeros(self.model.nq)
        for joint in list(self.model.joints)[1:]:
            angle = angles[joint.idx_v]
            if joint.nq == 2:
                full[joint.idx_q:joint.idx_q + 2] = np.cos(angle), np.sin(angle)
            else:
                full[joint.idx_q] = angle
        return full

    def friction_torque(self, rate):
        plus, minus = self.friction["coulomb_friction"], self.friction["coulomb_friction_negative"]
        t = np.tanh(rate / self.friction["friction_width"])
        return self.friction["viscous_friction"] * rate + (plus + minus) / 2 * t + \
            (plus - minus) / 2 * t * t

    def mass_matrix(self, q):
        return self.G.T @ self._full_mass_matrix(self.configuration(q)) @ self.G

    def _full_mass_matrix(self, configuration):
        M = pin.crba(self.model, self.data, configuration)
        return np.triu(M) + np.triu(M, 1).T

    def effort_of_wrench(self, q, frame, wrench, point=(0, 0, 0)):
        """Efforts that stand for a force and torque in world axes at a point of a frame."""
        J = pin.computeFrameJacobian(self.model, self.data, self.configuration(q), frame,
                                     pin.LOCAL_WORLD_ALIGNED)
        arm = self.data.oMf[frame].rotation @ point
        return J.T @ [*wrench[:3], *(wrench[3:] + np.cross(arm, wrench[:3]))]

    def solve(self, q, qd, tau, tip_wrench, extra=0.0):
        """Accelerations of the FMU's joints. Wrenches are a force and a torque in world axes; extra
        are efforts on Pinocchio's joints."""
        configuration, rate = self.configuration(q), self.G @ qd
        extra = extra + self.effort_of_wrench(q, self.tip, tip_wrench) - self.friction_torque(rate)
        if not self.coupled:
            qdd = pin.aba(self.model, self.data, configuration, rate, self.G @ tau + extra)
            return self.G.T @ qdd  # G only sorts
        # Without acceleration of the leaders: the followers' is G qdd, ratios being constant.
        h = pin.nonLinearEffects(self.model, self.data, configuration, rate)
        M = self.G.T @ self._full_mass_matrix(configuration) @ self.G
        return np.linalg.solve(M, tau + self.G.T @ (extra - h))

    def outputs(self, q, qd, qdd):
        """What the FMU says of its tip and its energies, by the FMU's names in robot_fmu.py."""
        configuration, rate = self.configuration(q), self.G @ qd
        pin.forwardKinematics(self.model, self.data, configuration, rate, self.G @ qdd)
        pin.updateFramePlacements(self.model, self.data)
        axes = pin.LOCAL_WORLD_ALIGNED
        place = self.data.oMf[self.tip]
        velocity = pin.getFrameVelocity(self.model, self.data, self.tip, axes)
        acceleration = pin.getFrameClassicalAcceleration(self.model, self.data, self.tip, axes)
        return {"rotation": place.rotation, "point": place.translation,
                "velocity": velocity.linear, "angular_velocity": velocity.angular,
                "acceleration": acceleration.linear, "angular_acceleration": acceleration.angular,
                "kinetic": pin.computeKineticEnergy(self.model, self.data, configuration, rate),
                "potential": pin.computePotentialEnergy(self.model, self.data, configuration),
                "potential_terms": self._weights()}

    def _weights(self):
        """Sum of the sizes of what the potential energy is made of, for places as they are."""
        g = np.linalg.norm(self.model.gravity.linear)
        return sum(inertia.mass * g * np.linalg.norm(place.act(inertia.lever))
                   for place, inertia in list(zip(self.data.oMi, self.model.inertias))[1:])
