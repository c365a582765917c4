"""Files that `forearm export` writes for Simulink, ROS 2 and SSP hosts, and FMUs called in the order in which these
hosts call them.

Neither Simulink nor ROS is at hand: what their sources and documentation say is what is tested (docs/simulink.md,
docs/hosts.md). The orders of calls are those of FMI Kit for Simulink and of fmi_adapter, read in their public sources.
"""

import ctypes
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import fmpy
import lxml.etree
import numpy as np
import pytest
import yaml
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.ssp.simulation import simulate_ssp

import hosts_table
from conftest import FOREARM, ROBOTS, SOURCE

SCARA = SOURCE / "examples" / "scara" / "scara.urdf"
EVERY = [*ROBOTS, SCARA]
every_robot = pytest.mark.parametrize("robot", EVERY, ids=lambda path: f"{path.parent.name}_{path.stem}")
both_versions = pytest.mark.parametrize("fmi", [2, 3])
SCHEMAS = pathlib.Path(fmpy.__file__).parent / "ssp" / "schema"


@pytest.fixture(scope="module")
def files(tmp_path_factory, forearm):
    made = {}

    def get(robot, *options):
        key = (str(robot), *map(str, options))
        if key not in made:
            made[key] = tmp_path_factory.mktemp("files")
            out = [] if "--ros2" in options else ["-o", made[key] / "robot.fmu"]
            forearm("export", robot, *out, "--platforms", "native",
                    *(made[key] if option == "HERE" else option for option in options))
        return made[key]

    return get


def variables(fmu):
    return fmpy.read_model_description(str(fmu), validate=False).modelVariables


# -------------------------------------------------------------------------------------------- Simulink

@every_robot
def test_the_script_for_simulink_names_every_port_and_is_whole(robot, files):
    folder = files(robot, "--simulink")
    (script,) = folder.glob("*_simulink.m")
    text = script.read_text()
    description = fmpy.read_model_description(str(folder / "robot.fmu"), validate=False)
    # MATLAB takes 63 characters, and a function has the name of its file.
    assert re.fullmatch(r"[A-Za-z]\w{0,62}", script.stem) and f"function result = {script.stem}()" in text
    for causality, name in (("input", "inputs"), ("output", "outputs")):
        cell = re.search(rf"^{name} = \{{(.*?)\}};", text, re.M | re.S).group(1)
        assert re.findall(r"'([^']*)'", cell) == [v.name for v in description.modelVariables if v.causality == causality]
    starts = re.search(r"^starts = \[(.*?)\];", text, re.M | re.S).group(1).replace("...", "")
    assert len([word for word in starts.replace("\n", " ").split(",") if word.strip()]) == sum(
        v.causality == "input" for v in description.modelVariables)
    known = {v.name for v in description.modelVariables if v.causality == "parameter"}
    assert set(re.findall(r"struct\('name', '([^']+)'", text)) <= known
    # Strings and comments apart, blocks are closed.
    code = "\n".join(re.sub(r"'(?:[^']|'')*'", "''", line).split("%")[0] for line in text.splitlines())
    words = re.findall(r"\b(function|if|for|while|end)\b(?!\s*[+\-)])", re.sub(r"\([^()]*\bend\b[^()]*\)", "()", code))
    depth = 0
    for word in words:
        depth += -1 if word == "end" else 1
        assert depth >= 0
    assert depth == 0
    for a, b in ("()", "[]", "{}"):
        assert code.count(a) == code.count(b)
    has_results = any("results.csv" in name for name in zipfile.ZipFile(folder / "robot.fmu").namelist())
    assert ("results.csv" in text) == has_results


def test_octave_parses_the_script_for_simulink(files, tmp_path):
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if not octave:
        pytest.skip("skipped: octave not found")
    folder = files(SCARA, "--simulink")
    shutil.copy(folder / "scara_simulink.m", tmp_path)
    # It gets as far as the first function of Simulink's.
    done = subprocess.run([octave, "--no-gui", "--eval", "scara_simulink()"], cwd=tmp_path, capture_output=True, text=True)
    assert "parse error" not in done.stderr and "bdIsLoaded" in done.stderr, done.stderr


