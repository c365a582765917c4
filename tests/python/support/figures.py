"""Differences against tolerances, and the worst of them for docs/verification.md."""

import numpy as np

worst = {}  # what was compared: Worst


class Worst:
    """The largest difference of its kind, and the largest share of a tolerance that one took."""

    def __init__(self):
        self.difference, self.tolerance, self.where, self.share = -1.0, 0.0, "", 0.0

    def add(self, difference, tolerance, where, share):
        if difference > self.difference:
            self.difference, self.tolerance, self.where = difference, tolerance, where
        self.share = max(self.share, share)


def scale(want):
    """Largest entry: differences are judged relative to it, as arm-dynamics.md section 8 does."""
    return float(np.max(np.abs(want), initial=0.0))


def close(what, got, want, tolerance, where="", size=None):
    """Fails unless the largest difference is within tolerance * size; size: largest entry of want.

    Where want is all zero, its zero must be met to the tolerance itself.
    """
    got, want = np.asarray(got, float), np.asarray(want, float)
    assert got.shape == want.shape, f"{what} {where}: {got.shape} is not {want.shape}"
    if size is None:
        size = scale(want)
    difference = float(np.max(np.abs(got - want), initial=0.0)) / (size if size > 0 else 1.0)
    assert difference <= tolerance, (
        f"{what} {where}: {difference:.2e} off, more than {tolerance:.2e}\n got {got}\nwant {want}")
    note(what, difference, tolerance, where)


def note(what, difference, tolerance, where=""):
    worst.setdefault(what, Worst()).add(difference, tolerance, where, difference / tolerance)


def lines():
    return [f"worst {what}: {seen.difference:.1e} of {seen.tolerance:.1e}"
            f"{seen.where and ' at ' + seen.where}; {100 * seen.share:.2g} % of a tolerance at most"
            for what, seen in worst.items()]
