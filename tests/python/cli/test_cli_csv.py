"""Tables that the program reads: what it takes, and what it says of the rest."""

import pytest

from cli import SLIDER, fails, ok, table

POSITION, FORCE = "joint.slide.position", "joint.slide.force"


@pytest.fixture
def slider(tmp_path):
    (tmp_path / "slider.urdf").write_text(SLIDER)
    return tmp_path / "slider.urdf"


@pytest.mark.parametrize("text", [
    f"{POSITION},{FORCE}\n1,4\n",
    f"{POSITION},{FORCE}\n1,4",
    f"\ufeff{POSITION},{FORCE}\r\n1,4\r\n",
    f'"{POSITION}" , "{FORCE}"\n"1","4"\n',
    f" {POSITION}\t,  {FORCE} \n +1e0 , 40e-1 \n",
    f"\n\n{POSITION},{FORCE}\n\n1,4\n\n \n",
    f"{FORCE},{POSITION}\n4,1\n",
])
def test_a_table_may_look_like_this(slider, text, tmp_path):
    assert ok("forward", slider, "--in", "-", stdin=text.encode()) == "joint.slide.acceleration\n2\n"
    (tmp_path / "a table.csv").write_bytes(text.encode())
    assert ok("forward", slider, "-i", tmp_path / "a table.csv") == "joint.slide.acceleration\n2\n"


def test_a_table_without_lines_gives_one_without_lines(slider):
    assert ok("forward", slider, "--in", "-", stdin=FORCE.encode()) == "joint.slide.acceleration\n"


def test_numbers_go_through_exactly(slider):
    forces = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, 1e22, 123456789012345680]
    text = FORCE + "\n" + "\n".join(map(repr, forces))
    rows = table(ok("forward", slider, "--in", "-", stdin=text.encode()))
    assert [row["joint.slide.acceleration"] for row in rows] == [force / 2 for force in forces]


@pytest.mark.parametrize("text, said", [
    ("", "forearm: standard input: the table is empty; its first line must name the columns"),
    ("\n \n", "forearm: standard input: the table is empty; its first line must name the columns"),
    (f"{FORCE};{POSITION}\n1;2\n",
     "standard input:1: the columns of this table are separated by semicolons; save it with commas "
     "between them and points in numbers"),
    (f"{FORCE}\t{POSITION}\n1\t2\n",
     "standard input:1: the columns of this table are separated by tabs; save it with commas between "
     "them and points in numbers"),
    (f"{FORCE},joint.slide.positon\n1,2\n",
     "standard input:1:19: the robot has no variable 'joint.slide.positon'; did you mean "
     "'joint.slide.position'?"),
    ("frobnication\n1\n",
     "standard input:1:1: the robot has no variable 'frobnication'; forearm inspect lists them"),
    (f"{FORCE}, {FORCE}\n1,2\n",
     f"standard input:1:20: two columns are called '{FORCE}'; leave one out"),
    (f"{FORCE},\n1,2\n", "standard input:1:19: column 2 has no name; give it one"),
    (f"{FORCE}\nabc\n",
     f"standard input:2:1: 'abc' in column '{FORCE}' is not a number; write one such as 1.5 or -2e-3"),
    (f'{FORCE}\n"1,5"\n',
     f"standard input:2:1: '1,5' in column '{FORCE}' is not a number; write one such as 1.5 or -2e-3"),
    (f"{POSITION},{FORCE}\n0,1.5 N\n",
     f"standard input:2:3: '1.5 N' in column '{FORCE}' is not a number; write one such as 1.5 or -2e-3"),
    (f"{FORCE}\nnan\n",
     f"standard input:2:1: 'nan' in column '{FORCE}' is not a number; write one such as 1.5 or -2e-3"),
    (f"{FORCE}\n1e400\n",
     f"standard input:2:1: '1e400' in column '{FORCE}' is larger than any number of the machine"),
    (f"{POSITION},{FORCE}\n1,,\n",
     f"standard input:2:3: column '{FORCE}' is empty here; write a number"),
    (f"{FORCE}\n1\n1,5\n",
     "standard input:3:3: this line has more fields than the table has columns (1); commas separate "
     "fields, and numbers have a point"),
    (f"{POSITION},{FORCE}\n1\n",
     "standard input:2: this line has 1 field, and the table 2 columns; write a number in each"),
    (f'"{FORCE}\n1\n', "standard input:1:1: a quote begins here and does not end in this line"),
    (f'"{FORCE}" x\n1\n',
     "standard input:1:1: something follows the quotes; put a comma between two fields"),
    (f"{FORCE}\n1\n2\0\n",
     "standard input:3: this line has a NUL character, so it is no text; save the table as CSV in UTF-8"),
    ("payload.mass\n-1\n", "standard input:2:1: 'payload.mass' must be at least 0, not -1"),
    ("solver\n1.5\n", "standard input:2:1: 'solver' must be a whole number, not 1.5"),
])
def test_a_table_may_not_look_like_this(slider, text, said, tmp_path):
    assert fails(1, "forward", slider, "--in", "-", "-o", tmp_path / "out.csv", stdin=text.encode()) == said
    assert not (tmp_path / "out.csv").exists()


def test_columns_count_characters(slider):
    text = f'{FORCE},"t\u00fcr",x\n'
    assert fails(1, "forward", slider, "--in", "-", stdin=text.encode()).startswith("standard input:1:19: ")
    text = f"t\u00fcr,{FORCE}\n"
    assert fails(1, "forward", slider, "--in", "-", stdin=text.encode()).startswith("standard input:1:1: ")


@pytest.mark.parametrize("text, said", [
    (f"{FORCE}\n1\n", "in.csv:1: no column is called time; inputs need one, in seconds"),
    (f"time,{FORCE}\n", "forearm: in.csv: the table has no line of numbers; give one at least"),
    (f"time,{FORCE}\n1,1\n0.5,1\n", "in.csv:3:1: time goes back from 1 to 0.5; order the lines by time"),
    ("time,payload.mass\n0,1\n",
     "in.csv:1:6: 'payload.mass' is a parameter, not an input; give it with --set"),
    ("time,tip.x\n0,1\n", "in.csv:1:6: 'tip.x' is no input; leave its column out"),
    ("time,joint.slide.forse\n0,1\n",
     "in.csv:1:6: the robot has no variable 'joint.slide.forse'; did you mean 'joint.slide.force'?"),
])
def test_a_table_of_inputs_may_not_look_like_this(slider, text, said, tmp_path):
    (tmp_path / "in.csv").write_text(text)
    assert fails(1, "simulate", slider, "--input", "in.csv", cwd=tmp_path) == said


@pytest.mark.parametrize("setting, said", [
    ("joint.slide.initial_postion=1",
     "the robot has no variable 'joint.slide.initial_postion'; did you mean "
     "'joint.slide.initial_position'?"),
    ("joint.slide.position=1",
     "'joint.slide.position' is a state; set 'joint.slide.initial_position', which it starts from"),
    ("tip.x=1", "'tip.x' is calculated; only parameters and inputs can be set"),
    ("solver=7", "'solver' must be between 0 and 4, not 7"),
    ("joint.slide.initial_position=11",
     "'joint.slide.initial_position' must be between -10 and 10, not 11"),
])
def test_what_cannot_be_set_is_refused(slider, setting, said):
    assert fails(1, "simulate", slider, "--set", setting).startswith(f"forearm: {said}")
