"""The experiment in an FMU: whoever repeats it gets the results that are beside it, and nothing in
extra/ is other than the layered standard FMI-LS-REF and SSP say."""

import csv
import io
import pathlib
import shutil
import xml.etree.ElementTree as ET
import zipfile

import fmpy
from fmpy.fmi2 import FMU2Slave
import lxml.etree
import numpy as np
import pytest

import check_description as rules
from cli import run
from conftest import ROBOTS, SOURCE
from figures import note

FOLDER = "extra/org.fmi-standard.fmi-ls-ref/"
SSV = "{http://ssp-standard.org/SSP1/SystemStructureParameterValues}"
SCHEMA = pathlib.Path(fmpy.__file__).parent / "ssp" / "schema" / "SystemStructureParameterValues.xsd"
PUMA = SOURCE / "resources" / "robots" / "puma560.xml"
every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)


def read(fmu, name):
    with zipfile.ZipFile(fmu) as archive:
        return archive.read(FOLDER + name)


class Experiment:
    """The one experiment of an FMU, read as its manifest leads to it."""

    def __init__(self, fmu):
        manifest = ET.fromstring(read(fmu, "fmi-ls-manifest.xml"))
        (name,) = [r.get("source") for r in manifest if r.get("role") == "experiment/smoke-test"]
        (it,) = ET.fromstring(read(fmu, name))
        self.start, self.stop = float(it.get("startTime")), float(it.get("stopTime"))
        self.step, self.tolerance = float(it.get("stepSize")), float(it.get("tolerance"))
        parameters = ET.fromstring(read(fmu, it.find("Parameters").get("source")))
        self.parameters = {p.get("name"): p[0].get("value") for p in parameters.iter(SSV + "Parameter")}
        table = list(csv.reader(io.StringIO(read(fmu, it.find("References").get("source")).decode())))
        self.names = table[0]
        cells = [[[float(word) for word in cell.split(" ")] for cell in line] for line in table[1:]]
        self.sizes = [len(cell) for cell in cells[0]]  # elements of an array are one cell
        self.results = np.array([sum(line, []) for line in cells])


def apart(fmu, experiment, **options):
    """How far FMPy's results are from those in the FMU, relative to the largest of each element."""
    outputs = experiment.names[1:]
    got = fmpy.simulate_fmu(
        str(fmu), start_time=experiment.start, stop_time=experiment.stop,
        start_values=experiment.parameters, output=outputs, validate=False,
        output_interval=experiment.step, **options)
    want = experiment.results
    assert len(got) == len(want) == round((experiment.stop - experiment.start) / experiment.step) + 1
    np.testing.assert_allclose(got["time"], want[:, 0], rtol=1e-12)
    columns = [np.asarray(got[name], dtype=float).reshape(len(got), -1) for name in outputs]
    assert [column.shape[1] for column in columns] == experiment.sizes[1:]
    seen = np.hstack(columns)
    scale = np.maximum(np.abs(want[:, 1:]).max(axis=0), 1)
    return float(np.max(np.abs(seen - want[:, 1:]) / scale))


# The same solver at the same points gives the same bits, whichever host steps it.
@pytest.mark.sampled
@every_robot
@pytest.mark.parametrize("fmi, options", [(2, []), (3, []), (3, ["--arrays"])], ids=["2", "3", "arrays"])
def test_co_simulation_repeats_the_results(robot, fmi, options, export):
    fmu = export(robot, "--fmi", fmi, *options)
    experiment = Experiment(fmu)
    difference = apart(fmu, experiment, fmi_type="CoSimulation",
                       relative_tolerance=experiment.tolerance)
    assert difference == 0


def stepped(fmu, experiment, points):
    """The experiment's columns at communication points that a host of ours chooses (FMI 2.0)."""
    description = fmpy.read_model_description(str(fmu), validate=False)
    variable = {v.name: v for v in description.modelVariables}
    folder = fmpy.extract(str(fmu))
    slave = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="host",
                      modelIdentifier=description.coSimulation.modelIdentifier)
    slave.instantiate()
    if "deterministic" in variable:
        slave.setBoolean([variable["deterministic"].valueReference], [True])
    slave.setupExperiment(startTime=points[0], tolerance=experiment.tolerance)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    getter = {"Real": slave.getReal, "Integer": slave.getInteger, "Boolean": slave.getBoolean}
    columns = [(getter[variable[name].type], [variable[name].valueReference]) for name in experiment.names[1:]]
    rows = [[float(get(at)[0]) for get, at in columns]]
    for now, after in zip(points, points[1:]):
        slave.doStep(now, after - now)
        rows.append([float(get(at)[0]) for get, at in columns])
    slave.terminate()
    slave.freeInstance()
    shutil.rmtree(folder)
    return np.array(rows)


