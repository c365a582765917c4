"""FMUs whose library is compiled where they are to run: by FMPy, and by two compilers that complain.

Compiling 70 files takes ten seconds, so each version of FMI is compiled once; of the other robots'
FMUs only built_in.c, which is all that differs, and that is checked.
"""

import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

import fmpy.build
import lxml.etree
import pytest
from fmpy import read_model_description
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

from conftest import BUILD, ROBOTS, SOURCE

HEADERS = pathlib.Path(fmpy.__file__).parent / "c-code"
FIRST = SOURCE / "resources" / "robots" / "scara.xml"
PLATFORM = {2: fmpy.platform, 3: fmpy.platform_tuple}
every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
both_versions = pytest.mark.parametrize("fmi", [2, 3])


@pytest.fixture(scope="module")
def unpacked(export, tmp_path_factory):
    """The folder of a robot's FMU that has sources and nothing else to run."""
    made = {}

    def get(robot, fmi):
        if (robot, fmi) not in made:
            made[robot, fmi] = tmp_path_factory.mktemp("sources") / robot.stem
            fmu = export(robot, "--fmi", fmi, "--sources", "--platforms", "none")
            with zipfile.ZipFile(fmu) as archive:
                archive.extractall(made[robot, fmi])
        return made[robot, fmi]

    return get


# FMI 3.0 as `fmpy compile` does it, whose build description asks for plain names; FMI 2.0 with what invites
# a compiler to fuse products and sums.
FLAGS = {2: ["-O2", "-march=native"], 3: []}


@pytest.fixture(scope="module")
def compiled(unpacked, tmp_path_factory):
    """The object files that FMPy makes of one FMU, by their names: compiled(3)["arm.c.o"]."""
    made = {}

    def get(fmi):
        if fmi not in made:
            folder = tmp_path_factory.mktemp(f"build{fmi}")
            fmpy.build.build_platform_binary(
                unpacked(FIRST, fmi), build_dir=folder, configuration="Debug",
                generator="Ninja" if shutil.which("ninja") else None,
                cmake_options={"CMAKE_C_FLAGS": " ".join(FLAGS[fmi])})
            made[fmi] = {path.name: path for path in folder.rglob("*.c.o")}
        return made[fmi]

    return get


def library(folder, fmi, identifier):
    return folder / "binaries" / PLATFORM[fmi] / f"{identifier}.so"


def answers(folder, fmi):
    """Every number that a Co-Simulation instance gives, over half a second of motion."""
    description = read_model_description(str(folder), validate=False)
    kind = {2: FMU2Slave, 3: FMU3Slave}[fmi]
    slave = kind(guid=description.guid, unzipDirectory=str(folder), instanceName="one",
                 modelIdentifier=description.coSimulation.modelIdentifier)
    slave.instantiate()
    reals = [v for v in description.modelVariables if v.type in ("Real", "Float64")]
    inputs = [v.valueReference for v in reals if v.causality == "input"]
    get, put = ((slave.getReal, slave.setReal) if fmi == 2 else (slave.getFloat64, slave.setFloat64))
    # Something is to move: joints start apart from where they balance, and are pushed.
    starts = [v for v in reals if v.causality == "parameter" and ".initial_" in v.name and v.min is None]
    put([v.valueReference for v in starts],  # pressures are to stay above that of vapour
        [1.01 * float(v.start) + 0.2 + 0.01 * i for i, v in enumerate(starts)])
    same = [v.valueReference for v in description.modelVariables if v.name == "deterministic"]
    if same:  # an arm's; or its kernels may round as suits the machine, and compilers choose
        slave.setBoolean(same, [True])
    if fmi == 2:
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
    else:
        slave.enterInitializationMode(startTime=0.0)
    slave.exitInitializationMode()
    put(inputs, [0.1 * (i % 7 - 3) for i in range(len(inputs))])
    seen = []
    for i in range(50):
        seen.append(list(get([v.valueReference for v in reals])))
        slave.doStep(currentCommunicationPoint=0.01 * i, communicationStepSize=0.01)
    slave.terminate()
    slave.freeInstance()
    assert seen[0] != seen[-1]
    return seen


