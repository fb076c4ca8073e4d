"""serve.py METHOD[:SETTING] SECONDS FILE…: identifies every data set with a module of bench/peers/methods, a line of JSON for each.

One that takes more SECONDS of processor time is given up. A method is a module with fit(t, X, setting), X as [run, sample,
channel], which returns an Answer, or Modes where the record is random vibration. It may have settings(t, X): then the
setting is taken whose fit to the first three quarters of all runs predicts the last quarter best. A method with
KNOWS_TRUTH takes the setting whose poles are nearest to the true ones instead, which no user can. With SETTING none is
looked for. A record with inputs goes to fit_driven(t, y, u, setting), [sample, …], which returns a HeldSystem of its first half; a
setting is then taken by a free run over the last quarter of that half.
"""

import importlib
import json
import pathlib
import signal
import sys
import time
import warnings

import numpy

from answer import Modes, unexplained
from poles import pole_errors


def choose(method, t, X, truth):
    """The best setting, and why there is none."""
    known = 3 * len(t) // 4
    best, least, problem = None, numpy.inf, "no setting gave finite poles"
    for setting in method.settings(t, X):
        try:
            if getattr(method, "KNOWS_TRUTH", False):
                answer = method.fit(t, X, setting)
                score = pole_errors(answer.poles, truth).mean() if answer.good(X.shape[2]) else numpy.nan
            else:
                answer = method.fit(t[:known], X[:, :known], setting)
                score = unexplained(answer, t, X, known) if answer.good(X.shape[2]) else numpy.nan
        except (ValueError, numpy.linalg.LinAlgError) as error:
            problem = str(error).splitlines()[0]
            continue
        if score < least:
            best, least = setting, score
    return best, problem


def identify(method, t, X, truth, given):
    began = time.process_time()
    setting = given or None
    if not given and hasattr(method, "settings"):
        setting, problem = choose(method, t, X, truth)
        if setting is None:
            return {"problem": problem}
    chosen = time.process_time()
    answer = method.fit(t, X, setting)
    done = time.process_time()
    times = {
        "seconds": done - chosen,
        "seconds_with_choice": done - began,
        "setting": "" if setting is None or given else method.describe(setting),
    }
    if isinstance(answer, Modes):
        columns = {name: column for name, column in vars(answer).items() if column is not None}
        return {**{name: numpy.asarray(column, float).tolist() for name, column in columns.items()}, **times}
    if not answer.good(X.shape[2]):
        return {"problem": "the poles are not finite, or not as many as states"}
    return {
        "re": answer.poles.real.tolist(),
        "im": answer.poles.imag.tolist(),
        "generator": None if answer.generator is None else numpy.real(answer.generator).tolist(),
        **times,
    }


def choose_driven(method, t, y, u):
    """The setting of the best free run, why there is none, and what other processes took for it."""
    known = 3 * len(t) // 4
    best, least, problem, elsewhere = None, numpy.inf, "no setting gave a finite system", 0.0
    for setting in method.settings_driven(y[:known], u[:known]):
        try:
            system = method.fit_driven(t[:known], y[:known], u[:known], setting)
        except (ValueError, numpy.linalg.LinAlgError) as error:
            problem = str(error).splitlines()[0]
            continue
        elsewhere += system.seconds or 0
        score = system.error(y[known:], u[known:]) if system.good() else numpy.nan
        if score < least:
            best, least = setting, score
    return best, problem, elsewhere


def predict(method, t, y, u, clean):
    """The free run over the second half of a record by what the first tells."""
    half = len(t) // 2
    train = (t[:half], y[:half], u[:half])
    began, elsewhere, setting = time.process_time(), 0.0, None
    if hasattr(method, "settings_driven"):
        setting, problem, elsewhere = choose_driven(method, *train)
        if setting is None:
            return {"problem": problem}
    chosen = time.process_time()
    system = method.fit_driven(*train, setting)
    done = time.process_time()
    seconds = done - chosen + (system.seconds or 0)
    return {
        "error": system.error(y[half:], u[half:]),
        "truth": system.error(y[half:], u[half:], clean[half:]),
        "order": len(system.phi),
        "radius": float(abs(numpy.linalg.eigvals(system.phi)).max()),
        "seconds": seconds,
        "seconds_with_choice": chosen - began + elsewhere + seconds,
        "setting": "" if setting is None else method.describe(setting),
    }


def give_up(*_):
    raise TimeoutError


def main():
    warnings.simplefilter("ignore")  # peers warn of what they are given on purpose
    name, limit, *files = sys.argv[1:]
    name, _, setting = name.partition(":")
    answers, sys.stdout = sys.stdout, sys.stderr  # for what packages print, also later from loggers
    sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "methods"))
    method = importlib.import_module(name)
    signal.signal(signal.SIGPROF, give_up)
    for file in files:
        data = numpy.load(file)
        signal.setitimer(signal.ITIMER_PROF, float(limit))
        try:
            if "u" in data:
                found = predict(method, data["t"], data["y"], data["u"], data["clean"])
            else:
                found = identify(method, data["t"], data["X"], data["truth"], setting)
        except TimeoutError:
            found = {"problem": f"no answer in {limit} s"}
        except Exception as error:  # of another's package, which may raise anything
            found = {"problem": f"{type(error).__name__}: {error}".splitlines()[0]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(found), file=answers, flush=True)


main()
