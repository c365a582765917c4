"""Robots of tests/mechanisms: their files, expected values, and the names that a joint's numbers have in FMUs."""

import ctypes
import json
import xml.etree.ElementTree

import numpy as np
import pytest

from robot_fmu import RobotFmu

FOLDER = "tests/mechanisms"
WXYZ = "wxyz"


def axes(name, letters="xyz"):
    return [f"{name}.{letter}" for letter in letters]


# Positions, velocities, efforts and accelerations of a joint by its type.
NAMES = {
    "planar": (["position.x", "position.y", "angle"], ["velocity.x", "velocity.y", "angular_velocity"],
               ["force.x", "force.y", "torque"], ["acceleration.x", "acceleration.y", "angular_acceleration"]),
    "spherical": (axes("quaternion", WXYZ), axes("angular_velocity"), axes("torque"), axes("angular_acceleration")),
    "floating": (axes("position") + axes("quaternion", WXYZ), axes("velocity") + axes("angular_velocity"),
                 axes("force") + axes("torque"), axes("acceleration") + axes("angular_acceleration")),
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
        self.type = {joint.get("name"): {"ball": "spherical"}.get(joint.get("type"), joint.get("type"))
                     for joint in root.findall("joint")}
        golden = json.loads((source / FOLDER / "points" / f"{points or name}.json").read_text())
        self.points, self.independent = golden["points"], golden.get("independent", [])
        motion = source / FOLDER / "trajectories" / f"{name}.json"
        self.trajectory = json.loads(motion.read_text()) if motion.exists() else None
        self.wrenches = sorted({link for point in self.points for key in ("link_force", "link_torque")
                                for link in point["input"].get(key, {})})

    def parts(self, joint, kind):
        """What the numbers of a joint are called; kind: 0 position, 1 velocity, 2 effort, 3 acceleration."""
        return NAMES.get(self.type[joint], TURNING)[kind]

    def named(self, kind, values, before=""):
        """{variable: number} of {joint: numbers}."""
        return {f"joint.{level(joint)}.{before}{name}": number for joint, value in values.items()
                for name, number in zip(self.parts(joint, kind), as_list(value))}

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

    def apart(self, got, wanted):
        """How far two sets of positions are apart: angles modulo a turn, quaternions up to their sign."""
        worst = 0
        for joint, value in wanted.items():
            names, value = self.parts(joint, 0), np.array(as_list(value))
            have = np.array([got[f"joint.{level(joint)}.{name}"] for name in names])
            ball = [i for i, name in enumerate(names) if name.startswith("quaternion")]
            if ball and have[ball] @ value[ball] < 0:
                have[ball] *= -1
            unlike = have - value
            for i, name in enumerate(names):
                if name == "angle" or (name == "position" and self.type[joint] in ("revolute", "continuous", "screw")):
                    unlike[i] = (unlike[i] + np.pi) % (2 * np.pi) - np.pi
            worst = max(worst, np.max(np.abs(unlike)))
        return worst


def fmu_of(export, mechanism, *options, independent=True):
    """The FMU of a mechanism, by default with the states that its expected values have."""
    wrenches = [word for link in mechanism.wrenches for word in ("--wrench", link)]
    choice = ["--independent", ",".join(mechanism.independent)] if independent and mechanism.independent else []
    return RobotFmu(export(mechanism.urdf, *mechanism.options, *wrenches, *choice, *options, "--bare"))


def derivatives_agree(mechanism, point, model):
    """Directional derivatives of a state, held to what is expected: their unknowns, knowns, seed and values."""
    wanted = mechanism.named(3, point["derivative"]["acceleration"])
    steps = mechanism.direction(point)
    largest = max(1, *map(abs, wanted.values()))
    got = model.derivative(list(wanted), list(steps), list(steps.values()))
    # 1e-8 as the specification has it; 2e-15 was seen.
    assert got == pytest.approx(list(wanted.values()), abs=1e-8 * largest, rel=0)
    return list(wanted), list(steps), np.array(list(steps.values())), got


def adjoint(model, unknowns, knowns, weights):
    """FMPy's own function takes as many results as there are unknowns."""
    of, by = ([model.fmu.variable[name].valueReference for name in names] for names in (unknowns, knowns))
    slopes = (ctypes.c_double * len(by))()
    model.fmi.fmi3GetAdjointDerivative(
        model.fmi.component, (ctypes.c_uint32 * len(of))(*of), len(of), (ctypes.c_uint32 * len(by))(*by), len(by),
        (ctypes.c_double * len(of))(*weights), len(of), slopes, len(by))
    return np.array(slopes)


def motion_agrees(mechanism, fmu):
    """A motion in Co-Simulation, held to the expected positions."""
    motion = mechanism.trajectory
    given = mechanism.named(0, motion["position"][0], "initial_")
    if "velocity" in motion:
        given |= mechanism.named(1, motion["velocity"][0], "initial_")
    given |= mechanism.named(2, motion.get("input", {}).get("effort", {}))
    names = list(mechanism.named(0, motion["position"][0]))
    # 1e-8 at the solver's tolerance 1e-10, or a hundred times how far the references are apart.
    tolerance = max(1e-8, 100 * motion["agreement"]["position"])
    with fmu.slave(given | {"solver_tolerance": 1e-11}) as slave:
        time = 0.0
        for until, position in zip(motion["times"], motion["position"]):
            if until > time:
                slave.step_to(until)
                time = until
            assert mechanism.apart(dict(zip(names, slave.get(names))), position) < tolerance, (mechanism.name, until)
