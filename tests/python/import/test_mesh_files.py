"""Which files a robot file can make the program read: regular ones, in its folder and its packages, and the page says
which. SECURITY.md promises it."""

import json
import os
import re
import zipfile

import pytest
from cli import fails, ok, run

BALL = "solid ball\n" + "".join(
    "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners) + "endloop\nendfacet\n"
    for corners in [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
                    ((0, 0, 0), (0, 0, 1), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1))]) + "endsolid\n"
ROBOT = """<robot name="r"><link name="l"><visual><geometry><mesh filename="{}"/></geometry></visual></link>
<link name="m"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="l"/><child link="m"/><axis xyz="1 0 0"/></joint></robot>"""


@pytest.fixture
def place(tmp_path):
    """A package with a mesh, one beside it that is another package, one that is none, and a file outside of all."""
    for folder in ("ws/one/urdf", "ws/one/meshes", "ws/two/meshes", "ws/three", "out"):
        (tmp_path / folder).mkdir(parents=True)
    for package in ("one", "two"):
        (tmp_path / "ws" / package / "package.xml").write_text("<package/>")
    for folder in ("ws/one/urdf", "ws/one/meshes", "ws/two/meshes", "ws/three", "out"):
        (tmp_path / folder / "ball.stl").write_text(BALL)
    (tmp_path / "ws/one/urdf/link.stl").symlink_to(tmp_path / "out/ball.stl")
    os.mkfifo(tmp_path / "ws/one/urdf/fifo.stl")
    (tmp_path / "ws/one/urdf/folder.stl").mkdir()
    return tmp_path


def page(place, mesh, **environment):
    robot = place / "ws" / "one" / "urdf" / "robot.urdf"
    robot.write_text(ROBOT.format(mesh.replace("TMP", str(place))))
    done = run("simulate", robot, "--stop", "0.1", "--html", place / "x.html", env={**os.environ, **environment})
    if b"without the viewer" in done.stderr:
        pytest.skip("this program was built without the viewer")
    assert done.returncode == 0, done.stderr
    said = re.search(r"is not drawn: (.*)", done.stderr.decode())
    text = (place / "x.html").read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert bool(said) == (data["links"][0]["shapes"] == [] or data["links"][0]["shapes"][0]["kind"] != "mesh")
    return said and said[1], [text for what, text in data["facts"] if what == "contains the mesh"]


@pytest.mark.parametrize("mesh", ["ball.stl", "../meshes/ball.stl", "package://one/meshes/ball.stl",
                                  "package://two/meshes/ball.stl", "file://TMP/ws/one/meshes/ball.stl",
                                  "TMP/ws/one/urdf/ball.stl"])
def test_meshes_of_the_robot_and_its_packages_are_read_and_named(mesh, place):
    assert page(place, mesh) == (None, [mesh.replace("TMP", str(place))])


@pytest.mark.parametrize("mesh", ["../../../out/ball.stl", "TMP/out/ball.stl", "file://TMP/out/ball.stl", "link.stl",
                                  "package://three/ball.stl", "package://two/../../out/ball.stl"])
def test_others_are_not_unless_their_folder_is_named(mesh, place):
    said, names = page(place, mesh)
    assert said.startswith("it is outside the robot's folder and its packages") and names == []
    said, names = page(place, mesh, ROS_PACKAGE_PATH=f"{place}/out:{place}/ws/three")
    assert said is None and len(names) == 1


@pytest.mark.parametrize("mesh, why", [
    ("fifo.stl", "it is no regular file"), ("folder.stl", "it is no regular file"), ("none.stl", "the file is not there"),
    ("/dev/stdin.stl", "the file is not there"), ("package://../ball.stl", "the file is not there"),
    ("package://ball.stl", "the file is not there"), ("package:///ball.stl", "the file is not there")])
def test_what_is_no_file_is_not_waited_for(mesh, why, place):
    assert page(place, mesh) == (why, [])


def test_parts_keep_to_the_same(place):
    parts = place / "ws" / "one" / "parts.xml"

    def with_mesh(mesh):
        parts.write_text('<parts name="a"><material name="steel" density="7850"/><part name="p">'
                         f'<mesh file="{mesh}" material="steel"/></part><link name="l"><place part="p"/></link></parts>')
        return parts

    done = run("parts", with_mesh("meshes/ball.stl"))
    assert done.returncode == 0, done.stderr
    assert "is not read: it is outside the robot's folder" in fails(1, "parts", with_mesh("../../out/ball.stl"))
    assert "is not read: it is no regular file" in fails(1, "parts", with_mesh("urdf/fifo.stl"))
    assert ok("parts", with_mesh("meshes/ball.stl"))


def test_an_fmu_names_what_it_contains(place):
    robot = place / "ws" / "one" / "urdf" / "robot.urdf"
    for mesh, names in (("package://one/meshes/ball.stl", ["1.stl package://one/meshes/ball.stl"]),
                        ("../../../out/ball.stl", [])):
        robot.write_text(ROBOT.format(mesh))
        ok("export", robot, "--outputs", "poses", "-o", place / "r.fmu")
        with zipfile.ZipFile(place / "r.fmu") as archive:
            stl = [name for name in archive.namelist() if name.endswith(".stl")]
            assert len(stl) == len(names)
            if names:
                text = next(name for name in archive.namelist() if name.endswith("_visual/meshes.txt"))
                assert archive.read(text).decode().splitlines() == names
