"""The page of `forearm simulate --html` in a real browser: the robot is there and moves, buttons and
keys work, nothing is complained of."""

import json
import re
import shutil

import numpy
import pytest

import chromium
from cli import ROBOTS, fails, ok, robot, run
from conftest import SOURCE

HAS_VIEWER = b"built without the viewer" not in run("simulate", ROBOTS[0], "--html", "/dev/null/x").stderr

pytestmark = [
    pytest.mark.skipif(not chromium.PROGRAM, reason="chromium not found"),
    pytest.mark.skipif(not HAS_VIEWER, reason="this program was built without npm"),
]

MECHANISMS = SOURCE / "tests" / "mechanisms" / "robots"

# Seven joints in a row, each a rod, so that the page has the size of an ordinary arm's.
SEVEN = "<arm name='seven' convention='standard' gravity='3 4 -9'>" + "".join(
    f"<joint name='j{i}' type='revolute' alpha='{1.5707963 * (-1) ** i}' d='0.2'><friction viscous='0.3'/>"
    f"<link name='l{i}' mass='{3 - 0.3 * i}' com='0 0 -0.1' inertia='0.01 0.01 0.005 0 0 0'/></joint>"
    for i in range(1, 8)) + "</arm>"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "seven.xml").write_text(SEVEN)
    assert ok("simulate", folder / "seven.xml", "--stop", "10", "--html", folder / "report.html") == ""
    return folder / "report.html"


def data(path):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(),
                                re.DOTALL)[1])


def background(picture):
    values, counts = numpy.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    return values[counts.argmax()]


def robot_pixels(picture):
    """Where something is drawn that is neither sky nor the grey lines of the ground."""
    colours = picture.astype(int)
    return (colours.max(axis=2) - colours.min(axis=2) > 25).sum()


def test_ten_seconds_of_seven_joints_take_less_than_a_megabyte(report):
    assert report.stat().st_size < 1_000_000
    page = data(report)
    assert page["rows"] == 1001 and len(page["links"]) == 8
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", report.read_text())  # no network


@pytest.mark.parametrize("dark", [False, True])
def test_the_robot_is_seen_moving_and_nothing_is_complained_of(report, dark, capsys):
    with chromium.Page(report, dark=dark, fragment="#t=0.5") as page:
        first = page.picture("#scene")
        assert robot_pixels(first) > 500
        assert (background(first).mean() < 80) == dark
        page.run("document.getElementById('time').value = 2.5;"
                 "document.getElementById('time').dispatchEvent(new Event('input'))")
        second = page.picture("#scene")
        assert robot_pixels(second) > 500
        assert (numpy.abs(first.astype(int) - second).max(axis=2) > 30).sum() > 300
        assert page.run("document.getElementById('clock').textContent") == "2.500 s"
        assert page.said == []
        with capsys.disabled():
            print(f" first frame after {page.run('document.documentElement.dataset.firstFrame')} ms", end="")


@pytest.mark.parametrize("robot, drawn", [("satellite", 300), ("planar_cart", 20)])  # the latter is one thin rod
def test_joints_of_several_freedoms_are_seen_moving(robot, drawn, tmp_path):
    start = (["--set", "joint.body.initial_angular_velocity.z=1", "--set", "joint.body.initial_velocity.x=0.3"]
             if robot == "satellite" else ["--set", "joint.glide.initial_velocity.x=0.5"])
    with chromium.Page(mechanism(robot, "3", tmp_path / "page.html", *start), fragment="#t=0") as page:
        first = page.picture("#scene")
        page.run("document.getElementById('time').value = 2.5;"
                 "document.getElementById('time').dispatchEvent(new Event('input'))")
        second = page.picture("#scene")
        assert robot_pixels(first) > drawn
        assert (numpy.abs(first.astype(int) - second).max(axis=2) > 30).sum() > drawn
        assert page.said == []


