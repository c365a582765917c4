"""A package of `forearm export --modelica` without a Modelica compiler: its model's text read, and the C functions
behind it called as the model's equations call them.
"""

import ctypes
import pathlib
import re
import subprocess

import numpy as np

HEADER = """
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char    modelica_said[2048];
static jmp_buf modelica_back;
static int     modelica_caught;
static void ModelicaFormatError(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(modelica_said, sizeof modelica_said, format, arguments);
    va_end(arguments);
    if (!modelica_caught) fprintf(stderr, "%s\\n", modelica_said), abort();
    longjmp(modelica_back, 1);
}
"""
# For calls that may fail: whether it did, and what was said.
CATCH = """
#define FOREARM_FUNCTION
#include "forearm_modelica.h"
const char *said(void) { return modelica_said; }
int may_fail(void *robot, double t, const double *x, size_t n, const double *u, size_t m, double *dx)
{
    modelica_caught = 1;
    int failed = setjmp(modelica_back);
    if (!failed) forearm_derivatives(robot, 0, t, x, n, u, m, dx);
    modelica_caught = 0;
    return failed;
}
"""


def split(text):
    """Arguments of a call, by the commas that no bracket or quotation mark holds."""
    parts, depth, quoted, at = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "({[":
            depth += 1
        elif not quoted and c in ")}]":
            depth -= 1
        elif not quoted and c == "," and depth == 0:
            parts.append(text[at:i])
            at = i + 1
    return [part.strip() for part in [*parts, text[at:]]]


def elements(text):
    return split(text[1:-1]) if text.startswith("{") else []


