"""Two exports are the same bytes, whoever makes them where: every kind of FMU, in two places that
differ in folder, user's home, time zone, locale, umask and clock. All have the references of
fmi-ls-ref, which are simulated anew each time."""

import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import time
import zipfile

import pytest

from conftest import BUILD, FOREARM, SOURCE
from conftest import ROBOTS as EVERY_ROBOT
from test_animation import CORNERS, FACES, URDF, write_stl
from variants import ACTUATORS, SPECIALS, every_special, every_variant

ROBOTS = [SOURCE / "resources" / "robots" / name for name in ("puma560.xml", "serpenoid.xml")]
LOCALES = BUILD / "tests" / "locales"  # de_DE.UTF-8, where localedef is


def export(robot, options, folder, umask, **environment):
    """The FMU's hash, made from a copy of the robot file and what lies beside it."""
    shutil.copytree(robot.parent, folder)
    old = os.umask(umask)
    try:
        subprocess.run([FOREARM, "export", robot.name, "-o", "made.fmu", *options],
                       cwd=folder, check=True, capture_output=True,
                       env=os.environ | {"LOCPATH": str(LOCALES), **environment})
    finally:
        os.umask(old)
    return hashlib.sha256((folder / "made.fmu").read_bytes()).hexdigest()


def export_twice(robot, options, folder, pause=0):
    one = export(robot, options, folder / "a", 0o022, TZ="UTC", LC_ALL="C", HOME="/")
    time.sleep(pause)
    two = export(robot, options, folder / "another folder" / "deep down", 0o077,
                 TZ="Pacific/Apia", LC_ALL="de_DE.UTF-8", HOME=str(folder))
    assert one == two
    return one


@pytest.fixture
def alone(tmp_path):
    """The robot file in a folder of its own, with the actuators that one of SPECIALS has."""

    def copy(robot):
        folder = tmp_path / "robot"
        folder.mkdir()
        (folder / "actuators.xml").write_text(ACTUATORS)
        return pathlib.Path(shutil.copy(robot, folder))

    return copy


@pytest.mark.sampled
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
@every_variant
def test_two_exports_are_the_same_bytes(robot, options, fmi, alone, tmp_path):
    options = ["--fmi", str(fmi), *options]
    # A zip archive's times have steps of two seconds.
    pause = 2.1 if fmi == 2 and robot == ROBOTS[0] else 0
    one = export_twice(alone(robot), options, tmp_path, pause)
    # Another identifier is another FMU: the hash sees what is in it.
    assert one != export(tmp_path / "robot" / robot.name, [*options, "--name", "other"], tmp_path / "c", 0o022)


@pytest.mark.sampled
@every_special
@pytest.mark.parametrize("options", [["--fmi", "2", "--sources"], ["--fmi", "3"], ["--fmi", "3", "--arrays"]],
                         ids=["2-sources", "3", "arrays"])
def test_so_are_those_with_further_options(special, options, alone, tmp_path):
    robot, own = SPECIALS[special]
    own = ["actuators.xml" if word == "ACTUATORS" else word for word in own]
    # Libraries for other platforms are copied as they are without these options.
    export_twice(alone(SOURCE / "resources" / "robots" / f"{robot}.xml"), [*own, *options, "--platforms", "native"], tmp_path)


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_so_are_those_with_a_scene_and_meshes(fmi, tmp_path):
    (tmp_path / "robot").mkdir()
    write_stl(tmp_path / "robot" / "wedge.stl", [CORNERS[list(face)] for face in FACES])
    robot = tmp_path / "robot" / "shapes.urdf"
    robot.write_text(URDF)
    export_twice(robot, ["--fmi", fmi, "--outputs", "poses"], tmp_path)
    with zipfile.ZipFile(tmp_path / "a" / "made.fmu") as archive:
        names = archive.namelist()
    assert "resources/shapes_visual.xml" in names and "resources/shapes_visual/1.stl" in names
    assert "extra/org.fmi-standard.fmi-ls-ref/results.csv" in names


# A processor of 2008, without AVX and without fused multiply-add, which every other machine here has.
OLD = "Nehalem"


def export_on(processor, robot, folder, options):
    """The FMU and its members as QEMU's processor of this name makes them; None: as this machine's does."""
    folder.mkdir()
    before = [] if processor is None else [shutil.which("qemu-x86_64"), "-cpu", processor]
    subprocess.run([*before, FOREARM, "export", robot, "-o", "made.fmu", *options], cwd=folder, check=True,
                   capture_output=True)
    with zipfile.ZipFile(folder / "made.fmu") as archive:
        return (folder / "made.fmu").read_bytes(), {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def qemu():
    if platform.machine() != "x86_64" or not shutil.which("qemu-x86_64"):
        pytest.skip("skipped: qemu-x86_64 not found, so no export ran on an old processor")


def compare_processors(robot, options, folder):
    ours, here = export_on(None, robot, folder / "here", options)
    theirs, there = export_on(OLD, robot, folder / OLD, options)
    assert [name for name in here if here[name] != there.get(name)] == []
    assert ours == theirs


@pytest.mark.sampled(2)
@pytest.mark.parametrize("robot", EVERY_ROBOT, ids=lambda path: path.stem)
def test_an_old_processor_exports_the_same_bytes(robot, qemu, tmp_path):
    """The results in extra/ are computed by whoever exports, so they must not depend on the processor."""
    compare_processors(robot, ["--platforms", "native"], tmp_path)


@pytest.mark.sampled(2)
@every_special
def test_so_it_does_with_further_options(special, qemu, alone, tmp_path):
    robot, own = SPECIALS[special]
    path = alone(SOURCE / "resources" / "robots" / f"{robot}.xml")
    own = [path.parent / "actuators.xml" if word == "ACTUATORS" else word for word in own]
    compare_processors(path, [*own, "--platforms", "native"], tmp_path)
