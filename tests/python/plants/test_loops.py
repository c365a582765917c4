"""Closed loops through FMUs: expected values, derivatives, reactions, motions, saved states, dead points.

tests/mechanisms/README.md says where the values come from.
"""

import csv
import io
import json
import subprocess

import numpy as np
import pytest

import conftest
from mechanism import FOLDER, Mechanism, adjoint, as_list, axes, derivatives_agree, fmu_of, motion_agrees

ROBOTS = ["four_bar", "four_bar_welded", "slider_crank", "slider_crank_cut", "palletiser", "excavator", "watt_six_bar",
          "five_bar_scara", "bricard", "hooke_joint", "lead_screw", "delta", "stewart", "andrews", "stop_slider_crank"]
SYNTAX = ["four_bar_gazebo", "four_bar_loop_joint", "four_bar_loop_joint_spherical", "four_bar_side_file", "four_bar_two_parents"]
MOVED = ["andrews", "four_bar", "slider_crank", "palletiser", "excavator", "five_bar_scara", "bricard", "lead_screw", "delta",
         "stewart"]


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
    assert len(constants) == 1 or "stop" in mechanism.name  # a stop's energy is potential here


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
            with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
                derivatives_agree(mechanism, point, model)


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


@pytest.mark.parametrize("name", MOVED)
def test_motions_are_as_expected(name, source, export):
    mechanism = Mechanism(source, name)
    motion_agrees(mechanism, fmu_of(export, mechanism, "--fmi", 3, independent=False))


@pytest.mark.parametrize("fmi", [2, 3])
def test_results_do_not_depend_on_what_was_evaluated_before(fmi, source, export):
    """Gets in any order, states in any order, and a saved state restored, in Model Exchange."""
    mechanism = Mechanism(source, "slider_crank")
    fmu = fmu_of(export, mechanism, "--fmi", fmi)
    names = ["joint.rod.position", "joint.slide.velocity", "joint.slide.acceleration", "joint.crank.acceleration",
             "loop.wrist.error", "mechanism.regularity", "energy.kinetic"]
    with fmu.model(mechanism.start(mechanism.points[0])) as model:
        states = [np.array(model.get(["joint.crank.position", "joint.crank.velocity"])) + step
                  for step in ([0, 0], [0.3, 1], [-1.2, 2], [3.0, -1], [0.3, -4])]

        def at(state, order):
            model.set_state(state)
            return {names[i]: model.get([names[i]])[0] for i in order}

        forwards = [at(state, range(len(names))) for state in states]
        backwards = [at(state, reversed(range(len(names)))) for state in reversed(states)][::-1]
        assert forwards == backwards
        saved = model.saved()
        model.set_state(states[2])
        model.fmi.completedIntegratorStep() if fmi == 2 else model.fmi.completedIntegratorStep(True)
        model.restore(saved)
        assert at(states[3], range(len(names))) == forwards[3]


def test_a_dead_point_is_discarded_and_nothing_is_lost(source, export, forearm):
    """The slider as the state of a slider-crank does not determine the crank at its end."""
    mechanism = Mechanism(source, "slider_crank")
    mechanism.independent = ["slide"]
    fmu = fmu_of(export, mechanism)
    with fmu.model(mechanism.start(mechanism.points[0])) as model:
        near = model.get(["joint.slide.position", "joint.slide.velocity"])
        kept = model.get(["joint.crank.acceleration"])
        with pytest.raises(Exception, match="status 2"):
            model.set_state([0.3, 0.0])  # the rod does not reach so far
            model.get(["joint.crank.acceleration"])
        model.set_state(near)
        assert model.get(["joint.crank.acceleration"]) == kept


def test_positions_where_loops_cannot_be_closed_are_told_as_such(source, tmp_path):
    """The rod of the slider-crank reaches to 0.18 m: neither where a run begins nor in a table of poses is there a dead point."""
    mechanism = Mechanism(source, "slider_crank")
    run = ["simulate", mechanism.urdf, *map(str, mechanism.options), "--independent", "slide", "--stop", "0.01", "--out", "-"]
    for place in ("0.5", "5"):
        done = subprocess.run([conftest.FOREARM, *run, "--set", f"joint.slide.initial_position={place}"], capture_output=True, text=True)
        assert done.returncode == 4
        assert f"the loops cannot be closed with the joints that are states (slide) there, slide = {place}; " \
            "give other initial positions" in done.stderr
    table = tmp_path / "poses.csv"
    table.write_text("joint.slide.position,joint.slide.velocity,joint.slide.acceleration\n0.5,0,0\n")
    done = subprocess.run([conftest.FOREARM, "inverse", mechanism.urdf, *map(str, mechanism.options), "--independent", "slide",
                           "--in", table, "--out", "-"], capture_output=True, text=True)
    assert done.returncode != 0 and "cannot be closed with the joints that are states (slide) there" in done.stderr, done.stderr


def near_dead_point(mechanism, *more):
    done = subprocess.run([conftest.FOREARM, "simulate", mechanism.urdf, *map(str, mechanism.options), *more, "--out", "-"],
                          capture_output=True, text=True)
    return done.stderr


