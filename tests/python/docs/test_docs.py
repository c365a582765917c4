"""Every command that the pages show runs, and prints what they show; so do their programs in Python.

Each page runs from its first block to its last in a folder of its own, in which the project lies as in a
fresh clone after scripts/run, and in an empty environment that build/venv/bin/activate was read into: what README's
first two commands leave, and nothing more. What cannot run here is on a list with its reason. FOREARM_UPDATE=1 writes what is printed
into the pages anew.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as xml

import pytest

import documents
from conftest import BUILD, FOREARM, SOURCE
from first_command import venv_of_the_first_command

# Printed numbers may differ by this share of their size: processors, by whether they fuse products and
# sums, differ by some 1e-12 in what is integrated, and the motions shown here do not amplify that much.
AGREE = 1e-6
SECONDS = 300  # that one command may take on a busy machine

INSTALLS = "installs packages, builds for minutes; it is what CI itself runs"
MEASURES = "measures for minutes and writes pages anew"
STEPS = "counts instructions by single steps, half a minute where the processor does not; test_cli_compare.py"
NOT_RUN = {
    "scripts/run": INSTALLS,
    "scripts/test": INSTALLS,
    "scripts/test --all": INSTALLS,
    "scripts/campaign-pybullet": "downloads a wheel, runs for minutes",
    "scripts/compare-methods": MEASURES,
    "scripts/compare-methods scaling": MEASURES,
    "scripts/compare-methods papers": MEASURES,
    "scripts/compare-methods snakes": MEASURES,
    "build/venv/bin/python3 tests/python/docs/verification.py": MEASURES,
    "build/release/bench/puma_line resources/robots/puma560akb.xml": "needs the preset release; test_puma_line.c",
    "build/release/bench/single_precision --csv > curves.csv": "needs the preset release",
    "bench/plot_single_precision.py curves.csv single-precision.svg": "needs the curves of the line before",
    "cmake --preset dev && cmake --build --preset dev && ctest --preset dev": "what runs this test",
    "ctest --preset dev -L unit": "what runs this test",
    "ctest --preset dev -L fmu": "what runs this test",
    "ctest --preset dev -R python_empty": "what runs this test",
    "cmake --preset release && cmake --build --preset release && cmake --install build/release":
        "builds for minutes; tests/install/install.py installs a build",
    "pip install .": "builds for minutes; test_wheel.py installs the wheel",
    "pip install '.[sweep,pandas]'": "builds for minutes; test_wheel.py installs the wheel",
    "scripts/wheel": INSTALLS,
    "build/venv/bin/python3 bench/sweep_cost.py": MEASURES,
    "build/venv/bin/python3 bench/many_motions.py": MEASURES,
    "build/venv/bin/python3 bench/whole_motions.py": MEASURES,
    "build/venv/bin/python3 bench/environments.py": MEASURES,
    "build/venv/bin/python3 bench/state_functions.py": MEASURES,
    "examples/learning/reach.py --out reaching": "learns for minutes; test_learning.py learns for seconds",
    "build/venv/bin/python3 bench/port.py --markdown": MEASURES,
    "forearm compare resources/robots/puma560.xml": STEPS,
    "forearm compare snake.xml --csv snake.csv": STEPS,
    "forearm export scara.urdf --specialise --platforms native": "half a minute of compiling; test_specialise.py",
    "fmpy compile scara.fmu": "half a minute of compiling; test_sources.py does it for both versions",
    "omc double_pendulum.mos": "OpenModelica is not in Debian; test_hosts.py runs it where it is",
}
# Fences in languages that only another program reads, and C that shows a style and is no file.
UNREAD = {
    ("docs/dymola.md", "modelica"): "Dymola is not free; the page says that it was not run",
    ("docs/style.md", "c"): "shows how C is written; the names are its own",
    ("docs/style.md", "cmake"): "shows how CMake is written",
    ("docs/style.md", "markdown"): "shows how a page opens",
}

PAGES = documents.pages(SOURCE)
BLOCKS = {page: documents.blocks(SOURCE, page) for page in PAGES}
RUNNING = [page for page in PAGES
           if any(documents.commands(SOURCE, block) or block.language == "python" for block in BLOCKS[page])]


def link_project(folder):
    for path in SOURCE.iterdir():
        if path.name not in ("build", "results", ".git"):
            (folder / path.name).symlink_to(path)


@pytest.fixture(scope="session")
def left(tmp_path_factory):
    """build/ as scripts/run leaves it, with the program that is tested."""
    build = tmp_path_factory.mktemp("first") / "build"
    build.mkdir()
    for name, there in {"release": BUILD, "robots": SOURCE / "build" / "robots"}.items():
        (build / name).symlink_to(there)
    link_project(build.parent)
    venv_of_the_first_command(build / "venv")
    return build


@pytest.fixture
def clone(tmp_path, left):
    """The project's files, and of build/ what scripts/run leaves."""
    link_project(tmp_path)
    (tmp_path / "build").mkdir()
    for path in left.iterdir():
        (tmp_path / "build" / path.name).symlink_to(path)
    return tmp_path


