"""Every state of every arm in tests/reference/arm_points.json that <arm> has words for.

Those numbers were computed with 50 digits from Denavit-Hartenberg parameters, by a program that
shares no line with this one. The arm with hydraulic cylinders is in test_cylinders.py.

Tolerances are relative to the largest entry of what is compared. Each is a tenth or less of what
docs/verification.md calls the gate, since rounding is all that may differ:
  RECURSION   1e-13  sums of products along at most 20 bodies; no division. Worst seen: 3e-15
  solution()         1e-15 (some roundings) times the condition number of the mass matrix, since
                     solving with it loses as much; not below 1e-13
  JACOBIAN    1e-11  derivatives solve with the mass matrix twice. Worst seen: 3e-13, of ascher2,
                     whose condition number is 4e4
"""

import csv
import json
import math
import re

import numpy as np
import pytest

from arm_xml import Unfit, arm_xml
from conftest import SOURCE
from figures import close, scale
from robot_fmu import (ENERGIES, TIP_ANGULAR_VELOCITY, TIP_FORCE, TIP_POINT, TIP_TORQUE, RobotFmu)

REFERENCE = SOURCE / "tests" / "reference" / "arm_points.json"
RECURSION = 1e-13
JACOBIAN = 1e-11


class Arm:
    """An arm of the file and its states; `xml` is the robot in our words."""

    def __init__(self, robot):
        self.arm = robot["arm"]
        self.cases = robot["cases"]
        self.name = f"{self.arm['name']}_{self.arm['convention']}"
        self.xml = arm_xml(self.arm)
        self.n = len(self.arm["links"])
        self.tip = np.array(self.arm["tip"]["r"])

    def frame(self, case):
        return np.array(case["frame_n"]["R"]), np.array(case["frame_n"]["p"])

    def wrench(self, case, R):
        """Force and torque on the tip in world axes; the file has them in the last link's."""
        if case["tip_wrench"] is None:
            return np.zeros(3), np.zeros(3)
        return R @ case["tip_wrench"][:3], R @ case["tip_wrench"][3:]

    def mass_matrix(self, case):
        return np.array(case["M"])

    def solution(self, case):
        return max(1e-13, 1e-15 * np.linalg.cond(self.mass_matrix(case)))


def read():
    arms, unfit = [], []
    for robot in json.loads(REFERENCE.read_text())["robots"]:
        try:
            if any("cylinder" in link for link in robot["arm"]["links"]):
                raise Unfit("hydraulic cylinders")
            arms.append(Arm(robot))
        except Unfit as reason:
            unfit.append(f"{robot['arm']['name']}: {reason}")
    return arms, unfit


ARMS, UNFIT = read()
FITTING = pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)


def test_only_arms_with_cylinders_are_left_out():
    assert UNFIT == ["grigorov5_cylinders: hydraulic cylinders"]
    assert len(ARMS) == 26 and sum(len(arm.cases) for arm in ARMS) == 72


@pytest.fixture(scope="session")
def robot_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arms")

    def write(arm):
        path = folder / f"{arm.name}.xml"
        path.write_text(arm.xml)
        return path

    return write


# ---------------------------------------------------------------------------------------- both FMUs

@pytest.fixture(scope="module")
def fmu(export, robot_file):
    def get(arm, fmi):
        return RobotFmu(export(robot_file(arm), "--fmi", fmi, "--bare"))

    return get


def put(model, arm, case):
    """Brings the instance to the case; gives the rotation of the tip by its own account."""
    model.set_state(case["q"], case["qd"])
    R = model.tip_rotation()
    force, torque = arm.wrench(case, R)
    model.set(TIP_FORCE + TIP_TORQUE, [*force, *torque])
    model.set(model.fmu.efforts, case["tau"])
    return R


def by_position(model, arm, case, R):
    """dqdd/dq. The file's wrench turns with the last link, so ours turns along in the same step."""
    force, torque = arm.wrench(case, R)
    axes = model.jacobian(TIP_ANGULAR_VELOCITY, model.fmu.velocities).T
    return np.array([
        model.derivative(model.fmu.accelerations, [position, *TIP_FORCE, *TIP_TORQUE],
                         [1.0, *np.cross(axis, force), *np.cross(axis, torque)])
        for position, axis in zip(model.fmu.positions, axes)]).T


