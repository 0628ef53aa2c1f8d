"""The flow of two tasks where it can be solved in closed form, at its largest strengths and at late times."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import two_task_flow, two_tasks


def test_small_students_follow_the_linear_flow():
    """The labels alone drive them: w' = a c_A + b r c_B, a' = w c_A, b' = w r c_B."""
    related, label_a, label_b, w, a, b = 0.7, 0.2, 0.3, 1.1e-5, 2e-5, -0.4e-5
    times = np.array([0.0, 1.5, 9.0])
    drive, rate = a * label_a + b * related * label_b, np.hypot(label_a, related * label_b)
    trunk = w * np.cosh(rate * times) + drive / rate * np.sinh(rate * times)
    area = w / rate * np.sinh(rate * times) + drive / rate**2 * (np.cosh(rate * times) - 1)
    found = two_task_flow(related, label_a, label_b, a, b, w, times, 5)
    for value, expected in zip(found, (trunk, a + label_a * area, b + related * label_b * area), strict=True):
        assert value == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_times_too_late_to_follow_are_refused(monkeypatch):
    arguments = [0.5, 0.1, 0.1, 0.2, 0.2, 0.2, 20.0, 10]
    two_task_flow(*arguments)
    monkeypatch.setattr(two_tasks, "_MAX_CALLS", 50)
    with pytest.raises(ValueError, match=r"t must be earlier, or the strengths smaller: at .* too many steps"):
        two_task_flow(*arguments)


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
def test_strengths_have_a_largest_value(place):
    arguments = [0.5, 0.1, 0.1, 0.2, 0.2, 0.2, 0.0, 10]
    arguments[place] = 1e6
    assert two_task_flow(*arguments) == (arguments[5], arguments[3], arguments[4])
    for size in (1.2e6, -1.2e6) if place > 2 else (1.2e6,):
        arguments[place] = size
        with pytest.raises(ValueError, match=r"must lie in \[-1e\+06, 1e\+06\]"):
            two_task_flow(*arguments)