# A shell of somebody who has just logged in, at a terminal of 120 columns.
LOGIN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "dumb", "COLUMNS": "120"}


@pytest.fixture
def shell(clone, tmp_path_factory):
    """Runs a command line in the clone and gives its exit code and all that it prints."""
    environment = {**LOGIN, "HOME": str(tmp_path_factory.mktemp("home"))}

    def run(text):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", f"source build/venv/bin/activate\n{text}"], cwd=clone,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, encoding="utf-8")
        return done.returncode, done.stdout

    return run


# These run as printed: nothing is there that the reader was not told to make.
AS_PRINTED = [page for page in PAGES if str(page) in ("README.md", "docs/quick-start.md") or page.parent.name == "stories"]


@pytest.mark.parametrize("page", AS_PRINTED, ids=str)
def test_nothing_is_done_behind_the_reader_s_back(page):
    assert len(AS_PRINTED) > 8
    assert {word for block in BLOCKS[page] for word, _ in block.remarks} <= {"lines of"}


NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


def matches(shown, printed):
    """Whether printed lines are those shown: a line … stands for any lines, … in a line for anything."""
    if not shown or not printed:
        return not printed and all(line == "…" for line in shown)
    if shown[0] == "…":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return line_matches(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def line_matches(shown, printed):
    pattern = "".join(".*" if part == "…" else r"([-−]?\d[\d.e+-]*)" if NUMBER.fullmatch(part) else
                      r"\s+" if part.isspace() else re.escape(part)
                      for part in re.split(rf"(…|{NUMBER.pattern}|\s+)", shown.rstrip()) if part)
    found = re.fullmatch(pattern, printed.rstrip())
    numbers = NUMBER.findall(shown)
    return bool(found) and all(abs(float(a.replace("−", "-")) - float(b.replace("−", "-")))
                               <= AGREE * abs(float(a.replace("−", "-"))) + 1e-15
                               for a, b in zip(numbers, found.groups(), strict=True))


def test_shown_lines_are_told_from_others():
    assert matches(["a 1.0 b"], ["a 1.0 b"]) and matches(["a  1.0 b"], ["a 1.0000001 b"])
    assert matches(["x", "…", "z"], ["x", "y", "y", "z"]) and matches(["took … s"], ["took 0.3 s"])
    for shown, printed in [(["a 1"], ["a 2"]), (["a"], ["a", "b"]), (["a", "b"], ["a"]), (["a"], []), ([], ["a"]),
                           (["1.5"], ["1.5x"]), (["v-1"], ["v-2"])]:
        assert not matches(shown, printed)


def prepare(block, clone, shell):
    """Does what the remarks above a block say."""
    for word, text in block.remarks:
        if word == "first":
            code, printed = shell(text)
            assert code == 0, f"{block}: {text}\n{printed}"
        elif word == "file":
            name, _, source = (part.strip() for part in text.partition("="))
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            if source:
                shutil.copy(clone / source, clone / name)
            else:
                (clone / name).write_text(block.text, encoding="utf-8")


def update(block, commands, printed):
    """Writes what was printed into the page, from the last block on since line numbers change."""
    path = SOURCE / block.page
    lines = path.read_text(encoding="utf-8").splitlines()
    new = [line for command, output in zip(commands, printed) for line in [f"$ {command.text}", *output]]
    new = new if commands else printed
    lines[block.line - 1:block.line - 1 + len(block.lines)] = new
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("page", RUNNING, ids=str)
def test_every_command_of_the_page_runs_and_prints_what_it_shows(page, clone, shell):
    faults, lacking, stale = [], [], []
    for block in BLOCKS[page]:
        prepare(block, clone, shell)
        outputs = []
        for command in documents.commands(SOURCE, block):
            if command.bare in NOT_RUN:
                outputs.append(command.shown)
                continue
            code, printed = shell(command.bare)
            if code and re.search(r"built with(out)? (the viewer|zig)|No module named 'scipy'", printed):
                lacking.append(f"{command.bare}: {printed}")
                outputs.append(command.shown)
                continue
            printed = printed.rstrip("\n").splitlines()
            outputs.append(printed)
            if code != command.code:
                faults += [f"{command.where}: {command.bare}", f"  ends with {code}, not {command.code}", *printed]
            elif command.shown is not None and not matches(command.shown, printed):
                faults += [f"{command.where}: {command.bare}", "  prints, and the page does not show,", *printed]
                outputs[-1] = printed
            elif command.shown is not None:
                outputs[-1] = command.shown
        if block.language == "console" and outputs != [c.shown for c in documents.commands(SOURCE, block)]:
            stale.append((block, outputs))
        if block.language == "python" and not any(word == "lines of" for word, _ in block.remarks):
            (clone / "block.py").write_text(block.text, encoding="utf-8")
            code, printed = shell("python3 block.py")
            said = printed.rstrip("\n").splitlines()
            if code:
                faults += [f"{block}: this program fails", printed]
        if block.language == "printed" and not matches(block.lines, said):
            faults += [f"{block}: is not what the program before it prints:", *said]
            stale.append((block, said))
    if os.environ.get("FOREARM_UPDATE") == "1":
        for block, outputs in reversed(stale):
            update(block, documents.commands(SOURCE, block), outputs)
    assert not faults, "\n".join(faults)
    if lacking:
        pytest.skip("\n".join(lacking))


def test_what_is_not_run_is_still_there():
    every = [command.bare for page in PAGES for block in BLOCKS[page] for command in documents.commands(SOURCE, block)]
    assert set(NOT_RUN) <= set(every), sorted(set(NOT_RUN) - set(every))
    assert len(every) > 2 * len(NOT_RUN)
    languages = {(str(page), block.language) for page in PAGES for block in BLOCKS[page]}
    assert set(UNREAD) <= languages, sorted(set(UNREAD) - languages)


def words_of(text):
    """A program without its layout and its comments."""
    text = re.sub(r"(\s|^)(//|# ).*$", "", text, flags=re.MULTILINE)
    return " ".join(re.findall(r"\w+|[^\w\s]", text))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_block_is_read_by_somebody(page):
    for block in BLOCKS[page]:
        copied = [text for word, text in block.remarks if word == "lines of"]
        if copied:
            there = words_of((SOURCE / copied[0]).read_text(encoding="utf-8"))
            for part in words_of(block.text).split(" … "):
                assert part in there, f"{block} is not in {copied[0]}: {part}"
        elif block.language == "xml":
            xml.fromstring(f"<x>{block.text}</x>")
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "indented" and not documents.commands(SOURCE, block):
            assert not re.search(r"[;{]$|^[a-z_]+\([^()]*\)\s*(#|//|$)", block.text, re.MULTILINE), \
                f"{block}: a program in a fence with its language, please"
        else:
            known = block.language in ("text", "indented", "sh", "console", "python", "printed", "csv", "html")
            assert known or (str(page), block.language) in UNREAD, f"{block}: nobody reads {block.language}"


@pytest.fixture(scope="session")
def options():
    """The options of each command, by its help."""
    def of(*words):
        text = subprocess.run([FOREARM, "help", *words], capture_output=True, text=True, check=True).stdout
        return text, set(re.findall(r"^  (?:-\w, )?(--[a-z]+)", text, re.MULTILINE)) | {"--help"}

    commands = re.findall(r"^  ([a-z]+) ", of()[0], re.MULTILINE)
    found = {command: of(command)[1] for command in commands}
    python = subprocess.run([sys.executable, "-m", "forearm", "sweep", "--help"], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": str(SOURCE / "python")}, check=True).stdout
    return {**found, "sweep": set(re.findall(r"--[a-z]+", python))}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_in_sentences_exist_with_their_options(page, options):
    for mention in documents.mentions(SOURCE, page):
        words = shlex.split(mention, comments=True)
        assert words[1] in options, f"{page}: `{mention}`"
        for word in words[2:]:
            assert not word.startswith("--") or word.partition("=")[0] in options[words[1]], f"{page}: `{mention}`"
