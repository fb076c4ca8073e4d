"""What was found, as tables."""

from __future__ import annotations

import numpy
import scipy.linalg
from poles import entries, least_errors, pole_errors, relative_pole_error


def table(header, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]) + "\n"


def duration(seconds):
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def poles_of(found):
    return numpy.array(found["re"]) + 1j * numpy.array(found["im"])


def problem_of(found):
    """Why a row has no number; a vertical bar would end the cell."""
    return next((f["problem"].replace("|", "/") for f in found if "problem" in f), None)


def times(found):
    """Medians over data sets: the fit alone, and with the choice of its settings."""
    alone, whole = (numpy.median([f[key] for f in found]) for key in ("seconds", "seconds_with_choice"))
    return [duration(alone), duration(whole) if found[0]["setting"] else ""]


def bound(data, where, relative):
    """Mean over data sets of the mean over poles of E|Δλ|, or of E|Δλ|/|λ|."""
    means = []
    for d in data:
        errors = least_errors(d["truth"], entries(len(d["truth"]), where), d["t"], d["starts"], float(d["sigma"]))
        means.append((errors / abs(numpy.linalg.eigvals(d["truth"])) if relative else errors).mean())
    return numpy.mean(means)


def six_states(methods, data_sets, results):
    """Mean |Δλ|/|λ| by method and noise; `results` by method and problem."""
    limits = [[bound(data, where, relative=True) for data in data_sets] for where in ("sd", "full")]
    rows = [
        [f"Cramér–Rao bound, {text}", *(f"{b:.2e}" for b in least), "", "", ""]
        for text, least in zip(("A = S − D", "any A"), limits)
    ]
    for method in methods:
        cells, fits = [], []
        for data, found in zip(data_sets, results[method.module]):
            if problem := problem_of(found):
                cells.append(problem)
                continue
            errors = [relative_pole_error(poles_of(f), d["truth"]) for f, d in zip(found, data)]
            cells.append(f"{numpy.mean(errors):.2e} ({max(errors):.1e})")
            fits += found
        ratio = ""
        if not problem_of(results[method.module][1]):
            ratio = f"{float(cells[1].split()[0]) / limits[1][1]:.2f}"
        rows.append([method.words()[0], *cells, ratio, *(times(fits) if fits else ["", ""])])
    header = ["", "1%", "5%", "10%", "5%, over the bound for any A", "time of a fit", "with the choice of settings"]
    return table(header, rows)


def prediction_error(generator, truth):
    """NRMSE up to t = 100 from e₁ + ½e₂."""
    state = numpy.zeros(len(truth))
    state[:2] = 1, 0.5
    courses = []
    for a in (generator, truth):
        step_map, x = scipy.linalg.expm(0.1 * a), state
        courses.append(numpy.array([x] + [x := step_map @ x for _ in range(999)]))
    return numpy.sqrt(((courses[0] - courses[1]) ** 2).mean() / (courses[1] ** 2).mean())


def hundred_states(methods, data, results):
    """One data set: errors of poles, generator and prediction by method."""
    truth = data["truth"]
    rows = []
    if data["sigma"] > 0:
        least = bound([data], "wiring", relative=False)
        rows.append(["Cramér–Rao bound, couplings and losses known", f"{least:.1e}"] + [""] * 6)
    for method in methods:
        title, found = method.words()[0], results[method.module]
        if problem := problem_of(found):
            rows.append([title, problem] + [""] * 6)
            continue
        poles, generator = poles_of(found[0]), found[0]["generator"]
        matrix, predicted = "", ""
        if generator is not None:
            generator = numpy.array(generator)
            matrix = f"{numpy.linalg.norm(generator - truth) / numpy.linalg.norm(truth):.1e}"
            with numpy.errstate(all="ignore"):
                predicted = f"{prediction_error(generator, truth):.1e}"
        unstable = str(int((poles.real > 0).sum()))
        error = f"{pole_errors(poles, truth).mean():.1e}"
        rows.append([title, error, matrix, unstable, predicted, *times(found), found[0]["setting"]])
    header = ["", "mean \\|Δλ\\|", "‖A−A*‖/‖A*‖", "poles with Re > 0", "test NRMSE"]
    return table([*header, "time of the fit", "with the choice of settings", "setting"], rows)