def instance(fmu, folder, kind):
    description = fmpy.read_model_description(str(fmu), validate=False)
    classes = {"2.0": {"cs": FMU2Slave, "me": FMU2Model}, "3.0": {"cs": FMU3Slave, "me": FMU3Model}}
    where = fmpy.extract(str(fmu), str(folder / kind))
    identifier = (description.coSimulation if kind == "cs" else description.modelExchange).modelIdentifier
    return description, classes[description.fmiVersion][kind](guid=description.guid, unzipDirectory=where,
                                                              modelIdentifier=identifier, instanceName="one")


def accessors(description, it):
    reals = [v for v in description.modelVariables if v.type in ("Real", "Float64")]
    get, put = (it.getReal, it.setReal) if description.fmiVersion == "2.0" else (it.getFloat64, it.setFloat64)
    return {v.name: v for v in reals}, get, put


@pytest.mark.sampled
@every_robot
@both_versions
def test_co_simulation_in_the_order_of_fmi_kit(robot, fmi, export, tmp_path):
    """Parameters before initialisation; inputs set and outputs got while initialisation goes on; it ends when the first
    step is due; a tunable parameter between steps; reset, and once more."""
    description, it = instance(export(robot, "--fmi", fmi, "--platforms", "native"), tmp_path, "cs")
    reals, get, put = accessors(description, it)
    outputs = [v.valueReference for v in reals.values() if v.causality == "output"]
    inputs = [v for v in reals.values() if v.causality == "input"]
    parameters = [v for v in reals.values() if v.causality == "parameter" and v.variability == "fixed"]
    tunable = [v for v in reals.values() if v.causality == "parameter" and v.variability == "tunable"]
    seen = []
    it.instantiate(loggingOn=False)
    for run in range(2):
        for v in parameters:
            put([v.valueReference], [float(v.start)])
        if fmi == 2:
            it.setupExperiment(tolerance=None, startTime=0.0, stopTime=0.3)
            it.enterInitializationMode()
        else:
            it.enterInitializationMode(startTime=0.0, stopTime=0.3)
        values = [list(get(outputs))]
        time = 0.0
        for step in range(3):
            for v in inputs:
                put([v.valueReference], [float(v.start)])
            if step == 0:
                it.exitInitializationMode()
            it.doStep(currentCommunicationPoint=time, communicationStepSize=0.1)
            time += 0.1
            values.append(list(get(outputs)))
            for v in tunable:
                put([v.valueReference], [float(v.start)])
        seen.append(values)
        if run == 0:
            it.reset()
    it.terminate()
    it.freeInstance()
    assert seen[0] == seen[1] and np.isfinite(seen[0]).all()


