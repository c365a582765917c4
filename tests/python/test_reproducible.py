"""Two exports are the same bytes, whoever makes them where: every kind of FMU, in two places that
differ in folder, user's home, time zone, locale, umask and clock."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import time

import pytest

from conftest import BUILD, FOREARM, SOURCE
from variants import every_variant

ROBOTS = [SOURCE / "resources" / "robots" / name for name in ("puma560.xml", "serpenoid.xml")]
LOCALES = BUILD / "tests" / "locales"  # de_DE.UTF-8, where localedef is


def export(robot, options, folder, umask, **environment):
    """The FMU's hash, made from a copy of the robot file."""
    folder.mkdir(parents=True)
    copy = shutil.copy(robot, folder)
    old = os.umask(umask)
    try:
        subprocess.run([FOREARM, "export", pathlib.Path(copy).name, "-o", "made.fmu", *options],
                       cwd=folder, check=True, capture_output=True,
                       env=os.environ | {"LOCPATH": str(LOCALES), **environment})
    finally:
        os.umask(old)
    return hashlib.sha256((folder / "made.fmu").read_bytes()).hexdigest()


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
@every_variant
def test_two_exports_are_the_same_bytes(robot, options, fmi, tmp_path):
    options = ["--fmi", str(fmi), *options]
    one = export(robot, options, tmp_path / "a", 0o022, TZ="UTC", LC_ALL="C", HOME="/")
    # A zip archive's times have steps of two seconds.
    time.sleep(2.1 if fmi == 2 and robot == ROBOTS[0] else 0)
    two = export(robot, options, tmp_path / "another folder" / "deep down", 0o077,
                 TZ="Pacific/Apia", LC_ALL="de_DE.UTF-8", HOME=str(tmp_path))
    assert one == two
    # Another identifier is another FMU: the hash sees what is in it.
    assert one != export(robot, [*options, "--name", "other"], tmp_path / "c", 0o022)
