"""Two tables that a reader picks: the page says what Python says, to 1e-6, and refuses what Python refuses."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import NARROW, WIDE, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from site_checks import ALLOWED

from mtlbook_lib._checks import varies
from mtlbook_lib.command_line.reading import TableError
from mtlbook_lib.command_line.tables import Asked, other_columns, read_table
from mtlbook_lib.forecast import Recommendation, recommend

PAGE = "book/reference/tables-to-predictions.html"
EXAMPLES = Path(__file__).parents[2] / "examples"
TOLERANCE = 1e-6
PATIENCE = 60
KEYS = ("gain", "error", "chance", "alone", "together", "nats", "worth")
Rows = list[list[Any]]
Pair = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

# All numbers of the model, of files as the page reads them.
NUMBERS = """
const [texts, label] = arguments;
const root = document.querySelector(".mtl-two-tables");
const constants = JSON.parse(root.dataset.constants);
const files = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, { name: `${key}.csv`, text }]));
const { tasks, fresh } = mtl.read(files, { a: label, b: label }, constants);
const { predict, ...found } = mtl.joint(constants, mtl.algebra())(...tasks);
const said = Object.entries(predict(fresh)).map(([name, values]) => [name, Array.from(values)]);
return { ...found, ...Object.fromEntries(said) };
"""


def drawn(seed: int, sizes: tuple[int, int], d: int, relation: float, noise: float, kind: str) -> Pair:
    """Two tasks whose linear parts have this correlation; of `kind` "01" and "names" the labels are two classes,
    of "names of A" those of A alone; "steps" are of a function that jumps where a column changes its sign."""
    rng = np.random.default_rng(seed)
    tables = [rng.standard_normal((n, d)) * rng.uniform(0.5, 20, d) for n in sizes]
    w = rng.standard_normal(d)
    models = w, relation * w + np.sqrt(1 - relation**2) * rng.standard_normal(d)
    labels = []
    for x, model in zip(tables, models, strict=True):
        along = (np.sign(x) if kind == "steps" else x / x.std(axis=0)) @ model
        y = along + np.sin(2 * along) + noise * rng.standard_normal(len(x))
        named = kind in ("01", "names", f"names of {'AB'[len(labels)]}")
        labels.append(np.where(y > np.median(y), 1, 0) if named else y)
    if kind == "numbers":
        labels[1] = 40 * labels[1] - 7
    if kind != "01":
        labels = [np.array(["no", "yes"])[y] if y.dtype.kind == "i" else y for y in labels]
    return tables[0], labels[0], tables[1], labels[1]


PAIRS = [
    ((40, 100), 5, 0.9, 1.0, "numbers"),
    ((14, 30), 3, 0.0, 0.5, "numbers"),
    ((10, 20), 2, 0.5, 1.0, "numbers"),
    ((60, 60), 12, -0.9, 0.3, "numbers"),
    ((80, 40), 30, 1.0, 2.0, "units"),
    ((50, 90), 8, 0.7, 1.0, "01"),
    ((30, 90), 6, 0.95, 1.0, "names"),
    ((20, 40), 45, 0.9, 1.0, "numbers"),
    ((90, 120), 4, 1.0, 3.0, "units"),
    ((90, 30), 7, 0.2, 0.1, "names"),
    ((40, 90), 4, 0.9, 1.0, "names of A"),
    ((40, 90), 4, 0.9, 1.0, "names of B"),
    ((50, 120), 5, 0.9, 0.3, "steps"),
]


def written(rows: Rows) -> str:
    return "\n".join(",".join(str(value) for value in row) for row in rows) + "\n"


def as_csv(x: np.ndarray, y: np.ndarray | None, order: list[int]) -> str:
    """A table whose columns stand in this order, the label in front."""
    names = [*([] if y is None else ["label"]), *(f"x{j}" for j in order)]
    labels = [[]] * len(x) if y is None else [[label] for label in y.tolist()]
    return written([names, *(label + row for label, row in zip(labels, x[:, order].tolist(), strict=True))])


@pytest.fixture(scope="module")
def pickers(browser: Browser, server: str) -> Browser:
    browser.open(f"{server}/{PAGE}", unfold=False)
    return browser


def files_of(pair: Pair, seed: int) -> tuple[dict[str, str], np.ndarray]:
    """Both tables, in different orders of columns, and new rows."""
    x_a, y_a, x_b, y_b = pair
    order = list(range(x_a.shape[1]))
    new = np.random.default_rng(100 + seed).standard_normal((6, len(order))) * x_a.std(axis=0)
    texts = {"a": as_csv(x_a, y_a, order), "b": as_csv(x_b, y_b, order[::-1]), "fresh": as_csv(new, None, order[::-1])}
    return texts, new


def expected(found: Recommendation, new: np.ndarray) -> dict[str, Any]:
    told = found.to_dict()
    baselines = [list(one.values()) for one in told["baselines"].values()]
    wanted = {key: told[key] for key in KEYS}
    wanted |= {"mean": told["relation"]["mean"], "baselines": baselines, "losses": found.losses[1:]}
    if hasattr(found.model, "predict_proba"):
        return {**wanted, "chances": found.model.predict_proba(new)[:, 1]}
    means, deviations = found.model.predict(new, return_std=True)
    return {**wanted, "means": means, "deviations": deviations}


def ask(pickers: Browser, paths: dict[str, Path]) -> None:
    """Pick files and ask."""
    for key, path in paths.items():
        pickers.driver.find_element(By.ID, f"mtl-tables-{key}").send_keys(str(path))
        WebDriverWait(pickers.driver, PATIENCE).until(lambda driver, key=key, path=path: note(driver, key) == path.name)
    for key in ("a", "b"):
        select = pickers.driver.find_element(By.ID, f"mtl-tables-label-{key}")
        pickers.driver.execute_script("arguments[0].value = 'label'", select)
    pickers.driver.find_element(By.CSS_SELECTOR, ".mtl-two-tables [type=submit]").click()


def note(driver: Any, key: str) -> str:
    return str(driver.find_element(By.ID, f"mtl-tables-{key}-note").text)


def lines(pickers: Browser) -> list[str]:
    """What the page says when it has computed."""
    ready = "return document.querySelector('.mtl-two-tables').dataset.ready === 'yes'"
    WebDriverWait(pickers.driver, PATIENCE).until(lambda driver: driver.execute_script(ready))
    said = pickers.driver.find_elements(By.CSS_SELECTOR, ".mtl-verdict-said, .mtl-line")
    return [line.text for line in said]


@pytest.mark.parametrize("place", range(len(PAIRS)))
def test_page_says_what_python_says(pickers: Browser, tmp_path: Path, place: int) -> None:
    pandas = pytest.importorskip("pandas")
    x_a, y_a, x_b, y_b = pair = drawn(place, *PAIRS[place])
    texts, new = files_of(pair, place)
    frames = [pandas.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])]) for x in (x_a, x_b)]
    found = recommend(frames[0], y_a, frames[1], y_b)
    answer = pickers.driver.execute_script(NUMBERS, texts, "label")
    shown = {**answer, "mean": answer["relation"]["mean"]}
    for name, values in expected(found, new).items():
        gap = np.abs(np.subtract(shown[name], values)) / np.maximum(1, np.abs(values))
        assert gap.max() <= TOLERANCE, name
    paths = {key: tmp_path / f"{key}.csv" for key in ("a", "b")}
    for key, path in paths.items():
        path.write_text(texts[key], encoding="utf8")
    ask(pickers, paths)
    assert lines(pickers) == [" ".join(line.split()) for line in str(found).replace("\n  ", " ").split("\n")]


@pytest.mark.parametrize("values", [[1e12, 1e12 + 1], [1e9, 1e9 + 1e-6], [0.3, 0.1 + 0.2], [-0.1] * 9, [0.0, 0.0]])
def test_what_varies_is_what_varies_in_python(pickers: Browser, values: list[float]) -> None:
    said = pickers.driver.execute_script("return mtl.algebra().varies(arguments[0])", values)
    assert said == varies(np.array(values))


def test_example_answers_with_files_of_the_repository(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}", unfold=False)
    tables = []
    for name in ("target.csv", "partners/other-sex.csv"):
        with (EXAMPLES / name).open(encoding="utf8", newline="") as file:
            rows = np.array([list(map(float, row)) for row in list(csv.reader(file))[1:]])
        tables += [rows[:, :-1], rows[:, -1]]
    found = recommend(*tables)
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-two-tables [type=button]").click()
    said = lines(browser)
    assert " ".join(said) == " ".join(str(found).split())
    link = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-found a[download]")
    text = browser.driver.execute_async_script(
        "const [link, done] = arguments; fetch(link.href).then((found) => found.text()).then(done)", link
    )
    with (EXAMPLES / "new.csv").open(encoding="utf8", newline="") as file:
        new = np.array([list(map(float, row)) for row in list(csv.reader(file))[1:]])
    head, *rows = csv.reader(text.splitlines())
    assert head == ["progression", "progression_std"]
    np.testing.assert_allclose(np.array(rows, dtype=float).T, found.model.predict(new, return_std=True), rtol=1e-5)
    assert browser.errors() == []
    assert [one for one in browser.requests() if not one.startswith((server, "blob:", "data:"))] == []


def test_answer_fits_a_phone_and_is_accessible(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{PAGE}", unfold=False)
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-two-tables [type=button]").click()
    lines(browser)
    outside = """return [...document.querySelectorAll(".mtl-two-tables, .mtl-two-tables *")]
      .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)
      .map((e) => e.outerHTML.slice(0, 99))"""
    small = """return [...document.querySelectorAll(".mtl-two-tables :is(button, select, input)")]
      .filter((e) => e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)"""
    for size, theme in ((WIDE, "light"), (NARROW, "dark")):
        browser.resize(size)
        browser.ask("theme", theme)
        assert browser.driver.execute_script(outside) == []
        assert browser.driver.execute_script(small) == []
        assert browser.violations(ALLOWED) == []


def test_works_from_disk(browser: Browser, site: Path) -> None:
    browser.open((site / PAGE).as_uri(), unfold=False)
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-two-tables [type=button]").click()
    assert lines(browser)[0].startswith("B helps with probability 0.94: ")
    assert browser.errors() == []


def changed(change: Callable[[Rows], None]) -> str:
    """A good table of six rows, after a change."""
    rows: Rows = [["x", "z", "label"], *([i, (7 * i) % 5, i * i % 7] for i in range(6))]
    change(rows)
    return written(rows)


def put(row: int, column: int, value: Any) -> Callable[[Rows], None]:
    return lambda rows: rows[row].__setitem__(column, value)


def fill(column: int, values: list[Any]) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        for row, value in zip(rows[1:], values, strict=True):
            row[column] = value

    return change


GOOD = written([["z", "x", "label"], *([(3 * i) % 5, 0.5 + i, i % 4] for i in range(6))])
# What is wrong with the target's file, and the option that the page names.
WRONG = {
    "more fields": (changed(lambda rows: rows[2].append(1)), ""),
    "fewer fields": (changed(lambda rows: rows[3].pop()), ""),
    "open quotation mark": (changed(put(3, 0, '"4')), ""),
    "blank row": (changed(lambda rows: rows[2].__setitem__(slice(None), [" "])), ""),
    "other separator": (changed(lambda rows: None).replace(",", ";"), "--separator ';'"),
    "decimal comma": (changed(fill(0, [f'"{i},5"' for i in range(6)])), "--decimal ','"),
    "thousands": (changed(fill(0, [f'"{i + 1},234"' for i in range(6)])), "--thousands ','"),
    "thousands and decimals": (changed(fill(0, [f'"{i}.234,5"' for i in range(6)])), "--decimal ',' --thousands '.'"),
    "spaces in threes": (changed(fill(0, [f"{i + 1} 234" for i in range(6)])), "--thousands ' '"),
    "thin spaces in threes": (changed(fill(0, [f"{i + 1}\u202f234" for i in range(6)])), "--thousands ' '"),
    "percent": (changed(fill(0, [f"{i + 1} %" for i in range(6)])), ""),
    "missing label": (changed(put(5, 2, "NA")), ""),
    "classes": (changed(fill(2, list("abcabc"))), "--positive"),
    "one class": (changed(fill(2, ["a"] * 6)), ""),
    "constant": (changed(fill(2, [3] * 6)), ""),
    "too large": (changed(put(1, 0, "1e60")), ""),
    "same name": (changed(put(0, 1, "x")), ""),
    "no label": (changed(put(0, 2, "y")), ""),
    "few rows": (written([["x", "z", "label"], [1, 2, 3], [3, 4, 5]]), ""),
    "other name": (changed(put(0, 1, "Z")), ""),
}
# From where on Python's message says what to do.
REMEDIES = (
    " Pass --",
    ": pass --",
    " Digits in threes",
    " Take '",
    " Or leave out",
    " Make them numbers",
    " It has",
    " Correct",
)


@pytest.mark.parametrize("case", WRONG)
def test_refuses_what_the_command_refuses_in_its_words(
    pickers: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    pytest.importorskip("pandas")
    text, option = WRONG[case]
    monkeypatch.chdir(tmp_path)
    for name, content in (("a.csv", text), ("b.csv", GOOD)):
        Path(name).write_text(content, encoding="utf8")
    with pytest.raises(TableError) as refused:
        other_columns(*(read_table(Path(name), Asked("label")) for name in ("a.csv", "b.csv")))
    wanted = str(refused.value)
    for remedy in REMEDIES:
        wanted = wanted.partition(remedy)[0]
    said = refused_by_page(pickers, {"a": text, "b": GOOD})
    assert said.startswith(wanted.rstrip("."))
    assert option in said


@pytest.mark.parametrize("value", ["", "blue"])
def test_what_the_command_encodes_is_left_to_it(pickers: Browser, value: str) -> None:
    said = refused_by_page(pickers, {"a": changed(put(4, 0, value)), "b": GOOD})
    assert "row 4" in said
    assert "The command makes numbers of texts, and fills in what is missing." in said


def test_numbers_of_identity_are_no_inputs_and_are_named(pickers: Browser) -> None:
    script = """const [a, b] = arguments;
      const constants = JSON.parse(document.querySelector(".mtl-two-tables").dataset.constants);
      const files = { a: { name: "a.csv", text: a }, b: { name: "b.csv", text: b } };
      const read = mtl.read(files, { a: "label", b: "label" }, constants);
      return [read.tasks.map(({ rows }) => rows.cols), read.left];"""
    rows = [[[7 * i + k, i % 4 + 0.5 * k, i % 3 + k * i] for i in range(6)] for k in (0, 1)]
    texts = [written([["id", "x", "label"], *of]) for of in rows]
    cols, left = pickers.driver.execute_script(script, *texts)
    assert (cols, left) == ([1, 1], " Left out: 'id', another number in each row.")


def test_digits_follow_the_standard_deviation(pickers: Browser) -> None:
    from mtlbook_lib.command_line.predict import _digits

    pairs = [(5412345.678912, 3.00123), (-0.25, 1e-7), (1764412345.5, 86400.0), (1.5, 20.0), (0.0, 1.0), (2.0, 0.0)]
    said = pickers.driver.execute_script("return arguments[0].map(([value, std]) => mtl.digits(value, std))", pairs)
    assert [float(text) for text in said] == [float(_digits(*pair)) for pair in pairs]
    assert _digits(*pairs[0]) == "5412345.67891"


def refused_by_page(pickers: Browser, texts: dict[str, str]) -> str:
    """What the page says of two files, whatever columns it could offer."""
    script = """const [a, b] = arguments;
      const files = { a: { name: "a.csv", text: a }, b: { name: "b.csv", text: b } };
      const constants = JSON.parse(document.querySelector(".mtl-two-tables").dataset.constants);
      try { return mtl.read(files, { a: "label", b: "label" }, constants); }
      catch (error) { if (error instanceof mtl.TableError) return error.message; throw error; }"""
    said = pickers.driver.execute_script(script, texts["a"], texts["b"])
    assert isinstance(said, str), "it was not refused"
    return said


def test_refuses_inputs_that_are_constant(pickers: Browser) -> None:
    constant = written([["x", "z", "label"], *([0.1, 2, i] for i in range(6))])
    assert refused_by_page(pickers, {"a": GOOD, "b": constant}).startswith("b.csv has no column that varies")


def test_what_is_wrong_is_shown(pickers: Browser, tmp_path: Path) -> None:
    for key, text in (("a", WRONG["more fields"][0]), ("b", GOOD)):
        (tmp_path / f"{key}.csv").write_text(text, encoding="utf8")
    ask(pickers, {key: tmp_path / f"{key}.csv" for key in ("a", "b")})
    status = pickers.driver.find_element(By.CSS_SELECTOR, ".mtl-status")
    assert "a.csv cannot be read: row 2 has 4 fields, the header 3" in status.text
    assert status.get_attribute("role") == "status"
    assert pickers.driver.find_elements(By.CSS_SELECTOR, ".mtl-line") == []


def test_refuses_repeated_rows_and_too_many(pickers: Browser) -> None:
    said = refused_by_page(pickers, {"a": GOOD, "b": GOOD})
    assert said.startswith("the inputs of 6 rows of b.csv stand in a.csv too, such as row 1 of b.csv, row 1 of a.csv")
    assert "--same-rows" in said
    many = written([["x", "z", "label"], *([i, i % 7, i % 4] for i in range(501))])
    assert "has 501 rows; this page computes with at most 500" in refused_by_page(pickers, {"a": many, "b": GOOD})


def test_without_scripts_the_page_says_where_to_look(browser: Browser, site: Path) -> None:
    with browser.without_scripts():
        browser.driver.get((site / PAGE).as_uri())
        text = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-two-tables").text
    assert "scripts, which are switched off" in text
