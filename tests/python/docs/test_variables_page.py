"""docs/variables.md is what the program says of its variables, and has every variable of every robot.

FOREARM_UPDATE=1 writes the page anew.
"""

import itertools
import os
import re

import pytest
from fmpy import read_model_description

import variables_page
from conftest import ROBOTS, SOURCE

PAGE = SOURCE / "docs" / "variables.md"


@pytest.fixture
def make(forearm, tmp_path):
    """Exports a robot that is given by its XML."""
    count = itertools.count()

    def export(robot, options):
        path = tmp_path / f"robot{next(count)}.xml"
        path.write_text(robot, encoding="utf-8")
        forearm("export", path, "-o", path.with_suffix(".fmu"), "--bare", "--platforms", "native", *options)
        return path.with_suffix(".fmu")

    return export


def test_the_page_is_what_the_program_says(make):
    text = variables_page.page(make)
    if os.environ.get("FOREARM_UPDATE") == "1":
        PAGE.write_text(text, encoding="utf-8")
    stored = PAGE.read_text(encoding="utf-8")
    new, old = set(text.splitlines()), set(stored.splitlines())
    assert stored == text, "\n".join(["docs/variables.md lacks", *sorted(new - old), "and has", *sorted(old - new)])


def patterns(title):
    """(pattern of names, units, causality and variability) of the rows of a section."""
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    rows = []
    for line in re.findall(r"^\| (`.*) \|$", section[1], re.MULTILINE):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        first, *rest = re.findall(r"`([^`]+)`", cells[0])
        names = [first] + [re.sub(r"[._]?[^._]+$", part, first) for part in rest]
        for name in names:
            pattern = re.escape(name).replace("<i>", r"\d+")
            pattern = re.sub(r"<\w>", r"\\w+", pattern)
            rows.append((re.compile(pattern), cells[1].split(" or "), cells[3]))
    return rows


def section_of(robot):
    text = robot.read_text(encoding="utf-8")
    return "Snakes" if "<snake" in text else "Arms" if "<arm" in text else "Hydraulic axes"


CASES = [(robot, section_of(robot), []) for robot in ROBOTS]
CASES += [(robot, "Arms, inverse", ["--kind", "inverse"]) for robot, section, _ in CASES
          if section == "Arms"]


@pytest.mark.parametrize("robot, section, options", CASES, ids=lambda value: getattr(value, "stem", None))
def test_every_variable_of_a_robot_is_on_the_page(robot, section, options, export):
    rows = patterns(section) + (patterns("Arms") if section == "Arms, inverse" else [])
    assert len(rows) > 20
    description = read_model_description(str(export(robot, *options)), validate=False)
    faults = []
    for variable in description.modelVariables:
        unit = variable.unit or getattr(variable.declaredType, "unit", None) or "1"
        unit = {"Int32": "integer", "Boolean": "boolean"}.get(variable.type, unit)
        said = f"{variable.causality}, {variable.variability}"
        if not any(pattern.fullmatch(variable.name) and unit in units and said == causality
                   for pattern, units, causality in rows):
            faults.append(f"{variable.name} [{unit}] {said}")
    assert not faults


def test_a_condition_is_said_in_words():
    every = {(), ("limit",), ("limit", "stop"), ("motor",), ("motor", "coil"), ("motor", "side")}
    said = lambda having: variables_page.condition((), having, every)  # noqa: E731
    assert said(every) == [""]
    assert said({("motor",), ("motor", "coil"), ("motor", "side")}) == ["motor"]
    assert said({("limit",)}) == ["limit, not stop"]
    assert said({("limit", "stop"), ("motor", "coil")}) == ["stop", "coil"]
    assert said(every - {("motor", "side"), ("limit",), ("limit", "stop")}) == ["not limit, not side"]
