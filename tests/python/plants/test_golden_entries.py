"""Every entry of tests/reference is used by a test, or says where numbers come from; and tests of those that
no other file has: gravity, motors, friction of the motor's side, frequencies, time constants, energies, wheel forces.
"""

import json
import pathlib

import numpy as np
import pytest

from arm_xml import arm_xml
from conftest import SOURCE
from figures import close
from robot_fmu import ENERGIES, TIP_FORCE, TIP_TORQUE, RobotFmu
from test_golden_points import FITTING, RECURSION, without
from test_golden_trajectories import ARMS, KUTTA, TRAJECTORIES, VALVES, follow, volts
from test_snake import TRAJECTORIES as SNAKES
from test_snake import snake_xml

REFERENCE = SOURCE / "tests" / "reference"
ROBOTS = SOURCE / "resources" / "robots"

# By the last part of an entry's path: files of tests/ that use it. None: an account of how it was made, or a label.
ARM = ["python/support/arm_xml.py", "support/golden_arm.c"]
POINT = ["python/plants/test_golden_points.py", "model/dynamics/test_methods_golden.c"]
LEVERS = ["python/plants/test_cylinders.py"]
HERE = ["python/plants/test_golden_entries.py"]
MOTION = ["python/plants/test_golden_trajectories.py"]
SNAKE = ["model/snake/test_snake_golden.c"]
USED = {
    "arm_points.json": {
        "schema": None, "dps": None, "jacobian": None, "conventions": None,
        "alpha_quarter": None,  # alpha in quarters of a turn, where it is one
        **dict.fromkeys(["name", "convention", "gravity", "type", "alpha", "a", "d", "theta", "offset", "m", "com", "I", "Jm",
                         "G", "viscous", "coulomb", "coulomb_vs", "r", "q0"], ["python/support/arm_xml.py"]),
        **dict.fromkeys(["B_motor", "Tc_motor", "Kt", "Ke", "R", "motor_volt_for_tau", "motor_tau_for_24V"], HERE),
        **dict.fromkeys(["q", "qd", "qdd", "tau", "tip_wrench", "id_tau", "M", "bias", "fd_qdd", "friction", "passive"], POINT),
        **dict.fromkeys(["kinetic", "elastic", "p", "dqdd_dq", "dqdd_dqd", "dqdd_dtau"], POINT[:1]),
        **dict.fromkeys(["pA", "pB"], ["python/support/arm_xml.py"]),
        **dict.fromkeys(["k", "L0"], LEVERS),
    },
    "arm_trajectories.json": {
        **dict.fromkeys(["exact_self_consistency", "self_consistency", "energy_drift", "state", "initial", "law", "note", "err",
                         "nfev", "alpha_quarter"]),
        **dict.fromkeys(["robot", "t", "exact", "rk3_1ms", "rk3_err_1ms", "q_free", "y", "q", "qd", "qdd", "tau"], MOTION),
        **dict.fromkeys(["rk3_err_half", "time_constants_theta0", "natural_hz", "energy"], HERE),
        "gravity_torque": ["python/plants/test_actuators.py", "python/examples/test_grigorov_study.py"],
        **dict.fromkeys(["name", "convention", "gravity", "type", "alpha", "a", "d", "theta", "offset", "m", "com", "I", "r"],
                        ["python/support/arm_xml.py"]),
    },
    "snake_points_and_trajectories.json": {
        **dict.fromkeys(["about", "precision", "units", "state_layout", "hp_check", "energy_resid"]),
        "family": ["python/plants/test_snake.py"], "xy": ["python/plants/test_snake.py"], "lam": SNAKE + HERE, "y0": ["python/plants/test_snake.py"],
        **dict.fromkeys(["id", "n", "vs", "serp", "a", "b", "c", "d", "m", "I", "cr", "fc", "cj", "kj", "phi0", "kp", "kd", "A",
                         "om", "beta", "gam", "psi", "t", "theta", "u", "T", "ud", "M", "bias", "F", "V", "omega", "Vdot",
                         "omegadot", "xdd", "ydd", "joint_fx", "joint_fy", "tau_eff", "roll", "K", "P_joint", "P_roll", "Kdot",
                         "sigma_ctrl", "kind", "y", "w", "p"], SNAKE),
    },
}


