"""scikit-learn's conventions, repeatable fits, encoders of any kind, early stopping."""

from functools import partial

import numpy as np
import pytest
import torch
from scipy.stats import entropy
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
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
from mtlbook_lib.methods.sharing._fitting import tasks

RNG = np.random.default_rng(3)
X = RNG.standard_normal((90, 5))
TRUTH = RNG.standard_normal(5)
SCORES = X @ np.column_stack([TRUTH, TRUTH + 0.3 * RNG.standard_normal(5)])
NUMBERS = SCORES + 0.3 * RNG.standard_normal(SCORES.shape)
CLASSES = np.column_stack([SCORES[:, 0] > 0, 3 + np.digitize(SCORES[:, 1], [-1.0, 1.0])]).astype(float)
QUICK = Training(rate=0.03, epochs=12, batch_size=30)
MODELS = [
    shared(2, training=QUICK),
    single_task(2, training=QUICK),
    SvdReweighting(1, 2, training=QUICK),
    UncertaintyWeighting(2, training=QUICK),
    Alignment(shared(2, training=QUICK)),
    Alignment(single_task(2, training=QUICK), train_heads=False),
]
IDS = ["shared", "single", "svd", "uncertainty", "aligned", "aligned-single"]


def hidden_layer():
    return nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Dropout(0.2))


class Tokens(nn.Module):
    """An embedding, then the mean over the tokens."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.last = nn.Linear(4, 3)

    def forward(self, tokens):
        return self.last(self.embedding(tokens).mean(dim=1))


@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_a_clone_has_the_same_settings_and_the_same_fit(model):
    copied = clone(model)
    assert repr(copied) == repr(model)
    assert copied.get_params().keys() == model.get_params().keys()
    first, second = model.fit(X, NUMBERS).predict(X), copied.fit(X, NUMBERS).predict(X)
    assert first.shape == NUMBERS.shape
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(model.fit(X, NUMBERS).predict(X), first)


def test_settings_are_read_and_changed_by_name():
    model = Alignment(shared(training=Training()))
    assert model.get_params()["model__training__rate"] == 0.01
    model.set_params(model__training__rate=0.5, train_heads=False)
    assert model.model.training.rate == 0.5
    assert not model.train_heads
    with pytest.raises(ValueError, match="speed is no setting of Alignment"):
        model.set_params(speed=1)
    with pytest.raises(ValueError, match="training is None, which has no settings"):
        model.set_params(training__rate=1)
    baseline, plain = GradientAggregation().get_params(), shared().get_params()
    assert baseline | {"weights": None} == plain | {"method": "pcgrad"}
    assert SvdReweighting().rank == 1


def test_another_seed_gives_another_fit_and_torch_keeps_its_own_stream():
    before = torch.get_rng_state()
    fits = [shared(hidden_layer, training=QUICK, seed=seed).fit(X, NUMBERS).predict(X) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert np.abs(fits[0] - fits[2]).max() > 1e-3
    assert torch.equal(torch.get_rng_state(), before)


def test_they_work_in_a_pipeline_and_in_model_selection():
    pipeline = make_pipeline(StandardScaler(), shared(1, training=QUICK))
    scores = cross_val_score(pipeline, 100 + X, NUMBERS, cv=3)
    assert np.all(scores > 0.5)
    search = GridSearchCV(shared(1, training=Training(epochs=5)), {"encoder": [1, 2], "training__rate": [1e-5, 0.1]})
    assert search.fit(X, NUMBERS).best_params_["training__rate"] == 0.1


def test_classes_are_predicted_by_their_numbers():
    model = shared(2, loss="cross-entropy", training=Training(rate=0.1, epochs=60)).fit(X, CLASSES)
    assert set(model.predict(X)[:, 1]) == {3.0, 4.0, 5.0}
    assert np.all(model.scores(X, CLASSES) > 0.85)
    for probabilities, out in zip(model.predict_proba(X), model.outputs(X), strict=True):
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
        assert np.array_equal(probabilities.argmax(axis=1), out.argmax(axis=1) if out.shape[1] > 1 else out[:, 0] > 0)
    expected = -np.log(model.predict_proba(X)[1][np.arange(90), (CLASSES[:, 1] - 3).astype(int)])
    np.testing.assert_allclose(model.row_losses(X, CLASSES)[:, 1], expected, rtol=1e-9, atol=1e-15)


def test_losses_may_differ_between_tasks():
    labels = np.column_stack([CLASSES[:, 0], NUMBERS[:, 1]])
    model = UncertaintyWeighting(2, loss=["cross-entropy", "squared"], training=Training(rate=0.05, epochs=60))
    assert np.all(model.fit(X, labels).scores(X, labels) > 0.7)
    model.set_params(least=1.0, training__validation=0.0)
    with pytest.warns(UserWarning, match="fitted almost exactly"):  # better than constant outputs, whose losses count
        weights = model.fit(X, labels).weights_
    constant = entropy(np.bincount(labels[:, 0].astype(int))), labels[:, 1].var()
    assert weights[1] / weights[0] == pytest.approx(constant[0] / constant[1], rel=1e-5)
    with pytest.raises(ValueError, match="loss must be cross-entropy for probabilities; task 1"):
        model.predict_proba(X)


def test_missing_labels_are_left_out():
    some = NUMBERS.copy()
    some[::3, 1] = np.nan
    spoiled = np.where(np.isnan(some), 1e6, some)
    weights = (~np.isnan(some)).astype(float)
    model = shared(1, training=QUICK).fit(X, some)
    np.testing.assert_array_equal(model.predict(X), shared(1, training=QUICK).fit(X, spoiled, weights).predict(X))
    assert np.array_equal(np.isnan(model.row_losses(X, some)), np.isnan(some))


def test_rows_are_held_out_alike_among_those_with_labels_for_the_same_tasks():
    labels = np.zeros((40, 2))
    labels[:20, 1] = labels[30:, 0] = np.nan  # 20 rows for the first task, 10 for both, 10 for the second
    given = tasks.make_tasks(np.zeros((40, 1)), labels)
    for seed in range(5):
        held = tasks.held_out(given, 0.2, seed)
        for rows, n in ((slice(20), 4), (slice(20, 30), 2), (slice(30, None), 2)):
            assert held[rows].sum() == n


def test_tokens_and_images_reach_the_encoder_as_they_are():
    tokens = RNG.integers(0, 7, size=(90, 6))
    labels = np.column_stack([(tokens == 2).sum(axis=1), (tokens == 3).sum(axis=1)])
    model = shared(Tokens, training=QUICK).fit(tokens, labels)
    assert model.predict(tokens[:4]).shape == (4, 2)
    aligned = Alignment(shared(Tokens, training=QUICK), layer="embedding").fit(tokens, labels)
    assert [matrix.shape for matrix in aligned.matrices_] == [(4, 4), (4, 4)]
    images = RNG.standard_normal((90, 1, 6, 6))
    convolution = partial(nn.Sequential, nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten())
    assert shared(convolution, training=QUICK).fit(images, NUMBERS).predict(images).shape == (90, 2)


def test_the_best_epoch_is_kept():
    wild = Training(rate=0.5, epochs=40, batch_size=10, patience=5)
    model = shared(3, training=wild).fit(X, NUMBERS)
    history = model.history_
    assert history.best_epoch == int(np.argmin(history.held_out))
    assert len(history.training) == len(history.held_out) - 1 <= history.best_epoch + 5


def test_losses_are_a_mean_over_the_tasks_in_training_and_their_sum_held_out():
    barely = Training(optimizer="sgd", rate=1e-12, epochs=1)
    history = shared(3, training=barely).fit(X, np.tile(NUMBERS, 4)).history_
    assert history.training[0] == pytest.approx(history.held_out[0] / 8, rel=0.5)


def test_alignment_that_helps_nothing_stays_at_the_shared_solution():
    base = shared(1, training=Training(rate=0.05, epochs=150, batch_size=None))
    wild = Training(optimizer="adam", rate=10.0, epochs=3)
    model = Alignment(base, training=wild).fit(X, NUMBERS)
    assert [history.best_epoch for history in model.histories_] == [0, 0]
    np.testing.assert_array_equal(model.matrices_[0], np.eye(5))
    np.testing.assert_allclose(model.predict(X), base.fit(X, NUMBERS).predict(X))


def test_alignment_undoes_a_turn_of_the_inputs():
    """The source has the target's direction in other coordinates: harm by sharing, which the matrix repairs."""
    axes = np.linalg.qr(np.column_stack([TRUTH, RNG.standard_normal((5, 4))]))[0]
    turned = X @ axes @ np.roll(axes, 1, axis=1).T  # the first axis, that of the labels, becomes the second
    table = stack_tasks([X, turned], [NUMBERS[:, 0], NUMBERS[:, 0]])
    base = shared(1, training=Training(rate=0.03, epochs=150, batch_size=None))
    plain, aligned = (model.fit(*table).scores(*table) for model in (clone(base), Alignment(base)))
    assert plain.min() < 0.6
    assert aligned.min() > 0.85


