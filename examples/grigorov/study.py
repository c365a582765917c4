#!/usr/bin/env python3
"""Grigorov's study of a heavy hydraulic manipulator, and where its linear law ends.

    examples/grigorov/study.py [--forearm PROGRAM] [--out FOLDER]

B. Grigorov, "A generalized Newton-Euler algorithm for dynamic simulation of robot-manipulators with revolute joints"
(2013), section 3, on resources/robots/grigorov5.xml (the paper gives five joints, the load of 3200 N and no
dimensions; those are assumed):

 1. the load's mass centre goes through three Cartesian points, held level, with a heading about the vertical; the
    five-joint inverse kinematics gives joint angles, third-order polynomials without a stop at the middle their motion;
 2. the torques of the joints on the way, each from the inverse dynamics FMU: figure 4 of the paper;
 3. the valves close while the pistons move: each joint becomes the spring and damper of equation (14), with the sign
    that restores; oscillations and dynamic load: figure 5;
 4. the same transient with physical cylinders at the three lifting joints: what stiffness the column of oil has at the
    joint, how near the linear law comes, and where cavitation ends it.

Writes trajectory.svg, torques.svg, closure.svg, oil.svg and study.md. Needs FMPy (for its numpy only).
"""

import argparse
import csv
import io
import math
import pathlib
import re
import shutil
import subprocess
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
ROBOT = SOURCE / "resources" / "robots" / "grigorov5.xml"
sys.path.insert(0, str(SOURCE / "scripts" / "result"))

import chart  # noqa: E402

JOINTS = ["slew", "boom", "jib", "stick", "load_turn"]
LIFTING = ["boom", "jib", "stick"]

# Mass centre of the load [m] and its heading about the vertical [rad]; when it is there [s].
POSES = [(3.78551791115143, 0.0, -0.21290228204350636, 0.0),
         (2.7340510241725373, 1.8704649415207348, 1.142889559095722, 0.2),
         (1.476117993265544, 3.7967992908278148, 0.9839714041974782, 0.3)]
TIMES = [0.0, 3.0, 6.0]

# The joints when the valves close, and their speeds; the stiffness and damping of each are the file's.
CLOSURE_Q = [0.2, 0.9, -1.3, 0.4, 0.1]
CLOSURE_QD = [0.25, 0.18, -0.22, 0.04, 0.3]
CLOSURES = re.findall(r'<valve-closure stiffness="([^"]*)" damping="([^"]*)"', ROBOT.read_text())
STIFFNESS = [float(k) for k, _ in CLOSURES]
DAMPING = [float(d) for _, d in CLOSURES]



def cylinders_of(text):
    """Ends, bore and rod [m] of each cylinder in the robot's file."""
    found = {}
    for element in re.findall(r"<cylinder ([^>]*)>", text):
        of = dict(re.findall(r'([\w-]+)="([^"]*)"', element))
        found[of["name"]] = (of["from"], of["from-xyz"], of["to"], of["to-xyz"], float(of["bore"]), float(of["rod"]))
    return found


CYLINDERS = cylinders_of(ROBOT.read_text())


# --------------------------------------------------------------------------------------- kinematics

def inverse_kinematics(x, y, z, heading):
    """Joint angles that put the load's mass centre there, level. The jib hangs below the boom."""
    column, boom, jib, stick, top, below = 0.15, 2.2, 1.8, 0.45, 1.1, 0.6572890211160293
    slew = math.atan2(y, x)
    # Level: boom + jib + stick = 0, so the last link points outwards and the load hangs below it.
    out = math.hypot(x, y) - column - stick
    up = z + below - top
    c = (out * out + up * up - boom * boom - jib * jib) / (2 * boom * jib)
    if abs(c) > 1:
        raise ValueError(f"the load cannot be brought to {x} {y} {z}")
    bend = -math.acos(c)
    lift = math.atan2(up, out) - math.atan2(jib * math.sin(bend), boom + jib * math.cos(bend))
    return [slew, lift, bend, -lift - bend, slew - heading]


