"""xacro on the command line and in Python: `forearm expand`, name:=value, --package, and where faults are said to be."""

import xml.etree.ElementTree as tree

import pytest

from cli import run
from conftest import FOREARM, SOURCE

XACRO = SOURCE / "tests" / "xacro"
ARM = XACRO / "arm.urdf.xacro"


@pytest.fixture
def forearm(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python")
    monkeypatch.setenv("FOREARM", str(FOREARM))
    import forearm as package

    return package


def masses(text):
    return [float(link.find("inertial/mass").get("value")) for link in tree.fromstring(text).iterfind("link[inertial]")]


def package(folder, name, part):
    """A package `name` in `folder`, with a file part.xacro."""
    folder.mkdir(parents=True)
    (folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (folder / "part.xacro").write_text(f"<robot xmlns:xacro='http://x'>{part}</robot>")
    return folder


def user_of_a_package(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    robot = folder / "robot.xacro"
    robot.write_text(f"<robot name='r' xmlns:xacro='http://x'><xacro:include filename='$(find {name})/part.xacro'/></robot>")
    return robot


def link_names(done):
    assert done.returncode == 0, done.stderr
    return [link.get("name") for link in tree.fromstring(done.stdout).iterfind("link")]


def test_expand_prints_what_every_command_reads(tmp_path):
    plain = tmp_path / "plain.urdf"
    assert run("expand", ARM, "-o", plain).returncode == 0
    printed = run("expand", ARM)
    assert printed.stdout == plain.read_bytes() and masses(printed.stdout) == [2, 1]
    assert run("check", plain).stdout == run("check", ARM).stdout


def test_a_plain_file_is_expanded_to_itself():
    plain = SOURCE / "tests" / "urdf" / "ok.urdf"
    def shape(text):
        return [(e.tag, e.attrib) for e in tree.fromstring(text).iter()]
    assert shape(run("expand", plain).stdout) == shape(plain.read_bytes())


def test_arguments_stand_after_the_file():
    assert masses(run("expand", ARM, "mass:=7").stdout) == [7, 1]
    assert b"total mass" in run("check", ARM, "mass:=7").stdout
    assert run("check", ARM, "mass:=7").stdout != run("check", ARM).stdout
    done = run("check", SOURCE / "tests" / "urdf" / "ok.urdf", "mass:=7")
    assert done.returncode == 1 and b"the file has nothing to expand, so that mass:= has no effect; leave it out" in done.stderr


def test_a_fault_is_where_somebody_wrote_it():
    done = run("check", ARM, "mass:=-1")
    assert done.returncode == 1
    said = done.stderr.decode()
    assert said.startswith(f"{XACRO}/arm_macro.xacro:12:") and "(in macro 'arm_link' of arm.urdf.xacro:8)" in said


def test_packages_are_looked_for_in_the_order_of_the_page(tmp_path, monkeypatch):
    """--package before AMENT_PREFIX_PATH before ROS_PACKAGE_PATH before the folders around the file."""
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    robot = user_of_a_package(tmp_path / "src" / "robots" / "urdf", "parts")
    missing = run("expand", robot)
    assert missing.returncode == 1 and b"no package 'parts'" in missing.stderr and b"--package parts=DIR" in missing.stderr
    package(tmp_path / "src" / "other" / "named_otherwise", "parts", "<link name='around'/>")
    assert link_names(run("expand", robot)) == ["around"]
    package(tmp_path / "ros" / "parts", "parts", "<link name='ros'/>")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{tmp_path / 'ros'}")
    assert link_names(run("expand", robot)) == ["ros"]
    package(tmp_path / "ament" / "share" / "parts", "parts", "<link name='ament'/>")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "ament"))
    assert link_names(run("expand", robot)) == ["ament"]
    said = package(tmp_path / "said", "anything", "<link name='said'/>")
    assert link_names(run("expand", robot, "--package", f"parts={said}")) == ["said"]


def test_files_outside_of_folder_and_packages_stay_closed(tmp_path):
    (tmp_path / "secret.xacro").write_text("<robot><link name='secret'/></robot>")
    folder = tmp_path / "robot"
    folder.mkdir()
    robot = folder / "robot.xacro"
    for name in ("../secret.xacro", tmp_path / "secret.xacro", "link.xacro"):
        robot.write_text(f"<robot name='r' xmlns:xacro='http://x'><xacro:include filename='{name}'/></robot>")
        (folder / "link.xacro").unlink(missing_ok=True)
        (folder / "link.xacro").symlink_to(tmp_path / "secret.xacro")
        done = run("expand", robot)
        assert done.returncode == 1 and b"outside" in done.stderr and b"secret'" not in done.stdout, done
    assert link_names(run("expand", robot, "--package", f"any={tmp_path}")) == ["secret"]


def test_a_package_is_written_name_and_folder():
    for wrong in ("parts", "parts=", "=folder"):
        done = run("check", ARM, "--package", wrong)
        assert done.returncode == 2 and b"--package takes NAME=DIR, such as package=../robot, and not" in done.stderr


def test_python_has_arguments_and_packages(forearm, tmp_path):
    assert masses(forearm.expand(ARM, arguments={"mass": 5})) == [5, 1]
    assert forearm.check(ARM, arguments={"mass": 5}).text != forearm.check(ARM).text
    robot = user_of_a_package(tmp_path / "a" / "b", "parts")
    folder = package(tmp_path / "elsewhere" / "x", "no", "<link name='there'/>")
    assert "there" in forearm.expand(robot, packages={"parts": folder})
    with pytest.raises(forearm.Error) as fault:
        forearm.check(ARM, arguments={"mass": -1})
    assert fault.value.file == str(XACRO / "arm_macro.xacro") and fault.value.line == 12
    fmu = forearm.export(ARM, tmp_path / "arm.fmu", arguments={"mass": 5}, platforms="native")
    assert fmu.exists()
