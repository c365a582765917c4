"""`forearm simulate --plot`: what the pictures show, that nothing in them is on top of anything else, and
what is said of wrong requests."""

import os
import re
import xml.etree.ElementTree as xml

import numpy
import pytest

import chromium
from cli import PENDULUM, ROBOTS, SLIDER, fails, ok, robot, table

SVG = "{http://www.w3.org/2000/svg}"
BLUE = (0x00, 0x72, 0xb2)


def curves(path):
    """Of each curve of an SVG: its points [px], under its variable's name."""
    found = {}
    for element in xml.parse(path).iter(SVG + "path"):
        points, x, y = [], 0, 0
        for move, numbers in re.findall(r"([Mlh])([^Mlh]*)", element.get("d")):
            values = [int(n) for n in re.findall(r"-?\d+", numbers)]
            if move == "M":
                x, y = values
                points.append((x, y))
            elif move == "l":
                for dx, dy in zip(values[::2], values[1::2]):
                    x, y = x + dx, y + dy
                    points.append((x, y))
        found.setdefault(element.find(SVG + "title").text, numpy.array(points) / 10)
    return found


def texts(path):
    return [element.text for element in xml.parse(path).iter(SVG + "text")]


@pytest.fixture
def slider(tmp_path):
    (tmp_path / "slider.urdf").write_text(SLIDER)
    return tmp_path / "slider.urdf"


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_every_robot_has_a_picture_in_both_formats(path, tmp_path):
    for name in ("a.svg", "a.png"):
        assert ok("simulate", path, "--stop", "0.5", "--plot", tmp_path / name) == ""
    assert len(curves(tmp_path / "a.svg")) >= 2
    pixels = chromium.pixels((tmp_path / "a.png").read_bytes())
    assert (pixels[:20] == 255).all() and (pixels == BLUE).all(axis=2).sum() > 500
    assert (tmp_path / "a.svg").stat().st_size < 100_000
    assert set(os.listdir(tmp_path)) == {"a.svg", "a.png"}


def test_a_curve_is_the_table_s_column(slider, tmp_path):
    out = ok("simulate", slider, "--set", "joint.slide.force=4", "--stop", "3", "--plot", tmp_path / "a.svg",
             "--plot-variables", "joint.slide.position", "--out", "-")
    rows = table(out)
    (name, points), = curves(tmp_path / "a.svg").items()
    assert name == "joint.slide.position"
    time = numpy.array([row["time"] for row in rows])
    drawn = numpy.interp(points[0, 0] + (points[-1, 0] - points[0, 0]) * time / 3, points[:, 0], points[:, 1])
    # 4 N on 2 kg: t² metres. A tenth of a pixel is the last digit that is written, and as much is cut off curves.
    scale = numpy.polyfit(time ** 2, drawn, 1)
    assert scale[0] < 0 and numpy.abs(drawn - numpy.polyval(scale, time ** 2)).max() < 0.2
    # The ticks are where the numbers say: the axis crosses the curve's end at 9.
    ticks = {float(t.text): float(t.get("y")) - 4 for t in xml.parse(tmp_path / "a.svg").iter(SVG + "text")
             if re.fullmatch(r"[\d.]+", t.text) and t.get("text-anchor") == "end"}
    assert len(ticks) > 3
    for value, y in ticks.items():
        assert abs(numpy.polyval(scale, value) - y) < 0.2


def test_pixels_show_the_same_curve(slider, tmp_path):
    ok("simulate", slider, "--set", "joint.slide.force=4", "--stop", "3", "--plot", tmp_path / "a.png",
       "--plot-variables", "joint.slide.velocity")
    blue = (chromium.pixels((tmp_path / "a.png").read_bytes()) == BLUE).all(axis=2)
    columns = numpy.flatnonzero(blue.any(axis=0))
    assert columns[-1] - columns[0] > 1000  # two pixels for each of the page's
    middle = numpy.array([numpy.flatnonzero(blue[:, c]).mean() for c in columns])
    line = numpy.polyfit(columns, middle, 1)  # 2 m/s²: a straight line
    assert line[0] < -0.2 and numpy.abs(numpy.polyval(line, columns) - middle).max() < 1


def test_a_spike_in_fifty_thousand_lines_is_seen_and_the_file_stays_small(slider, tmp_path):
    lines = ["time,joint.slide.force", "0,0", "0.5,5", "0.50002,0"]
    (tmp_path / "pulse.csv").write_text("\n".join(lines) + "\n")
    ok("simulate", slider, "--input", tmp_path / "pulse.csv", "--stop", "1", "--step", "2e-5",
       "--plot", tmp_path / "a.svg", "--plot-variables", "joint.slide.force")
    force = curves(tmp_path / "a.svg")["joint.slide.force"]
    assert force[:, 1].max() - force[:, 1].min() > 200
    assert (tmp_path / "a.svg").stat().st_size < 8_000


def test_held_inputs_are_steps_and_linear_ones_are_not(slider, tmp_path):
    (tmp_path / "u.csv").write_text("time,joint.slide.force\n0,0\n1,5\n2,0\n")
    steps = {}
    for how in ("held", "linear"):
        ok("simulate", slider, "--input", tmp_path / "u.csv", "--interpolate", how, "--step", "0.5",
           "--plot", tmp_path / "a.svg", "--plot-variables", "*.force")
        points = curves(tmp_path / "a.svg")["joint.slide.force"]
        steps[how] = ((numpy.diff(points[:, 0]) == 0) & (numpy.diff(points[:, 1]) != 0)).sum()
    assert steps == {"held": 2, "linear": 0}