def entries(tree):
    """The names of all numbers and texts, with lists of numbers as one."""
    if isinstance(tree, dict):
        for name, value in tree.items():
            found = list(entries(value))
            yield from found if found else [name]
    elif isinstance(tree, list):
        for value in tree:
            if isinstance(value, dict):
                yield from entries(value)


@pytest.mark.parametrize("file", USED)
def test_no_entry_is_left_unused(file):
    found = set(entries(json.loads((REFERENCE / file).read_text())))
    assert found - set(USED[file]) == set(), "entries that no test uses"
    # A name of the list that the file has no more, or that a test has no more, is stale.
    assert set(USED[file]) - found == set()
    for name, tests in USED[file].items():
        for test in tests or []:
            text = (SOURCE / "tests" / test).read_text()
            assert f'"{name}"' in text or f"'{name}'" in text, f"{test} does not use {name}"


def robots(name):
    robot, = (r for r in json.loads((REFERENCE / "arm_points.json").read_text())["robots"] if r["arm"]["name"] == name)
    return robot


@FITTING
def test_an_inverse_at_rest_asks_for_gravity_alone(arm, export, tmp_path):
    path = tmp_path / f"{arm.name}.xml"
    path.write_text(arm.xml)
    fmu = RobotFmu(export(path, "--kind", "inverse", "--bare"))
    with fmu.model(without(fmu, "stiffness")) as model:
        for case in arm.cases:
            zero = [0.0] * arm.n
            model.set(fmu.states + fmu.accelerations + TIP_FORCE + TIP_TORQUE, [*case["q"], *zero, *zero, *[0.0] * 6])
            # As large as gravity can be here, for a robot whose joints it does not turn.
            size = max(np.abs(case["gravity"]).max(), np.abs(case["bias"]).max(), 1e-300)
            close("gravity", model.get(fmu.efforts), case["gravity"], RECURSION, arm.name, size)


def test_motors_turn_volts_into_the_torques_of_the_points(export):
    robot = robots("cmu_dd_arm")
    fmu = RobotFmu(export(ROBOTS / "cmu_dd_arm.xml", "--bare"))
    motors = [link["motor"] for link in robot["arm"]["links"]]
    torques = [f"joint.joint{i}.torque" for i in range(1, 7)]
    for i, m in enumerate(motors, 1):
        assert [fmu.start(f"joint.joint{i}.{x}") for x in ("resistance", "torque_constant", "back_emf")] == [
            m["R"], m["Kt"], m["Ke"]]
    with fmu.model() as model:
        for case in robot["cases"]:
            model.set_state(case["q"], case["qd"])
            for voltage, torque in ((case["motor_volt_for_tau"], case["tau"]), ([24.0] * 6, case["motor_tau_for_24V"])):
                model.set(fmu.efforts, voltage)
                # A product and a difference: rounding of the largest term.
                close("motor torque", model.get(torques), torque, 1e-13, "cmu_dd_arm")


def test_friction_at_the_motors_side_is_that_of_the_joint_behind_the_gear(export, tmp_path):
    robot = robots("puma560")
    text = arm_xml(robot["arm"])
    for link in robot["arm"]["links"]:
        forwards, backwards = link["Tc_motor"]  # by the way that the joint turns, whatever the gear's sign
        if link["G"] < 0:
            forwards, backwards = -backwards, -forwards
        start = text.index("<friction viscous")
        end = text.index("/>", start)
        text = (text[:start] + f'<friction side="motor" viscous="{link["B_motor"]!r}" coulomb="{forwards!r}" '
                f'coulomb-negative="{-backwards!r}" width="{link["coulomb_vs"] * abs(link["G"])!r}"' + text[end:])
    path = tmp_path / "puma560_motor.xml"
    path.write_text(text)
    fmu = RobotFmu(export(path, "--bare"))
    with fmu.model() as model:
        for case in robot["cases"]:
            model.set_state(case["q"], case["qd"])
            force = np.zeros(3), np.zeros(3)
            if case["tip_wrench"] is not None:
                R = model.tip_rotation()
                force = R @ case["tip_wrench"][:3], R @ case["tip_wrench"][3:]
            model.set(TIP_FORCE + TIP_TORQUE, np.concatenate(force))
            model.set(fmu.efforts, case["tau"])
            # The file rounds what it converted; a small rotor's joint multiplies that.
            close("fd_qdd, friction at the motor", model.accelerations(), case["fd_qdd"], 1e-11, "puma560")