def test_progress_is_reported():
    seen = []
    shared(training=Training(epochs=3, progress=lambda *report: seen.append(report))).fit(X, NUMBERS)
    assert [report[:2] for report in seen] == [(1, 3), (2, 3), (3, 3)]


def test_precision_is_that_of_the_training():
    model = shared(training=Training(epochs=1, dtype="float32", device="cpu")).fit(X, NUMBERS)
    assert {parameter.dtype for parameter in model.network_.parameters()} == {torch.float32}
    assert model.predict(X).dtype == np.float64


@pytest.mark.parametrize("make", [shared, single_task, lambda *given, **more: Alignment(shared(*given, **more))])
def test_an_encoder_keeps_the_precision_that_it_came_in(make):
    seen = []

    def encoder():
        module = hidden_layer()
        module[0].register_forward_hook(lambda layer, inputs, output: seen.append(output.dtype))
        return module

    found = make(encoder, training=QUICK).fit(X, NUMBERS).predict(X)
    assert set(seen) == {torch.float32}
    seen.clear()
    # Who names a precision gets it throughout; the two differ by the rounding of the first.
    double = make(encoder, training=Training(rate=0.03, epochs=12, batch_size=30, dtype="float64")).fit(X, NUMBERS)
    assert set(seen) == {torch.float64}
    assert 0 < np.abs(double.predict(X) - found).max() < 1e-3


def test_heads_keep_the_precision_of_the_training():
    model = shared(hidden_layer, training=QUICK).fit(X, NUMBERS)
    assert {parameter.dtype for parameter in model.network_.encoder.parameters()} == {torch.float32}
    assert {parameter.dtype for parameter in model.network_.heads.parameters()} == {torch.float64}


def test_streams_of_other_devices_are_left_alone(monkeypatch):
    asked, fork = [], torch.random.fork_rng
    monkeypatch.setattr(torch.random, "fork_rng", lambda devices: asked.append(devices) or fork(devices=devices))
    shared(2, training=Training(epochs=1, device="cpu")).fit(X, NUMBERS)
    assert asked == [[]]


def test_fitting_needs_labels_of_several_tasks():
    tags = shared(2, training=QUICK).__sklearn_tags__().target_tags
    assert (tags.required, tags.multi_output, tags.single_output) == (True, True, False)
