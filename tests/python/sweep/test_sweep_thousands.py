"""`forearm sweep` with many runs, by either integrator: every run once, whoever dies, and the same results however many
work. Two hundred by FMPy; scripts/campaign-sweep sets FOREARM_SWEEP_RUNS=2000."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import fmpy
import numpy
import pytest

from conftest import FOREARM, SOURCE
from sweeps import ENVIRONMENT, GRID, PENDULUM, STUDY, TOGETHER, folder, result, sweep, write  # noqa: F401 (folder is a fixture)

parquet = pytest.importorskip("pyarrow.parquet")
RUNS = int(os.environ.get("FOREARM_SWEEP_RUNS", 200))
TOGETHER_RUNS = 2000  # by the built-in integrator, of which up to 200 are one task


def undisturbed(folder, text, runs):
    """Many runs by one worker that nobody disturbs."""
    (folder / "pendulum.xml").write_text(PENDULUM)
    study = write(folder, text.format(runs=runs))
    done = sweep(study, "--workers", 1, "-o", folder / "calm", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"runs": runs, "done": runs, "failed": 0,
                                       "result": str(folder / "calm" / "results.parquet")}
    return study, (folder / "calm" / "results.parquet").read_bytes(), runs


@pytest.fixture(scope="module")
def many_by_fmpy(tmp_path_factory):
    return undisturbed(tmp_path_factory.mktemp("sweep"), STUDY, RUNS)


@pytest.fixture(scope="module")
def many_together(tmp_path_factory):
    return undisturbed(tmp_path_factory.mktemp("together"), TOGETHER, TOGETHER_RUNS)


@pytest.fixture(params=["many_by_fmpy", "many_together"])
def by_either(request):
    return request.getfixturevalue(request.param)


def children(pid):
    """Processes below a process, youngest generation last."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if f"\nPPid:\t{pid}\n" in text:
            child = int(status.parent.name)
            found += [child, *children(child)]
    return found


def is_worker(pid):
    try:
        return b"spawn_main" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def wait_for_parts(folder, process, count):
    end = time.monotonic() + 120
    while len(list((folder / "parts").glob("*.parquet")) if (folder / "parts").exists() else []) < count:
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


def test_a_killed_worker_costs_nothing_and_repeats_nothing(by_either, tmp_path):
    study, calm, runs = by_either
    out = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "2", "-o", out],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_parts(out, process, 3)
    victim = next(pid for pid in children(process.pid) if is_worker(pid))
    os.kill(victim, signal.SIGKILL)
    said, complained = process.communicate(timeout=250)
    assert process.returncode == 0, complained
    assert said.startswith(f"{runs} runs, {runs} of them now, 0 of these failed")
    assert result(out)["run"].tolist() == list(range(runs))
    assert result(out).equals(parquet.read_table(study.parent / "calm" / "results.parquet").to_pandas())
    assert (out / "results.parquet").read_bytes() == calm  # not even the file tells how many worked
    assert not (out / "parts").exists()


def test_a_killed_sweep_goes_on_where_it_was(by_either, tmp_path):
    study, calm, runs = by_either
    out = tmp_path / "out"
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "2", "-o", out],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    wait_for_parts(out, process, 4)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = sum(parquet.read_metadata(path).num_rows for path in (out / "parts").glob("*.parquet"))
    assert 0 < kept < runs
    (out / "parts" / "part-000000000-000000019-0123456789abcdef.parquet.1.new").write_bytes(b"half a file")
    done = sweep(study, "--workers", 2, "-o", out)
    assert done.stdout.startswith(f"{runs} runs, {runs - kept} of them now, 0 of these failed"), done.stderr
    assert (out / "results.parquet").read_bytes() == calm
    assert sweep(study, "-o", out).stdout.startswith(f"{runs} runs, 0 of them now")