def mechanism(name, stop, page, *more):
    side = MECHANISMS / f"{name}.mechanism.xml"
    ok("simulate", MECHANISMS / f"{name}.urdf", *(["--actuators", side] if side.exists() else []), "--stop", stop, *more,
       "--html", page)
    return page


def test_the_ends_of_loops_stay_together_and_springs_are_as_long_as_they_are(tmp_path):
    """Positions of the picture, in single precision, against variables of the run."""
    with chromium.Page(mechanism("andrews", "0.03", tmp_path / "page.html"), fragment="#t=0.02") as page:
        apart = page.run("forearm.stage.robot.lines.map(({balls: [a, b]}) => a.position.distanceTo(b.position))")
        types = [line["type"] for line in data(tmp_path / "page.html")["lines"]]
        assert types == ["revolute"] * 3 + ["spring"]
        assert max(apart[:3]) < 1e-6
        length = page.run("(run => run.column.get('line_spring.spring.length').values[run.time.findIndex(t => t >= 0.02)])"
                          "(forearm.run)")
        assert apart[3] == pytest.approx(length, abs=1e-6)
        assert page.said == []


def test_a_contact_is_red_while_it_touches_and_obstacles_stand_in_the_picture(tmp_path):
    def red(picture):
        r, g, b = numpy.moveaxis(picture.astype(int), 2, 0)
        return ((r > 1.6 * g) & (r > 1.6 * b) & (r > 90)).sum()

    with chromium.Page(mechanism("bouncing_ball", "1", tmp_path / "page.html")) as page:
        column = "(c => Array.from(c.values))(forearm.run.column.get('contact.{}.touching'))"
        name = data(tmp_path / "page.html")["contacts"][0]["name"]
        touching = page.run(column.format(name))
        time = page.run("Array.from(forearm.run.time)")
        assert 0 < sum(touching) < len(touching)
        for state in (0, 1):
            page.run(f"forearm.show({time[touching.index(state)]} + 1e-6)")
            assert (red(page.picture("#scene")) > 30) == (state == 1)
        assert page.said == []
    with chromium.Page(mechanism("ball_on_box", "0.1", tmp_path / "page.html")) as page:
        assert page.run("forearm.stage.robot.obstacles.children.length") == 1
        box = page.run("(b => [b.geometry.parameters.width, b.position.toArray()])(forearm.stage.robot.obstacles.children[0])")
        said = data(tmp_path / "page.html")["obstacles"][0]
        assert box == [said["size"][0], said["frame"][9:]]
        assert page.said == []


def test_the_ground_of_contacts_is_where_the_file_has_it(tmp_path):
    """A slope through a point that is not the origin: corners of the grid lie in its plane."""
    robot = tmp_path / "ball.xml"
    robot.write_text("""<arm name="ball" convention="standard" gravity="0 0 -9.81">
      <joint name="free" type="floating">
      <initial position="0 0 0.4" quaternion="1 0 0 0"/>
      <link name="ball" mass="1" com="0 0 0" inertia="0.004 0.004 0.004 0 0 0"/></joint>
      <ground point="0.1 0 0.2" normal="0.6 0 0.8"/>
      <contact name="skin" link="ball" shape="sphere" radius="0.1" stiffness="1e5"/></arm>""")
    ok("simulate", robot, "--stop", "0.1", "--html", tmp_path / "page.html")
    with chromium.Page(tmp_path / "page.html") as page:
        corners = page.run("[[20, 20, 0], [-20, 20, 0], [7, -20, 0]].map(([x, y, z]) => {"
                           "const grid = forearm.stage.grid; grid.updateMatrixWorld();"
                           "return grid.position.clone().set(x, y, z).applyMatrix4(grid.matrixWorld).toArray(); })")
        for x, y, z in corners:
            assert 0.6 * (x - 0.1) + 0.8 * (z - 0.2) == pytest.approx(0, abs=1e-9)
        assert page.said == []


