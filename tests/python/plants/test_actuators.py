"""What acts at the joints of an arm: motors, stops, stick-slip, locks, closing valves, moving ground.

Closed forms, golden trajectories and the balance of energy; Model Exchange in FMPy against
Co-Simulation.
"""

import csv
import io
import json
import math
import re

import fmpy
import numpy as np
import pytest

from cli import SOURCE, fails, ok
from robot_fmu import RobotFmu
from test_golden_trajectories import (DISCRETE, EXACT, KUTTA, TIGHT, TRAJECTORIES, VALVES, close,
                                      follow, volts)

ROBOTS = SOURCE / "resources" / "robots"
R, KT, KE, GEAR, VISCOUS = 1.2, 0.05, 0.06, -20, 0.01
INERTIA = 0.02 + GEAR**2 * 1e-4


def arm(tmp_path, joints, name="arm", gravity="0 0 0", base="", **rest):
    path = tmp_path / f"{name}.xml"
    links = "".join(
        f'<joint name="j{i}" type="{kind}" a="{a}">{inside}<link name="l{i}" mass="1" '
        f'com="{-a / 2} 0 0" inertia="0.01 0.02 0.02 0 0 0"/></joint>'
        for i, (kind, a, inside) in enumerate(joints, 1))
    path.write_text(f'<arm name="{name}" convention="standard" gravity="{gravity}">{base}{links}'
                    "</arm>")
    return path


def simulate(robot, *options):
    text = ok("simulate", robot, "--outputs", "energy", "--out", "-", *options)
    return [{name: float(value) for name, value in row.items()}
            for row in csv.DictReader(io.StringIO(text))]


def motor(extra=""):
    return (f'<motor resistance="{R}" torque-constant="{KT}" back-emf="{KE}" {extra}/>'
            f'<rotor inertia="1e-4" gear="{GEAR}"/><friction viscous="{VISCOUS}"/>')


# ------------------------------------------------------------------------------------------ motors

def test_a_motor_without_inductance_steps_as_the_closed_form(tmp_path):
    robot = arm(tmp_path, [("revolute", 0, motor())])
    rows = simulate(robot, "--set", "joint.j1.voltage=12", "--tolerance", "1e-13", "--stop", 1)
    rate = (GEAR**2 * KT * KE / R + VISCOUS) / INERTIA
    final = GEAR * KT * 12 / R / INERTIA / rate
    for row in rows:
        speed = final * (1 - math.exp(-rate * row["time"]))
        current = (12 - KE * GEAR * speed) / R
        assert row["joint.j1.velocity"] == pytest.approx(speed, abs=1e-12 * abs(final))
        assert row["joint.j1.current"] == pytest.approx(current, abs=1e-10)
        assert row["joint.j1.torque"] == pytest.approx(GEAR * KT * current, abs=1e-10)
        assert row["joint.j1.back_emf_voltage"] == pytest.approx(KE * GEAR * speed, abs=1e-10)
        assert row["joint.j1.electrical_power"] == pytest.approx(12 * current, abs=1e-9)
        taken = 12 * current - row["joint.j1.torque"] * row["joint.j1.velocity"]
        assert row["joint.j1.losses"] == pytest.approx(taken, abs=1e-9)


def test_a_motor_with_inductance_steps_as_the_closed_form(tmp_path):
    henry = 2e-3
    robot = arm(tmp_path, [("revolute", 0, motor(f'inductance="{henry}"'))])
    rows = simulate(robot, "--set", "joint.j1.voltage=12", "--tolerance", "1e-13", "--stop", 0.5)
    A = np.array([[-VISCOUS / INERTIA, GEAR * KT / INERTIA], [-KE * GEAR / henry, -R / henry]])
    rest = -np.linalg.solve(A, [0, 12 / henry])
    values, vectors = np.linalg.eig(A)
    start = np.linalg.solve(vectors, -rest.astype(complex))
    for row in rows:
        exact = rest + (vectors @ (start * np.exp(values * row["time"]))).real
        assert [row["joint.j1.velocity"], row["joint.j1.current"]] == pytest.approx(
            exact, abs=1e-11)  # of numbers of the order of ten