def test_each_run_is_what_fmpy_makes_of_it_alone(many_by_fmpy, tmp_path):
    study, *_ = many_by_fmpy
    rows = parquet.read_table(study.parent / "calm" / "results.parquet").to_pandas()
    fmu = tmp_path / "pendulum.fmu"
    subprocess.run([FOREARM, "export", study.parent / "pendulum.xml", "-o", fmu], check=True, capture_output=True)
    for run in (0, 17, RUNS - 1):
        row = rows.iloc[run]
        start = {name: row[name] for name in ("payload.mass", "joint.pivot.initial_position")}
        alone = fmpy.simulate_fmu(str(fmu), stop_time=0.5, output_interval=0.1, fmi_type="CoSimulation",
                                  start_values={**start, "joint.pivot.initial_velocity": 0.25},
                                  output=["joint.pivot.position", "energy.kinetic"])
        for name in ("joint.pivot.position", "energy.kinetic"):
            assert row[f"{name}.last"] == alone[name][-1]
            assert row[f"{name}.max"] == alone[name].max()


def test_a_latin_hypercube_has_one_sample_in_each_part_of_every_range(many_by_fmpy):
    rows = parquet.read_table(many_by_fmpy[0].parent / "calm" / "results.parquet").to_pandas()
    parts = numpy.floor(rows["payload.mass"] / 2.0 * RUNS).astype(int)
    assert sorted(parts) == list(range(RUNS))
    assert abs(numpy.corrcoef(rows["payload.mass"], rows["joint.pivot.initial_position"])[0, 1]) < 0.1


def test_a_scheduler_somewhere_gives_the_same(by_either, tmp_path, monkeypatch):
    study, calm, runs = by_either
    monkeypatch.syspath_prepend(SOURCE / "python")  # Dask wants one environment everywhere
    from distributed import LocalCluster
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])  # of the workers
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        done = sweep(study, "--scheduler", cluster.scheduler_address, "-o", tmp_path / "far")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "far" / "results.parquet").read_bytes() == calm


@pytest.mark.parametrize("text", [STUDY, TOGETHER], ids=["fmpy", "together"])
def test_a_run_that_kills_its_process_is_given_up_and_the_others_are_done(folder, text):
    study = write(folder, text.format(runs=50))
    done = sweep(study, "--workers", 2, environment={"FOREARM_SWEEP_CRASH_AT": "7"})
    assert done.stdout.startswith("50 runs, 50 of them now, 1 of these failed"), done.stderr
    rows = result(folder / "study")
    assert rows["run"].tolist() == list(range(50))
    assert rows["message"][7] == "the process that ran it died, 3 times"
    assert (rows["status"].drop(7) == "done").all()


# A program that is ended by a signal whenever the mass of 13 kg is among its runs.
MORTAL = """#!/bin/sh
test "$1" = runs || exec {forearm} "$@"
cat > {folder}/table.$$
grep -q '^13.0,' {folder}/table.$$ && kill -9 $$
exec {forearm} "$@" < {folder}/table.$$
"""


def test_together_a_run_that_kills_the_program_is_given_up_and_the_others_are_done(folder):
    study = write(folder, 'integrator = "built-in"\n' + GRID.replace("[0.0, 1e308, 2.0]", str([*map(float, range(20))])))
    assert sweep(study, "--workers", 1, "-o", folder / "calm").returncode == 0
    mortal = folder / "forearm"
    mortal.write_text(MORTAL.format(forearm=FOREARM, folder=folder))
    mortal.chmod(0o755)
    done = sweep(study, "--workers", 2, environment={"FOREARM": str(mortal)})
    assert done.stdout.startswith("40 runs, 40 of them now, 2 of these failed"), done.stderr
    rows, calm = result(folder / "study"), result(folder / "calm")
    assert rows["message"][26:28].tolist() == ["the process that ran it died, 3 times"] * 2
    assert rows["attempts"][26:28].tolist() == [3, 3]
    assert rows.drop([26, 27]).equals(calm.drop([26, 27]))


MESSAGES = """
import os, resource
if __name__ == "__main__":
    from forearm.sweep.cluster import open_client
    client, cluster = open_client(None, 1)
    fmu, most = os.urandom(700_000), []
    for count in (20, 160):
        for i in range(count):
            client.submit(len, fmu, pure=False).result()
        most.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(*most)
    client.close()
    cluster.close()
"""


def test_memory_does_not_grow_with_the_tasks(folder):
    """Of the process that hands them out: eight times as many with an FMU of 0.7 MB each may take 50 MB more."""
    (folder / "messages.py").write_text(MESSAGES)
    done = subprocess.run([sys.executable, folder / "messages.py"], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=250)
    few, many = map(float, done.stdout.split())
    assert many < few + 50, done.stdout  # if all of them are kept, 150 MB and more
