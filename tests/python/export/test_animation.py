"""The scene that an FMU with `--outputs poses` carries for OpenModelica: its form, that it names what is
there, and that its shapes are where Pinocchio's are while FMPy simulates.

OpenModelica itself is not at hand. What its editor does with a shape (Visualization.cpp in OMEdit) is
`Shape` below, in a few lines of numpy.
"""

import struct
import xml.etree.ElementTree as xml
import zipfile

import fmpy
import numpy as np
import pinocchio as pin
import pytest

from conftest import SOURCE
from figures import close

ROBOTS = SOURCE / "resources" / "robots"
# All that OMEdit asks a shape for, with how many numbers, in the order in which OpenModelica writes it.
ELEMENTS = {"ident": 0, "type": 0, "T": 9, "r": 3, "r_shape": 3, "lengthDir": 3, "widthDir": 3,
            "length": 1, "width": 1, "height": 1, "extra": 1, "color": 3, "specCoeff": 1}
# Rounding of half a dozen rotations; both compute in doubles.
ROUNDING = 3e-14

# A box on the ground, links that turn and slide, one bolted to another, and each kind of shape.
URDF = """<robot name="shapes">
 <link name="base"><visual><origin xyz="0.1 -0.2 0.05" rpy="0.3 0.2 -0.7"/><geometry><box size="0.4 0.3 0.1"/>
  </geometry><material name="m"><color rgba="1 0.5 0 1"/></material></visual></link>
 <link name="upper arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0.1 0.2" rpy="0.5 -0.4 1"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual>
  <visual><origin xyz="0 0 0.4"/><geometry><sphere radius="0.08"/></geometry></visual></link>
 <link name="slider"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0.02 0 0" rpy="0 1 0"/><geometry><mesh filename="wedge.stl" scale="0.001 0.002 0.003"/></geometry></visual></link>
 <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin rpy="0 0 0.3"/><geometry><box size="0.1 0.2 0.3"/></geometry></visual></link>
 <joint name="turn" type="continuous"><parent link="base"/><child link="upper arm"/><origin xyz="0 0 0.1" rpy="0.2 0.1 0"/><axis xyz="0 1 0"/></joint>
 <joint name="slide" type="prismatic"><parent link="upper arm"/><child link="slider"/><origin xyz="0 0 0.5" rpy="0 0 0.4"/>
  <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="100" velocity="9"/></joint>
 <joint name="bolts" type="fixed"><parent link="slider"/><child link="hand"/><origin xyz="0.1 0.2 0.3" rpy="1 0 0"/></joint>
</robot>"""
CORNERS = np.array([[0, 0, 0], [100, 0, 0], [0, 100, 0], [0, 0, 100]], dtype=float)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def write_stl(path, triangles):
    path.write_text("solid\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in t.tolist()) +
        "endloop\nendfacet\n" for t in triangles) + "endsolid\n")