@pytest.mark.sampled
@every_robot
@both_versions
def test_model_exchange_in_the_order_of_fmi_kit(robot, fmi, export, tmp_path):
    """States and indicators right after initialisation; continuous time without a discrete update before; states got
    before derivatives; parameters in event mode."""
    description, it = instance(export(robot, "--fmi", fmi, "--platforms", "native"), tmp_path, "me")
    reals, get, put = accessors(description, it)
    outputs = [v.valueReference for v in reals.values() if v.causality == "output"]
    inputs = [v for v in reals.values() if v.causality == "input"]
    it.instantiate(loggingOn=False)
    if fmi == 2:
        it.setupExperiment(tolerance=None, startTime=0.0, stopTime=1.0)
        it.enterInitializationMode()
    else:
        it.enterInitializationMode(startTime=0.0, stopTime=1.0)
    it.exitInitializationMode()
    nx = len(description.derivatives)
    nz = description.numberOfEventIndicators if fmi == 2 else len(description.eventIndicators)
    doubles = ctypes.POINTER(ctypes.c_double)
    x, dx, z = np.zeros(nx), np.zeros(nx), np.zeros(max(1, nz))

    def vector(array):
        return array.ctypes.data_as(doubles)

    if fmi == 2:
        states, derivatives = it.fmi2GetContinuousStates, it.fmi2GetDerivatives
        set_states, indicators = it.fmi2SetContinuousStates, it.fmi2GetEventIndicators
        c = it.component
    else:
        states, derivatives = it.fmi3GetContinuousStates, it.fmi3GetContinuousStateDerivatives
        set_states, indicators = it.fmi3SetContinuousStates, it.fmi3GetEventIndicators
        c = it.component
    states(c, vector(x), nx)
    if nz:
        indicators(c, vector(z), nz)
    it.enterContinuousTimeMode()
    h = 1e-3
    for i in range(5):
        it.setTime(i * h)
        set_states(c, vector(x), nx)
        for v in inputs:
            put([v.valueReference], [float(v.start)])
        it.completedIntegratorStep()
        assert np.isfinite(get(outputs)).all()
        if nz:
            indicators(c, vector(z), nz)
        states(c, vector(x), nx)
        derivatives(c, vector(dx), nx)
        assert np.isfinite(dx).all()
        x += h * dx
    it.enterEventMode()
    if fmi == 2:
        for _ in range(10):
            if not it.newDiscreteStates()[0]:
                break
    else:
        for _ in range(10):
            if not it.updateDiscreteStates()[0]:
                break
    it.enterContinuousTimeMode()
    it.terminate()
    it.freeInstance()


# ----------------------------------------------------------------------------------------------- ROS 2

def rosified(name):
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


@every_robot
def test_what_ros_2_gets_is_what_its_adapter_reads(robot, files, export, tmp_path):
    usual = variables(export(robot, "--fmi", 2, "--platforms", "native"))
    if any(v.type != "Real" for v in usual if v.causality in ("input", "output")):
        done = subprocess.run([FOREARM, "export", robot, "--platforms", "native", "--ros2", tmp_path], capture_output=True, text=True)
        assert done.returncode != 0 and "is no real number" in done.stderr  # snakes tell of wheels that slip
        return
    folder = files(robot, "--ros2", "HERE")
    (fmu,), (parameters,), (launch,) = folder.glob("*.fmu"), folder.glob("*.yaml"), folder.glob("*.launch.py")
    description = fmpy.read_model_description(str(fmu), validate=True)
    # FMI Library gives an FMU with both interfaces a kind of its own, which the adapter refuses.
    assert description.fmiVersion == "2.0" and description.coSimulation and not description.modelExchange
    ((key, value),) = yaml.safe_load(parameters.read_text()).items()
    assert key == "/**"
    given = value["ros__parameters"]
    assert given.pop("step_size") == 0.001 and given.pop("update_period") == 0.01
    real = {rosified(v.name): v for v in description.modelVariables if v.type == "Real" and v.causality == "parameter"}
    assert all(isinstance(number, float) for number in given.values())
    assert set(given) == {name for name, v in real.items() if np.isfinite(float(v.start))}
    assert all(given[name] == float(real[name].start) for name in given)
    compile(launch.read_text(), str(launch), "exec")
    for name in (fmu.name, parameters.name, "fmi_adapter_node"):
        assert name in launch.read_text()

    # As the adapter calls: into initialisation mode at once, parameters there, then steps.
    _, it = instance(fmu, tmp_path, "cs")
    it.instantiate()
    it.setupExperiment(tolerance=None, startTime=0.0)
    it.enterInitializationMode()
    for name, number in given.items():
        it.setReal([real[name].valueReference], [number])
    it.exitInitializationMode()
    inputs = [v for v in description.modelVariables if v.causality == "input"]
    outputs = [v for v in description.modelVariables if v.causality == "output"]
    assert all(v.type == "Real" for v in inputs + outputs)
    for i in range(20):
        for v in inputs:
            it.setReal([v.valueReference], [it.getReal([v.valueReference])[0]])
        it.doStep(currentCommunicationPoint=0.001 * i, communicationStepSize=0.001)
        assert np.isfinite(it.getReal([v.valueReference for v in outputs])).all()
    it.terminate()
    it.freeInstance()


