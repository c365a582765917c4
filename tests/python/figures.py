"""Differences against tolerances, and the worst of them for docs/verification.md."""

import numpy as np

worst = {}  # what was compared: (share of the tolerance, difference, tolerance, where)


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
    share = difference / tolerance
    if what not in worst or share > worst[what][0]:
        worst[what] = (share, difference, tolerance, where)


def lines():
    return [f"worst {what}: {difference:.1e} of {tolerance:.1e} allowed{where and ' at ' + where}"
            for what, (share, difference, tolerance, where) in worst.items()]
