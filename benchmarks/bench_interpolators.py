"""Fig. 2 b of Lindsey & Lippl for one seed: the solver of the penalty against training by gradient descent and by flow.

Networks alone and finetuned end where the exact penalty is least, if the solver is given the same first layer. The
whole figure is solved after ideal pretraining and, for joint networks, by the least group norm: its errors say how far
trained networks are from those. Where descent would take too long, its seconds are those of one step times as many
steps as the time of the flow takes at the rate, and the row says so.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.diagonal import by_descent, largest_curvature, seconds_of_a_step
from benchmarks.timing import Row, timed
from mtlbook_lib.chapters import sparse_pairs as pairs
from mtlbook_lib.chapters.sparse_pairs import ALPHA, GAMMA, LOSS
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.simulation.diagonal import Fits, Weights, equal_pathways, gradient_flow, start_from
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width, pathway_invariants
from mtlbook_lib.theory.interpolation import min_group_norm_given, min_penalty

SIZES, JOINT_SIZES = (16, 32, 64, 128, 256), (32, 64, 128)
TASKS: tuple[pairs.Task, ...] = ((40, 0), (40, 20), (40, 40))
WANTED = 0.01  # error of descent with its rate lowered
NAMES = ("u_plus", "u_minus", "v_plus", "v_minus")


@dataclass(frozen=True)
class Case:
    """Networks that learn the main tasks from n examples: first all tasks alone, then all after pretraining."""

    x: np.ndarray
    y: np.ndarray
    start: Weights

    def solved(self) -> np.ndarray:
        parts = (self.start.u_plus, self.start.v_plus, self.start.u_minus, self.start.v_minus)
        width, _, begin = pathway_invariants(*(part.reshape(len(self.y), -1) for part in parts))
        return np.array([min_penalty(self.x, *one) for one in zip(self.y, width, begin, strict=True)])

    def flow(self, tolerance: float = LOSS, accuracy: float = 1e-2) -> Fits:
        data = [self.x[None, None]], [self.y[None]]
        return gradient_flow(self.start, *data, tolerance=tolerance, accuracy=accuracy).finished()

    def descent(self, rate: np.ndarray) -> np.ndarray:
        return by_descent(self.start, (self.x, self.y), rate, LOSS)


@dataclass(frozen=True)
class Figure:
    """Coefficients of the tasks, examples of the auxiliary one, the pretrained network, and what is trained then."""

    aux: np.ndarray
    main: np.ndarray
    examples: np.ndarray
    pretrained: Fits
    cases: list[Case]

    def ideal(self) -> list[np.ndarray]:
        """Solutions where pretraining left nothing of its loss."""
        after = finetuning_width(self.aux, ALPHA, GAMMA), finetuning_start(self.aux, ALPHA, GAMMA)
        each = [(truth, penalty) for penalty in ((2 * ALPHA**2,), after) for truth in self.main]
        return [np.array([min_penalty(c.x, c.x @ truth, *penalty) for truth, penalty in each]) for c in self.cases]

    def norms(self, x: np.ndarray) -> np.ndarray:
        return np.array([min_group_norm_given(x, x @ truth, self.aux) for truth in self.main])

    def joint(self, x: np.ndarray) -> Fits:
        return pairs.trained_on_both(self.examples, self.aux, x, self.main)


def make(tasks: tuple[pairs.Task, ...], sizes: tuple[int, ...], dim: int, n_aux: int) -> Figure:
    aux, main = pairs.teachers(0, tasks, dim)
    before = pairs.pretrained(0, aux, n_aux)
    after = pairs.copies(before.weights, len(tasks)).with_readout(GAMMA)
    alone = equal_pathways(ALPHA, ALPHA, (1, len(tasks), dim))
    start = start_from(*(np.concatenate([getattr(w, name) for w in (alone, after)], axis=1) for name in NAMES))
    x = sphere_inputs(dim, max(sizes), [0])[0]
    cases = [Case(x[:n], np.concatenate([main, main]) @ x[:n].T, start) for n in sizes]
    return Figure(aux, main, sphere_inputs(dim, n_aux, [0], "aux")[0], before, cases)


def off(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Relative distances of coefficients."""
    return np.linalg.norm(found - exact, axis=-1) / np.linalg.norm(exact, axis=-1)