def test_ros_2_refuses_what_its_adapter_cannot_take(tmp_path):
    def run(*options):
        done = subprocess.run([FOREARM, "export", SCARA, "--platforms", "native", *map(str, options)], capture_output=True, text=True)
        assert done.returncode != 0
        return done.stderr

    assert "is no real number" in run("--ros2", tmp_path / "a", "--inputs", "lock")
    assert "leave --out, --simulink and --ssp out" in run("--ros2", tmp_path / "a", "--ssp")
    assert "leave --arrays out" in run("--ssp", "--arrays", "-o", tmp_path / "x.fmu")
    (tmp_path / "file").write_text("")
    assert "the folder cannot be made" in run("--ros2", tmp_path / "file")


# ------------------------------------------------------------------------------------------------- SSP

@pytest.mark.sampled
@every_robot
@both_versions
@pytest.mark.parametrize("connected", [False, True])
def test_the_ssp_file_is_valid_and_names_everything(robot, fmi, connected, files):
    folder = files(robot, "--ssp" if connected else "--ssp=alone", "--fmi", fmi)
    with zipfile.ZipFile(folder / "robot.ssp") as archive:
        names = archive.namelist()
        (fmu,) = [n for n in names if n.endswith(".fmu")]
        (values,) = [n for n in names if n.endswith(".ssv")]
        assert archive.read(fmu) == (folder / "robot.fmu").read_bytes()
        structure = lxml.etree.fromstring(archive.read("SystemStructure.ssd"))
        parameters = lxml.etree.fromstring(archive.read(values))
    for schema, tree in (("SystemStructureDescription.xsd", structure), ("SystemStructureParameterValues.xsd", parameters)):
        lxml.etree.XMLSchema(file=str(SCHEMAS / schema)).assertValid(tree)
    space = {"ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription"}
    description = fmpy.read_model_description(str(folder / "robot.fmu"), validate=False)
    wanted = [v.name for v in description.modelVariables if v.causality in ("input", "output")]
    for where in ("ssd:System/ssd:Connectors", "ssd:System/ssd:Elements/ssd:Component/ssd:Connectors"):
        found = [c.get("name") for c in structure.findall(f"{where}/ssd:Connector", space)]
        assert found == (wanted if connected or "Component" in where else [])
    assert len(structure.findall(".//ssd:Connection", space)) == (len(wanted) if connected else 0)
    # What Ecos and libcosim ask for: every parameter is a value of a type that they know, and these prefixes.
    assert {element.prefix for element in structure.iter()} <= {"ssd", "ssc"} and {element.prefix for element in parameters.iter()} == {"ssv"}
    kinds = {type_.tag.rpartition("}")[2] for type_ in parameters.iter() if type_.get("value") is not None}
    assert kinds <= {"Real", "Integer", "Boolean"}


def run_in_host(package, text, folder):
    """A script of a host of PyPI, in its own process; the numbers that it prints last, or a skip."""
    if not importlib.util.find_spec(package):
        pytest.skip(f"skipped: {package} not found; FOREARM_HOSTS=1 scripts/test installs it")
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, env=hosts_table.environment())
    lines = [line for line in done.stdout.splitlines() if line.startswith("values ")]
    assert lines, done.stdout[-2000:] + done.stderr[-2000:]
    return [float(word) for word in lines[-1].split()[1:]]


SLIDE = ["joint.slide.position", "joint.slide.velocity"]


def after_half_a_second(forearm):
    head, *rows = forearm("simulate", SCARA, "--stop", 0.5).splitlines()
    head = [name.split(" ")[0].strip('"') for name in head.split(",")]
    return [float(rows[-1].split(",")[head.index(name)]) for name in SLIDE]


