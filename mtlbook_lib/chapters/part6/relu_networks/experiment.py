"""ReLU teachers and students: one task, two at once, or one after another; what is stored, and what is trained live."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part6.relu_networks import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import Draws, read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.data.two_tasks.relu_teachers import ReluTeacher, relu_teachers
from mtlbook_lib.simulation.shallow import Fits, Layers, gradient_flow, random_layers
from mtlbook_lib.theory.implicit_bias import kernel_interpolator, path_norm, tangent_kernel

DIM, N_TEST = SETTINGS.dim, SETTINGS.n_test
EXAMPLES = (*SETTINGS.few, SETTINGS.many)
FEATURES, COSINE = SETTINGS.features, SETTINGS.cosine
SMALL, LARGE, GAMMA = SETTINGS.small, SETTINGS.large, SETTINGS.gamma
TOLERANCE = SETTINGS.tolerance
# The main teachers: units, how many of them the auxiliary teacher has too, and how many correlate with one of its own.
MAIN = {
    "overlap 0": (6, 0, 0),
    "overlap 3": (6, 3, 0),
    "overlap 6": (6, 6, 0),
    "correlated": (6, 0, 6),
    "mixed": (6, 3, 3),
    "subset 1": (1, 1, 0),
    "subset 3": (3, 3, 0),
    "new 1": (1, 0, 0),
    "new 3": (3, 0, 0),
}
TASKS = tuple(MAIN)
LATE = TASKS[:3]  # those that are also learned from the largest number of examples
NESTED = ("subset 1", "subset 3", "overlap 6", "new 1")  # tasks of Fig. 3 f and g
FACTORS = tuple(10.0 ** np.linspace(-1, 1, 9))
TEACHERS = {"sparse": 6, "dense": 64}  # units of the teachers of Fig. 1


@dataclass(frozen=True)
class Problem:
    """Data of one seed, and the sizes: units of the networks that learn them, examples of the auxiliary task."""

    aux: ReluTeacher
    main: tuple[ReluTeacher, ...]
    seed: int
    n_hidden: int
    n_aux: int

    def aux_data(self) -> tuple[Array, Array]:
        """Inputs (1, 1, n, d) and labels (1, 1, n)."""
        x = sphere_inputs(DIM, self.n_aux, [self.seed], "aux")
        return x[:, None], self.aux.labels(x)[:, None]

    def data(self, n: int, role: str = "main") -> tuple[Array, Array]:
        """Inputs (1, 1, n, d) of the main tasks, which share them, and labels (1, task, n)."""
        x = sphere_inputs(DIM, n, [self.seed], role)
        return x[:, None], np.stack([teacher.labels(x) for teacher in self.main], axis=1)

    def errors(self, outputs: Array) -> Array:
        """Squared error on test inputs relative to that of predicting zero, (task,), from outputs (task, n)."""
        _, labels = self.data(N_TEST, "test")
        return np.asarray(((outputs - labels[0]) ** 2).mean(axis=-1) / (labels[0] ** 2).mean(axis=-1))

    def network_errors(self, layers: Layers, task: int = 0) -> Array:
        """Errors of networks with one seed and a setting for each main task."""
        x, _ = self.data(N_TEST, "test")
        return self.errors(layers.outputs(x)[0, :, task])

    def kernel_outputs(self, n: int) -> Array:
        """Outputs of the tangent kernel's interpolators on test inputs, (task, n)."""
        x, y = self.data(n)
        new, _ = self.data(N_TEST, "test")
        gram, cross = tangent_kernel(x[0, 0], x[0, 0]), tangent_kernel(new[0, 0], x[0, 0])
        return np.stack([kernel_interpolator(gram, labels, cross) for labels in y[0]])

    def kernel_errors(self, n: int) -> Array:
        """Their errors, (task,)."""
        return self.errors(self.kernel_outputs(n))

    def probed_errors(self, pretrained: Layers, n: int) -> Array:
        """Errors of the readout of least norm on pretrained features; least squares where n exceeds their number."""
        x, y = self.data(n)
        new, _ = self.data(N_TEST, "test")
        features, others = (np.maximum(rows[0, 0] @ pretrained.first[0, 0].T, 0) for rows in (x, new))
        return self.errors((others @ np.linalg.lstsq(features, y[0].T, rcond=None)[0]).T)


