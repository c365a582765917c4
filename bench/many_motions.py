#!/usr/bin/env python3
"""What a motion costs among many: `forearm runs` in its ways beside FMPy with the same robot's FMU, docs/performance.md.

    build/venv/bin/python3 bench/many_motions.py        # the preset release, or what FOREARM names

A UR5 with some friction at every joint falls from random positions: 10 s, a sample every 10 ms. Seconds are those of the
processor, the lowest of several turns, so that other work counts little; starting up is taken off.
"""

import csv
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

import fmpy
import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FOREARM = os.environ.get("FOREARM", str(SOURCE / "build" / "release" / "cli" / "forearm"))
ROBOT = SOURCE / "build" / "robots" / "ur_description" / "urdf" / "ur5_robot.urdf"
JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
NAMES = ["tip.x", "tip.z"]
POSITIONS = [f"joint.{joint}_joint.position" for joint in JOINTS]
RUNS, BY_FMPY, TURNS = 1000, 50, 5


def starts(n, payload):
    draw = random.Random(1)
    rows = []
    for _ in range(n):
        row = {f"joint.{joint}_joint.viscous_friction": draw.uniform(0.3, 1.5) for joint in JOINTS}
        row |= {f"joint.{joint}_joint.initial_position": draw.uniform(-1, 1) for joint in JOINTS}
        rows.append(row | ({"payload.mass": draw.uniform(0, 1)} if payload else {}))
    return rows


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def runs(table, names, *options):
    """Returns the processor time [s] of the program."""
    before = processor()
    subprocess.run([FOREARM, "runs", ROBOT, "--in", table, "--stop", "10", "--variables", ",".join(names), "-o",
                    table.with_name("out.csv"), *options], check=True, stderr=subprocess.DEVNULL)
    return processor() - before


def by_fmpy(fmu, rows, names):
    unzipped = fmpy.extract(str(fmu))
    description = fmpy.read_model_description(unzipped, validate=False)
    instance = fmpy.instantiate_fmu(unzipped, description, "CoSimulation")
    began = time.process_time()
    for row in rows:
        fmpy.simulate_fmu(unzipped, model_description=description, fmu_instance=instance, validate=False,
                          fmi_type="CoSimulation", stop_time=10.0, output_interval=0.01, output=names, start_values=row)
        instance.reset()
    return (time.process_time() - began) / len(rows)


def errors(table):
    """Returns the largest errors of positions and velocities [rad, rad/s] over 100 runs, in a batch and alone."""
    write(table, starts(100, False))
    found = {}
    for how, options in (("exact", ["--alone", "--tolerance", "1e-13"]), ("side by side", []), ("alone", ["--alone"])):
        runs(table, POSITIONS + [name.replace("position", "velocity") for name in POSITIONS], "--keep", "all", *options)
        with open(table.with_name("out.csv")) as file:
            lines = list(csv.reader(file))
        found[how] = numpy.array([[float(field) for field in line[-12:]] for line in lines[1:]])
    return {how: [abs(numbers - found["exact"])[:, part].max() for part in (slice(0, 6), slice(6, 12))]
            for how, numbers in found.items() if how != "exact"}


def main():
    with tempfile.TemporaryDirectory() as name:
        table = pathlib.Path(name) / "runs.csv"
        fmu = pathlib.Path(name) / "ur5.fmu"
        subprocess.run([FOREARM, "export", ROBOT, "-o", fmu, "--platforms", "native", "--bare"], check=True,
                       capture_output=True)
        cases = {
            "side by side, positions": (False, POSITIONS, []),
            "side by side, tip": (False, NAMES, []),
            "other payloads, positions": (True, POSITIONS, []),
            "alone, positions": (False, POSITIONS, ["--alone"]),
            "alone, tip": (False, NAMES, ["--alone"]),
        }
        best = {}
        for _ in range(TURNS):
            for what, (payload, names, options) in cases.items():
                rows, few = starts(RUNS, payload), starts(1, payload)
                write(table, few)
                once = runs(table, names, *options)
                write(table, rows)
                took = 1e3 * (runs(table, names, *options) - once) / (RUNS - 1)
                best[what] = min(best.get(what, took), took)
            for what, names in (("FMPy, positions", POSITIONS), ("FMPy, tip", NAMES)):
                took = 1e3 * by_fmpy(fmu, starts(BY_FMPY, False), names)
                best[what] = min(best.get(what, took), took)
        off = errors(table)
    for what, milliseconds in best.items():
        print(f"{what:30} {milliseconds:7.2f} ms a run, {1e3 / milliseconds:6.0f} runs a second")
    for how, (position, velocity) in off.items():
        print(f"{how:30} off by {position:.1e} rad, {velocity:.1e} rad/s")


if __name__ == "__main__":
    sys.exit(main())
