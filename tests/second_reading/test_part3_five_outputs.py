"""Five outputs read a second time: teachers of our own against the expansion, where modes fill all rows and not."""

import numpy as np
import pytest

from mtlbook_lib.data.digit_tasks import digit_split, group_targets
from mtlbook_lib.theory.transfer import transfer_benefit

START, TIMES = 1e-3, np.linspace(0.1, 12, 60)


def mean_course(maps, n_rows, draws, seed):
    """Mean error of the first rows of a student, over their energy: closed form for aligned starts."""
    rng, total = np.random.default_rng(seed), np.zeros(TIMES.size)
    for _ in range(draws):
        noisy = maps + rng.standard_normal(maps.shape) / np.sqrt(maps.shape[1])
        u, s, v = np.linalg.svd(noisy, full_matrices=False)
        grown = np.exp(2 * s * TIMES[:, None])
        late = s * grown / (grown - 1 + s / START)
        course = np.einsum("ks,ts,sd->tkd", u[:n_rows], late, v)
        total += np.square(course - maps[:n_rows]).sum(axis=(1, 2))
    return total / draws / np.square(maps[:n_rows]).sum()


def simulated(s, cosine, n_outputs, n_inputs, draws):
    """Benefit of a task of the same strengths, whose input modes have one cosine each with the first task's."""
    rank, axes = len(s), np.eye(n_inputs)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((n_outputs, rank)))[0]
    second = turn * s @ (cosine * axes[:rank] + np.sqrt(1 - cosine**2) * axes[rank : 2 * rank])
    first = np.eye(n_outputs)[:, :rank] * s @ axes[:rank]
    alone, joint = (mean_course(maps, n_outputs, draws, 5) for maps in (first, np.vstack([first, second])))
    return alone.min() - joint.min()


@pytest.mark.claims("digits-five-outputs")
@pytest.mark.parametrize(("s", "shape", "draws", "flattened"), [
    ((2.0, 1.9, 1.8, 1.7, 1.5), (5, 40), 200, True), ((2.0, 1.7), (25, 200), 8, False),
])  # fmt: skip
def test_the_expansion_flattens_benefits_where_modes_fill_all_rows(s, shape, draws, flattened):
    found = [simulated(np.array(s), cosine, *shape, draws) for cosine in (0.0, 0.9)]
    said = [transfer_benefit(s, s, cosine, shape[0] / shape[1], shape[0], START, order=1) for cosine in (0.0, 0.9)]
    slope = np.diff(found)[0] / np.diff(said)[0]
    assert slope > 1.25 if flattened else slope == pytest.approx(1.0, abs=0.15)


def fits(images):
    """Of each of four tasks: map on these images and on the held-out ones, in units of its noise; energy of labels."""
    n, new = len(images.inputs), images.new_inputs - images.new_inputs.mean(axis=0)
    for y, held in zip(group_targets(images.labels), group_targets(images.new_labels), strict=True):
        y, held = y - y.mean(axis=0), held - held.mean(axis=0)
        found = images.inputs.T @ y / n
        rest = y - images.inputs @ found
        values, axes = np.linalg.eigh(rest.T @ rest / (n - 41))
        unit = np.sqrt(n / 40) * axes / np.sqrt(values) @ axes.T
        yield unit @ found.T, unit @ np.linalg.lstsq(new, held)[0].T, np.square(y @ unit).sum() / n


def course(rows, truth):
    """Errors over time of the first five rows, (..., T), less that of predicting zero."""
    u, s, v = np.linalg.svd(rows, full_matrices=False)
    grown = s[..., None] / (1 + (s[..., None] / START - 1) * np.exp(-2 * s[..., None] * TIMES))
    first = u[..., :5, :]
    caught = np.einsum("...ik,...ij,...kj->...k", first, truth, v, optimize=True)
    return np.sum(grown**2 * np.sum(first**2, axis=-2)[..., None] - 2 * grown * caught[..., None], axis=-2)


def strengths_and_modes(rows):
    """Strengths above the edge of noise, by the place of each outlier, and input modes divided by their overlaps."""
    _, s, v = np.linalg.svd(rows, full_matrices=False)
    aspect, shifted = 1 / 8, s**2 - 9 / 8
    kept = s > 1 + np.sqrt(aspect)
    square = (shifted[kept] + np.sqrt(shifted[kept] ** 2 - 4 * aspect)) / 2
    return np.sqrt(square), v[kept] / np.sqrt(1 - (aspect + square) / (square * (square + 1)))[:, None]


def drawn_benefit(a, b, rng, draws=40):
    """Benefit of teachers with the strengths and similarities that two maps show."""
    (s, modes), (z, others) = strengths_and_modes(a), strengths_and_modes(b)
    left, cosines, right = np.linalg.svd(modes @ others.T, full_matrices=False)
    between = left * np.minimum(cosines, 1) @ right
    values, axes = np.linalg.eigh(np.block([[np.eye(len(s)), between], [between.T, np.eye(len(z))]]))
    basis = np.linalg.qr(rng.standard_normal((draws, 40, len(values))))[0]
    drawn = axes * np.sqrt(np.maximum(values, 0)) @ basis.swapaxes(1, 2)
    first, second = drawn[:, : len(s)], drawn[:, len(s) :]
    turn = [np.linalg.qr(rng.standard_normal((draws, 5, 5)))[0] for _ in range(2)]
    teachers = [(q[..., : len(w)] * w) @ v for q, w, v in zip(turn, (s, z), (first, second), strict=True)]
    noisy = [teacher + rng.standard_normal(teacher.shape) / np.sqrt(40) for teacher in teachers]
    alone, joint = (course(rows, teachers[0]) for rows in (noisy[0], np.concatenate(noisy, axis=1)))
    return alone.mean(axis=0).min() - joint.mean(axis=0).min()


@pytest.mark.claims("digits-five-simulated")
def test_drawn_teachers_have_the_benefits_of_digit_tasks():
    """Seen over 160 splits and 12 others for the estimates: slope 1.22 ± 0.06."""
    rng, forecasts, courses = np.random.default_rng(17), [], []
    for seed in range(700, 720):
        a, b = (list(fits(images)) for images in digit_split(180, 180, seed)[:2])
        if seed < 703:
            forecasts.append([drawn_benefit(one[0], two[0], rng) / one[2] for one in a for two in b])
        else:
            courses.append([
                [course(rows, truth) / size for rows in (own, *(np.concatenate([own, other[0]]) for other in b))]
                for own, truth, size in a
            ])  # fmt: skip
    least = np.mean(courses, axis=0).min(axis=-1)  # (task, alone or beside each)
    measured, forecast = (least[:, :1] - least[:, 1:]).ravel(), np.mean(forecasts, axis=0)
    assert np.polyfit(forecast, measured, 1)[0] == pytest.approx(1.15, abs=0.35)
    assert np.corrcoef(forecast, measured)[0, 1] > 0.9
