"""Rated texts: what the file holds, splits by review, and refusals."""

import hashlib

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.data import opinions as package
from mtlbook_lib.data.opinions import DOMAINS, Opinions, centred, few_rows, opinions, sets, split_reviews

COUNTS = {"tweets": (4045, 4045), "Amazon": (3687, 300), "movies": (10602, 10602), "NYT": (5114, 498)}
RNG = np.random.default_rng(3)
TOY = Opinions(RNG.normal(size=(12, 3)), RNG.normal(size=12), np.arange(12) // 3, "toy")


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_domain_has_its_texts_and_reviews(domain):
    task = opinions(domain)
    assert (len(task.ratings), len(np.unique(task.groups))) == COUNTS[domain]
    assert task.rows.shape == (len(task.ratings), 64)
    assert task.name == domain
    assert np.all(np.isfinite(task.rows))
    assert np.abs(task.ratings).max() <= 4
    lengths = np.linalg.norm(task.rows, axis=1)  # of centred vectors of length 1, with some axes left out
    assert lengths.max() < 1.3
    assert lengths.mean() > 0.5


def test_no_review_is_on_both_sides():
    for domain in ("Amazon", "NYT"):
        task = opinions(domain)
        train, test = split_reviews(task, 0.3, 1)
        assert not set(train.groups) & set(test.groups)
        assert len(train.ratings) + len(test.ratings) == len(task.ratings)
        assert len(np.unique(test.groups)) == round(0.3 * len(np.unique(task.groups)))
        again = split_reviews(task, 0.3, 2)[1]
        assert set(again.groups) != set(test.groups)


def test_fewer_rows_are_among_more():
    few, more = few_rows(TOY, 4, 5), few_rows(TOY, 9, 5)
    np.testing.assert_array_equal(more.rows[:4], few.rows)
    np.testing.assert_array_equal(more.ratings[:4], few.ratings)
    assert len(np.unique(more.ratings)) == 9
    whole = few_rows(TOY, 12, 5)
    np.testing.assert_array_equal(np.sort(whole.ratings), np.sort(TOY.ratings))


def test_explained_is_the_share_of_variance_of_the_residuals():
    models = RNG.normal(size=(2, 5, 3))
    left = TOY.ratings - models @ TOY.rows.T
    wanted = 1 - (left**2).mean(axis=-1) / TOY.ratings.var()
    np.testing.assert_allclose(TOY.explained(models), wanted, rtol=1e-12)
    assert centred(TOY, TOY).explained(np.zeros(3)) == pytest.approx(0, abs=1e-12)


def test_deviations_are_from_the_reference():
    part = few_rows(TOY, 5, 0)
    moved = centred(TOY, part)
    np.testing.assert_allclose(moved.rows + part.rows.mean(axis=0), TOY.rows)
    np.testing.assert_allclose(centred(part, part).rows.mean(axis=0), 0, atol=1e-15)
    gram, products = moved.moments
    np.testing.assert_allclose(gram, sum(np.outer(row, row) for row in moved.rows))
    np.testing.assert_allclose(products, sum(row * y for row, y in zip(moved.rows, moved.ratings, strict=True)))


def test_a_file_that_is_missing_or_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sets, "FILE", tmp_path / "opinions.npz")
    with pytest.raises(FileNotFoundError, match=r"opinions.npz must lie in .* Install mtlbook_lib anew"):
        opinions("NYT")
    content = sets.Path(package.__file__).with_name("opinions.npz").read_bytes()
    (tmp_path / "opinions.npz").write_bytes(content[:-1])
    with pytest.raises(ValueError, match=r"must have the SHA-256 .* Install mtlbook_lib anew"):
        opinions("NYT")
    assert hashlib.sha256(content).hexdigest() == sets.CHECKSUM


test_what_does_not_fit_is_refused = refused(
    None,
    {},
    {
        "domain must be one of 'tweets', 'Amazon', 'movies', 'NYT'": [lambda: opinions("films")],
        "test_fraction must leave reviews on both sides": [lambda part=part: split_reviews(TOY, part, 0)
                                                           for part in (0.01, 1.0)],
        "n_examples must be at most the 12 texts": [lambda: few_rows(TOY, 13, 0)],
        r"models must have shape \(..., 3\)": [lambda: TOY.explained(np.ones(4))],
        "reference must have texts, with 3 columns": [lambda: centred(TOY, opinions("NYT"))],
    },
)  # fmt: skip
