"""Every benchmark runs at a tiny size, its two routes agree, and what is printed follows from what was measured."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import bench_deep, bench_dynamics, bench_peers, bench_runs, bench_sharing, bench_softmax, bench_spectrum
from benchmarks.routes import by_autograd, by_descent, by_runge_kutta, one_at_a_time
from benchmarks.timing import Row, at_accuracy, product_rate, table, timed
from mtlbook_lib.theory import marchenko_pastur

BOUNDS = {  # of our error and the baseline's, by the first words of a row
    "density": (1e-7, 1e-6),
    "tail_quantile": (1e-12, 1e-4),
    "average": (1e-12, 1e-10),
    "spectra": (1e-13, 1e-13),
    "deep_random_half_time": (1e-10, 1e-8),
    "engine, flow": (1e-5, 1e-5),
    "engine, descent": (0.06, 0.06),
    "balanced_distances": (1e-11, 1e-9),
    "softmax": (1e-12, 1e-12),
    "rank-one": (1e-8, 1e-6),
}
ROW = Row("a", "b", "item", ours=2e-3, theirs=5e-3, our_error=1e-7, their_error=2e-6, flops=3e6)


@pytest.mark.parametrize("module", [bench_deep, bench_dynamics, bench_sharing, bench_softmax, bench_spectrum])
def test_both_routes_of_every_row_reach_the_reference(module):
    rows = module.rows(small=True)
    assert rows
    for row in rows:
        bounds = next(bounds for start, bounds in BOUNDS.items() if row.what.startswith(start))
        assert row.our_error < bounds[0], row
        assert row.their_error < bounds[1], row
        assert min(row.ours, row.theirs) > 0, row


def test_baselines_of_the_flow_are_as_accurate_as_the_engine():
    task = bench_dynamics.make((6, 3, 3), 1, end=1.0)
    for row in bench_dynamics.flow_rows("tiny", task, task):
        assert row.their_error <= row.our_error
        assert row.flops > 0


def test_every_way_of_descent_takes_the_same_steps():
    task, rate = bench_dynamics.make((6, 3, 3), 1, end=0.5), 0.05
    ours = bench_dynamics.by_engine_descent(task, rate)
    for curves in (by_descent(task, rate), *(one_at_a_time(task, route, rate) for route in (by_descent, by_autograd))):
        np.testing.assert_allclose(curves, ours, rtol=1e-12)


def test_the_classical_method_is_of_fourth_order():
    task = bench_dynamics.make((6, 3, 3), 1, end=1.0)
    exact = bench_dynamics.by_distances(task)
    coarse, fine = (bench_dynamics.distance(by_runge_kutta(task, step), exact) for step in (0.05, 0.025))
    assert 10 < coarse / fine < 25


def test_more_seeds_keep_the_first_networks():
    few, many = (bench_dynamics.make((6, 3, 3), n, end=1.0) for n in (1, 2))
    np.testing.assert_array_equal(many.training[:8], few.training)
    np.testing.assert_array_equal(many.layers[0][:8], few.layers[0])


def test_a_missing_peer_is_skipped_with_a_line(capsys):
    assert bench_peers.peer("no_such_module", "such a package") is None
    assert capsys.readouterr().out.startswith("Skipped: such a package cannot be imported here (No module named")


def test_rows_of_a_peer_say_how_many_modes_each_finds():
    given = []
    rows = bench_peers.rank_rows(SimpleNamespace(optht=lambda *arguments: given.append(arguments) or 5), (50, 100), 2)
    assert [row.our_error for row in rows] == [0, 0]
    assert [row.their_error for row in rows] == [2, 2]
    assert {"finds 3", "optht: finds 5"} == {rows[0].what.split(": ")[1], rows[0].baseline}
    assert {arguments[0] for arguments in given} == {0.5}
    assert {arguments[2] for arguments in given} == {None, 0.1}


@pytest.mark.parametrize(("aspect", "nans"), [(0.5, 0), (1.0, 1)])
def test_rows_of_a_peer_count_its_failures(aspect, nans):
    class Law:
        def __init__(self, ratio):
            self.ratio = ratio

        def pdf(self, x):
            with np.errstate(all="ignore"):
                return np.where(x > 0, marchenko_pastur.density(np.sqrt(x), self.ratio) / (2 * np.sqrt(x)), np.nan)

    row = bench_peers.density_row(SimpleNamespace(MarchenkoPasturDistribution=Law), aspect, 50)
    assert row.what.endswith(": 0 NaN")
    assert row.baseline == f"scikit-rmt: {nans} NaN"
    assert max(row.our_error, row.their_error) < 1e-6


def test_a_baseline_runs_at_the_first_setting_that_is_accurate_enough():
    tried = []
    search = at_accuracy(lambda x: tried.append(x) or x, (1.0, 0.1, 0.01), lambda x: x, wanted=0.2, items=1)
    assert search[:2] == (0.1, 0.1)
    assert set(tried) == {1.0, 0.1}
    assert at_accuracy(lambda x: x, (1.0, 0.1), lambda x: x, wanted=0.01, items=1)[:2] == (0.1, 0.1)


def test_seconds_are_those_of_the_fastest_call_for_each_item(monkeypatch):
    clock = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])
    monkeypatch.setattr("benchmarks.timing.process_time", lambda: next(clock))
    assert timed(lambda: "value", items=4) == ("value", 0.25)


def test_the_table_shows_ratio_errors_and_share_of_the_machine():
    header, rule, line = table([ROW], rate=1e10).splitlines()
    assert line.split() == ["a", "item", "2.00e-03", "5.00e-03", "2.50", "1e-07", "2e-06", "15%", "b"]
    assert len(header) <= len(rule)
    assert product_rate(50) > 0


def test_a_run_is_timed_after_its_imports_and_says_what_it_measured(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    source = "import time\ntime.sleep(0.05)\nprint('of the run')\nmeasured = [time.__name__ == 'time', 2]"
    found = bench_runs.timed(source, str(tmp_path))
    assert found["measured"] == [1.0, 2.0]
    assert found["seconds"] >= 0.05
