"""Robots within JAX: calls back to the processor, with exact first derivatives (jvp), under jit and vmap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import need

jax = need("jax", "forearm.jax")

if TYPE_CHECKING:
    from ..robot import Robot


def _call(robot: "Robot", forwards: bool, q: Any, qd: Any, third: Any) -> Any:
    shape = jax.numpy.broadcast_shapes(q.shape, qd.shape, third.shape)
    dtype = jax.numpy.result_type(q, qd, third)

    def ask(*arrays: Any) -> Any:
        found = (robot.forward if forwards else robot.inverse)(*(np.asarray(array, dtype=float) for array in arrays))
        return np.asarray(found, dtype=dtype)

    return jax.pure_callback(ask, jax.ShapeDtypeStruct(shape, dtype), q, qd, third, vmap_method="broadcast_all")


def _slopes(robot: "Robot", forwards: bool, q: Any, qd: Any, third: Any) -> Any:
    shape = jax.numpy.broadcast_shapes(q.shape, qd.shape, third.shape)
    dtype = jax.numpy.result_type(q, qd, third)

    def ask(*arrays: Any) -> Any:
        d = (robot.forward_derivatives if forwards else robot.inverse_derivatives)(*(np.asarray(array, dtype=float)
                                                                                    for array in arrays))
        return tuple(np.asarray(matrix, dtype=dtype) for matrix in (d.q, d.qd, d.tau if forwards else d.qdd))

    one = jax.ShapeDtypeStruct((*shape, robot.n), dtype)
    return jax.pure_callback(ask, (one, one, one), q, qd, third, vmap_method="broadcast_all")


def _made(forwards: bool) -> Any:
    def function(robot: "Robot", q: Any, qd: Any, third: Any) -> Any:
        return _call(robot, forwards, q, qd, third)

    def slope(robot: "Robot", at: Any, dots: Any) -> Any:
        by = _slopes(robot, forwards, *at)
        return (_call(robot, forwards, *at),
                sum(jax.numpy.einsum("...ik,...k->...i", matrix, dot) for matrix, dot in zip(by, dots)))

    made = jax.custom_jvp(function, nondiff_argnums=(0,))
    made.defjvp(slope)
    return made


_FORWARD, _INVERSE = _made(True), _made(False)


def _arrays(*values: Any) -> Any:
    return tuple(jax.numpy.asarray(value, dtype=jax.numpy.result_type(float)) for value in values)


def forward(robot: "Robot", q: Any, qd: Any, tau: Any) -> Any:
    """Accelerations (…, n) of arrays (…, n); under jit, vmap, jvp and grad. Enable jax_enable_x64 for doubles."""
    robot._needs_a_tree("forearm.jax")
    return _FORWARD(robot, *_arrays(q, qd, tau))


def inverse(robot: "Robot", q: Any, qd: Any, qdd: Any) -> Any:
    """Torques (…, n) of arrays (…, n); under jit, vmap, jvp and grad. Enable jax_enable_x64 for doubles."""
    robot._needs_a_tree("forearm.jax")
    return _INVERSE(robot, *_arrays(q, qd, qdd))
