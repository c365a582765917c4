"""Archives from somebody who wants to do harm, given to `forearm inspect`: each is refused with one sentence, within
seconds and 600 MiB of address space, and nothing is written anywhere."""

import os
import re
import resource
import subprocess
import zipfile

import pytest

from conftest import FOREARM, SOURCE
from hostile_zip import Entry, archive, zip64

DESCRIPTION = Entry(b"modelDescription.xml", b"<fmiModelDescription/>")
ZEROS = bytes(64 << 20)
ROOM = 600 << 20  # of address space: what is unpacked at once must fit in far less than a bomb holds


def beside(entry):
    return archive(DESCRIPTION, entry)


ELSEWHERE, NO_NAME = "unpacked somewhere else", "whose name no file can have"
LINK, DAMAGED, HUGE = "has a link or a device", "damaged|cannot be read", "more than 512 MiB|cannot be read"

HARM = {
    "up": (beside(Entry(b"../x")), ELSEWHERE),
    "up from within": (beside(Entry(b"resources/../../x")), ELSEWHERE),
    "up at the end": (beside(Entry(b"resources/..")), ELSEWHERE),
    "this folder": (beside(Entry(b"./modelDescription.xml", b"<other/>")), ELSEWHERE),
    "this folder within": (beside(Entry(b"resources/./robot.forearm")), ELSEWHERE),
    "two slashes": (beside(Entry(b"resources//robot.forearm")), ELSEWHERE),
    "no name": (beside(Entry(b"")), ELSEWHERE),
    "absolute": (beside(Entry(b"/etc/x")), ELSEWHERE),
    "backslash": (beside(Entry(b"..\\x")), ELSEWHERE),
    "drive": (beside(Entry(b"C:/x")), ELSEWHERE),
    "drive without slash": (beside(Entry(b"C:x")), ELSEWHERE),
    "stream": (beside(Entry(b"x:y")), ELSEWHERE),
    "escape sequence": (beside(Entry(b"\x1b]0;owned\x07")), NO_NAME),
    "escape sequence in 8 bits": (beside(Entry(b"\xc2\x9b31m", flags=0x800)), NO_NAME),
    "line feed": (beside(Entry(b"a\nforearm: all is well")), NO_NAME),
    "symbolic link": (beside(Entry(b"resources/link", b"/etc/passwd", mode=0o120777)), LINK),
    "description is a link": (archive(Entry(b"modelDescription.xml", b"/etc/passwd", mode=0o120777)), LINK),
    "device": (beside(Entry(b"null", mode=0o020666)), LINK),
    "named pipe": (beside(Entry(b"pipe", mode=0o010666)), LINK),
    "encrypted": (beside(Entry(b"secret", bytes(20), flags=1)), "encrypted file 'secret'"),
    "encrypted description": (archive(Entry(b"modelDescription.xml", bytes(20), flags=1)), "encrypted file"),
    "strongly encrypted": (beside(Entry(b"secret", bytes(20), flags=0x41)), "encrypted file|cannot be read"),
    "same file twice": (beside(DESCRIPTION), "two files called 'modelDescription.xml'"),
    "other file twice": (archive(DESCRIPTION, Entry(b"a"), Entry(b"b"), Entry(b"a")), "two files called 'a'"),
    "4 GB claimed": (archive(Entry(b"modelDescription.xml", claims=0xFFFFFFFE)), HUGE),
    "4 GB claimed beside": (beside(Entry(b"x", claims=0xFFFFFFFE)), HUGE),
    "8 EB claimed": (beside(Entry(b"x", claims=0xFFFFFFFF, extra=zip64(2**63 - 1))), HUGE),
    "16 EB claimed": (archive(Entry(b"modelDescription.xml", claims=0xFFFFFFFF, extra=zip64(2**64 - 1))), HUGE),
    "511 MB claimed": (archive(Entry(b"modelDescription.xml", claims=511 << 20)), "damaged|enough memory"),
    "longer than claimed": (archive(Entry(b"modelDescription.xml", ZEROS, method=8, claims=10)), DAMAGED),
    "shorter than claimed": (archive(Entry(b"modelDescription.xml", b"<a/>", method=8, claims=1000)), DAMAGED),
    "wrong checksum": (archive(Entry(b"modelDescription.xml", crc=1)), DAMAGED),
    "wrong method": (archive(Entry(b"modelDescription.xml", method=77)), DAMAGED),
    "no deflated data": (archive(Entry(b"modelDescription.xml", b"\xff" * 99, flags=8, method=9)), DAMAGED),
    "one file fewer than claimed": (archive(DESCRIPTION, count=2), DAMAGED),
    "65535 files claimed": (archive(DESCRIPTION, count=65535), DAMAGED),
    "no file": (b"PK\3\4" + archive(), DAMAGED + "|without modelDescription"),
    "cut": (archive(DESCRIPTION)[:-30], DAMAGED),
    "beginning only": (b"PK\3\4", DAMAGED),
    "many files": (archive(DESCRIPTION, *(Entry(b"%d" % i, b"") for i in range(65534))), "Forearm did not make"),
    "robot of zeros": (beside(Entry(b"resources/robot.forearm", ZEROS, method=8)), "robot"),
}


def inspect(path):
    """What the program says, run with little memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([FOREARM, "inspect", path.name], cwd=path.parent, capture_output=True, timeout=30,
                          preexec_fn=limit)


def test_more_files_than_any_fmu_has_are_refused(tmp_path):
    """More than the old form of the archive can count, so the newer one says how many: 65535 stand in the old place."""
    path = tmp_path / "bad.fmu"
    with zipfile.ZipFile(path, "w") as many:
        for i in range(100001):
            many.writestr(f"{i}", b"")
    done = inspect(path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"forearm: bad.fmu: has more than 100000 files in it and cannot be an FMU\n"


@pytest.mark.parametrize("what", HARM)
def test_harm_is_refused(what, tmp_path):
    data, sentence = HARM[what]
    path = tmp_path / "bad.fmu"
    path.write_bytes(data)
    done = inspect(path)
    said = done.stderr.decode()
    assert done.returncode in (1, 3), (done.returncode, said)
    assert done.stdout == b""
    assert re.fullmatch(r"(forearm: bad\.fmu|robot\.forearm:\d+): [^\n\x1b]+\n", said), said
    assert re.search(sentence, said), said
    assert os.listdir(tmp_path) == ["bad.fmu"]


@pytest.fixture(scope="session")
def members(export):
    with zipfile.ZipFile(export(SOURCE / "resources" / "robots" / "double_pendulum.xml")) as fmu:
        return {name: fmu.read(name) for name in ("modelDescription.xml", "resources/robot.forearm")}


def of(members):
    return archive(*(Entry(name.encode(), data, method=8) for name, data in members.items()))


def test_archives_made_here_are_read_if_they_are_right(members, tmp_path):
    """Otherwise the refusals above would show nothing."""
    path = tmp_path / "good.fmu"
    path.write_bytes(of(members))
    done = inspect(path)
    assert done.returncode == 0, done.stderr
    assert b"double_pendulum" in done.stdout


def test_a_robot_that_is_not_the_description_s_is_refused(members, tmp_path):
    """Its checksum in the archive fits; the token in the description does not."""
    key, _, rest = members["resources/robot.forearm"].partition(b"gravity ")
    changed = key + b"gravity " + (b"-" + rest if not rest.startswith(b"-") else rest[1:])
    path = tmp_path / "bad.fmu"
    path.write_bytes(of({**members, "resources/robot.forearm": changed}))
    done = inspect(path)
    assert done.returncode == 1
    assert b"belongs to another robot" in done.stderr, done.stderr
