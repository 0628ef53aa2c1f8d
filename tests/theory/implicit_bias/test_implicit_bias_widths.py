"""Width and start of finetuning, against integrated pretraining and the weights that it leaves."""

import numpy as np
import pytest
from pathway_flow import coefficient, integrated, pretrained

from mtlbook_lib.theory import implicit_bias

PATHS = [-2.5, -0.4, 0.0, 0.7, 3.0]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("alpha", [0.05, 0.8])
def test_pretrained_layer_is_what_the_flow_leaves(alpha, path):
    weights, beta_aux = pretrained(alpha, 0.0, path)
    layer = implicit_bias.pretrained_layer(beta_aux, alpha)
    np.testing.assert_allclose(layer, (weights[0], weights[2]), rtol=1e-11)


def merged(layer, pathways):
    """The first layer after its pathways were made equal."""
    u_plus, u_minus = layer
    if pathways == "average":
        return ((u_plus + u_minus) / 2,) * 2
    return (np.sqrt((u_plus**2 + u_minus**2) / 2),) * 2 if pathways == "rms" else layer


@pytest.mark.parametrize("pathways", ["exact", "average", "rms"])
@pytest.mark.parametrize("imbalance", [-1.0, -0.999, -0.5, 0.0, 0.9, 1.0])
@pytest.mark.parametrize("path", PATHS)
def test_width_and_start_are_those_of_the_weights_after_the_reset(path, imbalance, pathways):
    alpha, gamma, rescale = 0.6, 0.35, 1.7
    weights, beta_aux = pretrained(alpha, imbalance, path)
    u_plus, u_minus = merged((rescale * weights[0], rescale * weights[2]), pathways)
    kappa, _, beta0 = implicit_bias.pathway_invariants(u_plus, gamma, u_minus, gamma)
    arguments = (beta_aux, alpha, gamma, imbalance, rescale, pathways)
    assert implicit_bias.finetuning_width(*arguments) == pytest.approx(kappa, rel=1e-11)
    assert implicit_bias.finetuning_start(*arguments) == pytest.approx(beta0, abs=1e-11)


@pytest.mark.parametrize("weights", [(0.3, 0.5, 0.2, -0.4), (1.0, 0.1, 0.01, 0.1), (-0.4, 0.6, 0.7, 0.2)])
def test_invariants_describe_the_whole_flow(weights):
    kappa, delta, beta0 = implicit_bias.pathway_invariants(*weights)
    assert beta0 == pytest.approx(coefficient(weights), rel=1e-14)
    assert kappa * np.sinh(delta) == pytest.approx(beta0, rel=1e-13)
    for path in (-1.5, 0.3, 2.0):
        later = integrated(weights, path)
        assert coefficient(later) == pytest.approx(kappa * np.sinh(2 * path + delta), rel=1e-10)
        assert implicit_bias.pathway_invariants(*later)[0] == pytest.approx(kappa, rel=1e-10)


def test_a_frozen_sign_is_refused():
    c, beta_aux = 2.0, 1.3
    gamma = np.sqrt(c / 2 * (np.sqrt(1 + (beta_aux / c) ** 2) - 1))
    with pytest.raises(ValueError, match="width kappa must be greater than 0"):
        implicit_bias.finetuning_width(beta_aux, 1.0, gamma, -1.0)
    for away in (1e-9, 2.0**-50):
        # Close to it the width is gamma·sqrt(W), with W the energy of the mean pathway.
        expected = gamma * np.sqrt(away * (c + np.hypot(c, beta_aux)))
        assert implicit_bias.finetuning_width(beta_aux, 1.0, gamma, -1 + away) == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ValueError, match="in coordinate 1, which cannot change its sign"):
        implicit_bias.pathway_invariants([1.0, 0.5], [1.0, 0.5], [1.0, 0.2], [1.0, -0.2])
    assert implicit_bias.printed_width(1e-30, 0.0) == 1e-30
