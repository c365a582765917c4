"""Options that a robot has no use for, and files beyond limits: each is refused with its whole sentence."""

from cli import SOURCE, run

CIRCUIT = SOURCE / "examples/circuits/excavator.xml"
ARM = SOURCE / "resources/robots/patu655.xml"
SNAKE = SOURCE / "resources/robots/tavakoli_nia.xml"


def refused(sentence, *words):
    done = run(*words)
    assert done.returncode != 0
    assert sentence in done.stderr.decode(), done.stderr.decode()


def test_a_session_takes_arms_alone(tmp_path):
    (tmp_path / "script").write_text("show\n")
    refused("it is a circuit, and sim is for arms; simulate takes it", "sim", CIRCUIT, "--script", tmp_path / "script")


def test_snakes_and_arms_have_not_the_same():
    refused("'patu655' is no snake, and the work of each joint is an output of snakes; take energy in the place of work", "inspect",
            ARM, "--outputs", "work")
    refused("'tavakoli_nia' is a snake, and it has no loops; leave this option out", "check", SNAKE, "--independent", "joint1")


def test_a_lock_names_a_joint():
    refused("there is no joint 'elbw' to lock; see `forearm check` for the names", "check", ARM, "--lock", "elbw=0")


def test_a_cylinder_ends_somewhere(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM.read_text().replace('from-xyz="0.26 ', 'from-xyz="1e200 ', 1))
    refused("an end of cylinder 'lift' is not at a finite place", "check", path)


def test_a_robot_has_so_many_joints_and_no_more(tmp_path):
    path = tmp_path / "joints.urdf"
    path.write_text('<robot name="r"><link name="l"/>' + "<joint/>" * 100001 + "</robot>")
    refused("the robot has 1 links and 100001 joints; 100000 of each are the most", "check", path)