class Package:
    """The model Robot of a package, and its library of C functions."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.text = (self.folder / "Robot.mo").read_text()
        self.parameter = {}
        for _, name, value in re.findall(r"^  parameter (\w+) (\w+)(?:\(.*?\))? = (\S+)", self.text, re.M):
            number = {"true": 1.0, "false": 0.0, "Modelica.Constants.inf": 1e60, "-Modelica.Constants.inf": -1e60}
            self.parameter[name] = number[value] if value in number else float(value)
        call = re.search(r"Internal\.Handle\(\n(.*?)\)\n    \"The robot", self.text, re.S).group(1)
        (_, identifier, token, _, kinds, values, references, inputs, toggles, states, derivatives, time) = split(call)
        self.identifier, self.token, self.kinds = (word.strip('"') for word in (identifier, token, kinds))
        self.parameters = [re.sub(r"if (\w+) then 1 else 0", r"\1", word) for word in elements(values)]
        self.lists = [[int(word) for word in elements(text)] for text in (references, inputs, toggles, states, derivatives)]
        self.time = int(time)
        self.states = re.findall(r"^  robot_x\[\d+\] = (\w+);", self.text, re.M)
        self.inputs = re.findall(r"^  robot_u\[\d+\] = (.+);", self.text, re.M)
        self.derivative = {}
        for state, what in re.findall(r"^  der\((\w+)\) = (\S+);", self.text, re.M):
            self.derivative[state] = what
        include = self.folder / "Resources" / "Include"
        stub = self.folder.parent / f"stub_{self.folder.name}"
        stub.mkdir(exist_ok=True)
        (stub / "ModelicaUtilities.h").write_text(HEADER)
        (stub / "all.c").write_text(CATCH)
        subprocess.run(["cc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-O1", "-D_POSIX_C_SOURCE=200809L", "-fPIC", "-shared", "-I", stub,
                        "-I", include, stub / "all.c", "-lm", "-ldl", "-o", stub / "all.so"], check=True)
        self.c = ctypes.CDLL(str(stub / "all.so"))
        self.c.forearm_open.restype = ctypes.c_void_p
        self.c.said.restype = ctypes.c_char_p

    def outputs(self, function):
        """Value references and names of an array of outputs: outputs("outputs"), outputs("through")."""
        array = {"outputs": "robot_y", "through": "robot_through"}[function]
        found = re.search(rf"Internal\.{function}\(.*?(\{{[^}}]*\}})\);", self.text, re.S)
        if not found:
            return [], []
        return ([int(word) for word in elements(found.group(1))],
                re.findall(rf"^  (\w+) = {array}\[\d+\];", self.text, re.M))

    def robot(self, **parameters):
        return Robot(self, parameters)


def doubles(values):
    values = np.ascontiguousarray(values, dtype=float)
    return values, values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), ctypes.c_size_t(values.size)


def whole(values):
    values = np.ascontiguousarray(values, dtype=np.int32)
    return values, values.ctypes.data_as(ctypes.POINTER(ctypes.c_int)), ctypes.c_size_t(values.size)


class Robot:
    """An instance of the external object, with the functions of the package's Internal."""

    def __init__(self, package, parameters):
        self.package, self.c = package, package.c
        self.parameter = {**package.parameter, **parameters}
        keep = [doubles([self.parameter[name] for name in package.parameters])] + [whole(one) for one in package.lists]
        arguments = [word for _, *pair in keep for word in pair]
        self.handle = ctypes.c_void_p(self.c.forearm_open(
            str(package.folder / "Resources").encode(), package.identifier.encode(), package.token.encode(),
            b"robot", package.kinds.encode(), *arguments, ctypes.c_int(package.time)))
        self.event = ctypes.c_int(0)
        self.n_indicators = int((re.findall(r"robot_indicator\[(\d+)\]", package.text) or ["0"])[0])

    def close(self):
        self.c.forearm_close(self.handle)

    def start(self):
        """The states that the model's initial equations give."""
        block = re.search(r"initial equation\n  if fixInitial then\n(.*?)  end if;", self.package.text, re.S).group(1)
        value = dict(re.findall(r"^    (\w+) = ([^;]+);", block, re.M))

        def number(text):
            first, _, rest = text.partition(" / Modelica.Math.Vectors.length({")
            length = np.linalg.norm([self.parameter[name] for name in re.findall(r"\w+", rest)]) if rest else 1
            return (self.parameter[first] if first in self.parameter else float(first)) / length

        return np.array([number(value[name]) for name in self.package.states])

    def _at(self, t, x, u=None):
        self._kept = [doubles(x)] + ([doubles(u)] if u is not None else [])
        return [self.handle, self.event, ctypes.c_double(t)] + [word for _, *pair in self._kept for word in pair]

    def derivatives(self, t, x, u):
        """With der(position) = velocity as the model writes it."""
        dx = np.zeros(len(x))
        self.c.forearm_derivatives(*self._at(t, x, u), doubles(dx)[1])
        for i, name in enumerate(self.package.states):
            what = self.package.derivative[name]
            if what in self.package.states:
                dx[i] = x[self.package.states.index(what)]
            else:
                assert what == f"robot_dx[{i + 1}]"
        return dx

    def derivatives_der(self, t, x, u, der_t, der_x, der_u):
        out = np.zeros(len(x))
        keep = [doubles(der_x), doubles(der_u)]
        self.c.forearm_derivatives_der(*self._at(t, x, u), ctypes.c_double(der_t), keep[0][1], keep[1][1], doubles(out)[1])
        return out

    def outputs(self, t, x, u, function="outputs"):
        """A dictionary by the model's names."""
        references, names = self.package.outputs(function)
        list_, y = whole(references), np.zeros(len(references))
        call = self.c.forearm_outputs if function == "outputs" else self.c.forearm_through
        call(*self._at(t, x, u if function == "through" else None), *list_[1:], doubles(y)[1])
        return dict(zip(names, y))

    def outputs_der(self, t, x, u, der_t, der_x, der_u, function="outputs"):
        references, names = self.package.outputs(function)
        list_, y = whole(references), np.zeros(len(references))
        keep = [doubles(der_x), doubles(der_u)]
        if function == "outputs":
            self.c.forearm_outputs_der(*self._at(t, x), *list_[1:], ctypes.c_double(der_t), keep[0][1], doubles(y)[1])
        else:
            self.c.forearm_through_der(*self._at(t, x, u), *list_[1:], ctypes.c_double(der_t), keep[0][1], keep[1][1], doubles(y)[1])
        return dict(zip(names, y))

    def indicators(self, t, x, u):
        z = np.zeros(self.n_indicators)
        array = doubles(z)
        self.c.forearm_indicators(*self._at(t, x, u), *array[1:])
        return z

    def update(self, t, x, toggles=()):
        """An event: the states after it, and the time of the next one."""
        new, next_, keep, state = np.zeros(len(x)), ctypes.c_double(0), whole(list(toggles) or [0]), doubles(x)
        count = self.c.forearm_update(self.handle, ctypes.c_double(t), *state[1:], keep[1], ctypes.c_size_t(len(toggles)), b"", whole([0])[1],
                                      ctypes.c_size_t(0), doubles(new)[1], ctypes.byref(next_), doubles([0.0])[1])
        self.event = ctypes.c_int(count)
        return new, next_.value
