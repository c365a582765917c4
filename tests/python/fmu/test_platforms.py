"""One FMU on every platform that can run here: this one, Windows by Wine, aarch64 Linux by QEMU.

Each runs tests/support/platform_host.c, which prints the bits of what the FMU answers. macOS cannot run here:
of its libraries the file format, the exported functions and the signature are read.
"""

import functools
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import tempfile

import numpy as np
import pytest

from arm_xml import arm_xml
from binary_formats import Mac, Windows, universal
from conftest import BUILD, SOURCE
from figures import close, note
from robot_fmu import RobotFmu
from test_golden_points import ARMS, TIP_FORCE, TIP_TORQUE
from variants import ACTUATORS

BINARIES = BUILD / "lib" / "forearm" / "binaries"
HOSTS = BUILD / "tests" / "python"
STEPS, STEP = 1000, 0.01  # 10 s
PLATFORMS = {  # FMI 3.0's name: FMI 2.0's, ending
    "x86_64-linux": ("linux64", ".so"), "aarch64-linux": ("aarch64-linux", ".so"),
    "x86_64-windows": ("win64", ".dll"), "x86_64-darwin": ("darwin64", ".dylib"),
    "aarch64-darwin": ("darwin64", ".dylib")}
NATIVE = f"{platform.machine()}-linux"
FOREIGN = sorted({"aarch64-linux", "x86_64-windows"} - {NATIVE})


def bits(value):
    return struct.pack(">d", float(value)).hex()


class Host:
    """Runs lines of platform_host.c on one platform, and gives the numbers of each `get`."""

    def __init__(self, name):
        self.name = name
        self.windows = name.endswith("-windows")
        self.environment = dict(os.environ)
        self.before = []
        if name == NATIVE:
            self.program = HOSTS / "platform_host"
            return
        self.program = HOSTS / f"platform_host-{name}.exe"
        if not self.program.exists():
            pytest.skip(f"skipped: no zig when this was built, so {name} was not tried")
        if self.windows:
            wine = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
            if not wine:
                pytest.skip(f"skipped: wine64 not found, so {name} was not tried")
            self.before = [wine]
            self.environment |= {"WINEPREFIX": str(BUILD / "wine"), "WINEDEBUG": "-all",
                                 "WINEDLLOVERRIDES": "mscoree,mshtml="}
        else:
            qemu, libraries = shutil.which("qemu-aarch64"), pathlib.Path("/usr/aarch64-linux-gnu")
            if not qemu or not (libraries / "lib").exists():
                pytest.skip(f"skipped: qemu-aarch64 or libc6-arm64-cross not found, so {name} was not tried")
            self.before = [qemu, "-L", str(libraries)]

    def path(self, path):
        return "Z:" + str(path).replace("/", "\\") if self.windows else str(path)

    def run(self, fmu, lines, resources=True):
        folder, ending = PLATFORMS[self.name]
        folder = folder if fmu.fmi == 2 else self.name
        identifier = fmu.description.coSimulation.modelIdentifier
        library = pathlib.Path(fmu.folder) / "binaries" / folder / f"{identifier}{ending}"
        place = pathlib.Path(fmu.folder) / "resources"
        if fmu.fmi == 2:
            place = ("file:///Z:" if self.windows else "file://") + str(place)
        else:
            place = self.path(place)
        # Into files: Wine's server, which outlives the program by three seconds, would keep pipes open.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            done = subprocess.run(
                [*self.before, self.program, self.path(library), str(fmu.fmi), fmu.description.guid,
                 place if resources else "-"], input="\n".join(lines) + "\n", env=self.environment,
                stdout=out, stderr=err, text=True, timeout=250)
            said, complaints = ((file.seek(0), file.read())[1] for file in (out, err))
        assert done.returncode == 0, f"{self.name}: {said[-300:]}{complaints[-2000:]}"
        return np.array([[struct.unpack(">d", bytes.fromhex(word))[0] for word in line.split()]
                         for line in said.splitlines()])


host = functools.lru_cache(Host)


def assignment(fmu, names, values):
    return [f"set {fmu.variable[name].valueReference} {bits(value)}"
            for name, value in zip(names, values, strict=True)]


def question(fmu, names):
    return "get " + " ".join(str(fmu.variable[name].valueReference) for name in names)


def start(fmu, q, qd):
    return ["instance", f"true {fmu.variable['deterministic'].valueReference}",
            *assignment(fmu, [f"joint.{name}.initial_position" for name in fmu.joints], q),
            *assignment(fmu, [f"joint.{name}.initial_velocity" for name in fmu.joints], qd)]


