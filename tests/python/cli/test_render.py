"""`forearm render`: where the robot is in its picture, what colours it has, and what is said of wrong requests."""

import base64
import os
import struct
import xml.etree.ElementTree as xml

import numpy
import pytest

import chromium
from cli import ROBOTS, fails, ok, robot

SVG = "{http://www.w3.org/2000/svg}"

# Boxes and a ball in colours, on joints that turn and slide: the pictures of a file with shapes.
BOXES = """<robot name="boxes">
  <link name="base"><visual><geometry><box size="0.3 0.2 0.1"/></geometry><material name="r"><color rgba="0.8 0.1 0.1 1"/></material>
    </visual></link>
  <link name="arm"><inertial><origin xyz="0 0 0.3"/><mass value="2"/><inertia ixx="0.06" iyy="0.06" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.3"/><geometry><box size="0.08 0.08 0.6"/></geometry>
      <material name="g"><color rgba="0.1 0.7 0.1 1"/></material></visual></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.1 0 0"/><geometry><sphere radius="0.09"/></geometry>
      <material name="b"><color rgba="0.1 0.2 0.9 1"/></material></visual></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="1 0 0"/><origin xyz="0 0 0.05"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.5"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
</robot>"""


@pytest.fixture
def boxes(tmp_path):
    (tmp_path / "boxes.urdf").write_text(BOXES)
    return tmp_path / "boxes.urdf"


@pytest.fixture
def picture(tmp_path):
    def draw(*words):
        ok("render", *words, "-o", tmp_path / "a.png")
        return chromium.pixels((tmp_path / "a.png").read_bytes()).astype(int)[:, :, :3]
    return draw


def robot_in(picture, *words):
    """Pixels that the robot covers: the background alone differs between light and dark."""
    return (picture(*words) == picture(*words, "--dark")).all(axis=2)


@pytest.mark.parametrize("size", ["720x480", "390x844", "1024x700"])
@pytest.mark.parametrize("view", ["3d", "front", "side", "top"])
def test_the_robot_fills_three_quarters_of_the_binding_side(boxes, picture, size, view):
    width, height = map(int, size.split("x"))
    seen = robot_in(picture, boxes, "--view", view, "--size", size)
    assert seen.shape == (height, width)
    columns, rows = numpy.flatnonzero(seen.any(axis=0)), numpy.flatnonzero(seen.any(axis=1))
    wide, high = (columns[-1] - columns[0] + 1) / width, (rows[-1] - rows[0] + 1) / height
    # looks: 74 to 78 %. Pixels at the edge that are mixed with the background do not count here: less than 1 %.
    assert 0.74 < max(wide, high) < 0.78
    assert abs(columns[0] - (width - 1 - columns[-1])) < 0.02 * width
    assert abs(rows[0] - (height - 1 - rows[-1])) < 0.02 * height


def test_a_motion_is_framed_as_a_whole_and_leaves_the_path_of_its_tip(boxes, picture):
    still = robot_in(picture, boxes, "--set", "joint.turn.initial_position=0.5")
    words = [boxes, "--set", "joint.turn.initial_position=0.5", "--at", "0.6"]
    moved = robot_in(picture, *words)
    assert moved.sum() < 0.8 * still.sum()  # it has fallen, and needs more room
    light = picture(*words)
    orange = (numpy.abs(light - (0xd9, 0x48, 0x0f)).max(axis=2) < 30)
    assert orange.sum() > 100
    start = picture(boxes, "--set", "joint.turn.initial_position=0.5")
    assert (numpy.abs(start - (0xd9, 0x48, 0x0f)).max(axis=2) < 30).sum() == 0
    rows, columns = numpy.nonzero(orange)
    assert numpy.hypot(numpy.ptp(rows), numpy.ptp(columns)) > 60  # a path, no spot


def test_colours_are_those_of_the_file(boxes, picture):
    pixels = picture(boxes)
    for channel in range(3):
        others = [k for k in range(3) if k != channel]
        own = pixels[:, :, channel] > 1.6 * pixels[:, :, others].max(axis=2)
        assert own.sum() > 1000, channel


def test_of_what_has_no_parts_the_ground_is_drawn(tmp_path, picture):
    (tmp_path / "t.urdf").write_text('<robot name="t"><link name="base"/></robot>')
    assert len(numpy.unique(picture(tmp_path / "t.urdf").reshape(-1, 3), axis=0)) > 2  # squares on a plain


def test_an_fmu_is_drawn_as_its_robot_without_shapes(forearm, tmp_path, picture):
    path = robot("puma560")
    forearm("export", path, "-o", tmp_path / "puma.fmu", "--platforms", "native", "--bare")
    assert (picture(tmp_path / "puma.fmu") == picture(path)).all()


def test_a_mesh_is_drawn_in_the_colour_of_its_link(tmp_path, picture):
    tetrahedron = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    faces = tetrahedron[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    data = bytes(80) + struct.pack("<I", 4) + b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in faces)
    (tmp_path / "t.stl").write_bytes(data)
    (tmp_path / "t.urdf").write_text(
        '<robot name="t"><link name="base"><visual><geometry><mesh filename="t.stl" scale="0.3 0.3 0.3"/></geometry>'
        '<material name="m"><color rgba="0.9 0.1 0.8 1"/></material></visual></link></robot>')
    pixels = picture(tmp_path / "t.urdf")
    purple = (pixels[:, :, 0] > 1.5 * pixels[:, :, 1]) & (pixels[:, :, 2] > 1.5 * pixels[:, :, 1])
    columns, rows = numpy.flatnonzero(purple.any(axis=0)), numpy.flatnonzero(purple.any(axis=1))
    assert 0.73 < max(numpy.ptp(columns) / 720, numpy.ptp(rows) / 480) < 0.78