def problem(seed: int, n_hidden: int, n_aux: int, tasks: tuple[str, ...] = TASKS) -> Problem:
    """The auxiliary teacher of a seed, and main ones by their names in MAIN."""
    pairs = [relu_teachers(DIM, FEATURES, *MAIN[name], COSINE, [seed]) for name in tasks]
    return Problem(pairs[0][0], tuple(main for _, main in pairs), seed, n_hidden, n_aux)


def alone(seed: int, n_hidden: int) -> Problem:
    """Main teachers with few and with many units, which are learned alone."""
    pairs = [relu_teachers(DIM, FEATURES, k, 0, 0, COSINE, [seed]) for k in TEACHERS.values()]
    return Problem(pairs[0][0], tuple(main for _, main in pairs), seed, n_hidden, 1)


def norms(layers: Layers) -> Array:
    """Path norm, sum of the path norms of the outputs, and half the squared weights, (setting, 3), of one seed."""
    half = layers.squared_norm[0] / 2
    return np.array([
        [path_norm(first, second.T), sum(path_norm(first, one) for one in second), half[i]]
        for i, (first, second) in enumerate(zip(layers.first[0], layers.second[0], strict=True))
    ])  # fmt: skip


def pretrain(one: Problem) -> Fits:
    """A network trained on the auxiliary task, from small weights."""
    x, y = one.aux_data()
    start = random_layers(DIM, one.n_hidden, [one.seed], SMALL)
    return gradient_flow(start, [x], [y], TOLERANCE)


def single(one: Problem, n: int, scale: float = SMALL) -> Fits:
    """Each main task alone; large weights start mirrored, so that the network computes zero."""
    start = random_layers(DIM, one.n_hidden, [one.seed], scale, mirrored=scale > SMALL)
    x, y = one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [x], [y], TOLERANCE)


def joint(one: Problem, n: int) -> Fits:
    """Each main task together with the auxiliary one, which comes first."""
    start = random_layers(DIM, one.n_hidden, [one.seed], SMALL, n_tasks=2)
    (xa, ya), (x, y) = one.aux_data(), one.data(n)
    return gradient_flow(start.of_settings(len(one.main)), [xa, x], [ya, y], TOLERANCE)


def finetune(one: Problem, pretrained: Layers, n: int, factor: float = 1.0) -> Fits:
    """Each main task after pretraining: first layer times a factor, small new readout, all weights trained."""
    readout = random_layers(DIM, one.n_hidden, [one.seed], GAMMA, role="readout").second
    start = pretrained.rescaled(factor).with_readout(readout).of_settings(len(one.main))
    x, y = one.data(n)
    return gradient_flow(start, [x], [y], TOLERANCE)