def test_a_dead_point_that_is_near_is_told_once_with_a_better_choice(source, export):
    mechanism = Mechanism(source, "slider_crank")
    # The crank turns through the end of the slider's stroke, where the slider is the state.
    said = near_dead_point(mechanism, "--independent", "slide", "--stop", "5")
    assert said.count("warning: a dead point is near at t = ") == 1, said
    assert "the joints that are states (slide) hardly determine 'crank'; choose 'crank' as independent" in said
    assert "no longer determine 'crank'" in said
    assert "dead point" not in near_dead_point(mechanism, "--independent", "crank", "--stop", "5")

    mechanism.independent = ["slide"]
    fmu = fmu_of(export, mechanism)
    heard = []
    log = {"loggingOn": True, "logMessage": lambda *words: heard.append(words[-1].decode())}
    with fmu.slave(**log) as slave, pytest.raises(Exception, match="status 2"):
        for k in range(1, 500):
            slave.step_to(0.01 * k)
    assert sum("a dead point is near" in message for message in heard) == 1, heard
    assert any("no longer determine 'crank'" in message for message in heard)


def test_a_pose_where_branches_meet_is_told_once(source, tmp_path):
    """The mechanism of N four-bars lies flat: no choice of states would be better, and it goes through."""
    folder = source / "tests/mechanisms/benchmarks/robots"
    done = subprocess.run([conftest.FOREARM, "simulate", folder / "n_four_bar_2.urdf", "--actuators",
                           folder / "n_four_bar_2.mechanism.xml", "--stop", "10", "--out", tmp_path / "motion.csv"],
                          capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.count("where its branches meet") == 1 and "choose" not in done.stderr.split("branches meet")[1]


def test_no_dead_point_hinders_n_four_bars(source, forearm, tmp_path):
    """Ten flat poses in ten seconds: the closed form of a pendulum."""
    folder = source / FOLDER / "benchmarks"
    wanted = json.loads((folder / "closed_forms.json").read_text())["n_four_bar_2"]
    table = tmp_path / "motion.csv"
    robot = folder / "robots" / "n_four_bar_2.urdf"
    forearm("simulate", robot, "--actuators", robot.with_suffix(".mechanism.xml"), "--stop", 10, "--step", 0.1,
            "--tolerance", 1e-10, "-o", table)
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == len(wanted["B0_x"])
    for row, x in zip(rows, wanted["B0_x"]):
        assert np.cos(float(row["joint.bar0.position"])) == pytest.approx(x, abs=1e-6)


LIGHT_ROW = """<robot name="row"><link name="base"/>{bodies}{loops}</robot>"""
LIGHT_BODY = """<link name="{name}">{inertial}</link><joint name="{name}" type="continuous"{wish}><parent link="{parent}"/>
<child link="{name}"/><origin xyz="{x} 0 0"/><axis xyz="0 -1 0"/></joint>"""
LIGHT_PIN = """<loop name="pin{k}" type="revolute"><predecessor link="top{k}"><origin xyz="1 0 0"/></predecessor>
<successor link="bar{next}"><origin xyz="1 0 0"/></successor><axis xyz="0 -1 0"/></loop>"""


@pytest.mark.parametrize("masses", [(1, 1, 1, 1), (300, 1, 0.01, 5)])
def test_links_without_mass_in_loops_are_no_dead_points(masses, tmp_path):
    """Parallel bars of 1 m on a base, tied by rods without mass: a pendulum of all their masses."""
    def body(name, parent, x, mass, wish=""):
        inertial = (f'<inertial><origin xyz="0.5 0 0"/><mass value="{mass}"/><inertia ixx="{mass / 12}" iyy="{mass / 12}" '
                    f'izz="{mass / 12}" ixy="0" ixz="0" iyz="0"/></inertial>' if mass else "")
        return LIGHT_BODY.format(name=name, parent=parent, x=x, inertial=inertial, wish=wish)

    n = len(masses) - 1
    bodies = [body(f"bar{k}", "base", k, masses[k], ' independent="true"' * (k == 0)) for k in range(n + 1)]
    bodies += [body(f"top{k}", f"bar{k}", 1, 0) for k in range(n)]
    loops = [LIGHT_PIN.format(k=k, next=k + 1) for k in range(n)]
    robot, side = tmp_path / "row.urdf", tmp_path / "row.xml"
    robot.write_text(LIGHT_ROW.format(bodies="".join(bodies), loops="".join(loops)))
    side.write_text('<mechanism for="row">' + "".join(f'<joint name="{name}{k}"><initial position="{start}"/></joint>' for name, start, count
                                                      in (("bar", 1.2, n + 1), ("top", -1.2, n)) for k in range(count)) + "</mechanism>")
    told = subprocess.run([conftest.FOREARM, "check", robot, "--actuators", side, "--json"], capture_output=True, text=True)
    found = json.loads(told.stdout)
    assert found["freedoms"] == 1 and found["redundant"] == 3 * n and found["least_pivot"] > 0.01, told
    motion = tmp_path / "motion.csv"
    done = subprocess.run([conftest.FOREARM, "simulate", robot, "--actuators", side, "--stop", "1", "--step", "1", "-o", motion],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "branches meet" not in done.stderr and "dead point" not in done.stderr, done.stderr
    first = next(csv.DictReader(motion.open()))
    wanted = -9.81 / 2 * np.cos(1.2) / (1 / 3)  # m g l/2 over m l^2/3, whatever the masses are
    assert float(first["joint.bar0.acceleration"]) == pytest.approx(wanted, rel=1e-12)


BAD = {"open_loop": "cannot be closed", "both_independent": "one freedom", "crossed_axes": "parallel",
       "no_freedom": "cannot be closed"}


@pytest.mark.parametrize("name", BAD)
def test_mechanisms_that_cannot_be_are_refused(name, source, refuse):
    robot = source / FOLDER / "bad" / f"{name}.urdf"
    assert BAD[name] in refuse("check", robot, "--actuators", robot.with_suffix(".mechanism.xml"))


def test_check_counts_freedoms(source, forearm):
    structure = json.loads((source / FOLDER / "structure.json").read_text())
    for name in ROBOTS:
        mechanism = Mechanism(source, name)
        found = json.loads(forearm("check", mechanism.urdf, *mechanism.options, "--json"))
        for key in ("freedoms", "speeds", "rows", "redundant"):
            assert found[key] == structure[name][key], (name, key)
        assert sorted(found["independent"]) == sorted(structure[name]["independent"])


@pytest.mark.parametrize("name", ["four_bar_welded", "slider_crank", "hooke_joint", "lead_screw", "delta", "stewart"])
def test_derivatives_of_all_outputs_agree_with_differences(name, source, export):
    mechanism = Mechanism(source, name)
    fmu = fmu_of(export, mechanism, "--outputs", "reactions")
    point = mechanism.points[1]
    with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
        states = [row.variable.derivative.name for row in fmu.description.derivatives]
        unknowns = [name for name, v in fmu.variable.items() if v.causality == "output" and name not in states]
        x = np.array(model.get(states))
        direction = np.cos(1.7 * np.arange(len(x)))
        got = model.derivative(unknowns, states, list(direction))
        h = 1e-5
        values = []
        for step in (-2, -1, 1, 2):
            model.set_state(x + step * h * direction)
            values.append(np.array(model.get(unknowns)))
        model.set_state(x)
        difference = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)
        # What differences of the fourth order leave, of the largest value.
        for i, unknown in enumerate(unknowns):
            scale = 1 + abs(difference[i]) + np.max(np.abs([v[i] for v in values]))
            assert abs(got[i] - difference[i]) < 1e-6 * scale, (unknown, got[i], difference[i])
        weights = np.sin(2.3 * np.arange(len(unknowns)) + 1)
        slopes = adjoint(model, unknowns, states, weights)
        size = np.abs(weights) @ np.abs(got)
        assert slopes @ direction == pytest.approx(weights @ got, abs=1e-9 * size)


@pytest.mark.parametrize("arguments, words", [
    (["check", "--independent", "crnk"], "there is no joint 'crnk' that moves and could be independent"),
])
def test_what_cannot_be_is_refused(arguments, words, source):
    mechanism = Mechanism(source, "four_bar")
    command, *options = arguments
    done = subprocess.run([conftest.FOREARM, command, mechanism.urdf, *mechanism.options, *options],
                          capture_output=True, text=True)
    assert done.returncode in (1, 2) and words in done.stderr, done.stderr


def test_a_coupling_is_a_gear(source, forearm, tmp_path):
    """Two flywheels, the second of which turns -2 times the first: inertia I1 + 4 I2."""
    robot = tmp_path / "gear.urdf"
    wheel = ('<link name="w{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
             'izz="{1}"/></inertial></link><joint name="j{0}" type="continuous"><parent link="base"/>'
             '<child link="w{0}"/><origin xyz="{0} 0 0"/><axis xyz="0 0 1"/></joint>')
    robot.write_text('<robot name="gear"><link name="base"/>' + wheel.format(1, 0.5) + wheel.format(2, 0.25) +
                     '<coupling name="mesh"><predecessor link="w1"/><successor link="w2"/><ratio value="-2"/>'
                     '</coupling></robot>')
    table = tmp_path / "input.csv"
    table.write_text("joint.j1.position,joint.j1.velocity,joint.j1.torque,joint.j2.torque\n0.3,0,2,0.5\n")
    out = forearm("forward", robot, "--tip", "w1", "--independent", "j1", "--in", table)
    row = next(csv.DictReader(io.StringIO(out)))
    assert float(row["joint.j1.acceleration"]) == pytest.approx((2 - 2 * 0.5) / (0.5 + 4 * 0.25), rel=1e-14)
    assert float(row["joint.j2.acceleration"]) == pytest.approx(-2 * (2 - 1) / 1.5, rel=1e-14)
