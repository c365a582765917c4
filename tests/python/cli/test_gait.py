"""`forearm gait`: speed and cost of settled gaits, and Floquet multipliers, against the golden numbers of
tests/reference/sliding, which two programs that share no code have agreed on.

MAP         1e-6, as the numbers' own note has it: the rate of the positive work has corners, at which no solver stops.
MULTIPLIERS 1e-5 likewise, or ten times what the two programs differ by.
"""

import csv
import io
import json
import math

import numpy as np
import pytest

from cli import fails, ok, run
from conftest import SOURCE
from robot_fmu import RobotFmu

MAP, MULTIPLIERS = 1e-6, 1e-5
FOLDER = SOURCE / "tests" / "reference" / "sliding"
GOLDEN = json.loads((FOLDER / "cost_and_stability.json").read_text())


def robot(name):
    return FOLDER / "robots" / f"{name}.xml"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_map_has_the_golden_speed_work_and_cost():
    for name in ("map_viscous", "map_coulomb"):
        points = [p for p in GOLDEN["map"] if p["robot"].endswith(f"{name}.xml")]
        assert len({p["period"] for p in points}) == 1
        table = "gait.amplitude,gait.shift,gait.frequency\n" + "".join(
            f"{p['amplitude']!r},{p['shift']!r},{p['frequency']!r}\n" for p in points)
        found = rows(ok("gait", robot(name), "--in", "-", "--tolerance", "1e-11", "--periods", points[0]["period"],
                        stdin=table.encode()))
        assert [row["status"] for row in found] == ["done"] * len(points)
        for row, point in zip(found, points):
            if float(row["periods"]) < point["period"]:  # it had settled before: within what settled means
                allowed = 1e-3
            else:
                allowed = MAP
            for value, expected in ((float(row["distance"]) / float(row["duration"]), point["distance_over_duration"]),
                                    (float(row["work"]), point["work"]),
                                    (float(row["cost_of_transport"]), point["cost_of_transport"])):
                assert value == pytest.approx(expected, rel=allowed, abs=MAP)


@pytest.mark.parametrize("name", ["floquet_viscous", "floquet_isotropic"])
def test_multipliers_are_the_golden_ones(name):
    golden = next(s for s in GOLDEN["stability"] if s["robot"].endswith(f"{name}.xml"))
    found = json.loads(ok("gait", robot(name), "--stability", "--json"))["stability"]
    allowed = max(MULTIPLIERS, 10 * golden["agreement"])
    values = [complex(m["re"], m["im"]) for m in found["multipliers"]]
    for re, im in golden["multipliers"]:
        nearest = min(values, key=lambda value: abs(value - complex(re, im)))
        assert abs(nearest - complex(re, im)) <= allowed
        values.remove(nearest)
    assert not values
    assert np.abs(np.array(found["fixed_point"]) - golden["fixed_point"]).max() <= allowed
    assert np.abs(np.array(found["shift_of_x_y_angle"]) - golden["shift_of_x_y_angle"]).max() <= allowed
    assert found["by"] == "tangents" and found["stable"] and not found["heading_included"]
    assert found["periods_to_halve"] == pytest.approx(math.log(2) / -math.log(abs(complex(*golden["multipliers"][0]))))


def test_velocity_dies_out_on_isotropic_ground_as_the_physics_says():
    """m dv/dt = -c v whatever the joints do: two multipliers are exp(-c T / m), turned by what the heading turns."""
    found = json.loads(ok("gait", robot("floquet_isotropic"), "--stability", "--json", "--set", "gait.bias=0.1"))
    expected = math.exp(-0.7 / 0.8 * found["duration"])
    turn = found["stability"]["shift_of_x_y_angle"][2]
    assert abs(turn) > 1e-3  # so that it is a pair
    for sign in (1, -1):
        least = min(abs(complex(m["re"], m["im"]) - expected * complex(math.cos(turn), sign * math.sin(turn)))
                    for m in found["stability"]["multipliers"])
        assert least <= 1e-8  # of the integration, at 1e-11 in a step


