"""Borders between harm and help, prices and single terms, in cases that are known otherwise."""

import numpy as np

from mtlbook_lib.chapters.part3.when_it_helps import experiment
from mtlbook_lib.theory.transfer import head_shrinkage_error, transfer_benefit


def test_borders_of_drawn_curves():
    q = np.linspace(0, 1, 5)
    curves = np.array([q - 0.6, q + 0.1, -q - 0.1, [0.1, -0.1, 0.1, -0.2, 0.2], 0 * q])
    np.testing.assert_allclose(experiment.border(q, curves), [0.6, 0.0, np.nan, 0.875, np.nan])


def test_equal_tasks_have_the_border_of_the_closed_form_and_no_harm_below_threshold():
    strengths = np.array([0.8, 1.5, 3.0])
    needed, harm = experiment.equal_tasks(strengths)
    np.testing.assert_allclose(needed[1:], strengths[1:] ** 2 / (1 + strengths[1:] ** 2), atol=1e-6)
    assert needed[0] == 0
    assert harm[0] == 0
    assert harm[1] > harm[2] > 0


def test_stopping_turns_from_harm_to_help_at_its_border():
    q = experiment.stopped_border(6.0, 1.0)
    below, above = (transfer_benefit(6.0, 1.0, q + step, 0.5, 50, 1e-3) for step in (-0.01, 0.01))
    assert below < 0 < above


def test_surface_holds_the_border_of_a_pair():
    surface = experiment.surface(6, 5)
    assert surface.needed.shape == (5, 6)
    assert set(surface.rows()) == {"B: 1", "B: 3", "B: 10", "B = A"}
    s_a = surface.first[3]
    alone = head_shrinkage_error([[s_a]], np.eye(1), 0.5)
    for s_b, q in ((surface.second[4], surface.needed[4, 3]), (s_a, surface.rows()["B = A"][3])):
        harm = [head_shrinkage_error([[s_a], [s_b]], [[1, p], [p, 1]], 0.5) > alone for p in (q - 0.01, q + 0.01)]
        assert harm == [True, False]
