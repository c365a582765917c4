"""Arms with hydraulic cylinders: reference points, a valve that closes, cavitation, coupling.

The reference points are those of grigorov5_cylinders in tests/reference/arm_points.json, computed with 50 digits
by a program that shares no line with this one; each cylinder there is a spring and a damper. The closing valve is
that of a forestry crane's lift cylinder, whose frequency and first swing another simulation gave.
"""

import csv
import io
import json
import re

import fmpy
import numpy as np
import pinocchio as pin
import pytest

import hydraulics
from arm_xml import arm_xml
from cli import fails, ok, run
from conftest import SOURCE
from figures import close
from robot_fmu import ENERGIES, TIP_FORCE, TIP_TORQUE, RobotFmu
from test_golden_points import REFERENCE, JACOBIAN, Arm

PATU = SOURCE / "resources" / "robots" / "patu655.xml"


@pytest.fixture(scope="module")
def golden():
    robots = json.loads(REFERENCE.read_text())["robots"]
    return next(Arm(r) for r in robots if r["arm"]["name"] == "grigorov5_cylinders")


@pytest.mark.parametrize("fmi", [2, 3])
def test_an_fmu_with_cylinders_meets_every_point(golden, fmi, export, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(arm_xml(golden.arm))
    fmu = RobotFmu(export(path, "--fmi", fmi, "--bare"))
    links = [(i, link["cylinder"]) for i, link in enumerate(golden.arm["links"], 1)
             if "cylinder" in link]
    forces = [f"cylinder.c{i}.force" for i, _ in links]
    k = np.array([c["k"] for _, c in links])
    d = np.array([c["d"] for _, c in links])
    rest = np.array([c["L0"] for _, c in links])

    def of(name):
        return [f"cylinder.c{i}.{name}" for i, _ in links]

    with fmu.model() as model:
        for number, case in enumerate(golden.cases):
            at = f"{golden.name}[{number}] FMI {fmi}"
            model.set_state(case["q"], case["qd"])
            wrench = golden.wrench(case, model.tip_rotation())
            model.set(TIP_FORCE + TIP_TORQUE, [*wrench[0], *wrench[1]])
            model.set(fmu.efforts, case["tau"])
            length, rate = np.array(model.get(of("length"))), np.array(model.get(of("velocity")))
            push = -k * (length - rest) - d * rate
            model.set(forces, push)
            # A force of 1e6 N times the rounding of a length of a metre.
            tolerance = 10 * golden.solution(case)
            close("fd_qdd", model.accelerations(), case["fd_qdd"], tolerance, at)
            lever = model.jacobian(of("length"), fmu.positions)
            close("passive", lever.T @ push, case["passive"], 1e-12, at)
            close("lever", [lever[i, index - 1] for i, (index, _) in enumerate(links)],
                  model.get(of("lever")), 1e-14, at)
            elastic = 0.5 * k @ (length - rest) ** 2
            close("elastic", [elastic], [case["energy"]["elastic"]], 1e-12, at)
            close("kinetic", model.get(ENERGIES[:1]), [case["energy"]["kinetic"]], 1e-13, at)

            # Derivatives with the force following the motion, by the chain rule.
            by_force = model.jacobian(fmu.accelerations, forces)
            by_rate = model.jacobian(fmu.accelerations, fmu.velocities)
            force_by_rate = -d[:, None] * model.jacobian(of("velocity"), fmu.velocities)
            close("dqdd_dqd", by_rate + by_force @ force_by_rate, case["dqdd_dqd"], JACOBIAN, at)
            if case["tip_wrench"] is None:
                by_place = model.jacobian(fmu.accelerations, fmu.positions)
                force_by_place = -k[:, None] * lever - d[:, None] * model.jacobian(
                    of("velocity"), fmu.positions)
                close("dqdd_dq", by_place + by_force @ force_by_place, case["dqdd_dq"], JACOBIAN, at)


# ----------------------------------------------------------------------------- a valve that closes

# The lift boom of patu655.xml with 500 kg where the tilt joint is.
CLOSURE = """<arm name="closure" convention="modified" gravity="0 -9.8066 0">
  <joint name="lift" type="revolute">
    <link name="boom" mass="143.66" com="1.229248 0.055596 0"
          inertia="1.055433 66.577004 67.053707 1.442440 -3e-6 0"/>
  </joint>
  <joint name="hook" type="fixed" a="2.881080943">
    <link name="load" mass="500" com="0 0.021592554 0" inertia="0 0 0 0 0 0"/>
  </joint>
  <cylinder name="lift" from="base" from-xyz="0.26 -1.039986751 0" to="boom" to-xyz="0.3025 -0.105 0"
            cut="{cut}" bore="0.1" rod="0.056" closed-length="0.82" stroke="0.535">
    <oil bulk-modulus="1.65e9"/>
    <hose diameter="0.0127" length="1.5" bulk-modulus="7e8"/>
    <friction viscous="1320"/>
    <valve nominal-flow="4e-4"/>
{start}
  </cylinder>
</arm>
"""


@pytest.fixture(scope="module")
def closing(forearm, tmp_path_factory):
    """The motion after the piston came with a speed [m/s] and the valve closed: columns by name."""

    def run(speed, pressure=None, cut="valve", *options):
        path = tmp_path_factory.mktemp("closure") / "closure.xml"
        start = f'<start pressure-b="{pressure}"/>' if pressure else ""
        path.write_text(CLOSURE.format(cut=cut, start=start))
        text = forearm("simulate", path, "--set", f"joint.lift.initial_velocity={speed / LEVER!r}",
                       "--stop", 1.5, "--step", 0.0005, *options)
        rows = list(csv.DictReader(io.StringIO(text)))
        return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}

    return run


