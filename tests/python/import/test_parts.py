"""`forearm parts` as people meet it: the table, the JSON, an arm with new masses."""

import json

from cli import fails, ok
from conftest import SOURCE

PARTS = SOURCE / "resources" / "parts" / "cmu_dd_arm.xml"
ARM = SOURCE / "resources" / "robots" / "cmu_dd_arm.xml"


def test_the_table_shows_links_parts_and_sections_with_the_total():
    lines = ok("parts", PARTS).splitlines()
    assert lines[2].split()[:4] == ["what", "made", "of", "mass"]
    assert lines[4].split()[:5] == ["part", "shoulder", "-", "76.9203", "0"]
    assert lines[5].split()[:3] == ["tube", "aluminium_6061", "16.286"]
    assert lines[-1] == "all links together: 120.292 kg"


def test_what_a_thing_weighs_is_the_sum_of_what_it_consists_of():
    def check(thing):
        if not thing["of"]:
            return
        assert abs(sum(part["mass"] for part in thing["of"]) - thing["mass"]) < 1e-14 * thing["mass"]
        for part in thing["of"]:
            check(part)

    links = json.loads(ok("parts", PARTS, "--json"))["links"]
    assert [link["name"] for link in links] == [f"link{i}" for i in range(1, 7)]
    assert links[4]["of"][0]["of"][2]["kind"] == "hemisphere"
    for link in links:
        check(link)


def test_an_arm_is_rewritten_in_place_or_left_alone(tmp_path):
    arm = tmp_path / "arm.xml"
    arm.write_bytes(ARM.read_bytes())
    assert ok("parts", PARTS, "--arm", arm, "-o", arm) == ""
    assert arm.read_text() == ok("parts", PARTS, "--arm", ARM)
    assert ok("parts", PARTS, "--arm", arm) == arm.read_text()  # once more changes nothing
    before = arm.read_text()
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(PARTS.read_text().replace('link name="link6"', 'link name="hand"'))
    assert fails(1, "parts", wrong, "--arm", arm, "-o", arm).endswith(
        f"link 'hand' is not in the arm '{arm}'; use the names that it has there")
    assert arm.read_text() == before


def test_out_without_an_arm_is_told():
    assert fails(2, "parts", PARTS, "-o", "x") == \
        "forearm: --out is for the arm that --arm names; give both"