def seed_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Everything that is kept of one seed with few examples of the main task; half a minute on one core.

    "single" and "joint" hold error, path norm, sum of path norms, half the squared weights and loss on their last axis,
    "finetuned" and "rescaled" error and loss, "starts" as "single"; axes before: (task, n), (factor, task, n),
    (start, teacher, n). "pretrained": error, path norm and loss of the auxiliary task. "kernel", "probed", and
    "kernel alone": errors.
    """
    one, nested = (problem(seed, n_hidden, n_aux, names) for names in (TASKS, NESTED))
    first = pretrain(one)

    def rescaled(factor: float) -> Array:
        return _over(lambda n: _short(nested, finetune(nested, first.layers, n, factor)), SETTINGS.few)

    return {
        "pretrained": _aux_summary(one, first),
        **_compared(one, first.layers, SETTINGS.few),
        "rescaled": np.stack([rescaled(factor) for factor in FACTORS]),
        **_alone(alone(seed, n_hidden)),
    }


def late_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """The arms that are compared, on tasks of Fig. 3 b with the largest number of examples; ten seconds on one core."""
    one = problem(seed, n_hidden, n_aux, LATE)
    return _compared(one, pretrain(one).layers, (SETTINGS.many,))


def wide_cells(seed: int, n_hidden: int) -> dict[str, Any]:
    """Fig. 1 c, d: "starts" and "kernel alone" for networks of another width; half a minute on one core."""
    return _alone(alone(seed, n_hidden))


def _compared(one: Problem, pretrained: Layers, sizes: Sequence[int]) -> dict[str, Array]:
    return {
        "single": _over(lambda n: _full(one, single(one, n)), sizes),
        "joint": _over(lambda n: _full(one, joint(one, n), 1), sizes),
        "finetuned": _over(lambda n: _short(one, finetune(one, pretrained, n)), sizes),
        "kernel": _over(one.kernel_errors, sizes),
        "probed": _over(lambda n: one.probed_errors(pretrained, n), sizes),
    }


def _alone(one: Problem) -> dict[str, Array]:
    def started(scale: float) -> Array:
        return _over(lambda n: _full(one, single(one, n, scale)), EXAMPLES)

    starts = np.stack([started(scale) for scale in (SMALL, LARGE)])
    return {"starts": starts, "kernel alone": _over(one.kernel_errors, EXAMPLES)}


def _over(measure: Callable[[int], Array], sizes: Sequence[int]) -> Array:
    """Measurements (task, ...) for several numbers of examples, stacked on a second axis."""
    return np.stack([measure(n) for n in sizes], axis=1)


def _full(one: Problem, fits: Fits, task: int = 0) -> Array:
    columns = one.network_errors(fits.layers, task)[:, None], norms(fits.layers), fits.loss[0][:, None]
    return np.concatenate(columns, axis=1)


def _short(one: Problem, fits: Fits) -> Array:
    return np.stack([one.network_errors(fits.layers), fits.loss[0]], axis=1)


def _aux_summary(one: Problem, fits: Fits) -> Array:
    own = replace(one, main=(one.aux,))
    return np.array([own.network_errors(fits.layers)[0], norms(fits.layers)[0, 0], fits.loss[0, 0]])


FILE = "part6/relu_networks/relu-networks.json"
DIGITS, WIDE = SETTINGS.digits, SETTINGS.wide


@sized(
    file=FILE,
    minutes=30,
    n_seeds=SETTINGS.n_seeds,
    n_wide=SETTINGS.n_wide,
    n_hidden=SETTINGS.n_units,
    n_aux=SETTINGS.n_aux,
    cost="32 GB, 1 h on 16 cores",
)
def compute_stored(folder: Path, *, n_seeds: int, n_wide: int, n_hidden: int, n_aux: int) -> dict[str, Any]:
    """Train everything that is kept, or what a former call left undone; half an hour on one core.

    The profile "large" has the paper's numbers of hidden units and of auxiliary examples; with one task alone
    networks have it in all.
    """
    sizes = {"n_hidden": n_hidden, "n_aux": n_aux}
    settings = combinations(seed=range(n_seeds), n_hidden=[n_hidden], n_aux=[n_aux])
    alone = combinations(seed=range(n_wide), n_hidden=[WIDE])
    plan = (("few", seed_cells, settings), ("wide", wide_cells, alone), ("many", late_cells, settings))
    measured = {name: sweep_to_lists(cells, chosen, folder, DIGITS) for name, cells, chosen in plan}
    return {"sizes": sizes, "seeds": n_seeds, "tolerance": TOLERANCE, "measured": measured}


PAPER_FILE = "part6/relu_networks/relu-networks-paper.json"


def joint_cells(n: int, seed: int, n_hidden: int, n_aux: int) -> dict[str, Array]:
    """What is kept of each main task that is learned from n examples, together with the auxiliary one."""
    one = problem(seed, n_hidden, n_aux, TASKS if n in SETTINGS.few else LATE)
    return {"joint": _full(one, joint(one, n), 1)}


def tuned_cells(seed: int, n_hidden: int, n_aux: int) -> dict[str, Array]:
    """The other arms of a seed, as in `seed_cells`; those with the largest number of examples are called "late ..."."""
    one, late, nested = (problem(seed, n_hidden, n_aux, names) for names in (TASKS, LATE, NESTED))
    first = pretrain(one)
    arms: dict[str, Callable[[Problem, int], Array]] = {
        "single": lambda some, n: _full(some, single(some, n)),
        "finetuned": lambda some, n: _short(some, finetune(some, first.layers, n)),
        "kernel": lambda some, n: some.kernel_errors(n),
    }
    few = {name: _over(partial(arm, one), SETTINGS.few) for name, arm in arms.items()}
    many = {f"late {name}": _over(partial(arm, late), (SETTINGS.many,)) for name, arm in arms.items()}
    rescaled = np.stack([_rescaled(nested, first.layers, n) for n in SETTINGS.few], axis=2)
    return {"pretrained": _aux_summary(one, first), **few, **many, "rescaled": rescaled}


def _rescaled(one: Problem, pretrained: Layers, n: int) -> Array:
    """Error and loss (factor, task, 2) of finetuning after every factor, which are trained as one batch."""
    factors: Any = np.array(FACTORS)[:, None]
    copies = Layers(*(np.repeat(part, len(FACTORS), axis=0) for part in (pretrained.first, pretrained.second)))
    fits = finetune(one, copies, n, factors)
    x, _ = one.data(N_TEST, "test")
    errors = [one.errors(outputs[:, 0]) for outputs in fits.layers.outputs(x)]
    return np.stack([np.array(errors), fits.loss], axis=-1)


@sized(file=PAPER_FILE, minutes=500)
def compute_paper(folder: Path) -> dict[str, Any]:
    """Fig. 3 at the paper's numbers of hidden units and auxiliary examples; made by an H200 in seven minutes."""
    sizes, n_seeds = {"n_hidden": WIDE, "n_aux": SETTINGS.n_aux.large}, SETTINGS.n_seeds.paper
    seeds = {"seed": range(n_seeds), **{name: [size] for name, size in sizes.items()}}
    together = sweep_to_lists(joint_cells, combinations(n=SETTINGS.few, **seeds), folder, DIGITS)["joint"]
    late = sweep_to_lists(joint_cells, combinations(n=[SETTINGS.many], **seeds), folder, DIGITS)["joint"]
    arms = sweep_to_lists(tuned_cells, combinations(**seeds), folder, DIGITS)
    joint_few = np.moveaxis(np.reshape(together, (len(SETTINGS.few), n_seeds, len(TASKS), -1)), 0, 2)
    joint_many = np.reshape(late, (n_seeds, len(LATE), 1, -1))
    few = {"joint": joint_few.tolist(), **{name: arm for name, arm in arms.items() if not name.startswith("late ")}}
    many = {"joint": joint_many.tolist(), **{name[5:]: arm for name, arm in arms.items() if name.startswith("late ")}}
    return {"sizes": sizes, "seeds": n_seeds, "tolerance": TOLERANCE, "measured": {"few": few, "many": many}}


