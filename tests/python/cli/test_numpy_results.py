"""`-o result.npy` and `.npz` of `forearm runs` and `forearm simulate`: what the CSV says, to the bit."""

import csv
import zipfile

import numpy
import pytest

from cli import fails, ok
from conftest import SOURCE

DOUBLE = SOURCE / "resources" / "robots" / "double_pendulum.xml"
TABLE = "payload.mass,joint.elbow.torque\n0.5,0.1\n-1,0\n0.25,-0.3\n"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def numbers(rows, name):
    return numpy.array([float(row[name] or "nan") for row in rows])


def run(folder, end, *options, table=TABLE, command="runs"):
    (folder / "tафел.csv").write_text(table)  # the messages name it
    given = ("--in", folder / "tафел.csv") if command == "runs" else ()
    path = folder / f"out.{end}"
    ok(command, DOUBLE, *given, "--stop", "0.5", "--step", "0.1", "-o", path, *options)
    return rows_of(path) if end == "csv" else numpy.load(path)


def same(a, b):
    assert numpy.array_equal(a, b, equal_nan=True)


@pytest.mark.parametrize("keep", ["last", "first,min,mean"])
def test_a_record_for_each_run(tmp_path, keep):
    rows, records, arrays = (run(tmp_path, end, "--keep", keep) for end in ("csv", "npy", "npz"))
    assert list(records.dtype.names[:3]) == ["run", "payload.mass", "joint.elbow.torque"]
    assert set(records.dtype.names) == set(arrays.files) == set(rows[0])
    for name in rows[0]:
        assert records[name].shape == arrays[name].shape == (3,)
        if name in ("status", "message"):
            assert records[name].tolist() == arrays[name].tolist() == [row[name] for row in rows]
        else:
            same(records[name], numbers(rows, name))
            same(arrays[name], numbers(rows, name))
    assert records["status"].tolist() == ["done", "failed", "done"] and "tафел.csv:3:1: " in records["message"][1]


def test_samples_are_an_axis_and_what_does_not_change_is_not_repeated(tmp_path):
    rows, records, arrays = (run(tmp_path, end, "--keep", "all", "--variables", "joint.elbow.*,tip.x") for end in ("csv", "npy", "npz"))
    assert records["joint.elbow.position"].shape == arrays["joint.elbow.position"].shape == (3, 6)
    done = [row for row in rows if row["status"] == "done"]
    for name in rows[0]:
        if name in ("run", "status", "message", "payload.mass", "joint.elbow.torque"):
            assert records[name].shape == arrays[name].shape == (3,)
            continue
        for k, run_number in enumerate((0, 2)):
            wanted = numbers(done[6 * k:6 * k + 6], name)
            same(records[name][run_number], wanted)
            same(arrays[name][run_number] if name != "time" or arrays[name].ndim == 2 else arrays[name], wanted)
    assert numpy.isnan(records["joint.elbow.position"][1]).all()
    alone = run(tmp_path, "npz", "--keep", "all", "--variables", "tip.x")
    assert alone["time"].tolist() == [0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5] and alone["tip.x"].shape == (3, 6)


def test_a_motion(tmp_path):
    rows, records, arrays = (run(tmp_path, end, command="simulate") for end in ("csv", "npy", "npz"))
    assert list(records.dtype.names) == list(rows[0]) == arrays.files and records.shape == (6,)
    for name in rows[0]:
        same(records[name], numbers(rows, name))
        same(arrays[name], numbers(rows, name))


def test_equal_results_are_equal_files_that_others_read(tmp_path):
    run(tmp_path, "npz")
    first = (tmp_path / "out.npz").read_bytes()
    run(tmp_path, "npz")
    assert (tmp_path / "out.npz").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "out.npz") as archive:
        assert archive.testzip() is None  # sums and sizes
    assert not [path for path in tmp_path.iterdir() if path.name not in ("out.npz", "tафел.csv")]


def test_no_runs_and_headers_of_any_length(tmp_path):
    assert run(tmp_path, "npy", table="payload.mass\n").shape == (0,)
    assert run(tmp_path, "npz", table="payload.mass\n")["tip.x"].shape == (0,)
    links = "".join(f'<joint name="{"j" * 120}{k}" type="revolute" a="0.1"><link name="l{k}" mass="1" com="0 0 0" inertia="0 0.1 0.1 0 0 0"/></joint>'
                    for k in range(60))
    robot = tmp_path / "long.xml"
    robot.write_text(f'<arm name="long" convention="standard" gravity="0 -9.81 0">{links}</arm>')
    (tmp_path / "one.csv").write_text("payload.mass\n1\n")
    for end in ("csv", "npy", "npz"):
        ok("runs", robot, "--in", tmp_path / "one.csv", "--stop", "0.01", "--keep", "first,last,min,max", "-o", tmp_path / f"long.{end}")
    rows, records, arrays = rows_of(tmp_path / "long.csv"), numpy.load(tmp_path / "long.npy", max_header_size=1 << 20), numpy.load(tmp_path / "long.npz")
    assert (tmp_path / "long.npy").read_bytes()[6] == 2  # a header of more than 64 kB
    assert set(records.dtype.names) == set(arrays.files) == set(rows[0])
    same(records["tip.x.max"], numbers(rows, "tip.x.max"))


@pytest.mark.parametrize("end", ["npy", "npz"])
def test_what_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path, end):
    path = tmp_path / "nowhere" / f"out.{end}"
    assert "cannot" in fails(3, "simulate", DOUBLE, "--stop", "0.1", "-o", path)
    before = tmp_path / f"kept.{end}"
    before.write_text("before")
    (tmp_path / "bad.csv").write_text("payload.mass\nnumber\n")
    fails(1, "runs", DOUBLE, "--in", tmp_path / "bad.csv", "-o", before)
    assert before.read_text() == "before" and len(list(tmp_path.iterdir())) == 2