@pytest.mark.parametrize("width, height", [(350, 225), (195, 422)])
def test_the_motion_fills_three_quarters_of_the_binding_side(width, height, tmp_path):
    """The arm falls without turning back, so that few moments show its extent."""
    path = tmp_path / "page.html"
    ok("simulate", robot("puma560"), "--stop", "0.4", "--html", path)
    with chromium.Page(path) as page:
        page.run("document.querySelectorAll('main > section:not(#stage)').forEach((s) => { s.hidden = true; });"
                 f"(c => {{ c.style.width = '{width}px'; c.style.height = '{height}px'; }})(document.getElementById('scene'))")
        page.wait(f"document.getElementById('scene').clientHeight === {height} && "
                  f"Math.abs(forearm.stage.camera.aspect - {width} / {height}) < 0.01")
        seen = False
        for moment in range(9):  # the robot alone on nothing
            page.run("forearm.stage.grid.visible = false; forearm.stage.scene.background.set('#ff00ff');"
                     f"forearm.show(0.05 * {moment})")
            picture = page.picture("#scene").astype(int)[:, :, :3]
            seen = seen | ~((picture[:, :, 0] > 200) & (picture[:, :, 1] < 60) & (picture[:, :, 2] > 200))
        seen = seen[4:-4, 4:-4]  # the canvas has round corners
        columns, rows = numpy.flatnonzero(seen.any(axis=0)), numpy.flatnonzero(seen.any(axis=1))
        sides = [(columns, seen.shape[1]), (rows, seen.shape[0])]
        assert 0.74 < max((numpy.ptp(hit) + 1) / (n + 8) for hit, n in sides) < 0.78
        for hit, n in sides:
            assert abs(hit[0] - (n - 1 - hit[-1])) < 0.02 * n