def spline(times, points):
    """Third-order polynomials through three points, at rest at both ends, smooth in the middle."""
    (t0, t1, t2), (p0, p1, p2) = times, (numpy.array(p) for p in points)
    a, b = t1 - t0, t2 - t1
    middle = 3 * ((p1 - p0) * b / a + (p2 - p1) * a / b) / (2 * (a + b))  # accelerations meet

    def at(t):
        first = t <= t1
        h, s = (a, t - t0) if first else (b, t - t1)
        p, q = (p0, p1) if first else (p1, p2)
        v, w = (0 * middle, middle) if first else (middle, 0 * middle)
        d = (q - p) / h
        c2, c3 = (3 * d - 2 * v - w) / h, (v + w - 2 * d) / h**2
        return (p + s * (v + s * (c2 + s * c3)), v + s * (2 * c2 + 3 * s * c3), 2 * c2 + 6 * s * c3)

    return at


# ---------------------------------------------------------------------------------------- the robot

class Forearm:
    def __init__(self, program, out):
        self.program, self.out = program, out

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout

    def table(self, *words):
        rows = list(csv.DictReader(io.StringIO(self.run(*words))))
        return {name: numpy.array([float(row[name]) for row in rows]) for name in rows[0]}

    def file(self, name, text):
        path = self.out / name
        path.write_text(text)
        return path


def torques(forearm, q, qd, qdd):
    """Returns inverse dynamics by the paper's closed form: the torques of all joints, a line for each state."""
    columns = [f"joint.{j}.{what}" for what in ("position", "velocity", "acceleration") for j in JOINTS]
    lines = [",".join(columns)]
    lines += [",".join(repr(float(x)) for x in [*a, *b, *c]) for a, b, c in zip(q, qd, qdd)]
    states = forearm.file("states.csv", "\n".join(lines) + "\n")
    table = forearm.table("inverse", ROBOT, "--in", states, "--method", "closed-form")
    return numpy.array([table[f"joint.{j}.torque"] for j in JOINTS]).T


def with_springs(stiffness, damping, rest):
    """The robot with a spring and a damper at each joint that has a stiffness."""
    text = re.sub(r" *<cylinder .*</cylinder>\n", "", ROBOT.read_text(), flags=re.S)  # the study has its own
    text = re.sub(r" *<valve-closure .*/>\n", "", text)
    for joint, k, d, q0 in zip(JOINTS, stiffness, damping, rest):
        spring = f'<spring stiffness="{float(k)!r}" damping="{float(d)!r}" rest="{float(q0)!r}"/>\n    '
        head, tail = text.split(f'<joint name="{joint}"', 1)
        text = head + f'<joint name="{joint}"' + tail.replace("<link ", spring + "<link ", 1)
    return text


def starting(qd):
    words = []
    for joint, q, v in zip(JOINTS, CLOSURE_Q, qd):
        words += ["--set", f"joint.{joint}.initial_position={q!r}", "--set", f"joint.{joint}.initial_velocity={float(v)!r}"]
    return words


# -------------------------------------------------------------------------------------- the sections

def follow(forearm):
    at = spline(TIMES, [inverse_kinematics(*pose) for pose in POSES])
    t = numpy.linspace(0, TIMES[-1], 61)
    q, qd, qdd = (numpy.array(x) for x in zip(*(at(s) for s in t)))
    return t, q, qd, qdd, torques(forearm, q, qd, qdd)


def close_valves(forearm):
    """Figure 5: the linear law, preloaded such that the spring carries the weight at closure."""
    still = [0.0] * 5
    weight = torques(forearm, [CLOSURE_Q], [still], [still])[0]
    rest = numpy.array(CLOSURE_Q) + weight / STIFFNESS
    robot = forearm.file("closure.xml", with_springs(STIFFNESS, DAMPING, rest))
    motion = forearm.table("simulate", robot, "--stop", 1.5, "--step", 0.01, *starting(CLOSURE_QD))
    q = numpy.array([motion[f"joint.{j}.position"] for j in JOINTS]).T
    qd = numpy.array([motion[f"joint.{j}.velocity"] for j in JOINTS]).T
    load = -numpy.array(STIFFNESS) * (q - rest) - numpy.array(DAMPING) * qd
    return motion["time"], q, weight, load


