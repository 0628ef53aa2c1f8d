"""What the chapter on growing past one machine measures, at tiny size, and what it fits."""

from types import SimpleNamespace

import numpy as np
import pytest

from mtlbook_lib.chapters import sizes
from mtlbook_lib.chapters.part7.past_one_machine import experiment
from mtlbook_lib.chapters.part7.past_one_machine.experiment import declared, on_gpu, steps


@pytest.mark.parametrize(("size", "n_seeds", "n_settings"), [(8, 1, 1), (16, 2, 3), (32, 1, 4)])
def test_operations_are_those_of_the_products_written_out(size, n_seeds, n_settings):
    """The map of both layers and its gradients, 6khd; logits of all examples and their gradient, 4kdn."""
    k, h, d, n = size // 4, size // 2, size, size
    counted = experiment.operations(experiment.batch(size, n_seeds, n_settings))
    assert counted == n_seeds * n_settings * (6 * k * h * d + 4 * k * d * n)


def test_a_student_of_a_batch_is_the_student_alone():
    together = steps.train(experiment.batch(8, 3), 5)
    for seed in range(3):
        assert np.abs(together[seed, 0] - experiment.trained(seed, 8, 5)["trunk"]).max() < 1e-12
    assert np.abs(together[0] - together[1]).max() > 0.1


def test_slopes_of_powers():
    times = 5.0 * np.array([1.0, 8.0, 64.0]) ** 2 * np.ones((2, 1))
    assert steps.slopes(times, (1, 8, 64), 1) == pytest.approx(2 * np.ones((2, 2)))
    assert steps.slopes(times.T, (1, 8, 64), 0) == pytest.approx(2 * np.ones((2, 2)))


def test_the_fit_finds_overhead_and_rate():
    work = np.array([1e3, 1e5, 1e6, 1e8])
    overhead, rate = steps.fit(np.stack([1e-4 + 3e-11 * work, 2e-4 + 1e-11 * work]), work)
    assert overhead == pytest.approx([1e-4, 2e-4])
    assert rate == pytest.approx([3e-11, 1e-11])


def test_a_law_without_error_predicts_beyond_the_sizes_of_its_fit(monkeypatch):
    work = np.array([[experiment.operations(experiment.batch(n)) * m for m in steps.STUDENTS] for n in steps.SIZES])
    times = np.broadcast_to(8e-5 + 4e-11 * work, (3, 2, *work.shape))
    monkeypatch.setattr(steps, "stored_steps", lambda: times)
    overhead, rate, ratios = experiment.predicted()
    assert overhead == pytest.approx(np.full(3, 8e-5))
    assert rate == pytest.approx(np.full(3, 4e-11))
    assert ratios == pytest.approx(np.ones((3, 2, 2, 4)))


def test_processes_are_timed(tmp_path):
    found = steps.timed_sweep(tmp_path, 1, 2, 16, 50)
    assert found["clock"] > 0.5 * found["processors"] > 0
    assert found["start"] > 0


def test_declared_costs_are_compared_with_the_line_through_two_sizes(monkeypatch):
    entry = sizes.Experiment("a.part1.b", {"n": 10}, {"n": 110}, {"n": 1110}, "1 GB, 1 min on one core")
    monkeypatch.setattr(declared, "load_all", lambda: {entry.name: entry})
    assert declared.extrapolated(entry.name, 0.5, 1.5) == pytest.approx(11.5)
    assert declared.ratio(entry.name, 0.5, 1.5) == pytest.approx(60 / 11.5)


def test_a_cost_is_read_in_gigabytes_and_seconds():
    assert experiment.cost("100 MB, 2 h on 16 cores") == experiment.Cost(0.1, 7200.0, "16 cores")
    assert experiment.cost("6 GB, 0.5 min on one GPU; 9 GB with all pairs") == experiment.Cost(6.0, 30.0, "one GPU")
    for text in ("6 GB, 3 min", "3 min on one core", "much", "6 GB, half a minute on one core"):
        with pytest.raises(ValueError, match="must read like"):
            experiment.cost(text)


def test_drawn_experiments_have_one_size_and_run(monkeypatch):
    names = declared.drawn_names(5, 1)
    assert names == declared.drawn_names(5, 1) != declared.drawn_names(5, 2)
    name = "mtlbook_lib.chapters.part1.teacher_in_noise.experiment.noise_scales"
    assert name in declared.simple_names()
    tiny = sizes.Experiment(name, {"n_seeds": 2}, {"n_seeds": 4}, {"n_seeds": 8}, "1 GB, 1 s on one core")
    monkeypatch.setitem(sizes.REGISTERED, name, tiny)
    assert all(value > 0 for value in declared.times(name).values())


def test_a_run_in_its_own_process_sends_what_ends_in_time():
    run = on_gpu.Run("mtlbook_lib.chapters.part2.nonlinear.experiment.paired_inputs", "cpu")
    run.start()
    sizes = run.results(60.0)
    assert len(sizes) == 2  # on a core the large size is not run
    assert all(seconds > 0 and gigabytes == 0 for seconds, gigabytes in sizes)


def test_a_run_is_ended_when_its_time_is_over():
    run = on_gpu.Run("mtlbook_lib.chapters.part1.teacher_in_noise.experiment.outliers", "cpu")
    run.start()
    assert run.results(0.0) == []
    assert not run.alive


def test_a_step_is_timed_on_the_clock(monkeypatch):
    """On a clock that training alone moves: a start that all runs share, however long, is in no step."""
    clock, runs = SimpleNamespace(now=0.0), []

    def train(_, n_steps):
        runs.append(n_steps)
        clock.now += 7.0 + 0.25 * n_steps

    given = experiment.batch(16, 1)
    monkeypatch.setattr(steps, "operations", lambda _: steps.WORK / 40)
    monkeypatch.setattr(steps, "train", train)
    monkeypatch.setattr(on_gpu, "perf_counter", lambda: clock.now)
    for least, n in ((20, 40), (60, 60)):
        assert on_gpu.clock_of_step(given, least) == 0.25
        assert runs[-2:] == [n, 3 * n]