@dataclass(frozen=True)
class Kept:
    """Stored runs of "few", "many" and "wide", first axis seed."""

    n_hidden: int
    n_aux: int
    measured: dict[str, dict[str, Array]]
    examples, factors = EXAMPLES, FACTORS

    def errors(self, arm: str, task: str) -> Array:
        """Test errors (seed, n) of "single", "joint", "finetuned", "kernel" or "probed" on a main task."""
        errors = [_error(self.measured["few"][arm][:, TASKS.index(task)])]
        if task in LATE:
            errors.append(_error(self.measured["many"][arm][:, LATE.index(task)]))
        return np.concatenate(errors, axis=1)

    def rescaled(self, task: str, factor: int) -> Array:
        """Test errors (seed, n) of finetuning after the first layer was multiplied by a factor, given by its place."""
        return np.asarray(self.measured["few"]["rescaled"][:, factor, NESTED.index(task), :, 0])

    def joint_norms(self, task: str) -> tuple[Array, Array, Array]:
        """Path norm of two outputs, the sum of both outputs', and half the squared weights, (seed, n) each."""
        joint = self.measured["few"]["joint"][:, TASKS.index(task)]
        return joint[..., 1], joint[..., 2], joint[..., 3]

    def separate_norms(self, task: str) -> Array:
        """Path norm of two networks, one for each task, (seed, n)."""
        main = self.measured["few"]["single"][:, TASKS.index(task), :, 1]
        return np.asarray(main + self.measured["few"]["pretrained"][:, 1, None])

    def starts(self, teacher: str) -> dict[str, tuple[Array, Array]]:
        """Error and path norm, (seed, n), of wide networks trained alone from "small" and "large" weights."""
        wide = self.measured["wide"]["starts"][:, :, list(TEACHERS).index(teacher)]
        return {name: (wide[:, i, :, 0], wide[:, i, :, 1]) for i, name in enumerate(("small", "large"))}

    def kernel_alone(self, teacher: str) -> Array:
        """Errors of the tangent kernel's interpolator for the same data, (seed, n)."""
        return np.asarray(self.measured["wide"]["kernel alone"][:, list(TEACHERS).index(teacher)])

    def losses(self) -> Array:
        """The last losses of all networks."""
        trained = ("pretrained", "single", "joint", "finetuned", "rescaled", "starts")
        parts = [part[name][..., -1] for part in self.measured.values() for name in trained if name in part]
        return np.concatenate([part.ravel() for part in parts])


