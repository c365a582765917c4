"""build/venv as scripts/run leaves it, made of that which scripts/test has installed: only the packages that
scripts/requirements.txt names, so that what the pages run finds no other."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

from conftest import SOURCE


def packages():
    text = (SOURCE / "scripts" / "requirements.txt").read_text()
    return re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE)


def venv_of_the_first_command(folder):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    for name, version in packages():
        package = importlib.metadata.distribution(name)
        assert package.version == version, f"{name} is {package.version} here and {version} in scripts/requirements.txt"
        for file in package.files:
            there = pathlib.Path(os.path.normpath(package.locate_file(file)))
            if file.parts[0] == "..":  # a program
                if there.parent.name == "bin" and there.read_bytes().startswith(b"#!"):
                    program = folder / "bin" / there.name
                    program.write_bytes(re.sub(rb"^#!.*python3?$", b"#!%s/bin/python3" % str(folder).encode(),
                                               there.read_bytes(), count=1, flags=re.MULTILINE))
                    program.chmod(0o755)
            elif not (site / file.parts[0]).exists():
                (site / file.parts[0]).symlink_to(pathlib.Path(package.locate_file(file.parts[0])))
    # What the script itself does, in the folder that build/ lies in.
    subprocess.run(["bash", "-c", "source scripts/setup.sh; leave_forearm"], cwd=folder.parent.parent, check=True)
