"""The package as a whole: its examples, its import, its program."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import subprocess
import sys
import time

import pytest

import lgn

MODULES = sorted(p.stem for p in pathlib.Path(lgn.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    pytest.importorskip("pandas")
    if name == "_plot":
        pytest.importorskip("matplotlib")
    module = lgn if name == "__init__" else importlib.import_module(f"lgn.{name}")
    assert doctest.testmod(module).failed == 0


def test_everything_public_is_explained():
    for name in lgn.__all__:
        assert name == "__version__" or getattr(lgn, name).__doc__, name


def test_import_is_light():
    heavy = ["pandas", "matplotlib", "scipy", "sklearn", "control"]
    code = f"import sys, lgn; print([m for m in {heavy} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "[]"


def test_import_time(record_property, capsys):
    """Measured and said; not asserted, for the machine may be busy."""

    def seconds(code):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    took = min(seconds("import lgn") for _ in range(3)) - min(seconds("pass") for _ in range(3))
    record_property("import_seconds", took)
    with capsys.disabled():
        print(f" import lgn: {took:.3f} s ", end="")


def test_version_is_that_of_the_program(program):
    assert lgn.__version__ in program("--version")


def test_the_program_comes_along(program, tmp_path):
    command = [sys.executable, "-m", "lgn", "--version"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert said.stdout == program("--version")


def test_reproduce(program, tmp_path, capsys):
    results = lgn.reproduce("a1", tmp_path / "paper", quick=True, neural="none")
    assert (tmp_path / "paper" / "index.html").exists() and results
    assert "A.1" in capsys.readouterr().out
    with pytest.raises(lgn.Error, match="exp9"):
        lgn.reproduce("exp9", tmp_path / "other", quiet=True)
