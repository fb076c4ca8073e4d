"""The matrices of an identified system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from . import _lgn


class StateSpace:
    """ẋ = A x + B u, y = C x + D u + ȳ and what is known of each: the part of a `Model` that a simulation needs."""

    _model: _lgn.Model

    @property
    def A(self) -> np.ndarray:
        """The generator, [state, state]; of one that varies in time, its mean; of a large network a `scipy.sparse.csr_matrix`."""
        sparse = self._model.sparse_a
        if sparse is None:
            return self._model.a
        from scipy.sparse import csr_matrix

        values, columns, starts = sparse
        return csr_matrix((values, columns, starts))

    @property
    def B(self) -> np.ndarray | None:
        """B of ẋ = A x + B u, [state, input]; None where the system moved freely.

        >>> import lgn
        >>> data = lgn.generate("rlc", omega=2.0, gamma=0.4, noise=0.01, input="steps", t1=60)
        >>> model = lgn.fit(data.t, data.X, u=data.u, structure="metric", hold="zoh")
        >>> abs(model.B - data.truth.B).max() < 0.05
        True
        """
        return self._model.b

    @property
    def B_errors(self) -> np.ndarray | None:
        """Standard errors of `B`; None where they are not known."""
        return self._model.b_errors

    @property
    def D(self) -> np.ndarray | None:
        """D of y = C x + D u, [channel, input]; None where inputs do not act on channels at once."""
        return self._model.d

    @property
    def D_errors(self) -> np.ndarray | None:
        """Standard errors of `D`; None where they are not known."""
        return self._model.d_errors

    @property
    def K(self) -> np.ndarray | None:
        """The gain [state, channel] of the predictor x̂[k+1] = exp(A h) x̂[k] + … + K e[k] where noise is not white; else None."""
        return self._model.k

    @property
    def K_errors(self) -> np.ndarray | None:
        """Standard errors of K; None where they are not known."""
        return self._model.k_errors

    @property
    def innovation_covariance(self) -> np.ndarray | None:
        """The covariance [channel, channel] of e[k], the errors of one-step predictions; None without K."""
        return self._model.innovation_covariance

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return self._model.inputs

    @property
    def hold(self) -> str | None:
        """How inputs go on between their samples: zoh or foh; None without inputs."""
        return self._model.hold if self.inputs else None

    @property
    def delay(self) -> float:
        """How late inputs act."""
        return self._model.delay

    @property
    def passive(self) -> bool:
        """Whether the model is guaranteed passive at its ports, with a certificate in its file."""
        return self._model.passive

    @property
    def C(self) -> np.ndarray | None:
        """C of y = C x + ȳ where states are hidden, [channel, state]; None where each channel is a state.

        >>> import lgn
        >>> data = lgn.generate("rlc", omega=2.0, gamma=0.2, noise=0.01)
        >>> model = lgn.fit(data.t, data.X[..., :1], states=2)
        >>> model.C.shape, model.A.shape, model.shapes.shape
        ((1, 2), (2, 2), (1, 2))
        """
        return self._model.c

    @property
    def C_errors(self) -> np.ndarray | None:
        """Standard errors of `C`; None where they are not known."""
        return self._model.c_errors

    @property
    def offset(self) -> np.ndarray | None:
        """What channels show at rest: x̄ of ẋ = A (x − x̄), or ȳ of y = C x + ȳ; None where it is zero."""
        return self._model.offset

    @property
    def offset_errors(self) -> np.ndarray | None:
        """Standard errors of `offset`; None where they are not known."""
        return self._model.offset_errors
