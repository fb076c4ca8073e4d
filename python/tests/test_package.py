"""The package as a whole: its examples, its import, its program."""

from __future__ import annotations

import doctest
import pathlib
import re
import shutil
import subprocess
import sys
import time
import types

import pytest

import lgn

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = sorted(set(lgn.__all__) - {"__version__"})


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name, request, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    if name == "Model":
        pytest.importorskip("matplotlib")
        pytest.importorskip("scipy")
    if name == "reproduce":
        request.getfixturevalue("program")
    monkeypatch.chdir(tmp_path)
    # Without a module to compare with: what is public comes from modules that are not.
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(getattr(lgn, name), name, module=False, globs={}):
        runner.run(example)
    assert runner.failures == 0 and runner.tries > 0


def test_example_of_the_package():
    assert doctest.testmod(lgn).failed == 0


def test_everything_public_is_explained():
    for name in PUBLIC:
        thing = getattr(lgn, name)
        assert thing.__doc__, name
        for part, method in vars(thing).items() if isinstance(thing, type) else []:
            if not part.startswith("_") and (callable(method) or isinstance(method, property)):
                assert method.__doc__, f"{name}.{part}"


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, ringdown, tmp_path, monkeypatch):
    """Their lines of Python run as they stand."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    text = (ROOT / page).read_text()
    block = re.search(r"^```python\n(.*?)^```", text, re.S | re.M).group(1)
    stand_in = types.ModuleType("control")
    stand_in.ss = lambda *_, **__: None
    monkeypatch.setitem(sys.modules, "control", stand_in)
    monkeypatch.chdir(tmp_path)
    shutil.copy(ringdown, "ringdown.csv")
    frame = pandas.read_csv("ringdown.csv", comment="#")
    X = frame.drop(columns="t").to_numpy()
    exec(block, {"lgn": lgn, "frame": frame, "t": frame["t"].to_numpy(), "X": X, "x0": X[0]})
    assert pathlib.Path("report.html").exists() and pathlib.Path("model.json").exists()


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