def backwards(model, unknowns, knowns):
    """The same matrix as jacobian(), by adjoint derivatives: row by row."""
    reference = {name: model.fmu.variable[name].valueReference for name in [*unknowns, *knowns]}
    return np.array([model.fmi.getAdjointDerivative(
        [reference[unknown]], [reference[known] for known in knowns], [1.0], len(knowns))
        for unknown in unknowns])


def without(fmu, *kinds):
    """Values of parameters that switch off what these suffixes name."""
    return {name: 0.0 for name in fmu.variable if name.startswith("joint.")
            and name.endswith(tuple(f".{kind}" for kind in kinds))}


@pytest.mark.sampled
@pytest.mark.parametrize("fmi", [2, 3])
@FITTING
def test_an_fmu_meets_every_point(arm, fmi, fmu):
    fmu = fmu(arm, fmi)
    assert len(fmu.joints) == arm.n
    with fmu.model() as model:
        for number, case in enumerate(arm.cases):
            at = f"{arm.name}[{number}] FMI {fmi}"
            R = put(model, arm, case)
            want_R, want_p = arm.frame(case)
            close("tip quaternion as a matrix", R, want_R, RECURSION, at)
            # With the reach of the arm as its measure: the tip may pass through the origin.
            reach = sum(math.hypot(link["a"], link["d"]) for link in arm.arm["links"])
            reach += np.linalg.norm(arm.tip) + np.linalg.norm(case["q"])
            close("tip position", model.get(TIP_POINT), want_p + want_R @ arm.tip, RECURSION, at,
                  size=reach)
            close("fd_qdd", model.accelerations(), case["fd_qdd"], arm.solution(case), at)

            energy = case["energy"]
            potential = energy["gravity"] + energy["elastic"]
            # Terms of both signs make up the potential energy, so the sum of their sizes judges.
            weight = sum(link["m"] for link in arm.arm["links"]) * scale(arm.arm["gravity"]) * reach
            got = model.get(ENERGIES)
            close("energy.kinetic", got[:1], [energy["kinetic"]], RECURSION, at)
            close("energy.potential", got[1:], [potential], RECURSION, at,
                  size=max(weight, energy["elastic"], 1e-300))

            close("dqdd_dq", by_position(model, arm, case, R), case["dqdd_dq"], JACOBIAN, at)
            if fmi == 3 and case["tip_wrench"] is None:
                got = backwards(model, fmu.accelerations, fmu.positions)
                close("dqdd_dq, adjoint", got, case["dqdd_dq"], JACOBIAN, at)
            for what, known in (("dqdd_dqd", fmu.velocities), ("dqdd_dtau", fmu.efforts)):
                got = model.jacobian(fmu.accelerations, known)
                close(what, got, case[what], JACOBIAN, at)
                if fmi == 3:
                    close(f"{what}, adjoint", backwards(model, fmu.accelerations, known),
                          case[what], JACOBIAN, at)


@pytest.mark.sampled
@pytest.mark.parametrize("fmi", [2, 3])
@FITTING
def test_friction_and_springs_are_what_their_parameters_take_away(arm, fmi, fmu):
    """M (qdd without - qdd with) is the torque of friction, and of springs with opposite sign."""
    fmu = fmu(arm, fmi)
    spring = without(fmu, "stiffness", "damping")
    friction = without(fmu, "viscous_friction", "coulomb_friction", "coulomb_friction_negative")
    with fmu.model() as full, fmu.model(friction) as smooth, fmu.model(spring) as slack:
        for number, case in enumerate(arm.cases):
            at = f"{arm.name}[{number}] FMI {fmi}"
            qdd = []
            for model in (full, smooth, slack):
                put(model, arm, case)
                qdd.append(model.accelerations())
            M = arm.mass_matrix(case)
            # Two solutions are subtracted: their rounding, multiplied by M, is the measure.
            size = scale(M) * max(scale(values) for values in qdd)
            close("friction", M @ (qdd[1] - qdd[0]), case["friction"], arm.solution(case), at, size)
            close("passive", M @ (qdd[0] - qdd[2]), case["passive"], arm.solution(case), at, size)


