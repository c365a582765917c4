"""An FMU needs nothing around it: no environment, no home, no rights, no particular locale."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import pytest

# Says which decimal point the process has, then the last sample of a simulation, bit for bit.
CHILD = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
import fmpy
samples = fmpy.simulate_fmu(sys.argv[1], fmi_type=sys.argv[2], stop_time=0.5, output_interval=0.05)
print(locale.localeconv()["decimal_point"])
print(*(float(value).hex() for value in samples[-1]))
"""


def run(fmu, kind, **options):
    done = subprocess.run([sys.executable, "-c", CHILD, str(fmu), kind], capture_output=True,
                          text=True, cwd="/", timeout=120, **options)
    assert done.returncode == 0, done.stderr
    point, numbers = done.stdout.strip().splitlines()[-2:]
    assert len(numbers.split()) > 1
    return point, numbers


@pytest.fixture(scope="module")
def locales():
    """A folder for LOCPATH with de_DE.UTF-8 in it, whose decimal point is a comma."""
    if not shutil.which("localedef") or not pathlib.Path("/usr/share/i18n/locales/de_DE").exists():
        pytest.skip("skipped: localedef not found (Debian's package locales)")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"],
                       check=True, capture_output=True)
        yield folder


@pytest.fixture(scope="module", params=["2", "3"])
def fmu(request, export, source):
    return export(source / "resources" / "robots" / "puma560.xml", "--fmi", request.param)


@pytest.fixture(scope="module", params=["ModelExchange", "CoSimulation"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def usual(fmu, kind):
    return run(fmu, kind)[1]


@pytest.fixture
def unpacked(fmu):
    """The FMU unpacked into a folder that nobody may write to, with an awkward name."""
    with tempfile.TemporaryDirectory() as above:
        folder = pathlib.Path(above) / "nur lesen, für alle"
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(folder)
        os.chmod(above, 0o755)
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555)
        yield folder
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755)


def another_user():
    """Options that make subprocess.run change to the user nobody."""
    if os.geteuid() != 0:
        pytest.skip("skipped: only root can become another user")
    options = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", "import fmpy"], check=True, capture_output=True, cwd="/",
                       **options)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("skipped: another user cannot reach the Python packages")
    return options


def test_no_environment_changes_nothing(fmu, kind, usual):
    assert run(fmu, kind, env={})[1] == usual


def test_a_decimal_comma_changes_nothing(fmu, kind, usual, locales):
    point, numbers = run(fmu, kind, env={"LC_ALL": "de_DE.UTF-8", "LOCPATH": locales})
    assert point == ","
    assert numbers == usual


def test_a_read_only_folder_with_an_awkward_name_changes_nothing(unpacked, kind, usual):
    assert run(unpacked, kind)[1] == usual


def test_another_user_with_nothing_at_all_gets_the_same(unpacked, kind, usual, locales):
    point, numbers = run(unpacked, kind, env={"LC_ALL": "de_DE.UTF-8", "LOCPATH": locales},
                         **another_user())
    assert point == ","
    assert numbers == usual
