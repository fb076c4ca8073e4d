"""The same numbers here and in the program, to the last bit."""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest

import lgn


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
@pytest.mark.parametrize("structure", ["auto", "sd", "psd", "scaled-sd", "metric", "full", "network"])
def test_fit_of_a_file(ringdown, fit_json, structure):
    theirs = fit_json(ringdown, "--structure", structure)
    ours = lgn.fit(ringdown, structure=structure).to_dict()
    for part in ("A", "x0", "parameters", "modes", "structure", "candidates", "warnings", "data"):
        assert ours[part] == theirs[part], part


@pytest.mark.parametrize("threads", [1, 2])
def test_fit_in_cpp(tmp_path, fit_json, threads):
    path = os.environ.get("LGN_FIT_IN_CPP")
    if not path:
        pytest.skip("LGN_FIT_IN_CPP does not name the program that fits in C++")
    # So many states that products of matrices are shared among threads.
    data = lgn.generate("ladder", sections=8, trajectories=3, noise=0.01)
    file = tmp_path / "ladder.csv"
    data.save(file)
    command = [path, str(file), "sd", str(threads)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    ours = lgn.fit(data, structure="sd", threads=threads).A
    assert np.array_equal(ours.ravel(), [float.fromhex(line) for line in lines])
    theirs = fit_json(file, "--structure", "sd", "--threads", threads)["A"]
    assert np.array_equal(ours, theirs)


def test_arrays_and_frames_are_the_same_data(ringdown, fit_json):
    pandas = pytest.importorskip("pandas")
    # The default parser of pandas is not exact to the last bit.
    frame = pandas.read_csv(ringdown, comment="#", float_precision="round_trip")
    theirs = np.array(fit_json(ringdown, "--structure", "sd")["A"])
    X = frame.drop(columns="t").to_numpy()
    for form in [(frame,), (frame.set_index("t"),), (frame["t"], X), (frame["t"].tolist(), X.tolist())]:
        assert np.array_equal(lgn.fit(*form, structure="sd").A, theirs)
    assert np.array_equal(lgn.fit(frame["t"], np.asfortranarray(X), structure="sd").A, theirs)


def test_several_runs_that_vary_in_time(tmp_path, program, fit_json):
    data = lgn.generate("ltv-oscillator", trajectories=2, t1=20, noise=0.01)
    path = tmp_path / "data.csv"
    data.save(path)
    made = program("generate", "ltv-oscillator", "--trajectories", 2, "--t1", 20, "--noise", "1%")
    assert path.read_text() == made
    theirs = fit_json(path, "--structure", "ltv-sd", "--holdout", 0.2)
    ours = lgn.fit(data.t, data.X, "ltv-sd", channels=data.channels, holdout=0.2).to_dict()
    for part in ("A", "parameters", "variation"):
        assert ours[part] == theirs[part], part


def test_threads_of_others_stay_as_they_were():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    with threadpoolctl.threadpool_limits(2):
        before = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
        lgn.fit(lgn.generate("rlc"), structure="full")
        assert [pool["num_threads"] for pool in threadpoolctl.threadpool_info()] == before


@pytest.mark.parametrize(
    "system, options, constants",
    [
        ("rlc", ["--omega", 2, "--gamma", 0.3], {"omega": 2, "gamma": 0.3}),
        ("ladder", ["--sections", 2, "--C", "1,0.5"], {"sections": 2, "C": [1, 0.5]}),
        ("network", ["--topology", "grid", "--size", "2x3"], {"topology": "grid", "size": "2x3"}),
        ("random", ["--states", 4, "--x0", "1,2"], {"states": 4, "x0": [1, 2]}),
        ("ltv-chain", ["--drift", 0.2], {"drift": 0.2}),
    ],
)
def test_generate(tmp_path, program, system, options, constants):
    theirs = program("generate", system, *options, "--noise", 0.05, "--trajectories", 2, "--seed", 7)
    data = lgn.generate(system, noise=0.05, trajectories=2, seed=7, **constants)
    data.save(tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_text() == theirs


@pytest.mark.filterwarnings("ignore::lgn.IdentificationWarning")
@pytest.mark.parametrize(
    "system, structure, constants",
    [
        ("ladder", "sd", {"sections": 3}),
        ("network", "network", {"topology": "ring", "size": 4}),
        ("ltv-oscillator", "ltv-sd", {}),
        ("ltv-oscillator", "parametric:ltv-oscillator", {}),
    ],
)
def test_models_of_the_program(tmp_path, program, system, structure, constants):
    lgn.generate(system, noise=0.01, **constants).save(tmp_path / "data.csv")
    file = tmp_path / "model.json"
    program("fit", tmp_path / "data.csv", "--structure", structure, "-o", file, "--quiet")
    model = lgn.load(file)
    assert model.structure == structure and model.varies == ("ltv" in structure)
    text = program("simulate", file, "--t1", 10, "--dt", 0.5)
    theirs = np.array([line.split(",") for line in text.splitlines()[1:]], dtype=float)
    assert np.array_equal(model.simulate(theirs[:, 0]), theirs[:, 1:])
    model.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == file.read_text()
    model.report(tmp_path / "page.html", tmp_path / "data.csv")
    assert "<table" in model._repr_html_() and (tmp_path / "page.html").stat().st_size > 0
