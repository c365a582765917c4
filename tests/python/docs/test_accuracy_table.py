"""docs/co-simulation.md's table of errors on random arms is what bench/accuracy prints: it measures the first of the same
hundred arms, none of which may be farther off than the worst of the table."""

import subprocess

import pytest

from conftest import BUILD, SOURCE

ARMS = 5  # of each kind; all hundred take half a minute
ROUNDED = 1.06  # numbers of two digits


def rows(text):
    """By the first two cells of a line of a table: the numbers in the others, median and worst."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[1].endswith("s") and cells[2][:1].isdigit():
            found[cells[0], cells[1]] = [tuple(map(float, cell.split(", "))) for cell in cells[2:]]
    return found


def test_no_arm_is_farther_off_than_the_table_says():
    program = BUILD / "bench" / "accuracy"
    if not program.exists():
        pytest.skip("skipped: this build has no bench/accuracy")
    done = subprocess.run([program, str(ARMS)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = rows((SOURCE / "docs" / "co-simulation.md").read_text(encoding="utf-8"))
    measured = rows(done.stdout)
    assert len(told) == 12 and told.keys() == measured.keys()
    for row, cells in measured.items():
        for (_, worst), (_, bound) in zip(cells, told[row]):
            assert 0 < worst <= bound * ROUNDED, (row, worst, bound)
