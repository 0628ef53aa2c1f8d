"""How long a forecast takes."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from mtlbook_lib.experiments._store.results import fresh


@fresh()
def median_seconds(forecast: Callable[..., Any], n_times: int) -> float:
    """Median processor time of a forecast from 80 and 160 rows with 64 columns, in one thread."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((240, 64)), rng.standard_normal(240)
    spent = np.empty(n_times)
    for place in range(n_times):
        start = process_time()
        forecast(x[:80], y[:80], x[80:], y[80:])
        spent[place] = process_time() - start
    return float(np.median(spent))
