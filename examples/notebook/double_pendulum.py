# %% [markdown]
# # A double pendulum, cell by cell
#
# Open this file in VS Code, in Spyder, or in Jupyter (with jupytext) and run its cells one after the other; as a
# program, `python3 examples/notebook/double_pendulum.py`, it does the same. It wants the package of this project, FMPy and
# pandas: `pip install '.[pandas]'`.

# %%
import json
import pathlib

import numpy
import pandas

import forearm
from forearm import program

try:
    from IPython.display import SVG, display
except ImportError:  # no notebook: what would be shown is named
    SVG, display = "see {}".format, print

# Jupyter runs cells in the file's folder, and they do not know their file.
HERE = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path.cwd()
ROBOT = HERE.resolve().parents[1] / "resources" / "robots" / "double_pendulum.xml"

# %% [markdown]
# ## What is it?
#
# `check` reads the robot file. What is wrong with a file is an exception with file, line and column.

# %%
print(forearm.check(ROBOT))

try:
    forearm.check(ROBOT.parents[2] / "tests/bad/mass_comma.urdf")
except forearm.Error as error:
    print(f"line {error.line}, column {error.column}: {error.message}")

# %% [markdown]
# ## Let it swing
#
# An FMU once, then as many runs as we like. Results are frames with the time as their index.

# %%
fmu = forearm.export(ROBOT, "double_pendulum.fmu", options=["--outputs", "energy"])
JOINTS = [v["name"].split(".")[1] for v in forearm.inspect(fmu)["variables"] if v["name"].endswith(".position")]
START = {f"joint.{JOINTS[0]}.initial_position": 2.0, f"joint.{JOINTS[1]}.initial_position": 0.5}

swing = forearm.simulate(fmu, stop=10.0, step=0.01, start_values=START, as_frame=True)
print(swing[[f"joint.{j}.position" for j in JOINTS] + ["energy.kinetic", "energy.potential"]].iloc[::250].round(4)
      .to_string())
print(f"energy that nothing explains: at most {swing['energy.residual'].abs().max():.1e} J")

# %% [markdown]
# The same as a picture, and as a page in which it moves:

# %%
words = [word for name, value in START.items() for word in ("--set", f"{name}={value}")]
program.run("simulate", ROBOT, "--stop", 10, *words, "--outputs", "energy", "--plot", "swing.svg", "--plot-variables", "joint.*.position,energy.*")
display(SVG("swing.svg"))

# %% [markdown]
# ## It is chaotic
#
# A millionth of a radian more at the start. The distance grows by a factor *e* about every λ⁻¹ seconds.

# %%
tip = ["tip.x", "tip.y"]
near = forearm.simulate(fmu, stop=10.0, step=0.01, as_frame=True,
                        start_values={**START, f"joint.{JOINTS[0]}.initial_position": 2.0 + 1e-6})
apart = numpy.hypot(*(near[tip] - swing[tip]).to_numpy().T)
growing = (apart > 1e-6) & (apart < 1e-2)
rate = numpy.polyfit(swing.index[growing], numpy.log(apart[growing]), 1)[0]
print(f"apart by {apart[1]:.1e} m at first and by {apart.max():.2f} m at most; growth {rate:.1f} per second")

# %% [markdown]
# ## Small swings
#
# Near the pose in which it hangs, the linear model has two frequencies. Simulated swings have the same.

# %%
linear = json.loads(program.run("linearise", ROBOT, "--equilibrium", "pose", "--json",
                                "--set", f"joint.{JOINTS[0]}.initial_position=-1.4"))
modes = numpy.linalg.eigvals(numpy.array(linear["A"]))
frequencies = sorted(abs(m.imag) / (2 * numpy.pi) for m in modes if m.imag > 0)
hanging = {x["name"]: x["value"] for x in linear["x"]}
small = forearm.simulate(fmu, stop=100.0, step=0.01, as_frame=True, start_values={
    f"joint.{j}.initial_position": hanging[f"joint.{j}.position"] + 0.01 * (k + 1) for k, j in enumerate(JOINTS)})
angle = small[f"joint.{JOINTS[1]}.position"].to_numpy()
spectrum = numpy.abs(numpy.fft.rfft((angle - angle.mean()) * numpy.hanning(len(angle))))
peaks = [k for k in range(1, len(spectrum) - 1) if spectrum[k] > max(spectrum[k - 1], spectrum[k + 1], 0.05 * spectrum.max())]
measured = [k / (len(angle) * 0.01) for k in peaks]
print(pandas.DataFrame({"linear model [Hz]": frequencies, "simulated [Hz]": measured}).round(3).to_string(index=False))

# %% [markdown]
# On: [the package](../../docs/python.md), [stories](../../docs/README.md), and `forearm simulate ROBOT --html page.html`.
