"""All that declares a GPU for its large profile asks for the device, and multiplies there once it has it.

There is no GPU here: what is sent to one goes to torch's "meta" device, whose tensors have shapes and no numbers. Each
experiment gets as far as its first product there, or as the first number that the host asks for.
"""

import inspect

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

from mtlbook_lib.chapters.part2.nonlinear.experiment import CURVES
from mtlbook_lib.chapters.part7.past_one_machine.experiment import declared
from mtlbook_lib.chapters.sizes import load_all

TIMES = np.array([1.0])
PRODUCTS = {"matmul", "bmm", "mm", "baddbmm", "addmm", "mv", "einsum", "__matmul__", "__rmatmul__"}
NO_NUMBER = "meta"  # in the message of torch where a number of such a tensor is asked for
# The arguments of experiments that have some, as small as they may be.
ARGUMENTS = {
    "deeper_students.alignment": ([2.0], 3, 5.0),
    "deeper_students.half_size_ratios": ([2.0], 1.0),
    "deeper_students.half_time_ratios": ([2.0], 3, 1e-3),
    "deeper_students.noise_learning": (3,),
    "deeper_students.square_ratios": (3,),
    "deeper_students.stops": ([2.0], 3),
    "deeper_students.strong_stops": (1e-3, 5.0),
    "how_many_examples.floors": ([0.5],),
    "random_students.gaussian_half_times": (0.1,),
    "aligned_classifiers.binary": (TIMES,),
    "aligned_classifiers.growth": (2, TIMES),
    "aligned_classifiers.leaks": ([2500], 1.0),
    "aligned_classifiers.losses": (100, 1.0, TIMES),
    "aligned_classifiers.turning": (2, TIMES),
    "aligned_classifiers.turning_of_many": (2, TIMES),
    "auxiliary_data.fresh_amounts": (100, "mean"),
    "auxiliary_data.fresh_trunks": ("linear", 2),
    "auxiliary_data.three_layers": ([1.0],),
    "auxiliary_data.weighted": ([1.0], 0.5),
    "benefit_bounds.sandwich": (TIMES,),
    "closed_flow.at_once": (100, 0.5, 1.0),
    "closed_flow.confined": ([0.5], [0.1], TIMES),
    "closed_flow.curves": (100, [0.5], TIMES),
    "closed_flow.stopped": (10, 100, 1.0),
    "infinite_data.descents": (1.0, [100], 0.5, 10.0),
    "infinite_data.noisy_examples": ([100],),
    "loss_weights.gradient_course": (0.5,),
    "loss_weights.unrelated_harm": ([1.0],),
    "loss_weights.weighted": ([1.0], 0.5),
    "softmax_gradient_flow.balance_drifts": ([0.1], [1.0]),
    "softmax_gradient_flow.least_losses": (0.1,),
    "capacity.drawn_errors": ([1.0, 2.0], 1.0),
    "capacity.stacked_digits": ("linear", 2),
    "capacity.three_points": (2,),
    "cosine_and_relu.half_similar": ([100],),
    "cosine_and_relu.higher_rank": ([100], [0.5]),
    "cosine_and_relu.trained_sweep": ("b", [0.5]),
    "covariance_alignment.synthetic_correlations": ([100],),
    "covariance_alignment.with_many_examples": (100,),
    "sharing_solved.trained": (1,),
    "sharing_solved.trained_longer": (1,),
    "gradient_flow_to_penalty.single_task": ("sparse", "rich"),
    "gradient_flow_to_penalty.errors": ("sparse", 20),
}
SIZES = {"nonlinear.deep_runs": {"n_seeds": CURVES + 1}}  # fewer are read where they are kept
NAMES = [name for name, entry in load_all().items() if declared.cost(entry.large_cost).place == declared.ONE_GPU]


class Arrived(Exception):
    """A product was made on the card."""


class Card(TorchFunctionMode):
    """A card that is not there; fails where the host multiplies after it was asked for, or where both are mixed."""

    def __init__(self):
        super().__init__()
        self.asked = False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func == torch.Tensor.is_meta.__get__:
            return False  # the library refuses tensors without values; on this card they stand for some that have them
        args, kwargs = tree_map(self._on_card, (tuple(args), kwargs or {}))
        if func.__name__ in PRODUCTS:
            places = {one.device.type for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)}
            assert len(places) == 1, "a product of tensors on the card and on the host"
            if places == {"meta"}:
                raise Arrived
            assert not self.asked, "a product on the host, with a card at hand"
        return func(*args, **kwargs)

    def _on_card(self, value):
        if isinstance(value, (torch.device, str)) and str(value).startswith("cuda"):
            self.asked = True
            return torch.device("meta")
        return value


@pytest.mark.parametrize("name", NAMES, ids=declared.short_name)
def test_an_experiment_that_declares_a_gpu_asks_for_it(name, monkeypatch):
    monkeypatch.setenv("MTLBOOK_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    short = declared.short_name(name)
    run = inspect.unwrap(declared.function(name))  # not by way of what a build keeps
    with Card() as card, pytest.raises((Arrived, RuntimeError)) as ended:
        run(*ARGUMENTS.get(short, ()), **SIZES.get(short, load_all()[name].quick))
    assert isinstance(ended.value, Arrived) or NO_NUMBER in str(ended.value), ended.value
    assert card.asked


def test_one_that_multiplies_on_the_host_is_found(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    here = torch.ones(2, 2)
    with Card() as card:
        assert (here @ here).sum() == 8
        assert not card.asked
        there = torch.ones(2, 2, device="cuda")
        for wrong, message in ((here, "on the host, with a card"), (there, "on the card and on the host")):
            with pytest.raises(AssertionError, match=message):
                _ = here @ wrong


def test_no_arguments_are_named_in_vain():
    assert set(ARGUMENTS) <= set(map(declared.short_name, NAMES))