def test_names_choose_what_is_shown(tmp_path):
    def shown(names):
        ok("simulate", robot("scara"), "--stop", "0.1", "--plot", tmp_path / "a.svg", "--plot-variables", names, "--outputs", "energy")
        return sorted(curves(tmp_path / "a.svg"))
    assert shown("joint.elbow.*tion,energy.residual") == \
        ["energy.residual", "joint.elbow.acceleration", "joint.elbow.position"]
    assert shown("tip.?") == ["tip.x", "tip.y", "tip.z"]
    assert shown("tip.x, tip.x,tip.?") == ["tip.x", "tip.y", "tip.z"]
    assert shown("energy.friction_power") == ["energy.friction_power"]  # a local variable
    assert all(not name.startswith("link.") for name in shown("*"))  # no parameters


def test_an_inverse_fmu_shows_its_torques(tmp_path):
    ok("export", robot("scara"), "--kind", "inverse", "--platforms", "native", "--bare", "-o", tmp_path / "i.fmu")
    ok("simulate", tmp_path / "i.fmu", "--stop", "0.1", "--plot", tmp_path / "a.svg")
    assert set(curves(tmp_path / "a.svg")) >= {"joint.shoulder.torque", "joint.plunge.force"}


@pytest.mark.parametrize("names, said", [
    ("joint.elbow.positoin", "did you mean 'joint.elbow.position'?"),
    ("elbow*", "no variable that moves is named like 'elbow*'; forearm inspect lists them"),
    ("link.quill.mass", "'link.quill.mass' is no curve over time but a parameter"),
    (" ,", "--plot-variables names no variable"),
])
def test_a_wrong_name_is_said_before_the_work(names, said, tmp_path):
    message = fails(1 if "mean" in said else 2, "simulate", robot("scara"), "--stop", "1e6", "--plot",
                    tmp_path / "a.svg", "--plot-variables", names)
    assert said in message and not (tmp_path / "a.svg").exists()


def test_a_wrong_ending_and_a_wrong_folder_are_said(tmp_path):
    said = fails(2, "simulate", robot("scara"), "--stop", "1e6", "--plot", tmp_path / "a.pdf")
    assert said == f"forearm: '{tmp_path}/a.pdf' has another ending; a plot's file is named .svg or .png"
    for option in ("--plot", "--html"):
        said = fails(3, "simulate", robot("scara"), "--stop", "1e6", option, tmp_path / "nowhere" / "a.svg")
        assert "there is no folder" in said
    assert "add --plot FILE" in fails(2, "simulate", robot("scara"), "--plot-variables", "*")


def test_a_run_that_fails_draws_the_motion_as_far_as_it_came(tmp_path):
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    (tmp_path / "a.svg").write_text("old")
    (tmp_path / "u.csv").write_text("time,joint.pivot.torque\n0,0\n1,1e300\n")
    fails(4, "simulate", tmp_path / "pendulum.urdf", "--input", tmp_path / "u.csv", "--stop", "2", "--plot",
          tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().endswith("</svg>\n")
    assert sorted(os.listdir(tmp_path)) == ["a.svg", "pendulum.urdf", "u.csv"]


BOXES = """[...document.querySelectorAll('svg text')].map(t => {
  const r = t.getBoundingClientRect(); return [t.textContent, r.left, r.top, r.right, r.bottom]; })"""
LINES = """[...document.querySelectorAll('svg path')].map(t => {
  const r = t.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })"""


@pytest.mark.skipif(not chromium.PROGRAM, reason="chromium not found")
@pytest.mark.parametrize("name, variables", [("serpenoid", None), ("excavator", None), ("grigorov5", "*"),
                                             ("puma560", "joint.*"), ("patu655_lift_axis", "*")])
def test_no_text_lies_on_another_or_on_a_curve(name, variables, tmp_path):
    ok("simulate", robot(name), "--stop", "0.5", "--plot", tmp_path / "a.svg",
       *(["--plot-variables", variables] if variables else []))
    picture = (tmp_path / "a.svg").read_text().split("?>", 1)[1]
    (tmp_path / "a.html").write_text("<!doctype html><html><body style='margin:0'>" + picture
                                     + "<script>document.documentElement.dataset.firstFrame = 1</script>")
    with chromium.Page(tmp_path / "a.html") as page:
        boxes, lines = page.run(BOXES), page.run(LINES)
        size = page.run("(r => [r.width, r.height])(document.querySelector('svg').getBoundingClientRect())")
    assert len(boxes) > 20 and len(lines) > 1
    slack = 2  # a text's box is higher than its letters
    for i, (text, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1], text
        for other, x1, y1, x2, y2 in boxes[:i]:
            assert x2 <= left or right <= x1 or y2 - slack <= top or bottom - slack <= y1, (text, other)
        for x1, y1, x2, y2 in lines:
            assert x2 <= left or right <= x1 or y2 - slack <= top or bottom - slack <= y1, text
