"""Arms on ground that accelerates and turns, against Pinocchio with a free-flying base.

Pinocchio is told how its base moves, and asked what the joints then do: the base's six rows of its mass matrix times the
base's acceleration go to the other side. The base stands in the world's axes at this moment, with no velocity of its origin,
so that the accelerations of both descriptions are the same numbers; any other moment differs by where gravity points.

Tolerance: as agreement.py has it, 1e-15 times the condition number of the mass matrix, not below 1e-13, tenfold, since the
right-hand side has the base's columns, which are larger than it.
"""

import numpy as np
import pinocchio as pin
import pytest

from conftest import SOURCE
from figures import close
from pinocchio_arm import segment
from robot_fmu import RobotFmu

FOLDER = SOURCE / "build" / "robots"
URDFS = {name: FOLDER / path for name, path in (
    ("ur5", "ur_description/urdf/ur5_robot.urdf"), ("hyq", "hyq_description/robots/hyq_no_sensors.urdf"))}
MOTION = [f"base.{what}.{axis}" for what in ("acceleration", "angular_velocity", "angular_acceleration") for axis in "xyz"]
STATES = 12

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="skipped: build/robots not found; scripts/test fetches it")


class FlyingArm:
    """Pinocchio's arm with a free flyer for its base, and the columns of the FMU's joints."""

    def __init__(self, urdf, fmu):
        self.model = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
        self.data = self.model.createData()
        index = {segment(name): self.model.joints[i].idx_v for i, name in enumerate(self.model.names) if i > 1}
        assert sorted(index) == sorted(fmu.joints)
        self.columns = [index[name] for name in fmu.joints]

    def full(self, base, joints):
        v = np.zeros(self.model.nv)
        v[:6] = base
        v[self.columns] = joints
        return v

    def place(self, q):
        return pin.integrate(self.model, pin.neutral(self.model), self.full(np.zeros(6), q))

    def efforts(self, q, qd, qdd, motion):
        """Of the joints, for this motion of joints and base."""
        a, w, dw = motion[:3], motion[3:6], motion[6:]
        tau = pin.rnea(self.model, self.data, self.place(q), self.full([0, 0, 0, *w], qd), self.full([*a, *dw], qdd))
        return tau[self.columns]

    def mass_matrix(self, q):
        M = pin.crba(self.model, self.data, self.place(q))
        M = np.triu(M) + np.triu(M, 1).T
        return M[np.ix_(self.columns, self.columns)]


def frictionless(fmu):
    return {name: 0.0 for name in fmu.variable if name.endswith(("_friction", "_friction_negative"))}


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", URDFS)
def test_joints_feel_the_base_as_pinocchios_free_flyer_does(name, fmi, export):
    fmu = RobotFmu(export(URDFS[name], "--inputs", "base", "--fmi", fmi, "--bare"))
    arm, chance = FlyingArm(URDFS[name], fmu), np.random.default_rng(3)
    n = len(fmu.joints)
    with fmu.model(frictionless(fmu)) as model:
        for _ in range(STATES):
            q, qd, tau = (size * chance.uniform(-1, 1, n) for size in (2, 3, 20))
            motion = chance.uniform(-1, 1, 9) * np.repeat([5, 2, 4], 3)
            model.set_state(q, qd)
            model.set(fmu.efforts + MOTION, [*tau, *motion])
            M = arm.mass_matrix(q)
            want = np.linalg.solve(M, tau - arm.efforts(q, qd, np.zeros(n), motion))
            close("accelerations on a moving base", model.accelerations(), want, 10 * max(1e-13, 1e-15 * np.linalg.cond(M)), f"{name} FMI {fmi}")


@pytest.mark.parametrize("name", URDFS)
def test_an_inverse_on_a_moving_base_asks_for_pinocchios_torques(name, export):
    fmu = RobotFmu(export(URDFS[name], "--inputs", "base", "--kind", "inverse", "--bare"))
    arm, chance = FlyingArm(URDFS[name], fmu), np.random.default_rng(4)
    n = len(fmu.joints)
    with fmu.model(frictionless(fmu)) as model:
        for _ in range(STATES):
            q, qd, qdd = (size * chance.uniform(-1, 1, n) for size in (2, 3, 5))
            motion = chance.uniform(-1, 1, 9) * np.repeat([5, 2, 4], 3)
            model.set(fmu.states + fmu.accelerations + MOTION, [*q, *qd, *qdd, *motion])
            # No division: sums of products along the tree.
            close("torques on a moving base", model.get(fmu.efforts), arm.efforts(q, qd, qdd, motion), 1e-12, name)


def test_a_prescribed_joint_below_is_a_base_that_turns(export, tmp_path):
    """The same arm on a turntable whose motion is given, by an inverse of the whole: no other program is needed."""
    link = '<link name="l{0}" mass="{0}" com="-0.2 0.1 0.1" inertia="0.1 0.2 0.15 0.01 0.02 0"/>'
    rest = "".join(f'<joint name="j{i}" type="{kind}" a="0.4" d="0.1" alpha="0.6">{link.format(i)}</joint>'
                   for i, kind in ((1, "revolute"), (2, "revolute"), (3, "prismatic")))
    arm, table = tmp_path / "arm.xml", tmp_path / "table.xml"
    arm.write_text(f'<arm name="arm" convention="standard" gravity="0 0 -9.81">{rest}</arm>')
    turning = ('<joint name="table" type="revolute"><link name="plate" mass="5" com="0 0 0" inertia="1 1 1 0 0 0"/></joint>')
    table.write_text(f'<arm name="table" convention="standard" gravity="0 0 -9.81">{turning}{rest}</arm>')
    alone = RobotFmu(export(arm, "--inputs", "base", "--kind", "inverse", "--bare"))
    whole = RobotFmu(export(table, "--kind", "inverse", "--bare"))
    chance = np.random.default_rng(5)
    with alone.model() as on_base, whole.model() as on_table:
        for _ in range(STATES):
            (q, qd, qdd), (w, dw) = chance.uniform(-2, 2, (3, 3)), chance.uniform(-2, 2, 2)
            on_base.set(alone.states + alone.accelerations + MOTION, [*q, *qd, *qdd, 0, 0, 0, 0, 0, w, 0, 0, dw])
            on_table.set(whole.states + whole.accelerations, [0.7, *q, w, *qd, dw, *qdd])
            # Rounding of sums along four bodies.
            close("torques on a turntable", on_base.get(alone.efforts), on_table.get(whole.efforts[1:]), 1e-13)
