"""Past one machine, read a second time: the stored times with fits of our own."""

import json

import numpy as np
import pytest

from mtlbook_lib._files import chapter_file


@pytest.fixture(scope="module")
def stored():
    return json.loads(chapter_file("part7/past_one_machine/scaling.json").read_text(encoding="utf8"))


@pytest.fixture(scope="module")
def steps(stored):
    """Seconds, (round, axis, size, students), and multiplications and additions, (size, students)."""
    sizes, students = (np.array(stored[name], dtype=float) for name in ("sizes", "students"))
    h, k = sizes / 2, sizes / 4
    return np.array(stored["steps"]), (6 * k * h * sizes + 4 * k * sizes**2)[:, None] * students, sizes


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))


@pytest.mark.claims("machine-batch-small", "machine-batch-large")
def test_what_a_batch_gains(steps):
    gains = 64 * steps[0].mean(axis=1)[..., 0] / steps[0].mean(axis=1)[..., 3]
    small, large = mean_and_error(gains[:, 0]), mean_and_error(gains[:, -1])
    assert small[0] - 4 * small[1] > 10
    assert large[0] + 4 * large[1] < 2


@pytest.mark.claims("machine-students", "machine-size")
def test_exponents_of_number_and_size(steps):
    logs = np.log(steps[0].mean(axis=1))
    number = (logs[:, -2:, 3] - logs[:, -2:, 2]) / np.log(4)
    for place in (0, 1):  # neither size is the exception
        mean, error = mean_and_error(number[:, place])
        assert abs(mean - 1) < 0.1 + error
    mean, error = mean_and_error((logs[:, -1, 3] - logs[:, 3, 3]) / np.log(3))
    assert mean + 4 * error < 3
    assert mean > 2


@pytest.mark.claims("machine-extrapolated")
@pytest.mark.parametrize(("largest", "low", "high"), [(64, 1.4, 2.0), (32, 2.0, 2.5)])
def test_how_far_a_fit_foretells_depends_on_the_largest_run_in_it(steps, largest, low, high):
    seconds, work, sizes = steps
    small, ratios = sizes <= largest, []
    for one in seconds:
        design = np.stack([1 / one[:, small], work[small] / one[:, small]], axis=-1).reshape(-1, 2)
        t0, each = np.linalg.lstsq(design, np.ones(len(design)), rcond=None)[0]
        ratios.append((t0 + each * work[sizes > 64]) / one[:, sizes > 64])
    assert low < np.exp(np.mean(np.log(ratios))) < high
    assert np.all(np.mean(ratios, axis=(0, 1)) > 1)  # it asks for too much in every cell
    assert np.max(ratios) > 2  # and single cells are off by more than the average


@pytest.mark.claims("machine-processes")
def test_two_processes_take_no_more_of_the_processors(stored):
    mean, error = mean_and_error([sweep[1][1] / sweep[0][1] for sweep in stored["processes"]])
    assert mean + 4 * error < 1.5
