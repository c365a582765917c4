#!/usr/bin/env python3
"""A cylinder in plain C, jack.c, moves the crane of crane.xml through the port.

    examples/coupling/jack.py [--forearm PROGRAM] [--out FOLDER]

jack.c is compiled into an FMU of its own. It shares no code with Forearm: it has a valve, two chambers, and one rod that is
moved. The arm is exported with --cut lift=port. Both are run by a loop of FMPy, the jack first, and as an SSP file (port.ssp) by
FMPy's reader, which steps both at once. Each motion is compared with that of one FMU that has valve and chambers inside.

Needs FMPy, numpy and a C compiler (cc).
"""

import argparse
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
ARM = "cylinder.lift."
STOP = 1.5
STEPS = [1e-3, 5e-3, 1e-2, 2e-2]
# Name, value reference, causality, variability, start.
VALUES = [("force", 0, "output", "continuous", None), ("velocity", 1, "input", "continuous", 0),
          ("length", 2, "parameter", "fixed", 0.9359521753516766), ("pressure_a", 3, "parameter", "fixed", 10010073.818747858),
          ("pressure_b", 4, "parameter", "fixed", 5e6), ("opening", 5, "parameter", "fixed", 0.33),
          ("acceleration", 6, "input", "continuous", 0)]


def description():
    """modelDescription.xml of the jack."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<fmiModelDescription fmiVersion="2.0" modelName="jack" guid="jack" numberOfEventIndicators="0">',
             '<CoSimulation modelIdentifier="jack" canHandleVariableCommunicationStepSize="true"/>', "<ModelVariables>"]
    for name, reference, causality, variability, start in VALUES:
        kind = ' initial="exact"' if causality == "parameter" else ' initial="calculated"' if start is None else ""
        real = "<Real/>" if start is None else f'<Real start="{start!r}"/>'
        lines.append(f'<ScalarVariable name="{name}" valueReference="{reference}" causality="{causality}" '
                     f'variability="{variability}"{kind}>{real}</ScalarVariable>')
    return "\n".join([*lines, "</ModelVariables>", '<ModelStructure><Outputs><Unknown index="1" dependencies=""/></Outputs>'
                      '<InitialUnknowns><Unknown index="1"/></InitialUnknowns></ModelStructure></fmiModelDescription>', ""])


def make_jack(out):
    library = {"win32": "win64/jack.dll", "darwin": "darwin64/jack.dylib"}.get(sys.platform, "linux64/jack.so")
    built = out / pathlib.Path(library).name
    headers = pathlib.Path(fmpy.__file__).parent / "c-code"
    subprocess.run(["cc", "-std=gnu11", "-shared", "-fPIC", "-O2", f"-I{headers}", "-o", built, HERE / "jack.c", "-lm"], check=True)
    with zipfile.ZipFile(out / "jack.fmu", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", description())
        archive.write(built, f"binaries/{library}")
    return out / "jack.fmu"


class Half:
    """An FMU of FMI 2.0 in Co-Simulation, values by name."""

    def __init__(self, path, start=()):
        described = fmpy.read_model_description(str(path))
        self.variables = {v.name: v for v in described.modelVariables}
        self.folder = fmpy.extract(str(path))
        self.slave = FMU2Slave(guid=described.guid, unzipDirectory=self.folder, instanceName="half",
                               modelIdentifier=described.coSimulation.modelIdentifier)
        self.slave.instantiate()
        for name, value in dict(start).items():
            self.set(name, value)
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    def set(self, name, value):
        v = self.variables[name]
        put = {"Real": self.slave.setReal, "Boolean": self.slave.setBoolean}.get(v.type, self.slave.setInteger)
        put([v.valueReference], [value])

    def get(self, name):
        return self.slave.getReal([self.variables[name].valueReference])[0]

    def step(self, t, h):
        self.slave.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def close(self):
        self.slave.terminate()
        self.slave.freeInstance()
        shutil.rmtree(self.folder)


def lever(t):
    """The command of jack.c, for the FMU that has everything inside."""
    return 0.33 * max(0.0, min(1.0, (t - 0.1) / 0.1, (0.8 - t) / 0.1))


def whole(path):
    """The angle of the boom each millisecond; the spool is held for 0.1 ms at its mean."""
    one, h = Half(path, {ARM + "overlap": 0.0}), 1e-4
    angles = [one.get("joint.lift.position")]
    for i in range(round(STOP / h)):
        one.set(ARM + "spool", lever((i + 0.5) * h))
        one.step(i * h, h)
        if i % 10 == 9:
            angles.append(one.get("joint.lift.position"))
    one.close()
    return numpy.array(angles)


def jack_first(arm_path, jack_path, h, line):
    """The jack moves over each step as the port says; then the arm, with the force at the end of the step."""
    arm, jack = Half(arm_path, {"port_schedule": 2, "port_line": line}), Half(jack_path)
    angles = [arm.get("joint.lift.position")]
    for i in range(round(STOP / h)):
        jack.set("velocity", arm.get(ARM + "port_velocity"))
        jack.set("acceleration", arm.get(ARM + "port_acceleration") if line else 0.0)
        jack.step(i * h, h)
        arm.set(ARM + "force", jack.get("force"))
        arm.step(i * h, h)
        angles.append(arm.get("joint.lift.position"))
    arm.close()
    jack.close()
    return numpy.array(angles)


def write_ssp(arm_path, jack_path, out):
    """Both FMUs and the wires between them, as System Structure and Parameterization 1.0 has it."""
    wires = [("arm", ARM + "port_velocity", "jack", "velocity"), ("jack", "force", "arm", ARM + "force")]

    def connector(name, kind):
        return f'<ssd:Connector name="{name}" kind="{kind}"><ssc:Real/></ssd:Connector>'

    def component(name, path, connectors):
        return (f'<ssd:Component name="{name}" type="application/x-fmu-sharedlibrary" source="resources/{path.name}">'
                f'<ssd:Connectors>{"".join(connectors)}</ssd:Connectors></ssd:Component>')

    structure = "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<ssd:SystemStructureDescription version="1.0" name="crane" xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"'
        ' xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">',
        f'<ssd:System name="crane"><ssd:Connectors>{connector("angle", "output")}</ssd:Connectors><ssd:Elements>',
        component("arm", arm_path, [connector(ARM + "force", "input"), connector(ARM + "port_velocity", "output"),
                                    connector("joint.lift.position", "output")]),
        component("jack", jack_path, [connector("velocity", "input"), connector("force", "output")]),
        "</ssd:Elements><ssd:Connections>",
        *[f'<ssd:Connection startElement="{a}" startConnector="{x}" endElement="{b}" endConnector="{y}"/>' for a, x, b, y in wires],
        '<ssd:Connection startElement="arm" startConnector="joint.lift.position" endConnector="angle"/>',
        "</ssd:Connections></ssd:System></ssd:SystemStructureDescription>", ""])
    path = out / "port.ssp"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("SystemStructure.ssd", structure)
        for fmu in (arm_path, jack_path):
            archive.write(fmu, f"resources/{fmu.name}")
    return path


def run_ssp(path, h):
    """The angle at each step, both stepped at once by FMPy's reader, whose rows have the time before a step beside the values behind it."""
    result = simulate_ssp(str(path), stop_time=STOP, step_size=h)
    name = next(name for name in result.dtype.names if name.endswith("angle"))
    return numpy.array([0.0, *result[name]])


