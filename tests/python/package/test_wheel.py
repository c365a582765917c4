"""The wheel that scripts/wheel makes, where there is no compiler and no library but the system's."""

import json
import os
import pathlib
import re
import site
import subprocess
import sys
import zipfile

import pytest

from conftest import SOURCE

WHEELS = sorted((SOURCE / "build" / "wheel" / "dist").glob("forearm-*.whl"))
pytestmark = pytest.mark.skipif(not WHEELS, reason="no wheel; scripts/wheel makes one")

PENDULUM = """<arm name="pendulum" convention="standard" gravity="0 -9.81 0"><joint name="pivot" type="revolute">
<link name="rod" mass="1" com="0.5 0 0" inertia="0 0.08 0.08 0 0 0"/></joint><tip xyz="1 0 0"/></arm>"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel") / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder,
                    WHEELS[-1]], check=True)
    return folder


def python(installed, script, *arguments, cwd=None):
    """A script's output, in an environment with nothing but the wheel, FMPy and numpy."""
    packages = ":".join([str(installed), *site.getsitepackages()])
    done = subprocess.run([sys.executable, *script, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          env={"PYTHONPATH": packages, "PATH": "/nowhere", "HOME": str(installed)}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_for_every_linux_and_brings_its_libraries():
    assert "-cp311-abi3-manylinux_" in WHEELS[-1].name
    names = zipfile.ZipFile(WHEELS[-1]).namelist()
    assert any(name.startswith("forearm.libs/libxml2") for name in names)
    assert any(name.startswith("forearm.libs/libyaml") for name in names)
    assert any(name.startswith("forearm.libs/libzip") for name in names)
    assert not any(name.endswith((".a", "CMakeLists.txt", ".pc")) for name in names)
    assert not any("libforearm" in name for name in names)
    module = zipfile.ZipFile(WHEELS[-1]).getinfo("forearm/_core.abi3.so")
    assert module.compress_size < 2e6
    for platform in ("x86_64-linux/forearm.so", "aarch64-linux/forearm.so", "x86_64-windows/forearm.dll",
                     "x86_64-darwin/forearm.dylib", "aarch64-darwin/forearm.dylib"):
        assert f"forearm/installed/lib/forearm/binaries/{platform}" in names


def test_its_module_computes(installed, tmp_path):
    file = tmp_path / "pendulum.xml"
    file.write_text(PENDULUM)
    program = "import forearm, sys; print(forearm.load(sys.argv[1]).forward([0.0], 0, 0)[0])"
    # A rod's end, let go on the level: m g l / (I + m l²).
    assert abs(float(python(installed, ["-c", program], file)) + 9.81 * 0.5 / (0.08 + 0.25)) < 1e-12


def test_its_program_takes_its_own_libraries(installed):
    program = installed / "forearm" / "installed" / "bin" / "forearm"
    program.chmod(0o755)
    traced = subprocess.run([program], env={"LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True).stdout
    for library in ("libxml2", "libyaml", "libzip"):
        line = next(line for line in traced.splitlines() if library in line)
        assert "forearm.libs" in line.split("=>")[1], line


def test_the_module_is_the_program(installed, tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    said = python(installed, ["-m", "forearm"], "export", "pendulum.xml", cwd=tmp_path)
    assert said.startswith("wrote pendulum.fmu: FMI 3.0")
    assert len([name for name in zipfile.ZipFile(tmp_path / "pendulum.fmu").namelist()
                if name.startswith("binaries/") and name.endswith((".so", ".dll", ".dylib"))]) == 5
    assert "sweep [-h]" in python(installed, ["-m", "forearm", "sweep", "--help"])


SCRIPT = """
import json, pathlib, warnings
import forearm

pathlib.Path("pendulum.xml").write_text({pendulum!r})
fmu = forearm.export("pendulum.xml", "made.fmu", fmi=2, platforms="native")
report = forearm.check("pendulum.xml")
result = forearm.simulate(fmu, stop=1.0, step=0.1, start_values={{"joint.pivot.initial_position": -1.5707963267948966}})
frame = forearm.simulate("pendulum.xml", stop=1.0, step=0.1, outputs=["tip.x", "tip.y"], as_frame=True)
try:
    pathlib.Path("bad.xml").write_text({pendulum!r}.replace('mass="1"', 'mass="-1"'))
    forearm.check("bad.xml")
except forearm.Error as error:
    fault = [error.file, error.line, error.column, error.message]
print(json.dumps({{
    "fmu": str(fmu), "links": [link["name"] for link in report.robot["links"]], "text": report.text,
    "warnings": len(report.warnings), "still": float(abs(result["tip.x"]).max()), "rows": len(frame),
    "columns": list(frame.columns), "drop": float(frame["tip.y"].min()), "fault": fault,
    "version": forearm.__version__}}))
"""


def test_export_check_and_simulate_are_functions(installed, tmp_path):
    said = json.loads(python(installed, ["-c", SCRIPT.format(pendulum=PENDULUM)], cwd=tmp_path))
    assert said["fmu"] == "made.fmu" and said["links"][-1] == "rod" and said["warnings"] == 0
    assert "total mass: 1 kg" in said["text"]
    assert said["still"] < 1e-15  # hanging straight down
    assert said["rows"] == 11 and said["columns"] == ["tip.x", "tip.y"]
    assert -1 <= said["drop"] < -0.9  # it swings through its lowest point
    file, line, column, message = said["fault"]
    assert (file, line) == ("bad.xml", 2) and column == 1 and "mass" in message and "-1" in message
    project = re.search(r"project\(forearm VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())
    assert said["version"] == project[1]


def test_the_package_is_typed(installed):
    assert (installed / "forearm" / "py.typed").exists()
    annotations = python(installed, ["-c", "import forearm, typing; print(typing.get_type_hints(forearm.Error.__init__))"])
    assert "'line': int | None" in annotations


def test_pip_s_script_is_there(installed):
    script = pathlib.Path(installed / "bin" / "forearm")
    assert script.exists() and os.access(script, os.X_OK)
