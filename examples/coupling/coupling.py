#!/usr/bin/env python3
"""One crane, cut in three places, and what each cut costs in co-simulation.

    examples/coupling/coupling.py [--forearm PROGRAM] [--out FOLDER]

The lift boom of a forestry crane hangs on a hydraulic cylinder. Its FMU is exported three times:

    force    the FMU takes the cylinder's force; chambers and valve are another FMU
    chamber  the FMU takes flows into the chambers; the valve is another FMU
    valve    everything is in one FMU, which takes the spool's command

and both halves are run together by a small master, for several communication steps, by Jacobi's scheme (both halves
step at once), with linear extrapolation, and by Gauss and Seidel's (the half that steps second sees what the first one
did). What comes out is compared with the one FMU under the same command, held as long, run at 0.1 ms: all that is left is what
the coupling costs. Two motions:

    closed   the valve is closed and the boom comes with 1 cm/s at the piston: the worst case, hardly damped
    open     the spool goes to a third of its stroke and back, in a tenth of a second each way

The halves are also written as SSP files (force.ssp, chamber.ssp), run by FMPy's own support, which knows nothing but
Jacobi's scheme and starts with 0 at every input, and by the Python front end of OMSimulator 3 where that is installed.

Needs FMPy and numpy. The tables in docs/hydraulics.md are this program's.
"""

import argparse
import math
import pathlib
import shutil
import subprocess
import sys
import zipfile

import fmpy
import numpy
from fmpy.fmi2 import FMU2Slave
from fmpy.ssp.simulation import simulate_ssp

HERE = pathlib.Path(__file__).resolve().parent
LEVER = 0.3069558464026762  # of the cylinder when the boom is level [m]
STOP = 1.5
STEPS = [1e-3, 5e-3, 20e-3]
SIGNAL = "joint.lift.position"

# Per cut: what the arm gives, and what its other half gives.
WIRES = {
    "force": (["length", "velocity"], ["force"]),
    "chamber": (["pressure_a", "pressure_b"], ["flow_a", "flow_b"]),
}


def spool(motion, t):
    if motion == "closed":
        return 0.0
    return 0.33 * max(0.0, min(1.0, (t - 0.1) / 0.1, (0.8 - t) / 0.1))


class Half:
    """An FMU of FMI 2.0 in Co-Simulation, values by name."""

    def __init__(self, path, folder, start):
        description = fmpy.read_model_description(str(path))
        self.variable = {v.name: v for v in description.modelVariables}
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName=path.stem,
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.set({k: v for k, v in start.items() if k in self.variable})
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def references(self, names):
        return [self.variable[n].valueReference for n in names]

    def set(self, values):
        for name, value in values.items():
            kind = self.variable[name].type
            call = self.fmu.setInteger if kind == "Integer" else self.fmu.setReal
            call(self.references([name]), [value])

    def get(self, names):
        return dict(zip(names, self.fmu.getReal(self.references(names))))

    def slope(self, slopes):
        self.fmu.setRealInputDerivatives(self.references(slopes), [1] * len(slopes),
                                         list(slopes.values()))

    def step(self, t, h):
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


class Fmus:
    """Exports what is asked for, once."""

    def __init__(self, forearm, out):
        self.forearm, self.out, self.folders = forearm, out, {}

    def path(self, name, robot, *options):
        fmu = self.out / f"{name}.fmu"
        if name not in self.folders:
            subprocess.run([self.forearm, "export", robot, "-o", fmu, "--fmi", "2", "--name", name,
                            *options], check=True, stdout=subprocess.DEVNULL)
            self.folders[name] = fmpy.extract(str(fmu))
        return fmu

    def arm(self, cut):
        return self.path(f"arm_{cut}", HERE / "crane.xml", "--cut", f"lift={cut}")

    def rest(self, cut):
        return self.path(f"rest_{cut}", HERE / f"{cut}.xml")

    def half(self, path, start):
        return Half(path, self.folders[path.stem], start)


def start_of(motion):
    speed = 0.01 / LEVER if motion == "closed" else 0.0
    return {"joint.lift.initial_velocity": speed, "solver_tolerance": 1e-10}