@pytest.fixture(scope="module")
def fmu(export, tmp_path_factory):
    @functools.lru_cache
    def get(name, fmi):
        (arm,) = [arm for arm in ARMS if arm.name == name]
        path = tmp_path_factory.mktemp("arm") / f"{name}.xml"
        path.write_text(arm_xml(arm.arm))
        return RobotFmu(export(path, "--fmi", fmi, everywhere=True))

    return get


def points(arm, fmu):
    """Lines that bring an instance to each point and ask for its accelerations."""
    lines = []
    for case in arm.cases:
        R, _ = arm.frame(case)
        force, torque = arm.wrench(case, R)
        lines += [*start(fmu, case["q"], case["qd"]),
                  *assignment(fmu, TIP_FORCE + TIP_TORQUE, [*force, *torque]),
                  *assignment(fmu, fmu.efforts, case["tau"]), "initialize",
                  question(fmu, fmu.accelerations)]
    return lines


# Arms of every kind; this platform meets all the others in test_golden_points.py.
SOME = [arm for arm in ARMS if arm.name in (
    "puma560_standard", "cmu_dd_arm_standard", "grigorov5_springs_modified", "ascher2_modified",
    "random_n7_s107_standard", "random_n20_s120_modified")]


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("arm", SOME, ids=lambda arm: arm.name)
def test_every_platform_meets_every_point(arm, name, fmu):
    fmu = fmu(arm.name, 3)
    for case, got in zip(arm.cases, host(name).run(fmu, points(arm, fmu)), strict=True):
        close(f"fd_qdd on {name}", got, case["fd_qdd"], arm.solution(case), arm.name)


def trajectory(fmu):
    n = len(fmu.joints)
    q, qd = [0.3 + 0.2 * i for i in range(n)], [1.5 - 0.3 * i for i in range(n)]
    lines = [*start(fmu, q, qd), "initialize", question(fmu, fmu.states)]
    for i in range(STEPS):
        lines += [f"step {bits(i * STEP)} {bits(STEP)}", question(fmu, fmu.states)]
    return lines


# The PUMA 560 with motors' friction, and one without any, which swings on.
@pytest.mark.parametrize("arm, fmi", [("puma560_standard", 2), ("puma560_standard", 3),
                                      ("puma560akb_modified", 3)])
@pytest.mark.parametrize("name", FOREIGN)
def test_ten_seconds_are_the_same_to_the_last_bit(name, arm, fmi, fmu):
    fmu = fmu(arm, fmi)
    native = host(NATIVE).run(fmu, trajectory(fmu))
    there = host(name).run(fmu, trajectory(fmu), resources=False)
    assert native.shape == (STEPS + 1, 2 * len(fmu.joints)) and np.isfinite(native).all()
    assert np.ptp(native[:, 1]) > 0.1  # it does move
    difference = float(np.max(np.abs(there - native)))
    print(f"{name}, {arm}, FMI {fmi}: at most {difference:.1e} apart")
    note(f"difference of {name} after 10 s", difference, 1e-300)
    assert (there.view(np.uint64) == native.view(np.uint64)).all(), difference


# Every output of other machines, with what their inputs are set to: ten links with servos, friction and
# stops; a crane whose valves move its booms, which is stiff; motors against friction; joints that stick,
# run into stops and have their valve closed on the way.
MOVING = {
    "serpenoid": ("serpenoid", [], {}),
    "crane": ("patu655", ["--cut", "valve"],
              {"cylinder.lift.spool": 0.4, "cylinder.tilt.spool": -0.3, "supply.pressure": 1.9e7}),
    "motors": ("cmu_dd_arm", [], {"joint.joint1.voltage": 6, "joint.joint3.voltage": -2, "joint.joint6.voltage": 0.5}),
    "switching": ("scara", ["--actuators", "ACTUATORS"], {"joint.shoulder.torque": 3, "joint.elbow.voltage": 12}),
}


