"""What the register records of ReLU networks at the paper's size, from the numbers that are kept of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from test_part6_relu import descended, examples, outputs

FOLDER = Path(__file__).parents[3] / "mtlbook_lib" / "chapters" / "part6" / "relu_networks"
TASKS = ("none", "half", "all", "correlated", "mixed", "one", "three", "new_1", "new_3")
NESTED = ("one", "three", "all", "new_1")
FEW = slice(4)


def kept(name):
    """Logarithms of errors, by arm or factor and by task, (seed, number of examples)."""
    parts = json.loads((FOLDER / f"{name}.json").read_text())["measured"]
    few, many = ({arm: np.array(values) for arm, values in part.items()} for part in (parts["few"], parts["many"]))
    errors = {}
    for arm in ("single", "joint", "finetuned", "kernel"):
        early, late = (part[arm] if part[arm].ndim == 3 else part[arm][..., 0] for part in (few, many))
        for i, task in enumerate(TASKS):
            errors[arm, task] = np.log(np.hstack([early[:, i], late[:, i]]) if i < 3 else early[:, i])
    for factor, place in ((0.1, 0), (1, 4), (10, 8)):
        for i, task in enumerate(NESTED):
            errors[factor, task] = np.log(few["rescaled"][:, place, i, :, 0])
    return errors


PAPER, REDUCED = kept("relu-networks-paper"), kept("relu-networks")


def size(differences):
    """Mean over seeds, and its standard error."""
    return differences.mean(axis=0), differences.std(axis=0, ddof=1) / len(differences) ** 0.5


def gain(worse, better, task, some=slice(None), kept=PAPER):
    """Logarithm of the ratio of two arms' errors on a task, averaged over some numbers of examples."""
    return size((kept[worse, task] - kept[better, task])[:, some].mean(axis=1))


def trends(way):
    """What one reused unit gains over six, and over a new one, (seed, 2)."""
    old, more, new = (PAPER[way, task][:, FEW].mean(axis=1) for task in ("one", "all", "new_1"))
    return np.stack([more - old, new - old], axis=1)


def seen(pair):
    return np.all(pair[0] > 4 * pair[1])


@pytest.mark.claims("relu-reuse", "relu-both-effects", "relu-new-lazy", "relu-sparse-new")
def test_both_ways_share_old_features_and_find_few_new_ones():
    for arm in ("joint", "finetuned"):
        assert seen(size(PAPER["single", "all"] - PAPER[arm, "all"]))
        assert all(seen(gain(other, arm, "half")) for other in ("single", "kernel"))
        assert seen(gain("kernel", arm, "none", slice(3, None)))
        assert not seen(gain("kernel", arm, "none", slice(2)))
        for more, less in (("new_3", "new_1"), ("none", "new_3")):
            assert seen(size((PAPER[arm, more][:, FEW] - PAPER[arm, less][:, FEW]).mean(axis=1)))


@pytest.mark.claims("relu-new-alone")
def test_new_features_are_learned_nearly_as_alone_but_one_finetuned():
    for arm in ("joint", "finetuned"):
        assert np.abs(size(PAPER["single", "none"] - PAPER[arm, "none"])[0]).max() < np.log(1.5)
    for task in ("new_1", "new_3"):
        assert np.abs(size(PAPER["single", task] - PAPER["joint", task])[0]).max() < np.log(1.5)
    worse, error = size(PAPER["finetuned", "new_1"] - PAPER["single", "new_1"])
    assert np.exp(worse[2]) == pytest.approx(2.7, abs=0.05)
    assert worse[2] - np.log(1.5) > 3 * error[2]


@pytest.mark.claims("relu-shared-order", "relu-correlated", "relu-mixed")
def test_the_better_way_depends_on_how_much_is_the_same():
    assert seen(gain("finetuned", "joint", "half", slice(2, None)))
    assert seen(gain("joint", "finetuned", "all"))
    assert np.exp(gain("joint", "finetuned", "all", [4])[0]) == pytest.approx(5.3, abs=0.1)
    assert np.exp(gain("finetuned", "joint", "all", [4], REDUCED)[0]) == pytest.approx(2.5, abs=0.05)
    assert seen(gain("joint", "finetuned", "correlated"))
    for some in ([3], slice(3)):
        assert all(seen(gain("joint", "finetuned", "mixed", some, errors)) for errors in (PAPER, REDUCED))


@pytest.mark.claims("relu-nested-sparse", "relu-nested-reuse", "relu-rescaled-large", "relu-rescaled-small")
@pytest.mark.claims("relu-nested-joint", "relu-rescaled-cost")
def test_the_factor_chooses_the_regime():
    one, three, six, new = (PAPER[1, task] for task in NESTED)
    gains = [(three - one).mean(axis=1), (six - three).mean(axis=1), new - one]
    rich, nested, lazy = (trends(way) for way in (0.1, 1, 10))
    gains += [(nested - lazy) * [1, -1], (nested - rich)[:, 1], six - PAPER[10, "all"], PAPER[10, "new_1"] - new]
    assert all(seen(size(one)) for one in gains)
    assert trends("joint").mean(axis=0) == pytest.approx([1.7, 2.0], abs=0.05)
    assert nested.mean(axis=0) == pytest.approx([2.5, 3.3], abs=0.05)


@pytest.mark.claims("relu-new-alone")
def test_a_wide_network_alone_is_the_worse_at_a_single_new_unit():
    """By the kept numbers, and trained here: so multi-task training compares better with it."""
    wide, narrow = (np.exp(errors["single", "new_1"][:, 2].mean()) for errors in (PAPER, REDUCED))
    assert wide / narrow == pytest.approx(7.4, abs=0.1)
    errors = np.empty((2, 2))
    for seed in range(2):
        rng = np.random.default_rng([seed, 11])
        unit, x, test = (examples(rng, n, 8) for n in (1, 32, 1000))
        y, truth = np.maximum(x @ unit.T, 0), np.maximum(test @ unit.T, 0)
        for i, width in enumerate((64, 1000)):
            start = 0.01 * rng.standard_normal((width, 8)), 0.01 * rng.standard_normal((width, 1))
            layers = descended(*start, x, y, 1 / 32, 1e-6)
            errors[seed, i] = ((outputs(*layers, test) - truth) ** 2).mean() / (truth**2).mean()
    assert np.all(errors[:, 1] > 2 * errors[:, 0])