def with_cylinders(forearm):
    """The three lifting joints on physical cylinders, slew and load turn held by their springs."""
    lines = []
    for name, (origin, at, link, to, bore, rod) in CYLINDERS.items():
        lines.append(f'  <cylinder name="{name}" from="{origin}" from-xyz="{at}" to="{link}" to-xyz="{to}" cut="valve" '
                     f'bore="{bore}" rod="{rod}" closed-length="0.2" stroke="2">\n'
                     '    <oil bulk-modulus="1.5e9"/>\n    <hose diameter="0.019" length="1"/>\n'
                     '    <friction viscous="5000"/>\n    <valve nominal-flow="1e-3"/>\n  </cylinder>')
    k = [STIFFNESS[0], 0, 0, 0, STIFFNESS[4]]
    d = [DAMPING[0], 0, 0, 0, DAMPING[4]]
    text = with_springs(k, d, CLOSURE_Q).replace("</arm>", "\n".join(lines) + "\n</arm>")
    # Lengths at closure decide where the piston is: half way out of a stroke of 0.8 m.
    probe = forearm.file("probe.xml", text.replace('cut="valve"', 'cut="force"'))
    start = forearm.table("simulate", probe, "--stop", 1e-6, "--step", 1e-6, *starting([0] * 5))
    length = {name: start[f"cylinder.{name}.length"][0] for name in CYLINDERS}
    lever = {name: start[f"cylinder.{name}.lever"][0] for name in CYLINDERS}
    for name in CYLINDERS:
        closed = length[name] - 0.4
        text = re.sub(rf'(name="{name}" from.*?)closed-length="0.2" stroke="2"',
                      rf'\g<1>closed-length="{float(closed)!r}" stroke="0.8"', text)
    return text, lever


def oil_column(forearm):
    """Stiffness of the oil at each joint, and the transient at several speeds of closing."""
    still = [0.0] * 5
    weight = torques(forearm, [CLOSURE_Q], [still], [still])[0]
    text, lever = with_cylinders(forearm)
    stiffness, damping, push = [STIFFNESS[0], 0, 0, 0, STIFFNESS[4]], [DAMPING[0], 0, 0, 0, DAMPING[4]], {}
    rows = []
    for name, (*_, bore, rod) in CYLINDERS.items():
        i = JOINTS.index(name)
        a = math.pi / 4 * bore**2
        b = a - math.pi / 4 * rod**2
        hose = math.pi / 4 * 0.019**2 * 1.0
        k = sum(area**2 / ((0.4 * area + hose) / 1.5e9 + hose / 7e8 + 0.4 * area / 2.1e11) for area in (a, b))
        push[name] = weight[i] / lever[name]
        stiffness[i] = k * lever[name] ** 2
        damping[i] = 5000 * lever[name] ** 2
        # Pressures that hold the load, the lower one at 1 MPa.
        pb = 1e6 if push[name] > 0 else (a * 1e6 - push[name]) / b
        pa = (push[name] + b * pb) / a
        text = re.sub(rf'(name="{name}" from.*?<valve nominal-flow="1e-3"/>)',
                      rf'\g<1>\n    <start pressure-a="{float(pa)!r}" pressure-b="{float(pb)!r}"/>', text, flags=re.S)
        rows.append((name, lever[name], push[name], k, stiffness[i], STIFFNESS[i]))
    # At the middle of the stroke the file's own start is outside, so the file starts where the valves close.
    robot = start_at_closure(text)
    path = forearm.file("oil.xml", robot)
    rest = numpy.array(CLOSURE_Q) + numpy.where(numpy.array(stiffness) > 0, weight / numpy.maximum(stiffness, 1), 0)
    rest[0], rest[4] = CLOSURE_Q[0], CLOSURE_Q[4]
    linear = forearm.file("linear.xml", with_springs(stiffness, damping, rest))
    runs = []
    for share in (0.05, 0.25, 0.5, 1.0, 2.0):
        qd = share * numpy.array(CLOSURE_QD)
        there = starting(qd)
        by_law = forearm.table("simulate", linear, "--stop", 1.0, "--step", 0.001, *there)
        physical = forearm.table("simulate", path, "--stop", 1.0, "--step", 0.001, *shifted(there))
        lowest = min(physical[f"cylinder.{n}.pressure_{c}"].min() for n in CYLINDERS for c in "ab")
        swing = numpy.ptp(by_law["joint.boom.position"]), numpy.ptp(physical["joint.boom.position"])
        off = numpy.sqrt(numpy.mean((by_law["joint.boom.position"] - CLOSURE_Q[1]
                                     - physical["joint.boom.position"]) ** 2))
        runs.append((share, *swing, off / numpy.std(by_law["joint.boom.position"]), lowest, by_law, physical))
    return rows, runs


