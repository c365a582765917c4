#!/usr/bin/env python3
"""What a sweep costs beside FMPy alone: time and memory, one worker, docs/sweep.md.

    build/venv/bin/python3 bench/sweep_cost.py        # the preset release, or what FOREARM names

Seconds are those of the processor, over all processes, so that other work on the machine does not count; what one run
costs is the difference between many runs and few, so that starting up does not count either.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import fmpy

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE / "python"))
os.environ.setdefault("FOREARM", str(SOURCE / "build" / "release" / "cli" / "forearm"))
os.environ["PYTHONPATH"] = str(SOURCE / "python")  # for the sweeps and their workers

from forearm import export  # noqa: E402

ROBOT = SOURCE / "resources" / "robots" / "double_pendulum.xml"
UR5 = SOURCE / "build" / "robots" / "ur_description" / "urdf" / "ur5_robot.urdf"
FEW, MANY = 400, 2000
STUDY = """robot = "{robot}"
integrator = "{integrator}"
stop = {stop}
step = {step}
outputs = {outputs}
[design]
kind = "latin-hypercube"
runs = {runs}
[design.of]
{of}
"""
SHORT = dict(robot=ROBOT, stop=1.0, step=0.1, outputs=["tip.x", "tip.y"], of="""
"payload.mass" = { from = 0.0, to = 2.0 }
"joint.shoulder.initial_position" = { from = -1.0, to = 1.0 }""")
JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
LONG = dict(robot=UR5, stop=10.0, step=0.01, outputs=[f"joint.{joint}_joint.position" for joint in JOINTS], of="\n".join(
    f'''"joint.{joint}_joint.viscous_friction" = {{ from = 0.3, to = 1.5 }}
"joint.{joint}_joint.initial_position" = {{ from = -1.0, to = 1.0 }}''' for joint in JOINTS))


def alone(fmu, runs):
    """Returns the processor time of a loop that a user would write, with the FMU loaded once."""
    unzipped = fmpy.extract(str(fmu))
    description = fmpy.read_model_description(unzipped, validate=False)
    instance = fmpy.instantiate_fmu(unzipped, description, "CoSimulation")
    began = time.process_time()
    for run in range(runs):
        fmpy.simulate_fmu(unzipped, model_description=description, fmu_instance=instance, validate=False,
                          fmi_type="CoSimulation", stop_time=1.0, output_interval=0.1, output=["tip.x", "tip.y"],
                          start_values={"payload.mass": run / runs, "joint.shoulder.initial_position": run / runs})
        instance.reset()
    return time.process_time() - began


def family(pid):
    """Yields a process and all its descendants."""
    found = [pid]
    for path in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            if f"\nPPid:\t{pid}\n" in path.read_text():
                found += family(int(path.parent.name))
        except OSError:
            pass
    return found


def peak(pid):
    """Returns the largest memory that a process has used so far [MB]."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(text.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0


def sweep(folder, runs, integrator, study_of):
    """Returns the processor time [s] and the largest process [MB] of a sweep."""
    study = folder / "study.toml"
    study.write_text(STUDY.format(runs=runs, integrator=integrator, **study_of))
    shutil.rmtree(folder / "study", ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "1"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0.0
    while process.poll() is None:
        most = max([most, *map(peak, family(process.pid))])
        time.sleep(0.2)
    assert process.returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, most


def each(folder, few, many, *how):
    """Returns the processor time of a run [ms], and the largest process [MB] with few runs and with many."""
    (short, small), (long, large) = sweep(folder, few, *how), sweep(folder, many, *how)
    return 1e3 * (long - short) / (many - few), small, large


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fmu = export(ROBOT, folder / "double_pendulum.fmu", platforms="native")
        by_fmpy = 1e3 * (alone(fmu, MANY) - alone(fmu, FEW)) / (MANY - FEW)
        by_sweep, small, large = each(folder, FEW, MANY, "fmpy", SHORT)
        together, least, most = each(folder, FEW, MANY, "built-in", SHORT)
        long_by_sweep, _, _ = each(folder, FEW // 4, MANY // 4, "fmpy", LONG)
        long_together, _, _ = each(folder, FEW, MANY, "built-in", LONG)
    print(f"FMPy alone {by_fmpy:.2f} ms a run, a sweep {by_sweep:.2f} ms: {by_sweep - by_fmpy:.2f} ms more; built-in "
          f"{together:.2f} ms")
    print(f"largest process {small:.0f} MB with {FEW} runs, {large:.0f} MB with {MANY}; built-in {least:.0f} and {most:.0f} MB")
    print(f"UR5, 10 s in 1000 samples: a sweep {long_by_sweep:.2f} ms a run, built-in {long_together:.2f} ms")


if __name__ == "__main__":
    sys.exit(main())
