"""One step of each sparse solver, against its equations written out in full; and how many steps a problem takes."""

from functools import partial

import numpy as np
import pytest
from scipy.linalg import block_diag
from sparse_tasks import task
from test_interpolation_lorentz import way_out

from mtlbook_lib.theory import interpolation
from mtlbook_lib.theory.interpolation import certificate, interior, lorentz, path, polish

SIZES, DIM = (2, 3, 1), 7


def inside(rng):
    """Points well inside of three-task cones, one for each coordinate."""
    rest = rng.standard_normal((len(SIZES), DIM))
    return np.vstack((np.linalg.norm(rest, axis=0) * rng.uniform(1.1, 2, DIM), rest))


def problem():
    """A program of three tasks, and a state that does not satisfy its equations yet."""
    rng = np.random.default_rng(8)
    rows = [np.linalg.qr(rng.standard_normal((DIM, n)))[0].T for n in SIZES]
    program = interior.Program(rows, [rng.standard_normal(n) for n in SIZES])
    multipliers = 0.3 * rng.standard_normal(sum(SIZES))
    dual = np.vstack((np.ones(DIM), -program.combine(multipliers)))
    assert np.all(lorentz.square(dual) > 0)
    return program, program.state(inside(rng), dual, multipliers)


def in_full(program, point, dual, wanted):
    """Changes of point, slopes and multipliers that solve the linear equations, from one dense matrix."""
    cones, tasks = len(SIZES) + 1, len(SIZES)
    scale = lorentz.scaling(point, dual)
    columns = [np.eye(cones)[:, [i]] * np.ones(DIM) for i in range(cones)]
    forth = np.array([scale.apply(column) for column in columns])  # [column, row, coordinate]
    back = np.array([scale.undo(column) for column in columns])
    rows = block_diag(*program.rows)
    size, n = cones * DIM, len(rows)
    system, right = np.zeros((size + n, size + n)), np.zeros(size + n)
    for row in range(cones):
        for column in range(cones):
            here, there = slice(row * DIM, (row + 1) * DIM), slice(column * DIM, (column + 1) * DIM)
            system[here, there] = np.diag(forth[column, row])
            if column > 0:  # the slopes are minus a combination of the rows
                task = slice((column - 1) * DIM, column * DIM)
                system[here, size:] -= back[column, row][:, None] * rows[:, task].T
    system[size:, DIM:size] = rows
    right[:size] = wanted.ravel()
    values = np.concatenate(program.values)
    right[size:] = values - rows @ point[1:].ravel()
    change = np.linalg.solve(system, right)
    turn = change[size:]
    return change[:size].reshape(cones, DIM), -(turn @ rows).reshape(tasks, DIM), turn


def test_a_direction_solves_the_linear_equations():
    program, state = problem()
    wanted = np.random.default_rng(9).standard_normal(state.point.shape)
    newton = interior._Newton(program, state.point, lorentz.scaling(state.point, state.dual))
    point, slopes, turn = in_full(program, state.point, state.dual, wanted)
    found = newton.direction(wanted)
    np.testing.assert_allclose(found.point, point, atol=1e-10)
    np.testing.assert_allclose(found.dual, np.vstack((np.zeros(DIM), slopes)), atol=1e-10)
    np.testing.assert_allclose(found.multipliers, turn, atol=1e-10)


def reach(x, change):
    """Most of the way to the boundary of the first cone that is left, at most a whole step."""
    return min(1.0, 0.99 * min(way_out(*pair) for pair in zip(x.T, change.T, strict=True)))


def test_no_step_is_longer_than_newtons():
    """Also where the cones would let it be, for the point, for the dual, or for both."""
    _, state = problem()
    out = np.vstack((np.zeros(DIM), np.ones((len(SIZES), DIM))))
    for size, dual_size in ((0.01, 0.02), (0.01, 9.0), (9.0, 0.01), (7.0, 8.0)):
        change = interior._Change(size * out, dual_size * out, np.zeros(sum(SIZES)))
        expected = reach(state.point, change.point), reach(state.dual, change.dual)
        assert [length == 1 for length in expected] == [size < 1, dual_size < 1]
        assert interior._lengths(state, change) == pytest.approx(expected, rel=1e-6)


def test_a_step_is_the_corrector_of_a_predictor():
    """The predictor asks for complementarity at once; the corrector leaves the cube of what it could not reach."""
    program, state = problem()
    scale = lorentz.scaling(state.point, state.dual)
    centre = scale.apply(state.point)
    point, slopes, _ = in_full(program, state.point, state.dual, -centre)
    dual = np.vstack((np.zeros(DIM), slopes))
    left = 1 - min(reach(state.point, point), reach(state.dual, dual))
    assert 0.1 < left < 0.9
    mean = (state.point * state.dual).sum() / DIM
    target = -lorentz.product(centre, centre) - lorentz.product(scale.apply(point), scale.undo(dual))
    target += left**3 * mean * np.eye(len(SIZES) + 1)[:, [0]]
    point, slopes, turn = in_full(program, state.point, state.dual, lorentz.quotient(centre, target))
    dual = np.vstack((np.zeros(DIM), slopes))
    far, dual_far = reach(state.point, point), reach(state.dual, dual)
    found = interior._step(program, state)
    np.testing.assert_allclose(found.point, state.point + far * point, atol=1e-6)
    np.testing.assert_allclose(found.dual, state.dual + dual_far * dual, atol=1e-6)
    np.testing.assert_allclose(found.multipliers, state.multipliers + dual_far * turn, atol=1e-6)
    gap = certificate.duality_gap(found.point[1:], -found.dual[1:], np.concatenate(program.values) @ found.multipliers)[
        1
    ]
    assert found.gap == pytest.approx(gap, rel=1e-12)


