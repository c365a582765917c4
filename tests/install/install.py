#!/usr/bin/env python3
"""Installs a build, moves the tree, and builds a consumer by find_package and by pkg-config.

    install.py <build folder> <scratch folder> <cmake> <C compiler>
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def main(build, scratch, cmake, compiler):
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    run(cmake, "--install", build, "--prefix", scratch / "first", stdout=subprocess.DEVNULL)
    # Whoever unpacks an archive of it elsewhere has the same: nothing holds the first path.
    prefix = scratch / "a moved tree"
    (scratch / "first").rename(prefix)

    robot = prefix / "share" / "forearm" / "robots" / "double_pendulum.xml"
    run(cmake, "-S", CONSUMER, "-B", scratch / "consumer", "-G", "Ninja", f"-DROBOT={robot}",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}", stdout=subprocess.DEVNULL)
    run(cmake, "--build", scratch / "consumer")
    run(scratch / "consumer" / "consumer")
    with zipfile.ZipFile(scratch / "consumer" / "pendulum.fmu") as fmu:
        assert b'fmiVersion="2.0"' in fmu.read("modelDescription.xml")
        assert any(name.startswith("binaries/") for name in fmu.namelist())
        assert not any(name.startswith("sources/") for name in fmu.namelist())
    with zipfile.ZipFile(scratch / "consumer" / "pendulum_inverse.fmu") as fmu:
        text = fmu.read("modelDescription.xml").decode()
        assert re.search(r'name="joint.shoulder.torque"[^>]* causality="output"', text)
        platforms = {name.split("/")[1] for name in fmu.namelist() if name.startswith("binaries/")}
        assert len(platforms) == 1 and "base.acceleration.x" in text
    with zipfile.ZipFile(scratch / "consumer" / "pendulum_sources.fmu") as fmu:
        assert b'modelName="swing"' in fmu.read("modelDescription.xml")
        assert {"sources/fmi3.c", "sources/buildDescription.xml"} <= set(fmu.namelist())
        assert not any(name.startswith(("binaries/", "extra/")) for name in fmu.namelist())

    if shutil.which("pkg-config"):
        (found,) = prefix.rglob("forearm.pc")
        environment = os.environ | {"PKG_CONFIG_PATH": str(found.parent)}
        flags = run("pkg-config", "--cflags", "--libs", "forearm", env=environment,
                    stdout=subprocess.PIPE).stdout.strip()
        run("sh", "-c", f"'{compiler}' '{CONSUMER}/consumer.c' {flags} -o '{scratch}/by_pkg_config'")
        run(scratch / "by_pkg_config")
    else:
        print("pkg-config not found: its file was not tried")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
