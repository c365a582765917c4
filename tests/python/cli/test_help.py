"""What `--help` shows beside options: examples that run as they are printed; and completion in shells."""

import os
import re
import shutil
import subprocess

import pytest

from cli import fails, ok, run
from conftest import FOREARM, ROBOTS, SOURCE
from test_cli import COMMANDS

HAS_VIEWER = b"built without the viewer" not in run("simulate", ROBOTS[0], "--html", "/dev/null/x").stderr


def examples(command):
    shown = ok("help", command).split("\nExamples, in the folder of the project:\n")[1].split("\n\n")[0]
    return [line.strip() for line in re.sub(r" \\\n +", " ", shown).splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_run_as_they_are_printed(command, tmp_path):
    for name in ("examples", "resources"):
        (tmp_path / name).symlink_to(SOURCE / name)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "forearm").symlink_to(FOREARM)
    lines = examples(command)
    assert len(lines) == 3 and sum(f"forearm {command}" in line for line in lines) >= 1
    for line in lines:
        if not HAS_VIEWER and (command == "view" or "--html" in line):
            continue
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}"))
        assert done.returncode == 0, (line, done.stderr)
        written = re.findall(r"(?:-o|--plot|--html|--csv|>) (\S+)", line)
        for name in written:
            assert (tmp_path / name).stat().st_size > 0, line
        assert written or done.stdout or "source" in line or command == "export", line


def test_options_of_all_robots_stand_apart():
    for command in ("export", "simulate", "render"):
        own, readers = ok("help", command).split("\nOptions on how the robot is read:\n")
        assert "  --lock " in readers and "  --lock " not in own and "  -o, " in own and "--help" in own
    assert "how the robot is read" not in ok("help", "methods")


def completed(*words):
    """What bash offers for the last word."""
    script = ('source <("$FOREARM" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _forearm; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", script, "bash", "forearm", *words], capture_output=True, text=True,
                          env=dict(os.environ, FOREARM=str(FOREARM)))
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


def test_bash_completes_commands_options_and_their_values(tmp_path):
    assert set(completed("")) == {*COMMANDS, "--help", "--version"}
    assert completed("rend") == ["render"]
    assert completed("help", "sim") == ["simulate", "sim"]
    assert completed("render", "--vi") == ["--view"]
    assert completed("render", "--view", "") == ["3d", "front", "side", "top"]
    assert completed("export", "--fmi", "") == ["2", "3"]
    assert completed("completion", "z") == ["zsh"]
    (tmp_path / "robot.urdf").write_text("")
    assert completed("check", f"{tmp_path}/rob") == [f"{tmp_path}/robot.urdf"]
    for command in COMMANDS:
        assert set(completed(command, "--")) == {f"--{name}" for name in re.findall(
            r"^  (?:-\w, )?--([a-z][a-z0-9-]*)", ok("help", command), re.MULTILINE)}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_command_and_option_is_in_the_script_of_every_shell(shell):
    script = ok("completion", shell)
    for command in COMMANDS:
        own = [line for line in script.splitlines() if re.search(rf"\b{command}\b", line)]
        assert own, command
    assert "--view" in script or "-l view" in script
    # Quotes come in pairs: no text of an option breaks out of its own.
    for line in script.splitlines():
        assert line.startswith("#") or line.count("'") % 2 == 0, line
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_another_shell_is_refused():
    assert fails(2, "completion", "csh") == "forearm: forearm completion knows the shells bash, zsh, fish and powershell, and not 'csh'"


def test_the_manual_says_what_help_says(tmp_path):
    """Every option and sentence; each page is one that a formatter takes without a warning, where there is one."""
    for words in [[], *([command] for command in COMMANDS)]:
        page, shown = ok("help", *words, "--man"), ok("help", *words)
        plain = re.sub(r"\\f.|\\&", "", page).replace("\\-", "-").replace("\\e", "\\")
        flat = " ".join(plain.split())
        assert page.startswith(f".TH FOREARM{''.join('-' + word.upper() for word in words)} 1 ")
        assert set(re.findall(r"--[a-z][a-z-]*[a-z]", shown)) <= set(re.findall(r"--[a-z][a-z-]*[a-z]", plain))
        if words:
            about = " ".join(shown.split("\n\n")[1].split())
            assert about in flat
            assert all(line in plain for line in examples(words[0]))
        assert not re.search(r"^[.'](?!TH |SH |TP$|PP$|nf$|fi$|B |BR )", page, re.MULTILINE), words
        (tmp_path / "page.1").write_text(page)
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", tmp_path / "page.1"], capture_output=True, text=True, check=False)
            assert "date" in done.stdout and done.stdout.count("\n") <= 1, done.stdout  # equal builds are equal pages