@every_robot
@both_versions
def test_what_fmpy_compiles_gives_the_bits_of_the_prebuilt_library(
        robot, fmi, unpacked, compiled, export, tmp_path):
    folder, first = unpacked(robot, fmi), unpacked(FIRST, fmi)
    objects = compiled(fmi)
    identifier = read_model_description(str(folder)).coSimulation.modelIdentifier
    target = library(folder, fmi, identifier)
    if robot != FIRST:
        names = sorted(path.name for path in (folder / "sources").glob("*.[ch]"))
        assert names == sorted(path.name for path in (first / "sources").glob("*.[ch]"))
        assert sorted(filecmp.cmpfiles(folder / "sources", first / "sources", names, shallow=False)[1]) == [
            "built_in.c", "source_names.h"]
        ours, theirs = ((at / "sources" / "source_names.h").read_text() for at in (folder, first))
        assert ours.replace(f"{identifier}_", "scara_") == theirs
        target.parent.mkdir(parents=True)
        others = [path for name, path in objects.items() if name != "built_in.c.o"]
        # Under the names of the objects that are there already.
        renamed = shutil.copytree(first / "sources", tmp_path / "renamed")
        shutil.copy(folder / "sources" / "built_in.c", renamed)
        subprocess.run(["cc", "-shared", "-fPIC", *FLAGS[fmi], renamed / "built_in.c",
                        *others, "-lm", "-o", target], check=True)
    shutil.rmtree(folder / "resources")  # the robot is in the library

    with zipfile.ZipFile(export(robot, "--fmi", fmi, "--platforms", "native")) as archive:
        archive.extractall(tmp_path)
    assert answers(folder, fmi) == answers(tmp_path, fmi)


@both_versions
def test_only_kernels_are_fused_and_nothing_shows_but_the_standard(fmi, unpacked, compiled):
    compiled(fmi)
    identifier = read_model_description(str(unpacked(FIRST, fmi))).coSimulation.modelIdentifier
    made = library(unpacked(FIRST, fmi), fmi, identifier)
    if not shutil.which("objdump") or not shutil.which("nm"):
        pytest.skip("skipped: objdump or nm not found")
    fused = {name for name, path in compiled(fmi).items() if re.search(
        r"\t(vfn?m|fn?m(add|sub)|fml[as])", subprocess.run(
            ["objdump", "-d", path], check=True, capture_output=True, text=True).stdout)}
    # The kernels that are for that; compilers fuse when they optimise.
    assert fused == ({"fast_fused.c.o", "fast_avx512.c.o"} if "-O2" in FLAGS[fmi] else set())
    shown = subprocess.run(["nm", "-D", "--defined-only", made], check=True, capture_output=True,
                           text=True).stdout.split()
    names = set(shown[2::3])
    assert names and all(name.startswith(f"fmi{fmi}") for name in names)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@both_versions
def test_c99_has_nothing_to_complain_about(compiler, fmi, unpacked):
    if not shutil.which(compiler):
        pytest.skip(f"skipped: {compiler} not found")
    # All but the interface are the same files for both versions.
    files = ["fmi2.c", "built_in.c"] if fmi == 2 else [
        path.name for path in sorted((unpacked(FIRST, fmi) / "sources").glob("*.c"))]
    subprocess.run([compiler, "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror",
                    "-fsyntax-only", "-I", HEADERS, *files],
                   cwd=unpacked(FIRST, fmi) / "sources", check=True)


