"""`python -m lgn fit data.csv`: the program that comes with the package."""

from __future__ import annotations

import os
import sys

from ._errors import Error
from ._program import find_program


def main() -> None:
    """Becomes the program, with the same arguments."""
    try:
        program = find_program()
    except Error as error:
        sys.exit(f"lgn: {error}")
    sys.stdout.flush()
    os.execv(program, ["lgn", *sys.argv[1:]])


if __name__ == "__main__":
    main()