def start_at_closure(text):
    """The same robot with its joints' zeros where the valves close, so that cylinders fit at the start."""
    for joint, q in zip(JOINTS, CLOSURE_Q):
        text = text.replace(f'<joint name="{joint}" type="revolute"', f'<joint name="{joint}" type="revolute" offset="{q!r}"')
        head, tail = text.split(f'<joint name="{joint}"', 1)
        text = head + f'<joint name="{joint}"' + re.sub(
            r'rest="([^"]*)"', lambda m, q=q: f'rest="{float(m.group(1)) - q!r}"', tail, count=1)
    return text


def shifted(words):
    """Settings of the start for a robot whose zeros have moved."""
    return [re.sub(r"initial_position=.*", "initial_position=0", w) for w in words]


# ------------------------------------------------------------------------------------------ the page

def picture(path, panels):
    parts = [chart.group(chart.lines(*panel), 460 * i, 0) for i, panel in enumerate(panels)]
    path.write_text(chart.svg(460 * len(panels), 240, parts, panels[0][0]))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--forearm", default=shutil.which("forearm") or "build/dev/cli/forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/grigorov"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    forearm = Forearm(chosen.forearm, chosen.out)

    t, q, qd, qdd, tau = follow(forearm)
    picture(chosen.out / "trajectory.svg", [
        ("Positions", "rad", t, dict(zip(JOINTS, q.T))), ("Velocities", "rad/s", t, dict(zip(JOINTS, qd.T))),
        ("Accelerations", "rad/s²", t, dict(zip(JOINTS, qdd.T)))])
    picture(chosen.out / "torques.svg", [("Torques of the lifting joints", "kN m", t, {
        j: tau[:, JOINTS.index(j)] / 1000 for j in LIFTING})])

    when, moved, weight, load = close_valves(forearm)
    picture(chosen.out / "closure.svg", [
        ("Oscillation about the closing positions", "rad", when,
         {j: moved[:, i] - CLOSURE_Q[i] for i, j in enumerate(JOINTS)}),
        ("Load of the lifting joints", "kN m", when, {j: load[:, JOINTS.index(j)] / 1000 for j in LIFTING})])

    rows, runs = oil_column(forearm)
    share, *_, by_law, physical = runs[-1]
    picture(chosen.out / "oil.svg", [
        ("Boom after closing at double speed", "rad", by_law["time"],
         {"linear law": by_law["joint.boom.position"] - CLOSURE_Q[1], "cylinders": physical["joint.boom.position"]}),
        ("Pressures at the boom", "MPa", physical["time"],
         {f"chamber {c.upper()}": physical[f"cylinder.boom.pressure_{c}"] / 1e6 for c in "ab"})])

    lines = ["Dynamic load of the lifting joints when the valves close, by the linear law:", "",
             "| joint | weight [N m] | largest [N m] | factor |", "|---|---|---|---|"]
    for j in LIFTING:
        i = JOINTS.index(j)
        peak = numpy.abs(load[:, i]).max()
        lines.append(f"| {j} | {weight[i]:.0f} | {peak:.0f} | {peak / abs(weight[i]):.2f} |")
    lines += ["", "What the oil makes of it:", "",
              "| cylinder | lever [m] | force [kN] | oil [MN/m] | at the joint [MN m/rad] | assumed [MN m/rad] |",
              "|---|---|---|---|---|---|"]
    lines += [f"| {n} | {r:.3f} | {f / 1000:.1f} | {k / 1e6:.1f} | {kt / 1e6:.2f} | {given / 1e6:.2f} |"
              for n, r, f, k, kt, given in rows]
    lines += ["", "Closing at several shares of the speed: swing of the boom, and by how much the linear law is wrong:", "",
              "| share | linear law [mrad] | cylinders [mrad] | off | lowest pressure [MPa] |", "|---|---|---|---|---|"]
    lines += [f"| {share:g} | {1000 * a:.2f} | {1000 * b:.2f} | {100 * off:.0f} % | {p / 1e6:.3f} |"
              for share, a, b, off, p, *_ in runs]
    (chosen.out / "study.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
