"""FMUs with code for one arm, by the compiler at hand, beside the same FMUs with the general library."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import numpy
import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.model_description import read_build_description

from binary_formats import Mac, universal
from conftest import BUILD, SOURCE
from robot_fmu import RobotFmu
from test_hardening import elf_faults
from test_platforms import FOREIGN, NATIVE, assignment, host, question

PROGRAM = os.environ.get("FOREARM", BUILD / "cli" / "forearm")
ROBOT = SOURCE / "resources" / "robots" / "puma560.xml"
LIBRARY = "binaries/x86_64-linux/{}.so" if os.uname().machine == "x86_64" else "binaries/aarch64-linux/{}.so"
HEADERS = pathlib.Path(__import__("fmpy").__file__).parent / "c-code"
COMPILER = next((path for path in map(shutil.which, ("clang", "cc", "gcc")) if path), None)
pytestmark = pytest.mark.skipif(not COMPILER, reason="skipped: no C compiler")


def run(folder, *options, robot=ROBOT, **environment):
    """The FMU, and what was said about it."""
    fmu = folder / "one.fmu"
    done = subprocess.run([PROGRAM, "export", robot, "-o", fmu, "--name", "one", "--bare", *options],
                          capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return fmu, done.stdout + done.stderr


def member(fmu, name):
    with zipfile.ZipFile(fmu) as archive:
        return archive.read(name)


EVERYWHERE = bool(os.environ.get("FOREARM_EVERYWHERE"))
QUICKLY = "" if EVERYWHERE else "-O1"  # the last option counts, and half of the time is the optimiser's


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    general, _ = run(tmp_path_factory.mktemp("general"), "--platforms", "native")
    compiler = tmp_path_factory.mktemp("compiler") / "quick-cc"
    compiler.write_text(f'#!/bin/sh\nexec {COMPILER} "$@" {QUICKLY}\n')
    compiler.chmod(0o755)
    special, said = run(tmp_path_factory.mktemp("special"), "--platforms", "native", "--sources",
                        "--specialise", FOREARM_CC=str(compiler))
    assert "with code for this arm on" in said and "and in the sources" in said and "--specialise" not in said
    return general, special


def motion(fmu, **start):
    """A second of an arm that falls, and is pushed."""
    names = [v.name for v in read_model_description(str(fmu)).modelVariables]
    start = {**{name: 0.3 for name in names if name.endswith(".initial_position")},
             **{name: 1.5 for name in names if name.endswith(".torque")}, **start}
    result = simulate_fmu(str(fmu), fmi_type="CoSimulation", stop_time=1, output_interval=0.01,
                          start_values=start,
                          output=[n for n in names if n.endswith((".position", ".velocity", ".acceleration"))])
    return numpy.array(result.tolist())[:, 1:]


def apart(a, b):
    return numpy.abs(a - b).max() / numpy.abs(a).max()


def assert_alike(general, special):
    # At the start, rounding of one evaluation: 2e-15 seen.
    assert apart(general[0], special[0]) < 1e-13
    # Afterwards a step that is accepted here and refused there changes the motion by what the solver
    # is allowed, 1e-8, and the arm's fall makes that grow: 5e-8 seen.
    assert apart(general, special) < 1e-6


def test_it_moves_as_the_general_library_does(both):
    general, special = map(motion, both)
    assert_alike(general, special)
    assert (general != special).any()  # other code has run


def test_deterministic_excludes_it_to_the_last_bit(both):
    general, special = (motion(fmu, deterministic=True) for fmu in both)
    assert (general == special).all()


def test_it_is_linked_as_the_general_library_is(both, tmp_path):
    library = tmp_path / "one.so"
    library.write_bytes(member(both[1], LIBRARY.format("one")))
    assert list(elf_faults(library)) == []


@pytest.mark.parametrize("change", [
    {"payload.mass": 2.0, "payload.com.y": 0.05}, {"gravity.y": 3.0}, {"tip.force.z": 20.0}],
    ids=lambda change: next(iter(change)))
def test_parameters_and_forces_count_as_before(both, change):
    general, special = (motion(fmu, **change) for fmu in both)
    assert apart(general, motion(both[0])) > 1e-3  # it does count
    assert_alike(general, special)


def test_the_sources_have_it_too(both, tmp_path):
    with zipfile.ZipFile(both[1]) as archive:
        archive.extractall(tmp_path)
    code = tmp_path / "sources" / "special.c"
    assert "written by forearm export --specialise" in code.read_text()
    subprocess.run([COMPILER, "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-Wno-psabi",
                    "-fsyntax-only", "-I", HEADERS, code], check=True)
    description = read_build_description(str(tmp_path))
    assert any("special.c" in files.sourceFiles for c in description for files in c.sourceFileSets)


def test_without_a_compiler_it_says_so_and_stays_general(both, tmp_path):
    fmu, said = run(tmp_path, "--platforms", "native", "--specialise", PATH=str(tmp_path), FOREARM_CC="")
    assert "there is no C compiler" in said and "FOREARM_CC" in said
    name = LIBRARY.format("one")
    assert member(fmu, name) == member(both[0], name)
    fmu, said = run(tmp_path, "--platforms", "native", "--specialise", FOREARM_CC="/no/such/compiler")
    assert "'/no/such/compiler'" in said and member(fmu, name) == member(both[0], name)


def test_a_compiler_that_fails_or_errs_is_not_trusted(both, tmp_path):
    name = LIBRARY.format("one")
    fails, errs = tmp_path / "fails", tmp_path / "errs"
    fails.write_text("#!/bin/sh\necho out of order\nexit 1\n")
    errs.write_text("#!/bin/sh\n"  # a sum becomes a difference
                    f"sed -i '/void equations0/,$ {{0,/ + /s// - /}}' special.c 2>/dev/null\nexec {COMPILER} \"$@\" {QUICKLY}\n")
    for wrong, words in ((fails, "out of order"), (errs, "more than rounding explains")):
        wrong.chmod(0o755)
        fmu, said = run(tmp_path, "--platforms", "native", "--specialise", FOREARM_CC=str(wrong))
        assert words in said, said
        assert member(fmu, name) == member(both[0], name)


def test_what_there_is_no_code_for_is_exported_as_ever(tmp_path):
    fmu, said = run(tmp_path, "--platforms", "native", "--specialise",
                    robot=SOURCE / "resources" / "robots" / "serpenoid.xml", FOREARM_CC=COMPILER)
    assert "motion of arms" in said and member(fmu, LIBRARY.format("one"))


# ------------------------------------------------------------------------------- other platforms


# Each takes half a minute of processor time: FOREARM_EVERYWHERE=1 asks for all, scripts/test --all for Windows.
PLATFORMS = ["linux64", "aarch64-linux", "win64", "darwin64"] if EVERYWHERE else ["win64"]
elsewhere = pytest.mark.skipif(not EVERYWHERE and not os.environ.get("FOREARM_ALL"),
                               reason="skipped: zig takes half a minute for each platform; scripts/test --all takes it")


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory):
    """FMI 2.0, whose library for Macs is both kinds' in one; with general libraries, and with zig's."""
    zig = pathlib.Path(sys.executable).parent / "python-zig"
    if not zig.exists():
        pytest.skip("skipped: no zig beside this Python")
    general, _ = run(tmp_path_factory.mktemp("general"), "--fmi", "2")
    if not (BUILD / "lib" / "forearm" / "binaries" / "x86_64-windows" / "forearm.dll").exists():
        pytest.skip("skipped: no zig when this was built, so there is one platform only")
    special, said = run(tmp_path_factory.mktemp("special"), "--fmi", "2", "--platforms", ",".join(PLATFORMS),
                        "--specialise", FOREARM_CC=str(zig))
    assert f"with code for this arm on {', '.join(PLATFORMS)}: " in said, said
    return RobotFmu(general), RobotFmu(special)


@elsewhere
@pytest.mark.parametrize("name, fmi2", [("x86_64-linux", "linux64"), ("aarch64-linux", "aarch64-linux"),
                                        ("x86_64-windows", "win64")])
def test_zig_compiles_it_for_other_platforms(name, fmi2, everywhere):
    if fmi2 not in PLATFORMS or name not in (NATIVE, *FOREIGN):
        pytest.skip(f"skipped: {name} was not asked for")
    answers = []
    for fmu in everywhere:
        n = len(fmu.joints)
        lines = ["instance", *assignment(fmu, [f"joint.{joint}.initial_position" for joint in fmu.joints],
                                         [0.3 + 0.2 * i for i in range(n)]),
                 *assignment(fmu, fmu.efforts, [1.5 - 0.3 * i for i in range(n)]),
                 "initialize", question(fmu, fmu.accelerations)]
        answers.append(host(name).run(fmu, lines)[0])
    general, special = answers
    assert apart(general, special) < 1e-13  # rounding of one evaluation: 2e-15 seen
    assert (general != special).any()  # other code has run


@pytest.mark.skipif("darwin64" not in PLATFORMS, reason="skipped: Macs were not asked for")
def test_zig_s_library_for_macs_is_for_both_kinds(everywhere):
    path = pathlib.Path(everywhere[1].folder) / "binaries" / "darwin64" / "one.dylib"
    parts = [Mac(part) for part in universal(path.read_bytes())]
    assert [part.machine for part in parts] == [Mac.X86_64, Mac.AARCH64]
    assert parts[1].signed and all("fmi2GetDerivatives" in part.shows for part in parts)


def lives(pid):
    """Whether a process is there, and no zombie that init has not looked at yet."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("stubborn", [False, True], ids=["", "a compiler that does not listen"])
