"""`forearm gait` with a study: a map of gaits, the best of them, a page; whoever runs what, and whenever it is interrupted."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import pytest

from cli import ok
from conftest import SOURCE
from sweeps import ENVIRONMENT, result

parquet = pytest.importorskip("pyarrow.parquet")
FOLDER = SOURCE / "tests" / "reference" / "sliding"
STUDY = """robot = "snake.xml"
periods_most = {periods}
[start]
"solver_tolerance" = 1e-9
[design.of]
"gait.amplitude" = [0.3, 0.6, {last}]
"gait.shift" = {{ from = 0.6, to = 1.0, n = {n} }}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "snake.xml").write_text((FOLDER / "robots" / "map_viscous.xml").read_text())
    return tmp_path


def write(folder, last=0.9, n=2, periods=50, more=""):
    (folder / "map.toml").write_text(STUDY.format(last=last, n=n, periods=periods).replace("[start]", more + "[start]"))
    return folder / "map.toml"


def gait(study, *arguments):
    return subprocess.run([sys.executable, "-m", "forearm", "gait", study, *map(str, arguments)], env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=250)


def test_a_map_has_the_golden_speeds_marks_the_best_and_draws_them(folder):
    done = gait(write(folder), "--workers", "2", "--page", folder / "map.html", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    rows = result(folder / "map").to_dict("records")
    assert said["gaits"] == said["done"] == len(rows) == 6 and said["failed"] == 0
    golden = [p for p in json.loads((FOLDER / "cost_and_stability.json").read_text())["map"] if "viscous" in p["robot"]]
    for point in golden:
        row = next(r for r in rows if (r["gait.amplitude"], r["gait.shift"]) == (point["amplitude"], point["shift"]))
        # What settled means: two periods within a thousandth; the numbers are of the fifth period.
        assert row["distance"] / row["duration"] == pytest.approx(point["distance_over_duration"], rel=2e-3)
        assert row["cost_of_transport"] == pytest.approx(point["cost_of_transport"], rel=2e-3)
    settled = [row for row in rows if row["settled"] == 1]
    assert said["fastest"][0]["run"] == max(settled, key=lambda row: abs(row["speed"]))["run"]
    assert said["cheapest"][0]["run"] == min(settled, key=lambda row: row["cost_of_transport"])["run"]
    front = {row["run"] for row in said["front"]}
    for row in settled:
        better = [o for o in settled if abs(o["speed"]) > abs(row["speed"]) and o["cost_of_transport"] < row["cost_of_transport"]]
        assert (row["run"] in front) == (not better)
    page = (folder / "map.html").read_text()
    for picture in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(picture)
    assert page.count("<rect") == 12 and page.count("<circle") == 2 * len(front) and page.count("<polyline") == len(front)


def test_a_line_of_the_map_is_what_the_program_says_of_that_gait(folder):
    """To the last digit, with more workers as with one, and the larger multiplier beside it."""
    study = write(folder, n=1, more="stability = true\n")
    assert gait(study, "--workers", "1", "-o", folder / "one").returncode == 0
    assert gait(study, "--workers", "3", "-o", folder / "three").returncode == 0
    assert (folder / "one" / "results.parquet").read_bytes() == (folder / "three" / "results.parquet").read_bytes()
    row = result(folder / "one").to_dict("records")[1]
    alone = json.loads(ok("gait", folder / "snake.xml", "--json", "--stability", "--set", "solver_tolerance=1e-9", "--set",
                          "gait.amplitude=0.6", "--set", "gait.shift=0.6"))
    assert row["speed"] == alone["speed"] and row["work"] == alone["work"] and row["settled"] == alone["settled"]
    assert row["slowest"] == alone["stability"]["slowest"] and row["stable"] == 1


def test_an_interrupted_map_goes_on_where_it_was(folder):
    study = write(folder, n=8)
    process = subprocess.Popen([sys.executable, "-m", "forearm", "gait", study, "--workers", "1"], env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    parts = folder / "map" / "parts"
    while process.poll() is None and not any(parts.glob("*.parquet")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate()
    whole = (folder / "map" / "results.parquet").exists()
    kept = 24 if whole else sum(parquet.read_metadata(path).num_rows for path in parts.glob("*.parquet"))
    again = gait(study, "--workers", "2", "--json")
    assert again.returncode == 0, again.stderr
    assert 0 < kept and json.loads(again.stdout)["done"] == 24 - kept
    assert gait(study, "--workers", "2", "-o", folder / "whole").returncode == 0
    assert (folder / "map" / "results.parquet").read_bytes() == (folder / "whole" / "results.parquet").read_bytes()


@pytest.mark.parametrize("old, new, sentence", [
    ("periods_most = 50", "periods_most = 0", "'periods_most' is 0; it must be a whole number above zero"),
    ("periods_most = 50", 'stability = "yes"', "'stability' is 'yes'; it must be true or false"),
    ("periods_most = 50", "stop = 3", "there is no key 'stop' in a study"),
    ("gait.shift", "gait.drift", "the FMU has no variable 'gait.drift'; did you mean 'gait.shift'?"),
    ('robot = "snake.xml"', "", "'robot' is not there; say the robot file"),
])
def test_what_is_wrong_is_told_with_its_place(folder, old, new, sentence):
    study = write(folder)
    study.write_text(study.read_text().replace(old, new))
    done = gait(study)
    assert done.returncode == 1 and sentence in done.stderr
    assert re.match(rf"(forearm: )?{re.escape(os.fspath(study))}(:\d+:\d+)?: ", done.stderr)


def test_a_robot_without_a_gait_is_refused_before_anything_runs(folder):
    study = write(folder)
    study.write_text(study.read_text().replace('"snake.xml"', f'"{SOURCE / "resources" / "robots" / "double_pendulum.xml"}"')
                     .replace("gait.amplitude", "payload.mass").replace('"gait.shift" = ', '"gravity.y" = '))
    done = gait(study)
    assert done.returncode == 1 and "it has no gait; give a snake with" in done.stderr
    assert not (folder / "map").exists()
