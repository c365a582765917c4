"""Links without mass that are weighed by their shapes: --density, --total-mass, <link> of a side file.

Expected values are integrals of other shapes than the program's: bodies of turning by numpy's quadrature over discs,
meshes by their tetrahedra in longer numbers."""

import json
import struct

import numpy
import pytest

from cli import run
from conftest import FOREARM, SOURCE

RNG = numpy.random.default_rng(22)
TETRAHEDRON = [((0, 0, 0), (0, 2, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 3)),
               ((0, 0, 0), (0, 0, 3), (0, 2, 0)), ((1, 0, 0), (0, 2, 0), (0, 0, 3))]


def stl(path, triangles):
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *numpy.ravel(t), 0) for t in triangles))


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = numpy.cos(rpy), numpy.sin(rpy)
    return (numpy.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ numpy.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
            @ numpy.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))


def turned(radius_at, half):
    """Volume and second moments of a body of turning along z, from its discs: 200 points of Gauss."""
    x, w = numpy.polynomial.legendre.leggauss(200)
    z, w = half * x, half * w
    r = radius_at(z)
    volume = numpy.sum(w * numpy.pi * r**2)
    return volume, numpy.diag([numpy.sum(w * numpy.pi * r**4 / 4)] * 2 + [numpy.sum(w * numpy.pi * r**2 * z**2)])


def tetrahedra(triangles):
    """Volume, first and second moments about the origin of what a surface encloses."""
    t = numpy.array(triangles, dtype=numpy.longdouble)
    six = numpy.einsum("ti,ti->t", t[:, 0], numpy.cross(t[:, 1], t[:, 2]))
    total = t.sum(axis=1)
    second = (numpy.einsum("t,tki,tkj->ij", six, t, t) + numpy.einsum("t,ti,tj->ij", six, total, total)) / 120
    return float(six.sum() / 6), numpy.array((six[:, None] * total).sum(axis=0) / 24, float), numpy.array(second, float)


def shape(text, xyz, rpy, kind="collision"):
    return (f"<{kind}><origin xyz='{' '.join(map(repr, map(float, xyz)))}' rpy='{' '.join(map(repr, map(float, rpy)))}'/>"
            f"<geometry>{text}</geometry></{kind}>")


def link(name, inside, parent):
    return (f"<link name='{name}'>{inside}</link><joint name='to_{name}' type='continuous'><parent link='{parent}'/>"
            f"<child link='{name}'/><axis xyz='0 0 1'/></joint>")


def robot(path, *links):
    path.write_text("<robot name='r'><link name='base'/>" + "".join(links) + "</robot>")
    return path


def links(path, *options):
    done = run("inspect", path, "--json", *options)
    assert done.returncode == 0, done.stderr
    return {entry["name"]: entry for entry in json.loads(done.stdout)["links"]}


def refusal(path, *options):
    done = run("check", path, *options)
    assert done.returncode != 0
    return done.stderr.decode().strip()


