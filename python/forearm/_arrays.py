"""Arguments of any shape and type for the extension module, which takes contiguous doubles."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import ShapeError


def _wanted(name: str, length: int, n: int, given: tuple[int, ...]) -> ShapeError:
    of = f" for {n} joint{'s' if n != 1 else ''}" if length == n else ""
    shape = f"(…, {length})"
    if len(given) == 2:
        shape = f"({given[0]}, {length})"
    return ShapeError(f"{name}: {shape} wanted{of}, {given if len(given) != 1 else f'({given[0]},)'} given")


def as_rows(name: str, value: Any, length: int, n: int) -> np.ndarray:
    """An array whose last axis has that length; one number stands for all of it."""
    try:
        array = np.asarray(value)
        if array.dtype != np.float32:
            array = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as fault:
        raise ShapeError(f"{name}: numbers wanted, {type(value).__name__} given ({fault})") from None
    if array.ndim == 0:
        array = np.full(length, array)
    if array.shape[-1] != length:
        raise _wanted(name, length, n, array.shape)
    return array


def prepare(robot: Any, arrays: tuple[Any, ...], names: tuple[str, ...], lengths: tuple[int, ...]) -> tuple[Any, ...]:
    """The arrays, None where one is not given, as contiguous doubles of one shape; of each row the lane of the robot's
    parameters, or None; the leading axes; and whether all were in single precision."""
    given = [None if value is None else as_rows(name, value, length, robot.n)
             for value, name, length in zip(arrays, names, lengths)]
    single = all(array.dtype == np.float32 for array in given if array is not None)
    lanes = getattr(robot, "lane_shape", ())
    try:
        shape = np.broadcast_shapes(lanes, *(array.shape[:-1] for array in given if array is not None))
    except ValueError:
        told = ", ".join(f"{name}: {array.shape}" for name, array in zip(names, given) if array is not None)
        if lanes:
            told += f", the robot's parameters: {lanes}"
        raise ShapeError(f"leading axes that broadcast are wanted, {told} given") from None
    ready = [None if array is None else np.ascontiguousarray(np.broadcast_to(array, shape + array.shape[-1:]), dtype=np.float64)
             for array in given]
    lane = None
    if lanes:
        of = np.arange(np.prod(lanes, dtype=int), dtype=np.int64).reshape(lanes)
        lane = np.ascontiguousarray(np.broadcast_to(of, shape))
    return (*ready, lane, shape, single)


def deliver(results: tuple[np.ndarray, ...], out: np.ndarray | None, single: bool) -> Any:
    """Results in single precision where that is wanted, or in `out`."""
    if out is not None:
        if not isinstance(out, np.ndarray) or out.shape != results[0].shape:
            given = getattr(out, "shape", type(out).__name__)
            raise ShapeError(f"out: {results[0].shape} wanted, {given} given")
        np.copyto(out, results[0], casting="same_kind")
        return out
    ready = tuple(result.astype(np.float32) if single else result for result in results)
    return ready[0] if len(ready) == 1 else ready