@pytest.mark.sampled
@pytest.mark.parametrize("fmi", [2, 3])
@FITTING
def test_an_inverse_fmu_asks_for_the_torques_of_every_point(arm, fmi, export, robot_file):
    fmu = RobotFmu(export(robot_file(arm), "--kind", "inverse", "--fmi", fmi, "--bare"))
    with fmu.model() as model:
        for number, case in enumerate(arm.cases):
            at = f"{arm.name}[{number}] FMI {fmi}"
            wrench = np.concatenate(arm.wrench(case, arm.frame(case)[0]))
            model.set(fmu.states + fmu.accelerations + TIP_FORCE + TIP_TORQUE,
                      [*case["q"], *case["qd"], *case["qdd"], *wrench])
            torques = model.get(fmu.efforts)
            close("id_tau of the inverse FMU", torques, case["id_tau"], RECURSION, at)
            M = model.jacobian(fmu.efforts, fmu.accelerations)
            close("M, its directional derivative", M, case["M"], RECURSION, at)


# --------------------------------------------------------------------------------- the command line

def table(path, columns, rows):
    with open(path, "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([repr(float(value)) for value in row] for row in rows)
    return path


@pytest.fixture(scope="module")
def methods(forearm):
    """The rows of `forearm methods`."""
    arms = forearm("methods").split("\n\n")[0].splitlines()
    head, *rows = [re.split(r"\s{2,}", line) for line in arms]
    assert head == ["name", "gives", "cost", "covers also", "page", "paper"]
    return [{"name": row[0], "gives": row[1], "covers": row[3]} for row in rows]


def column(text, names):
    rows = list(csv.DictReader(text.splitlines()))
    return np.array([[float(row[name]) for name in names] for row in rows])


def fits(arm, method):
    return "P" not in (link["type"] for link in arm.arm["links"]) or "prismatic" in method["covers"]


@FITTING
def test_every_method_inverts_and_solves_every_point(arm, forearm, methods, fmu, robot_file,
                                                     tmp_path):
    names = fmu(arm, 3)
    given = names.states + TIP_FORCE + TIP_TORQUE
    inverse_rows, forward_rows = [], []
    for case in arm.cases:
        still = [*case["q"], *case["qd"], *np.concatenate(arm.wrench(case, arm.frame(case)[0]))]
        # The case itself, the same without acceleration, then one joint after the other by 1.
        inverse_rows += [[*still, *qdd] for qdd in [case["qdd"], np.zeros(arm.n), *np.eye(arm.n)]]
        forward_rows.append([*still, *case["tau"]])
    inverse_file = table(tmp_path / "inverse.csv", given + names.accelerations, inverse_rows)
    forward_file = table(tmp_path / "forward.csv", given + names.efforts, forward_rows)

    fitting = [method for method in methods if fits(arm, method)]
    assert sum("inverse" in method["gives"] for method in fitting) >= 2
    assert sum("forward" in method["gives"] for method in fitting) >= 3
    for method in fitting:
        options = ["--method", method["name"]]
        if "inverse" in method["gives"]:
            text = forearm("inverse", robot_file(arm), "--in", inverse_file, *options)
            torques = column(text, names.efforts)
        if "forward" in method["gives"]:
            text = forearm("forward", robot_file(arm), "--in", forward_file, *options)
            accelerations = column(text, names.accelerations)
        for number, case in enumerate(arm.cases):
            at = f"{arm.name}[{number}] {method['name']}"
            if "inverse" in method["gives"]:
                check_inverse(case, torques[number * (arm.n + 2):(number + 1) * (arm.n + 2)], at)
            if "forward" in method["gives"]:
                close("fd_qdd by method", accelerations[number], case["fd_qdd"], arm.solution(case),
                      at)


def check_inverse(case, torques, at):
    """torques: of the case, of no acceleration, and of each joint's unit acceleration."""
    close("id_tau", torques[0], case["id_tau"], RECURSION, at)
    rest, units = torques[1], torques[2:]
    # Inverse dynamics without acceleration: friction, springs and the tip's wrench are part of it.
    close("bias", rest, case["bias"], RECURSION, at)
    close("M", (units - rest).T, case["M"], RECURSION, at, max(scale(case["M"]), scale(rest)))
