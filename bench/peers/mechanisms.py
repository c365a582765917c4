#!/usr/bin/env python3
"""Forward dynamics of mechanisms: Forearm beside Pinocchio's constraintDynamics and MuJoCo's mj_forward, in one run.

    build/venv/bin/python3 bench/peers/mechanisms.py [--csv FILE] [NAME …]

At the first state of tests/mechanisms/points, whose positions and speeds are consistent. Pinocchio closes loops by one point each
(CONTACT_3D, proximal 1e-10); MuJoCo by soft constraints (connect, solref 0.002 1), so that its accelerations are off by some percent.
Those of Pinocchio have to agree with ours. Needs the preset release built with the target mechanism_ours, clang, Eigen
(libeigen3-dev), and the wheels of tests/python/requirements.txt.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import sys
import xml.etree.ElementTree as xml

from tools import HERE, ROOT, WORK, compile_for_mujoco, run, wheel_of_pinocchio

OURS = pathlib.Path(os.environ.get("FOREARM_BUILD", ROOT / "build" / "release")) / "bench" / "mechanism_ours"
FOLDER = ROOT / "tests" / "mechanisms"
NAMES = ["four_bar", "palletiser", "excavator", "stewart", "quadruped_free", *(f"n_four_bar_{n}" for n in (10, 20, 40, 80))]
# Relative to the largest acceleration: the error of Pinocchio's proximal steps where constraints are redundant
AGREES = 1e-8
TURNS = 3
FREE = ([f"position.{x}" for x in "xyz"] + [f"quaternion.{x}" for x in "wxyz"],
        [f"velocity.{x}" for x in "xyz"] + [f"angular_velocity.{x}" for x in "xyz"],
        [f"force.{x}" for x in "xyz"] + [f"torque.{x}" for x in "xyz"])


def numbers(text, usual="0 0 0"):
    return [float(x) for x in (text or usual).split()]


def as_list(value):
    return value if isinstance(value, list) else [value]


def rotation(rpy):
    """Returns the rotation matrix from a child's axes to its parent's."""
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(x), math.cos(x)) for x in rpy)
    return [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr]


class Mechanism:
    """A robot file of tests/mechanisms, with the state of the measurement."""

    def __init__(self, name):
        self.name = name
        folder = FOLDER / ("benchmarks/robots" if name.startswith("n_four_bar") else "robots")
        self.urdf, self.side = folder / f"{name}.urdf", folder / f"{name}.mechanism.xml"
        root = xml.parse(self.urdf).getroot()
        self.link = {link.get("name"): link for link in root.findall("link")}
        children = {}
        for joint in root.findall("joint"):
            children.setdefault(joint.find("parent").get("link"), []).append(joint)
        (base,) = set(self.link) - {joint.find("child").get("link") for joint in root.findall("joint")}
        self.joint, self.index = [], {base: -1}
        self.add(children, base)
        self.loop = [[(loop.find(end).get("link"), numbers(loop.find(end).find("origin").get("xyz")))
                      for end in ("predecessor", "successor")] for loop in root.findall("loop")]
        self.position, self.velocity, self.effort = self.state()

    def add(self, children, link):
        """Adds a link's children, depth first: Pinocchio needs this order."""
        for joint in children.get(link, []):
            child = joint.find("child").get("link")
            self.index[child] = len(self.joint)
            self.joint.append(joint)
            self.add(children, child)

    def state(self):
        points = FOLDER / "points" / f"{self.name}.json"
        if points.exists():
            point = json.loads(points.read_text())["points"][0]
            return point["position"], point["velocity"], point["input"].get("effort", {})
        position, velocity = {}, {}  # parallelograms whose cranks turn at one radian a second
        for joint in self.joint:
            name = joint.get("name")
            bar = name.startswith("bar")
            position[name] = 1.0 if bar else -1.0
            velocity[name] = -1.0 if bar else 1.0
        return position, velocity, {}

    def kind(self, joint):
        return {"prismatic": 1, "floating": 2}.get(joint.get("type"), 0)

    def numbers_of(self, joint):
        """Returns position, velocity and effort of a joint; the effort is reduced by viscous friction."""
        name, size = joint.get("name"), 6 if self.kind(joint) == 2 else 1
        velocity = as_list(self.velocity.get(name, [0.0] * size))
        effort = as_list(self.effort.get(name, [0.0] * size))
        damping = joint.find("dynamics")
        damping = float(damping.get("damping", 0)) if damping is not None else 0
        return as_list(self.position[name]), velocity, [t - damping * v for t, v in zip(effort, velocity)]

    def inertial(self, joint):
        inertial = self.link[joint.find("child").get("link")].find("inertial")
        tensor = inertial.find("inertia")
        return (float(inertial.find("mass").get("value")), numbers(inertial.find("origin").get("xyz")),
                [float(tensor.get(f"i{ij}")) for ij in ("xx", "xy", "xz", "yy", "yz", "zz")])

    def place(self, joint):
        origin = joint.find("origin")
        origin = origin.attrib if origin is not None else {}
        axis = joint.find("axis")
        return numbers(origin.get("rpy")), numbers(origin.get("xyz")), numbers(axis.get("xyz") if axis is not None else None, "1 0 0")

    def text(self):
        """Returns the mechanism in the format of mechanism_peer.h."""
        rows = [[len(self.joint), len(self.loop)], [0, 0, -9.81]]
        for joint in self.joint:
            rpy, xyz, axis = self.place(joint)
            mass, com, tensor = self.inertial(joint)
            rows.append([joint.get("name"), self.kind(joint), self.index[joint.find("parent").get("link")]])
            rows += [rotation(rpy), xyz, axis, [mass], com, tensor, *self.numbers_of(joint)]
        rows += [[self.index[link], *point] for loop in self.loop for link, point in loop]
        return "\n".join(" ".join(str(x) for x in row) for row in rows) + "\n"

    def mjcf(self):
        sites = {}
        for k, loop in enumerate(self.loop):
            for end, (link, point) in enumerate(loop):
                sites.setdefault(self.index[link], []).append(
                    f"<site name='s{k}_{end}' pos='{' '.join(map(repr, point))}'/>")

        def body(i):
            joint = self.joint[i]
            rpy, xyz, axis = self.place(joint)
            mass, com, (xx, xy, xz, yy, yz, zz) = self.inertial(joint)
            R = rotation(rpy)
            own = (f"<freejoint name='{joint.get('name')}'/>" if self.kind(joint) == 2 else
                   f"<joint name='{joint.get('name')}' type='{('hinge', 'slide')[self.kind(joint)]}' axis='{' '.join(map(repr, axis))}'/>")
            inside = "".join(body(k) for k, other in enumerate(self.joint) if self.index[other.find("parent").get("link")] == i)
            return (f"<body pos='{' '.join(map(repr, xyz))}' xyaxes='{R[0]!r} {R[3]!r} {R[6]!r} {R[1]!r} {R[4]!r} {R[7]!r}'>{own}"
                    f"<inertial pos='{' '.join(map(repr, com))}' mass='{mass!r}' fullinertia='{xx!r} {yy!r} {zz!r} {xy!r} {xz!r} {yz!r}'/>"
                    f"{''.join(sites.get(i, []))}{inside}</body>")

        roots = "".join(body(i) for i, joint in enumerate(self.joint) if self.index[joint.find("parent").get("link")] < 0)
        roots += "".join(sites.get(-1, []))
        connect = "".join(f"<connect site1='s{k}_0' site2='s{k}_1' solref='0.002 1'/>" for k in range(len(self.loop)))
        return ("<mujoco><compiler angle='radian' autolimits='false' boundmass='0' boundinertia='0' balanceinertia='false'/>"
                f"<option gravity='0 0 -9.81'/><worldbody>{roots}</worldbody><equality>{connect}</equality></mujoco>")

    def starts(self):
        """Returns start values by the names of Forearm's variables."""
        found = {}
        for joint in self.joint:
            name, several = joint.get("name"), self.kind(joint) == 2
            slides = self.kind(joint) == 1
            words = FREE if several else (["position"], ["velocity"], ["force" if slides else "torque"])
            found |= {f"joint.{name}.initial_{w}": x for w, x in zip(words[0], as_list(self.position[name]))}
            found |= {f"joint.{name}.initial_{w}": x for w, x in zip(words[1], as_list(self.velocity.get(name, [])))}
            found |= {f"joint.{name}.{w}": x for w, x in zip(words[2], as_list(self.effort.get(name, [])))}
        return [f"{key}={value!r}" for key, value in found.items()]


