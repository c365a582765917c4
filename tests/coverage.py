#!/usr/bin/env python3
"""Lines and branches reached, from what gcov counted in a build tree; scripts/coverage says how it
is used. A line of a header counts as reached if any file that includes it reaches it."""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["model", "solve", "fmu", "import", "export"]


def counts(build: pathlib.Path) -> dict[str, dict]:
    """For each source file: executions of each line, and of each branch of it."""
    found: dict[str, dict] = collections.defaultdict(lambda: {"lines": collections.Counter(),
                                                              "branches": collections.Counter()})
    notes = sorted(build.rglob("*.gcda"))
    for start in range(0, len(notes), 40):
        run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                              *map(str, notes[start : start + 40])], cwd=build, capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            report = json.loads(line)
            for file in report["files"]:
                path = pathlib.Path(report["current_working_directory"], file["file"]).resolve()
                if not path.is_relative_to(ROOT):
                    continue
                into = found[path.relative_to(ROOT).as_posix()]
                for entry in file["lines"]:
                    into["lines"][entry["line_number"]] += entry["count"]
                    for k, branch in enumerate(entry["branches"]):
                        into["branches"][entry["line_number"], k] += branch["count"]
    return found


def share(counter: collections.Counter) -> str:
    reached = sum(1 for count in counter.values() if count)
    return f"{reached} of {len(counter)}, {100 * reached / max(1, len(counter)):.1f} %"


def main() -> int:
    found = counts(pathlib.Path(sys.argv[1]).resolve())
    print("| folder | lines reached | branches reached |\n|---|---|---|")
    for folder in FOLDERS:
        together = {"lines": collections.Counter(), "branches": collections.Counter()}
        for path, of in found.items():
            if path.startswith(folder + "/"):
                for kind, counter in of.items():
                    together[kind].update({(path, key): count for key, count in counter.items()})
        print(f"| {folder} | {share(together['lines'])} | {share(together['branches'])} |")
    if "--files" in sys.argv:
        print()
        for path, of in sorted(found.items()):
            if path.split("/")[0] in FOLDERS:
                missed = sorted(line for line, count in of["lines"].items() if not count)
                print(f"{path}: {share(of['lines'])}; {share(of['branches'])}; never: {missed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
