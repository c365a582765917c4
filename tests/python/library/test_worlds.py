"""Robots within other packages: pandas, scipy, control, torch, jax, casadi; each where it is installed."""

import doctest
import sys

import numpy as np
import pytest

from core_package import TWO, fa, states

from forearm.worlds import need


def test_an_absent_package_is_named():
    with pytest.raises(fa.Error, match="to_frame needs the package no_such_package, which is not installed: pip install no_such_package"):
        need("no_such_package.part", "to_frame")


def test_frames_of_pandas():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    robot = fa.loads(TWO)
    sol = robot.simulate(0.2, q=[0.1, 0.2], step=0.1)
    frame = sol.to_frame()
    assert list(frame.columns) == ["joint.shoulder.position", "joint.elbow.position", "joint.shoulder.velocity", "joint.elbow.velocity"]
    assert frame.index.name == "time" and (frame.to_numpy()[:, :2] == sol.q).all()
    many = robot.with_parameters({"payload.mass": [0, 1, 2]}).simulate(0.2, q=np.zeros((2, 1, 2)), step=0.1)
    frame = many.to_frame()
    assert isinstance(frame.index, pandas.MultiIndex) and frame.index.names == ["run.0", "run.1", "time"]
    assert (frame.loc[1, 2].to_numpy()[:, 2:] == many.qd[1, 2]).all()


def test_right_hand_sides_for_scipy():
    integrate = pytest.importorskip("scipy.integrate", reason="scipy is not installed")
    robot = fa.loads(TWO.replace('<friction viscous="0.3"/>', ""))
    f = fa.scipy.rhs(robot, torque=[1, 0.5])
    x = np.random.default_rng(0).normal(size=(4, 5))
    assert (f(0, x)[:, 2] == f(0, x[:, 2])).all()
    h = 1e-6
    slopes = np.array([(f(0, x[:, 0] + h * e) - f(0, x[:, 0] - h * e)) / (2 * h) for e in np.eye(4)]).T
    assert np.abs(f.jac(0, x[:, 0]) - slopes).max() < 1e-7  # h^2 and rounding / h
    sol = robot.simulate(1, q=[0.1, 0.2], control=[1, 0.5], step=0.5, tolerance=1e-10)
    for method in ("DOP853", "Radau"):
        want = integrate.solve_ivp(f, (0, 1), [0.1, 0.2, 0, 0], method=method, rtol=1e-9, atol=1e-9, vectorized=True,
                                   **({"jac": f.jac} if method == "Radau" else {}))
        assert np.abs(want.y[:2, -1] - sol.q[-1]).max() < 1e-6
    by_function = fa.scipy.rhs(robot, torque=lambda t, q, qd: [t, 0])
    assert (by_function(2, x[:, 0])[2:] == robot.forward(x[:2, 0], x[2:, 0], [2, 0])).all()
    result = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(
        fa.scipy.rhs.__doc__, {"fa": fa, "np": np, "robot": robot}, "rhs", None, 0))
    assert result.attempted and not result.failed


def test_linear_systems_of_scipy_and_control():
    robot = fa.loads(TWO)
    system = robot.linearise([0.1, 0.2], control=robot.gravity_torque([0.1, 0.2])).select(robot.inputs, ["tip.x"])
    if pytest.importorskip("scipy.signal", reason="scipy is not installed"):
        assert (system.to_scipy().A == system.A).all() and system.to_scipy().C.shape == (1, 4)
    pytest.importorskip("control", reason="control is not installed")
    found = system.to_control()
    assert (found.A == system.A).all() and (found.B == system.B).all()
    assert found.input_labels == [name.replace(".", "_") for name in system.inputs] and found.output_labels == ["tip_x"]


def test_gradients_of_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    robot = fa.loads(TWO)
    at = [torch.tensor(array, requires_grad=True) for array in states(robot, 3)]
    assert torch.autograd.gradcheck(lambda *x: fa.torch.forward(robot, *x), at, atol=1e-5)
    assert torch.autograd.gradcheck(lambda *x: fa.torch.inverse(robot, *x), at, atol=1e-5)
    one = [at[0], torch.zeros(2, dtype=torch.float64, requires_grad=True), at[2]]  # broadcast
    assert torch.autograd.gradcheck(lambda *x: fa.torch.forward(robot, *x), one, atol=1e-5)


def test_functions_of_jax():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    robot = fa.loads(TWO)
    q, qd, tau = states(robot, 3)
    want = robot.forward(q, qd, tau)
    assert np.abs(jax.jit(lambda *x: fa.jax.forward(robot, *x))(q, qd, tau) - want).max() < 1e-13
    assert np.abs(jax.vmap(lambda *x: fa.jax.forward(robot, *x))(q, qd, tau) - want).max() < 1e-13
    slope = jax.vmap(jax.jacobian(lambda x, v, u: fa.jax.forward(robot, x, v, u)))(q, qd, tau)
    assert np.abs(slope - robot.forward_derivatives(q, qd, tau).q).max() < 1e-12
    slope = jax.jacfwd(lambda a: fa.jax.inverse(robot, q[0], qd[0], a))(tau[0])
    assert np.abs(slope - robot.mass_matrix(q[0])).max() < 1e-12


def test_functions_of_casadi():
    casadi = pytest.importorskip("casadi", reason="casadi is not installed")
    robot = fa.loads(TWO)
    q, qd, tau = (array[0] for array in states(robot, 1))
    f = fa.casadi.external(robot)
    assert np.abs(np.array(f(q, qd, tau)).ravel() - robot.forward(q, qd, tau)).max() < 1e-13
    x = casadi.MX.sym("x", 2)
    slope = casadi.Function("slope", [x], [casadi.jacobian(f(x, qd, tau), x)])
    assert np.abs(np.array(slope(q)) - robot.forward_derivatives(q, qd, tau).q).max() < 1e-12
    g = fa.casadi.external(robot, "inverse")
    slope = casadi.Function("slope", [x], [casadi.jacobian(g(q, qd, x), x)])
    assert np.abs(np.array(slope(tau)) - robot.mass_matrix(q)).max() < 1e-12
    with pytest.raises(ValueError, match="there is no function 'backward'"):
        fa.casadi.external(robot, "backward")


def test_nothing_is_imported_before_it_is_asked_for():
    import subprocess
    program = ("import sys, forearm; forearm.load; print([name for name in ('gymnasium', 'pandas', 'torch', 'jax', 'casadi', 'scipy', "
               "'control') if name in sys.modules])")
    import os
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
