"""examples/calibration finds the robot on the bench, and its intervals are honest. Pinocchio is the referee of its matrix."""

import json
import sys

import numpy as np
import pytest

pytest.importorskip("scipy")

from conftest import FOREARM, SOURCE  # noqa: E402

sys.path.insert(0, str(SOURCE / "examples" / "calibration"))

import identify  # noqa: E402
import record  # noqa: E402

DRAWS = 10  # of the record's noise


@pytest.fixture(scope="module")
def bench():
    return record.drive(FOREARM, identify.MOTION, periods=2)


@pytest.fixture(scope="module")
def studies(bench, tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibration")
    return [identify.Study(FOREARM, folder, record.record(bench, seed)) for seed in range(1, 1 + DRAWS)]


def of_base(study, parameters):
    """How many standard errors these parameters are away from those found."""
    return (study.full.x - study.combined(parameters)) / study.full.error


def test_the_truth_lies_within_the_intervals_as_often_as_they_say(studies):
    inside = [np.abs(study.full.x - study.combined(study.truth())) <= study.full.interval for study in studies]
    assert inside[0].shape == (54,)
    # 95 % are to be expected. The 540 are not independent: with some 36 independent ones a draw, the standard error of
    # the share is 1.1 %, and what filter and differences falsify takes up to 2 % more.
    assert 0.90 < np.mean(inside) < 0.99
    error = np.concatenate([of_base(study, study.truth()) for study in studies])
    assert 0.85 < np.sqrt(np.mean(error ** 2)) < 1.15  # standard errors are as large as errors
    assert np.abs(error).max() < 4.5                   # of 540 normal ones, the largest is below with 99.6 %


def test_the_drawing_is_far_outside(studies):
    for study in studies:
        away = np.abs(of_base(study, study.drawn()))
        assert away.max() > 50 and np.mean(away > 3) > 0.3


def test_masses_are_found_within_their_intervals(studies):
    true = np.array([record.MASS.get(n, 1) * studies[0].links[n][0] for n in studies[0].weighed])
    assert studies[0].weighed == ["upper_arm", "lower_arm", "wrist", "hand", "tool_plate"]
    found = np.array([study.masses.x[1:6] for study in studies])
    inside = np.abs(found - true) <= [study.masses.interval[1:6] for study in studies]
    assert inside.mean() >= 0.84  # of 50, 95 % are to be expected; five draws of ten and more outside: 1 in 10,000
    # The mean over draws, against the truth: what is found is not off to one side by more than noise explains.
    assert np.all(np.abs(found.mean(axis=0) - true) < 4 * found.std(axis=0, ddof=1) / np.sqrt(DRAWS))
    lower_arm = found[:, 1]
    assert np.all(np.abs(lower_arm - true[1]) < np.abs(lower_arm - studies[0].links["lower_arm"][0]))


def test_calibrated_torques_of_another_motion_are_off_by_noise_alone(studies, bench):
    other = record.record(record.drive(FOREARM, identify.OTHER), seed=99)
    by_drawing, calibrated = studies[0].judge(other)
    # What the filter passes of white noise up to 100 Hz: its band, and the skirts of two Butterworths of fourth order.
    passed = np.sqrt(identify.CUT / (0.5 / record.SAMPLE)) * record.NOISE
    assert np.all(np.array(calibrated) < 1.3 * passed) and np.all(np.array(calibrated) > 0.7 * passed)
    assert np.all(np.array(by_drawing) > 10 * np.array(calibrated))


def equal_columns(A):
    """Columns of length 1, or 0 where they are rounding."""
    size = np.linalg.norm(A, axis=0)
    return np.where(size > 1e-9 * size.max(), A / np.where(size > 0, size, 1), 0)


def test_what_is_found_alone_is_what_no_null_motion_touches(studies):
    """The same classes from a singular value decomposition, in place of the factorisation with pivoting."""
    scaled = equal_columns(studies[0].A)
    _, s, V = np.linalg.svd(scaled)
    rank = int(np.sum(s > 1e-8 * s[0]))
    assert rank == len(studies[0].chosen) == 54
    touched = np.linalg.norm(V[rank:], axis=0)
    want = np.where(~scaled.any(axis=0), "nothing", np.where(touched > 1e-6, "combined", "alone"))
    assert list(studies[0].alone) == list(want)
    assert {"alone", "combined", "nothing"} == set(want)


def test_pinocchio_has_the_same_matrix(studies, bench, tmp_path):
    pin = pytest.importorskip("pinocchio")
    told = json.loads(identify.program(FOREARM, "inspect", record.ROBOT, "--json"))

    def placed(frame):
        w, x, y, z = frame["quaternion"]
        return pin.SE3(pin.Quaternion(w, x, y, z).matrix(), np.array(frame["xyz"]))

    model, of_link, links = pin.Model(), {}, {link["name"]: link for link in told["links"]}
    for joint in told["joints"]:
        parent = of_link.get(joint["parent"], (0, pin.SE3.Identity()))
        axis = pin.JointModelRevoluteUnaligned(np.array(joint["axis"]))
        index = model.addJoint(parent[0], axis, parent[1] * placed(joint["origin"]), joint["name"])
        link = links[joint["child"]]
        of_link[joint["child"]] = index, placed(link["frame"])
        m = np.array(link["inertia"])[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3)
        # With this pose of the link's frame in the joint's.
        model.appendBodyToJoint(index, pin.Inertia(link["mass"], np.array(link["com"]), m), placed(link["frame"]))
    model.gravity.linear = np.array(told["robot"]["gravity"])
    data, random = model.createData(), np.random.default_rng(5)
    q, qd, qdd = random.uniform(-1, 1, (3, 40, 6)) * [[[2]], [[2]], [[5]]]
    ours, known = identify.regressor(FOREARM, tmp_path, q, qd, qdd, studies[0].links)
    theirs = np.array([pin.computeJointTorqueRegressor(model, data, *row).copy() for row in zip(q, qd, qdd)])
    theirs_tau = np.array([pin.rnea(model, data, *row).copy() for row in zip(q, qd, qdd)])
    tau = ours @ np.concatenate(list(studies[0].links.values()))
    assert np.abs(tau - theirs_tau).max() < 1e-11 * np.abs(theirs_tau).max()  # rounding, of 17 digits in the CSV
    # Both matrices have rank 36, and so have they together: their columns span the same torques.
    ours, theirs = ours.reshape(-1, 60), theirs.reshape(-1, 60)
    assert [np.linalg.matrix_rank(equal_columns(Y), tol=1e-9)
            for Y in (ours, theirs, np.hstack([ours, theirs]))] == [36, 36, 36]
