"""Several tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(pvalues: ArrayLike) -> NDArray[np.float64]:
    """P-values adjusted so that the chance of any false alarm stays at the level.

    Holm (1979), "A simple sequentially rejective multiple test procedure": the smallest times
    their number, the next times one less, and so on, never less than the one before. scipy has
    adjustments for the rate of false discoveries only.

    Args:
        pvalues: between 0 and 1, shape (m,).

    Returns:
        Adjusted ones in the same order, shape (m,).
    """
    raw = np.asarray(pvalues, dtype=np.float64)
    if raw.size and not (raw.min() >= 0 and raw.max() <= 1):
        raise ValueError("a p-value lies between 0 and 1")
    order = np.argsort(raw, kind="stable")
    steps = np.maximum.accumulate(raw[order] * np.arange(raw.size, 0, -1))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