LEVER = 0.3069558464026762  # of the lift cylinder when the boom is level [m]


def test_a_closed_valve_is_the_spring_that_the_oil_makes(closing):
    # Another simulation gave 6.637 Hz and, from 0.05 m/s, a first swing of 0.2234 degrees.
    for speed in (0.01, -0.05):
        motion = closing(speed)
        t, q, qd = motion["time"], motion["joint.lift.position"], motion["joint.lift.velocity"]
        turns = np.flatnonzero(qd[:-1] * qd[1:] < 0)
        when = t[turns] - qd[turns] * (t[turns + 1] - t[turns]) / (qd[turns + 1] - qd[turns])
        assert (len(when) - 1) / 2 / (when[-1] - when[0]) == pytest.approx(6.637, rel=0.002)
        swing = np.degrees(np.abs(q[: turns[0] + 2]).max())
        assert swing == pytest.approx(0.2234 * abs(speed) / 0.05, rel=0.01)


def test_an_oil_column_that_is_torn_stays_above_vapour(closing):
    # At 0.05 m/s the linear law takes the weakly clamped cylinder to -20 bar.
    motion = closing(0.05, pressure=1e6)
    lowest = min(motion["cylinder.lift.pressure_a"].min(), motion["cylinder.lift.pressure_b"].min())
    assert 1e4 < lowest < 1.3e4
    for name in ("joint.lift.position", "cylinder.lift.pressure_a"):
        assert np.isfinite(motion[name]).all()


def test_a_cut_at_the_chambers_without_flow_is_a_closed_valve(closing):
    whole, open_ended = closing(0.03), closing(0.03, cut="chamber")
    # The same equations, and an error per step of 1e-8; some thousands of steps.
    assert np.abs(whole["joint.lift.position"] - open_ended["joint.lift.position"]).max() < 1e-8


# The cylinder is 0.936 m long at zero; beyond either end of its stroke there is only what the hose holds, 35 mm of piston.
@pytest.mark.parametrize("parameter, value, near", [("cylinder.lift.closed_length", 0.99, 0.94), ("cylinder.lift.stroke", 0.05, 0.11),
                                                    ("joint.lift.initial_position", -1.2, -0.2)])
