"""A count that would take hours, or more memory than there is, is refused by name before anything is allotted."""

import pytest
from every_call import CALLS, called

from mtlbook_lib.data import classification as labelled
from mtlbook_lib.data import related
from mtlbook_lib.theory import classification, generalization, softmax

SAMPLED = ("log2_points", 21), ("replicates", 1001)
TOO_MANY = [
    *((softmax, name, *one) for name in ("mean_jacobian", "label_laplacian") for one in SAMPLED),
    *((classification, "lowrank_generalization_loss", *one) for one in SAMPLED),
    (classification, "gain_flow", "steps", 10**7 + 1),
    (classification, "rank_one_flow", "depth", 101),
    *((generalization, name, "depth", 10**6 + 1) for name in ("best_stopping", "test_error", "train_error")),
]


@pytest.mark.parametrize("much", [0, 10**9, 10**15])
@pytest.mark.parametrize(("module", "name", "argument", "least"), TOO_MANY, ids=lambda part: str(part)[:20])
def test_a_count_beyond_reach_is_refused(module, name, argument, least, much):
    call = CALLS[module.__name__.removeprefix("mtlbook_lib.")][name]
    with pytest.raises(ValueError, match=rf"^{argument} must be at most {least - 1}; got {max(least, much)}\.$"):
        getattr(module, name)(**{**call, argument: max(least, much)})


@pytest.mark.parametrize(
    ("ask", "argument"),
    [
        (lambda n: related.pair_gram(0.5, n, 1), "rank_a"),
        (lambda n: related.pair_gram(0.5, 1, n), "rank_b"),
        (lambda n: related.alike_gram(0.5, n), "n_tasks"),
        (lambda n: labelled.normal_inputs(n, 3, [0]), "n_features"),
        (lambda n: labelled.normal_inputs(3, n, [0]), "n_examples"),
        (lambda n: labelled.normal_inputs(10**6, 10**6, range(n // 10**9)), "a draw"),
    ],
)
@pytest.mark.parametrize("much", [10**10, 10**15])
def test_data_that_fill_a_machine_are_refused(ask, argument, much):
    with pytest.raises(ValueError, match=f"{argument} must "):
        ask(much)


SLOW = [
    ("simulation.softmax", "descend", "n_steps"),
    ("simulation.softmax", "stop_at_best", "n_steps"),
    ("simulation.mixed_batches", "train_on_mixed_batches", "n_epochs"),
    ("simulation.logits", "map_means", "n_draws"),
    ("simulation.logits", "isotropic_means", "k"),
    ("simulation.one_step", "losses", "n_draws"),
    ("simulation.two_tasks.on_axes", "alternate_on_axes", "n_steps"),
]
OBJECTS = [
    ("simulation.softmax", "normal_students", "depth"),
    ("simulation.softmax", "normal_students", "n_tasks"),
    ("simulation.softmax", "aligned_students", "depth"),
    ("simulation.linear.students", "gaussian", "depth"),
    ("simulation.diagonal_variants", "descend_chains", "depth"),
]
EACH = [*((*case, 10**7) for case in SLOW), *((*case, 10**4) for case in OBJECTS),
        ("data.classification", "snr_teachers", "rank", 3)]  # fmt: skip


@pytest.mark.parametrize("much", [1, 10**9, 10**15])
@pytest.mark.parametrize(("module", "name", "argument", "most"), EACH)
def test_what_would_run_for_days_is_refused(module, name, argument, most, much):
    asked = max(most + 1, much)
    with pytest.raises(ValueError, match=rf"^{argument} must be at most {most}; got {asked}\.$"):
        called(module, name)(**CALLS[module][name] | {argument: asked})