STOPPED = """<snake name="stopped" links="3"><every length="0.2" mass="0.8" inertia="0.003"/>
<every-joint limit="0.4"/><ground law="viscous" tangential="0.7" normal="4"/>
<input kind="gait" amplitude="0.5" frequency="4" shift="0.8" stiffness="2" damping="0.02"/></snake>"""


def test_with_joints_at_stops_the_fixed_point_returns_and_so_do_its_neighbours(tmp_path, export):
    """The map of the FMU, by central differences of our own, has the multipliers that the program finds."""
    path = tmp_path / "stopped.xml"
    path.write_text(STOPPED)
    found = json.loads(ok("gait", path, "--stability", "--json"))["stability"]
    assert found["by"] == "differences"
    snake, period = RobotFmu(export(path, "--bare")), math.pi / 2

    def image(z):
        angle, rate = np.concatenate(([0], np.cumsum(z[:2]))), z[6] + np.concatenate(([0], np.cumsum(z[2:4])))
        values = {f"link{k + 1}.initial_angle": angle[k] for k in range(3)}
        values |= {f"link{k + 1}.initial_rate": rate[k] for k in range(3)}
        values |= {"initial_velocity.x": z[4], "initial_velocity.y": z[5], "solver_tolerance": 1e-12}
        with snake.slave(values) as model:
            model.step_to(period)
            a = model.get([f"link{k + 1}.angle" for k in range(3)])
            w = model.get([f"link{k + 1}.rate" for k in range(3)])
            x, y = model.get(["velocity.x", "velocity.y"])
            c, s = math.cos(a[0]), math.sin(a[0])
            return np.array([*np.diff(a), *np.diff(w), c * x + s * y, c * y - s * x, w[0]])

    point = np.array(found["fixed_point"])
    assert np.abs(image(point) - point).max() <= 1e-8  # found within 1e-9, and integrated in other steps
    jacobian = np.array([(image(point + d) - image(point - d)) / 2e-6 for d in 1e-6 * np.eye(7)]).T
    expected = np.sort_complex(np.linalg.eigvals(jacobian))
    values = np.sort_complex([complex(m["re"], m["im"]) for m in found["multipliers"]])
    assert np.abs(values - expected).max() <= 1e-4  # both by differences, across corners


def test_what_a_line_says_is_what_one_gait_says():
    one = json.loads(ok("gait", robot("map_viscous"), "--set", "gait.amplitude=0.4", "--json"))
    line = rows(ok("gait", robot("map_viscous"), "--in", "-", stdin=b"gait.amplitude\n0.2\n0.4\n"))[1]
    assert one["settled"] is True and line["settled"] == "1"
    for name, value in one.items():
        if name not in ("settled", "slip"):
            assert float(line[name]) == value
    assert one["slip"] is None and line["slip"] == ""
    text = ok("gait", robot("map_viscous"), "--set", "gait.amplitude=0.4")
    assert text.splitlines()[-1] == "settled" and "cost_of_transport" in text


def test_period_outputs_of_the_fmu_say_the_same(export):
    """Of the same period: the outputs of the FMU are another reckoning, by events."""
    found = json.loads(ok("gait", robot("map_coulomb"), "--tolerance", "1e-10", "--periods", "3", "--json"))
    snake = RobotFmu(export(robot("map_coulomb"), "--bare"))
    n, shift = 5, 0.8
    phi = [0.5 * math.sin(k * shift) for k in range(n - 1)]
    angle = np.concatenate(([0], np.cumsum(phi)))
    angle -= math.atan2(np.sin(angle).sum(), np.cos(angle).sum())
    values = {f"link{k + 1}.initial_angle": angle[k] for k in range(n)} | {"solver_tolerance": 1e-10}
    with snake.slave(values) as model:
        model.step_to(found["periods"] * found["duration"] + 1e-3)
        for name in ("duration", "distance", "speed", "heading", "work", "net_work", "cost_of_transport"):
            assert model.get([f"period.{name}"])[0] == pytest.approx(found[name], abs=2e-6, rel=2e-6)


def test_a_gait_that_stays_as_it_was_has_settled_and_one_that_has_no_time_has_not():
    few = json.loads(ok("gait", robot("map_viscous"), "--periods", "2", "--json"))
    assert few["periods"] == 2 and few["settled"] is False
    shown = ok("gait", robot("map_viscous"), "--periods", "2")
    assert "not settled: the last two periods differ" in shown