# docs/fmu.md promises it: a point that is off by its last digit changes steps by as much, and five seconds of the robots
# here make 7.0e-10 of it at most (ascher2).
POINTS_OFF_BY_ROUNDING = 1e-8


@every_robot
def test_points_that_are_off_by_rounding_change_little(robot, export):
    fmu = export(robot, "--fmi", 2)
    experiment = Experiment(fmu)
    added, spread = [experiment.start], np.random.default_rng(1).uniform(-4, 4, len(experiment.results))
    for _ in experiment.results[1:]:
        added.append(added[-1] + experiment.step)
    want = experiment.results[:, 1:]
    scale = np.maximum(np.abs(want).max(axis=0), 1)
    for points in added, list(experiment.results[:, 0] * (1 + spread * 2.0**-52)):
        assert list(experiment.results[:, 0]) != points
        off = float(np.max(np.abs(stepped(fmu, experiment, points) - want) / scale))
        note("references at points off by rounding", off, POINTS_OFF_BY_ROUNDING)
        assert off < POINTS_OFF_BY_ROUNDING


# Another integrator, CVode, on an arm that swings without chaos for five seconds.
def test_model_exchange_comes_to_the_same_results(export):
    fmu = export(SOURCE / "resources" / "robots" / "puma560.xml")
    experiment = Experiment(fmu)
    assert np.ptp(experiment.results[:, 1:], axis=0).max() > 0.1  # something moves
    difference = apart(fmu, experiment, fmi_type="ModelExchange", solver="CVode", relative_tolerance=1e-9)
    # CVode's error of 1e-9 a step, over some thousand steps of an arm that swings.
    note("references by CVode", difference, 1e-4)
    assert difference < 1e-4


# Half a second of every robot, in which none becomes chaotic, by CVode at 1e-8 or by the FMU itself.
@pytest.mark.sampled
@every_robot
@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("fmi, options", [(2, []), (3, []), (3, ["--arrays"])],
                         ids=["2", "3", "arrays"])
def test_every_kind_of_fmu_begins_with_the_results(robot, kind, fmi, options, export):
    experiment = Experiment(export(robot, "--fmi", fmi))
    fmu = export(robot, "--fmi", fmi, *options)
    scalars = [v.name for v in fmpy.read_model_description(str(fmu), validate=False).modelVariables
               if v.causality == "output" and not v.dimensions and v.name in experiment.names
               and v.name != "energy.residual"]  # that is the error of whoever integrates
    got = fmpy.simulate_fmu(str(fmu), fmi_type=kind, stop_time=0.5, relative_tolerance=1e-8,
                            output_interval=experiment.step, output=scalars, validate=False)
    rows = [int(np.argmin(np.abs(got["time"] - t))) for t in experiment.results[:6, 0]]
    for name in scalars:
        want = experiment.results[:6, experiment.names.index(name)]
        np.testing.assert_allclose(got[name][rows], want, rtol=0, atol=1e-4 * max(1, np.ptp(want)),
                                   err_msg=name)


def test_an_experiment_that_leads_nowhere_is_given_up(export, tmp_path):
    """Light and heavy links of one arm, of which no solver makes a second in hours. The FMU is none the worse."""
    fmu = tmp_path / "restless.fmu"
    said = run("export", SOURCE / "tests" / "urdf" / "restless.urdf", "-o", fmu).stderr.decode()
    assert "the FMU has no results to compare with: 200000 evaluations of the equations of motion lead to t = 0." in said
    with zipfile.ZipFile(fmu) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".csv")]


@every_robot
def test_the_parameter_set_fits_the_schema_of_ssp(robot, export):
    schema = lxml.etree.XMLSchema(file=str(SCHEMA))
    schema.assertValid(lxml.etree.fromstring(read(export(robot), "parameters.ssv")))


