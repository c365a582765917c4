"""Which tests execute which lines: every C test runs alone in a build that counts (preset coverage), and gcov says what
it reached.

    reach.py <build> <reach.json> [TEST…]

With names, only these are measured, and the others stay as they are in the file."""
import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = 90  # seconds; a test that takes longer is not asked about mutants
JOBS = 2
# The folders of what runs in FMUs and reads robots: all sources below them are mutated, whatever folders lie within.
AREAS = tuple(area for area in ("model", "solve", "run", "system", "fmu", "import", "export") if (ROOT / area).is_dir())


def tests_of(build: pathlib.Path) -> dict[str, dict]:
    """The C tests that ctest knows in a build tree: command, folder and environment of each."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    found = {}
    for test in json.loads(run.stdout)["tests"]:
        command = test.get("command", [])
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        labels = properties.get("LABELS", [])
        if not command or "unit" not in labels or "tree" in labels:
            continue
        program = pathlib.Path(command[0])
        if program.is_relative_to(build / "tests"):
            found[test["name"]] = {
                "program": program.relative_to(build).as_posix(),
                "arguments": command[1:],
                "folder": properties.get("WORKING_DIRECTORY", str(build)),
                "environment": dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])),
            }
    return found


def counted_apart(build: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """A folder like the build tree for the counts of one job, with links to gcc's notes."""
    shutil.rmtree(place, ignore_errors=True)
    inside = place / build.relative_to("/")
    for note in build.rglob("*.gcno"):
        path = note.relative_to(build)
        if path.parts[0] in AREAS:
            (inside / path).parent.mkdir(parents=True, exist_ok=True)
            (inside / path).symlink_to(note)
    return inside


def lines_of(counts: pathlib.Path) -> dict[str, list[int]]:
    """The lines of each source that ran, by the counts in a folder."""
    found: dict[str, set[int]] = {}
    files = sorted(str(p) for p in counts.rglob("*.gcda") if p.with_suffix(".gcno").exists())
    for start in range(0, len(files), 40):
        run = subprocess.run(["gcov", "--json-format", "--stdout", *files[start : start + 40]], cwd=counts,
                             capture_output=True, text=True, check=True)
        for text in run.stdout.splitlines():
            report = json.loads(text)
            for file in report["files"]:
                path = pathlib.Path(os.path.normpath(pathlib.Path(report["current_working_directory"], file["file"])))
                if path.is_relative_to(ROOT):
                    lines = {entry["line_number"] for entry in file["lines"] if entry["count"]}
                    found.setdefault(path.relative_to(ROOT).as_posix(), set()).update(lines)
    return {path: sorted(lines) for path, lines in sorted(found.items()) if lines}


def reach(build: pathlib.Path, name: str, test: dict, counts: pathlib.Path, place: pathlib.Path) -> dict | None:
    """Seconds that a test takes, and the lines that it reaches."""
    for old in counts.rglob("*.gcda"):
        old.unlink()
    start = time.monotonic()
    try:
        run = subprocess.run([build / test["program"], *test["arguments"]], cwd=test["folder"], capture_output=True,
                             env=os.environ | test["environment"] | {"GCOV_PREFIX": str(place)}, timeout=LONG, check=False)
    except subprocess.TimeoutExpired:
        print(f"{name} takes more than {LONG} s and is left out", file=sys.stderr)
        return None
    if run.returncode != 0:  # for the counting's sake, or for want of time; what it reached counts all the same
        print(f"{name} fails in {build}", file=sys.stderr)
    return {"seconds": round(time.monotonic() - start, 2), "lines": lines_of(counts)}


def measure(build: pathlib.Path, names: list[str]) -> dict[str, dict]:
    tests = {name: test for name, test in tests_of(build).items() if name in names or not names}
    free: queue.Queue = queue.Queue()
    for k in range(JOBS):
        place = build / f"counts{k}"
        free.put((counted_apart(build, place), place))

    def work(name):
        counts, place = free.get()
        try:
            return name, reach(build, name, tests[name], counts, place)
        finally:
            free.put((counts, place))

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return {name: found for name, found in pool.map(work, tests) if found}


def main() -> None:
    build, out, names = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3:]
    known = json.loads(out.read_text()) if names and out.exists() else {}
    beside = out.with_suffix(".new")
    beside.write_text(json.dumps(known | measure(build, names)))
    beside.replace(out)


if __name__ == "__main__":
    main()