def test_half_the_step_errs_as_the_reference_says(export):
    golden = TRAJECTORIES["cmu_dd_arm_schedule"]
    fmu = RobotFmu(export(ROBOTS / "cmu_dd_arm.xml", "--bare"))
    half = follow(fmu, golden["t"], np.zeros(12), {"solver": KUTTA, "solver_step": 5e-4}, volts)
    error = np.abs(half - np.array(golden["exact"])).max()
    assert error == pytest.approx(golden["rk3_err_half"], rel=1e-3)


def test_the_arms_time_constants_are_those_of_motor_and_inertia(export):
    golden = TRAJECTORIES["cmu_dd_arm_schedule"]
    fmu = RobotFmu(export(ROBOTS / "cmu_dd_arm.xml", "--bare"))
    with fmu.model() as model:
        model.set_state([0.0] * 6, [0.0] * 6)
        rates = np.linalg.eigvals(model.jacobian(fmu.accelerations, fmu.velocities))
    assert np.sort(-1 / rates.real) == pytest.approx(golden["time_constants_theta0"], rel=1e-10)


def test_closed_valves_swing_with_the_frequencies_of_the_reference(export):
    golden = TRAJECTORIES["grigorov_valve_closure"]
    fmu = RobotFmu(export(ROBOTS / "grigorov5.xml", "--bare"))
    with fmu.model() as model:
        model.set_state(golden["y"][0][:5], np.zeros(5))
        compliance = model.jacobian(fmu.accelerations, fmu.efforts)  # the inverse of the mass matrix
    squares = np.sort(np.linalg.eigvals(compliance @ np.diag(VALVES["k"])).real)
    assert np.sqrt(squares) / (2 * np.pi) == pytest.approx(golden["natural_hz"], rel=1e-12)


@pytest.mark.parametrize("name", ["double_pendulum", "puma560akb_free"])
def test_energy_at_the_start_is_the_references(name, export, tmp_path):
    golden = TRAJECTORIES[name]
    path = tmp_path / f"{name}.xml"
    path.write_text(arm_xml(golden.get("arm") or ARMS[golden["robot"].split(" ")[0]]))
    fmu = RobotFmu(export(path, "--bare"))
    with fmu.model() as model:
        n = len(fmu.joints)
        for y in golden["y"]:
            model.set_state(y[:n], y[n:])
            size = max(abs(golden["energy"]), *np.abs(model.get(ENERGIES)))
            # The reference's states are exact to 1e-12.
            close("energy", [sum(model.get(ENERGIES))], [golden["energy"]], 1e-11, name, size)


@pytest.mark.parametrize("name", SNAKES)
def test_wheels_push_as_the_reference_says_along_the_way(name, export, tmp_path):
    golden = SNAKES[name]
    n = golden["params"]["n"]
    path = pathlib.Path(tmp_path) / "snake.xml"
    path.write_text(snake_xml(golden["params"], golden["y0"]))
    fmu = RobotFmu(export(path, "--platforms", "native", "--bare"))
    law = golden["torque"]
    with fmu.model() as model:
        for t, y, lam in list(zip(golden["t"], golden["y"], golden["lam"]))[::10]:
            model.fmi.setTime(t)
            model.set_state(y[:n + 4])
            if law["kind"] == "paper":
                model.set([f"joint{k}.torque" for k in range(1, n)], [np.sin(t) / (n - k) for k in range(1, n)])
            elif law["kind"] == "sin":
                model.set([f"joint{k}.torque" for k in range(1, n)],
                          [A * np.sin(w * t + p) for A, w, p in zip(law["A"], law["w"], law["p"])])
            got = model.get([f"wheel{i}.lateral_force" for i in range(1, n + 1)])
            close("wheel forces along trajectories", got, lam, 1e-9, name)
