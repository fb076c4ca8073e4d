"""What goes wrong, and what a user should know."""

from __future__ import annotations

import warnings

from ._lgn import Error, NotIdentified

__all__ = ["Error", "IdentificationWarning", "NotIdentified", "warn"]


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


IdentificationWarning.__module__ = "lgn"


def warn(code: str, message: str, stacklevel: int = 3) -> None:
    """Warns the caller of the caller."""
    warnings.warn(IdentificationWarning(code, message), stacklevel=stacklevel)