@both_versions
def test_the_list_names_every_source_and_the_standard_s_headers_stay_out(fmi, unpacked):
    folder = unpacked(FIRST, fmi) / "sources"
    (configuration,) = read_model_description(str(folder.parent)).buildConfigurations
    assert configuration.modelIdentifier == "scara"
    (files,) = configuration.sourceFileSets
    assert sorted(files.sourceFiles) == sorted(path.name for path in folder.glob("*.c"))
    assert f"fmi{fmi}.c" in files.sourceFiles and f"fmi{5 - fmi}.c" not in files.sourceFiles
    assert not list(folder.glob("fmi*.h")) and not [p for p in folder.iterdir() if p.is_dir()]
    if fmi == 3:
        schema = lxml.etree.XMLSchema(file=str(HEADERS.parent / "schema" / "fmi3" / "fmi3BuildDescription.xsd"))
        schema.assertValid(lxml.etree.parse(str(folder / "buildDescription.xml")))


def test_another_robot_s_description_is_refused(unpacked, compiled, tmp_path):
    compiled(3)
    folder = shutil.copytree(unpacked(FIRST, 3), tmp_path / "other")
    page = folder / "modelDescription.xml"
    token = read_model_description(str(folder)).guid
    page.write_text(page.read_text().replace(token, token[:1] + "0000" + token[5:]))
    description = read_model_description(str(folder))
    slave = FMU3Slave(guid=description.guid, unzipDirectory=str(folder), instanceName="one",
                      modelIdentifier="scara")
    said = []
    with pytest.raises(Exception, match="Failed to instantiate"):
        slave.instantiate(logMessage=lambda *words: said.append(words[-1].decode()), loggingOn=True)
    assert any("belongs to another robot" in text for text in said), said


