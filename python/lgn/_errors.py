"""What goes wrong, and what a user should know."""

from __future__ import annotations

import warnings


class Error(ValueError):
    """Data, options or a model file that cannot be used.

    The text is one line: where, what is wrong, what would help. The parts are in the attributes
    `problem`, `help`, `file`, `line` and `column`; those that are not known are empty or None.

    >>> import lgn
    >>> try:
    ...     lgn.fit([0, 1, 2], [[1, 2], [3, 4]])
    ... except lgn.Error as error:
    ...     error.problem
    'run 1 has 3 times, but 2 samples'
    """

    def __init__(
        self,
        problem: str,
        help: str = "",
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(problem, help, file, line, column)
        self.problem = problem
        self.help = help
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: {self.problem}" if place else self.problem
        return f"{text}; {self.help}" if self.help else text


class NotIdentified(Error):
    """The data are well formed, but no system can be identified from them.

    >>> import lgn
    >>> try:
    ...     lgn.fit(range(20), [[0, 0]] * 20, "network")
    ... except lgn.NotIdentified:
    ...     print("all that was measured is zero")
    all that was measured is zero
    """


class IdentificationWarning(UserWarning):
    """Something a user should know about a model; `code` is a word that programs can look for.

    The text starts with the code in brackets, so that one code can be silenced:

    >>> import warnings, lgn
    >>> warnings.filterwarnings("ignore", r"\\[aliasing\\]", lgn.IdentificationWarning)
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"[{self.code}] {self.message}"


for public in (Error, NotIdentified, IdentificationWarning):
    public.__module__ = "lgn"


def warn(code: str, message: str, stacklevel: int = 3) -> None:
    """Warns the caller of the caller."""
    warnings.warn(IdentificationWarning(code, message), stacklevel=stacklevel)