def test_a_signal_ends_the_compiler_and_leaves_nothing(number, stubborn, tmp_path):
    # A compiler that never ends, with a child of its own and a temporary file.
    slow = tmp_path / "slow-cc"
    slow.write_text(f"""#!/bin/sh
case "$*" in *--version*|*-dumpmachine*) exec {COMPILER} "$@";; esac
{'trap "" TERM' if stubborn else ''}
echo x > "$TMPDIR/cc123.s"
sleep 600 &
echo $$ $! >> {tmp_path}/pids
wait
sleep 600
""")
    slow.chmod(0o755)
    (tmp_path / "tmp").mkdir()
    child = subprocess.Popen(
        [PROGRAM, "export", ROBOT, "--platforms", "native", "--specialise", "-o", tmp_path / "robot.fmu"],
        env={**os.environ, "FOREARM_CC": str(slow), "TMPDIR": str(tmp_path / "tmp")}, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (tmp_path / "pids").exists() or not (tmp_path / "pids").read_text().endswith("\n"):
        assert child.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    assert list((tmp_path / "tmp").iterdir())
    child.send_signal(number)
    assert child.wait(timeout=60) == -number
    child.stderr.close()
    assert list((tmp_path / "tmp").iterdir()) == [] and not (tmp_path / "robot.fmu").exists()
    for pid in map(int, (tmp_path / "pids").read_text().split()):
        while lives(pid):  # killed it is, but a busy processor lets it die later
            assert time.monotonic() < end + 60, pid
            time.sleep(0.05)