def rows_alike(figure: Figure) -> tuple[list[Row], np.ndarray]:
    """One first layer for all routes, and the reference: the flow to a loss of 1e-14 by finer steps."""
    count, cases = len(figure.cases) * 2 * len(figure.main), figure.cases
    ends = [case.flow(1e-14, 1e-3) for case in cases]
    exact = np.array([fits.beta[0, :, 0] for fits in ends])
    fastest = 1 / np.array([largest_curvature([c.x], fits.weights) for c, fits in zip(cases, ends, strict=True)])

    def trained(rates: np.ndarray) -> list[np.ndarray]:
        return [case.descent(rate) for case, rate in zip(cases, rates, strict=True)]

    solved, ours = timed(lambda: [case.solved() for case in cases], count)
    fast = timed(lambda: trained(fastest), count, repeats=1)
    # The error of descent is of first order in its rate; a tenth of it is left to the second.
    slower = fastest * np.minimum(1, 0.9 * WANTED / off(np.array(fast[0]), exact))
    routes = {
        "descent, half the largest stable rates": fast,
        "descent, rates low enough for 1 %": timed(lambda: trained(slower), count, repeats=1),
        "gradient_flow": timed(lambda: [case.flow().beta[0, :, 0] for case in cases], count),
    }
    error = off(np.array(solved), exact).max()
    return [
        Row("least penalty, alone and finetuned", name, "network", ours, seconds, error, off(betas, exact).max())
        for name, (betas, seconds) in routes.items()
    ], exact


def by_steps(fits: list[Fits], inputs: list[list[np.ndarray]], targets: list[np.ndarray]) -> float:
    """Seconds of descent for as long as the flow took, with the largest of the inputs for all networks in a batch."""
    rates = [1 / largest_curvature(x, one.weights) for x, one in zip(inputs, fits, strict=True)]
    steps = np.mean([one.time[0] / rate for one, rate in zip(fits, rates, strict=True)])
    start = start_from(*(np.concatenate([getattr(one.weights, name) for one in fits], axis=1) for name in NAMES))
    data = [(x, np.tile(y, (len(fits), 1))) for x, y in zip(inputs[-1], targets, strict=True)]
    return float(steps) * seconds_of_a_step(start, data, np.concatenate(rates))


def rows_of_all(figure: Figure, sizes: tuple[int, ...], descent: float, exact: np.ndarray) -> list[Row]:
    """Joint networks beside the least norm, then the whole figure; `descent` is seconds of what was not joint."""
    x = [figure.cases[-1].x[:n] for n in sizes]
    norms, norm = timed(lambda: np.array([figure.norms(part) for part in x]), 1)
    fits, flow = timed(lambda: [figure.joint(part) for part in x], 1, repeats=1)
    aux = figure.examples @ figure.aux
    joint = by_steps(
        fits, [[figure.examples, part] for part in x], [np.tile(aux, (len(figure.main), 1)), figure.main @ x[-1].T]
    )
    error = off(norms, np.array([one.beta[0, :, 1] for one in fits])).max()
    ideal, penalty = timed(figure.ideal, 1)
    before = by_steps([figure.pretrained], [[figure.examples]], [aux[None]])
    return [
        Row("least norm, joint", "descent, steps x seconds of one", "figure", norm, joint, error, np.nan),
        Row("least norm, joint", "gradient_flow", "figure", norm, flow, error, 0.0),
        Row("all, ideal pretraining", "descent, joint and pretraining by steps x seconds of one", "figure",
            penalty + norm, before + descent + joint, off(np.array(ideal), exact).max(), np.nan),
    ]  # fmt: skip


def rows(small: bool = False) -> list[Row]:
    figure = make(TASKS[:2], (20, 40), 120, 130) if small else make(TASKS, SIZES, pairs.DIM, pairs.N_AUX)
    found, exact = rows_alike(figure)
    descent = found[0].theirs * exact[..., 0].size
    return found + rows_of_all(figure, (20, 40) if small else JOINT_SIZES, descent, exact)