def test_an_fmu_that_could_run_nowhere_is_refused(tmp_path):
    program = os.environ.get("FOREARM", BUILD / "cli" / "forearm")
    done = subprocess.run([program, "export", FIRST, "--platforms", "none", "-o", tmp_path / "x.fmu"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and "add --sources" in done.stderr
    assert not (tmp_path / "x.fmu").exists()


WRAPPED = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"


def compile_all(folder, into, *flags):
    """The objects of an FMU's sources, as somebody compiles them who links them into a program."""
    into.mkdir()
    subprocess.run(["cc", "-std=c99", *flags, "-I", HEADERS, "-c", *sorted((folder / "sources").glob("*.c"))],
                   cwd=into, check=True)
    return sorted(into.glob("*.o"))


def symbols(objects, *options):
    lines = subprocess.run(["nm", *options, *objects], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) > 1}


def test_two_robots_live_in_one_program(unpacked, export, tmp_path):
    """Under the address sanitizer, with no allocation while they run, and with the bits of the prebuilt library."""
    if not shutil.which("nm"):
        pytest.skip("skipped: nm not found")
    flags = ["-O0", "-g", "-fsanitize=address", "-Wno-psabi"]
    objects, words, expected = [], [], []
    for name in ("puma560", "scara"):
        folder = unpacked(FIRST.with_name(f"{name}.xml"), 3)
        shutil.rmtree(folder / "resources", ignore_errors=True)
        these = compile_all(folder, tmp_path / name, *flags)
        shown = {s for s in symbols(these, "-g", "--defined-only") if not s.startswith("__odr_asan")}
        assert all(symbol.startswith(f"{name}_") for symbol in shown), shown
        assert f"{name}_fmi3DoStep" in shown
        # No files, no libraries at run time, nothing of an operating system but memory and text.
        wanted = {symbol for symbol in symbols(these, "-u") if not symbol.startswith((f"{name}_", "__asan", "__odr_asan"))}
        assert not wanted & {"fopen", "fread", "dlopen", "dlsym", "dladdr", "dl_iterate_phdr", "open", "read",
                             "getenv", "exit", "printf", "time", "pthread_create"}, wanted
        objects += these

        description = read_model_description(str(folder), validate=False)
        outputs = [v for v in description.modelVariables if re.fullmatch(r"joint\..*\.(position|velocity)", v.name)]
        references = [v.valueReference for v in outputs if v.causality == "output"]
        assert references == list(range(references[0], references[0] + len(references)))
        (same,) = [v.valueReference for v in description.modelVariables if v.name == "deterministic"]
        words += [description.guid, same, references[0], len(references)]

        with zipfile.ZipFile(export(FIRST.with_name(f"{name}.xml"), "--fmi", 3, "--platforms", "native")) as archive:
            archive.extractall(tmp_path / f"{name}_built")
        slave = FMU3Slave(guid=description.guid, unzipDirectory=str(tmp_path / f"{name}_built"), instanceName="one",
                          modelIdentifier=name)
        slave.instantiate()
        slave.setBoolean([same], [True])
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        for k in range(50):
            slave.doStep(currentCommunicationPoint=0.01 * k, communicationStepSize=0.01)
        expected += slave.getFloat64(references)
        slave.terminate()
        slave.freeInstance()
    program = tmp_path / "two"
    tests = SOURCE / "tests"
    subprocess.run(["cc", *flags, "-I", HEADERS, "-I", tests / "support", tests / "python" / "support" / "two_robots.c", *objects,
                    WRAPPED, "-lm", "-o", program], check=True)
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert [float.fromhex(line) for line in done.stdout.split()] == expected


PREFIXES = {3: [([], "scara_"), (["-DFMI3_OVERRIDE_FUNCTION_PREFIX"], ""),
                (["-DFMI3_OVERRIDE_FUNCTION_PREFIX", "-DFMI3_ACTUAL_FUNCTION_PREFIX="], ""),
                (["-DFMI3_ACTUAL_FUNCTION_PREFIX="], ""),
                (["-DFMI3_FUNCTION_PREFIX=left_"], "left_"), (["-DFMI3_FUNCTION_PREFIX="], "")],
            2: [(["-DFMI2_FUNCTION_PREFIX=left_"], "left_"), (["-DFMI2_OVERRIDE_FUNCTION_PREFIX"], ""), ([], "own")]}


@both_versions
def test_the_standard_s_functions_get_the_prefix_that_is_asked_for(fmi, unpacked, tmp_path):
    """And are visible with it, even an empty one, whatever the compiler hides."""
    if not shutil.which("readelf"):
        pytest.skip("skipped: readelf not found")
    # FMPy's header of FMI 2.0 knows no prefix; the standard's has one.
    headers = shutil.copytree(HEADERS, tmp_path / "headers")
    text = (headers / "fmi2Functions.h").read_text()
    assert "#define fmi2FullName(name) name" in text
    (headers / "fmi2Functions.h").write_text(text.replace("#define fmi2FullName(name) name", """
#if defined(FMI2_FUNCTION_PREFIX)
#define fmi2Paste(a, b) a##b
#define fmi2PasteB(a, b) fmi2Paste(a, b)
#define fmi2FullName(name) fmi2PasteB(FMI2_FUNCTION_PREFIX, name)
#else
#define fmi2FullName(name) name
#endif"""))
    source = unpacked(FIRST, fmi) / "sources" / f"fmi{fmi}.c"
    for at in (HEADERS, headers):
        for flags, prefix in PREFIXES[fmi]:
            if prefix == "own":
                prefix = "" if at == HEADERS else "scara_"
            target = tmp_path / "interface.o"
            subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", *flags, "-I", at, "-c",
                            source, "-o", target], check=True)
            table = subprocess.run(["readelf", "-sW", target], check=True, capture_output=True, text=True).stdout
            rows = [line.split() for line in table.splitlines() if re.search(rf" GLOBAL .* [0-9]+ \w*fmi{fmi}DoStep$", line)]
            assert [(row[5], row[7]) for row in rows] == [("DEFAULT", f"{prefix}fmi{fmi}DoStep")], (flags, rows)