def test_buttons_lists_and_keys_do_what_they_say(report):
    with chromium.Page(report) as page:
        def time():
            return float(page.run("document.getElementById('time').value"))

        page.run("document.getElementById('speed').value = '5'; document.getElementById('play').click()")
        assert page.run("document.getElementById('play').textContent") == "Pause"
        page.wait("Number(document.getElementById('time').value) > 0.3")
        page.press(" ")  # pauses
        page.wait("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
        page.press("Home")
        assert time() == 0
        page.press("ArrowRight")
        page.press("ArrowRight", shift=True)
        assert time() == pytest.approx(0.11)
        page.press("End")
        assert time() == 10
        before = page.picture("#scene")
        for view in ("top", "side"):
            page.run(f"document.getElementById('view').value = '{view}';"
                     "document.getElementById('view').dispatchEvent(new Event('change'))")
            assert robot_pixels(page.picture("#scene")) > 300
        assert (page.picture("#scene") != before).any()
        plots = "document.querySelectorAll('.plot').length"
        count = page.run(plots)
        page.run("document.getElementById('new-plot').click()")
        assert page.run(plots) == count + 1
        page.run("(s => { s.value = 'tip.x'; s.dispatchEvent(new Event('change')); })"
                 "([...document.querySelectorAll('.plot select')].pop())")
        assert page.run("[...document.querySelectorAll('.chip')].pop().textContent") == "tip.x"
        page.run("[...document.querySelectorAll('.chip')].pop().click()")
        assert page.run("[...document.querySelectorAll('.plot')].pop().querySelectorAll('.chip').length") == 0
        page.run("document.getElementById('theme').click()")
        assert page.run("document.documentElement.dataset.theme") == "dark"
        assert page.said == []


def test_every_control_has_a_name_for_screen_readers(report):
    with chromium.Page(report) as page:
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        controls = [node for node in nodes if not node.get("ignored") and node["role"]["value"] in
                    ("button", "slider", "combobox", "checkbox", "image", "img", "region")]
        assert len(controls) > 20
        assert all(node["name"]["value"] for node in controls)


def test_keys_play_wherever_the_focus_is_but_for_keys_that_it_takes_itself(report):
    with chromium.Page(report) as page:
        def time():
            return float(page.run("document.getElementById('time').value"))

        for focus, want in (("play", 0.01), ("time", 0.02), ("frames", 0.03), ("scene", 0.04)):
            page.run(f"document.getElementById('{focus}').focus()")
            page.press("ArrowRight")
            assert time() == pytest.approx(want), focus
        page.run("document.getElementById('frames').focus()")
        page.press(" ")  # ticks the box, and does not play
        assert page.run("document.getElementById('play').textContent") == "Play"
        page.run("document.getElementById('view').focus()")
        page.press("End")
        assert time() == pytest.approx(0.04)
        assert page.said == []


def test_down_is_down_and_all_of_the_robot_is_seen(tmp_path):
    robots = SOURCE / "resources" / "robots"
    # The pendulum's gravity is along -y, the arm's along z: it hangs.
    for robot, start, depth in (("double_pendulum", "joint.shoulder.initial_position=-1.5707963267948966", -1.0),
                                ("cmu_dd_arm", "joint.joint1.initial_position=0", None)):
        ok("simulate", robots / f"{robot}.xml", "--stop", "0.5", "--set", start, "--html", tmp_path / "x.html")
        with chromium.Page(tmp_path / "x.html") as page:
            last = page.run("forearm.stage.robot.links.at(-1).group.matrixWorld.elements[14]")
            assert last == pytest.approx(depth, abs=1e-6) if depth else last < -1
            picture = page.picture("#scene")
            border = numpy.concatenate([picture[:3].reshape(-1, 3), picture[-3:].reshape(-1, 3),
                                        picture[:, :3].reshape(-1, 3), picture[:, -3:].reshape(-1, 3)])
            assert robot_pixels(picture) > 500 and robot_pixels(border[None]) == 0
            page.run("document.getElementById('view').value = 'front';"
                     "document.getElementById('view').dispatchEvent(new Event('change'))")
            assert robot_pixels(page.picture("#scene")[:3]) == 0
            assert page.said == []


def test_cylinders_of_a_crane_are_drawn_as_long_as_they_are(tmp_path):
    ok("simulate", SOURCE / "resources" / "robots" / "excavator.xml", "--stop", "0.3", "--html", tmp_path / "x.html")
    with chromium.Page(tmp_path / "x.html") as page:
        for t in (0, 0.1, 0.3):
            drawn = page.run(f"forearm.show({t}), Object.fromEntries(forearm.stage.robot.cylinders.map(c => [c.name, c.length]))")
            row = page.run(f"forearm.run.time.findIndex(t => Math.abs(t - {t}) < 1e-6)")
            assert set(drawn) == {"boom_right", "boom_left", "arm", "bucket"}
            for name, length in drawn.items():  # the bucket's pushes through a four-bar linkage
                want = page.run(f"forearm.run.column.get('cylinder.{name}.length').values[{row}]")
                assert length == pytest.approx(want, abs=2e-6), name  # of angles and lengths as floats of 4 bytes
        colours = page.picture("#scene").astype(int)
        barrel = (colours[:, :, 1] - colours[:, :, 0] > 30) & (abs(colours[:, :, 1] - colours[:, :, 2]) < 30)
        assert barrel.sum() > 100
        assert page.said == []


def test_what_does_not_change_is_in_the_middle_of_its_plot(tmp_path):
    ok("simulate", SOURCE / "resources" / "robots" / "cmu_dd_arm.xml", "--stop", "0.1", "--html", tmp_path / "x.html")
    with chromium.Page(tmp_path / "x.html") as page:
        assert page.run("(s => [s.min, s.max])(forearm.plots.plots[0].chart.scales.y)") == [-1, 1]


def test_zooming_one_plot_zooms_all(report):
    with chromium.Page(report) as page:
        x, y, width, height = page.run("(r => [r.x, r.y, r.width, r.height])"
                                       "(document.querySelector('.u-over').getBoundingClientRect())")
        for kind, part in (("mousePressed", 0.2), ("mouseMoved", 0.4), ("mouseMoved", 0.6), ("mouseReleased", 0.6)):
            page.call("Input.dispatchMouseEvent", type=kind, x=x + part * width, y=y + height / 2, button="left",
                      buttons=1, clickCount=1)
        page.run("new Promise(resolve => setTimeout(resolve, 300))")
        ranges = page.run("[...document.querySelectorAll('.plot')].map(p => [+p.dataset.from, +p.dataset.to])")
        assert len(ranges) >= 3 and all(one == ranges[0] for one in ranges)
        assert ranges[0] == pytest.approx([2, 6], abs=0.1)  # a pixel is some 20 ms
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=x + 9, y=y + 9, button="left", clickCount=2)
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 9, y=y + 9, button="left", clickCount=2)
        page.wait("[...document.querySelectorAll('.plot')].every(p => p.dataset.from == 0 && p.dataset.to == 10)")
        assert page.said == []


