#!/usr/bin/env python3
"""gcc's analyser and cppcheck on C files of the library and the program, as a build tree compiles
them. Prints each finding and fails if there is one; what is none is said to be so beside the line.

    tests/analyse/analyse.py BUILD [FILE…]      if none is given, some of FOLDERS: chosen.py says which
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

from chosen import chosen

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Four times the same kernels in vector extensions, all inlined: gcc follows their paths for minutes,
# cppcheck does not know what the extensions mean. They take no memory and open no file.
KERNELS = ("fast_avx2.c", "fast_avx512.c", "fast_fused.c", "fast_plain.c")
# The laws of elements are included once for each reading of them, and cppcheck takes the readings for one. gcc's analyser
# and clang-tidy look at them.
LAWS = ["--suppress=*:*/model/elements/*.h"]
# Files with all laws of a place in line: cppcheck follows values through all of them at once and comes to no end.
IN_LINE = [f"{folder}/{file}" for folder, files in {
    "cli/sim": ["sim_arm.c"],
    "model/circuit": ["circuit.c"],
    "model/arm": ["arm_drives.c", "contacts/arm_cones.c", "contacts/arm_touches.c", "contacts/arm_touches_derived.c",
                  "outputs/arm_motors.c", "seldom/arm_event.c", "seldom/arm_motors_derived.c"],
    "model/elements": ["oil/cylinder.c"],
    "model/snake": ["derivatives/snake_adjoint.c", "derivatives/snake_tangent.c", "rows/snake_element_depends.c",
                    "seldom/told_gait.c", "sliding/rolling.c", "sliding/sliding_drives.c", "snake_event.c", "snake_plant.c"],
}.items() for file in files]
# cppcheck 2.10 takes &structure->array[i] for the address of a variable that is no array.
NO_ARRAY = ["--suppress=objectIndex"]
# gcc 12 loses memory that hangs on a list (LeakSanitizer and the failing allocators of the tests do
# not), and values that a loop has written into an array (clang-tidy and cppcheck do not).
NOT_ASKED = ["-Wno-analyzer-malloc-leak", "-Wno-analyzer-use-of-uninitialized-value"]
# gcc's analyser takes a vector's size in bytes for the number of bits of a shifted element (model/maths/real_lanes.h).
VECTORS = re.compile(r"/solve/lanes/lanes_\w+\.c$")
NOT_ASKED_OF_VECTORS = ["-Wno-analyzer-shift-count-overflow"]
LONGEST = {"gcc": 600, "cppcheck": 120}  # [s]
FOLDERS = ["model", "interface", "solve", "fmu", "import", "export", "raster", "plot", "run", "render", "system", "lawc", "cli"]


def options_of(build: pathlib.Path) -> dict[str, list[str]]:
    """What each file is compiled with: folders, definitions and the standard."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        kept, take = [], False
        for word in shlex.split(entry["command"]):
            if take or word.startswith(("-I", "-D", "-std", "-isystem")):
                kept.append(word)
                take = word in ("-I", "-D", "-isystem")
        found.setdefault(entry["file"], kept)
    return found


def command(tool: str, options: list[str], file: str) -> list[str]:
    if tool == "gcc":
        knows = ["-include", str(ROOT / "tests/analyse/knows.h"), f"-I{ROOT}/model/base"]
        if file.endswith("/model/base/status.c"):
            knows = []  # it defines what the others are told of
        not_asked = NOT_ASKED + (NOT_ASKED_OF_VECTORS if VECTORS.search(file) else [])
        return ["gcc", "-fanalyzer", *not_asked, *knows, "-fdiagnostics-plain-output", "-S", "-o", "/dev/null",
                *options, file]
    seen = [word for word in options if word.startswith(("-I", "-D"))]
    return ["cppcheck", "--quiet", "--inline-suppr", "--enable=warning,performance,portability", "--std=c99",
            "-D__x86_64__", "-D__linux__", "--suppress=missingIncludeSystem", *LAWS, *NO_ARRAY,
            f"--library={ROOT}/tests/analyse/noreturn.cfg", "--error-exitcode=1",
            "--template={file}:{line}: warning: {message} [{id}]", *seen, file]


def findings_of(text: str) -> str:
    """The findings that are not said to be none: a comment `gcc sees …: reason` in the line before
    (cppcheck has comments of its own)."""
    kept, keep = [], True
    for line in text.splitlines(keepends=True):
        place = re.match(r"(\S+?):(\d+):(?:\d+:)? (?:warning|error): ", line)
        if place:
            before = pathlib.Path(place[1]).read_text(encoding="utf-8").splitlines()[max(0, int(place[2]) - 2)]
            keep = "// gcc sees " not in before
        if keep:
            kept.append(line)
    return "".join(kept) if any(re.search(": (warning|error): ", line) for line in kept) else ""


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    options = options_of(build)
    files = [str(ROOT / file) for file in sys.argv[2:]]
    if not files:
        every = {str(pathlib.Path(file).relative_to(ROOT)) for file in options}
        files = sorted(str(ROOT / file) for file in chosen({file for file in every if file.split("/")[0] in FOLDERS}))
    files = [file for file in files if not file.endswith(KERNELS)]

    def check(tool: str, file: str) -> str:
        if tool == "cppcheck" and str(pathlib.Path(file).relative_to(ROOT)) in IN_LINE:
            return ""
        try:
            run = subprocess.run(command(tool, options[file], file), cwd=build, capture_output=True, text=True,
                                 timeout=LONGEST[tool])
        except subprocess.TimeoutExpired:
            return f"{file}:1: warning: {tool} has not ended after {LONGEST[tool]} s\n"
        return findings_of(run.stderr) or (run.stderr if run.returncode and tool == "gcc" else "")

    failed = 0
    for tool in ("gcc", "cppcheck"):
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            findings = [text for text in pool.map(lambda file, tool=tool: check(tool, file), files) if text]
        print("".join(findings), end="")
        print(f"{tool}: {len(files)} files in {time.monotonic() - start:.0f} s, {len(findings)} with findings")
        failed += len(findings)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
