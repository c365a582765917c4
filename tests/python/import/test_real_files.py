"""Every URDF of the example-robot-data wheel is read, or refused for a reason that is known here."""

import subprocess

import pytest

from conftest import FOREARM, SOURCE

FILES = sorted((SOURCE / "build" / "robots").rglob("*.urdf"))

# All true: their inertias are negative, their fingers weigh nothing, a leader is called otherwise.
REFUSED = {
    "alex_psyonic_hands.urdf": "names the joint 'index_q1', which is not in the file",
    "romeo.urdf": "'LFinger11Link' moves but has no inertia",
    "romeo_laas_small.urdf": "'body' is not positive semi-definite",
    "ur3.urdf": "the robot has no links",
}


@pytest.mark.skipif(not FILES, reason="scripts/test has not fetched the robots")
def test_a_real_file_is_read_or_refused_with_a_place_and_a_reason():
    for path in FILES:
        done = subprocess.run([FOREARM, "check", path], capture_output=True, timeout=60)
        said = done.stderr.decode()
        expected = REFUSED.get(path.name)
        if done.returncode == 0:
            assert not expected, f"{path} is read by now"
            assert "nan" not in done.stdout.decode(), path
        else:
            assert done.returncode == 1, f"{path}: {said}"
            last = said.rstrip("\n").split("\n")[-1]
            assert expected and expected in last, said
            assert last.startswith(f"{path}:"), said
