#!/usr/bin/env python3
"""What machines with hydraulic circuits cost in Co-Simulation, and how stiff they are: the tables of docs/performance.md.

    build/venv/bin/python3 bench/circuits.py [FILE…]        # the preset release, or what FOREARM names

Without files: those of examples/circuits, each driven by its table of spools, and the machines of tests/reference. A machine is
exported as an FMU (FMI 3.0, Co-Simulation), fmpy steps it by 10 ms with the spools set at each step, by the automatic solver
and by Dormand-Prince alone (1); the time is the processor's of the steps, the lowest of several turns. Stiffness is the fastest eigenvalue of A from
`forearm linearise`, at the start and at states along the run.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import fmpy
import numpy
from fmpy.fmi3 import FMU3Slave

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FOREARM = os.environ.get("FOREARM", str(SOURCE / "build" / "release" / "cli" / "forearm"))
STEP, TURNS, ALONG = 0.01, 3, 20


def machines():
    """Robot file and inputs over time of each machine."""
    for file in sorted((SOURCE / "examples" / "circuits").glob("*.csv")):
        yield file.with_suffix(".xml"), dict(columns(file))
    for file in sorted((SOURCE / "tests" / "reference" / "circuits").glob("*.json")):
        if file.with_suffix(".xml").exists():
            golden = json.loads(file.read_text(encoding="utf-8"))
            grid = sorted({0.0, *(t for i in golden["inputs"].values() for t in i["time"]), golden["time"][-1]})
            yield file.with_suffix(".xml"), {"time": grid, **{
                name: list(numpy.interp(grid, i["time"], i["value"])) for name, i in golden["inputs"].items()}}


def columns(file):
    with open(file, newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    for k, name in enumerate(rows[0]):
        yield name, [float(row[k]) for row in rows[1:]]


def seconds_of_steps(fmu, inputs, stop, solver):
    """Returns the processor time [s] of Co-Simulation to `stop`, in steps of 10 ms, by this solver."""
    description = fmpy.read_model_description(fmu)
    references = {v.name: v.valueReference for v in description.modelVariables}
    names = [name for name in inputs if name != "time"]
    wanted = [references[name] for name in names]
    values = [[float(numpy.interp(k * STEP, inputs["time"], inputs[name])) for name in names]
              for k in range(round(stop / STEP))]
    with tempfile.TemporaryDirectory() as folder:
        slave = FMU3Slave(guid=description.guid, unzipDirectory=fmpy.extract(fmu, folder), instanceName="machine",
                          modelIdentifier=description.coSimulation.modelIdentifier)
        slave.instantiate()
        slave.setInt32([references["solver"]], [solver])
        slave.enterInitializationMode(startTime=0)
        slave.exitInitializationMode()
        begin = time.process_time()
        for k, row in enumerate(values):
            slave.setFloat64(wanted, row)
            slave.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
        spent = time.process_time() - begin
        slave.terminate()
        slave.freeInstance()
    return spent


def initial(name):
    """Returns the name of the parameter that sets a state's start value."""
    head, _, last = name.rpartition(".")
    return f"{head}.initial_{last}"


def fastest(robot, inputs, stop, folder):
    """Returns the largest magnitude of A's eigenvalues at the start and along the run [1/s], and the number of
    states."""
    table, run = folder / "inputs.csv", folder / "run.csv"
    with open(table, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([list(inputs), *zip(*inputs.values())])
    subprocess.run([FOREARM, "simulate", robot, "--input", table, "--interpolate", "linear", "--step", str(stop / ALONG),
                    "--stop", str(stop), "-o", run], check=True, capture_output=True)
    rows = dict(columns(run))
    states, matrix = linearised(robot, {}, folder)
    found = [numpy.abs(numpy.linalg.eigvals(matrix)).max()]
    for k, t in enumerate(rows["time"]):
        values = {initial(name): rows[name][k] for name in states}
        values |= {name: float(numpy.interp(t, inputs["time"], inputs[name])) for name in inputs if name != "time"}
        found.append(numpy.abs(numpy.linalg.eigvals(linearised(robot, values, folder)[1])).max())
    return found[0], max(found), len(states)


def linearised(robot, values, folder):
    """Returns the names of the states, and A at these values."""
    out = folder / "linear.csv"
    options = [word for name, value in values.items() for word in ("--set", f"{name}={value!r}")]
    subprocess.run([FOREARM, "linearise", robot, *options, "-o", out], check=True, capture_output=True)
    with open(out, newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    n = sum(row[0].startswith("der(") for row in rows[1:])
    return rows[0][1:n + 1], numpy.array([[float(x) for x in row[1:n + 1]] for row in rows[1:n + 1]])


def main():
    chosen = {pathlib.Path(name).resolve() for name in sys.argv[1:]}
    print("| machine | states | eigenvalue at the start [1/s] | fastest of the run [1/s] | simulated | takes | times real time | by solver 1 |")
    print("|---|---|---|---|---|---|---|---|")
    for robot, inputs in machines():
        if chosen and robot not in chosen:
            continue
        stop = inputs["time"][-1]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            fmu = folder / "machine.fmu"
            subprocess.run([FOREARM, "export", robot, "--platforms", "native", "-o", fmu], check=True, capture_output=True)
            spent, explicit = (min(seconds_of_steps(str(fmu), inputs, stop, solver) for _ in range(TURNS)) for solver in (0, 1))
            start, fast, states = fastest(robot, inputs, stop, folder)
        print(f"| {robot.relative_to(SOURCE)} | {states} | {start:.3g} | {fast:.3g} | {stop:g} s | {spent * 1e3:.0f} ms | {stop / spent:.0f} | "
              f"{stop / explicit:.0f} |")


if __name__ == "__main__":
    main()