def test_parameters_that_leave_no_oil_in_a_chamber_are_refused_at_the_start(parameter, value, near, tmp_path):
    path = tmp_path / "closure.xml"
    path.write_text(CLOSURE.format(cut="valve", start=""))
    told = fails(1, "simulate", path, "--stop", 0.001, "--set", f"{parameter}={value}")
    assert re.search(r"cylinder 'lift' is [0-9.]+ m long at the start, but it can only be [0-9.]+ to [0-9.]+ m long", told)
    ok("simulate", path, "--stop", 0.001, "--set", f"{parameter}={near}")


# ------------------------------------------------------------------------------------------- ends

# No dead volume, and a hose of 3 ml: pressed into an end, the piston takes more than that. The spool hardly damps.
PRESS = """<arm name="press" convention="standard" gravity="0 -9.81 0">
  <joint name="slide" type="revolute" a="1">
    <link name="boom" mass="300" com="-0.5 0 0" inertia="1 30 30 0 0 0"/>
  </joint>
  <cylinder name="lift" from="base" from-xyz="0.3 -1 0" to="boom" to-xyz="-0.7 0 0" cut="valve"
            bore="0.1" rod="0.056" closed-length="0.85" stroke="0.3" dead-volume-a="0" dead-volume-b="0">
    <hose diameter="0.006" length="0.1"/>
    <valve nominal-flow="4e-4" bandwidth="20" damping="0.05"/>
    <supply pressure="2e7" tank="1e5"/>
  </cylinder>
</arm>"""


@pytest.fixture(scope="module")
def press(tmp_path_factory):
    path = tmp_path_factory.mktemp("press") / "press.xml"
    path.write_text(PRESS)
    return path


def motion_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("command, high, low", [(1, "a", "b"), (-1, "b", "a")])
def test_every_solver_rests_at_the_same_end_of_the_stroke(command, high, low, press, forearm):
    ends = []
    for solver in ("dormand-prince", "kutta-3", "runge-kutta-4", "rosenbrock"):
        run = motion_of(forearm("simulate", press, "--solver", solver, "--set", f"cylinder.lift.spool={command}",
                                "--set", "solver_step=5e-6", "--stop", 2, "--step", 0.1))
        assert all(np.isfinite(column).all() for column in run.values())
        assert run[f"cylinder.lift.pressure_{high}"][-1] == pytest.approx(2e7, rel=1e-6)
        assert run[f"cylinder.lift.pressure_{low}"][-1] == pytest.approx(1e5, rel=1e-4)
        length = run["cylinder.lift.length"][-1]
        assert length > 1.15 if command > 0 else length < 0.85
        ends.append(run["joint.slide.position"][-1])
    # At rest: what is left is the solvers' tolerance, 1e-8 each step.
    assert max(ends) - min(ends) < 1e-9


# Told 3 and then 0.5: it stops at 1, and swings back from there as a spool does that was at rest there.
@pytest.mark.parametrize("solver", ["dormand-prince", "kutta-3", "runge-kutta-4", "rosenbrock"])
def test_a_spool_stops_at_its_end_and_leaves_it_at_once(solver, press, forearm, tmp_path):
    (tmp_path / "command.csv").write_text("time,cylinder.lift.spool\n0,3\n0.2,0.5\n")
    run = motion_of(forearm("simulate", press, "--solver", solver, "--input", tmp_path / "command.csv", "--stop", 0.3,
                            "--step", 0.001, "--set", "cylinder.lift.spool_damping=0", "--set", "solver_step=1e-5"))
    t, place = run["time"], run["cylinder.lift.spool_position"]
    assert np.abs(place).max() <= 1 + 2e-9
    assert np.all(place[(t > 0.05) & (t < 0.1995)] == 1)
    after = t > 0.2005
    # Without damping; one step of 1 ms is the least that the end may hold it for.
    w = 2 * np.pi * 20
    assert np.abs(place[after] - 0.5 - 0.5 * np.cos(w * (t[after] - 0.2))).max() < 1e-6


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("robot", ["press", "axis"])
def test_a_spool_stops_at_its_end_in_model_exchange(fmi, robot, press, export):
    fmu = export(press if robot == "press" else SOURCE / "resources" / "robots" / "patu655_lift_axis.xml", "--fmi", fmi)
    place = "cylinder.lift.spool_position"
    result = fmpy.simulate_fmu(str(fmu), fmi_type="ModelExchange", stop_time=0.2, output_interval=0.001, output=[place],
                               start_values={"cylinder.lift.spool": -4, "cylinder.lift.spool_damping": 0.1},
                               relative_tolerance=1e-8)
    # Between two points of CVode the host may show how far it got before it found the event.
    assert result[place].min() >= -1 - 1e-6
    assert np.all(result[place][result["time"] > 0.15] == -1)


