"""A file that may not be written is never replaced, whichever command is told to."""

import pytest
from cli import SLIDER, run

# Every output of every command.
OUTPUTS = [("export", "{robot}", "-o"), ("export", "{robot}", "--kind", "inverse", "-o"), ("simulate", "{robot}", "-o"),
           ("simulate", "{robot}", "-o", "/dev/null", "--plot"), ("simulate", "{robot}", "-o", "/dev/null", "--html"),
           ("view", "{robot}", "-o"), ("render", "{robot}", "-o"), ("forward", "{robot}", "--in", "{table}", "-o"), ("inverse", "{robot}", "--in", "{table}", "-o"),
           ("runs", "{robot}", "--in", "{table}", "--stop", "0.1", "-o"), ("linearise", "{robot}", "-o"),
           ("linearise", "{robot}", "--json", "-o"), ("compare", "{robot}", "--untimed", "--samples", "1", "--csv"),
           ("parts", "{parts}", "--arm", "{arm}", "-o")]


@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
def test_a_file_that_may_not_be_written_is_not_replaced(command, source, tmp_path):
    (tmp_path / "slider.urdf").write_text(SLIDER)
    (tmp_path / "table.csv").write_text("payload.mass\n1\n")
    places = {"robot": tmp_path / "slider.urdf", "table": tmp_path / "table.csv",
              "parts": source / "resources" / "parts" / "cmu_dd_arm.xml",
              "arm": source / "resources" / "robots" / "cmu_dd_arm.xml"}
    out = tmp_path / ("out.svg" if {"--plot", "render"} & {*command} else "out")
    out.write_text("precious")
    out.chmod(0o444)
    line = [word.format(**places) for word in command]
    done = run(*line, out)
    assert done.returncode == 3, done.stderr
    assert f"{out}: cannot write it: it is there already and may not be written" in done.stderr.decode()
    assert out.read_text() == "precious" and out.stat().st_mode & 0o777 == 0o444
    out.chmod(0o644)
    assert run(*line, out).returncode == 0
    assert out.read_bytes() != b"precious"


def test_a_session_does_not_replace_it_either(source, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    out.chmod(0o444)
    (tmp_path / "script").write_text(f"open.output.file {out}\nforward_arm\nclose.output.file\n")
    done = run("sim", source / "resources" / "robots" / "double_pendulum.xml", "--script", tmp_path / "script")
    assert done.returncode == 3 and b"may not be written" in done.stderr
    assert out.read_text() == "precious"