def test_a_start_that_is_said_is_taken():
    straight = ok("gait", robot("map_viscous"), "--periods", "1", "--json", "--set", "link2.initial_angle=0")
    shaped = ok("gait", robot("map_viscous"), "--periods", "1", "--json")
    assert json.loads(straight)["work"] > json.loads(shaped)["work"]  # the servos have to bend it first


def test_wheels_that_slip_less_and_less_crawl_as_ideal_ones(tmp_path):
    """Half the slip speed, half the difference; so both differences extrapolate to none. Of ideal wheels, work and heading come
    from samples, not from states."""
    ground = ["", *(f'<ground law="wheel" slip-speed="{speed}"/>' for speed in (0.0002, 0.0001))]
    found = []
    for i, said in enumerate(ground):
        path = tmp_path / f"wheels_{i}.xml"
        path.write_text(f"""<snake name="wheels" links="4"><every length="0.2" wheel="0.1" mass="0.8" inertia="0.003" grip="20"/>
<every-joint stops="no"/>{said}<input kind="gait" amplitude="0.4" frequency="3" shift="1" stiffness="8" damping="0.5"/></snake>""")
        found.append(json.loads(ok("gait", path, "--periods", "2", "--json")))
    ideal, far, near = found
    for name in ("speed", "work", "net_work", "heading", "turn", "peak_torque", "rms_tracking"):
        # The second order of the slip speed: of what halves, 0.5 to 1 percent.
        assert (near[name] - ideal[name]) / (far[name] - ideal[name]) == pytest.approx(0.5, abs=0.02), name
        assert 2 * near[name] - far[name] == pytest.approx(ideal[name], rel=1e-3), name
    assert 0 < ideal["slip"] < 1
    multipliers = json.loads(ok("gait", tmp_path / "wheels_0.xml", "--stability", "--json"))["stability"]["multipliers"]
    assert len(multipliers) == 5


def test_on_a_slope_the_heading_is_in_and_with_obstacles_the_place(tmp_path):
    slope = json.loads(ok("gait", robot("map_viscous"), "--set", "slope=0.02", "--set", "slope_direction=0.3", "--stability",
                          "--json"))["stability"]
    assert slope["heading_included"] and not slope["place_included"]
    assert len(slope["multipliers"]) == 12
    obstacle = tmp_path / "obstacle.xml"
    obstacle.write_text(robot("map_viscous").read_text().replace(
        "<input", '<contact stiffness="3000"/><peg name="a" x="5" y="3" radius="0.06"/><input'))
    assert "the gait has no motion near by that repeats itself: with patches or obstacles it would have to come back" in (
        fails(4, "gait", obstacle, "--stability", "--periods", "3"))


def test_what_does_not_fit_is_refused(tmp_path):
    assert "it has no gait; give a snake with" in fails(2, "gait", SOURCE / "resources" / "robots" / "puma560.xml")
    assert "gait.frequency is 0, so that no period ends" in fails(2, "gait", robot("map_viscous"), "--set",
                                                                 "gait.frequency=0")
    assert "--json is for one gait" in fails(2, "gait", robot("map_viscous"), "--json", "--in", "-")
    assert "--out takes JSON or a table" in fails(2, "gait", robot("map_viscous"), "--out", tmp_path / "x")
    assert "a study is run by the Python package" in fails(2, "gait", tmp_path / "study.toml")
    long = tmp_path / "long.xml"
    long.write_text(robot("map_viscous").read_text().replace('links="5"', 'links="201"'))
    assert "201 links are too many for a return map" in fails(2, "gait", long, "--stability", "--periods", "1")
    done = run("gait", robot("map_viscous"), "--in", "-", "--periods", "1", stdin=b"gait.frequency\n0\n3\n")
    table = rows(done.stdout.decode())
    assert [row["status"] for row in table] == ["failed", "done"]
    assert "no period ends" in table[0]["message"]
    assert "1 of 2 gaits failed; the result says why" in done.stderr.decode()