def test_check_tells_the_volumes_at_both_ends(press, tmp_path):
    said = run("check", press).stderr.decode()
    # The hose holds pi/4 (6 mm)^2 0.1 m; the supply presses the end in by 20 MPa times the area over 1e8 N/m.
    assert re.fullmatch(rf"{re.escape(str(press))}:5:3: warning: cylinder 'lift' holds 2\.83e-6 m\^3 of oil in chamber A when it "
                        r"is all in, and 2\.83e-6 m\^3 in B when it is all out; pressed 0\.00108 m and 0\.00157 m into .*\n", said)
    assert run("simulate", press, "--stop", 0.01).stderr == b""
    (tmp_path / "roomy.xml").write_text(PRESS.replace('dead-volume-a="0"', 'dead-volume-a="2e-5"').replace('b="0"', 'b="2e-5"'))
    assert run("check", tmp_path / "roomy.xml").stderr == b""


def test_a_spool_starts_within_its_stroke(press):
    told = fails(1, "simulate", press, "--set", "cylinder.lift.initial_spool_position=1.5")
    assert "'cylinder.lift.initial_spool_position' must be between -1 and 1, not 1.5" in told


# ------------------------------------------------------------------------------------------- all cuts

@pytest.mark.parametrize("cut", ["chamber", "valve"])
def test_what_is_inside_follows_the_equations(cut, export, tmp_path):
    path = tmp_path / "crane.xml"
    path.write_text(PATU.read_text().replace('cut="force"', f'cut="{cut}"'))
    fmu = RobotFmu(export(path, "--bare"))
    chance = np.random.default_rng(4)
    with fmu.model() as model:
        for _ in range(5):
            model.set(fmu.positions + fmu.velocities, chance.uniform(-0.3, 0.3, 4))
            for name in ("lift", "tilt"):
                c = f"cylinder.{name}."
                n = {v[len(c):]: float(fmu.variable[v].start) for v in fmu.variable
                     if v.startswith(c) and fmu.variable[v].causality == "parameter"}
                pa, pb = chance.uniform(2e4, 1e7, 2)
                model.set([c + "pressure_a", c + "pressure_b"], [pa, pb])
                if cut == "chamber":
                    qa, qb = chance.uniform(-1e-4, 1e-4, 2)
                    model.set([c + "flow_a", c + "flow_b"], [qa, qb])
                else:
                    place, ps, pt = chance.uniform(-1.3, 1.3), 1.2e7, 1e5
                    model.set([c + "spool_position", "supply.pressure", "tank.pressure"],
                              [place, ps, pt])
                    qa, qb, drawn, back = hydraulics.valve(n, place, pa, pb, ps, pt)
                    assert model.get([c + "flow_a", c + "flow_b", c + "supply_flow", c + "tank_flow"]
                                     ) == pytest.approx([qa, qb, drawn, back], rel=1e-12, abs=1e-16)
                length, v = model.get([c + "length", c + "velocity"])
                want = hydraulics.cylinder(n, length, v, pa, pb, qa, qb)
                got = model.get([c + x for x in ("force", "friction_force", "stop_force",
                                                 "pressure_a_rate", "pressure_b_rate")])
                assert got == pytest.approx(want, rel=1e-11, abs=1e-8)


# ------------------------------------------------------------------------------ forces in joints

