"""The program as people meet it: help, messages, exit codes, files, and what it shows of a robot."""

import json
import os
import pty
import re
import subprocess
import time
import zipfile

import pytest

from cli import PENDULUM, ROBOTS, SLIDER, fails, ok, run, variables
from conftest import BUILD, FOREARM, SOURCE

COMMANDS = ["export", "check", "expand", "convert", "inspect", "forward", "inverse", "simulate", "view", "render", "runs", "gait", "sim", "linearise",
            "identify", "excite", "methods", "parts", "compare", "completion", "help"]


@pytest.fixture
def slider(tmp_path):
    (tmp_path / "slider.urdf").write_text(SLIDER)
    return tmp_path / "slider.urdf"


def chain(n):
    """URDF of n links in a row."""
    inertial = ('<inertial><origin xyz="0 0 0.05"/><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" '
                'izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>')
    lines = ['<robot name="chain"><link name="l0"/>']
    for i in range(1, n):
        lines.append(f'<link name="l{i}">{inertial}</link><joint name="j{i}" type="continuous">'
                     f'<parent link="l{i - 1}"/><child link="l{i}"/><origin xyz="0 0 0.1"/>'
                     f'<axis xyz="{i % 2} {1 - i % 2} 0"/></joint>')
    return "\n".join(lines + ["</robot>"])


# ------------------------------------------------------------------------------------------- help


def test_help_lists_every_command_and_exit_code():
    text = ok("help")
    assert text == ok("--help") == ok("-h")
    listed = re.findall(r"^  ([a-z]+) ", text, re.MULTILINE)
    assert listed == COMMANDS
    assert re.findall(r"^  (\d)  ", text, re.MULTILINE) == ["0", "1", "2", "3", "4", "5"]
    done = run()
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", text)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_in_the_documentation(command):
    text = ok("help", command)
    assert text == ok(command, "--help") == ok(command, "x", "-h") if command != "methods" else text
    assert max(map(len, text.splitlines())) <= 80
    page = (SOURCE / "docs" / "cli.md").read_text()
    assert f"## {command}\n\n```text\n{text}```\n" in page
    assert ok("help") in page


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_the_options_that_its_help_lists_and_no_others(command):
    every = set(re.findall(r"^  (?:-\w, )?--([a-z][a-z0-9-]*)", "".join(ok("help", c) for c in COMMANDS),
                           re.MULTILINE))
    assert len(every) > 20  # or the help has another shape
    own = set(re.findall(r"^  (?:-\w, )?--([a-z][a-z0-9-]*)", ok("help", command), re.MULTILINE))
    for option in every:
        said = run(command, f"--{option}", "1", "--nonsense").stderr.decode()
        unknown = said.startswith(f"forearm: forearm {command} has no option --{option};")
        assert unknown == (option not in own), said


