"""Every file that the program writes is whole or as it was: with the disk full after any number of bytes, in a folder
that is closed, and killed at any moment. FOREARM_KILLS in the environment says how often each writer is killed."""

import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from conftest import FOREARM, SOURCE

ROBOTS = SOURCE / "resources" / "robots"
PENDULUM = ROBOTS / "double_pendulum.xml"
KILLS = int(os.environ.get("FOREARM_KILLS", 6))
OLD = b"what was there before\n"
NOBODY = 65534

WRITERS = {
    "fmi3.fmu": ["export", PENDULUM, "-o"],
    "fmi2.fmu": ["export", ROBOTS / "patu655.xml", "--fmi", "2", "-o"],
    "run.csv": ["simulate", PENDULUM, "--stop", "0.3", "-o"],
    "run.svg": ["simulate", PENDULUM, "--stop", "0.3", "-o", "/dev/null", "--plot"],
    "run.png": ["simulate", PENDULUM, "--stop", "0.3", "-o", "/dev/null", "--plot"],
    "view.html": ["view", PENDULUM, "-o"],
    "robot.png": ["render", PENDULUM, "-o"],
    "robot.svg": ["render", PENDULUM, "-o"],
    "run.html": ["simulate", PENDULUM, "--stop", "0.3", "-o", "/dev/null", "--html"],
    "matrices.csv": ["linearise", PENDULUM, "--out"],
    "matrices.json": ["linearise", PENDULUM, "--json", "--out"],
    "forward.csv": ["forward", PENDULUM, "--in", "states", "--out"],
    "inverse.csv": ["inverse", PENDULUM, "--in", "states", "--out"],
    "runs.csv": ["runs", PENDULUM, "--in", "starts", "--stop", "0.3", "--out"],
    "runs.npy": ["runs", PENDULUM, "--in", "starts", "--stop", "0.3", "--out"],
    "runs.npz": ["runs", PENDULUM, "--in", "starts", "--stop", "0.3", "--out"],
    "arm.xml": ["parts", SOURCE / "resources" / "parts" / "cmu_dd_arm.xml", "--arm", ROBOTS / "cmu_dd_arm.xml", "--out"],
}


TABLES = {"states": "joint.elbow.position\n1\n2\n3\n", "starts": "joint.elbow.initial_position\n1\n2\n3\n"}


class Writer:
    """One of them in a folder of its own, where its file has been written once already."""

    def __init__(self, name, folder):
        self.folder, self.path = folder, folder / name
        for table, text in TABLES.items():
            (folder / table).write_text(text)
        self.command = [FOREARM, *map(str, WRITERS[name]), self.path]
        done = self.run()
        if b"built without the viewer" in done.stderr:
            pytest.skip("there is no viewer in this build")
        assert done.returncode == 0, done.stderr
        self.whole = self.path.read_bytes()
        assert len(self.whole) > 100
        self.start_again()

    def run(self, **options):
        return subprocess.run(self.command, cwd=self.folder, capture_output=True, timeout=120, **options)

    def start_again(self):
        for path in self.folder.iterdir():
            if path.name not in TABLES:
                path.unlink()
        self.path.write_bytes(OLD)

    def is_untouched(self):
        return self.path.read_bytes() == OLD and {p.name for p in self.folder.iterdir()} == {self.path.name, *TABLES}

    def is_whole(self):
        """Pages tell how long the run took, with more digits or fewer."""
        data = self.path.read_bytes()
        if self.path.suffix == ".html":
            return data.endswith(b"</html>\n") and abs(len(data) - len(self.whole)) < 50
        return data == self.whole


@pytest.fixture(params=WRITERS)
def writer(request):
    """In a folder that other users reach, too."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Writer(request.param, pathlib.Path(name))


def test_a_full_disk_leaves_what_was_there(writer):
    """A limit on the size of files stands for it, at which write fails; what is left over is removed."""
    size = len(writer.whole)
    for room in {0, 1, 99, size // 2, size - 1 if writer.path.suffix != ".html" else size * 9 // 10}:
        def limit(room=room):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        done = writer.run(preexec_fn=limit, restore_signals=False)
        assert done.returncode == 3, done.stderr
        what = "cannot (write it|keep its records in a temporary file)" if writer.path.suffix in (".npy", ".npz") else "cannot write it"
        assert re.fullmatch(rf"forearm: \S+: {what}: [^\n]+\n", done.stderr.decode().split("\r")[-1]), done.stderr
        assert writer.is_untouched(), room


def test_whoever_is_killed_while_writing_leaves_what_was_there(writer):
    """By the signal that a too large file brings: after exactly so many bytes."""
    for room in (0, 1, len(writer.whole) // 2, len(writer.whole) * 9 // 10):
        def limit(room=room):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        assert writer.run(preexec_fn=limit).returncode == -signal.SIGXFSZ
        assert writer.path.read_bytes() == OLD, room


def test_killed_at_any_moment_it_leaves_the_old_or_the_new_file(writer):
    begun = time.monotonic()
    assert writer.run().returncode == 0
    lasts = time.monotonic() - begun
    writer.start_again()
    seed = random.Random(writer.path.name)
    for _ in range(KILLS):
        process = subprocess.Popen(writer.command, cwd=writer.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(seed.uniform(0, 1.1 * lasts))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert writer.path.read_bytes() == OLD or writer.is_whole()
        writer.start_again()


def test_a_closed_folder_is_said(writer):
    """To somebody who may not write there; to root nothing is closed. The old file is theirs."""
    if os.geteuid() == 0 and writer.path.exists():
        os.chown(writer.path, NOBODY, NOBODY)
    writer.folder.chmod(0o555)
    reached = all(path.stat().st_mode & 0o001 for path in [*writer.folder.parents, *FOREARM.resolve().parents])
    if os.geteuid() == 0 and not reached:
        pytest.skip("other users than root do not reach the program")
    try:
        done = writer.run(preexec_fn=(lambda: os.setuid(NOBODY)) if os.geteuid() == 0 else None)
    finally:
        writer.folder.chmod(0o755)
    assert done.returncode == 3
    assert b"new files are not allowed in the folder" in done.stderr
    assert writer.is_untouched()


def test_what_is_no_file_is_not_replaced(writer):
    writer.path.unlink()
    writer.path.mkdir()
    done = writer.run()
    assert done.returncode == 3
    assert b"it is there already, but is no file" in done.stderr
    assert list(writer.path.iterdir()) == []


def test_a_disk_without_room_is_said(tmp_path):
    """A real one, in memory; it takes a name space of our own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=64k none "$0" && echo old > "$0/a.fmu" && "$@"; code=$?; ls "$0"; cat "$0/a.fmu"; exit $code'
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("unshare is not allowed here")
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script, disk, FOREARM, "export", PENDULUM, "-o", disk / "a.fmu"],
                          capture_output=True, text=True)
    if "mount" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert done.returncode == 3
    assert done.stderr == f"forearm: {disk}/a.fmu: cannot write it: the disk is full; make room, or name another folder\n"
    assert done.stdout == "a.fmu\nold\n"