def read_stl(data):
    assert not data.startswith(b"solid")  # which would be text
    (n,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * n
    return np.array([struct.unpack_from("<12f", data, 84 + 50 * i) for i in range(n)]).reshape(n, 4, 3)


class Shape:
    """A <shape>, and where OMEdit puts it."""

    def __init__(self, element):
        assert [child.tag for child in element] == list(ELEMENTS)
        self.text = {child.tag: child.text for child in element if ELEMENTS[child.tag] == 0}
        self.numbers = {child.tag: list(child) for child in element if ELEMENTS[child.tag] > 0}
        for tag, numbers in self.numbers.items():
            assert len(numbers) == ELEMENTS[tag]
            assert all(number.tag in ("exp", "cref") and len(number) == 0 for number in numbers)

    def crefs(self):
        return {n.text for numbers in self.numbers.values() for n in numbers if n.tag == "cref"}

    def get(self, tag, values):
        return np.array([values(n.text) if n.tag == "cref" else float(n.text) for n in self.numbers[tag]])

    def placed(self, values):
        """The middle of the shape, and its axes as columns: along x, y and z of a URDF's shape."""
        T = self.get("T", values).reshape(3, 3)
        along, across = self.get("lengthDir", values), self.get("widthDir", values)
        size = np.array([self.get(tag, values)[0] for tag in ("length", "width", "height")])
        np.testing.assert_allclose([along @ along, across @ across, along @ across], [1, 1, 0], atol=1e-14)
        axes = np.array([along, across, np.cross(along, across)]).T
        begin = self.get("r_shape", values)
        if not self.text["type"].startswith("file://"):
            begin = begin + along * size[0] / 2
        if self.text["type"] == "cylinder":  # the URDF's lies along z
            axes, size = axes[:, [1, 2, 0]], size[[1, 2, 0]]
        return self.get("r", values) + T.T @ begin, T.T @ axes, size


def scene(fmu):
    """Shapes of an FMU's scene, of which every number is known, and the archive."""
    archive = zipfile.ZipFile(fmu)
    (name,) = [name for name in archive.namelist() if name.endswith("_visual.xml")]
    description = fmpy.read_model_description(str(fmu))
    assert name == f"resources/{description.coSimulation.modelIdentifier}_visual.xml"
    root = xml.fromstring(archive.read(name))
    assert root.tag == "visualization"
    shapes = [Shape(element) for element in root]
    assert len({shape.text["ident"] for shape in shapes}) == len(shapes) > 0
    shown = {v.name for v in description.modelVariables if v.causality == "output" and not v.dimensions}
    for shape in shapes:
        assert shape.crefs() <= shown, shape.text["ident"]
    return shapes, archive


def simulate(fmu, names, kind, stop=1.0, **start):
    result = fmpy.simulate_fmu(str(fmu), fmi_type=kind, stop_time=stop, output_interval=0.1, output=sorted(names),
                               start_values=start)
    return [lambda name, row=row: float(row[name]) for row in result], result


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    write_stl(folder / "wedge.stl", [CORNERS[list(face)] for face in FACES])
    path = folder / "shapes.urdf"
    path.write_text(URDF)
    return path


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("fmi", [2, 3])
def test_shapes_of_a_urdf_are_where_pinocchio_has_them(fmi, kind, shapes, export):
    fmu = export(shapes, "--fmi", fmi, "--outputs", "poses")
    found, archive = scene(fmu)
    assert [shape.text["type"].split(":")[0] for shape in found] == ["box", "cylinder", "sphere", "file", "box"]
    model = pin.buildModelFromUrdf(str(shapes))
    geometry = pin.buildGeomFromUrdf(model, str(shapes), pin.GeometryType.VISUAL, package_dirs=[str(shapes.parent)])
    data, places = model.createData(), geometry.createData()
    crefs = set.union(*[shape.crefs() for shape in found])
    positions = ["joint.turn.position", "joint.slide.position"]
    rows, result = simulate(fmu, crefs | set(positions), kind, **{"joint.turn.initial_velocity": 2.0})
    assert all(np.ptp(result[name]) > 0.5 for name in positions)  # it moves
    for row in rows:
        turn, slide = (row(name) for name in positions)
        pin.updateGeometryPlacements(model, data, geometry, places,
                                     np.array([np.cos(turn), np.sin(turn), slide]))
        assert len(found) == len(places.oMg)
        for shape, want in zip(found, places.oMg):
            middle, axes, _ = shape.placed(row)
            close("middle of a shape", middle, want.translation, ROUNDING, shape.text["ident"], 1)
            close("axes of a shape", axes, want.rotation, ROUNDING, shape.text["ident"], 1)


def test_shapes_of_a_urdf_have_their_sizes_colours_and_meshes(shapes, export):
    found, archive = scene(export(shapes, "--outputs", "poses"))
    nothing = dict.fromkeys(set.union(*[shape.crefs() for shape in found]), 0.0).get
    sizes = [shape.placed(nothing)[2].tolist() for shape in found]
    assert sizes == [[0.4, 0.3, 0.1], [0.1, 0.1, 0.4], [0.16] * 3, [1] * 3, [0.1, 0.2, 0.3]]
    assert found[0].get("color", nothing).tolist() == [255, 127.5, 0]
    assert found[3].text["type"] == "file://shapes_visual/1.stl"
    got = read_stl(archive.read("resources/shapes_visual/1.stl"))
    want = np.array([CORNERS[list(face)] for face in FACES]) * [0.001, 0.002, 0.003]
    np.testing.assert_allclose(got[:, 1:], want, rtol=1e-7)  # single precision
    normals = np.cross(want[:, 1] - want[:, 0], want[:, 2] - want[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    np.testing.assert_allclose(got[:, 0], normals, atol=1e-7)


@pytest.mark.parametrize("robot", sorted(ROBOTS.glob("*.xml")), ids=lambda path: path.stem)
def test_every_robot_with_links_has_a_scene(robot, export, forearm):
    if "<cylinder " in robot.read_text() and "<arm" not in robot.read_text():
        pytest.skip("an axis has no links")
    fmu = export(robot, "--outputs", "poses", "--platforms", "native", "--bare")
    found, _ = scene(fmu)
    rows, _ = simulate(fmu, set.union(*[shape.crefs() for shape in found]), "CoSimulation", 0.2)
    for shape in found:
        for row in rows:
            T = shape.get("T", row).reshape(3, 3)
            assert np.max(np.abs(T @ T.T - np.eye(3))) < 1e-12 and np.linalg.det(T) > 0


def test_a_snakes_bars_lie_between_its_joints(export):
    """Bar k begins where bar k - 1 ends, to 2 % of their length to either side."""
    fmu = export(ROBOTS / "serpenoid.xml", "--outputs", "poses", "--platforms", "native", "--bare")
    bars = [shape for shape in scene(fmu)[0] if shape.text["type"] == "box"]
    rows, _ = simulate(fmu, set.union(*[bar.crefs() for bar in bars]), "CoSimulation", 0.5)
    for row in rows:
        placed = [bar.placed(row) for bar in bars]
        for (p, P, a), (q, Q, b) in zip(placed, placed[1:]):
            front, rear = p + P[:, 0] * a[0] / 1.92, q - Q[:, 0] * b[0] / 1.92
            np.testing.assert_allclose(front, rear, atol=1e-12)


def annotation(fmu):
    """What is told OpenModelica in the way of FMI 2.0, and in that of 3.0: elements by their names."""
    root = xml.fromstring(zipfile.ZipFile(fmu).read("modelDescription.xml"))
    return [{child.tag: child for child in root.findall(path)} for path in
            ("VendorAnnotations/Tool[@name='OpenModelica']/*", "Annotations/Annotation[@type='org.openmodelica']/*")]


@pytest.mark.parametrize("fmi", [2, 3])
def test_openmodelica_is_told_of_the_scene_and_of_plots(fmi, export):
    fmu = export(ROBOTS / "cmu_dd_arm.xml", "--fmi", fmi, "--outputs", "poses")
    found = annotation(fmu)
    here = found[fmi - 2]
    assert not found[3 - fmi] and set(here) == {"Figures", "Visualization"}
    assert here["Visualization"].attrib == {"version": "1", "file": "cmu_dd_arm_visual.xml"}
    assert here["Figures"].get("version") == "1"
    description = fmpy.read_model_description(str(fmu))
    named = {v.name: v for v in description.modelVariables}
    for figure in here["Figures"]:
        for plot in figure:
            unit = plot.find("Axis").get("unit")
            curves = [curve.get("y") for curve in plot.findall("Curve")]
            assert 0 < len(curves) <= 12
            assert all(named[name].unit == unit or named[name].declaredType.unit == unit for name in curves)
    preferred = [figure for figure in here["Figures"] if figure.get("preferred")]
    assert [figure.get("title") for figure in preferred] == ["States"]


def test_fmi_3_without_a_scene_has_no_annotation(export):
    """fmi-sim 0.7.0 refuses elements in one."""
    assert annotation(export(ROBOTS / "scara.xml", "--fmi", 3)) == [{}, {}]
    assert annotation(export(ROBOTS / "scara.xml", "--fmi", 3, "--arrays", "--outputs", "poses")) == [{}, {}]
    assert set(annotation(export(ROBOTS / "scara.xml", "--fmi", 2))[0]) == {"Figures"}


def test_arrays_have_no_scene(export):
    fmu = export(ROBOTS / "scara.xml", "--arrays", "--outputs", "poses")
    assert not [name for name in zipfile.ZipFile(fmu).namelist() if "_visual" in name]