def tensor(entry):
    xx, yy, zz, xy, xz, yz = entry["inertia"]
    return numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_shapes_weigh_what_their_integrals_say(tmp_path):
    stl(tmp_path / "t.stl", TETRAHEDRON)
    r, length, edges = 0.3, 0.7, numpy.array([0.2, 0.5, 0.9])
    cap = lambda z: numpy.sqrt(numpy.maximum(0, r**2 - numpy.maximum(0, abs(z) - length / 2) ** 2))  # noqa: E731
    x, w = numpy.polynomial.legendre.leggauss(200)
    # The capsule's discs, piece by piece, for the square root has no series at the seams.
    top, wt = length / 2 + r * (x + 1) / 2, w * r / 2
    caps = numpy.sum(wt * numpy.pi * cap(top) ** 2), numpy.sum(wt * numpy.pi * cap(top) ** 4 / 4), \
        numpy.sum(wt * numpy.pi * cap(top) ** 2 * top**2)
    middle = turned(lambda z: r + 0 * z, length / 2)
    bodies = {
        f"<box size='{edges[0]} {edges[1]} {edges[2]}'/>": (edges.prod(), numpy.zeros(3), numpy.diag(edges.prod() * edges**2 / 12)),
        f"<sphere radius='{r}'/>": (turned(lambda z: numpy.sqrt(r**2 - z**2), r)[0], numpy.zeros(3),
                                    turned(lambda z: numpy.sqrt(r**2 - z**2), r)[1]),
        f"<cylinder radius='{r}' length='{length}'/>": (middle[0], numpy.zeros(3), middle[1]),
        f"<capsule radius='{r}' length='{length}'/>": (middle[0] + 2 * caps[0], numpy.zeros(3), middle[1] + 2 * numpy.diag(
            [caps[1], caps[1], caps[2]])),
        "<mesh filename='t.stl'/>": tetrahedra(TETRAHEDRON),
        "<mesh filename='t.stl' scale='0.5 -2 1'/>": tetrahedra(
            [[(0.5 * c[0], -2 * c[1], c[2]) for c in t[::-1]] for t in TETRAHEDRON]),
    }
    for text, (volume, first, second) in bodies.items():
        xyz, rpy, other = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=3)
        R = rotation(rpy)
        inside = shape(text, xyz, rpy) + shape("<box size='1 1 1'/>", other, (0, 0, 0))
        got = links(robot(tmp_path / "r.urdf", link("l", inside, "base")), "--density", "700")["l"]
        mass = 700 * (volume + 1)
        com = 700 * (R @ first + volume * xyz + other) / mass
        about = 700 * (R @ second @ R.T + numpy.outer(R @ first, xyz) + numpy.outer(xyz, R @ first)
                       + volume * numpy.outer(xyz, xyz) + numpy.eye(3) / 12 + numpy.outer(other, other))
        about -= mass * numpy.outer(com, com)
        # Rounding of sums of a few dozen numbers.
        assert got["mass"] == pytest.approx(mass, rel=1e-13)
        assert got["com"] == pytest.approx(com, abs=1e-12)
        assert tensor(got) == pytest.approx(numpy.trace(about) * numpy.eye(3) - about, abs=1e-12 * mass)


def three(tmp_path):
    weighed = "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    box = shape("<box size='0.1 0.2 0.5'/>", (0, 0, 0), (0, 0, 0))
    ball = shape("<sphere radius='0.1'/>", (0, 0, 0), (0, 0, 0), "visual")
    return robot(tmp_path / "r.urdf", link("a", weighed + box, "base"), link("b", box, "a"), link("c", ball, "b"),
                 link("frame", "", "c").replace("continuous", "fixed"))


def test_only_links_without_mass_are_weighed(tmp_path):
    volume = {"b": 0.01, "c": 4 / 3 * numpy.pi * 1e-3}
    path = three(tmp_path)
    got = links(path, "--density", "1000")
    assert got["a"]["mass"] == 2 and got["frame"]["mass"] == 0
    assert [got[n]["mass"] for n in "bc"] == pytest.approx([1000 * volume[n] for n in "bc"], rel=1e-14)
    got = links(path, "--total-mass", "9")
    assert got["a"]["mass"] == 2
    assert [got[n]["mass"] for n in "bc"] == pytest.approx([7 * volume[n] / sum(volume.values()) for n in "bc"], rel=1e-14)
    assert refusal(path, "--total-mass", "2").endswith(
        "the links with a mass weigh 2 kg together, so that nothing is left of the total mass of 2 kg for the others; ask "
        "for more")


def side(tmp_path, inside):
    path = tmp_path / "side.xml"
    path.write_text(f"<actuators for='r'>{inside}</actuators>")
    return "--actuators", path


