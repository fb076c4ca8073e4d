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


def true_modes(generator):
    """Frequencies (Hz) and damping ratios, lowest first."""
    poles = numpy.linalg.eigvals(generator)
    poles = poles[poles.imag > 0]
    poles = poles[numpy.argsort(abs(poles))]
    return abs(poles) / (2 * numpy.pi), -poles.real / abs(poles)


LIGHT, NEAR = 0.1, 0.05  # damping ratios of modes; how far, relative, a frequency may be from the true one


def paired(found, truth):
    """Of every true mode the index of the one found for it, or None; how many of the lightly damped are for none."""
    frequency, damping = numpy.array(found["frequency"]), numpy.array(found["damping"])
    light = [k for k in range(len(frequency)) if damping[k] < LIGHT]
    own = []
    for f in true_modes(truth)[0]:
        near = [k for k in light if abs(frequency[k] - f) < NEAR * f and k not in own]
        own.append(min(near, key=lambda k: abs(frequency[k] - f)) if near else None)
    return own, len(light) - sum(k is not None for k in own)


def random_vibration(methods, data, results):
    """Errors of modes, and how often 95% intervals hold the truth."""
    rows = []
    for method in methods:
        title, found = method.words()[0], results[method.key]
        if method.setting:
            title += f", {method.setting} block rows"
        if problem := problem_of(found):
            rows.append([title, problem] + [""] * 7)
            continue
        errors, invented, missed = {"frequency": [], "damping": []}, 0, 0
        inside = {"frequency": [], "damping": []}
        for f, d in zip(found, data):
            own, others = paired(f, d["truth"])
            invented += others
            missed += own.count(None)
            for name, values in zip(errors, true_modes(d["truth"])):
                for k, true in zip(own, values):
                    if k is None:
                        continue
                    errors[name].append(f[name][k] / true - 1)
                    if f"{name}_error" in f:
                        inside[name].append(abs(f[name][k] - true) <= 1.96 * f[f"{name}_error"][k])
        size = {name: numpy.sqrt(numpy.mean(numpy.square(e))) for name, e in errors.items()}
        rows.append(
            [
                title,
                f"{len(errors['damping'])} of {len(errors['damping']) + missed}",
                str(invented),
                f"{100 * size['frequency']:.3f}%",
                f"{100 * size['damping']:.1f}%",
                f"{100 * numpy.mean(errors['damping']):+.1f}%",
                *(f"{100 * numpy.mean(i):.0f}%" if i else "" for i in inside.values()),
                times(found)[0],
            ]
        )
    header = ["", "modes found", "invented", "frequency, RMS error", "damping, RMS error", "damping, mean error"]
    return table([*header, "95% intervals of frequency that hold it", "of damping", "time of a fit"], rows)


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