def patu_in_pinocchio():
    """The crane as patu655.xml has it: two joints, their links, gravity along -y."""
    turn = [pin.SE3(pin.rpy.rpyToMatrix(0, 0, np.radians(a)), np.zeros(3)) for a in (0.429399, -60.429399)]
    model = pin.Model()
    lift = model.addJoint(0, pin.JointModelRZ(), pin.SE3(np.eye(3), np.array([-0.09, 1.4261, 0])), "lift")
    tilt = model.addJoint(lift, pin.JointModelRZ(),
                          turn[0] * pin.SE3(np.eye(3), np.array([2.8811618544, 0, 0])) * turn[1], "tilt")
    for joint, mass, com, (xx, yy, zz, xy, xz, yz) in (
            (lift, 143.66, (1.229248, 0.055596, 0), (1.055433, 66.577004, 67.053707, 1.442440, -3e-6, 0)),
            (tilt, 157.871069, (0.754935, 0.010653, 0), (1.4, 70.9, 69.6, 0, 0, 0))):
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        model.appendBodyToJoint(joint, pin.Inertia(mass, np.array(com), tensor), pin.SE3.Identity())
    model.gravity = pin.Motion(np.array([0, -9.8066, 0]), np.zeros(3))
    return model


def rocker_end(pivot, pin_at, rocker, coupler):
    """Where rocker and coupler meet, on the left of the line from the pivot to the pin."""
    line = pin_at - pivot
    d = np.linalg.norm(line)
    along = (d * d + rocker**2 - coupler**2) / (2 * d)
    left = np.array([-line[1], line[0], 0]) / d
    return pivot + along * line / d + np.sqrt(rocker**2 - along**2) * left


def pushes(model, data, lift, tilt):
    """Forces at points in the world, by what they act on: 0 the ground, 1 lift boom, 2 tilt boom. The linkage's
    members are two-force members; the three forces at the end of the rocker are in balance."""
    world = [pin.SE3.Identity(), data.oMi[1], data.oMi[2]]

    def point(link, *xyz):
        return world[link].act(np.array(xyz))

    def towards(a, b):
        return (b - a) / np.linalg.norm(b - a)

    base = np.array([-0.09, 1.4261, 0])
    B, C = base + [0.26, -1.039986751, 0], point(1, 0.3025, -0.105, 0)
    n = towards(B, C)
    B2, P, D = point(1, 1.263, 0.206702194, 0), point(1, 2.69, -0.006592554, 0), point(2, -0.095, 0.24043237, 0)
    end = rocker_end(P, D, 0.457795, 0.48)
    rod, rocker, coupler = towards(B2, end), towards(end, P), towards(end, D)
    a, b = np.linalg.solve(np.array([rocker[:2], coupler[:2]]).T, -tilt * rod[:2])
    return [(0, B, -lift * n), (1, C, lift * n), (1, B2, -tilt * rod), (1, P, -a * rocker), (2, D, -b * coupler)]


