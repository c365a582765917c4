#!/usr/bin/env python3
"""clang's warnings on every C file that a build tree of clang compiles, and clang-tidy's checks (.clang-tidy) on those of
the library and the program; those of the static analyser, which follow paths, on chosen files (chosen.py). Nothing is compiled: the headers that the build writes must be there. Prints what is found
and fails if anything is.

    tests/analyse/tidy.py BUILD [FILE…]      all files if none is given
"""
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import time

from chosen import chosen

ROOT = pathlib.Path(__file__).resolve().parents[2]
# cmocka's assertions hide from clang-tidy that a test ends with the first that fails.
WARNINGS_ONLY = ("tests",)
LONGEST = 600  # [s]


def commands(build: pathlib.Path, only: set[pathlib.Path]):
    """(what is asked, command, folder), the slowest first."""
    found = []
    tidy = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if build in path.parents or ROOT not in path.parents or path.suffix != ".c" or (only and path not in only):
            continue
        relative = path.relative_to(ROOT)
        words = shlex.split(entry["command"])
        del words[words.index("-o"):words.index("-o") + 2]
        found.append((1, f"clang {relative}", [*words, "-fsyntax-only"], entry["directory"]))
        if relative.parts[0] not in WARNINGS_ONLY:
            tidy[str(relative)] = ["clang-tidy", "--quiet", "-p", str(build), str(path)]
    paths = tidy.keys() if only else chosen({*tidy})
    for relative, words in tidy.items():
        words = words if relative in paths else [*words, "--checks=-clang-analyzer-*"]
        found.append((0 if relative in paths else 1, f"clang-tidy {relative}", words, str(ROOT)))
    return [row[1:] for row in sorted(found)]


def ask(row):
    what, command, folder = row
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"{what}: has not ended after {LONGEST} s\n"
    return "" if done.returncode == 0 else f"{what}:\n{done.stdout}{done.stderr}"


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    start, every = time.monotonic(), commands(build, {pathlib.Path(name).resolve() for name in sys.argv[2:]})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        findings = [text for text in pool.map(ask, every) if text]
    print("".join(findings), end="")
    quick = sum("--checks=-clang-analyzer-*" in words for _, words, _ in every)
    print(f"{len(every)} questions to clang and clang-tidy, {quick} of them without the static analyser, in {time.monotonic() - start:.0f} s, {len(findings)} with findings")
    return 1 if findings or not every else 0


if __name__ == "__main__":
    sys.exit(main())
