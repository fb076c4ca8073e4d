"""pysindy: weak form, tuned to the known answer

The same with the width and the threshold that come nearest to the true poles. No user has these; the row says what the
method could reach.
"""

from pysindy_weak import describe, fit, settings  # noqa: F401

KNOWS_TRUTH = True
