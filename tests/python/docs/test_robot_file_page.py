"""docs/robot-file.md: its example is a robot, and its tables hold the names that FMUs have."""

import json
import re

import pytest


@pytest.fixture(scope="module")
def page(source):
    return (source / "docs" / "robot-file.md").read_text()


@pytest.fixture(scope="module")
def example(page):
    (text,) = re.findall(r"```xml\n(<arm .*?</arm>)\n```", page, re.DOTALL)
    return text


# Everything that an arm's FMU has a name for and the example of the page leaves out.
REST = """
  <joint name="slide" type="prismatic">
    <link name="sledge" mass="1" inertia="1 1 1 0 0 0" wrench="true"/>
  </joint>
  <tip"""


def family(name):
    """joint.elbow.position as joint.<j>.position; x stands for y and z, xx for the other moments."""
    name = re.sub(r"^joint\.[^.]+", "joint.<j>", name)
    name = re.sub(r"^link\.[^.]+", "link.<l>", name)
    name = re.sub(r"^mass_matrix\..*", "mass_matrix.<j>.<k>", name)
    name = re.sub(r"^(tip\.jacobian\.\w+)\..*", r"\1.x.<j>", name)
    name = re.sub(r"\.[xyz]$", ".x", name)
    name = re.sub(r"\.(xx|yy|zz|xy|xz|yz)$", ".xx", name)
    return re.sub(r"(quaternion)\.[wxyz]$", r"\1.x", name)


def documented(page, known):
    """Names in the first cells of the tables; .velocity after joint.<j>.position is completed."""
    names = set()
    for row in re.findall(r"^\| (`.*?) \|", page.split("## Names in the FMU")[1], re.MULTILINE):
        previous = first = None
        for word in re.findall(r"`([^`]+)`", row):
            if word.startswith("."):
                choices = [stem.rsplit(".", 1)[0] + word for stem in (first, previous)]
                word = next((name for name in choices if family(name) in known), choices[0])
            else:
                first = word
            previous = word
            names.add(family(word))
    return names


def test_the_example_is_an_arm_without_a_warning(example, forearm, tmp_path):
    path = tmp_path / "example.xml"
    path.write_text(example)
    assert "1 degree" in forearm("check", path, "--strict")


def test_the_tables_are_complete_and_true(page, example, forearm, tmp_path):
    path = tmp_path / "everything.xml"
    path.write_text(example.replace("\n  <tip", REST))
    told = json.loads(forearm("inspect", path, "--json", "--outputs",
                              "reactions,jacobian,mass-matrix,poses,energy"))
    names = {family(variable["name"]) for variable in told["variables"]}
    assert documented(page, names) == names
