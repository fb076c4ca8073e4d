"""driven [METHOD…]: identifies the same records with inputs by lgn and by its peers, and prints the page docs/peers-driven.md.

LGN_BUILD names the build folder, which holds the package lgn and the environment of the peers. What peers found is kept there, in
peers-driven/, and taken from there by the next call, unless the peer, its module or the records are others by then.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "identify"))

import numpy  # noqa: E402  after the number of threads
import records  # noqa: E402
from held_system import KNOWN  # noqa: E402
from runner import BUILD, DRIVEN, LIMIT, METHODS, installed, run  # noqa: E402
from tables import duration, table  # noqa: E402

NEAR = 1.02  # of the smallest error, which counts as the same

PAGE = """<!-- made by `make peers-driven`; edit bench/peers/, not this page -->
This page was made by `make peers-driven`.

# Driven systems beside other packages

{count} records, generated like those of DaISy: several inputs and channels, 4 to 12 states, 1,000 to 10,000 samples. Inputs are held
between samples. Half of the noise's power is due to forces on the states that nobody measured, half to first-order noise of
the sensors (ρ = 0.9). The first half of a record is given, the second is predicted by a free run under its inputs, from the state
that fits its first {known} samples best. Errors are root mean squares over all channels, each relative to its standard deviation. A
package that leaves settings to its user, the order among them, is fitted to the first three quarters of the given half with each; the
one whose free run over the last quarter is best is fitted to all of it. A record that takes longer than {limit} s of processor time
is given up.

Processor: {machine}, one core. {versions}

{given}
## Error of the free run, beside the samples

What was measured, noise included: the least that a free run can have is about the size of the noise. In bold: the smallest, and what
is within {near:.0%} of it. {judged}

{measured}
## Error of the free run, beside the response without noise

The same beside what the channels would have shown without noise, which only a simulation knows.

{truth}
## Orders that were chosen

{orders}
## Processor time

Of the fit, with the choice of its settings where a user has them.

{times}"""


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def software(versions):
    commit = subprocess.run(["git", "-C", BUILD.parent, "describe", "--always"], capture_output=True, text=True)
    names = [*dict.fromkeys(m.package for m in DRIVEN if m.package in versions), "slycot", "numpy"]
    theirs = [f"{name} {versions[name]}" for name in names if name in versions]
    return f"Versions: lgn {commit.stdout.strip()}, " + ", ".join(theirs) + f", Python {platform.python_version()}."


def grid(methods, found, cell, bold=None):
    """Records below one another, methods side by side."""
    rows = []
    for k, record in enumerate(records.RECORDS):
        cells = []
        values = [found[m.key][k].get(bold, numpy.inf) if bold else 0 for m in methods]
        for method, value in zip(methods, values):
            answer = found[method.key][k]
            text = "–" if "problem" in answer else cell(answer)
            cells.append(f"**{text}**" if bold and value <= NEAR * min(values) else text)
        rows.append([record.name, *cells])
    return table(["record", *(m.words()[0] for m in methods)], rows)


def near_best(methods, found, which):
    """Records in which the first method is the best, or near it."""
    count = 0
    for k in range(len(records.RECORDS)):
        values = [found[m.key][k].get(which, numpy.inf) for m in methods]
        count += values[0] <= NEAR * min(values)
    return count


def slowest(found):
    """Most seconds for 1,000 samples that were given."""
    return max(f["seconds"] / (r.samples / 2000) for f, r in zip(found, records.RECORDS) if "seconds" in f)


def found_by(method, files, versions):
    """What the method found in every record; a peer's answers are kept, ours are always made anew."""
    if not method.package:
        return run(method, files)
    modules = [*sorted(METHODS.glob("*.py")), *sorted(METHODS.parent.glob("identify/*.py"))]
    modules = [m for m in modules if not m.name.startswith(("lgn_", "__main__"))]
    stamp = hashlib.sha256(f"{method.key} {LIMIT} {versions[method.package]}".encode())
    for module in modules:
        stamp.update(module.read_bytes())
    answers = []
    for file in files:
        kept = BUILD / "peers-driven" / f"{stamp.hexdigest()[:16]}-{hashlib.sha256(file.read_bytes()).hexdigest()[:16]}.json"
        if not kept.exists():
            kept.parent.mkdir(exist_ok=True)
            answer = run(method, [file])[0]
            part = kept.with_suffix(".part")
            part.write_text(json.dumps(answer))
            part.replace(kept)
        answers.append(json.loads(kept.read_text()))
    return answers


def main():
    wanted = sys.argv[1:]
    versions = installed()
    methods = []
    for method in DRIVEN:
        if method.package and method.package not in versions:
            print(f"{method.module} is left out: {method.package} is not there", file=sys.stderr)
        elif not wanted or method.module in wanted:
            methods.append(method)
    found = {}
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="peers-") as scratch:
        files = records.write(pathlib.Path(scratch))
        for method in methods:
            print(f"{method.words()[0]} …", file=sys.stderr, flush=True)
            found[method.key] = found_by(method, files, versions)
    first = methods[0].words()[0].partition(",")[0]
    total = len(records.RECORDS)
    problems = [
        f"{m.words()[0]}, {r.name}: {f['problem']}."
        for m in methods
        for f, r in zip(found[m.key], records.RECORDS)
        if "problem" in f
    ]
    judged = (
        f"{first} is there in {near_best(methods, found, 'error')} of {total}"
        f" (beside the response without noise: {near_best(methods, found, 'truth')} of {total})."
    )
    print(
        PAGE.format(
            count=total,
            known=KNOWN,
            limit=LIMIT,
            machine=processor(),
            versions=software(versions),
            given=table(["", "what it gets, and does with it"], [list(m.words()) for m in methods]),
            near=NEAR - 1,
            judged=judged,
            measured=grid(methods, found, lambda f: f"{f['error']:.4f}", "error"),
            truth=grid(methods, found, lambda f: f"{f['truth']:.4f}", "truth"),
            orders=grid(methods, found, lambda f: f"{f['order']}" + (" (unstable)" if f["radius"] > 1 else "")),
            times=grid(methods, found, lambda f: duration(f["seconds_with_choice"]))
            + f"\n{first} took {slowest(found[methods[0].key]):.2g} s for 1,000 given samples at most.\n"
            + "".join(f"\n- {text}" for text in problems)
            + ("\n" if problems else ""),
        ),
        end="",
    )


main()
