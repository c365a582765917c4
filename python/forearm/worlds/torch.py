"""Robots within PyTorch: functions whose gradients are the exact derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import need

torch = need("torch", "forearm.torch")

if TYPE_CHECKING:
    from ..robot import Robot


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().astype(np.float64)


def _back(derivative: Any, grad: Any, like: Any) -> Any:
    """grad^T times a matrix for each state, summed over the axes along which `like` was broadcast."""
    found = torch.as_tensor(np.einsum("...i,...ik->...k", _array(grad), derivative), dtype=like.dtype, device=like.device)
    while found.dim() > like.dim():
        found = found.sum(0)
    for axis, length in enumerate(like.shape):
        if length == 1 and found.shape[axis] != 1:
            found = found.sum(axis, keepdim=True)
    return found


class _Dynamics(torch.autograd.Function):  # type: ignore[misc, name-defined]
    @staticmethod
    def forward(context: Any, robot: "Robot", forwards: bool, q: Any, qd: Any, third: Any) -> Any:
        context.robot, context.forwards = robot, forwards
        context.save_for_backward(q, qd, third)
        ask = robot.forward if forwards else robot.inverse
        return torch.as_tensor(ask(_array(q), _array(qd), _array(third)), dtype=q.dtype, device=q.device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context: Any, grad: Any) -> Any:
        q, qd, third = context.saved_tensors
        ask = context.robot.forward_derivatives if context.forwards else context.robot.inverse_derivatives
        d = ask(_array(q), _array(qd), _array(third))
        by = (d.q, d.qd, d.tau if context.forwards else d.qdd)
        return None, None, *(_back(matrix, grad, like) if wanted else None
                             for matrix, like, wanted in zip(by, (q, qd, third), context.needs_input_grad[2:]))


def forward(robot: "Robot", q: Any, qd: Any, tau: Any) -> Any:
    """Accelerations (…, n) of tensors (…, n), with exact first derivatives by all three; on the processor, in double."""
    robot._needs_a_tree("forearm.torch")
    return _Dynamics.apply(robot, True, q, qd, tau)


def inverse(robot: "Robot", q: Any, qd: Any, qdd: Any) -> Any:
    """Torques (…, n) of tensors (…, n), with exact first derivatives by all three; on the processor, in double."""
    robot._needs_a_tree("forearm.torch")
    return _Dynamics.apply(robot, False, q, qd, qdd)