@pytest.mark.parametrize("size_of_targets", [0.3, 3.0])
def test_a_step_along_the_path_solves_its_linear_equations(size_of_targets):
    """Of (mu + R)p = beta and of the data; the slopes stop 95 hundredths of the way to 1 or −1."""
    rng = np.random.default_rng(2)
    rows, values = np.linalg.qr(rng.standard_normal((DIM, 3)))[0].T, size_of_targets * rng.standard_normal(3)
    known, beta, multipliers, mu = rng.uniform(0, 1, DIM), rng.standard_normal(DIM), rng.standard_normal(3), 0.07
    multipliers *= 0.8 / np.abs(multipliers @ rows).max()
    slopes = multipliers @ rows
    size = np.sqrt(mu**2 + beta**2 + known**2)
    system = np.block([[np.diag(slopes * beta / size - 1), (mu + size)[:, None] * rows.T], [rows, np.zeros((3, 3))]])
    change = np.linalg.solve(system, np.concatenate((beta - (mu + size) * slopes, values - rows @ beta)))
    turn = change[DIM:]
    bend = turn @ rows
    length = min(1.0, 0.95 * min(((1 if b > 0 else -1) - p) / b for b, p in zip(bend, slopes, strict=True)))
    assert (length < 1) == (size_of_targets > 1)
    state = path._State(beta, multipliers, slopes, mu, 1.0)
    found = path._Problem(rows, values, known).step(state)
    np.testing.assert_allclose(found.beta, beta + change[:DIM], atol=1e-11)
    np.testing.assert_allclose(found.multipliers, multipliers + length * turn, atol=1e-11)
    np.testing.assert_allclose(found.slopes, found.multipliers @ rows, atol=1e-12)
    total = np.sum(np.hypot(found.beta, known) - known)
    bound = values @ found.multipliers - np.sum(known * (1 - np.sqrt(1 - found.slopes**2)))
    assert found.gap == pytest.approx(abs(total - bound) / total, rel=1e-9)
    # Smoothing adds about its size to every term: a tenth of the share of the gap that a coordinate has.
    assert found.smoothing == pytest.approx(0.1 * abs(total - bound) / DIM, rel=1e-9)


def test_polishing_ends_at_the_optimality_conditions():
    """From coefficients and multipliers that are off by a thousandth: the multipliers then explain the unit vectors."""
    tasks = [task(n, 20, 8, seed) for seed, n in enumerate((7, 9))]
    rows = [np.linalg.qr(x.T)[0].T for x, _, _ in tasks]
    exact = interpolation.min_group_norm([x for x, _, _ in tasks], [y for _, y, _ in tasks])
    norms = np.linalg.norm(exact, axis=0)
    used = norms > 1e-9
    design, units = block_diag(*(row[:, used] for row in rows)), exact[:, used] / norms[used]
    multipliers = np.linalg.lstsq(design.T, units.ravel(), rcond=None)[0]
    rng = np.random.default_rng(1)
    off, turned = exact + 1e-3 * used * rng.normal(size=exact.shape), multipliers + 1e-3 * rng.normal(size=16)
    misfit = np.concatenate([row @ (true - beta) for row, true, beta in zip(rows, exact, off, strict=True)])
    slopes = np.where(used, 1.0, 0.1) * off / np.maximum(np.linalg.norm(off, axis=0), 1e-3)
    betas, found = polish.polished(rows, off, slopes, turned, misfit)
    np.testing.assert_allclose(betas, exact, atol=1e-10)
    np.testing.assert_allclose(design.T @ found, units.ravel(), atol=1e-10)


def test_states_at_the_boundary_are_not_stepped_from():
    """A slope of 1, and a point or a dual point on its cone, leave no room for a step."""
    room = partial(path._State, np.ones(2), np.ones(1), smoothing=0.1, gap=0.1)
    for slopes, expected in (([0.5, -0.9], True), ([0.5, 1.0], False), ([-1.0, 0.5], False), ([0.5, 1.5], False)):
        assert path._inside(room(slopes=np.array(slopes))) is expected
    within, edge = np.array([[0.9, 0.8], [0.6, -0.6]]), np.array([[0.9, 0.6], [0.6, -0.6]])
    for point, dual, expected in ((within, within, True), (edge, within, False), (within, edge, False)):
        assert interior._inside(interior._State(point, dual, np.ones(1), 0.1)) is expected
