"""lgn, structure full

The same, and told that A may be any matrix, which is all that peers know.
"""

import lgn
from answer import Answer


def fit(t, X, _):
    return Answer.of_generator(lgn.fit(t, X, structure="full", progress=False).A)
