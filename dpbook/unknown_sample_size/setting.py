"""A setting: a model, how its sums and its number of records are released, and a prior of the number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.reading import generator
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Flat, Known, Mechanism, Missing, SizePrior
from dpbook.unknown_sample_size.models.base import Model, compiled
from dpbook.unknown_sample_size.problem import Release

if TYPE_CHECKING:
    from dpbook.unknown_sample_size.samplers import Chain, Chains

Floats = NDArray[np.float64]
FAR = 2**62


@dataclass(frozen=True)
class Setting:
    """A model, two mechanisms and a prior of the number of records.

    Attributes
    ----------
    model : Model
    mechanism : Mechanism
        For the sums.
    count : Mechanism
        For the number of records: Laplace and Gaussian noise, continuous or discrete, `Missing`
        (remark 5.5), `Known` (bounded privacy).
    sizes : SizePrior
        Flat from 1 on, unless said.

    Raises
    ------
    ValueError
        A mechanism that does not serve, sums without a sensitivity under noise that needs one, an
        improper posterior of the number.

    Notes
    -----
    The joint distribution stands in section 2.3; it is epsilon-private in the unbounded sense, by
    composition, if both mechanisms are.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5))
    >>> setting.epsilon
    1.5
    >>> release = setting.release([0, 1, 1, 0, 1], rng=np.random.default_rng(1))
    >>> release
    Release(s=(3.02393), n_dp=9.6238)
    """

    model: Model
    mechanism: Mechanism
    count: Mechanism
    sizes: SizePrior = Flat()

    def __post_init__(self) -> None:
        if not isinstance(self.model, Model):
            raise ValueError(f"model must be a Model, got {self.model!r:.60}")
        for name, piece in (("mechanism", "release_piece"), ("count", "count_piece")):
            found = getattr(self, name)
            if not isinstance(found, Mechanism) or getattr(found, piece) is None:
                use = "sums" if name == "mechanism" else "the number of records"
                raise ValueError(f"{name} must be a Mechanism for {use}, got {found!r:.60}")
        if not isinstance(self.sizes, SizePrior):
            raise ValueError(f"sizes must be a SizePrior, got {self.sizes!r:.60}")
        scale = self.mechanism.noise(self.model.sensitivity)
        if not np.isfinite(scale).all():
            raise ValueError(
                f"{self.model.name} must have a finite sensitivity under {self.mechanism}, got "
                f"{self.model.sensitivity}: clamp the records"
            )
        if type(self.count) is not Known and not self._proper():
            raise ValueError(
                f"the sum over n of p(n) p(n_dp | n) must be finite, got infinity for {self.sizes} "
                f"with {self.count}: take a proper prior, Uniform or Poisson"
            )

    def _proper(self) -> bool:
        """Say whether p(n) p(n_dp | n) can be summed, by Cauchy's condensation: 2**k f(2**k) must vanish."""
        if self.sizes.proper:
            return True
        if isinstance(self.count, Missing):
            return False
        at = 2 ** np.arange(30, 60, dtype=np.int64)
        # in Python: modules make settings, and nothing is compiled where they are imported
        log_size, log_count = (
            getattr(piece, "py_func", piece) for piece in (self.sizes.piece, self.count.count_piece)
        )
        prior, noise = np.array(self.sizes.numbers()), np.array(self.count.noise(1.0))
        logs = [log_size(int(n), prior) + log_count(0.0, int(n), noise) for n in at]
        condensed = logs + np.log(at)
        return bool(condensed[-1] < -50 and (np.diff(condensed) < 0).all())

    @property
    def epsilon(self) -> float | None:
        """Loss of both releases in the unbounded sense; None where one is not epsilon-private."""
        first, second = self.mechanism.loss(), self.count.loss()
        return None if first is None or second is None else first + second

    def acceptance_bounds(self) -> tuple[float, float] | None:
        """Least acceptance probability of a swap (4), and of a jump (5) from n >= 2.

        Proposition 5.1: exp(-2 epsilon_s), and exp(-(epsilon_s + epsilon_n)) under a flat prior, half
        of it from n = 1. None where a mechanism is not epsilon-private; nan for jumps where the prior
        is not flat.
        """
        first, second = self.mechanism.loss(), self.count.loss()
        if first is None:
            return None
        if isinstance(self.count, Missing):
            second = 0.0
        flat = isinstance(self.sizes, Flat)
        jump = math.exp(-(first + second)) if second is not None and flat else math.nan
        return math.exp(-2 * first), jump

    # --- releases -------------------------------------------------------------------------------------

    def release(self, records: ArrayLike, rng: Generator | None = None) -> Release:
        """Release the sums and the number of records.

        A dataset without a record is released as well: it is a neighbour of each that has one.

        Raises
        ------
        ValueError
            Records outside the model's support; none where the mechanism releases a mean.
        """
        rng = generator(rng)
        rows = self.model.read(records, 0)
        return self.release_sums(self.model.total(rows), len(rows), rng)

    def release_sums(self, total: ArrayLike, n: int, rng: Generator | None = None) -> Release:
        """Release sums that are given, of n records: all that the mechanisms need."""
        rng = generator(rng)
        sums = np.asarray(total, dtype=float)
        s = self.mechanism.draw(sums, n, self.model.sensitivity, rng)
        n_dp = None
        if type(self.count) is not Missing:
            n_dp = float(self.count.draw(np.array([float(n)]), n, 1.0, rng)[0])
        return Release(tuple(s.tolist()), n_dp)

    def simulate(
        self, rng: Generator | None = None, n: int | None = None
    ) -> tuple[Floats, int, Floats, Release]:
        """Draw theta, a number of records, records, and a release, from the joint distribution of section 2.3.

        Returns
        -------
        theta : array, shape (k,)
        n : int
        rows : array, shape (n, columns)
        release : Release
        """
        rng = generator(rng)
        theta = self.model.prior(rng)
        n = self.sizes.draw(rng) if n is None else n
        rows = self.model.draw(theta, n, rng)
        return theta, n, rows, self.release(rows, rng)

    def check(self, release: Release) -> None:
        """Refuse a release that the mechanisms cannot have made.

        Raises
        ------
        ValueError
            The message names the fault.
        """
        if not isinstance(release, Release):
            raise ValueError(f"release must be a Release, got {release!r:.60}")
        try:
            s = np.array(release.s, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(f"s must be a tuple of numbers, got {release.s!r:.60}") from None
        if s.shape != (self.model.statistics,):
            raise ValueError(
                f"s must be a tuple of {self.model.statistics} for {self.model.name} (of one: (12.0,)), "
                f"got {release.s!r:.60}"
            )
        self.mechanism.check("s", s)
        if type(self.count) is Missing:
            if release.n_dp is not None:
                raise ValueError(f"n_dp must be None where none is released, got {release.n_dp}")
            return
        if release.n_dp is None:
            raise ValueError(f"n_dp must be a number under {self.count}, got None")
        self.count.check("n_dp", np.array([release.n_dp], dtype=float))
        if type(self.count) is Known and not release.n_dp >= self.sizes.least:
            raise ValueError(
                f"n_dp must be >= {self.sizes.least}, the public number, got {release.n_dp:g}"
            )

    @cached_property
    def pieces(self) -> tuple[Any, ...]:
        """All six pieces as the kernels take them: update, record, statistic, and three log densities."""
        return (
            *self.model.pieces(),
            compiled(type(self.mechanism).release_piece, kernels.LOG_RELEASE),
            compiled(type(self.count).count_piece, kernels.LOG_COUNT),
            compiled(type(self.sizes).piece, kernels.LOG_SIZE),
        )

    @cached_property
    def inlined(self) -> int:
        """Name the pieces of a swap that the kernel has compiled in; it calls the pieces of other settings."""
        record, statistic, log_release = self.pieces[1:4]
        if record is kernels.normal_record and statistic is kernels.clamped_column:
            if log_release is kernels.gaussian_release:
                return kernels.NORMAL_GAUSSIAN
            if log_release is kernels.laplace_release:
                return kernels.NORMAL_LAPLACE
        return kernels.POINTERS

    # --- chains ------------------------------------------------------------------------------------------

    def chain(self, release: Release, rng: Generator | None = None, **options: Any) -> Chain:
        """Hold one chain of Algorithm 1, to be advanced, saved and resumed; see `samplers.Chain`."""
        from dpbook.unknown_sample_size.samplers import Chain

        return Chain(self, release, rng, **options)

    def sample(self, release: Release, rng: Generator | None = None, **options: Any) -> Chains:
        """Several chains of Algorithm 1 from scattered starts; see `samplers.sample`."""
        from dpbook.unknown_sample_size.samplers import sample

        return sample(self, release, rng, **options)
