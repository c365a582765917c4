"""scripts/run ends in a page; the picture in the README is one that it makes."""

import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.fixture(scope="module")
def results(source, export, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    robot = source / "resources" / "robots" / "puma560.xml"
    subprocess.run([sys.executable, source / "scripts" / "result" / "page.py", folder,
                    f"{robot}={export(robot, '--stops')}"], check=True)
    return folder


def test_the_page_needs_no_other_file(results):
    page = (results / "index.html").read_text()
    assert "<svg" in page
    assert not re.search(r"\b(src|href)='?\"?https?:", page)


def test_the_table_has_every_sample(results):
    header, *rows = (results / "puma560.csv").read_text().splitlines()
    assert header.startswith("time,joint.waist.position,")
    assert len(rows) == 401


def test_the_picture_in_the_readme_is_this_one(results, source):
    new = (results / "puma560.svg").read_text()
    old = (source / "docs" / "puma560.svg").read_text()
    xml.fromstring(new)
    advice = "copy results/puma560.svg to docs/ after scripts/run"
    assert NUMBER.sub("#", new) == NUMBER.sub("#", old), advice
    # A tenth of a pixel is the last digit written: another processor may round it elsewhere.
    for a, b in zip(NUMBER.findall(new), NUMBER.findall(old)):
        assert abs(float(a) - float(b)) < 0.25, advice