def _error(values: Array) -> Array:
    """The errors (seed, n) among what is measured of networks, (seed, n, column), or of interpolators, (seed, n)."""
    return values if values.ndim == 2 else np.asarray(values[..., 0])


def stored(file: str = FILE) -> Kept:
    """Measurements of the stored runs, of the reduced size or of ``PAPER_FILE``."""
    sizes = read(file, "sizes")
    return Kept(int(sizes["n_hidden"]), int(sizes["n_aux"]), read(file, "measured"))


def trends(errors: Iterable[Array]) -> Array:
    """Sparsity and reuse, (seed, 2), from errors (seed, n) with one, three and six reused units and with a new one.

    They are differences of logarithms, averaged over n: of six reused units and one, and of a new unit and a reused.
    """
    one, _, six, new = (np.log(values) for values in errors)
    return np.stack([(six - one).mean(axis=1), (new - one).mean(axis=1)], axis=1)


# Of two seeds rounding decides whether a step of pretraining is taken: after it an error is up to a fifth another.
ROUNDED = (0, 2)


@spot_check(FILE, 0.05, relative=True, seed=[seed for seed in range(32) if seed not in ROUNDED],
            place=range(len(SETTINGS.few)), pair=Draws(range(len(TASKS)), 2))  # fmt: skip
def recomputed(seed: int, place: int, pair: list[int]) -> tuple[Array, Array]:
    """Test errors of one seed: all main tasks alone and finetuned with a number of examples, and two tasks together
    with the auxiliary task with the least number."""
    kept = stored()
    was, n = kept.measured["few"], SETTINGS.few[place]
    one = problem(seed, kept.n_hidden, kept.n_aux)
    few = problem(seed, kept.n_hidden, kept.n_aux, tuple(TASKS[i] for i in pair))
    now = [
        one.network_errors(single(one, n).layers),
        one.network_errors(finetune(one, pretrain(one).layers, n).layers),
        few.network_errors(joint(few, SETTINGS.few[0]).layers, 1),
    ]
    then = [was["single"][seed, :, place, 0], was["finetuned"][seed, :, place, 0], was["joint"][seed, pair, 0, 0]]
    return np.concatenate(now), np.concatenate(then)


