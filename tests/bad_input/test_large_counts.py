"""A count that would take hours, or more memory than there is, is refused by name before anything is allotted."""

import pytest
from valid_calls_theory import CALLS

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
    call = CALLS[module.__name__.rpartition(".")[2]][name]
    with pytest.raises(ValueError, match=rf"^{argument} must be at most {least - 1}; got {max(least, much)}\.$"):
        getattr(module, name)(**{**call, argument: max(least, much)})
