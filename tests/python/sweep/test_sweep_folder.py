"""`forearm sweep` and what others do meanwhile: to its folder, and at the ports of this machine."""

import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

import pytest

from sweeps import ENVIRONMENT, STUDY, TOGETHER, folder, result, sweep, write  # noqa: F401 (folder is a fixture)
from test_sweep_thousands import children, wait_for_parts

RUNS = 600


def begin(study, *arguments):
    return subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, *map(str, arguments)], env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def broken_off(folder):
    """A study with a folder of which some parts are there: those of a sweep that has been killed."""
    study = write(folder, STUDY.format(runs=RUNS))
    process = begin(study, "--workers", "1")
    wait_for_parts(folder / "study", process, 4)
    for pid in [process.pid, *children(process.pid)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.communicate()
    return study, sorted((folder / "study" / "parts").glob("*.parquet"))


def test_two_sweeps_do_not_work_in_one_folder(folder):
    study = write(folder, STUDY.format(runs=RUNS))
    first = begin(study, "--workers", "1")
    wait_for_parts(folder / "study", first, 1)
    os.kill(first.pid, signal.SIGSTOP)  # so that it is not done before the second one begins
    second = sweep(study, "--workers", 1)
    os.kill(first.pid, signal.SIGCONT)
    assert second.returncode == 1
    host = socket.gethostname()
    assert second.stderr == (f"forearm: {folder / 'study'}: another sweep (process {first.pid} on {host}) is at work in it; "
                             "wait for its end, or name another folder with --out\n")
    said, complained = first.communicate(timeout=250)
    assert first.returncode == 0, complained
    assert said.startswith(f"{RUNS} runs, {RUNS} of them now")
    assert result(folder / "study")["run"].tolist() == list(range(RUNS))
    assert sorted(path.name for path in (folder / "study").iterdir()) == ["results.parquet", "study.json"]


def test_many_at_once_leave_each_run_once(folder):
    """Who comes late is refused, or finds the work done; nobody does it twice."""
    study = write(folder, STUDY.format(runs=60))
    all_of_them = [begin(study, "--workers", "1") for _ in range(3)]
    said = [process.communicate(timeout=250) for process in all_of_them]
    assert sorted({process.returncode for process in all_of_them}) in ([0], [0, 1]), said
    assert sum(int(out.split(", ")[1].split()[0]) for out, _ in said if out) == 60, said
    assert result(folder / "study")["run"].tolist() == list(range(60))


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def shift(path):
    """The same rows under another name, as if they were of other runs."""
    first = int(path.name.split("-")[1])
    path.rename(path.with_name(path.name.replace(f"{first:09d}-", f"{first + 1:09d}-", 1)))


HARMS = {"bit": flip, "name": shift, "cut": lambda path: path.write_bytes(path.read_bytes()[:100]),
         "empty": lambda path: path.write_bytes(b"")}


def test_a_part_that_is_not_what_was_written_is_refused_and_made_again(broken_off):
    study, parts = broken_off
    whole = parts[1].read_bytes()
    for name, harm in HARMS.items():
        harm(parts[1])
        (changed,) = set(parts[1].parent.glob("*.parquet")) - {path for path in parts if path != parts[1]}
        done = sweep(study, "--workers", 1)
        assert (done.returncode, done.stdout) == (1, ""), name
        assert done.stderr == (f"forearm: {changed}: it is not what the sweep wrote there: its checksum differs; remove it, and "
                               "the same command computes its runs again\n"), name
        changed.unlink()
        parts[1].write_bytes(whole)
    parts[1].unlink()
    assert sweep(study, "--workers", 1).returncode == 0
    assert result(study.with_suffix(""))["run"].tolist() == list(range(RUNS))


def test_parts_of_somebody_else_are_refused(broken_off):
    study, parts = broken_off
    stranger = parts[0].with_name("part-000000000-000000019.parquet")
    shutil.copy(parts[0], stranger)
    done = sweep(study, "--workers", 1)
    assert done.returncode == 1
    assert done.stderr == (f"forearm: {stranger}: the sweep writes no file of this name there; remove it, and the same "
                           "command computes its runs again\n")


def test_a_run_in_two_parts_is_refused(folder, monkeypatch):
    from conftest import SOURCE
    monkeypatch.syspath_prepend(SOURCE / "python")
    from forearm.errors import Error
    from forearm.sweep.store import Store
    from forearm.sweep.study import read_study
    study = read_study(write(folder, STUDY.format(runs=60)))
    row = {name: 0.0 for name in study.of} | {"status": "done", "message": "", "attempts": 1}
    with Store(folder / "out", study, "x", list(study.of), 60) as store:
        store.add([{"run": run, **row} for run in range(20)])
        store.add([{"run": run, **row} for run in range(19, 40)])
        with pytest.raises(Error, match="it holds run 19, and so does part-000000000-000000019-"):
            list(store.missing())
        with pytest.raises(Error, match="it holds run 19"):
            store.finish()
    with Store(folder / "gap", study, "x", list(study.of), 60) as store:
        store.add([{"run": run, **row} for run in range(20)])
        with pytest.raises(Error, match="run 20 is in no part"):
            store.finish()
        assert not store.result.exists()


def test_results_that_have_been_changed_are_not_taken_for_done(folder):
    study = write(folder, STUDY.format(runs=3))
    assert sweep(study, "--workers", 1).returncode == 0
    table = folder / "study" / "results.parquet"
    whole = table.read_bytes()
    flip(table)
    done = sweep(study, "--workers", 1)
    assert done.returncode == 1
    assert done.stderr == (f"forearm: {table}: it is not what the sweep wrote there: its checksum differs; remove it, and the "
                           "same command computes it again\n")
    table.unlink()
    assert sweep(study, "--workers", 1).returncode == 0
    assert table.read_bytes() == whole


def test_a_folder_that_cannot_be_made_is_told(folder):
    (folder / "file").write_text("")
    done = sweep(write(folder, STUDY.format(runs=3)), "--workers", 1, "-o", folder / "file" / "out")
    assert done.returncode == 1 and done.stderr == (f"forearm: {folder / 'file' / 'out'}: no results can be written there: "
                                                    "Not a directory\n")


# ------------------------------------------------------------------------------------------- ports


def listening(pids):
    """Addresses and ports at which some of these processes listen, as the kernel has them."""
    sockets = set()
    for pid in pids:
        try:
            sockets |= {link.readlink().name for link in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
        except OSError:
            pass
    found = set()
    for table, words in ("tcp", 1), ("tcp6", 4), ("udp", 1), ("udp6", 4):
        for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, = line.split()
            inode = line.split()[9]
            if f"socket:[{inode}]" not in sockets or (table.startswith("tcp") and state != "0A"):
                continue
            address, port = local.split(":")
            if words == 1:
                shown = socket.inet_ntoa(int(address, 16).to_bytes(4, sys.byteorder))
            else:
                shown = socket.inet_ntop(socket.AF_INET6, b"".join(
                    int(address[i:i + 8], 16).to_bytes(4, sys.byteorder) for i in range(0, 32, 8)))
            found.add((table, shown, int(port, 16)))
    return found


def answers_without_a_certificate(port):
    """What a stranger gets who speaks TLS and has no certificate, and one who does not speak it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), 20) as plain:
        try:
            with context.wrap_socket(plain) as encrypted:
                encrypted.settimeout(20)
                secret = encrypted.recv(1000)
        except (ssl.SSLError, ConnectionError):
            secret = b""
    with socket.create_connection(("127.0.0.1", port), 20) as plain:
        plain.settimeout(20)
        try:
            plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return secret + plain.recv(1000)
        except ConnectionError:
            return secret


def test_no_port_is_open_that_nobody_asked_for(folder):
    """A scheduler, two nannies and two workers listen, on the loopback interface and to those who show the sweep's own
    certificate. (TLS answers a stranger with an alert, whose first byte is 21.)"""
    study = write(folder, TOGETHER.format(runs=2000))
    process = begin(study, "--workers", "2")
    try:
        wait_for_parts(folder / "study", process, 1)
        ports, end = set(), time.monotonic() + 60
        while len(ports) < 5 and time.monotonic() < end:
            ports = listening([process.pid, *children(process.pid)])
        assert process.poll() is None
        assert len(ports) == 5 and {(table, address) for table, address, _ in ports} == {("tcp", "127.0.0.1")}, ports
        assert 8787 not in {port for *_, port in ports}
        for *_, port in ports:
            said = answers_without_a_certificate(port)
            assert said[:1] in (b"", b"\x15"), (port, said)
    finally:
        process.kill()
        process.communicate()