def test_each_joint_has_a_ring_of_its_own_colour(picture):
    pixels = picture(robot("puma560"), "--size", "1440x960")
    rings = [(0x0b, 0x6b, 0xcb), (0xd1, 0x48, 0x0a), (0x0f, 0x8a, 0x5f), (0x8b, 0x4f, 0xd0), (0xa8, 0x6b, 0x00), (0xc0, 0x30, 0x7a)]
    bright = pixels / numpy.maximum(pixels.max(axis=2, keepdims=True), 1)
    strong = pixels.max(axis=2) - pixels.min(axis=2) > 60
    for ring in rings:
        near = numpy.abs(bright - numpy.array(ring) / max(ring)).max(axis=2) < 0.1
        assert (near & strong).sum() > 20, ring


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_every_robot_has_a_picture(path, tmp_path):
    words = ["render", path, "-o", tmp_path / "a.png", "--size", "160x120", "--at", "0.1"]
    if path.stem == "patu655_lift_valve":
        assert "is a valve without its cylinder" in fails(2, *words)
        return
    assert ok(*words) == ""
    pixels = chromium.pixels((tmp_path / "a.png").read_bytes()).astype(int)
    assert pixels.shape[:2] == (120, 160) and numpy.ptp(pixels[:, :, 0]) > 100
    assert os.listdir(tmp_path) == ["a.png"]


def test_an_svg_has_the_picture_with_vectors_over_it(boxes, tmp_path):
    words = ["render", boxes, "--at", "0.6", "--set", "joint.turn.initial_position=0.5", "-o"]
    ok(*words, tmp_path / "a.svg")
    ok(*words, tmp_path / "a.png")
    root = xml.parse(tmp_path / "a.svg").getroot()
    assert root.get("viewBox") == "0 0 720 480" and "boxes" in root.get("aria-label")
    inside = chromium.pixels(base64.b64decode(root.find(SVG + "image").get("href").split(",")[1])).astype(int)
    outside = chromium.pixels((tmp_path / "a.png").read_bytes()).astype(int)
    different = (inside != outside).any(axis=2)
    assert 100 < different.sum() < 0.05 * different.size  # path and writing alone
    assert root.find(SVG + "path").find(SVG + "title").text == "path of the tip"
    assert root.find(SVG + "text").text.startswith("squares of ")


def test_the_same_request_gives_the_same_bytes(boxes, tmp_path):
    for name in ("a.png", "b.png"):
        ok("render", boxes, "--at", "0.3", "-o", tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_gravity_points_down_in_the_picture(picture):
    """The pendulum's gravity is along -y. Where it hangs in equilibrium, the second joint's ring is under the first one's."""
    assert 'gravity="0 -9.81 0"' in robot("double_pendulum").read_text()
    pixels = picture(robot("double_pendulum"), "--set", "joint.shoulder.initial_position=-1.5708")
    rows = [numpy.nonzero((numpy.abs(pixels / numpy.maximum(pixels.max(axis=2, keepdims=True), 1) - numpy.array(ring) / max(ring))
                           .max(axis=2) < 0.1) & (numpy.ptp(pixels, axis=2) > 60))[0].mean()
            for ring in [(0x0b, 0x6b, 0xcb), (0xd1, 0x48, 0x0a)]]
    assert rows[1] > rows[0] + 60


@pytest.mark.parametrize("words, said", [
    ([], "forearm render needs the picture's name: -o robot.png or -o robot.svg"),
    (["-o", "a.pdf"], "'a.pdf' has another ending; a plot's file is named .svg or .png"),
    (["-o", "a.png", "--at", "-1"], "--at takes a time in seconds, from 0 on, such as 1.5, and not '-1'"),
    (["-o", "a.png", "--at", "soon"], "--at takes a time in seconds, from 0 on, such as 1.5, and not 'soon'"),
    (["-o", "a.png", "--size", "720"],
     "--size takes width and height in pixels, from 16 to 4096, such as 720x480, and not '720'"),
    (["-o", "a.png", "--size", "8x9999"],
     "--size takes width and height in pixels, from 16 to 4096, such as 720x480, and not '8x9999'"),
    (["-o", "a.png", "--view", "back"], "--view takes one of 3d|front|side|top, and not 'back'"),
    (["-o", "a.png", "--input", "u.csv"],
     "--input drives a motion, and without --at the start is shown; add --at SECONDS"),
])
def test_wrong_requests(words, said, boxes):
    assert fails(2, "render", boxes, *words) == f"forearm: {said}"


def test_a_circuit_alone_has_no_picture(tmp_path):
    (tmp_path / "c.xml").write_text(
        '<circuit name="c"><oil bulk-modulus="1.5e9"/><supply name="p" pressure="1e7"/><tank name="t" pressure="1e5"/>'
        '<orifice name="o" from="p" to="t" nominal-flow="1e-3" nominal-drop="5e5" transition="1e5"/></circuit>')
    assert "is a hydraulic circuit without an arm" in fails(2, "render", tmp_path / "c.xml", "-o", tmp_path / "a.png")
