"""The figures of the chapter on the penalty of gradient flow."""

import numpy as np

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import figures as plots

SIZES = np.array([16, 64, 256])
CURVE = (np.array([0.5, 1.0, 1.5]), np.full(3, 0.1))
REGIMES = ("rich", "lazy")


def test_error_panels_have_a_log_axis_for_sparse_teachers_only():
    errors = {name: dict.fromkeys(REGIMES, CURVE) for name in ("sparse", "dense")}
    fine = dict.fromkeys(errors, np.array([16.0, 256.0]))
    limits = {name: dict.fromkeys(REGIMES, np.array([1.0, 0.5])) for name in errors}
    figures, alts = plots.error_panels(SIZES, fine, errors, limits)
    assert [figure.axes[0].get_yscale() for figure in figures] == ["log", "linear"]
    assert "lazy 1.5" in alts[1]
