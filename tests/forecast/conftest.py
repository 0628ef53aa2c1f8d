"""Two small tasks whose functions are related, and the smallest estimator."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def related():
    rng = np.random.default_rng(3)
    x_a, x_b = rng.standard_normal((22, 4)), 1.5 * rng.standard_normal((31, 4)) + 0.3
    direction = np.array([1.0, -0.5, 0.3, 0.0])
    y_a = 3 + 2 * (x_a @ direction + 0.3 * np.abs(x_a[:, 0])) + 0.7 * rng.standard_normal(22)
    y_b = x_b @ (direction + np.array([0, 0, 0, 0.4])) + 0.5 * rng.standard_normal(31)
    return x_a, y_a, x_b, y_b


class Mean:
    """Predicts the mean label, whatever the inputs."""

    def fit(self, x, y):
        self.mean = y.mean()
        return self

    def predict(self, x):
        return np.full(len(x), self.mean)


@pytest.fixture
def mean_model():
    return Mean()
