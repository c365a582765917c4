"""Closed loops through FMUs: expected values, derivatives, reactions, motions, saved states, dead points.

tests/mechanisms/README.md says where the values come from.
"""

import json
import xml.etree.ElementTree

import numpy as np
import pytest

from robot_fmu import RobotFmu

FOLDER = "tests/mechanisms"
WXYZ = "wxyz"
ROBOTS = ["four_bar", "four_bar_welded", "slider_crank", "slider_crank_cut", "palletiser", "excavator", "watt_six_bar",
          "five_bar_scara", "bricard", "hooke_joint", "lead_screw", "delta", "stewart"]
SYNTAX = ["four_bar_loop_joint", "four_bar_loop_joint_spherical", "four_bar_two_parents"]
MOVED = ["four_bar", "slider_crank", "palletiser", "excavator", "five_bar_scara", "bricard", "lead_screw", "delta",
         "stewart"]


def axes(name, letters="xyz"):
    return [f"{name}.{letter}" for letter in letters]


# Positions, velocities, efforts and accelerations of a joint by its type.
NAMES = {
    "floating": (axes("position") + axes("quaternion", WXYZ), axes("velocity") + axes("angular_velocity"),
                 axes("force") + axes("torque"), axes("acceleration") + axes("angular_acceleration")),
    "spherical": (axes("quaternion", WXYZ), axes("angular_velocity"), axes("torque"), axes("angular_acceleration")),
    "prismatic": (["position"], ["velocity"], ["force"], ["acceleration"]),
}
TURNING = (["position"], ["velocity"], ["torque"], ["acceleration"])


def as_list(value):
    return value if isinstance(value, list) else [value]


def level(name):
    """A joint's name in those of variables: words of Modelica get a letter in front."""
    return f"_{name}" if name in ("input", "output") else name


class Mechanism:
    """A robot of the folder: its files, and the names that a joint's numbers have."""

    def __init__(self, source, name, points=None, folder="robots"):
        self.name = name
        self.urdf = source / FOLDER / folder / f"{name}.urdf"
        side = source / FOLDER / folder / f"{name}.mechanism.xml"
        self.options = ["--actuators", side] if side.exists() else []
        root = xml.etree.ElementTree.parse(self.urdf).getroot()
        self.type = {joint.get("name"): joint.get("type") for joint in root.findall("joint")}
        golden = json.loads((source / FOLDER / "points" / f"{points or name}.json").read_text())
        self.points, self.independent = golden["points"], golden["independent"]
        motion = source / FOLDER / "trajectories" / f"{name}.json"
        self.trajectory = json.loads(motion.read_text()) if motion.exists() else None
        self.wrenches = sorted({link for point in self.points for key in ("link_force", "link_torque")
                                for link in point["input"].get(key, {})})

    def named(self, kind, values, before=""):
        """{variable: number} of {joint: numbers}; kind: 0 position, 1 velocity, 2 effort, 3 acceleration."""
        return {f"joint.{level(joint)}.{before}{name}": number for joint, value in values.items()
                for name, number in zip(NAMES.get(self.type[joint], TURNING)[kind], as_list(value))}

    def start(self, point, digits=None):
        position = point["position"]
        if digits:  # guesses of what follows from the independent joints
            position = {joint: value if joint in self.independent else np.round(value, digits).tolist()
                        for joint, value in position.items()}
        return self.named(0, position, "initial_") | self.named(1, point["velocity"], "initial_")

    def inputs(self, point):
        wanted = self.named(2, point["input"].get("effort", {}))
        for key, name in (("link_force", "force"), ("link_torque", "torque")):
            for link, vector in point["input"].get(key, {}).items():
                wanted |= dict(zip(axes(f"link.{level(link)}.{name}"), vector))
        return wanted

    def direction(self, point):
        """The steps of the states and efforts that a derivative is along."""
        along = point["derivative"]["along"]
        steps = {}
        for joint, value in along.get("position", {}).items():
            value = as_list(value)
            if self.type[joint] in ("spherical", "floating"):
                first = len(value) - 3  # then angles about the parent's axes
                quaternion = np.array(point["position"][joint][first:])
                w, v, half = quaternion[0], quaternion[1:], np.array(value[first:]) / 2
                value = [*value[:first], -half @ v, *(w * half + np.cross(half, v))]
            steps |= self.named(0, {joint: value})
        return steps | self.named(1, along.get("velocity", {})) | self.named(2, along.get("effort", {}))


def fmu_of(export, mechanism, *options, independent=True):
    wrenches = [word for link in mechanism.wrenches for word in ("--wrench", link)]
    choice = ["--independent", ",".join(mechanism.independent)] if independent else []
    return RobotFmu(export(mechanism.urdf, *mechanism.options, *wrenches, *choice, *options))


@pytest.fixture(params=ROBOTS)
def mechanism(request, source):
    return Mechanism(source, request.param)