def test_the_version_is_the_project_s(source):
    version = re.search(r"VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text().split("project(")[1])
    assert ok("--version") == f"forearm {version[1]}\n"


# ---------------------------------------------------------------------------------- command lines


@pytest.mark.parametrize("arguments, said", [
    (["chek"], "there is no command 'chek'; did you mean 'check'?"),
    (["help", "exprot"], "there is no command 'exprot'; did you mean 'export'?"),
    (["frobnicate"], "there is no command 'frobnicate'; forearm help lists them"),
    (["check"], "forearm check needs FILE; forearm check --help explains"),
    (["check", "a", "b"], "forearm check takes one FILE, and was given 'a' and 'b'"),
    (["methods", "a"], "forearm methods takes no 'a'; leave it out"),
    (["check", "--tpi", "x"], "forearm check has no option --tpi; did you mean --tip?"),
    (["check", "--tpi=x"], "forearm check has no option --tpi; did you mean --tip?"),
    (["check", "--frobnicate"],
     "forearm check has no option --frobnicate; forearm check --help lists its options"),
    (["check", "-x"], "forearm check has no option -x; forearm check --help lists its options"),
    (["check", "a", "--tip"], "--tip needs a value: --tip LINK"),
    (["check", "a", "--strict=yes"], "--strict takes no value; leave 'yes' out"),
    (["export", "a", "--fmi", "1"], "--fmi takes one of 2|3, and not '1'"),
    (["export", "a", "--fmi="], "--fmi takes one of 2|3, and not ''"),
    (["export", "a", "--lock", "elbow"],
     "--lock takes JOINT=VALUE with a number, such as elbow=0.5, and not 'elbow'"),
    (["simulate", "a", "--set", "payload.mass=1,5"],
     "--set takes NAME=VALUE with a number, such as payload.mass=0.5, and not 'payload.mass=1,5'"),
    (["simulate", "a", "--set", "=1"],
     "--set takes NAME=VALUE with a number, such as payload.mass=0.5, and not '=1'"),
    (["simulate", "a", "--stop", "0"], "--stop takes a number above zero, such as 0.5, and not '0'"),
    (["simulate", "a", "--step", "-1"], "--step takes a number above zero, such as 0.5, and not '-1'"),
    (["simulate", "a", "--step", "1e999"],
     "--step takes a number above zero, such as 0.5, and not '1e999'"),
    (["simulate", "a", "--tolerance", "nan"],
     "--tolerance takes a number above zero, such as 0.5, and not 'nan'"),
    (["simulate", "a", "--interpolate", "cubic"],
     "--interpolate takes one of held|linear, and not 'cubic'"),
    (["forward", ROBOTS[0]],
     "there is no table to read; name it with --in FILE, or --in - for standard input"),
    (["forward", ROBOTS[0], "--in", "-", "--method", "newton-uler"],
     "there is no method 'newton-uler'; did you mean 'newton-euler'?"),
    (["forward", ROBOTS[0], "--in", "-", "--method", "quantum"],
     "there is no method 'quantum'; forearm methods lists them"),
    (["simulate", ROBOTS[0], "--step", "1e-300"],
     "5 s in steps of 1e-300 s are more lines than any disk holds; take a longer --step"),
    (["export", ROBOTS[0], "--name", "my arm"],
     "'my arm' cannot be the identifier of an FMU, which is a word of letters, digits and _ that C "
     "and Modelica do not keep for themselves; --name my_arm would do"),
    (["export", ROBOTS[0], "--platforms", "native,windows"],
     "there is no platform 'windows'; take some of native, x86_64-linux, aarch64-linux, "
     "x86_64-windows, x86_64-darwin and aarch64-darwin, separated by commas, or none"),
    (["inspect", ROBOTS[0], "--outputs", "jacobian,forces"],
     "there are no outputs 'forces'; take some of reactions, jacobian, mass-matrix, poses, energy and work, separated "
     "by commas"),
])
def test_a_wrong_command_line_ends_with_2(arguments, said):
    assert fails(2, *arguments) == f"forearm: {said}"


def test_a_method_without_the_answer_or_for_other_robots_is_refused_with_those_that_fit(source, tmp_path):
    puma = source / "resources" / "robots" / "puma560.xml"
    said = fails(2, "inverse", puma, "--in", "-", "--method", "articulated-body")
    assert re.match(r"(?s).*forearm: method 'articulated-body' has no inverse dynamics; use one of "
                    r"newton-euler, gibbs-appell, .*hollerbach-3x3$", said)
    follower = chain(3).replace('name="j2" type="continuous">',
                             'name="j2" type="continuous"><mimic joint="j1" multiplier="2"/>')
    (tmp_path / "mimic.urdf").write_text(follower)
    said = fails(2, "forward", tmp_path / "mimic.urdf", "--in", "-", "--method", "articulated-body")
    assert said.startswith("forearm: method 'articulated-body' does not cover this kind of robot; use "
                           "one of composite-body, newton-euler")


def test_options_may_stand_anywhere_and_end_at_two_dashes(slider, tmp_path):
    usual = ok("check", slider)
    assert ok("check", "--tip", "cart", slider) == usual == ok("check", slider, "--tip=cart")
    assert ok("check", "--", slider) == usual
    (tmp_path / "--tip").write_text(SLIDER)
    assert ok("check", "--", "--tip", cwd=tmp_path) == usual
    for spelled in (["-o", "a.csv"], ["-oa.csv"], ["--out", "a.csv"], ["--out=a.csv"]):
        ok("simulate", slider, "--stop", 0.01, *spelled, cwd=tmp_path)
        (tmp_path / "a.csv").unlink()


# ------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("name", ["arm_decimal_comma.xml", "axis_two.urdf", "attribute_twice.urdf"])
def test_a_wrong_file_ends_with_1_and_the_place(source, name):
    bad = source / "tests" / "bad" / name
    for command in ("check", "inspect", "export", "simulate"):
        assert re.fullmatch(rf"{re.escape(str(bad))}:\d+:\d+: [^\n]+", fails(1, command, bad))


@pytest.fixture
def odd(source, tmp_path):
    """The default robot, without a word on the inertias that no body has."""
    path = tmp_path / "odd.xml"
    text = (source / "resources" / "robots" / "puma560.xml").read_text()
    path.write_text(re.sub(r'\s+inertia-as-published="true"', "", text))
    return path


def test_warnings_have_a_place_too_and_are_errors_when_strict(odd):
    puma = odd
    done = run("check", puma)
    said = done.stderr.decode().splitlines()
    assert done.returncode == 0 and done.stdout.decode().endswith("warnings: 2\n")
    assert said[0].startswith(f"{puma}:20:5: warning: no body has the inertia of link 'trunk'")
    said = fails(1, "check", puma, "--strict").splitlines()
    assert said[-1].startswith(f"{puma}:20:5: no body has")
    assert said[-1].endswith("(a warning, which --strict makes an error)")


def every_command(robot, tmp_path):
    """Words of each command that reads a robot, with what it needs."""
    (tmp_path / "state.csv").write_text("joint.waist.position\n0.1\n")
    (tmp_path / "runs.csv").write_text("payload.mass\n1\n")
    (tmp_path / "session.txt").write_text("quit\n")
    table = ("--in", tmp_path / "state.csv")
    more = {"forward": table, "inverse": table, "runs": ("--in", tmp_path / "runs.csv", "--stop", 0.1), "simulate": ("--stop", 0.1),
            "export": ("-o", tmp_path / "x.fmu", "--platforms", "native"), "compare": ("--samples", 1, "--untimed"),
            "sim": ("--script", tmp_path / "session.txt")}
    readers = ("check", "inspect", "export", "forward", "inverse", "simulate", "runs", "sim", "linearise", "compare")
    return [(name, robot, *more.get(name, ())) for name in readers]


def test_the_default_robot_makes_no_warning_in_any_command(source, tmp_path):
    for words in every_command(source / "resources" / "robots" / "puma560.xml", tmp_path):
        done = run(*words)
        assert done.returncode == 0 and b"warning:" not in done.stderr, (words, done.stderr)
    told = ok("check", source / "resources" / "robots" / "puma560.xml")
    for link in ("trunk", "lower_arm"):
        assert f"the inertia of link '{link}' is as published, though no body has it (I1 + I2 < I3)\n" in told


def test_what_is_odd_about_a_robot_is_told_by_check_inspect_and_export_only(odd, tmp_path):
    told = set()
    for words in every_command(odd, tmp_path):
        done = run(*words)
        assert done.returncode == 0, (words, done.stderr)
        if b"warning: no body has the inertia" in done.stderr:
            told.add(words[0])
        assert b"no body has" in run(*words, "--strict").stderr
    assert told == {"check", "inspect", "export"}


def test_a_moment_a_little_below_zero_is_told_in_the_same_places(source, tmp_path):
    robot = source / "tests" / "urdf" / "inertia_below_zero.urdf"
    for words in (("simulate", robot, "--stop", 0.1), ("linearise", robot)):
        assert b"no body has" not in run(*words).stderr
    for words in (("check", robot), ("inspect", robot), ("export", robot, "-o", tmp_path / "x.fmu", "--platforms", "native")):
        assert b"of its principal moments -3.5" in run(*words).stderr
    assert b"no body has" in run("simulate", robot, "--strict").stderr


def test_a_file_that_cannot_be_read_ends_with_3(tmp_path, slider):
    assert fails(3, "check", tmp_path / "none.urdf").startswith(f"forearm: {tmp_path}/none.urdf: ")
    assert fails(3, "forward", slider, "--in", "none.csv") == (
        "forearm: none.csv: cannot open it: No such file or directory")
    assert fails(3, "forward", slider, "--in", tmp_path) == (
        f"forearm: {tmp_path}: cannot read it: Is a directory")


def test_a_file_that_cannot_be_written_ends_with_3(tmp_path, slider):
    nowhere = tmp_path / "no" / "where.csv"
    said = f"forearm: {nowhere}: cannot write it: there is no folder '{nowhere.parent}'; create it, or name another file"
    assert fails(3, "simulate", slider, "-o", nowhere) == said
    assert fails(3, "export", slider, "-o", nowhere) == said
    long = tmp_path / ("x" * 300)
    said = f"forearm: {long}: cannot write it: File name too long; name another file"
    assert fails(3, "export", slider, "-o", long) == said
    assert fails(3, "export", slider, "-o", "x/" * 2100 + "x") == "forearm: the name of the file to write is too long"
    assert "cannot write it: No space left" in fails(3, "simulate", slider, "-o", "/dev/full")
    ok("simulate", slider, "-o", "/dev/null")


@pytest.mark.parametrize("command", [["methods"], ["check", ROBOTS[0]], ["help"], ["--version"],
                                     ["inspect", ROBOTS[0], "--json"], ["simulate", ROBOTS[0]]])
def test_a_full_disk_behind_standard_output_ends_with_3(command):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([FOREARM, *map(str, command)], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3 and b"No space left" in done.stderr


def test_a_result_replaces_the_old_one_whole(tmp_path, slider):
    target = tmp_path / "result.csv"
    target.write_text("old")
    (tmp_path / "link.csv").symlink_to(target)
    ok("simulate", slider, "--stop", 0.01, "-o", tmp_path / "link.csv")
    assert target.read_text() == ok("simulate", slider, "--stop", 0.01)
    assert ok("simulate", slider, "--stop", 0.01, "-o", "-") == target.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "result.csv", "slider.urdf"]


# ------------------------------------------------------------------------------- export and inspect


def test_export_names_the_fmu_after_the_robot(tmp_path, source):
    robot = source / "resources" / "robots" / "scara.xml"
    said = ok("export", robot, cwd=tmp_path).splitlines()
    assert said[0] == "wrote scara.fmu: FMI 3.0, Model Exchange and Co-Simulation, 4 degrees of freedom"
    listed = json.loads(ok("inspect", "--json", tmp_path / "scara.fmu"))["fmu"]["platforms"]
    assert sorted(said[1].removeprefix("for ").split(", ")) == listed
    said = ok("export", robot, "--fmi", 2, "--name", "other", "-o", "b.fmu", cwd=tmp_path).splitlines()
    assert said[0] == "wrote b.fmu: FMI 2.0, Model Exchange and Co-Simulation, 4 degrees of freedom"
    fmus = [json.loads(ok("inspect", "--json", tmp_path / name))["fmu"]
            for name in ("scara.fmu", "b.fmu")]
    assert [(fmu["fmi_version"], fmu["identifier"]) for fmu in fmus] == [
        ("3.0", "scara"), ("2.0", "other")]
    assert fmus[0]["token"] != fmus[1]["token"]
    (tmp_path / "odd.urdf").write_text(SLIDER.replace("slider", "ein Schlitten"))
    ok("export", "odd.urdf", cwd=tmp_path)
    assert (tmp_path / "ein_Schlitten.fmu").stat().st_size > 0


def test_export_of_seven_joints_is_quick(robots, tmp_path, capsys):
    robot = robots.get("panda")
    if not robot:
        pytest.skip("panda.urdf is not in build/robots")
    times = []
    for _ in range(5):
        start = time.perf_counter()
        ok("export", robot, "--lock", "panda_finger_joint1=0", "-o", tmp_path / "panda.fmu")
        times.append(time.perf_counter() - start)
    with capsys.disabled():
        print(f"\nexport of a Panda, 7 joints: best of 5 {min(times) * 1e3:.0f} ms")


def test_options_of_the_robot_file_are_settled_in_an_fmu(export, slider):
    fmu = export(slider)
    for option in (["--tip", "cart"], ["--lock", "slide=0"], ["--wrench", "cart"],
                   ["--outputs", "jacobian"], ["--cut", "lift=valve"], ["--density", "1000"], ["--base", "free"]):
        assert fails(2, "inspect", fmu, *option) == (
            f"forearm: {fmu}: base, tip, masses, locks, wrenches, cuts, actuators, stops, inputs and outputs of an "
            "FMU are settled; give --base, --model, --tip, --density, --lock, --wrench, --cut, --actuators, --stops, "
            "--inputs and --outputs together with the robot file")


def test_a_foreign_fmu_is_recognised(tmp_path):
    with zipfile.ZipFile(tmp_path / "other.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", "<fmiModelDescription/>")
    said = fails(1, "inspect", tmp_path / "other.fmu")
    assert said == (f"forearm: {tmp_path}/other.fmu: Forearm did not make this FMU: there is no "
                    "resources/robot.forearm in it")


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
def test_inspect_shows_the_same_of_a_file_and_of_its_fmu(robot, export):
    of_file, of_fmu = (json.loads(ok("inspect", "--json", path)) for path in (robot, export(robot)))
    assert of_file.pop("fmu") is None
    assert of_fmu.pop("fmu")["platforms"]
    assert of_file.pop("file") != of_fmu.pop("file")
    assert of_file == of_fmu
    text = ok("inspect", robot)
    for variable in of_file["variables"]:
        assert f"\n{variable['name']} " in text and f" {variable['role']} " in text


def test_the_members_of_the_json_are_those_of_the_documentation(slider):
    shown = json.loads(ok("inspect", "--json", slider))
    page = (SOURCE / "docs" / "cli.md").read_text().split("\n## inspect\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
    assert list(shown) == list(rows)
    assert shown["format"] == 1
    transform = {"xyz", "quaternion"}

    def members(value):
        return set(value) | {inner for v in value.values() if isinstance(v, dict) for inner in v}

    for part in ("robot", "links", "joints", "variables"):
        value = shown[part] if part == "robot" else shown[part][-1]
        for name in members(value) - transform:
            assert f"`{name}`" in rows[part], (part, name)
    numbers = {v["name"]: v["start"] for v in shown["variables"]}
    assert numbers["link.cart.mass"] == 2 and numbers["joint.slide.position"] is None
    state = next(v for v in shown["variables"] if v["name"] == "joint.slide.position")
    assert (state["unit"], state["derivative"], state["initial"]) == (
        "m", "joint.slide.velocity", "joint.slide.initial_position")
    assert shown["joints"][0]["limit"] == {"lower": -10, "upper": 10, "effort": 100, "velocity": 10}


def test_names_of_any_kind_are_escaped_in_json(tmp_path):
    odd = SLIDER.replace('"cart"', '"W\u00e4g&quot;el\\"')
    (tmp_path / "odd.urdf").write_text(odd)
    assert json.loads(ok("inspect", "--json", tmp_path / "odd.urdf"))["links"][1]["name"] == 'W\u00e4g"el\\'


# ------------------------------------------------------------------------------------------ check


def test_check_shows_masses_moments_and_conditioning(tmp_path):
    turned = SLIDER.replace('<mass value="2"/>', '<origin xyz="1 2.5 -3" rpy="0.3 0 0"/><mass value="2"/>')
    turned = turned.replace('ixx="1" iyy="1" izz="1"', 'ixx="1.5" iyy="1" izz="2"')
    (tmp_path / "turned.urdf").write_text(turned)
    lines = ok("check", tmp_path / "turned.urdf").splitlines()
    assert lines[0] == "robot 'slider': 2 links, 1 degree of freedom, tip at link 'cart'"
    assert lines[4].split() == ["cart", "slide", "prismatic", "2", "1", "2.5", "-3", "1", "1.5", "2"]
    assert lines[6] == "total mass: 2 kg"
    assert lines[7:] == ["condition number of the mass matrix: 1 to 1, median 1, in SI units,",
                         "    over 100 poses drawn at random (seed 1) within the joint limits",
                         "warnings: 0"]


def test_the_condition_number_is_that_of_the_eigenvalues(tmp_path):
    # Two pendulums side by side: the mass matrix is diagonal, with 1 and 9 kg m2.
    two = PENDULUM.replace('<link name="ground"/>', "").replace("bob", "ball").replace("pivot", "hook")
    two = two.split("\n", 1)[1].replace('mass value="1"', 'mass value="9"')
    (tmp_path / "two.urdf").write_text(PENDULUM.replace("</robot>\n", "") + two)
    said = ok("check", tmp_path / "two.urdf", "--tip", "bob")
    assert "condition number of the mass matrix: 9 to 9, median 9, in SI units" in said


def test_a_robot_that_stands_still_has_no_mass_matrix(slider):
    said = ok("check", slider, "--lock", "slide=1")
    assert "condition number of the mass matrix: none, since nothing moves\n" in said
    assert "total mass: 2 kg, of which 2 kg stand on the ground\n" in said


def test_20000_links_are_checked(tmp_path, capsys):
    seconds = {}
    for n in (5000, 20000):
        (tmp_path / "chain.urdf").write_text(chain(n))
        start = time.perf_counter()
        said = ok("check", tmp_path / "chain.urdf")
        seconds[n] = time.perf_counter() - start
        assert len(said.splitlines()) == n + 7
        assert "left out, since the robot has more than 200 degrees of freedom\n" in said
    with capsys.disabled():
        print(f"\ncheck of a chain: 5,000 links {seconds[5000]:.2f} s, 20,000 {seconds[20000]:.2f} s")


# -------------------------------------------------------------------------- locale, terminal, memory


def test_a_locale_with_decimal_commas_changes_nothing(source, tmp_path):
    german = os.environ | {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(BUILD / "tests" / "locales")}
    robot = source / "resources" / "robots" / "stanford.xml"
    state = next(v["name"] for v in variables(robot) if v["role"] == "state")
    for arguments in (["check", robot], ["inspect", robot], ["inspect", robot, "--json"],
                      ["simulate", robot, "--stop", "0.05", "--set", "payload.mass=1.5"],
                      ["forward", robot, "--in", "-"]):
        plain, localised = (run(*arguments, stdin=f"{state}\n0.25\n".encode(), env=env)
                            for env in (os.environ, german))
        assert plain.returncode == 0 and plain.stdout and plain.stdout == localised.stdout


def on_a_terminal(arguments, stdin):
    """Exit code, and what standard error shows when it is a terminal; nobody writes for 1.5 s."""
    terminal, end = pty.openpty()
    child = subprocess.Popen([FOREARM, *map(str, arguments)], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    shown = b""
    if stdin:
        time.sleep(1.5)
    child.communicate(stdin, timeout=60)
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # Linux says so at the end
            break
        if not block:
            break
        shown += block
    os.close(terminal)
    return child.returncode, shown.decode()


def test_a_terminal_shows_the_progress_of_long_work_and_nothing_of_short(slider):
    assert on_a_terminal(["simulate", slider, "--stop", 0.01], b"") == (0, "")
    code, shown = on_a_terminal(["forward", slider, "--in", "-"], b"payload.mass\n0\n")
    line = "\rforearm: forward dynamics ...\x1b[K"
    # One that comes between the last line of the table and the end says how many there were.
    some = r"(\rforearm: forward dynamics 0\.\d\d lines/s\x1b\[K)?"
    assert code == 0 and re.fullmatch(f"({re.escape(line)})+{some}" + re.escape("\r\x1b[K"), shown)


def shows(pattern, arguments, stdin=None):
    """What a terminal shows until it matches; the program, which would go on for long, is ended then."""
    terminal, end = pty.openpty()
    child = subprocess.Popen([FOREARM, *map(str, arguments)], stdin=stdin, stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    shown, deadline = "", time.monotonic() + 60
    while not re.search(pattern, shown) and time.monotonic() < deadline and child.poll() is None:
        shown += os.read(terminal, 65536).decode()
    child.kill()
    child.wait()
    os.close(terminal)
    assert re.search(pattern, shown), shown
    lines = re.findall(r"\r([^\x1b]*)\x1b\[K", shown)
    assert lines and max(map(len, lines)) < 80  # a longer one would be broken, and stay
    return lines


BAR = r"\[#*-*\] +\d+%"


def test_progress_has_a_bar_a_rate_and_the_time_left(source, tmp_path):
    robot = source / "resources" / "robots" / "scara.xml"
    lines = shows(rf"simulating {BAR}, \d[\d.]* s/s, (\d+:)?\d+:\d\d left\x1b", ["simulate", robot, "--stop", 1e6])
    share, rate, left = re.search(r"(\d+)%, ([\d.]+) s/s, ([\d:]+) left", lines[-1]).groups()
    seconds = sum(int(part) * 60 ** k for k, part in enumerate(reversed(left.split(":"))))
    # What is left at this rate: all but a per cent that the figures round away, and the digits of the rate.
    assert share == "0" and seconds == pytest.approx(1e6 / float(rate), rel=0.02)

    (tmp_path / "table.csv").write_text("payload.mass\n" + "0\n" * 3_000_000)
    told = ["forward", robot, "--in", tmp_path / "table.csv"]
    lines = shows(rf"forward dynamics {BAR}, \d+ lines/s, \d+:\d\d left\x1b", told)
    share, minutes, seconds = map(int, re.search(r"(\d+)%.* (\d+):(\d\d) left", lines[-1]).groups())
    assert 0 <= share < 100 and 60 * minutes + seconds > 0
    shows(rf"simulating {BAR}, [\d.]+ runs/s, (\d+:)*\d+:\d\d left\x1b", ["runs", robot, "--in", tmp_path / "table.csv"])
    shows(rf"comparing {BAR}, [\d.]+ states/s, [\d:]+ left\x1b", ["compare", robot, "--untimed", "--samples", 10 ** 7])


def test_progress_without_a_known_end_has_a_rate(source):
    robot = source / "resources" / "robots" / "scara.xml"
    endless = subprocess.Popen(["sh", "-c", "echo payload.mass; yes 0"], stdout=subprocess.PIPE)
    lines = shows(r"inverse dynamics \d+ lines/s\x1b", ["inverse", robot, "--in", "-"], endless.stdout)
    endless.stdout.close()
    endless.wait()
    assert "%" not in lines[-1] and "left" not in lines[-1]


def test_nothing_of_it_goes_into_a_file_or_a_pipe(source):
    robot = source / "resources" / "robots" / "scara.xml"
    child = subprocess.Popen([FOREARM, "simulate", robot, "--stop", "1e6", "-o", "/dev/null"], stderr=subprocess.PIPE)
    time.sleep(1.6)
    child.kill()
    assert child.communicate()[1] == b""


def test_progress_of_a_simulation_is_in_per_cent_and_gives_way_to_messages(source):
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    terminal, end = pty.openpty()
    # Far longer than anybody waits: it is ended as soon as it shows something.
    child = subprocess.Popen([FOREARM, "simulate", robot, "--stop", "1e6", "-o", "/dev/null"],
                             stderr=end)
    os.close(end)
    shown = os.read(terminal, 65536)
    child.kill()
    child.wait()
    os.close(terminal)
    assert re.fullmatch(rb"\rforearm: simulating \[----------\]   0%, [\d.]+ s/s, \d+:\d\d(:\d\d)? left\x1b\[K", shown)


def test_an_interrupted_run_leaves_the_old_result(tmp_path, slider):
    (tmp_path / "result.csv").write_text("old")
    child = subprocess.Popen([FOREARM, "simulate", slider, "--stop", "1e6", "-o",
                              tmp_path / "result.csv"], stderr=subprocess.PIPE)
    time.sleep(0.3)
    child.terminate()
    assert child.wait(timeout=10) == -15
    child.stderr.close()
    assert (tmp_path / "result.csv").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["result.csv", "slider.urdf"]
