"""The paper's experiments again."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from ._errors import Error, NotIdentified
from ._program import find_program


def reproduce(
    experiments: str | Sequence[str] = "all",
    folder: str | os.PathLike[str] = "reproduction",
    *,
    quick: bool = False,
    seeds: int | None = None,
    again: bool = False,
    neural: str | os.PathLike[str] | None = None,
    quiet: bool = False,
) -> dict[str, Any]:
    """Runs experiments of the paper by the program `lgn reproduce`; returns what results.json holds.

    experiments: exp1, exp2, exp3, exp4, a1, a2, a list of them, or all. Tables, figures and one page to
    look at are written to `folder`, from where an interrupted run goes on. quick: one seed, and a tenth
    of the epochs of neural models. seeds: of every training from random weights. again: also what the
    folder holds already. neural: the program that trains neural models, or "none" to leave them out.
    quiet: no tables and no progress.

    >>> import lgn, tempfile
    >>> results = lgn.reproduce("a1", tempfile.mkdtemp(), quick=True, neural="none", quiet=True)
    >>> list(results)
    ['a1']
    """
    names = [experiments] if isinstance(experiments, str) else list(experiments)
    command = [find_program(), "reproduce", *names, "-o", os.fspath(folder)]
    command += ["--quick"] if quick else []
    command += ["--again"] if again else []
    command += ["--quiet"] if quiet else []
    command += [] if seeds is None else ["--seeds", str(seeds)]
    command += [] if neural is None else ["--neural", os.fspath(neural)]
    _run(command, quiet)
    return json.loads((pathlib.Path(folder) / "results.json").read_text(encoding="utf-8"))


def _run(command: list[str], quiet: bool) -> None:
    """Passes on what the program prints; on a terminal it draws its own progress bar."""
    terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()
    errors = None if terminal else subprocess.PIPE
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as program:
        try:
            for line in program.stdout or ():
                if not quiet:
                    print(line, end="", flush=True)
            said = program.stderr.read() if program.stderr else ""
            status = program.wait()
        except BaseException:
            # It ends by itself after the experiment's next step, and leaves files to go on from.
            program.send_signal(signal.SIGINT)
            program.wait()
            raise
    if status != 0:
        message = said.strip().removeprefix("lgn: ") or f"lgn reproduce ended with status {status}"
        raise (NotIdentified if status == 1 else Error)(message)