def accelerations_agree(mechanism, fmu, digits=None):
    constants = set()
    for point in mechanism.points:
        wanted = mechanism.named(3, point["acceleration"])
        tolerance = 1e-10 * max(map(abs, wanted.values())) + 1e-10
        with fmu.model(mechanism.start(point, digits) | mechanism.inputs(point)) as model:
            assert model.get(wanted) == pytest.approx(list(wanted.values()), abs=tolerance, rel=0)
            # What is bolted to the ground has no potential energy here, and has one there.
            kinetic, potential = model.get(["energy.kinetic", "energy.potential"])
            assert kinetic == pytest.approx(point["kinetic"], rel=1e-10, abs=1e-10)
            constants.add(round(potential - point["potential"], 9))
    assert len(constants) == 1


def test_accelerations_are_as_expected_whatever_joints_are_states(mechanism, export):
    accelerations_agree(mechanism, fmu_of(export, mechanism, "--fmi", 2, independent=False))
    accelerations_agree(mechanism, fmu_of(export, mechanism, "--fmi", 3))


def test_dependent_positions_follow_from_guesses(mechanism, export):
    fmu = fmu_of(export, mechanism)
    for point in mechanism.points:
        wanted = mechanism.named(0, point["position"]) | mechanism.named(1, point["velocity"])
        with fmu.model(mechanism.start(point, 2) | mechanism.inputs(point)) as model:
            got = dict(zip(wanted, model.get(wanted)))
            for name, value in wanted.items():
                if "quaternion" in name:
                    continue  # up to a sign
                limit = 1e-12 if "velocity" not in name else 1e-10 * max(1, abs(value))
                assert abs(got[name] - value) < limit, (mechanism.name, name)


@pytest.mark.parametrize("name", SYNTAX)
def test_other_spellings_are_the_same_mechanism(name, source, export):
    mechanism = Mechanism(source, name, "four_bar", "syntax")
    mechanism.type |= {"crank": "continuous", "coupler": "continuous", "rocker": "continuous"}
    accelerations_agree(mechanism, fmu_of(export, mechanism), 2 if "two_parents" in name else None)


def test_directional_derivatives_are_as_expected(mechanism, export):
    for fmi in (2, 3):
        fmu = fmu_of(export, mechanism, "--fmi", fmi)
        for point in mechanism.points:
            if "derivative" not in point:
                continue
            wanted = mechanism.named(3, point["derivative"]["acceleration"])
            steps = mechanism.direction(point)
            largest = max(1, *map(abs, wanted.values()))
            with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
                got = model.derivative(list(wanted), list(steps), list(steps.values()))
                assert got == pytest.approx(list(wanted.values()), abs=1e-8 * largest, rel=0)


def test_reactions_are_as_expected(mechanism, export):
    fmu = fmu_of(export, mechanism, "--outputs", "reactions")
    for point in mechanism.points:
        with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
            for loop, reaction in point["loop_reaction"].items():
                for key, values in reaction.items():
                    names = axes(f"loop.{loop}.{key}") if isinstance(values, list) else [f"loop.{loop}.{key}"]
                    for name, value in zip(names, as_list(values)):
                        if value is None:
                            assert model.get([name])[0] == 0
                        else:
                            assert model.get([name])[0] == pytest.approx(value, rel=1e-8, abs=1e-8)


def apart(mechanism, got, wanted):
    """How far two sets of positions are apart: angles modulo a turn, quaternions up to their sign."""
    worst = 0
    for joint, value in wanted.items():
        names, kind = NAMES.get(mechanism.type[joint], TURNING)[0], mechanism.type[joint]
        have = np.array([got[f"joint.{level(joint)}.{name}"] for name in names])
        value = np.array(as_list(value))
        ball = [i for i, name in enumerate(names) if name.startswith("quaternion")]
        if ball and have[ball] @ value[ball] < 0:
            have[ball] *= -1
        unlike = have - value
        if kind in ("revolute", "continuous", "screw"):
            unlike = (unlike + np.pi) % (2 * np.pi) - np.pi
        worst = max(worst, np.max(np.abs(unlike)))
    return worst


@pytest.mark.parametrize("name", MOVED)
def test_motions_are_as_expected(name, source, export):
    mechanism = Mechanism(source, name)
    fmu, motion = fmu_of(export, mechanism, "--fmi", 3, independent=False), mechanism.trajectory
    given = mechanism.named(0, motion["position"][0], "initial_")
    if "velocity" in motion:
        given |= mechanism.named(1, motion["velocity"][0], "initial_")
    given |= mechanism.named(2, motion.get("input", {}).get("effort", {}))
    names = [f"joint.{level(joint)}.{part}" for joint in motion["position"][0]
             for part in NAMES.get(mechanism.type[joint], TURNING)[0]]
    tolerance = max(1e-8, 100 * motion["agreement"]["position"])
    with fmu.slave(given | {"solver_tolerance": 1e-11}) as slave:
        time = 0.0
        for until, position in zip(motion["times"], motion["position"]):
            if until > time:
                slave.step_to(until)
                time = until
            assert apart(mechanism, dict(zip(names, slave.get(names))), position) < tolerance, (name, until)
