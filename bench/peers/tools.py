"""Shared code of the comparisons: where things are, running a program, and compiling against the peers' wheels."""

import importlib.util
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "peers"
EIGEN = ["-I/usr/include/eigen3"]


def run(*words, **options):
    """Returns what the program prints; raises RuntimeError where it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout


def folder_of(wheel):
    found = importlib.util.find_spec(wheel)
    if not found:
        raise RuntimeError(f"the wheel {wheel} is not installed")
    return pathlib.Path(found.submodule_search_locations[0])


def wheel_of_pinocchio():
    """Flags that compile and link a program against Pinocchio, behind its source."""
    prefix = folder_of("pinocchio").parents[3]
    return ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", f"-I{prefix / 'include'}", *EIGEN,
            f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lpinocchio_default"]


def compile_for_mujoco(program, *flags):
    """Compiles <program>.c against MuJoCo."""
    wheel = folder_of("mujoco")
    (library,) = wheel.glob("libmujoco.so.*")
    run("gcc", "-std=gnu11", "-O3", *flags, f"-I{wheel / 'include'}", HERE / f"{program}.c", library, f"-Wl,-rpath,{wheel}", "-lm",
        "-o", WORK / program)