@pytest.mark.parametrize("machine", MOVING)
@pytest.mark.parametrize("name", FOREIGN)
def test_ten_seconds_of_other_machines_are_the_same_to_the_last_bit(name, machine, export, tmp_path):
    robot, options, inputs = MOVING[machine]
    (tmp_path / "actuators.xml").write_text(ACTUATORS)
    options = [tmp_path / "actuators.xml" if word == "ACTUATORS" else word for word in options]
    fmu = RobotFmu(export(SOURCE / "resources" / "robots" / f"{robot}.xml", *options, everywhere=True))
    real = [v.name for v in fmu.description.modelVariables
            if v.causality == "output" and v.type == "Float64"]
    lines = ["instance"]
    if "deterministic" in fmu.variable:
        lines.append(f"true {fmu.variable['deterministic'].valueReference}")
    lines += [*assignment(fmu, inputs, inputs.values()), "initialize", question(fmu, real)]
    for i in range(STEPS):
        lines += [f"step {bits(i * STEP)} {bits(STEP)}", question(fmu, real)]
    native = host(NATIVE).run(fmu, lines)
    there = host(name).run(fmu, lines)
    assert native.shape == (STEPS + 1, len(real)) and np.isfinite(native).all()
    assert np.ptp(native, axis=0).max() > 0.1
    difference = float(np.max(np.abs(there - native)))
    note(f"difference of {name} after 10 s: {machine}", difference, 1e-300)
    assert (there.view(np.uint64) == native.view(np.uint64)).all(), difference


# ------------------------------------------------------------- what can be read but not run here


def library(folder, ending):
    path = BINARIES / folder / f"forearm{ending}"
    if not path.exists():
        pytest.skip(f"skipped: no zig when this was built, so there is no library for {folder}")
    return path.read_bytes()


def functions():
    """Names that the standards' headers declare."""
    found = set()
    for header in BUILD.glob("fmpy-*/fmpy/c-code/fmi[23]Functions.h"):
        found |= set(re.findall(r"^\s*FMI[23]_Export\s+\w+TYPE\s+(fmi[23]\w+)\s*;", header.read_text(),
                                re.MULTILINE))
    assert len(found) > 100
    return found


def test_the_windows_library_shows_the_standards_functions_and_needs_windows_alone():
    read = Windows(library("x86_64-windows", ".dll"))
    assert read.machine == 0x8664
    assert read.shows == functions()
    # The C library has been part of Windows since Windows 10.
    ours = re.compile(r"(kernel32|ntdll|api-ms-win-crt-\w+-l1-1-0)\.dll")
    assert all(ours.fullmatch(name) for name in read.needs), read.needs


@pytest.mark.parametrize("name, machine", [("x86_64-darwin", Mac.X86_64), ("aarch64-darwin", Mac.AARCH64)])
def test_a_mac_s_library_shows_the_standards_functions_and_is_signed_where_it_must_be(name, machine):
    read = Mac(library(name, ".dylib"))
    assert read.machine == machine
    # zig's linker adds two names for the file itself; on a Mac they disturb no other library.
    assert read.shows - {"_mh_dylib_header", "__dso_handle", "_dso_handle"} == functions()
    assert read.needs == {"/usr/lib/libSystem.B.dylib"}
    assert read.oldest == (11, 0)
    # Macs with ARM processors load nothing that is not signed; ad hoc is enough.
    assert read.signed or (machine == Mac.X86_64 and read.signed is None)


def test_the_universal_library_is_both():
    parts = universal(library("universal-darwin", ".dylib"))
    assert parts == [library("x86_64-darwin", ".dylib"), library("aarch64-darwin", ".dylib")]


@pytest.mark.parametrize("fmi, folders", [
    (2, {"linux64", "aarch64-linux", "win64", "darwin64"}),
    (3, {"x86_64-linux", "aarch64-linux", "x86_64-windows", "x86_64-darwin", "aarch64-darwin"})])
def test_an_fmu_has_every_platform_under_its_standard_s_name(fmi, folders, fmu):
    library("x86_64-windows", ".dll")
    folder = pathlib.Path(fmu("puma560_standard", fmi).folder) / "binaries"
    assert {path.name for path in folder.iterdir()} == folders
    if fmi == 2:
        (mac,) = (folder / "darwin64").iterdir()
        assert len(universal(mac.read_bytes())) == 2


def test_a_library_takes_less_than_1_7_megabytes():
    """What every FMU carries for each platform. This system's is left out: who runs the tests may have compiled it to be debugged."""
    paths = [BINARIES / name / f"forearm{ending}" for name, (_, ending) in PLATFORMS.items() if name != NATIVE]
    found = {path.parent.name: path.stat().st_size for path in paths if path.exists()}
    if not found:
        pytest.skip("skipped: no zig when this was built, so there are no libraries for other systems")
    assert max(found.values()) < 1_700_000, found
