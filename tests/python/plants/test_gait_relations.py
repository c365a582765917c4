"""Published relations of snakes' gaits, repeated by `forearm gait` at the parameters of Liljebäck, Pettersen, Stavdahl and
Gravdahl's model (IROS 2010, doi 10.1109/IROS.2010.5649099): ten links on viscous ground. The numbers that are expected are of
another program (section 9 of the specification of snakes), and of the relation itself."""

import csv
import io
import math

import numpy as np

from cli import ok

DEGREE = math.pi / 180
SNAKE = """<snake name="liljeback" links="10"><every length="0.14" mass="1" inertia="0.0016"/><every-joint stops="no"/>
<ground law="viscous" tangential="0.5" normal="3"/>
<input kind="gait" amplitude="0.1" frequency="1" shift="0.7" stiffness="20" damping="0.5"/></snake>"""


def speeds(tmp_path, rows):
    """Speeds of gaits of amplitude, frequency and shift in degrees, after twelve periods at most."""
    (tmp_path / "snake.xml").write_text(SNAKE)
    lines = [",".join(repr(float(value) * DEGREE) for value in row) for row in rows]
    text = ok("gait", tmp_path / "snake.xml", "--in", "-", "--periods", "12",
              stdin="\n".join(["gait.amplitude,gait.frequency,gait.shift", *lines, ""]).encode())
    found = list(csv.DictReader(io.StringIO(text)))
    assert all(row["status"] == "done" for row in found)
    return np.array([float(row["speed"]) for row in found])


def test_speed_grows_with_the_square_of_small_amplitudes(tmp_path):
    amplitudes = [1.25, 2.5, 5.0]
    exponents = np.diff(np.log(speeds(tmp_path, [(a, 70, 40) for a in amplitudes]))) / np.log(2)
    assert np.abs(exponents - 2).max() <= 0.06  # of the other program: 1.99, 1.95


def test_speed_grows_with_the_frequency_and_a_little_more_by_inertia(tmp_path):
    frequencies = [20.0, 40.0, 70.0, 100.0]
    exponents = np.diff(np.log(speeds(tmp_path, [(15, w, 40) for w in frequencies]))) / np.diff(np.log(frequencies))
    assert exponents.min() >= 1.0 and exponents.max() <= 1.05  # 1.01, 1.01, 1.03


def test_the_best_offset_is_that_of_the_simplified_model(tmp_path):
    """k(d) = sum over i, j of [A D' (D D')^-1]_ij sin((j - i) d), A and D adding and subtracting neighbours."""
    n = 10
    minus, plus = np.eye(n - 1, n) - np.eye(n - 1, n, 1), np.eye(n - 1, n) + np.eye(n - 1, n, 1)
    matrix = plus @ minus.T @ np.linalg.inv(minus @ minus.T)
    i = np.arange(n - 1)
    fine = np.arange(10, 60, 0.5)
    k = [abs((matrix * np.sin((i[None, :] - i[:, None]) * d * DEGREE)).sum()) for d in fine]
    offsets = np.arange(15.0, 36.0, 3.0)
    found = speeds(tmp_path, [(10, 70, d) for d in offsets])
    best = int(np.argmax(found))
    assert 0 < best < len(offsets) - 1
    a, b, c = found[best - 1:best + 2]  # the top of the parabola through the three highest
    top = offsets[best] + 3 * 0.5 * (a - c) / (a - 2 * b + c)
    assert abs(top - fine[int(np.argmax(k))]) <= 3
