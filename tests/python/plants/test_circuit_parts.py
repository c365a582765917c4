"""Named parts of circuits: every row makes a circuit that runs, with its numbers; what the file says counts before them."""

import json
import xml.etree.ElementTree as tree

import pytest

from cli import ok, run
from conftest import SOURCE

KINDS = {"pump": 'control="fixed" out="P" tank="T" speed="150"', "counterbalance": 'valve="P" load="A" pilot="X" setting="2e7"',
         "accumulator": 'node="P" precharge="5e6" start="1e-5"', "hydraulic-motor": 'joint="turn" a="P" b="A" case="T"', "valve-section": 'p="P" t="T" a="A" b="X"'}
ELEMENT = {"valve-section": "valve"}  # what a file calls it
ROWS = [row for row in tree.parse(SOURCE / "resources" / "parts" / "drives.xml").getroot() if row.tag in KINDS]
CIRCUIT = """<arm name="parts" convention="modified" gravity="0 0 -9.81">
  <joint name="turn" type="revolute"><link name="body" mass="100" inertia="10 10 10 0 0 0"/></joint>
  <circuit>
    <oil bulk-modulus="1.5e9"/>
    <tank name="T" pressure="1.5e5"/>
    <volume name="P" volume="2e-3" start="6e6"/><volume name="A" volume="1e-3" start="3e6"/><volume name="X" volume="1e-3"/>
    <orifice name="leak" from="P" to="T" nominal-flow="1e-3" nominal-drop="1e7"/>
    <orifice name="join" from="A" to="X" nominal-flow="1e-4" nominal-drop="1e6"/>
    <orifice name="back" from="X" to="T" nominal-flow="1e-4" nominal-drop="1e6"/>
    <{kind} name="it" part="{part}" {more}/>
  </circuit>
</arm>"""


def numbers_of(kind, part, tmp_path, more=""):
    path = tmp_path / "parts.xml"
    element = ELEMENT.get(kind, kind)
    path.write_text(CIRCUIT.format(kind=element, part=part, more=KINDS[kind] + " " + more))
    shown = json.loads(ok("inspect", "--json", path))
    start = f"{element.replace('-', '_')}.it."
    return path, {v["name"][len(start):]: v["start"] for v in shown["variables"] if v["name"].startswith(start) and "start" in v}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.tag}-{row.get('name')}")
def test_every_row_makes_a_circuit_that_runs(row, tmp_path):
    assert len(row.get("source")) > 20  # where the numbers come from
    path, numbers = numbers_of(row.tag, row.get("name"), tmp_path)
    for attribute, value in row.attrib.items():
        if attribute not in ("name", "source"):
            name = "shell_volume" if (row.tag, attribute) == ("accumulator", "volume") else attribute.replace("-", "_")
            assert numbers[name] == float(value), attribute
    for edge in row:
        for name in ("spool", "flow"):
            for i, value in enumerate(edge.get(name).split(), 1):
                assert numbers[f"{edge.get('name')}_{name}[{i}]"] == float(value)
        assert numbers[f"{edge.get('name')}_drop"] == float(edge.get("drop"))
    done = run("simulate", path, "--stop", "0.2")
    assert done.returncode == 0, done.stderr


def test_what_the_file_says_counts_before_the_part(tmp_path):
    _, numbers = numbers_of("counterbalance", "CBCA", tmp_path, 'ratio="4" range="4e6"')
    assert numbers["ratio"] == 4 and numbers["range"] == 4e6 and numbers["nominal_flow"] == 1e-3
    assert numbers["back_factor"] == 5  # 1 + the ratio that counts


def test_an_edge_of_the_file_takes_the_place_of_the_named_section_s(tmp_path):
    path = tmp_path / "parts.xml"
    text = CIRCUIT.format(kind="valve", part="section-40", more=KINDS["valve-section"] + ' bandwidth="6" compensator="pre"')
    path.write_text(text.replace('compensator="pre"/>', 'compensator="pre"><edge name="bt" spool="0 1" flow="0 1e-4" drop="2e6"/></valve>'))
    numbers = {v["name"]: v.get("start") for v in json.loads(ok("inspect", "--json", path))["variables"]}
    assert numbers["valve.it.bandwidth"] == 6 and numbers["valve.it.damping"] == 0.8
    assert numbers["valve.it.bt_flow[2]"] == 1e-4 and "valve.it.bt_flow[3]" not in numbers
    assert numbers["valve.it.pa_flow[4]"] == 6.667e-4 and numbers["valve.it.compensator_drop"] == 8e5
    assert "valve.it.pt_flow[1]" not in numbers  # no edge that neither says


def test_a_valve_of_a_cylinder_is_no_section(tmp_path):
    path = tmp_path / "parts.xml"
    path.write_text(CIRCUIT.format(kind="valve", part="section-4", more=KINDS["valve-section"]))
    done = run("check", path)
    assert done.returncode != 0
    assert "no valve-section 'section-4' among the parts" in done.stderr.decode()
    path.write_text(CIRCUIT.format(kind="valve", part="patu655-lift-valve", more=KINDS["valve-section"]))
    assert run("check", path).returncode != 0