@pytest.mark.parametrize("fmi", [2, 3])
def test_ecos_runs_the_ssp_file(fmi, files, forearm, tmp_path):
    got = run_in_host("ecospy", f"""
import os
from ecospy import EcosSimulation
simulation = EcosSimulation(ssp_path={str(files(SCARA, "--ssp=alone", "--fmi", fmi) / "robot.ssp")!r}, step_size=0.01)
simulation.init(parameter_set="scara")
simulation.step(50)
print("values", *[simulation.get_real("scara::" + name) for name in {SLIDE}], flush=True)
os._exit(0)
""", tmp_path)
    assert np.allclose(got, after_half_a_second(forearm), rtol=0, atol=1e-9)  # as other hosts that add up time


def test_libcosim_runs_the_ssp_file(files, forearm, tmp_path):
    """It knows FMI 2.0."""
    got = run_in_host("libcosimpy", f"""
import os
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
execution = CosimExecution.from_ssp_file(ssp_path={str(files(SCARA, "--ssp=alone", "--fmi", 2) / "robot.ssp")!r}, step_size=int(1e7))
observer = CosimObserver.create_last_value()
execution.add_observer(observer)
slave = execution.slave_index_from_instance_name("scara")
reference = {{v.name.decode(): v.reference for v in execution.slave_variables(slave)}}
execution.step(step_count=50)
print("values", *observer.last_real_values(slave, [reference[name] for name in {SLIDE}]), flush=True)
os._exit(0)
""", tmp_path)
    assert np.allclose(got, after_half_a_second(forearm), rtol=0, atol=1e-9)


def test_fmpy_gives_inputs_to_a_connected_system(files):
    """A force of the slide's weight and 0.2 N."""
    path = str(files(SCARA, "--ssp", "--fmi", 2) / "robot.ssp")
    still, pushed = (simulate_ssp(path, stop_time=0.2, step_size=0.01, input={"joint.slide.force": lambda t, f=force: f})
                     for force in (0.0, 5.0))
    name = "scara.joint.slide.position" if "scara.joint.slide.position" in pushed.dtype.names else "joint.slide.position"
    assert abs(pushed[name][-1] - still[name][-1]) > 1e-3


def test_what_ssp_may_be_is_said(tmp_path):
    done = subprocess.run([FOREARM, "export", SCARA, "--ssp=open", "-o", tmp_path / "x.fmu"], capture_output=True, text=True)
    assert done.returncode == 2 and "take --ssp or --ssp=alone" in done.stderr


def test_fmpy_runs_the_ssp_file(files, forearm, tmp_path):
    folder = files(SCARA, "--ssp", "--fmi", 2)
    result = simulate_ssp(str(folder / "robot.ssp"), stop_time=0.5, step_size=0.1)
    forearm("simulate", SCARA, "--stop", 0.5, "--step", 0.1, "-o", tmp_path / "ours.csv")
    head, *rows = (tmp_path / "ours.csv").read_text().splitlines()
    ours = dict(zip([name.split(" ")[0].strip('"') for name in head.split(",")], zip(*[map(float, row.split(",")) for row in rows])))
    times = list(result["time"])
    for name in ("joint.slide.position", "joint.slide.velocity"):
        for time, value in zip(times, result[name]):
            at = int(np.argmin(np.abs(np.array(ours["time"]) - time)))
            # FMPy records what came before the step.
            assert min(abs(value - ours[name][k]) for k in (at, min(at + 1, len(rows) - 1))) < 1e-9


def test_omsimulator_runs_the_ssp_file(files, tmp_path):
    if subprocess.run([sys.executable, "-c", "import OMSimulator"], capture_output=True).returncode:
        pytest.skip("skipped: the Python package OMSimulator (3) not found")
    done = subprocess.run([sys.executable, "-c", f"""
from OMSimulator import SSP
model = SSP({str(files(SCARA, "--ssp", "--fmi", 2) / "robot.ssp")!r}).instantiate()
model.setStopTime(0.1)
model.initialize()
model.simulate()
model.terminate()
model.delete()
"""], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
