"""What a fit cannot use is refused by name; optional packages are asked for."""

import importlib.util
import re

import numpy as np
import pytest
from torch import nn

from mtlbook_lib.methods.sharing import (
    Alignment,
    GradientAggregation,
    SvdReweighting,
    Training,
    UncertaintyWeighting,
    shared,
    single_task,
    stack_tasks,
)

RNG = np.random.default_rng(1)
X, Y = RNG.standard_normal((30, 3)), RNG.standard_normal((30, 2))
ONE = Training(epochs=1)
GAP = np.where(np.arange(60).reshape(30, 2) == 7, np.nan, Y)
WILD = Training(optimizer="sgd", rate=1e3, batch_size=None, validation=0.0)
HAS_JD = importlib.util.find_spec("torchjd") is not None


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.memory = nn.LSTM(3, 3, batch_first=True)

    def forward(self, x):
        return self.memory(self.first(self.first(x))[:, None])[0][:, 0]


def ones(n_features, n_outputs):
    head = nn.Linear(n_features, n_outputs, bias=False)
    nn.init.ones_(head.weight)
    return head


def changed(index, value):
    table = Y.copy()
    table[index] = value
    return table


@pytest.mark.parametrize(
    ("model", "x", "y", "message"),
    [
        (shared(), X[0], Y, "X must have shape (n, ...)"),
        (shared(), X, Y[:, 0], "Y must have shape (n, k)"),
        (shared(), X[:9], Y, "Y must have 9 rows"),
        (shared(), X, changed((0, 0), np.inf), "Y must be finite, or NaN"),
        (shared(), np.where(X > 2, np.nan, X), Y, "X must be finite"),
        (shared(), X, Y.astype(str), "Y must be real numbers"),
        (shared(), X, changed((slice(None), 1), np.nan), "Y[:, 1] must have a label"),
        (shared(), X, changed((slice(1, None), 1), np.nan), "Y[:, 1] has too few labels"),
        (shared(loss="cross-entropy"), X, np.ones((30, 1)), "Y[:, 0] must hold at least two classes"),
        (shared(loss=["squared"]), X, Y, "loss must be one name, or one for each of 2 tasks"),
        (shared(weights=[1.0]), X, Y, "weights must have shape (2,)"),
        (shared(), np.arange(90).reshape(30, 3), Y, "X holds integers"),
        (shared(nn.Identity), X[:, :, None], Y, "encoder must turn 2 rows of X into features of shape (2, r)"),
        (shared(dict), X, Y, "encoder must return a torch.nn.Module"),
        (shared().set_params(training=3), X, Y, "training must be a Training"),
        (shared().set_params(seed=-1), X, Y, "seed must be at least 0"),
        (SvdReweighting(training=ONE), X, GAP, "Y must have labels of all tasks on every row"),
        (SvdReweighting(3, training=ONE), X, Y, "rank must be at most"),
        (SvdReweighting(training=ONE), X, changed((slice(None), 0), 2.0), "Y[:, 0] must vary"),
        (SvdReweighting(loss="cross-entropy"), X, np.arange(30)[:, None] % 3, "Y[:, 0] must hold numbers or two"),
        (SvdReweighting(encoder=nn.Identity), np.arange(90).reshape(30, 3), Y, "X must be real numbers for SVD"),
        (UncertaintyWeighting(least=0.0), X, Y, "least must lie in"),
        (UncertaintyWeighting(), X, changed((slice(None), 0), 2.0), "Y[:, 0] must vary"),
        (Alignment(3), X, Y, "model must be made by shared or single_task"),
        (Alignment(shared(training=ONE), layer="deep"), X, Y, "layer must be one of the encoder's '0', '1'"),
        (GradientAggregation("adgrad"), X, Y, "method must be one of"),
        (shared(training=WILD), X, Y, "training diverges. Lower the rate"),
        (Alignment(shared(Twice, training=ONE), layer="first"), X, Y, "used once in the encoder; it was used 2 times"),
        (Alignment(shared(Twice, training=ONE), layer="memory"), X, Y, "layer must have one tensor as its output"),
    ],
)
def test_a_fit_names_what_is_wrong(model, x, y, message):
    with pytest.raises((ValueError, TypeError, RuntimeError), match=re.escape(message)):
        model.fit(x, y)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("optimizer", "newton"),
        ("rate", 0.0),
        ("epochs", 0),
        ("batch_size", 0),
        ("decay", -1.0),
        ("validation", 0.95),
        ("patience", 0),
        ("progress", 3),
        ("dtype", "float16"),
    ],
)
def test_a_training_names_what_is_wrong(setting, value):
    with pytest.raises((ValueError, TypeError), match=f"{setting} must"):
        shared(training=Training(**{setting: value}))


