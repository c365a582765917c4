"""`forearm view`: sliders move the robot as the program itself places it, loops stay closed, and warnings stand beside."""

import json

import numpy
import pytest

import chromium
from cli import ROBOTS, fails, ok, robot, run, table
from conftest import SOURCE

HAS_VIEWER = b"built without the viewer" not in run("simulate", ROBOTS[0], "--html", "/dev/null/x").stderr

pytestmark = [
    pytest.mark.skipif(not chromium.PROGRAM, reason="chromium not found"),
    pytest.mark.skipif(not HAS_VIEWER, reason="this program was built without npm"),
]

EXCAVATOR = [SOURCE / "examples" / "excavator" / "excavator.urdf", "--actuators", SOURCE / "examples" / "excavator" / "hydraulics.xml"]


def view(tmp_path, *words):
    assert ok("view", *words, "-o", tmp_path / "page.html") == ""
    return chromium.Page(tmp_path / "page.html")


def sliders(page):
    """Name, least, greatest and value of each."""
    return json.loads(page.run("JSON.stringify([...document.querySelectorAll('#sliders label')].map((l) => [l.firstChild.title, "
                               "...['min', 'max', 'value'].map((k) => Number(l.querySelector('input')[k]))]))"))


def move(page, number, value):
    page.run(f"(s => {{ s.value = {value}; s.dispatchEvent(new Event('input')); }})(document.querySelectorAll('#sliders input')[{number}])")


def places(page):
    """Origin of each link, by its name."""
    return json.loads(page.run("JSON.stringify(Object.fromEntries(forearm.stage.robot.links.map((l) => "
                               "[l.name, l.group.matrix.elements.slice(12, 15)])))"))


def told(words, positions):
    """What the program says of these positions of joints."""
    sets = [word for name, value in positions.items() for word in ("--set", f"joint.{name}.initial_position={value!r}")]
    return table(ok("simulate", *words, *sets, "--outputs", "poses", "--stop", "1e-6"))[0]


def test_sliders_have_the_limits_of_joints_and_place_links_as_the_program_does(tmp_path):
    path = robot("puma560")
    with view(tmp_path, path) as page:
        assert [name for name, *_ in sliders(page)] == ["waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange"]
        before = page.picture("#scene")
        for number, (_, least, most, _) in enumerate(sliders(page)):
            move(page, number, least + (0.3 + 0.1 * number) * (most - least))
        values = {name: value for name, *_, value in sliders(page)}
        line, at = told([path], values), places(page)
        for name, place in at.items():
            if f"link.{name}.position.x" in line:
                # The page has single precision where it starts, and doubles of sliders from there on.
                assert place == pytest.approx([line[f"link.{name}.position.{k}"] for k in "xyz"], abs=1e-6)
        assert sum(f"link.{name}.position.x" in line for name in at) >= 6
        assert (numpy.abs(before.astype(int) - page.picture("#scene")).max(axis=2) > 30).sum() > 300
        page.run("document.getElementById('start').click()")
        assert (numpy.abs(before.astype(int) - page.picture("#scene")).max(axis=2) > 30).sum() < 30
        assert page.said == []


def test_a_slider_stops_at_the_limits_of_the_file(tmp_path):
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial></link><joint name="bend_joint" type="revolute"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>'
        '<limit lower="-0.5" upper="1.25" effort="1" velocity="1"/></joint></robot>')
    with view(tmp_path, tmp_path / "r.urdf") as page:
        assert sliders(page) == [["bend_joint", -0.5, 1.25, 0]]
        move(page, 0, 7)
        assert sliders(page)[0][3] == 1.25
        label = page.run("document.querySelector('#sliders label').innerText.split(/\\s+/).join(' ')")
        assert label == "bend 71.6°"


def test_loops_stay_closed(tmp_path):
    with view(tmp_path, *EXCAVATOR) as page:
        names = [name for name, *_ in sliders(page)]
        assert names == ["swing", "boom", "stick", "bucket"]
        for number, share in ((1, 0.45), (2, 0.4), (3, 0.5)):
            _, least, most, _ = sliders(page)[number]
            move(page, number, least + share * (most - least))
        line, at = told(EXCAVATOR, {name: value for name, *_, value in sliders(page)}), places(page)
        moved = 0
        for name, place in at.items():
            if f"link.{name}.position.x" not in line:
                continue
            # Loops count as closed at 1e-6 m here; their Jacobian magnifies that to less than ten times as much.
            assert place == pytest.approx([line[f"link.{name}.position.{k}"] for k in "xyz"], abs=1e-5), name
            moved += 1
        assert moved >= 8
        assert page.said == []


def test_links_of_a_snake_hang_together(tmp_path):
    with view(tmp_path, robot("serpenoid")) as page:
        for number in range(len(sliders(page))):
            move(page, number, 0.4 - 0.1 * number)
        links = json.loads(page.run("JSON.stringify(forearm.stage.robot.links.map((l) => [...l.plane.map((v) => v[0]), ...l.segment]))"))
        for (x0, y0, a0, length0, wheel0), (x1, y1, a1, _, wheel1) in zip(links, links[1:]):
            front = [x0 + (length0 - wheel0) * numpy.cos(a0), y0 + (length0 - wheel0) * numpy.sin(a0)]
            rear = [x1 - wheel1 * numpy.cos(a1), y1 - wheel1 * numpy.sin(a1)]
            assert front == pytest.approx(rear, abs=1e-12)
        assert [a - b for (_, _, b, *_), (_, _, a, *_) in zip(links, links[1:])] == pytest.approx(
            [0.4 - 0.1 * number for number in range(len(links) - 1)], abs=1e-9)


def test_warnings_of_check_stand_beside_with_their_lines(tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text('<robot name="odd">\n<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
                    '</inertial></link>\n<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
                    '</inertial></link>\n<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>')
    said = run("check", path).stderr.decode().splitlines()
    assert said
    assert run("view", path, "-o", tmp_path / "page.html").stderr.decode().splitlines() == said
    with chromium.Page(tmp_path / "page.html") as page:
        shown = page.run("[...document.querySelectorAll('#warnings li')].map((l) => l.textContent).join('\\n')").splitlines()
        assert shown == [line.replace(": warning:", "") for line in said]
        assert page.run("getComputedStyle(document.getElementById('play')).display") == "none"  # nothing plays


def test_what_has_no_joints_is_refused_and_the_page_has_a_name_of_its_own(tmp_path):
    assert "has no joints that sliders could move" in fails(2, "view", robot("patu655_lift_axis"), "-o", tmp_path / "p.html")
    assert ok("view", robot("scara"), cwd=tmp_path) == "scara.html: open it in a browser\n"
    assert (tmp_path / "scara.html").stat().st_size < 760_000
