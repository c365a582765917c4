#!/usr/bin/env python3
"""Runs programs under valgrind's memcheck, which sees what sanitizers do not: numbers that nobody has written.

    memcheck.py test PROGRAM       a test, which must pass
    memcheck.py commands FOREARM   commands of the program, on good files and on every tenth one that is wrong

Ends with 77 (skipped) where there is no valgrind."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

FOUND = 99  # memcheck's exit code; the program's own are below 10
TESTS = pathlib.Path(__file__).resolve().parent
ROBOTS = TESTS.parent / "resources" / "robots"


def memcheck(*command):
    """The exit code, after what memcheck has found is printed."""
    run = subprocess.run(["valgrind", "--quiet", f"--error-exitcode={FOUND}", *map(str, command)], cwd=TESTS,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if run.returncode == FOUND or run.returncode < 0:
        print(*command, "\n" + run.stderr)
    return run.returncode


def commands(folder):
    table = folder / "table.csv"
    table.write_text("gravity.y\n-9.81\n", encoding="utf-8")
    arm, snake = ROBOTS / "scara.xml", ROBOTS / "serpenoid.xml"
    yield "check", arm
    yield "inspect", "--json", ROBOTS / "excavator.xml"
    yield "forward", "--in", table, "--outputs", "reactions", arm
    yield "forward", "--in", table, "--method", "fast-composite-body", arm
    yield "inverse", "--in", table, "--regressor", arm
    yield "linearise", "--json", arm
    yield "simulate", "--stop", "0.02", arm
    yield "simulate", "--stop", "0.02", snake
    yield "simulate", "--stop", "0.005", ROBOTS / "patu655_lift_axis.xml"
    yield "render", "--size", "64x48", "--at", "0.02", "-o", folder / "a.png", arm
    yield "render", "--size", "64x48", "--dark", "-o", folder / "a.svg", ROBOTS / "excavator.xml"
    yield "gait", "--periods", "1", "--stability", TESTS / "reference" / "sliding" / "robots" / "floquet_isotropic.xml"
    yield "parts", ROBOTS.parent / "parts" / "cmu_dd_arm.xml"
    yield "methods",
    for path in sorted((TESTS / "bad").glob("*.xml"))[::10]:
        yield "parts" if path.name.startswith("parts_") else "check", path


def main(kind, program):
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind")
        return 77
    if kind == "test":
        return memcheck(program)
    with tempfile.TemporaryDirectory() as folder:
        codes = [memcheck(program, *line) for line in commands(pathlib.Path(folder))]
    print(f"{len(codes)} commands, {codes.count(0)} of them with an answer")
    return 1 if any(code == FOUND or code < 0 for code in codes) or codes.count(0) < 10 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