def monolith(fmus, motion, h, every=1, slope=False):
    """The one FMU; the spool's command is held over so many steps, or rises on with its slope during each of them."""
    arm = fmus.half(fmus.arm("valve"), start_of(motion))
    signal = [arm.get([SIGNAL])[SIGNAL]]
    for i in range(round(STOP / h)):
        arm.set({"cylinder.lift.spool": spool(motion, i // every * every * h)})
        if slope:
            arm.slope({"cylinder.lift.spool": (spool(motion, (i + 1) * h) - spool(motion, i * h)) / h})
        arm.step(i * h, h)
        signal.append(arm.get([SIGNAL])[SIGNAL])
    arm.close()
    return numpy.array(signal)


def coupled(fmus, cut, scheme, motion, h):
    """Both halves under a master; NaN from where it gives up."""
    names = [[f"cylinder.lift.{n}" for n in side] for side in WIRES[cut]]
    arm = fmus.half(fmus.arm(cut), start_of(motion))
    rest = fmus.half(fmus.rest(cut), start_of(motion))
    n = round(STOP / h)
    signal = numpy.full(n + 1, math.nan)
    signal[0] = arm.get([SIGNAL])[SIGNAL]
    rest.set({"cylinder.lift.spool": spool(motion, 0)})
    rest.set(arm.get(names[0]))  # consistent values to begin with, as an initialisation finds them
    given = rest.get(names[1])
    taken = arm.get(names[0])
    before = None
    try:
        for i in range(n):
            t = i * h
            rest.set({"cylinder.lift.spool": spool(motion, t)})
            arm.set(given)
            rest.set(taken)
            if scheme == "linear" and before:
                arm.slope({k: (given[k] - before[0][k]) / h for k in given})
                rest.slope({k: (taken[k] - before[1][k]) / h for k in taken})
            before = (given, taken)
            if scheme == "hydraulics first":
                rest.step(t, h)
                given = rest.get(names[1])
                arm.set(given)
            arm.step(t, h)
            taken = arm.get(names[0])
            if scheme == "arm first":
                rest.set(taken)
            if scheme != "hydraulics first":
                rest.step(t, h)
                given = rest.get(names[1])
            signal[i + 1] = arm.get([SIGNAL])[SIGNAL]
            if not abs(signal[i + 1]) < 1:
                break
    except Exception:  # an FMU that refuses a value or finds no step: the scheme has diverged
        pass
    arm.close()
    rest.close()
    return signal


def error(signal, reference):
    """Root mean square, relative to that of the motion; None: it has diverged."""
    every = round((len(reference) - 1) / (len(signal) - 1))
    exact = reference[::every]
    size = math.sqrt(numpy.mean((exact - exact[0]) ** 2))
    off = math.sqrt(numpy.mean((signal - exact) ** 2)) / size
    return off if off < 10 else None


def said(off):
    if off is None:
        return "diverges"
    if off >= 1:
        return f"{100 * off:.0f} %"
    return f"{100 * off:.2g} %" if off > 1e-5 else "below 0.001 %"


def tables(fmus, out):
    lines = []
    for motion, title in (("closed", "Valve closed, the boom comes with 1 cm/s at the piston"),
                          ("open", "Valve opened to a third, and closed again")):
        fine = 1e-4  # with the same command as those that are judged, held as long
        reference = {h: monolith(fmus, motion, fine, round(h / fine)) for h in STEPS}
        rows = [("`force`, Jacobi, held", "force", "held"),
                ("`force`, Jacobi, linear extrapolation", "force", "linear"),
                ("`force`, Gauss-Seidel, arm first", "force", "arm first"),
                ("`force`, Gauss-Seidel, hydraulics first", "force", "hydraulics first"),
                ("`chamber`, Jacobi, held", "chamber", "held"),
                ("`chamber`, Jacobi, linear extrapolation", "chamber", "linear"),
                ("`chamber`, Gauss-Seidel, hydraulics first", "chamber", "hydraulics first"),
                ("`valve`, one FMU", None, None)]
        lines += [f"{title}:", "", "| cut and scheme | " + " | ".join(
            f"{1000 * h:g} ms" for h in STEPS) + " |", "|---|" + "---|" * len(STEPS)]
        for name, cut, scheme in rows:
            off = []
            for h in STEPS:
                signal = coupled(fmus, cut, scheme, motion, h) if cut else monolith(fmus, motion, h)
                off.append(error(signal, reference[h]))
            lines.append(f"| {name} | " + " | ".join(said(x) for x in off) + " |")
        lines.append("")
    lines += command(fmus)
    (out / "tables.md").write_text("\n".join(lines))
    print("\n".join(lines))


def command(fmus):
    """Returns a table of the error of an input held over each step, and with its slope: no coupling, one FMU."""
    exact = monolith(fmus, "open", 1e-3, slope=True)
    lines = ["The command itself, which rises and falls in straight lines, into the one FMU:", "",
             "| spool's command | " + " | ".join(f"{1000 * h:g} ms" for h in STEPS) + " |", "|---|" + "---|" * len(STEPS)]
    for name, slope in (("held over each step", False), ("with its slope, `fmi2SetRealInputDerivatives`", True)):
        off = [error(monolith(fmus, "open", h, slope=slope), exact) for h in STEPS]
        lines.append(f"| {name} | " + " | ".join(said(x) for x in off) + " |")
    return [*lines, ""]


# ----------------------------------------------------------------------------------------------- SSP

def connector(name, kind):
    return (f'          <ssd:Connector name="{name}" kind="{kind}"><ssc:Real/></ssd:Connector>')


def write_ssp(fmus, cut, out):
    """Both halves and the wires between them, as System Structure and Parameterization 1.0 has it."""
    gives, takes = [[f"cylinder.lift.{n}" for n in side] for side in WIRES[cut]]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<ssd:SystemStructureDescription version="1.0" name="crane"',
             '    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"',
             '    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">',
             '  <ssd:System name="crane">',
             f'    <ssd:Connectors>\n{connector("lift", "output")}\n    </ssd:Connectors>',
             "    <ssd:Elements>"]
    for name, fmu, ins, outs in (("arm", f"arm_{cut}", takes, [*gives, SIGNAL]),
                                 ("rest", f"rest_{cut}", gives, takes)):
        lines += [f'      <ssd:Component name="{name}" type="application/x-fmu-sharedlibrary" '
                  f'source="resources/{fmu}.fmu">', "        <ssd:Connectors>",
                  *[connector(n, "input") for n in ins], *[connector(n, "output") for n in outs],
                  "        </ssd:Connectors>", "      </ssd:Component>"]
    lines += ["    </ssd:Elements>", "    <ssd:Connections>"]
    for a, b, wires in (("arm", "rest", gives), ("rest", "arm", takes)):
        lines += [f'      <ssd:Connection startElement="{a}" startConnector="{n}" endElement="{b}" '
                  f'endConnector="{n}"/>' for n in wires]
    lines += [f'      <ssd:Connection startElement="arm" startConnector="{SIGNAL}" '
              'endConnector="lift"/>', "    </ssd:Connections>", "  </ssd:System>",
              "</ssd:SystemStructureDescription>", ""]
    path = out / f"{cut}.ssp"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("SystemStructure.ssd", "\n".join(lines))
        for fmu in (fmus.arm(cut), fmus.rest(cut)):
            archive.write(fmu, f"resources/{fmu.name}")
    return path


def run_ssp(path, h):
    """The lift joint [rad] at the end, by FMPy's support; None: it gave up."""
    try:
        result = simulate_ssp(str(path), stop_time=0.5, step_size=h)
    except Exception:
        return None
    return float(result[result.dtype.names[-1]][-1])


def ssp(fmus, out):
    for cut in WIRES:
        path = write_ssp(fmus, cut, out)
        ends = [f"{run_ssp(path, h)!r} rad at {1000 * h:g} ms" for h in (1e-3, 20e-3)]
        print(f"{path.name} by FMPy, at rest: the boom is at {' and '.join(ends)} after 0.5 s")
        run_by_omsimulator(path, out)


def run_by_omsimulator(path, out):
    """By the Python front end of OMSimulator 3, in its own process: its library ends the process when it fails."""
    done = subprocess.run([sys.executable, "-c", BY_OMSIMULATOR, str(path), SIGNAL], cwd=out, capture_output=True,
                          text=True, check=False)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode == 77:
        print(f"{path.name} by OMSimulator: skipped, its Python package (OMSimulator 3) not found")
    elif done.returncode == 0 and last.startswith("boom "):
        print(f"{path.name} by OMSimulator, at rest: the boom is at {last.split()[1]} rad after 0.5 s")
    else:
        print(f"{path.name} by OMSimulator: failed: {(done.stdout + done.stderr).strip()[-500:]}")


BY_OMSIMULATOR = """
import csv, sys
try:
    from OMSimulator import SSP
except ImportError:
    sys.exit(77)
model = SSP(sys.argv[1]).instantiate()
model.setStopTime(0.5)
model.setResultFile("omsimulator.csv")
model.initialize()
model.simulate()
model.terminate()
model.delete()
head, *rows = list(csv.reader(open("omsimulator.csv")))
column = [i for i, name in enumerate(head) if name.strip().strip('"').endswith(sys.argv[2])]
print("boom", float(rows[-1][column[0]]))
"""


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--forearm", default=shutil.which("forearm") or "build/dev/cli/forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/coupling"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    fmus = Fmus(chosen.forearm, chosen.out.resolve())
    try:
        tables(fmus, chosen.out)
        ssp(fmus, chosen.out.resolve())
    finally:
        for folder in fmus.folders.values():
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
