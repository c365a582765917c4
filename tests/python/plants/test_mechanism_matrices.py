"""The tip's Jacobian and the mass matrix of robots with free bases, balls and loops.

Held to what comes out another way: the velocity of the tip, the kinetic energy, the accelerations of forward dynamics.
"""

import numpy as np
import pytest

from mechanism import Mechanism, adjoint, axes, fmu_of

ROBOTS = ["satellite", "planar_cart", "spherical_pendulum", "four_bar", "delta", "stewart", "lead_screw"]
TIP = axes("velocity") + axes("angular_velocity")


class Matrices:
    """Names of the speeds that are states, of their accelerations and efforts, and of the two matrices."""

    def __init__(self, mechanism, fmu):
        self.fmu = fmu
        first = "tip.jacobian.velocity.x."
        known = [name[len(first):] for name in fmu.variable if name.startswith(first)]
        self.speeds, self.accelerations, self.efforts = [], [], []
        for name in known:
            joint = name.split(".")[0]
            several = "." in name
            speed = f"joint.{name}" if several else f"joint.{name}.velocity"
            self.speeds.append(speed)
            self.accelerations.append(speed.replace("velocity", "acceleration"))
            turned = speed.replace("angular_velocity", "torque").replace("velocity", "force")
            if not several and mechanism.type[joint] != "prismatic":
                turned = speed.replace("velocity", "torque")
            self.efforts.append(turned)
        self.jacobian = [f"tip.jacobian.{row}.{name}" for row in TIP for name in known]
        self.mass = [f"mass_matrix.{a}.{b}" for a in known for b in known]
        assert all(name in fmu.variable for name in self.speeds + self.accelerations + self.efforts + self.mass)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("fmi", [2, 3])
def test_matrices_are_those_of_the_motion(name, fmi, source, export):
    mechanism = Mechanism(source, name)
    fmu = fmu_of(export, mechanism, "--outputs", "jacobian,mass-matrix", "--fmi", fmi)
    m = Matrices(mechanism, fmu)
    n = len(m.speeds)
    for point in mechanism.points:
        with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
            J = model.get(m.jacobian).reshape(6, n)
            M = model.get(m.mass).reshape(n, n)
            u = model.get(m.speeds)
            tip = model.get([f"tip.{row}" for row in TIP])
            # 1e-12: rounding of products of a few factors
            assert J @ u == pytest.approx(tip, rel=0, abs=1e-12 * (1 + np.abs(J).max() * np.abs(u).max()))
            assert M == pytest.approx(M.T, rel=0, abs=1e-12 * np.abs(M).max())
            energy = model.get(["energy.kinetic"])[0]
            assert 0.5 * u @ M @ u == pytest.approx(energy, rel=1e-11, abs=1e-13)
            before = model.get(m.accelerations)
            pushed = model.get(m.efforts)
            for k in range(n):
                push = pushed.copy()
                push[k] += 1
                model.set(m.efforts, push)
                change = M @ (model.get(m.accelerations) - before)
                # 1e-9: accelerations are up to 1e4 times as large as their change
                assert change == pytest.approx(np.eye(n)[k], rel=0, abs=1e-9 * (1 + np.abs(M).max() * np.abs(before).max()))
            model.set(m.efforts, pushed)


@pytest.mark.parametrize("name", ROBOTS)
def test_their_derivatives_agree_with_differences(name, source, export):
    mechanism = Mechanism(source, name)
    fmu = fmu_of(export, mechanism, "--outputs", "jacobian,mass-matrix", "--fmi", 3)
    m = Matrices(mechanism, fmu)
    point = mechanism.points[1]
    with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
        states = [row.variable.derivative.name for row in fmu.description.derivatives]
        unknowns = m.jacobian + m.mass
        x = np.array(model.get(states))
        direction = np.cos(1.7 * np.arange(len(x)))
        got = np.array(model.derivative(unknowns, states, list(direction)))
        h, values = 1e-4, []
        for step in (-2, -1, 1, 2):
            model.set_state(x + step * h * direction)
            values.append(np.array(model.get(unknowns)))
        model.set_state(x)
        difference = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)
        scale = 1 + np.abs(difference) + max(np.abs(v).max() for v in values)
        # 1e-8: what differences of the fourth order leave
        assert np.max(np.abs(got - difference) / scale) < 1e-8
        weights = np.sin(2.3 * np.arange(len(unknowns)) + 1)
        slopes = adjoint(model, unknowns, states, weights)
        assert slopes @ direction == pytest.approx(weights @ got, abs=1e-11 * (np.abs(weights) @ np.abs(got)))
