"""identify [METHOD…]: identifies the same data with lgn and with its peers, and prints the page docs/peers.md.

LGN_BUILD names the build folder, which holds the package lgn and the environment of the peers.
"""

from __future__ import annotations

import os
import pathlib
import platform
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy  # noqa: E402  after the number of threads

from runner import ALL, AMBIENT, BUILD, LIMIT, installed, run  # noqa: E402

sys.path.append(str(BUILD / "python"))
try:
    import problems
except ImportError as error:
    sys.exit(f"identify: {error}; `make peers-page` sees to the packages and builds lgn for /usr/bin/python3")
import tables  # noqa: E402

PAGE = """<!-- made by `make peers-page`; edit bench/peers/, not this page -->
This page was made by `make peers-page`.

# Beside other packages

The same arrays go to lgn and to other packages that find linear systems, in one run, each in a process of its own with
one thread. All data are **simulated**, by systems that are known, so that every answer can be compared with the truth: eigenvalues are paired with the
true ones at the least total |Δλ|, and errors are those of the complex eigenvalue. Times are processor times, without that
of importing a package. Where a package has settings that matter, they are chosen by what a user has: every setting is
fitted to the first three quarters of all runs, the one that predicts the last quarter best is fitted to all, and the
time is given with and without that. A data set that takes longer than {limit} s is given up. Data are free decays
and, in the last part, random vibration; what a package can do with inputs is not measured here.

{machine}

{versions}

Of decays there are as many channels as states, n, and all know that:

{given}
## Six states under noise

The ladder of three sections (R = 0.1, L = C = 1): five runs, t < 30, Δt = 0.1, random starts that nobody is told,
{seeds} data sets for each size of the noise. Numbers are means of the mean |Δλ|/|λ|, the worst data set in brackets. The
bounds are what the Cramér–Rao bound predicts for that mean; the first is for those who know the structure and, as it does
not count d ≥ 0, may be undercut a little by those who use it, the second for those who take A as any matrix. With data
sets this few a method at a bound may stand a fifth above or below it.

{six}
## A hundred states

The ladder of 50 sections: three runs, t < 30, Δt = 0.1, one data set. The test is the prediction up to t = 100 from
e₁ + ½e₂, where a package gives A in the channels.

Integrated by an adaptive Runge–Kutta method with rtol 1e-8, atol 1e-10, no noise added:

{clean}
With noise of 1%:

{noisy}
## Random vibration

A tower of five floors (`lgn generate tower`): the lowest mode at 1 Hz, damping ratios of 1%, white forces on all floors
that nobody measured; positions of all floors with 5% noise, {samples} samples, Δt = {step} s, {towers} records. Nobody is
told how many modes there are.

{told}
A mode is found where one that is damped by less than {light:.0%} is within {near:.0%} of its frequency; all others that are
damped as little count as invented. Errors are relative, of the modes that were found.

{vibration}"""


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(methods, scratch):
    """The data sets of each problem, and what each method found in them, both by the name of the problem."""
    decays = {problem.name: problems.write(problem, scratch) for problem in (*problems.SIX, *problems.HUNDRED)}
    vibration = {problems.TOWER.name: problems.write(problems.TOWER, scratch)}
    files = {**decays, **vibration}
    found = {name: {} for name in files}
    for method in methods:
        say(f"{method.words()[0]} {method.setting} …")
        own = vibration if method in AMBIENT else decays
        answers = iter(run(method, [file for some in own.values() for file in some]))
        for name, some in own.items():
            found[name][method.key] = [next(answers) for _ in some]
    return {name: [dict(numpy.load(file)) for file in some] for name, some in files.items()}, found


def software(versions):
    """The versions that ran."""
    commit = subprocess.run(["git", "-C", BUILD.parent, "describe", "--always"], capture_output=True, text=True)
    ours = f"lgn {problems.lgn.__version__}" + (f" ({commit.stdout.strip()})" if commit.returncode == 0 else "")
    names = dict.fromkeys(m.package for m in ALL if m.package in versions)
    theirs = [f"{name} {versions[name]}" for name in [*names, "slycot", "numpy", "scipy"] if name in versions]
    return "Versions: " + ", ".join([ours, *theirs]) + f", Python {platform.python_version()}."


def main():
    wanted = sys.argv[1:]
    known = dict.fromkeys(method.module for method in (*ALL, *AMBIENT))
    if unknown := set(wanted) - set(known):
        sys.exit(f"identify: no method {', '.join(unknown)}; there are {', '.join(known)}")
    versions = installed()
    methods = []
    for method in (*ALL, *AMBIENT):
        if method.package and method.package not in versions:
            say(f"{method.module} is left out: {method.package} is not there; `make peers` installs it")
        elif not wanted or method.module in wanted:
            methods.append(method)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="peers-") as scratch:
        data, found = measure(methods, pathlib.Path(scratch))
    ambient = [method for method in methods if method in AMBIENT]
    methods = [method for method in methods if method in ALL]
    told = [list(words) for words in dict.fromkeys(method.words() for method in ambient)]
    six = [problem.name for problem in problems.SIX]
    clean, noisy = (problem.name for problem in problems.HUNDRED)
    by_method = {method.module: [found[name][method.module] for name in six] for method in methods}
    print(
        PAGE.format(
            limit=LIMIT,
            machine=f"Processor: {processor()}, one core.",
            versions=software(versions),
            given=tables.table(["", "what it gets, and does with it"], [list(method.words()) for method in methods]),
            seeds=problems.SIX[0].seeds,
            six=tables.six_states(methods, [data[name] for name in six], by_method),
            clean=tables.hundred_states(methods, data[clean][0], found[clean]),
            noisy=tables.hundred_states(methods, data[noisy][0], found[noisy]),
            samples=f"{problems.TOWER.samples:,}",
            step=problems.TOWER.step,
            towers=problems.TOWER.seeds,
            told=tables.table(["", "what it gets, and does with it"], told),
            light=tables.LIGHT,
            near=tables.NEAR,
            vibration=tables.random_vibration(ambient, data["tower"], found["tower"]),
        ),
        end="",
    )


main()
