"""What files may look like, and how what is wrong in them is named: by file, column and row, with the remedy."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest

pandas = pytest.importorskip("pandas")

from user_tables import COLUMNS, FORECAST, numbers, refusal, run, table  # noqa: E402


def test_endings_separators_and_decimal_commas_are_read(folder, capsys):
    wanted = numbers(capsys, *FORECAST)
    a, b = (pandas.read_csv(folder / name) for name in ("a.csv", "b.csv"))
    a.to_csv("a.tsv", index=False, sep="\t")
    b.to_csv("b.csv.gz", index=False)
    assert numbers(capsys, "forecast", "a.tsv", "b.csv.gz", "--target", "quality") == wanted
    for frame, name in ((a, "a2.csv"), (b, "b2.csv")):
        frame.to_csv(name, index=False, sep=";", decimal=",")
    european = ("forecast", "a2.csv", "b2.csv", "--target", "quality")
    assert numbers(capsys, *european, "--separator", ";", "--decimal", ",") == wanted
    # Without the options, the message names each in turn.
    assert "--separator ';'" in refusal(capsys, *european)
    assert "--decimal ','" in refusal(capsys, *european, "--separator", ";")


@pytest.mark.parametrize(
    ("text", "hint"),
    [("height;quality\n1;2\n1,5;2,5\n", True), ("height,quality\n1,2\n1,2,3\n", False), ("height\n1\n1,2\n", False)],
)
def test_a_line_of_other_length_hints_at_another_separator_where_the_header_has_it(folder, capsys, text, hint):
    (folder / "ragged.csv").write_text(text)
    error = run(capsys, "forecast", "a.csv", "ragged.csv", "--target", "quality")[2]
    assert "ragged.csv cannot be read" in error
    assert ("separated by ';': pass --separator-b ';'" in error) is ("separator" in error) is hint


def test_a_file_that_is_no_gzip_is_named(folder, capsys):
    (folder / "bad.csv.gz").write_bytes(gzip.compress(b"height,quality\n1,2\n")[:-9])
    assert "bad.csv.gz cannot be read" in refusal(capsys, "forecast", "a.csv", "bad.csv.gz", "--target", "quality")
    with gzip.open("half.csv.gz", "wt") as lines:
        lines.write("height,height,quality\n1,2,3\n")
    assert "two columns have the name 'height'" in run(capsys, "forecast", "half.csv.gz", "b.csv", "--target", "q")[2]


@pytest.mark.parametrize(
    ("column", "row", "value", "message"),
    [
        ("width", 6, 1e200, "bad.csv, column 'width': row 6 is too large to compute with (1e+200)"),
        ("quality", 3, 1e300, "bad.csv, column 'quality': row 3 is too large to compute with (1e+300)"),
        ("width", 1, np.inf, "bad.csv, column 'width': row 1 is not finite"),
        ("quality", 5, -np.inf, "bad.csv, column 'quality': row 5 is not finite"),
        ("quality", 2, None, "bad.csv, column 'quality': missing 1 of 40 values, the first in row 2"),
    ],
)
def test_a_value_is_named_by_file_column_and_row(folder, capsys, column, row, value, message):
    frame = table(folder / "bad.csv", 4).astype(object)
    frame.loc[row - 1, column] = value
    frame.to_csv("bad.csv", index=False)
    error = refusal(capsys, "forecast", "a.csv", "bad.csv", "--target", "quality")
    assert message in error
    assert "y_b" not in error
    assert "--drop quality" not in error


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([f"{0.1 * i:.2f} kg" for i in range(40)], "40 different texts, the first '0.00 kg' in row 1, are neither"),
        (["red", "green", "blue", "red"] * 10, "3 different texts, the first 'red' in row 1, are neither numbers nor"),
        (["red"] * 40, "all labels are 'red'; a target must vary"),
        ([1.5] * 40, "all labels are 1.5; a target must vary"),
    ],
)
def test_a_target_that_is_none_is_an_error(folder, capsys, labels, message):
    table(folder / "bad.csv", 4).assign(quality=labels).to_csv("bad.csv", index=False)
    error = refusal(capsys, "forecast", "bad.csv", "b.csv", "--target", "quality")
    assert f"bad.csv, column 'quality': {message}" in error


def test_one_class_against_the_rest(folder, capsys):
    frame = pandas.read_csv("a.csv")
    level = np.digitize(frame["quality"], [-0.5, 1.0])
    frame.assign(quality=np.array(["low", "middle", "high"])[level]).to_csv("a.csv", index=False)
    code, told, _ = run(capsys, *FORECAST, "--positive", "high", "--positive-b", "high", "--json")
    assert code == 2, told  # B has numbers, and no row is 'high' there
    other = pandas.read_csv("b.csv")
    other.assign(quality=np.where(other["quality"] > 1.0, "high", "low")).to_csv("b.csv", index=False)
    found = numbers(capsys, *FORECAST, "--positive", "high")
    frame.assign(quality=(level == 2).astype(int)).to_csv("a.csv", index=False)
    other.assign(quality=(other["quality"] > 1.0).astype(int)).to_csv("b.csv", index=False)
    assert numbers(capsys, *FORECAST) == found


def test_rows_that_stand_in_both_tables_are_an_error_with_the_remedy(folder, capsys):
    error = refusal(capsys, "forecast", "a.csv", "a.csv", "--target", "quality")
    rows = "the inputs of 40 rows of a.csv stand in a.csv too, such as row 1"
    assert all(words in error for words in (rows, "--same-rows", "--repeats drop", "--repeats keep"))
    assert run(capsys, "forecast", "a.csv", "a.csv", "--target", "quality", "--repeats", "keep")[0] == 0


def test_few_repeated_rows_may_be_left_out(folder, capsys):
    a, b = pandas.read_csv("a.csv"), pandas.read_csv("b.csv")
    more = pandas.concat([b, a.iloc[[4, 7]], b.iloc[[2]]])
    more.to_csv("more.csv", index=False)
    command = ("forecast", "a.csv", "more.csv", "--target", "quality")
    error = refusal(capsys, *command)
    assert "the inputs of 2 rows of more.csv stand in a.csv too, such as row 121 of more.csv, row 5 of a.csv" in error
    assert "1 row of more.csv stood there before, label and all, such as 3 and 123" in error
    code, told, _ = run(capsys, *command, "--repeats", "drop")
    assert code == 0
    assert "Left out:" in told
    dropped = json.loads(run(capsys, *command, "--repeats", "drop", "--json")[1])
    assert dropped["rows"] == [40, 120]
    assert dropped["gain"] == pytest.approx(json.loads(run(capsys, *FORECAST, "--json")[1])["gain"], abs=1e-2)


def test_columns_that_hang_together_are_no_obstacle(folder, capsys):
    for name, site in (("a.csv", 1), ("b.csv", 2)):
        frame = pandas.read_csv(name)
        kind = np.arange(len(frame)) % 3
        dummies = {f"kind {k}": (kind == k).astype(int) for k in range(3)}
        frame.assign(again=frame["width"] * 2 + 1, site=site, same=7, **dummies).to_csv(name, index=False)
    code, told, _ = run(capsys, *FORECAST)
    told = " ".join(told.split())
    assert code == 0
    assert " Likely helps. Share: " in told


def test_a_sample_is_said(folder, capsys):
    code, told, _ = run(capsys, *FORECAST, "--sample", "30")
    assert code == 0
    assert "Used at random: 30 of the 40 rows of a.csv, 30 of the 120 rows of b.csv." in told
    found = json.loads(run(capsys, *FORECAST, "--sample", "30", "--json")[1])
    assert (found["rows"], found["rows_of_files"]) == ([30, 30], [40, 120])
    assert COLUMNS[0] not in found


def test_what_a_file_holds_decides_and_not_its_name(folder, capsys):
    pytest.importorskip("pyarrow")
    wanted, text = numbers(capsys, *FORECAST), (folder / "b.csv").read_text(encoding="utf8")
    frame = pandas.read_csv("b.csv")
    frame.set_index("quality").to_parquet("indexed.parquet")
    frame.to_parquet("b2.csv")
    (folder / "packed.csv").write_bytes(gzip.compress(text.encode()))
    (folder / "sep.csv").write_text("sep=;\n" + text.replace(",", ";"), encoding="utf8")
    (folder / "said.csv").write_text(f"# of 2024, by hand\n# in cm\n{text}", encoding="utf8")
    (folder / "named.csv").write_text(f"# of 2024\n#{text}", encoding="utf8")
    pandas.read_csv("a.csv").rename(columns={"height": "#height"}).to_csv("a2.csv", index=False)
    for name in ("indexed.parquet", "b2.csv", "packed.csv", "sep.csv", "said.csv"):
        assert numbers(capsys, "forecast", "a.csv", name, "--target", "quality") == wanted, name
    told = run(capsys, *FORECAST[:2], "said.csv", *FORECAST[3:])[1]
    assert "Left out of said.csv: 2 lines that begin with #." in told
    assert numbers(capsys, "forecast", "a2.csv", "named.csv", "--target", "quality") == wanted
    for start in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        (folder / "b.csv").write_bytes(start + bytes(range(256)))
        error = refusal(capsys, *FORECAST)
        assert "an Excel workbook, or another archive. Save its sheet as CSV" in error
        assert "iconv" not in error
    (folder / "b.csv").write_bytes(b"\x89PNG\xff\x00\x00")
    assert "b.csv cannot be read: it is no text" in refusal(capsys, *FORECAST)


def test_an_option_that_a_message_shows_works_in_a_shell(folder):
    """Quotes, variables, a backslash, a dash in front, and a space, in the names of columns."""
    for file, n in (("a.csv", 40), ("b.csv", 120)):
        odd = dict.fromkeys(["it's $HOME", "a\\b", "-log10p", "two words"], np.resize(["1 %", "2 %", "3 %"], n))
        pandas.read_csv(file).assign(**odd).to_csv(file, index=False)
    command = f"{sys.executable} -m mtlbook_lib {' '.join(FORECAST)}"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    option = done.stderr.partition("Or leave out: ")[2].strip()
    done = subprocess.run(f"{command} {option}", shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
