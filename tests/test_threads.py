"""Small products get one thread and large ones those of the environment, in any number of calls at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  its library is another one than NumPy's
import torch
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from mtlbook_lib import _threads
from mtlbook_lib.simulation.engine import Trajectory
from mtlbook_lib.simulation.linear import gradient_flow

FEW, MANY = 8, _threads.LARGE


@pytest.fixture(autouse=True)
def several_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    with threadpool_limits(2, user_api="blas"):
        for library in ThreadpoolController().lib_controllers:
            getattr(library, "clear_controlling_thread", bool)()  # in favour of whichever thread comes next
        yield
    torch.set_num_threads(before)


def now(*_: Any, **__: Any) -> tuple[set[int], int]:
    """Threads of NumPy's and SciPy's libraries, and of torch."""
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}, torch.get_num_threads()


@pytest.mark.parametrize(
    ("decorator", "shapes", "threads"),
    [
        (_threads.suited, [(FEW, FEW)], ({1}, 1)),
        (_threads.suited, [(MANY, 1, 1)], ({1}, 3)),  # a batch: NumPy multiplies one after the other
        (_threads.suited, [(FEW,), (1024, 1024)], ({2}, 3)),
        (_threads.suited_to_pairs, [(1024, 3)], ({2}, 3)),
        (_threads.suited_to_pairs, [(1000, 3)], ({1}, 1)),
    ],
)
def test_threads_are_as_the_arrays_are_large(decorator: Any, shapes: Any, threads: Any) -> None:
    call = decorator(now)
    assert call([np.empty(shape) for shape in shapes]) == threads
    assert call(kept=(torch.empty(shapes[-1], device="meta"),)) == threads
    assert now() == ({2}, 3)


def test_they_come_back_after_an_error_and_inside_another_call() -> None:
    @_threads.suited
    def failing(depth: int) -> None:
        if depth:
            failing(depth - 1)
        raise ValueError(str(depth))

    with pytest.raises(ValueError, match="0"):
        failing(3)
    assert now() == ({2}, 3)


def test_calls_in_several_threads_end_with_what_was_there_before() -> None:
    everyone = Barrier(4)

    @_threads.suited
    def met(turn: int) -> tuple[set[int], int]:
        everyone.wait(20)
        found = now()
        everyone.wait(20)
        return found

    for _ in range(5):
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(met, range(4))) == [({1}, 1)] * 4
            assert set(pool.map(lambda _: torch.get_num_threads(), range(16))) == {3}
        assert now() == ({2}, 3)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(now).result() == ({2}, 3)


def test_a_flow_of_small_networks_has_one_thread() -> None:
    seen = []

    def watched(maps: torch.Tensor) -> torch.Tensor:
        seen.append(now())
        return maps

    layers = [np.full((1, 1, 2, 2), 0.1)] * 2
    run = gradient_flow.integrate(layers, np.eye(2)[None, None], [0.0, 1.0], observe={"map": watched})
    assert isinstance(run, Trajectory)
    assert seen == [({1}, 1)] * 2
