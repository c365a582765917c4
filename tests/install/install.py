#!/usr/bin/env python3
"""Installs a build, moves the tree, and builds consumers by find_package and by pkg-config. What docs/c-library.md prints is
what its program prints, which is what the installed program computes.

    install.py <build folder> <scratch folder> <cmake> <C compiler>
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def by_program(forearm, robot, settings, folder):
    """The lines of motion.c from what `forearm linearise` and `forearm simulate` say."""
    system = json.loads(run(forearm, "linearise", robot, "--json", *settings, stdout=subprocess.PIPE).stdout,
                        parse_float=str, parse_int=str)
    variables = json.loads(run(forearm, "inspect", robot, "--json", stdout=subprocess.PIPE).stdout)["variables"]
    name = next(v["name"] for v in variables if v["role"] == "input")
    inputs = folder / "push.csv"
    inputs.write_text(f"time,{name}\n0,0\n0.5,1\n1,0\n")
    table = run(forearm, "simulate", robot, "--input", inputs, "--stop", "2", "--step", "0.1", *settings,
                stdout=subprocess.PIPE).stdout.splitlines()
    last = dict(zip(table[0].split(","), table[-1].split(",")))
    states = [v["name"] for v in variables if v["role"] == "state"]
    outputs = [v["name"] for v in variables if v["role"] == "output"]
    begin = dict(zip(table[0].split(","), table[1].split(",")))
    return [" ".join(row) for row in system["A"]] + [f"{outputs[0]} = {begin[outputs[0]]}"] + [f"{name} = {last[name]}" for name in states]


def check_manual(prefix):
    """A page for each command that there is, and a script for each shell that looks for one."""
    shown = run(prefix / "bin" / "forearm", "help", stdout=subprocess.PIPE).stdout
    pages = {f"forearm-{name}.1" for name in re.findall(r"^  ([a-z]+) ", shown, re.MULTILINE)} | {"forearm.1"}
    folder = prefix / "share" / "man" / "man1"
    assert {path.name for path in folder.iterdir()} == pages
    assert all(path.read_text().startswith(".TH FOREARM") for path in folder.iterdir())
    for script in "bash-completion/completions/forearm", "zsh/site-functions/_forearm", "fish/vendor_completions.d/forearm.fish":
        assert "simulate" in (prefix / "share" / script).read_text()


def compare_motions(motion, prefix, scratch):
    """The example beside the program, on robots with drives, friction, stops and cylinders, and a URDF."""
    robots = prefix / "share" / "forearm" / "robots"
    forearm = prefix / "bin" / "forearm"
    compared = [robots / name for name in ("double_pendulum.xml", "puma560.xml", "scara.xml", "grigorov5.xml", "serpenoid.xml",
                                           "excavator.xml", "patu655.xml")]
    compared.append(CONSUMER.parents[2] / "examples" / "scara" / "scara.urdf")
    for robot in compared:
        for settings in [], ["solver_tolerance", "1e-6"]:
            said = run(motion, robot, *settings, stdout=subprocess.PIPE).stdout.splitlines()
            want = by_program(forearm, robot, ["--set", "=".join(settings)] if settings else [], scratch)
            assert said == want, (robot, [pair for pair in zip(said, want) if pair[0] != pair[1]][:3], len(said), len(want))
    page = (CONSUMER.parents[2] / "docs" / "c-library.md").read_text()
    shown = re.search(r"^```text\n\$ \./motion (\S+) (.*?)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    said = run(motion, robots / shown[1], *shown[2].split(), stdout=subprocess.PIPE).stdout
    assert [line.split(" = ")[0] for line in said.splitlines()] == [line.split(" = ")[0] for line in shown[3].splitlines()], said
    # Processors differ by some 1e-12 in what is integrated.
    numbers = [[float(x) for x in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[-+]?\d+)?", text)] for text in (said, shown[3])]
    assert all(abs(a - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(*numbers)), said


def compare_symbols(prefix):
    """The shared library shows what is promised, and nothing else."""
    (library,) = prefix.rglob("libforearm.so")
    listed = run("nm", "-D", "--defined-only", library, stdout=subprocess.PIPE).stdout.splitlines()
    shown = sorted(line.split()[-1] for line in listed)
    promised = (CONSUMER.parent / "symbols.txt").read_text().split()
    assert shown == promised, (set(shown) ^ set(promised), "tests/install/symbols.txt lists what is promised")


# What each example says of the double pendulum.
EXAMPLES = {
    "forward": r"FA_OK: first acceleration -?\d+\.\d+, torques back within 1e-9",
    "thousand_runs": r"FA_OK, in lanes: joint.shoulder.position from -\d\.\d+ to \d\.\d+",
    "servo_1khz": r"after 1 s the first joint is at -?\d\.\d+, going -?\d\.\d+",
    "linearise": r"(-?[\d.e+-]+ ){3}-?[\d.e+-]+\n(-?[\d.e+-]+ ){3}-?[\d.e+-]+",
    "identify": r"payload of 1\.700000 kg",
    "from_cpp": r"tip at -?\d+\.\d+ -?\d+\.\d+ -?\d+\.\d+",
}


def try_examples(scratch, robot):
    for name, wanted in EXAMPLES.items():
        said = {run(scratch / "consumer" / f"{name}_{library}", robot, stdout=subprocess.PIPE).stdout
                for library in ("forearm", "static")}
        assert len(said) == 1 and re.fullmatch(wanted, said.pop().strip()), (name, said)


def try_loop(scratch, robot):
    """examples/realtime: the histogram has every period."""
    said = run(scratch / "consumer" / "loop", robot, "0.5", stdout=subprocess.PIPE).stdout
    assert "4 evaluations of the equations of motion in a step" in said and "500 periods" in said, said
    computing = said[said.index("computing"):said.index("waking up")].splitlines()[1:]
    assert sum(int(line.split()[1]) for line in computing) == 500, said


def main(build, scratch, cmake, compiler):
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    run(cmake, "--install", build, "--prefix", scratch / "first", stdout=subprocess.DEVNULL)
    # Whoever unpacks an archive of it elsewhere has the same: nothing holds the first path.
    prefix = scratch / "a moved tree"
    (scratch / "first").rename(prefix)

    robot = prefix / "share" / "forearm" / "robots" / "double_pendulum.xml"
    run(cmake, "-S", CONSUMER, "-B", scratch / "consumer", "-G", "Ninja", f"-DROBOT={robot}",
        f"-DROS2_CONTROL={CONSUMER.parents[2] / 'examples' / 'ros2_control'}",
        f"-DLOOP={CONSUMER.parents[2] / 'examples' / 'realtime' / 'loop.c'}",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}", stdout=subprocess.DEVNULL)
    run(cmake, "--build", scratch / "consumer")
    run(scratch / "consumer" / "consumer")
    try_examples(scratch, robot)
    if (scratch / "consumer" / "loop").exists():
        try_loop(scratch, robot)
    said = run(scratch / "consumer" / "ros2_control", robot, stdout=subprocess.PIPE).stdout
    assert said == "held, followed, refused\n", said
    compare_symbols(prefix)
    check_manual(prefix)
    compare_motions(scratch / "consumer" / "motion", prefix, scratch)
    with zipfile.ZipFile(scratch / "consumer" / "pendulum.fmu") as fmu:
        assert b'fmiVersion="2.0"' in fmu.read("modelDescription.xml")
        assert any(name.startswith("binaries/") for name in fmu.namelist())
        assert not any(name.startswith("sources/") for name in fmu.namelist())
    with zipfile.ZipFile(scratch / "consumer" / "pendulum_inverse.fmu") as fmu:
        text = fmu.read("modelDescription.xml").decode()
        assert re.search(r'name="joint.shoulder.torque"[^>]* causality="output"', text)
        platforms = {name.split("/")[1] for name in fmu.namelist() if name.startswith("binaries/")}
        assert len(platforms) == 1 and "base.acceleration.x" in text
    with zipfile.ZipFile(scratch / "consumer" / "pendulum_sources.fmu") as fmu:
        assert b'modelName="swing"' in fmu.read("modelDescription.xml")
        assert {"sources/fmi3.c", "sources/buildDescription.xml"} <= set(fmu.namelist())
        assert not any(name.startswith(("binaries/", "extra/")) for name in fmu.namelist())

    if shutil.which("pkg-config"):
        (found,) = prefix.rglob("forearm.pc")
        environment = os.environ | {"PKG_CONFIG_PATH": str(found.parent)}
        flags = run("pkg-config", "--cflags", "--libs", "forearm-run", env=environment,
                    stdout=subprocess.PIPE).stdout.strip()
        run("sh", "-c", f"'{compiler}' '{CONSUMER}/consumer.c' {flags} -o '{scratch}/by_pkg_config'")
        run(scratch / "by_pkg_config")
        flags = run("pkg-config", "--cflags", "--libs", "forearm", env=environment,
                    stdout=subprocess.PIPE).stdout.strip()
        run("sh", "-c", f"'{compiler}' '{CONSUMER}/forward.c' {flags} -lm -o '{scratch}/forward_by_pkg_config'")
        run(scratch / "forward_by_pkg_config", robot, env=os.environ | {"LD_LIBRARY_PATH": str(found.parent.parent)})
        flags = run("pkg-config", "--cflags", "--libs", "--static", "forearm-import", env=environment,
                    stdout=subprocess.PIPE).stdout.strip()
        run("sh", "-c", f"'{compiler}' '{CONSUMER}/motion.c' {flags} -o '{scratch}/motion_by_pkg_config'")
        run(scratch / "motion_by_pkg_config", robot, stdout=subprocess.DEVNULL)
    else:
        print("pkg-config not found: its file was not tried")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
