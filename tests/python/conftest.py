"""Where the Python tests find what they judge. CMake sets the variables; without it, build/dev."""

import os
import pathlib
import subprocess
import sys
import zlib

import pytest

import figures
import variants

SOURCE = pathlib.Path(os.environ.get("FOREARM_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("FOREARM_BUILD", SOURCE / "build" / "dev"))
FOREARM = pathlib.Path(os.environ.get("FOREARM", BUILD / "cli" / "forearm"))

ROBOTS = sorted((SOURCE / "resources" / "robots").glob("*.*"))
ARMS = [path for path in ROBOTS if "<arm" in path.read_text(encoding="utf-8")]


def pytest_collection_finish():
    """FMPy asks a grammar about the name of every variable of every FMU, which takes longer than all else that it does.
    Most names are in many FMUs: what the same grammar has accepted is not parsed again."""
    if "fmpy" not in sys.modules:
        return
    import lark
    parse, known = lark.Lark.parse, {}

    def remember(self, text, *arguments, **options):
        if arguments or options:
            return parse(self, text, *arguments, **options)
        key = (self.source_grammar, text)
        if key not in known:
            known[key] = parse(self, text)  # what it refuses raises, each time
        return known[key]

    lark.Lark.parse = remember


def pytest_configure(config):
    config.addinivalue_line("markers", "sampled: of the cases that several parametrize make together, as many as it takes for "
                                       "each value of each to come up; sampled(N): one in N; FOREARM_ALL=1: all")


def pytest_collection_modifyitems(config, items):
    """Takes the sample, which is the same each time, and of the same FMUs for all tests of a file: cases are asked in the
    order of a hash of their parameters."""
    if os.environ.get("FOREARM_ALL") == "1":
        return
    seen, left, turn = set(), set(), {}
    for item in sorted(items, key=lambda item: zlib.crc32(item.nodeid.partition("[")[2].encode())):
        mark = item.get_closest_marker("sampled")
        test = item.parent.nodeid, getattr(item, "originalname", None)
        if mark and mark.args:
            turn[test] = turn.get(test, -1) + 1
            if turn[test] % mark.args[0] != 0:
                left.add(item)
        elif mark:
            values = {(*test, names, repr([item.callspec.params[name] for name in names.split(", ")]))
                      for names in (of.args[0] for of in item.iter_markers("parametrize"))}
            if values <= seen:
                left.add(item)
            seen |= values
    config.hook.pytest_deselected(items=[*left])
    items[:] = [item for item in items if item not in left]


@pytest.fixture(scope="session")
def source():
    """The project's folder."""
    return SOURCE


@pytest.fixture(scope="session")
def robots():
    """URDF files of the example-robot-data wheel, by their names: robots["ur5_robot"]."""
    folder = SOURCE / "build" / "robots"
    return {path.stem: path for path in sorted(folder.rglob("*.urdf"))}


@pytest.fixture(scope="session")
def forearm():
    """Runs the program: forearm("check", "a.urdf") gives its standard output, or fails the test."""

    def run(*arguments):
        done = subprocess.run([FOREARM, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def refuse():
    """Runs the program where it has to refuse: refuse("check", "bad.urdf") gives its complaint."""

    def run(*arguments):
        done = subprocess.run([FOREARM, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 1, done.stderr  # the file is wrong
        return done.stderr

    return run


@pytest.fixture(scope="session")
def export(forearm, tmp_path_factory):
    """Exports a robot once per session and set of options, and gives the FMU's path. For this platform, which takes a
    third of the time that all of them do; `everywhere`: for all."""
    made = {}

    def run(robot, *options, everywhere=False):
        options = [*map(str, options)]
        if not everywhere and "--platforms" not in options:
            options += ["--platforms", "native"]
        key = (str(robot), *options)
        if key not in made:
            made[key] = tmp_path_factory.mktemp("fmu") / f"{pathlib.Path(robot).stem}.fmu"
            forearm("export", robot, "-o", made[key], *options)
        return made[key]

    return run


@pytest.fixture(scope="session")
def export_special(export, tmp_path_factory):
    """Exports one of variants.SPECIALS: export_special("motors", "--fmi", 2)."""
    actuators = tmp_path_factory.mktemp("actuators") / "actuators.xml"
    actuators.write_text(variants.ACTUATORS)

    def run(special, *options):
        robot, own = variants.SPECIALS[special]
        own = [actuators if word == "ACTUATORS" else word for word in own]
        return export(SOURCE / "resources" / "robots" / f"{robot}.xml", *own, *options)

    return run


def pytest_terminal_summary(terminalreporter):
    """The worst differences seen, which docs/verification.md quotes."""
    for line in figures.lines():
        terminalreporter.write_line(line)


def pytest_sessionfinish(session, exitstatus):
    """A file of which every test was skipped ends with 77, which ctest reports as skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter.stats.get("skipped") and not reporter.stats.get("passed"):
        session.exitstatus = 77
