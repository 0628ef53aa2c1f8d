"""What is made of texts, dates and gaps: nothing is lost without a word, whatever stands in a few cells."""

import numpy as np
import pytest

pandas = pytest.importorskip("pandas")

from user_tables import FORECAST, refusal, run  # noqa: E402

from mtlbook_lib.command_line.encoding import encoded  # noqa: E402
from mtlbook_lib.command_line.reading import Format  # noqa: E402
from mtlbook_lib.command_line.tables import Asked, read_table  # noqa: E402


def put(name, **columns):
    """Columns of a file, each changed by a function of its frame, or new."""
    pandas.read_csv(name).assign(**columns).to_csv(name, index=False)


def made(name, *partners):
    """Inputs of a file as they are encoded, and what is said of it."""
    tables, notes = encoded([read_table(folder_file, Asked("quality")) for folder_file in (name, *partners)])
    return tables[0].inputs, " ".join(notes)


def test_a_few_cells_that_are_no_numbers_are_missing_and_named(folder):
    before = pandas.read_csv("a.csv")["width"]
    put("a.csv", width=lambda f: f["width"].astype(object).where(~f.index.isin([3, 8]), "?"))
    inputs, told = made(folder / "a.csv")
    kept = ~before.index.isin([3, 8])
    np.testing.assert_array_equal(inputs["width"][kept], before[kept])
    assert inputs["'width' (missing)"].sum() == 2
    assert "no number, so missing: '?' in row 4 of" in told
    assert "'?' in row 9 of" in told


def test_a_decimal_comma_is_read_beside_cells_that_are_none(folder):
    before = pandas.read_csv("a.csv")
    cells = before["width"].map(lambda value: f"{value}".replace(".", ",")).where(before.index != 3, "?")
    before.assign(width=cells).to_csv("c.csv", index=False, sep=";", decimal=",")
    (table,), _ = encoded([read_table(folder / "c.csv", Asked("quality", shape=Format(";", ",")))])
    np.testing.assert_allclose(table.inputs["width"].drop(3), before["width"].drop(3))


def test_limits_are_numbers_and_dates_days(folder):
    put("a.csv", width=lambda f: f["width"].astype(object).where(f.index != 5, "<0.25"),
        seen=lambda f: pandas.date_range("1970-01-11", periods=len(f)).astype(str))  # fmt: skip
    inputs, told = made(folder / "a.csv")
    assert inputs["width"][5] == 0.25
    np.testing.assert_array_equal(inputs["seen"], np.arange(40) + 10)
    assert "1 limits such as <1: the number itself; 'seen', dates: days" in told


def test_names_are_unique_whatever_they_hold(folder):
    put("a.csv", **{"s": np.resize(["m = high", "x"], 40), "s = m": np.resize(["high", "y", "z"], 40),
                    "'s' = 'x'": range(40)})  # fmt: skip
    inputs, _ = made(folder / "a.csv")
    assert inputs.shape[1] == 3 + 2 + 3 + 1


def test_equal_numbers_are_one_level_in_a_long_file(folder):
    """In parts, pandas would make 2 of the first ones and '2' of the last."""
    n = 300_000
    sites = ("2" if k < n / 2 else "2.0" if k % 3 else "p" for k in range(n))
    text = "quality,x,site\n" + "".join(f"{k % 7},{k % 11},{site}\n" for k, site in enumerate(sites))
    (folder / "long.csv").write_text(text, encoding="utf8")
    inputs, _ = made(folder / "long.csv")
    assert list(inputs.columns) == ["x", "'site' = '2'", "'site' = 'p'"]


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("who", [f"name {k}" for k in range(40)], "'who', 40 texts in 40 rows: left out"),
        ("when", [f"{1 + k % 31}.{1 + k % 12}.2024" for k in range(40)], "where dates are read as in 2024-01-31"),
        ("kind", ["me"] * 40, "'kind', 1 texts in 40 rows: left out"),
        ("patient_id", [7 * k for k in range(40)][::-1], "'patient_id', another one in each row: left out"),
        ("none", [None] * 40, "'none', no values: left out"),
    ],
)
def test_what_says_nothing_is_left_out_and_said(folder, column, values, said):
    put("a.csv", **{column: values})
    inputs, told = made(folder / "a.csv")
    assert list(inputs.columns) == ["height", "width", "depth"]
    assert said in told


def test_a_partner_may_lack_columns(folder, capsys):
    put("b.csv", depth=lambda f: pandas.read_csv("a.csv")["depth"].mean())
    wanted = run(capsys, *FORECAST)[1]
    pandas.read_csv("b.csv").drop(columns="depth").to_csv("b.csv", index=False)
    assert run(capsys, *FORECAST)[1] == f"{wanted}b.csv has no 'depth': its rows count as average there.\n"


def test_levels_that_no_partner_has_are_named(folder, capsys):
    put("a.csv", sex=np.resize(["m", "f"], 40))
    put("b.csv", sex=np.resize(["male", "female"], 120))
    assert "of which no partner has one of the target's" in " ".join(run(capsys, *FORECAST)[1].split())


def test_a_row_of_units_is_named(folder, capsys):
    first, *rest = (folder / "a.csv").read_text(encoding="utf8").splitlines()
    (folder / "a.csv").write_text("\n".join([first, "cm,cm,m,points", *rest]), encoding="utf8")
    assert "a.csv: row 1 seems to have units ('cm', 'cm', 'm', 'points'). Take it out." in refusal(capsys, *FORECAST)