@pytest.mark.parametrize("robot", ["tavakoli_nia", "scara"])
def test_snakes_and_sliders_are_drawn(tmp_path, robot):
    ok("simulate", SOURCE / "resources" / "robots" / f"{robot}.xml", "--stop", "1", "--html", tmp_path / "x.html")
    with chromium.Page(tmp_path / "x.html", fragment="#t=0.4") as page:
        assert robot_pixels(page.picture("#scene")) > 500
        assert page.said == []


URDF = """<robot name="&lt;/script&gt;"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="ground"><visual><geometry><box size="1 1 0.1"/></geometry></visual></link>
<link name="bob"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 -1"/><geometry><mesh filename="package://toy/meshes/ball.stl" scale="0.4 0.4 0.4"/></geometry>
<material name="red"/></visual>
<visual><origin xyz="0 0 -0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></visual>
<visual><geometry><mesh filename="package://toy/meshes/lost.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://toy/meshes/ball.dae"/></geometry></visual></link>
<joint name="pivot" type="continuous"><parent link="ground"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>
"""


def test_shapes_and_colours_of_a_urdf_are_shown_and_what_is_not_is_told(tmp_path):
    (tmp_path / "toy" / "urdf").mkdir(parents=True)
    (tmp_path / "toy" / "meshes").mkdir()
    (tmp_path / "toy" / "urdf" / "toy.urdf").write_text(URDF)
    corners = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)]
    triangles = [(a, b, (0, 0, s)) for s in (1, -1) for a, b in zip(corners, corners[1:] + corners[:1])]
    (tmp_path / "toy" / "meshes" / "ball.stl").write_text("solid ball\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle) +
        "endloop\nendfacet\n" for triangle in triangles) + "endsolid\n")
    done = run("simulate", tmp_path / "toy" / "urdf" / "toy.urdf", "--stop", "1", "--html", tmp_path / "x.html",
               "--set", "joint.pivot.initial_position=1")
    assert done.returncode == 0 and done.stderr.decode().endswith(
        "warning: the mesh 'package://toy/meshes/lost.stl' is not drawn: the file is not there; nor are 1 others\n")
    shapes = data(tmp_path / "x.html")["links"][1]["shapes"]
    assert [shape["kind"] for shape in shapes] == ["mesh", "cylinder"]
    assert shapes[0]["colour"] == [1, 0, 0]
    with chromium.Page(tmp_path / "x.html") as page:
        picture = page.picture("#scene").astype(int)
        red = (picture[:, :, 0] > 120) & (picture[:, :, 1] < 70) & (picture[:, :, 2] < 70)
        assert red.sum() > 200
        assert page.run("document.title") == "</script> – Forearm"
        assert page.said == []


