"""forearm sim at a terminal: editing, history, completion, Ctrl-C and Ctrl-D, typed into a pseudo-terminal."""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import termios
import time

import pytest

from conftest import BUILD, FOREARM, SOURCE

CACHE = (BUILD / "CMakeCache.txt").read_text() if (BUILD / "CMakeCache.txt").exists() else ""
LIBEDIT = re.search(r"^FOREARM_LIBEDIT:BOOL=ON$", CACHE, re.MULTILINE) and re.search(r"^LIBEDIT_FOUND\w*:INTERNAL=1$", CACHE,
                                                                                    re.MULTILINE)
SECONDS = 60  # that anything may take on a busy machine
PROMPT = "\nsim> "  # one that is not drawn again while somebody types
UP, TAB, CTRL_A, CTRL_C, CTRL_D = "\x1b[A", "\t", "\x01", "\x03", "\x04"


class Terminal:
    """A session, its keyboard and its screen."""

    def __init__(self, folder, *arguments):
        master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        environment.pop("FOREARM_HISTORY", None)
        self.master = master
        self.shown = ""
        self.program = subprocess.Popen([FOREARM, "sim", *map(str, arguments)], stdin=slave, stdout=slave, stderr=slave,
                                        cwd=folder, env=environment, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))  # Ctrl-C is for it
        os.close(slave)
        self.wait_for(PROMPT)

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # the other side is closed
            return False
        self.shown += part
        return bool(part)

    def wait_for(self, text):
        """What is shown before this text, since what was waited for last."""
        end = time.monotonic() + SECONDS
        while text not in self.shown:
            assert time.monotonic() < end and (self.read(1) or self.program.poll() is None), repr(self.shown)
        before, _, self.shown = self.shown.partition(text)
        return before

    def type(self, keys):
        os.write(self.master, keys.encode())

    def enter(self, line):
        """Types a line, and gives what is said before the next prompt."""
        self.type(line + "\n")
        return self.wait_for(PROMPT)

    def end(self, keys=CTRL_D):
        self.type(keys)
        while self.read(SECONDS):
            pass
        code = self.program.wait(timeout=SECONDS)
        os.close(self.master)
        return code


@pytest.fixture
def terminal(tmp_path):
    made = []

    def begin(*arguments):
        made.append(Terminal(tmp_path, *arguments))
        return made[-1]

    yield begin
    for t in made:
        if t.program.poll() is None:
            t.program.kill()
            t.program.wait()


def test_lines_are_answered_mistakes_are_forgiven_and_ctrl_d_ends(terminal):
    t = terminal()
    assert "theta = 1 1 1 1 1 1" in (t.enter("theta = 1"), t.enter("theta"))[1]
    said = t.enter("tehta = 2")
    assert "forearm: there is no variable 'tehta'; did you mean 'theta'?" in said
    assert "theta = 1 1 1 1 1 1" in t.enter("theta")
    assert t.end() == 0


def test_quit_and_the_end_of_the_terminal_end_it(terminal):
    assert terminal().end("quit\n") == 0


def test_questions_are_asked_and_ctrl_c_takes_a_command_back(terminal):
    t = terminal()
    t.type("simulate\n")
    t.wait_for("start a new simulation? [yes] ")
    t.type("\n")
    t.wait_for("set theta and omega to zero before? [yes] ")
    t.type(CTRL_C)
    assert "nothing was done" in t.wait_for(PROMPT)
    assert "there is no simulation yet" in t.enter("print.simulation")
    assert t.end() == 0


def test_ctrl_c_ends_a_line_or_a_long_simulation_and_never_the_session(terminal):
    t = terminal()
    t.type("theta = 5" + CTRL_C)
    t.wait_for(PROMPT)
    assert "theta = 0 0 0 0 0 0" in t.enter("theta")
    t.type("simulate new kept constant 1000000000\n")
    t.wait_for("simulating")  # the line of progress, after a second of work
    t.type(CTRL_C)
    said = t.wait_for(PROMPT)
    reached = float(re.search(r"simulated from 0 s to ([\d.]+) s, where it was interrupted", said)[1])
    assert reached > 0
    said = t.enter("simulate continued constant 1")
    assert float(re.search(r"to ([\d.]+) s", said)[1]) >= reached
    assert t.program.poll() is None and t.end() == 0


