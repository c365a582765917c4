"""Runs the tests that compare, and writes the worst differences into docs/verification.md; and the
last campaign's too, if there was one.

    build/venv/bin/python3 tests/python/docs/verification.py       after scripts/test
"""

import csv
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]
PAGE = HERE.parents[1] / "docs" / "verification.md"
CAMPAIGN = HERE.parents[1] / "results" / "pybullet.csv"
LINE = re.compile(r"worst (?P<what>.*): (?P<difference>\S+) of (?P<tolerance>[^\s;]+)"
                  r"(?: at (?P<where>.*))?; (?P<share>\S+) % of a tolerance at most")


def table(script):
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", next(HERE.rglob(script))],
                          cwd=HERE, capture_output=True, text=True, env={**os.environ, "FOREARM_ALL": "1"})
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    rows = [LINE.fullmatch(line) for line in done.stdout.splitlines() if line.startswith("worst ")]
    return "\n".join(["| compared | worst difference | its tolerance | where |",
                      "|---|---|---|---|",
                      *("| {what} | {difference} | {tolerance} | {where} |".format(
                          **{key: value or "" for key, value in row.groupdict().items()})
                        for row in rows)])


def campaign():
    with open(CAMPAIGN, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["verdict"] == "agrees"]
    return "\n".join(["| robot | joints | largest condition number | worst acceleration |",
                      "|---|---|---|---|",
                      *("| {file} | {joints} | {condition} | {difference} |".format(**row)
                        for row in rows)])


def main():
    page = PAGE.read_text(encoding="utf-8")
    # <!-- test_x.py --> … <!-- end --> holds the table of that file.
    pattern = re.compile(r"<!-- (test_\w+\.py) -->\n.*?<!-- end -->", re.DOTALL)
    page = pattern.sub(lambda found: f"<!-- {found[1]} -->\n{table(found[1])}\n<!-- end -->", page)
    if CAMPAIGN.exists():
        page = re.sub(r"(<!-- campaign -->\n).*?(<!-- end -->)",
                      lambda found: f"{found[1]}{campaign()}\n{found[2]}", page, flags=re.DOTALL)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