def test_the_datasheets_triple_says_the_same_motor(tmp_path):
    direct = arm(tmp_path, [("revolute", 0, f'<motor resistance="{R}" torque-constant="{KT}"/>')])
    sheet = arm(tmp_path, [("revolute", 0, f'<motor voltage="24" stall-torque="{KT * 24 / R!r}" '
                                           f'no-load-speed="{24 / KT!r}"/>')], "sheet")
    ends = [simulate(robot, "--set", "joint.j1.voltage=6", "--stop", 1)[-1]["joint.j1.velocity"]
            for robot in (direct, sheet)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_the_clamp_keeps_the_current_and_then_the_supply(tmp_path):
    robot = arm(tmp_path, [("revolute", 0, motor('voltage-limit="24" current-limit="2"'))])
    rows = simulate(robot, "--set", "joint.j1.voltage=100", "--stop", 3, "--tolerance", "1e-10")
    assert rows[0]["joint.j1.current"] == pytest.approx(2, abs=1e-12)
    assert max(row["joint.j1.current"] for row in rows) <= 2 + 1e-12
    last = rows[-1]  # on the limit of the supply
    assert last["joint.j1.current"] == pytest.approx(
        (24 - last["joint.j1.back_emf_voltage"]) / R, abs=1e-12)


def test_a_gear_loses_as_much_as_its_efficiency_says_either_way(tmp_path):
    robot = arm(tmp_path, [("revolute", 0, motor('efficiency="0.8" efficiency-back="0.5"'))])
    speed = "joint.j1.initial_velocity"
    driven, driving = (simulate(robot, "--set", f"joint.j1.voltage={volt}", "--set", f"{speed}=-5",
                                "--stop", 0.01)[0] for volt in (0, 24))
    for row, share in ((driving, 0.8), (driven, 1 / 0.5)):
        before = GEAR * KT * row["joint.j1.current"]
        assert row["joint.j1.torque"] == pytest.approx(share * before, rel=1e-12)


@pytest.mark.parametrize("fmi", [2, 3])
def test_the_dd_arm_follows_its_voltage_schedule(fmi, export):
    golden = TRAJECTORIES["cmu_dd_arm_schedule"]
    fmu = RobotFmu(export(ROBOTS / "cmu_dd_arm.xml", "--fmi", fmi, "--bare"))
    assert fmu.efforts[0] == "joint.joint1.voltage"
    exact = follow(fmu, golden["t"], np.zeros(12), TIGHT, volts)
    close("cmu_dd_arm.xml, voltages, Dormand-Prince 1e-12", exact, golden["exact"], EXACT, f"FMI {fmi}")
    kutta = follow(fmu, golden["t"], np.zeros(12), {"solver": KUTTA, "solver_step": 1e-3}, volts)
    close("cmu_dd_arm.xml, voltages, Kutta 1 ms", kutta, golden["rk3_1ms"], DISCRETE, f"FMI {fmi}")


# ----------------------------------------------------------------------- closing valves, stops, locks

def test_a_valve_that_closes_at_once_is_the_golden_spring(export, tmp_path):
    golden = TRAJECTORIES["grigorov_valve_closure"]
    text = (ROBOTS / "grigorov5.xml").read_text()
    own = re.findall(r'<valve-closure stiffness="(.*?)" damping="(.*?)"', text)
    assert [(float(k), float(d)) for k, d in own] == list(zip(VALVES["k"], VALVES["d"]))
    robot = tmp_path / "grigorov5.xml"
    robot.write_text(text.replace("<valve-closure ", '<valve-closure time="0" '))
    fmu = RobotFmu(export(robot, "--bare"))
    carried = dict(zip(fmu.efforts, golden["gravity_torque"]))
    states = follow(fmu, golden["t"], golden["y"][0], {**TIGHT, **carried})
    close("grigorov_valve_closure, <valve-closure>", states, golden["y"], EXACT, "FMI 3")


STOPS = [("revolute", 1, '<limit lower="-1.2" upper="1"/><stop stiffness="1e4" damping="20"/>'
          '<friction viscous="0.02" coulomb="0.5" static="0.7" stribeck="0.05" law="stick-slip"/>'
          '<lock input="true"/>'),
         ("revolute", 0.8, '<limit lower="-2" upper="2"/><stop stiffness="1e4" damping="10"/>'
          '<friction viscous="0.02" coulomb="0.3" law="stick-slip"/><lock input="true"/>')]


def balance(rows):
    scale = max(abs(row["energy.kinetic"]) + abs(row["energy.potential"]) for row in rows)
    return max(abs(row["energy.residual"]) for row in rows) / scale


def test_the_accounts_balance_over_a_minute_with_stops_and_friction(tmp_path):
    robot = arm(tmp_path, STOPS, gravity="0 -9.81 0")
    rows = simulate(robot, "--stop", 60, "--step", 0.1, "--set", "joint.j2.initial_velocity=8",
                    "--tolerance", "1e-9")
    assert balance(rows) < 1e-6
    last = rows[-1]
    assert last["joint.j1.velocity"] == 0 and last["joint.j2.velocity"] == 0  # it sticks, for good
    assert last["joint.j1.position"] < -1.2  # in its stop
    losses = [row["energy.stop_loss"] for row in rows]
    assert all(b >= a - 1e-9 for a, b in zip(losses, losses[1:])) and losses[-1] > 1


def test_the_dd_arms_accounts_balance_over_a_minute(tmp_path):
    table = tmp_path / "volts.csv"
    names = [f"joint.joint{i}.voltage" for i in range(1, 7)]
    lines = [",".join(map(str, [t, *volts(t)])) for t in (0, 0.05, 0.25, 0.5)]
    table.write_text("\n".join([",".join(["time", *names]), *lines]) + "\n")
    rows = simulate(ROBOTS / "cmu_dd_arm.xml", "--input", table, "--interpolate", "held",
                    "--stop", 60, "--step", 0.1, "--tolerance", "1e-9")
    assert balance(rows) < 1e-6


def test_a_joint_rests_on_its_stop_for_a_thousand_seconds(tmp_path):
    stop = '<limit lower="-0.5" upper="0.5"/><stop stiffness="1e4" damping="50"/>'
    robot = arm(tmp_path, [("revolute", 1, stop)], gravity="0 -9.81 0")
    rows = simulate(robot, "--stop", 1000, "--step", 1, "--set", "joint.j1.initial_position=-0.4")
    settled = {round(row["joint.j1.position"], 9) for row in rows[100:]}
    assert len(settled) == 1 and -0.51 < settled.pop() < -0.5


def test_a_block_sticks_until_it_is_pushed_harder_than_it_can_hold(tmp_path):
    block = [("prismatic", 0, '<friction coulomb="1" static="2" stribeck="0.1" law="stick-slip"/>')]
    robot = arm(tmp_path, block)
    held = simulate(robot, "--set", "joint.j1.force=1.999", "--stop", 5)[-1]
    assert held["joint.j1.position"] == 0 and held["joint.j1.velocity"] == 0
    gone = simulate(robot, "--set", "joint.j1.force=2.001", "--stop", 5)[-1]
    assert gone["joint.j1.position"] > 0.01
    # Without Stribeck's bump it comes to rest as the parabola says: v^2 / 2 over 1 N on 1 kg.
    plain = arm(tmp_path, [("prismatic", 0, '<friction coulomb="1" law="stick-slip"/>')], "plain")
    stopped = simulate(plain, "--set", "joint.j1.initial_velocity=1.5", "--stop", 3)[-1]
    assert stopped["joint.j1.velocity"] == 0
    assert stopped["joint.j1.position"] == pytest.approx(1.5**2 / 2, rel=1e-9)
    assert stopped["energy.friction_loss"] == pytest.approx(1.5**2 / 2, rel=1e-9)


# Friction that differs by direction, given at the joint or at the shaft of a motor that may turn the other way.
SLIP = {"coulomb": 0.3, "coulomb-negative": 0.5, "static": 0.4, "static-negative": 0.9, "stribeck": 0.2, "viscous": 0.05}


@pytest.mark.parametrize("side, gear", [("joint", -5), ("motor", -5), ("motor", 5)])
def test_stick_slip_brakes_on_either_side_of_a_gear_of_either_sign(side, gear, export, tmp_path):
    numbers = "".join(f' {name}="{value}"' for name, value in SLIP.items())
    robot = arm(tmp_path, [("revolute", 0, f'<friction{numbers} law="stick-slip" side="{side}"/>'
                                           f'<rotor inertia="0.01" gear="{gear}"/>')], f"{side}_{gear}".replace("-", "n"))
    fmu = RobotFmu(export(robot, "--bare"))
    factor = gear if side == "motor" else 1
    inertia = 0.02 + gear**2 * 0.01
    for speed in (0.1, -0.1, 1.0, -2.0):
        way = "" if factor * speed > 0 else "-negative"
        level, hold = SLIP["coulomb" + way], SLIP["static" + way]
        brake = SLIP["viscous"] * factor * speed + math.copysign(
            level + (hold - level) / math.cosh(factor * speed / SLIP["stribeck"])**2, factor * speed)
        with fmu.model({"joint.j1.initial_velocity": speed}) as model:
            model.set(["joint.j1.torque"], [0.7])
            assert model.accelerations()[0] == pytest.approx((0.7 - factor * brake) / inertia, rel=1e-12)
    for way in (1, -1):
        hold = abs(factor) * SLIP["static" if factor * way > 0 else "static-negative"]
        for share, moves in ((0.9999, False), (1.0001, True)):
            end = simulate(robot, "--set", f"joint.j1.torque={way * share * hold!r}", "--stop", 0.5)[-1]
            assert (end["joint.j1.position"] * way > 0) == moves and abs(end["joint.j1.position"]) < 1e-3
            assert end["energy.friction_loss"] >= 0


def test_locking_a_moving_joint_is_an_inelastic_impact_of_the_whole_arm(tmp_path):
    table = tmp_path / "lock.csv"
    table.write_text("time,joint.j2.lock\n0,0\n0.1,1\n0.5,0\n")
    free = [("revolute", 1, ""), ("revolute", 0.8, '<lock input="true"/>')]
    robot = arm(tmp_path, free)
    rows = simulate(robot, "--input", table, "--interpolate", "held", "--stop", 1, "--step", 0.05,
                    "--set", "joint.j2.initial_velocity=8", "--tolerance", "1e-11")
    locked = [row for row in rows if 0.1 <= row["time"] < 0.5]
    assert {row["joint.j2.velocity"] for row in locked} == {0.0}
    # Nothing acts from outside: the moment of momentum about the first axis stays, and after the
    # impact the arm turns as one body.
    before, q = rows[1], locked[-1]["joint.j2.position"]

    def moment(row):
        c = math.cos(row["joint.j2.position"])
        m12 = 0.02 + 0.16 + 0.4 * c
        m11 = 0.02 + 0.25 + 1 + 0.02 + 0.16 + 0.8 * c
        return m11 * row["joint.j1.velocity"] + m12 * row["joint.j2.velocity"]

    assert all(moment(row) == pytest.approx(moment(before), rel=1e-8) for row in rows)
    assert locked[0]["energy.friction_loss"] > 0 and abs(q) > 0.5
    assert balance(rows) < 1e-8


# ------------------------------------------------------------------------------------ moving ground

def test_ground_that_accelerates_is_gravity_and_ground_that_turns_throws_out(tmp_path):
    free = [("revolute", 1, "")]
    robot = arm(tmp_path, free, gravity="0 -9.81 0")
    lifted = simulate(robot, "--inputs", "base", "--set", "gravity.y=0", "--set",
                      "base.acceleration.y=9.81", "--stop", 1)
    fallen = simulate(robot, "--stop", 1)
    assert lifted[-1]["joint.j1.position"] == pytest.approx(fallen[-1]["joint.j1.position"], abs=1e-9)
    assert lifted[-1]["energy.external_work"] == pytest.approx(lifted[-1]["energy.kinetic"], rel=1e-6)
    # In a turning frame a slider at distance x is thrown out with w^2 x: x0 cosh(w t).
    slider = arm(tmp_path, [("prismatic", 0, "")], "slider")
    rows = simulate(slider, "--inputs", "base", "--set", "joint.j1.initial_position=0.5", "--set",
                    "base.angular_velocity.x=2", "--stop", 1, "--tolerance", "1e-11")
    for row in rows:
        assert row["joint.j1.position"] == pytest.approx(0.5 * math.cosh(2 * row["time"]), rel=1e-9)
    assert balance(rows) < 1e-8


# -------------------------------------------------------------------------------------------- events

@pytest.mark.parametrize("fmi", [2, 3])
def test_model_exchange_and_co_simulation_switch_alike(fmi, export, tmp_path):
    path = export(arm(tmp_path, STOPS, gravity="0 -9.81 0"), "--fmi", fmi)
    start = {"joint.j2.initial_velocity": 8.0, "solver_tolerance": 1e-9}
    names = ["joint.j1.position", "joint.j2.position", "joint.j1.velocity", "joint.j2.velocity"]
    events = {}
    results = []
    for kind in ("ModelExchange", "CoSimulation"):
        told = []
        result = fmpy.simulate_fmu(
            str(path), fmi_type=kind, stop_time=4, output_interval=0.01, relative_tolerance=1e-9,
            start_values=start, output=names, record_events=False, debug_logging=True,
            logger=lambda *a, told=told: told.append(str(a[-1])))
        events[kind] = sum("an event at" in line and "t = 0 s" not in line for line in told)
        results.append(np.array([list(row)[1:] for row in result]))
    # Tolerance of positions: two integrators with 1e-9 in a step, and impacts between.
    assert np.max(np.abs(results[0][:, :2] - results[1][:, :2])) < 1e-4
    assert events["ModelExchange"] == events["CoSimulation"]
    assert 5 < events["CoSimulation"] < 200


def test_the_side_file_gives_a_urdf_its_motors(tmp_path):
    urdf = tmp_path / "one.urdf"
    urdf.write_text('<robot name="one"><link name="base"/><link name="l"><inertial><mass value="1"/>'
                    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
                    '<joint name="elbow" type="continuous"><parent link="base"/><child link="l"/>'
                    '<axis xyz="0 0 1"/></joint></robot>')
    side = tmp_path / "side.xml"
    side.write_text('<actuators for="one"><joint name="elbow"><motor part="maxon-RE40-24V"/>'
                    '<rotor part="puma560-elbow"/></joint></actuators>')
    told = json.loads(ok("inspect", urdf, "--actuators", side, "--json"))
    values = {v["name"]: v.get("start") for v in told["variables"]}
    assert "joint.elbow.voltage" in values
    assert values["joint.elbow.resistance"] == 0.299
    assert values["joint.elbow.gear_ratio"] == 53.7063
    side.write_text(side.read_text().replace("elbow", "ellbow", 1))
    assert "robot 'one' has no joint 'ellbow' that moves; the nearest name is 'elbow'" in fails(1, "check", urdf, "--actuators", side)
    side.write_text(side.read_text().replace('for="one"', 'for="two"'))
    assert "called 'one'" in fails(1, "check", urdf, "--actuators", side)


def test_mujocos_dcmotor_is_the_same_motor(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><option gravity="0 0 0" timestep="1e-4" integrator="RK4"/><worldbody><body>
        <joint name="j" type="hinge" axis="0 0 1" damping="{VISCOUS}" armature="{GEAR**2 * 1e-4}"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.02 0.02"/></body></worldbody>
        <actuator><dcmotor joint="j" gear="{GEAR}" motorconst="{KT}" resistance="{R}"/></actuator>
        </mujoco>""")
    data = mujoco.MjData(model)
    data.ctrl[0] = 12
    for _ in range(2000):
        mujoco.mj_step(model, data)
    drive = motor().replace(f'back-emf="{KE}"', f'back-emf="{KT}"')
    last = simulate(arm(tmp_path, [("revolute", 0, drive)]), "--set", "joint.j1.voltage=12",
                    "--tolerance", "1e-13", "--stop", 0.2)[-1]
    assert last["joint.j1.velocity"] == pytest.approx(data.qvel[0], rel=1e-9)
    assert last["joint.j1.position"] == pytest.approx(data.qpos[0], rel=1e-9)
