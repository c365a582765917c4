#!/usr/bin/env python3
"""Errors of a robot and a foreign jack that meet at the port, beside the cut at the force: the table of docs/port.md.

    build/venv/bin/python3 bench/port.py [--build FOLDER] [--markdown] [--case NAME]

The jack is tests/support/foreign_jack.c, which shares no code with the robot's FMU; the reference is both together,
integrated by this script with steps of 0.1 ms from the FMU's Model Exchange, where nothing is cut. An error is the root
mean square over 1.5 s, relative to the motion.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SOURCE / "tests" / "python" / folder) for folder in ("support", "plants", ".")]
REFERENCE = SOURCE / "tests" / "reference" / "ports"
STEPS = [0.001, 0.005, 0.01, 0.02]
LONG = 10  # larger errors count as divergence


def together(fmu, jacks, names, speeds, stop, h=1e-4):
    """Integrates robot and jacks as one system, by Runge-Kutta steps: the reference without coupling error."""
    n = len(fmu.joints)
    out, here, t = [], np.concatenate([np.zeros(n), speeds, *[list(j.p) for j in jacks]]), 0.0
    with fmu.model() as model:
        def rates(t, y):
            model.set_state(list(y[:n]), list(y[n:2 * n]))
            lengths = model.get([f"cylinder.{c}.length" for c in names])
            rods = model.get([f"cylinder.{c}.velocity" for c in names])
            pressures = []
            for i, (jack, length, v) in enumerate(zip(jacks, lengths, rods)):
                p, found = foreign_jack.vector(y[2 * n + 2 * i:2 * n + 2 * i + 2]), foreign_jack.vector([0, 0])
                u = float(np.interp(t, list(jack.time), list(jack.spool)))
                jack.C.foreign_rates(jack.numbers, p, length, v, u, found)
                model.set([f"cylinder.{names[i]}.force"], [jack.C.foreign_force(jack.numbers, p, v)])
                pressures += list(found)
            return np.concatenate([y[n:2 * n], model.accelerations(), pressures])

        for i in range(round(stop / h) + 1):
            if i % 10 == 0:
                out.append(here[:n])
            one = rates(t, here)
            two = rates(t + h / 2, here + h / 2 * one)
            three = rates(t + h / 2, here + h / 2 * two)
            four = rates(t + h, here + h * three)
            here, t = here + h / 6 * (one + 2 * two + 2 * three + four), (i + 1) * h
    return np.array(out)


def plain(arm, jacks, names, h, stop, linear):
    """Runs a coupling at the force (Jacobi): motion and force constant over a step, or extrapolated linearly from the
    last two."""
    rows, last = [[arm.get(j) for j in arm.fmu.positions]], {}
    for i in range(round(stop / h)):
        for name, jack in zip(names, jacks):
            length, v = arm.get(f"cylinder.{name}.length"), arm.get(f"cylinder.{name}.velocity")
            force, (v_was, force_was) = jack.force(), last.get(name, (v, jack.force()))
            last[name] = v, force
            rise = (v - v_was) / h if linear and i else 0
            arm.set(f"cylinder.{name}.force", force)
            if linear and i:
                rate = (force - force_was) / h
                arm.x.setRealInputDerivatives([arm.vr[f"cylinder.{name}.force"]], [1], [rate])
            jack.step(i * h, h, length, v, v + rise * h)
        try:
            arm.step(h)
        except Exception:  # the FMU stopped at its limits: the coupling has diverged
            return None
        rows.append([arm.get(j) for j in arm.fmu.positions])
    return np.array(rows)


def error(got, want, h):
    if got is None or not np.all(np.isfinite(got)):
        return np.inf
    want = want[::round(h / 1e-3)]
    found = np.sqrt(np.mean((got - want) ** 2) / np.mean((want - want[0]) ** 2))
    return found if found < LONG else np.inf


def shown(x):
    return "diverges" if x == np.inf else "< 0.001 %" if x < 1e-5 else f"{100 * x:.2g} %"


def cases():
    """Yields the six cases of the reference file, and three more."""
    of = {case["case"]: case for case in json.loads((REFERENCE / "port_coupled.json").read_text())["cases"]}
    for name, case in of.items():
        yield name, case, {}, 1
    yield "closed, k_0 off by 2", of["closed"], {}, 2
    # 500 kg less load: the boom alone, which oscillates at 26 Hz
    yield "boom alone, closed", of["closed"], {"link.boom.mass": 143.66, "link.boom.com.x": 1.229248, "link.boom.com.y": 0.055596,
                                               **{f"link.boom.inertia.{i}{i}": 67.0537 for i in "xyz"}}, 1


def main():
    parse = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parse.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "release")
    parse.add_argument("--markdown", action="store_true", help="rows for docs/port.md")
    parse.add_argument("--case", default="", help="those alone whose names begin so")
    chosen = parse.parse_args()
    os.environ["FOREARM_BUILD"] = str(chosen.build)
    global foreign_jack, RobotFmu, Instance
    import foreign_jack
    from robot_fmu import RobotFmu
    from test_ports import Instance

    ways = [("force, held", None, False), ("force, linear on both sides", None, True), ("parallel", 0, False),
            ("parallel, line", 0, True), ("arm first", 1, False), ("jack first", 2, False), ("jack first, line", 2, True)]
    if chosen.markdown:
        print("| case | scheme | " + " | ".join(f"{1e3 * h:g} ms" for h in STEPS) + " |")
        print("|---|---|" + "---|" * len(STEPS))
    folder = pathlib.Path(tempfile.mkdtemp())
    fmus = {}
    for name, case, start, factor in cases():
        if not name.startswith(chosen.case):
            continue
        if case["robot"] not in fmus:
            path = folder / f"{case['robot']}.fmu"
            subprocess.run([chosen.build / "cli" / "forearm", "export", REFERENCE / case["robot"], "--fmi", "2", "--bare", "-o", path],
                           check=True, capture_output=True)
            plain_path = folder / f"{case['robot']}.force.fmu"
            subprocess.run([chosen.build / "cli" / "forearm", "export", REFERENCE / case["robot"], "--cut", "force", "--fmi", "2",
                            "--bare", "-o", plain_path], check=True, capture_output=True)
            fmus[case["robot"]] = RobotFmu(path), RobotFmu(plain_path)
        fmu, at_force = fmus[case["robot"]]
        names = [n.split(".")[1] for n in fmu.variable if n.endswith(".port_gap")]
        velocities = dict(zip([f"joint.{j}.initial_velocity" for j in fmu.joints], case["initial_velocity"]))

        def jacks_and_start():
            speeds = foreign_jack.speeds_of(fmu, case)
            jacks = []
            for c, numbers, v in zip(names, case["jacks"], speeds):
                numbers = dict(numbers)
                jack = foreign_jack.Jack(numbers, v)
                if start:  # another load needs other pressures
                    held = holding(fmu, start, c)
                    jack.p[0] += (held - jack.force()) / (np.pi / 4 * numbers["bore"] ** 2)
                jacks.append(jack)
            return jacks

        if start:
            want = changed(fmu, start, jacks_and_start, names, case)
        else:
            want = together(fmu, jacks_and_start(), names, case["initial_velocity"], 1.5)
        for label, schedule, line in ways:
            row = []
            for h in STEPS:
                jacks = jacks_and_start()
                given = dict(velocities) | start | {f"cylinder.{c}.force": j.force() for c, j in zip(names, jacks)}
                if schedule is None:
                    arm = Instance(at_force, given, 1e-8)
                    got = plain(arm, jacks, names, h, 1.5, line)
                else:
                    for c in names:
                        k = float(fmu.variable[f"cylinder.{c}.port_stiffness_start"].start)
                        given[f"cylinder.{c}.port_stiffness_start"] = k * factor
                    arm = Instance(fmu, given | {"port_schedule": schedule, "port_line": line}, 1e-9)
                    try:
                        got = foreign_jack.run(arm, jacks, names, schedule, h, 1.5)
                    except Exception:  # the FMU stopped
                        got = None
                row.append(error(got, want, h))
            print(("| {} | {} | " if chosen.markdown else "{:22} {:28} ").format(name, label)
                  + (" | " if chosen.markdown else "  ").join(shown(x).rjust(0 if chosen.markdown else 10) for x in row)
                  + (" |" if chosen.markdown else ""), flush=True)


def holding(fmu, start, cylinder):
    """Returns the cylinder force that holds the load of these parameters."""
    with fmu.model(start=start) as model:
        model.set_state([0.0] * len(fmu.joints), [0.0] * len(fmu.joints))
        model.set([f"cylinder.{cylinder}.force"], [0.0])
        free, = model.accelerations()
        model.set([f"cylinder.{cylinder}.force"], [1e4])
        pushed, = model.accelerations()
        return -free / (pushed - free) * 1e4


def changed(fmu, start, jacks, names, case):
    model = fmu.model
    fmu.model = lambda **more: model(**({"start": start} | more))
    try:
        return together(fmu, jacks(), names, case["initial_velocity"], 1.5)
    finally:
        fmu.model = model


if __name__ == "__main__":
    main()