# FMPy brings the schemas of SSP 1.0. In those of 2.0, values are lists and the version is 2.0.
@pytest.fixture(scope="module")
def schema_2(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ssp")
    for path in SCHEMA.parent.glob("*.xsd"):
        shutil.copy(path, folder)
    tree = lxml.etree.parse(str(SCHEMA))
    XS = "{http://www.w3.org/2001/XMLSchema}"
    (version,) = [a for a in tree.iter(f"{XS}attribute") if a.get("name") == "version"]
    (pattern,) = version.iter(f"{XS}pattern")
    pattern.set("value", "2[.]0")
    lists = 0
    for value in [a for a in tree.iter(f"{XS}attribute") if a.get("name") == "value"]:
        if value.get("type") in ("xs:double", "xs:int", "xs:boolean"):
            lxml.etree.SubElement(lxml.etree.SubElement(value, f"{XS}simpleType"), f"{XS}list").set(
                "itemType", value.attrib.pop("type"))
            lists += 1
    assert lists == 3
    tree.write(str(folder / SCHEMA.name))
    return lxml.etree.XMLSchema(file=str(folder / SCHEMA.name))


@every_robot
def test_the_parameter_set_with_arrays_fits_that_of_ssp_2(robot, schema_2, export):
    schema_2.assertValid(lxml.etree.fromstring(read(export(robot, "--arrays"), "parameters.ssv")))


def test_a_table_of_arrays_has_the_numbers_of_that_of_scalars(export):
    """By the element names that docs/arrays.md gives; the last joint of a snake stands for nothing."""
    arm = Experiment(export(PUMA, "--fmi", 3)), Experiment(export(PUMA, "--arrays"))
    snake = SOURCE / "resources" / "robots" / "serpenoid.xml"
    crawling = Experiment(export(snake, "--fmi", 3)), Experiment(export(snake, "--arrays"))

    def columns(experiment, name):
        end = np.cumsum(experiment.sizes)[experiment.names.index(name)]
        return experiment.results[:, end - experiment.sizes[experiment.names.index(name)]:end]

    for array, scalars in {
            "joint.position": [n for n in arm[0].names if n.startswith("joint.") and n.endswith(".position")],
            "tip.quaternion": [f"tip.quaternion.{part}" for part in "wxyz"],
            "tip.position": ["tip.x", "tip.y", "tip.z"], "energy.kinetic": ["energy.kinetic"]}.items():
        want = np.hstack([columns(arm[0], name) for name in scalars])
        assert (columns(arm[1], array) == want).all() and np.ptp(want) > 0
    want = np.hstack([columns(crawling[0], f"joint{i}.angle") for i in range(1, 10)])
    got = columns(crawling[1], "joint.angle")
    assert (got[:, :9] == want).all() and np.ptp(want) > 0 and (got[:, 9:] == 0).all() and got.shape[1] == 10


@pytest.mark.parametrize("name, copy", [("a robot.urdf", "robot.urdf"), ("any.xml", "robot.xml")])
def test_the_robot_file_is_there_byte_by_byte(name, copy, export, tmp_path, robots):
    text = (robots["ur5_robot"] if copy.endswith("urdf") else PUMA).read_bytes()
    (tmp_path / name).write_bytes(text)
    assert read(export(tmp_path / name), copy) == text


def test_a_bare_fmu_tells_nothing_but_the_robot(export):
    with zipfile.ZipFile(export(PUMA, "--bare")) as archive:
        assert not any(name.startswith("extra/") for name in archive.namelist())
    assert rules.check_fmu(export(PUMA, "--bare")) == []


def test_a_long_chain_has_no_experiment_and_exports_fast(export, tmp_path):
    links = "".join(f'<link name="l{i}"/>' for i in range(41))
    joint = ('<joint name="j{0}" type="continuous"><parent link="l{0}"/><child link="l{1}"/>'
             '<axis xyz="0 1 0"/><origin xyz="0.1 0 0"/></joint>')
    inertial = ('<inertial><origin xyz="0.05 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" '
                'ixy="0" ixz="0" iyz="0"/></inertial>')
    links = links.replace("/>", f">{inertial}</link>")
    robot = tmp_path / "chain.urdf"
    robot.write_text(f'<robot name="chain">{links}'
                     + "".join(joint.format(i, i + 1) for i in range(40)) + "</robot>")
    with zipfile.ZipFile(export(robot)) as archive:
        there = {name.removeprefix(FOLDER) for name in archive.namelist() if name.startswith(FOLDER)}
    assert there == {"fmi-ls-manifest.xml", "parameters.ssv", "robot.urdf"}


FAULTS = [
    ("fmi-ls-manifest.xml", b"org.fmi-standard.fmi-ls-ref", b"org.example", "which layered standard"),
    ("fmi-ls-manifest.xml", b'role="model"', b'role="source"', "has the role source"),
    ("fmi-ls-manifest.xml", b'source="robot.xml"', b'source="robot.txt"', "not both in the manifest"),
    ("results.csv", b",", b", ", "is not what its checksum says"),
    ("parameters.ssv", b'value="-9.81"', b'value="9.81"', "differs from the starts"),
    ("results.csv", b"tip.x", b"tip.X", "other columns"),
]


@pytest.mark.parametrize("name, old, new, sentence", FAULTS)
def test_what_is_wrong_in_extra_is_found(name, old, new, sentence, export, tmp_path):
    with zipfile.ZipFile(export(PUMA)) as source, zipfile.ZipFile(tmp_path / "bad.fmu", "w") as target:
        for info in source.infolist():
            data = source.read(info)
            if info.filename == FOLDER + name:
                assert old in data
                data = data.replace(old, new, 1)
            target.writestr(info, data)
    assert any(sentence in fault for fault in rules.check_fmu(tmp_path / "bad.fmu"))