def test_the_policy_lets_nothing_run_but_the_page_s_own_program(report, tmp_path):
    text = report.read_text()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    # What somebody has slipped in is refused, by the browser, and by it alone.
    (tmp_path / "hostile.html").write_text(text.replace(
        "<main>", "<main><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
                  "<p id='styled' style='color: red'>"))
    with chromium.Page(tmp_path / "hostile.html") as page:
        assert page.run("document.title") != "taken"
        said = json.dumps(page.said)
        assert said.count("Content Security Policy") >= 3, said


def test_a_long_run_is_thinned_and_its_last_line_kept(tmp_path):
    ok("simulate", SOURCE / "resources" / "robots" / "double_pendulum.xml", "--stop", "10", "--step", "0.001",
       "--html", tmp_path / "x.html", "-o", tmp_path / "x.csv")
    page = data(tmp_path / "x.html")
    assert 3000 < page["rows"] <= 4001
    assert ["on this page", "every 3. line of 10001"] in page["facts"]
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert len(lines) == 10002
    import base64
    values = numpy.frombuffer(base64.b64decode(page["values"]), "<f4").reshape(len(page["columns"]), page["rows"])
    last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
    for column, series in zip(page["columns"], values):
        assert series[-1] == numpy.float32(last[column["name"]])


def test_a_page_that_cannot_be_written_leaves_what_was_there(tmp_path):
    old = tmp_path / "x.html"
    old.write_text("old")
    arm = SOURCE / "resources" / "robots" / "double_pendulum.xml"
    assert "cannot" in fails(3, "simulate", arm, "--html", tmp_path / "no" / "x.html")
    shutil.copy(old, tmp_path / "y.html")
    ok("simulate", arm, "--stop", "0.1", "--html", tmp_path / "y.html")
    assert old.read_text() == "old" and "double_pendulum" in (tmp_path / "y.html").read_text()


def test_a_circuit_is_seen_in_the_colours_of_its_pressures_and_its_energies_add_up(tmp_path):
    """Colours over time, the picture's own accounts, and nothing that the page's policy refuses."""
    crane = SOURCE / "examples" / "circuits" / "patu655"
    ok("simulate", f"{crane}.xml", "--input", f"{crane}.csv", "--interpolate", "linear", "--outputs", "energy", "--step", "0.02",
       "--stop", "3", "-o", tmp_path / "crane.csv", "--html", tmp_path / "crane.html")
    node = data(tmp_path / "crane.html")["circuit"]["pressures"].index("node.P.pressure")
    with chromium.Page(tmp_path / "crane.html", fragment="#t=0.4") as page:
        colour = f"getComputedStyle(document.querySelector('#circuit [data-node=\"{node}\"]')).stroke"
        idle = page.run(colour)
        page.run("forearm.show(2)")
        assert page.run(colour) != idle
        assert "bar" in page.run(f"document.querySelector('#circuit [data-node=\"{node}\"] title').textContent")
        flows = page.run("forearm.circuit.flows(3)")
        totals = [sum(flow["energy"] for flow in flows[side]) for side in ("sources", "sinks")]
        with open(tmp_path / "crane.csv", encoding="utf-8") as lines:
            names, *_, last = [line.strip().split(",") for line in lines]
        # The accounts of the run, in single precision on the page.
        assert totals[0] == pytest.approx(float(last[names.index("circuit.supplied_energy")]), rel=1e-5)
        assert totals[1] == pytest.approx(totals[0], rel=1e-5)
        lost = {flow["name"]: flow["energy"] for flow in flows["sinks"] if flow.get("loss")}
        assert lost["lost in valve lift"] > 0.3 * sum(lost.values())
        assert lost.get("lost elsewhere", 0) < 0.3 * sum(lost.values())
        assert "lost in valve lift" in page.run("document.getElementById('sankey').textContent")
        assert page.said == []
