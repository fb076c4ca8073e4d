#!/usr/bin/env python3
"""exported_models.py FOLDER: runs every exported model of the folder and prints how far it is from lgn's own states.

Beside NAME.py stand NAME.csv, the times and states of Model::propagate, NAME.inputs where there are inputs, and NAME.mo. Each line is NAME, the largest
difference of the states relative to the largest of them, and that of A(t) between the Modelica text and the script.
No compiler reads the Modelica text here: its declarations are evaluated as Python.
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
    "array": array, "transpose": np.transpose, "diagonal": lambda v: array(np.diag(v)),
    "fill": lambda value, n: array([value] * n), "max": max, "min": min, "abs": abs,
    "exp": math.exp, "log": math.log, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "cat": lambda _, *parts: array(np.concatenate(parts)),
}


def as_python(expression):
    """Indices from 0 in brackets, arrays in braces as calls."""
    expression = re.sub(r"(\b[A-Za-z]\w*)\[(\d+)\]", r"\1[\2 - 1]", expression)
    return expression.replace("./", "/").replace(".^", "**").replace("{", "array([").replace("}", "])").strip()


class Modelica:
    """What a generated model declares."""

    def __init__(self, text):
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
        text = re.sub(r"//[^\n]*", "", text)
        for left, right in ("()", "[]", "{}"):
            assert text.count(left) == text.count(right), "brackets do not balance"
        assert re.match(r"model (\S+)", text).group(1) == re.search(r"end (\S+);\s*$", text).group(1)
        declared, equations = text.split("\nequation\n")
        self.dimension = int(re.search(r"Real x\[(\d+)\]\(start = x0, each fixed = true\)", declared).group(1))
        found = re.findall(r"^  (?:parameter )?Real (\w+)(?:\[[^\]]*\])? =([^;]*);", declared, re.M)
        self.declared = [(name, as_python(value)) for name, value in found]
        names = [name for name, _ in self.declared]
        law = "A*(x - offset)" if "offset" in names and "C" not in names else "A*x"
        self.driven = "B" in names
        law += " + B*u" if self.driven else ""
        assert equations.split(";")[0] == "  der(x) = " + law
        assert re.search(r"experiment\(StartTime = \S+, StopTime = \S+, Tolerance", equations)

    def at(self, time):
        """All that is declared, at a time."""
        space = dict(FUNCTIONS, time=time, x=None)
        for name, value in self.declared:
            if name == "y" or (name == "u" and self.driven):  # which are made of states and inputs
                continue
            space[name] = eval("(%s)" % value, space)
        return space


def relative(found, wanted):
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    return abs(found - wanted).max() / abs(wanted).max()


def check(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    table = np.loadtxt(path.with_suffix(".csv"), delimiter=",")
    times = table[:, 0]
    given = path.with_suffix(".inputs")
    inputs = [np.loadtxt(given, delimiter=",", ndmin=2)] if given.exists() else []
    states = relative(model.simulate(times, None, *inputs), table[:, 1:])
    modelica = Modelica(path.with_suffix(".mo").read_text(encoding="utf-8"))
    assert (np.asarray(modelica.at(times[0]).get("offset", 0)) == getattr(model, "offset", 0)).all()
    generator = getattr(model, "generator", lambda t: model.A)
    differences = [relative(np.asarray(modelica.at(t)["A"]), generator(t)) for t in times[:: max(1, len(times) // 20)]]
    first = modelica.at(times[0])
    assert (np.asarray(first["x0"]) == model.x0).all() and modelica.dimension == len(model.A)
    for name in "BD":
        assert (np.asarray(first.get(name, 0)) == getattr(model, name, 0)).all()
    shown = dict(modelica.declared).get("y", "x")
    u = array(model.pieces(times, inputs[0])[3][0]) if inputs else None
    y = eval(shown, dict(first, x=first["x0"], u=u))
    assert relative(np.asarray(y), table[0, 1:]) < 1e-14
    if not hasattr(model, "C"):
        assert len(model.channels) == len(model.A) and "C" not in first
    if inputs:
        now = dict(modelica.declared)["u"]
        late = ["delay('u %d', %r)" % (k + 1, model.delay) for k in range(len(model.inputs))]
        assert now == "array([%s])" % ", ".join(late if model.delay > 0 else ["'u %d'" % (k + 1) for k in range(len(late))]), now
    print(path.stem, "%.3g %.3g" % (states, max(differences)), flush=True)


for script in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    check(script)
