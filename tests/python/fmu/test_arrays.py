"""FMUs of arrays in FMPy: they move as their scalars do. FMPy never enters configuration mode; what
that does is in tests/fmu/test_arrays.c."""

import json
import re
import subprocess

import fmpy
import numpy as np
import pytest

import check_description as rules
from conftest import FOREARM, ROBOTS, SOURCE
from test_description import description

STOP, STEP = 0.2, 0.01
AXES = {"x": 0, "y": 1, "z": 2, "w": 0, "xx": 0, "yy": 1, "zz": 2, "xy": 3, "xz": 4, "yz": 5}


def simulate(path, kind):
    return fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=STOP, output_interval=STEP,
                             relative_tolerance=1e-6)


def element(arrays, name, seen):
    """The column of a scalar in the arrays' result, by docs/arrays.md, with the next free place."""
    number = re.match(r"([a-z]+)(\d+)\.(.*)", name)
    if name in arrays.dtype.names and not arrays.dtype[name].shape:
        return arrays[name]
    if number:
        return arrays[f"{number[1]}.{number[3]}"][:, int(number[2]) - 1]
    words = name.split(".")
    tries = [words[:1] + words[2:], words[:1] + words[2:-1], words[:-1], [*words[:-1], "position"]]
    array = next(a for a in (".".join(t) for t in tries)
                 if a in arrays.dtype.names and arrays.dtype[a].shape)
    flat = arrays[array].reshape(len(arrays), -1)
    seen[array] = seen.get(array, -1) + 1
    return flat[:, seen[array]]


@pytest.mark.sampled
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_arrays_move_as_their_scalars_do(robot, kind, export):
    options = ("--platforms", "native", "--bare")
    scalars = simulate(export(robot, *options), kind)
    arrays = simulate(export(robot, *options, "--arrays"), kind)
    seen = {}
    for name in scalars.dtype.names:
        one, other = scalars[name], element(arrays, name, seen)
        # FMPy's solver orders the states of both alike, so that even its steps are the same.
        assert np.array_equal(one, other), name
    assert all(count + 1 == np.prod(arrays.dtype[name].shape) for name, count in seen.items())


@pytest.mark.parametrize("name", ["pegs", "ideal_slope"])
def test_snakes_on_real_ground_form_arrays(name, export):
    robot = SOURCE / "tests" / "reference" / "sliding" / "robots" / f"{name}.xml"
    test_arrays_move_as_their_scalars_do(robot, "CoSimulation", export)


def test_start_values_of_arrays_are_taken(export):
    path = export(SOURCE / "resources" / "robots" / "scara.xml", "--arrays", "--platforms", "native")
    q = [0.1, 0.2, 0.05, 0.3]
    result = fmpy.simulate_fmu(str(path), stop_time=0.01, output_interval=0.01,
                               start_values={"joint.initial_position": q})
    assert list(result["joint.position"][0]) == q


def test_arrays_are_refused_for_fmi_2():
    done = subprocess.run([FOREARM, "export", "--fmi", "2", "--arrays", ROBOTS[0]],
                          capture_output=True, text=True)
    assert done.returncode == 2  # asked for what cannot be
    assert "FMI 2.0 has no arrays; leave --arrays out, or give --fmi 3" in done.stderr


# What to replace in a good description of a snake, and a part of the sentence that must follow.
FAULTS = [
    ('causality="structuralParameter"', 'causality="parameter"', "no structural parameter"),
    ('<UInt64 name="links"', '<Int32 name="links"', "no UInt64"),
    ('<Dimension valueReference="1"/>', '<Dimension valueReference="2"/>', "no structural parameter"),
    ('<Dimension valueReference="1"/>', '<Dimension start="9"/>', "start values"),
    ('name="link.mass" ', 'name="link1.mass" ', "counted in its name"),
    ('start="10"', 'start="1"', "below its min"),
]


@pytest.mark.parametrize("old, new, sentence", FAULTS)
def test_a_broken_rule_on_arrays_is_found(old, new, sentence, export):
    path = export(SOURCE / "resources" / "robots" / "serpenoid.xml", "--arrays")
    with rules.zipfile.ZipFile(path) as archive:
        good = archive.read("modelDescription.xml").decode()
    assert old in good
    d = rules.Description(good.replace(old, new, 1))
    assert any(sentence in fault for check in rules.DESCRIPTION_CHECKS for fault in check(d))


def test_a_snake_has_its_links_as_structural_parameter(export):
    d = description(export(SOURCE / "resources" / "robots" / "serpenoid.xml", "--arrays"))
    assert d.named["links"].get("start") == "10" and d.named["links"].get("min") == "2"
    assert all(rules.size_of(d, d.named[name]) == 10 for name in (
        "link.angle", "link.mass", "joint.torque", "wheel.slip", "joint.stop_indicator"))
    assert not d.named["speed"].dimensions


def test_inspect_shows_what_the_fmu_shows(forearm, export):
    path = export(SOURCE / "resources" / "robots" / "serpenoid.xml", "--arrays")
    d = description(path)
    seen = json.loads(forearm("inspect", "--json", path))["variables"]
    assert [v["name"] for v in seen] == [v.name for v in d.variables]
    for v in seen:
        size = rules.size_of(d, d.named[v["name"]])
        assert np.prod(v["dimensions"], dtype=int) == size
        starts = v["start"] if isinstance(v["start"], list) else [v["start"]]
        given = d.named[v["name"]].numbers("start")
        assert starts == (given * size if len(given) == 1 else given or [None])
    text = forearm("inspect", path)
    assert "\nlink.mass[links] " in text and "\nspeed " in text
