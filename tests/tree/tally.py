#!/usr/bin/env python3
"""scripts/tally counts each case once, hides no skipped one, and is red where a report is missing or has a failure."""

import pathlib
import subprocess
import sys
import tempfile

from tree import ROOT

CTEST = """<testsuite>
<testcase name="test_a" status="run"/><testcase name="test_b" status="{b}"><system-out>x</system-out></testcase>
<testcase name="reads" status="notrun"><system-out>skipped: no reader
</system-out></testcase>
<testcase name="python_c" status="{c}"/></testsuite>"""
PYTEST = """<testsuites><testsuite><testcase classname="c" name="one"/>
<testcase classname="c" name="two"><skipped message="skipped: no wheel"/></testcase>
<testcase classname="c" name="three"><skipped message="skipped: no wheel"/></testcase>{more}</testsuite></testsuites>"""
BAD = '<testcase classname="c" name="four"><failure message="x"/></testcase>'


def report(folder, b="run", c="run", more="", pytest=True):
    reports = folder / "tests" / "python" / "reports"
    reports.mkdir(parents=True)
    (folder / "report.xml").write_text(CTEST.format(b=b, c=c))
    if pytest:
        (reports / "python_c.xml").write_text(PYTEST.format(more=more))
    return folder / "report.xml"


def tally(*words):
    done = subprocess.run([sys.executable, ROOT / "scripts" / "tally", *words], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = report(folder / "0-release")
        again = report(folder / "1-release", more='<testcase classname="c" name="five"/>')
        other = report(folder / "2-asan")
        code, said = tally(good)
        assert (code, said) == (0, ["2 skipped: no wheel", "1 skipped: no reader", "3 passed, 0 failed, 3 skipped"]), said
        assert tally(good, again)[1][-1] == "4 passed, 0 failed, 3 skipped"  # in one build: once
        assert tally(good, other)[1][-1] == "6 passed, 0 failed, 6 skipped"
        assert tally(good, "passed=2", "failed=0")[1][-1] == "5 passed, 0 failed, 3 skipped"
        for bad in (report(folder / "3-x", b="fail"), report(folder / "4-x", c="fail", more=BAD),
                    report(folder / "5-x", c="fail"), folder / "none" / "report.xml",
                    report(folder / "6-x", c="fail", pytest=False)):
            code, said = tally(bad)
            assert code == 1 and ", 1 failed, " in said[-1] and said[0].startswith("failed: "), (bad, said)
        disabled = report(folder / "7-x", b="disabled")
        assert tally(disabled)[0] == 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