def build():
    run("clang++", "-std=c++17", "-O3", "-DNDEBUG", "-march=native", "-w", HERE / "mechanism_pinocchio.cpp", *wheel_of_pinocchio(),
        "-o", WORK / "mechanism_pinocchio")
    compile_for_mujoco("mechanism_mujoco")


def ask(*words):
    """Runs a program; returns its nanoseconds by peer and accelerations by joint."""
    cpu = max(os.sched_getaffinity(0))
    text = run(*words, preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    rows = list(csv.reader(text.splitlines()))
    return ({row[1]: float(row[2]) for row in rows if row[0] == "time"}, {row[1]: float(row[2]) for row in rows if row[0] == "answer"})


def apart(a, b):
    largest = max(map(abs, b.values()))
    return max(abs(a[joint] - b[joint]) for joint in b) / largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--csv", type=pathlib.Path, help="a file for the figures")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    build()
    rows, fine = [], True
    print(f"{'mechanism':15s} {'ours':>7s} {'evaluate':>8s} {'Pinocchio':>16s} {'its tree':>9s} {'MuJoCo':>16s}   apart   ns, times ours")
    for name in options.names:
        m = Mechanism(name)
        text, model = WORK / f"{name}.txt", WORK / f"{name}.xml"
        text.write_text(m.text())
        model.write_text(m.mjcf())
        words = [(OURS, m.urdf, m.side if m.side.exists() else "-", *m.starts()), (WORK / "mechanism_pinocchio", text),
                 (WORK / "mechanism_mujoco", text, model)]
        best, answers = {}, []
        for _ in range(TURNS):  # peers take turns, so that load affects all of them
            answers = []
            for these in words:
                times, answer = ask(*these)
                answers.append(answer)
                best |= {who: min(ns, best.get(who, math.inf)) for who, ns in times.items()}
        tree = best["pinocchio aba of the tree"]
        ours, whole, theirs = best["forearm forward"], best["forearm evaluate"], best.get("pinocchio constraintDynamics", tree)
        mujoco, off, soft = best["mujoco mj_forward"], apart(answers[0], answers[1]), apart(answers[2], answers[1])
        fine &= off < AGREES
        print(f"{name:15s} {ours:7.0f} {whole:8.0f} {theirs:8.0f} {theirs / ours:6.2f}x {tree:9.0f} {mujoco:8.0f} {mujoco / ours:6.2f}x"
              f"   {off:.0e} {soft:.0e}", flush=True)
        rows.append([name, len(m.loop), *(f"{x:.0f}" for x in (ours, whole, theirs, tree, mujoco)), f"{off:.1e}", f"{soft:.1e}"])
    chains = {row[0]: float(row[2]) for row in rows}
    if "n_four_bar_20" in chains and "n_four_bar_80" in chains:
        print(f"80 four-bars take {chains['n_four_bar_80'] / chains['n_four_bar_20']:.2f} times as long as 20")
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["mechanism", "loops", "forearm_ns", "forearm_evaluate_ns", "pinocchio_ns", "pinocchio_tree_ns", "mujoco_ns",
                             "pinocchio_apart", "mujoco_apart"])
            writer.writerows(rows)
    return 0 if fine else "the accelerations do not agree"


if __name__ == "__main__":
    sys.exit(main())