def test_ctrl_c_ends_a_long_table_and_leaves_no_file(terminal, tmp_path):
    lines = "0.1,0.2\n" * 2_000_000
    (tmp_path / "motion.csv").write_text("joint.joint2.position,joint.joint3.acceleration\n" + lines)
    t = terminal()
    t.type("inverse_arm motion.csv voltages.csv\n")
    t.wait_for("inverse dynamics")  # the line of progress, after a second of work
    t.type(CTRL_C)
    assert "it was interrupted" in t.wait_for(PROMPT)
    assert not list(tmp_path.glob("voltages*"))
    assert "theta = 0 0 0 0 0 0" in t.enter("theta")
    assert t.end() == 0


def test_the_program_still_ends_when_it_is_told_to(terminal):
    t = terminal()
    t.program.send_signal(signal.SIGTERM)
    assert t.program.wait(timeout=SECONDS) == -signal.SIGTERM


def test_a_terminal_that_is_closed_ends_it_and_loses_nothing(terminal, tmp_path):
    t = terminal()
    t.enter("open.output.file kept.txt")
    t.enter("simulate new zeroed constant 5")
    t.enter("print.simulation 0 0.005 0.001")
    t.type("simulate new kept constant 1000000000\n")
    t.wait_for("simulating")
    os.close(t.master)
    assert t.program.wait(timeout=SECONDS) >= 0
    assert "0.005" in (tmp_path / "kept.txt").read_text()
    if LIBEDIT:
        assert "simulate" in (tmp_path / "state" / "forearm" / "sim_history").read_text()


editing = pytest.mark.skipif(not LIBEDIT, reason="this program was built without libedit")


@editing
def test_the_tabulator_key_completes_commands_variables_answers_and_files(terminal, tmp_path):
    (tmp_path / "schedules").mkdir()
    (tmp_path / "schedules" / "voltages.csv").write_bytes((SOURCE / "examples" / "dd_arm" / "voltages.csv").read_bytes())
    (tmp_path / "schedules" / "valves.csv").write_text("time\n0\n")
    t = terminal()
    assert "theta = 0 0 0 0 0 0" in t.enter("the" + TAB)
    assert "Closes the file of open.output.file" in t.enter("help clo" + TAB)
    assert "simulated from 0 s to 0.005 s" in t.enter("simulate n" + TAB + "z" + TAB + "s" + TAB + "sch" + TAB + "vo" + TAB + "5")
    t.type("p" + TAB + TAB)
    assert "plot.simulation" in t.wait_for("print.simulation")
    t.type(CTRL_C)
    t.wait_for(PROMPT)
    t.type("database.read\n")
    t.wait_for("robot file? ")
    t.type("schedules/val" + TAB + "\n")
    assert "schedules/valves.csv:1:1: " in t.wait_for(PROMPT)
    assert t.end() == 0


@editing
def test_lines_are_edited_and_come_back_even_in_the_next_session(terminal, tmp_path):
    t = terminal()
    t.enter("ta = 1" + CTRL_A + "the")
    assert "theta = 1 1 1 1 1 1" in t.enter("theta")
    t.enter("omega = 2")
    t.type("simulate\n")
    t.wait_for("[yes] ")
    t.type("no\n")  # an answer does not come back
    t.wait_for(PROMPT)
    assert "omega = 3 3 3 3 3 3" in (t.enter(UP + UP + "\b3"), t.enter("omega"))[1]
    assert t.end() == 0
    kept = pathlib.Path(tmp_path / "state" / "forearm" / "sim_history").read_text()
    assert "simulate" in kept and "no\n" not in kept
    t = terminal()
    assert "omega = 0 0 0 0 0 0" in t.enter(UP)
    assert t.end() == 0


@editing
def test_ctrl_z_keeps_the_line(terminal):
    t = terminal()  # nobody can wake up who is stopped here, so the system does not stop it
    t.type("the\x1ata\n")
    t.wait_for("theta = 0 0 0 0 0 0")
    t.wait_for(PROMPT)
    assert t.end() == 0