@pytest.mark.parametrize(("weights", "message"), [([1.0, -1.0], "greater than 0"), ([[1.0]], "one a task")])
def test_weights_are_looked_at_before_any_fit(weights, message):
    with pytest.raises(ValueError, match=f"weights must .*{message}"):
        shared(weights=weights)


@pytest.mark.parametrize("make", [shared, single_task])
def test_modules_are_refused_where_functions_are_needed(make):
    with pytest.raises(TypeError, match="encoder must be a function that makes a module"):
        make(nn.Linear(3, 2))
    with pytest.raises(TypeError, match="head must be a function"):
        make(head=nn.Linear(3, 2))


def test_tokens_need_the_name_of_a_layer():
    tokens = RNG.integers(0, 5, size=(30, 2))
    model = Alignment(shared(lambda: nn.Sequential(nn.Embedding(5, 3), nn.Flatten()), training=ONE))
    with pytest.raises(TypeError, match="layer must name an embedding"):
        model.fit(tokens, Y)
    model.set_params(layer="0").fit(tokens, Y)
    assert model.matrices_[0].shape == (3, 3)


def test_what_a_fitted_model_cannot_answer():
    model = shared(training=ONE)
    with pytest.raises(RuntimeError, match="this HardSharing is not fitted"):
        model.predict(X)
    model.fit(X, Y)
    with pytest.raises(ValueError, match="Y must have 2 columns as in the fit; got 1"):
        model.score(X, Y[:, :1])
    with pytest.raises(ValueError, match="sample_weight must have shape"):
        model.fit(X, Y, sample_weight=np.ones(7))
    classes = shared(loss="cross-entropy", training=ONE).fit(X, np.arange(60).reshape(30, 2) % 3)
    with pytest.raises(ValueError, match="must be among the fit's classes"):
        classes.row_losses(X, np.full((30, 2), 9.0))


def test_tables_of_tasks():
    table = stack_tasks([X[:2], X[2:3]], [[1.0, 2.0], [3.0]])
    np.testing.assert_array_equal(table[0], X[:3])
    np.testing.assert_array_equal(table[1], [[1.0, np.nan], [2.0, np.nan], [np.nan, 3.0]])
    with pytest.raises(ValueError, match="xs and ys must have one entry a task; got 1 and 2"):
        stack_tasks([X], [Y[:, 0], Y[:, 1]])
    with pytest.raises(ValueError, match=re.escape("xs[1] must have rows of shape (3,) like xs[0]; got (2,)")):
        stack_tasks([X, X[:, :2]], [Y[:, 0], Y[:, 1]])
    with pytest.raises(ValueError, match=re.escape("ys[0] must have shape (30,)")):
        stack_tasks([X], [Y[:3, 0]])


@pytest.mark.skipif(HAS_JD, reason="TorchJD is installed")
def test_the_missing_baseline_names_its_extra():
    with pytest.raises(ModuleNotFoundError, match=re.escape('pip install ".[baselines]"')):
        GradientAggregation(training=ONE).fit(X, Y)


@pytest.mark.skipif(not HAS_JD, reason="TorchJD is not installed")
@pytest.mark.parametrize("method", ["pcgrad", "upgrad"])
def test_aggregation_is_the_sum_where_no_gradients_are_opposed(method):
    """Two copies of one task with equal heads have one gradient: every step is that of the plain sum."""
    steps = Training(optimizer="sgd", rate=0.02, epochs=20, validation=0.0)
    copies = Y[:, [0, 0]]
    models = [GradientAggregation(method, 1, ones, training=steps), shared(1, ones, training=steps)]
    aggregated, plain = (model.fit(X, copies).predict(X) for model in models)
    np.testing.assert_allclose(aggregated, plain, rtol=1e-3 if method == "upgrad" else 1e-9)


@pytest.mark.skipif(not HAS_JD, reason="TorchJD is not installed")
@pytest.mark.parametrize("method", ["pcgrad", "upgrad"])
def test_opposed_gradients_are_not_added_up(method):
    """Labels of opposite sign and equal heads: the sum would stand still or follow the larger task alone."""
    steps = Training(optimizer="sgd", rate=0.02, epochs=1, batch_size=None, validation=0.0)
    opposed = np.column_stack([Y[:, 0], -3 * Y[:, 0] + Y[:, 1]])
    models = [GradientAggregation(method, 1, ones, training=steps), shared(1, ones, training=steps)]
    layers = [model.fit(X, opposed).network_.encoder[1].weight.detach().numpy()[0] for model in models]
    start = shared(1, ones, training=Training(rate=1e-300, epochs=1)).fit(X, opposed).network_.encoder[1]
    before = start.weight.detach().numpy()[0]
    slopes = np.stack([2 / 30 * X.T @ (X @ before - y) for y in opposed.T])
    gains = [slopes @ (before - layer) for layer in layers]
    assert slopes[0] @ slopes[1] < 0
    assert gains[1].min() < 0  # the sum harms one of the tasks
    assert gains[0].min() > -1e-6