@spot_check(PAPER_FILE, 0.05, relative=True, every_part=True, seed=range(32), place=range(len(SETTINGS.few)),
            pair=Draws(range(len(TASKS)), 2))  # fmt: skip
def recomputed_paper(seed: int, place: int, pair: list[int]) -> tuple[Array, Array]:
    """Test errors of two tasks alone; the other arms take the large auxiliary task, and longer."""
    one, n = problem(seed, WIDE, 1, tuple(TASKS[i] for i in pair)), SETTINGS.few[place]
    kept = stored(PAPER_FILE).measured["few"]
    now = [one.network_errors(single(one, n).layers), one.kernel_errors(n)]
    then = [kept["single"][seed, pair, place, 0], kept["kernel"][seed, pair, place]]
    return np.concatenate(now), np.concatenate(then)


@dataclass(frozen=True)
class Course:
    """Two-task networks stopped at several losses: loss, half the squared weights, path norms, change of balance."""

    loss: Array
    half: Array
    grouped: Array
    drift: Array


def course(losses: Array, reach: float = 0.1) -> Course:
    """A network of two outputs, stopped at each of the losses; 40 examples of either task, overlap 3.

    The drift is the largest change of a unit's balance, relative to the largest squared norm of a unit.
    """
    one = problem(SETTINGS.fresh, SETTINGS.hidden, 40, ("overlap 3",))
    layers = random_layers(DIM, SETTINGS.hidden, [SETTINGS.fresh], SMALL, n_tasks=2)
    start, stops = layers.balance, []
    (xa, ya), (x, y) = one.aux_data(), one.data(40)
    for loss in losses:
        fits = gradient_flow(layers, [xa, x], [ya, y], float(loss), reach)
        layers = fits.layers
        grouped, _, half = norms(layers)[0]
        drift = np.abs(layers.balance - start).max() / (layers.second**2).sum(axis=-2).max()
        stops.append((fits.loss[0, 0], half, grouped, drift))
    return Course(*np.transpose(stops))


@sized(n_seeds=SETTINGS.n_kernels, cost="1 GB, 1 min on one core")
def random_kernels(angles: Array, width: int = 2000, *, n_seeds: int) -> Array:
    """Tangent kernels (seed, angle) of random networks for pairs of unit inputs at given angles."""
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    first = normal((width, 2), range(n_seeds), "random kernels: first")
    second = normal((width,), range(n_seeds), "random kernels: second")
    here, there = np.maximum(first[..., :1], 0), np.maximum(first @ x.T, 0)  # the first input is the unit vector e_1
    slopes = np.cos(angles) * second[..., None] ** 2 * (here > 0) * (there > 0)
    return np.asarray((here * there + slopes).mean(axis=1))


@sized(n_seeds=SETTINGS.n_lazy, cost="2 GB, 5 min on one core")
def lazy_distance(widths: tuple[int, ...], n_examples: int = 16, *, n_seeds: int) -> Array:
    """Distance (seed, width) of networks with large mirrored weights to the tangent kernel's interpolator.

    It is relative to the interpolator's size on test inputs; six features.
    """
    distances = np.empty((n_seeds, len(widths)))
    for i in range(n_seeds):
        for j, width in enumerate(widths):
            one = problem(SETTINGS.fresh + i, width, 1, ("overlap 0",))
            x, _ = one.data(N_TEST, "test")
            outputs = single(one, n_examples, LARGE).layers.outputs(x)[0, 0, 0]
            wanted = one.kernel_outputs(n_examples)[0]
            distances[i, j] = np.linalg.norm(outputs - wanted) / np.linalg.norm(wanted)
    return distances