def error(angles, reference, h):
    """Root mean square of the difference, in shares of the motion."""
    n = min(len(angles), round(STOP / h) + 1)
    want = reference[:: round(h / 1e-3)][:n]
    return float(numpy.sqrt(numpy.mean((angles[:n] - want) ** 2) / numpy.mean((want - want[0]) ** 2)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--forearm", default="forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    arm, one = chosen.out / "arm_port.fmu", chosen.out / "arm_whole.fmu"
    for path, more in ((arm, ["--cut", "lift=port"]), (one, [])):
        subprocess.run([chosen.forearm, "export", HERE / "crane.xml", "--fmi", "2", *more, "-o", path], check=True)
    jack = make_jack(chosen.out)
    reference = whole(one)
    ssp = write_ssp(arm, jack, chosen.out)
    print("error of the angle [%]       step: " + "".join(f"{1e3 * h:8g} ms" for h in STEPS))
    for title, run in (("port.ssp, both at once", lambda h: run_ssp(ssp, h)),
                       ("loop, jack first", lambda h: jack_first(arm, jack, h, False)),
                       ("loop, jack first, line", lambda h: jack_first(arm, jack, h, True))):
        print(f"{title:35}" + "".join(f"{100 * error(run(h), reference, h):11.4f}" for h in STEPS))


if __name__ == "__main__":
    main()