@pytest.mark.parametrize("fmi", [2, 3])
def test_forces_in_joints_know_what_cylinders_do(fmi, export):
    fmu = RobotFmu(export(PATU, "--fmi", fmi, "--outputs", "reactions", "--bare"))
    model = patu_in_pinocchio()
    data = model.createData()
    chance = np.random.default_rng(8)
    names = [[f"{of}.reaction.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
             for of in ("joint.lift", "joint.tilt", "base")]
    with fmu.model() as arm:
        for case in range(10):
            q, qd = chance.uniform(-0.3, 0.6, 2), chance.uniform(-1, 1, 2)
            force = chance.uniform(-5e4, 5e4, 2)
            arm.set(fmu.positions + fmu.velocities, [*q, *qd])
            arm.set(["cylinder.lift.force", "cylinder.tilt.force"], force)
            pin.forwardKinematics(model, data, q)
            loads = pin.StdVec_Force([pin.Force.Zero() for _ in range(3)])
            ground = pin.Force.Zero()
            for link, at, f in pushes(model, data, *force):
                wrench = pin.Force(f, np.cross(at, f))
                if link == 0:
                    ground += wrench
                else:
                    loads[link] += data.oMi[link].actInv(wrench)
            qdd = pin.aba(model, data, q, qd, np.zeros(2), loads)
            # 1e4 N on some 100 kg m^2: rounding of the forces of the members.
            close("qdd", arm.accelerations(), qdd, 1e-11, f"{case} FMI {fmi}")
            pin.rnea(model, data, q, qd, qdd, loads)
            for name, f in zip(names, data.f[1:]):
                close(name[0], arm.get(name), f.vector, 1e-11, f"{case} FMI {fmi}")
            # What the ground hands to the base, about the base's origin: the lift joint's, less the cylinder's push.
            base = data.oMi[1].act(data.f[1]) - ground
            about = base.angular - np.cross([-0.09, 1.4261, 0], base.linear)
            close("base", arm.get(names[2]), [*base.linear, *about], 1e-11, f"{case} FMI {fmi}")


# ------------------------------------------------------------------------------- a pump of its own

PUMP = '<pump flow="8e-4" volume="0.001" relief-pressure="1.2e7" relief-gain="1.6e-9"/>'


def test_who_says_nothing_of_the_supply_has_what_the_other_cylinder_says(forearm, tmp_path):
    # One supply and one tank serve all valves, and it does not matter at which cylinder they are said.
    path = tmp_path / "crane.xml"
    text = PATU.read_text().replace('cut="force"', 'cut="valve"')
    lift, tilt = text.split('<cylinder name="tilt"')
    said, none = '<supply pressure="1e7" tank="1e5"/>', ""
    other = '<supply pressure="1.1e7" tank="1.5e5"/>'
    for first, second, supply, tank in ((none, other, 1.1e7, 1.5e5), (other, none, 1.1e7, 1.5e5), (none, none, 1.6e7, 1e5)):
        path.write_text(lift.replace(said, first) + '<cylinder name="tilt"' + tilt.replace(said, second))
        got = {v["name"]: v["start"] for v in json.loads(forearm("inspect", path, "--json"))["variables"]}
        assert (got["supply.pressure"], got["tank.pressure"]) == (supply, tank)


@pytest.fixture(scope="module")
def pumped(tmp_path_factory):
    """The crane with both valves on one pump, which stands at the tilt cylinder."""
    path = tmp_path_factory.mktemp("pumped") / "crane.xml"
    head, tail = PATU.read_text().replace('cut="force"', 'cut="valve"').split('<cylinder name="tilt"')
    path.write_text(head + '<cylinder name="tilt"' + tail.replace("</cylinder>", PUMP + "</cylinder>"))
    return path


@pytest.mark.parametrize("fmi", [2, 3])
def test_one_pump_feeds_the_valves_of_all_cylinders(fmi, pumped, export):
    fmu = RobotFmu(export(pumped, "--fmi", fmi, "--bare"))
    assert fmu.variable["supply.pressure"].causality == "output"  # a state, no input
    n = {v[len("cylinder.tilt."):]: float(fmu.variable[v].start) for v in fmu.variable
         if v.startswith("cylinder.tilt.") and fmu.variable[v].causality == "parameter"}
    chance = np.random.default_rng(6)
    with fmu.model() as model:
        for _ in range(10):
            spools = chance.uniform(-1, 1, 2)
            supply, pump = chance.uniform(1e7, 1.4e7), chance.uniform(0, 1e-3)
            model.set(["cylinder.lift.spool_position", "cylinder.tilt.spool_position"], spools)
            model.set(["supply.pressure", "pump.flow"], [supply, pump])
            drawn = model.get(["cylinder.lift.supply_flow", "cylinder.tilt.supply_flow"])
            relief, rate = hydraulics.supply(n, supply, pump, sum(drawn))
            assert abs(drawn).min() > 0
            got = model.get(["cylinder.tilt.relief_flow", "supply.pressure_rate"])
            assert got == pytest.approx([relief, rate], rel=1e-11, abs=1e-12)


def test_what_no_valve_draws_goes_over_the_relief_valve(pumped, forearm):
    # The supply settles where the relief valve takes all of the pump's flow: p_relief + Q / K, and at the rate
    # beta K / V = 2600 1/s. With the lift valve open, the pump gives what that draws, and the rest goes over.
    closed = rows(forearm("simulate", pumped, "--stop", 1, "--step", 0.1))[-1]
    assert closed["supply.pressure"] == pytest.approx(1.2e7 + 8e-4 / 1.6e-9, rel=1e-10)
    assert closed["cylinder.tilt.relief_flow"] == pytest.approx(8e-4, rel=1e-9)
    assert abs(closed["joint.lift.position"]) < 1e-8
    opened = rows(forearm("simulate", pumped, "--stop", 0.5, "--step", 0.1, "--set", "cylinder.lift.spool=0.5"))[-1]
    assert opened["joint.lift.position"] > 0.01
    # It follows the flow within a fraction of a millisecond.
    assert opened["cylinder.tilt.relief_flow"] == pytest.approx(8e-4 - opened["cylinder.lift.supply_flow"], rel=1e-2)
    assert opened["supply.pressure"] < closed["supply.pressure"] - 1e4


def rows(text):
    return [{name: float(value) for name, value in row.items()}
            for row in csv.DictReader(io.StringIO(text))]


def test_an_excavator_hangs_together_and_stands_still(forearm):
    robot = SOURCE / "resources" / "robots" / "excavator.xml"
    first, *_, last = rows(forearm("simulate", robot, "--cut", "valve", "--stop", 5, "--step", 1))
    # Strokes with which the source's own simulation starts, written there with two decimals.
    for name, extended in (("boom_left", 1.19), ("boom_right", 1.19), ("arm", 0.71), ("bucket", 0.77)):
        closed = {"arm": 2.26, "bucket": 2.3}.get(name, 2.48)
        assert first[f"cylinder.{name}.length"] - closed == pytest.approx(extended, abs=0.005)
    # Two cylinders share a boom evenly, and the pressures hold everything.
    assert first["cylinder.boom_left.pressure_a"] == first["cylinder.boom_right.pressure_a"]
    for joint in ("swing", "boom", "arm", "bucket"):
        assert abs(last[f"joint.{joint}.position"]) < 1e-8


def test_torques_hold_only_what_cylinders_do_not(forearm):
    # The pressures at the start hold the crane, so nothing is left for torques; a force that is given counts.
    options = ["linearise", PATU, "--equilibrium", "torques", "--json"]
    held = {v["name"]: v for v in json.loads(forearm(*options, "--cut", "valve"))["u"]}
    bare = {v["name"]: v for v in json.loads(forearm(*options))["u"]}
    assert abs(held["joint.lift.torque"]["value"]) < 1e-9
    assert bare["joint.lift.torque"]["value"] > 1000


@pytest.mark.parametrize("robot, load", [("patu655", []), ("excavator", []), ("patu655", ["--set", "payload.mass=50"])])
def test_an_inverse_takes_off_what_given_forces_do(robot, load, forearm, tmp_path):
    # A simulation's table has the forces of its cylinders: beside them no torque is needed but the input's.
    path = SOURCE / "resources" / "robots" / f"{robot}.xml"
    names = [v["name"] for v in json.loads(forearm("inspect", path, "--cut", "valve", "--json"))["variables"]]
    torques = [name for name in names if re.fullmatch(r"joint\.\w+\.torque", name)]
    (tmp_path / "in.csv").write_text(f"time,{torques[0]}\n0,100\n")
    forearm("simulate", path, "--cut", "valve", *load, "--stop", "0.2", "--input", tmp_path / "in.csv", "-o",
            tmp_path / "motion.csv")
    bare = rows((tmp_path / "motion.csv").read_text())
    forces = [name for name in bare[0] if re.fullmatch(r"cylinder\.\w+\.force", name)]
    without = [{name: value for name, value in row.items() if name not in forces} for row in bare]
    (tmp_path / "without.csv").write_text("\n".join([",".join(without[0])] + [
        ",".join(repr(value) for value in row.values()) for row in without]) + "\n")
    given = rows(forearm("inverse", path, "--cut", "valve", *load, "--in", tmp_path / "motion.csv"))
    needed = rows(forearm("inverse", path, "--cut", "valve", *load, "--in", tmp_path / "without.csv"))
    for got, all_of in zip(given, needed, strict=True):
        for name in torques:
            # Rounding of torques that were much larger before the forces were taken off.
            size = max(abs(all_of[other]) for other in torques)
            assert got[name] == pytest.approx(100 if name == torques[0] else 0, abs=1e-9 * size), name
    assert max(abs(row[name]) for row in needed for name in torques[1:]) > 500
    joint = torques[1].split(".")[1]
    one = rows(forearm("inverse", path, "--cut", "valve", *load, "--in", tmp_path / "motion.csv", "--joint", joint))
    assert [row[torques[1]] for row in one] == pytest.approx([row[torques[1]] for row in given], abs=1e-6)
    # Asked for, they are found and not taken from the table.
    forces_asked = rows(forearm("inverse", path, "--cut", "valve", *load, "--in", tmp_path / "motion.csv", "--cylinders"))
    assert forces_asked == rows(forearm("inverse", path, "--cut", "valve", *load, "--in", tmp_path / "without.csv", "--cylinders"))


# ------------------------------------------------------------------------------ what a file may say

def numbers():
    """Element, attribute and name in the FMU of every number of an axis, from the elements' lists."""
    found = []
    for part in ("cylinder_law", "valve", "pump"):
        text = re.sub(r"\s+", " ", (SOURCE / "model" / "elements" / f"{part}.h").read_text())
        for xml, name in re.findall(r'\bNUMBER\(\w+, "([^"]*)", "([^"]*)"', text):
            element, attribute = xml.split("/") if "/" in xml else ("" if part == "cylinder_law" else part, xml)
            found.append((part, element, attribute, name))
    return found


@pytest.mark.parametrize("root", ["arm", "cylinder"])
def test_every_number_of_the_list_can_be_written(root, forearm, tmp_path):
    values = {name: 0.01 * (i + 1) for i, (*_, name) in enumerate(numbers())}
    values.update(rod=0.001, bore=0.5, closed_length=0.5, stroke=0.9, overlap=0.1)
    values["vapour_pressure"] = 7.0
    children, own = {}, []
    for part, element, attribute, name in numbers():
        said = f'{attribute}="{values[name]!r}"'
        (children.setdefault(element, []) if element else own).append(said)
    inside = "".join(f"<{e} {' '.join(a)}/>" for e, a in children.items())
    body = f'{" ".join(own)}>{inside}'
    path = tmp_path / "all.xml"
    if root == "cylinder":
        path.write_text(f'<cylinder name="c" cut="force" {body}</cylinder>')
    else:
        path.write_text('<arm name="a" convention="modified"><joint name="j" type="revolute"><link name="l" '
                        'mass="1" com="1 0 0" inertia="0 0.1 0.1 0 0 0"/></joint><cylinder name="c" '
                        'from="base" from-xyz="0 -1 0" to="l" to-xyz="0.1 0 0" cut="valve" '
                        f'{body}<start pressure-a="1e6" pressure-b="1e6"/></cylinder></arm>')
    got = {v["name"]: v["start"] for v in json.loads(forearm("inspect", path, "--json"))["variables"]}
    for _, _, attribute, name in numbers():
        assert got[f"cylinder.c.{name}"] == values[name], attribute


def test_named_parts_give_numbers_and_the_file_has_the_last_word(forearm, tmp_path):
    text = (SOURCE / "tests" / "bad" / "arm_cylinder_part_unknown.xml").read_text()
    text = text.replace('part="patu655-lit"', 'part="patu655-lift" rod="0.05" cut="valve"').replace(
        '0.3 -0.1 0"/>', '0.3 -0.1 0"><valve part="patu655-tilt-valve" nominal-drop="1e6"/></cylinder>')
    path = tmp_path / "parts.xml"
    path.write_text(text)
    got = {v["name"]: v["start"] for v in json.loads(forearm("inspect", path, "--json"))["variables"]}
    for name, value in (("bore", 0.1), ("rod", 0.05), ("stroke", 0.535), ("viscous_friction", 1320),
                        ("hose_length", 1.5), ("nominal_flow", 9e-4), ("nominal_drop", 1e6)):
        assert got[f"cylinder.lift.{name}"] == value, name
