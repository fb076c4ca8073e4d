#!/usr/bin/env python3
"""exported_models.py FOLDER: runs every exported model of the folder and prints how far it is from lgn's own states.

Beside NAME.py stand NAME.csv, the times and states of Model::propagate, and NAME.mo. Each line is NAME, the largest
difference of the states relative to the largest of them, and that of A(t) between the Modelica text and the script.
No compiler reads the Modelica text here: its declarations and equations are evaluated as Python.
"""
import importlib.util
import math
import pathlib
import re
import sys

import numpy as np


class Array(np.ndarray):
    """An array whose * is Modelica's: a product of matrices."""

    def __mul__(self, other):
        return np.matmul(self, other) if np.ndim(other) > 0 else np.multiply(self, other)


def array(items):
    return np.array(items, dtype=float).view(Array)


FUNCTIONS = {
    "array": array, "transpose": np.transpose, "diagonal": lambda v: array(np.diag(v)), "noEvent": lambda x: x,
    "fill": lambda value, n: array([value] * n), "zeros": lambda n: array([0.0] * n), "max": max, "min": min, "abs": abs,
    "integer": int, "floor": math.floor, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
    "tanh": math.tanh,
}


def as_python(expression):
    """Indices from 0 in brackets, arrays in braces as calls."""
    expression = re.sub(r"(\b[A-Za-z]\w*)\[([^\],:]+)(?:, :)?\]", r"\1[(\2) - 1]", expression)
    return expression.replace("./", "/").replace("{", "array([").replace("}", "])")


def spline_function(text):
    """The one function that models have, as Python's."""
    inside = re.search(r"  algorithm\n(.*)  end splines;", text, re.S).group(1)
    lines = ["def splines(t):"]
    for line in inside.splitlines():
        indent = line[:len(line) - len(line.lstrip())]
        loop = re.fullmatch(r"for (\w+) in (\w+):(\w+) loop", line.strip())
        if loop:
            lines.append("%sfor %s in range(%s, %s + 1):" % ((indent,) + loop.groups()))
        elif line.strip() != "end for;":
            lines.append(indent + as_python(line.strip().rstrip(";")).replace(":=", "="))
    space = dict(FUNCTIONS)
    exec("\n".join(lines + ["    return phi"]), space)
    return space["splines"]


class Modelica:
    """What a generated model declares, and A at a time."""

    def __init__(self, text):
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
        text = re.sub(r"//[^\n]*", "", text)
        for left, right in ("()", "[]", "{}"):
            assert text.count(left) == text.count(right), "brackets do not balance"
        assert re.match(r"model (\S+)", text).group(1) == re.search(r"end (\S+);\s*$", text).group(1)
        self.space = dict(FUNCTIONS)
        if "function splines" in text:
            self.space["splines"] = spline_function(text)
            text = re.sub(r"  function splines.*end splines;\n", "", text, flags=re.S)
        declared, equations = text.split("\nequation\n")
        self.dimension = int(re.search(r"Real x\[(\d+)\]\(start = x0, each fixed = true\)", declared).group(1))
        for name, value in re.findall(r"parameter Real (\w+)(?:\[[^\]]*\])? = ([^;]*);", declared):
            self.space[name] = eval(as_python(value), self.space)
        for name, size in re.findall(r"  Real (\w+)\[(\d+)\] *;", declared):
            self.space[name] = array([math.nan] * int(size))
        self.equations = [e.strip() for e in equations.split("annotation")[0].split(";") if e.strip()]
        assert self.equations.pop() == "der(x) = A*x"
        assert re.search(r"experiment\(StartTime = \S+, StopTime = \S+, Tolerance", equations)

    def generator(self, t):
        space = dict(self.space, time=t)
        for equation in self.equations:
            name, value = equation.split(" = ", 1)
            exec("%s = %s" % (as_python(name), as_python(value)), space)
        return np.asarray(space["A"])


def relative(found, wanted):
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    return abs(found - wanted).max() / abs(wanted).max()


def check(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    table = np.loadtxt(path.with_suffix(".csv"), delimiter=",")
    times = table[:, 0]
    states = relative(model.simulate(times), table[:, 1:])
    modelica = Modelica(path.with_suffix(".mo").read_text(encoding="utf-8"))
    generator = getattr(model, "generator", lambda t: model.A)
    differences = [relative(modelica.generator(t), generator(t)) for t in times[:: max(1, len(times) // 20)]]
    assert (np.asarray(modelica.space["x0"]) == model.x0).all() and modelica.dimension == len(model.channels)
    print(path.stem, "%.3g %.3g" % (states, max(differences)), flush=True)


for script in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    check(script)