def test_a_side_file_weighs_single_links(tmp_path):
    path = three(tmp_path)
    got = links(path, *side(tmp_path, "<link name='b' mass='3.2'/><link name='c' density='2700'/>"))
    assert got["b"]["mass"] == pytest.approx(3.2, rel=1e-15)
    assert got["b"]["inertia"][:3] == pytest.approx([3.2 * 0.29 / 12, 3.2 * 0.26 / 12, 3.2 * 0.05 / 12], rel=1e-14)
    assert got["c"]["mass"] == pytest.approx(2700 * 4 / 3 * numpy.pi * 1e-3, rel=1e-14)
    got = links(path, *side(tmp_path, "<link name='b' mass='3'/>"), "--total-mass", "6")
    assert got["b"]["mass"] == pytest.approx(3, rel=1e-15) and got["c"]["mass"] == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("inside, sentence", [
    ("<link name='a' mass='1'/>", "link 'a' has a mass in the robot file, 2 kg; remove this element, or that mass"),
    ("<link name='b' mass='1' density='1'/>", "link 'b' needs a density or a mass, and not both"),
    ("<link name='b'/>", "link 'b' needs a density or a mass, and not both"),
    ("<link name='b' mass='0'/>", "the density or mass of link 'b' must be above zero"),
    ("<link name='frame' mass='1'/>", "link 'frame' has no shape that its inertia could follow from; give it an inertia in "
     "the robot file"),
    ("<link name='bb' mass='1'/>", "the robot has no link 'bb'; did you mean 'b'?"),
    ("<link name='b' mass='1'/><link name='b' mass='1'/>", "link 'b' is here a second time, after line 1; keep one of them"),
])
def test_side_files_that_cannot_be_meant(tmp_path, inside, sentence):
    assert sentence in refusal(three(tmp_path), *side(tmp_path, inside))


def test_open_and_missing_meshes_are_told(tmp_path):
    stl(tmp_path / "open.stl", TETRAHEDRON[:3])
    mesh = shape("<mesh filename='open.stl'/>", (0, 0, 0), (0, 0, 0))
    path = robot(tmp_path / "r.urdf", link("l", mesh, "base"))
    said = refusal(path, "--density", "1000")
    assert "link 'l' has no mass, and the mesh 'open.stl' cannot be weighed: the surface is not closed: 3 edges" in said
    seen = mesh + shape("<box size='1 1 1'/>", (0, 0, 0), (0, 0, 0), "visual")
    done = run("check", robot(path, link("l", seen, "base")), "--density", "1000")
    assert done.returncode == 0 and "link 'l' is weighed by its shapes for pictures, as the mesh" in done.stderr.decode()
    gone = shape("<mesh filename='gone.stl'/>", (0, 0, 0), (0, 0, 0))
    assert "the mesh 'gone.stl' cannot be weighed" in refusal(robot(path, link("l", gone, "base")), "--density", "1")
    bad = shape("<box size='1 -1 1'/>", (0, 0, 0), (0, 0, 0))
    assert "the shape in line 1 has no size that can be read" in refusal(robot(path, link("l", bad, "base")), "--density", "1")
    # What is bolted down needs no mass.
    done = run("check", robot(path, link("l", seen, "base"), link("f", gone, "base").replace("continuous", "fixed")),
               "--density", "1000")
    assert done.returncode == 0 and "link 'f' stands still and stays without mass: the mesh 'gone.stl'" in done.stderr.decode()


def test_options_that_do_not_fit(tmp_path):
    path = three(tmp_path)
    assert "--density and --total-mass exclude each other; give one of them" in refusal(
        path, "--density", "1", "--total-mass", "1")
    assert "have it weighed by its shapes (--density or --total-mass)" in refusal(path)
    bare = robot(tmp_path / "bare.urdf", "<link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
                 "ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent link='base'/><child link='l'/>"
                 "</joint>")
    assert "no link without mass has a shape, so that nothing is weighed by its shapes" in run(
        "check", bare, "--density", "1").stderr.decode()
    arm = SOURCE / "resources" / "robots" / "scara.xml"
    assert "has no shapes to weigh links by; leave out --density and --total-mass" in refusal(arm, "--density", "1")


def test_python_weighs_too(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python")
    monkeypatch.setenv("FOREARM", str(FOREARM))
    import forearm

    masses = {entry["name"]: entry["mass"] for entry in forearm.inspect(three(tmp_path), density=1000)["links"]}
    assert masses["b"] == pytest.approx(10, rel=1e-14)
    total = forearm.check(three(tmp_path), total_mass=5).robot
    assert sum(entry["mass"] for entry in total["links"]) == pytest.approx(5, rel=1e-14)
