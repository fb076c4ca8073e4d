"""Reads the physics of a linear system out of measured data.

    >>> import lgn
    >>> data = lgn.generate("rlc", omega=2.0, gamma=0.1, noise=0.01)
    >>> model = lgn.fit(data.t, data.X, structure="scaled-sd")
    >>> model.poles.round(2)
    array([-0.05-2.j, -0.05+2.j])

`fit` finds the generator A of ẋ = A x inside a structure that cannot be physically wrong, and
returns a `Model` with poles, frequencies, damping ratios and time constants, each with its standard
error.
"""

from ._data import Data
from ._errors import Error, IdentificationWarning, NotIdentified
from ._estimator import LinearSystem
from ._fit import fit
from ._flow import expm, expm_frechet, magnus
from ._generate import generate
from ._lgn import __version__
from ._model import Model, load
from ._modes import modes
from ._plan import Plan, plan
from ._reproduce import reproduce
from ._response import Response, TimeResponse

__all__ = [
    "Data",
    "Error",
    "IdentificationWarning",
    "LinearSystem",
    "Model",
    "NotIdentified",
    "Plan",
    "Response",
    "TimeResponse",
    "__version__",
    "expm",
    "expm_frechet",
    "fit",
    "generate",
    "load",
    "magnus",
    "modes",
    "plan",
    "reproduce",
]
