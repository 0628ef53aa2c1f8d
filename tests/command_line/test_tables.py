"""Tables that would give another answer without a word, or a remedy that cannot be followed: each is named, once."""

import gzip
import json
import shutil
import subprocess
import unicodedata
from pathlib import Path

import numpy as np
import pytest

pandas = pytest.importorskip("pandas")

from user_tables import FORECAST, numbers, refusal, run, table  # noqa: E402


def lines_of(name, change):
    """A file's lines below the header, each changed."""
    first, *rest = Path(name).read_text(encoding="utf8").splitlines()
    return "\n".join([first, *(change(place, line) for place, line in enumerate(rest, 1))]) + "\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _, line: line + ",7", "row 1 has 5 fields, the header 4: "),
        (lambda place, line: line + ",7" if place == 9 else line, "row 9 has 5 fields, the header 4: "),
        (lambda _, line: line + ",", "row 1 has 5 fields, the header 4: "),
        (lambda _, line: line + ",", "It ends in a separator; take it away."),
        (lambda _, line: line.replace(".", ","), "row 1 has 8 fields, the header 4: "),
        (lambda _, line: line.replace(".", ","), "A number or a text with a comma in it needs quotes around it."),
        (lambda place, line: line.rpartition(",")[0] if place == 7 else line, "row 7 has 3 fields, the header 4: "),
        (lambda place, line: "1,2" if place == 7 else line, "Write an empty field for each value that is missing."),
        (lambda place, line: "   " if place == 7 else line, "It is blank; take it away."),
        (lambda place, line: f'"{line}' if place == 7 else line, "a quotation mark opens there and is not closed."),
        (lambda place, line: f"{place},{line}", "If its first field is the name of the row, the header must have one"),
    ],
)
def test_a_row_of_another_length_is_refused_with_both_counts(folder, capsys, change, message):
    (folder / "a.csv").write_text(lines_of("a.csv", change), encoding="utf8")
    error = refusal(capsys, *FORECAST)
    assert message in error


def spaced(text):
    """Spaces around the names of the header."""
    first, rest = text.split("\n", 1)
    return first.replace(",", ", ") + " \n" + rest


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", ",\n"), spaced])
def test_separators_at_the_end_of_all_lines_are_no_column_and_spaces_around_names_none_of_theirs(
    folder, capsys, change
):
    wanted = numbers(capsys, *FORECAST)
    (folder / "a.csv").write_text(change((folder / "a.csv").read_text(encoding="utf8")), encoding="utf8")
    assert numbers(capsys, *FORECAST) == wanted


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        (["1,308", "2,041"], "Digits in threes are thousands: pass --thousands ',', or --decimal ',' if it is the"),
        (["1,308", "17", "2,041.5"], "Digits in threes are thousands: pass --thousands ','"),
        (["1,308,000", "2,041,111"], "Digits in threes are thousands: pass --thousands ','"),
        (["1,308", "2,04"], "is no number. Pass --decimal ','."),
        (["1,5", "2,25"], "is no number. Pass --decimal ','."),
        (["1'308", "17"], 'pass --thousands "\'".'),
        (["1\u202f308", "2\u00a0041.5"], "pass --thousands ' '."),
        (["1\u2019308", "17"], 'pass --thousands "\'".'),
        (["12.5%", "3 %"], "is no number. Take '%' out of the numbers."),
        (["$1,308", "-$17"], "is no number. Take '$' out of the numbers."),
        (["\u22121.5", "2.5"], "is no number. Write '-' for the minus of print."),
        (["1.308.000,5", "17"], "pass --decimal ',' --thousands '.'."),
        (["10 308,5", "3,25"], "pass --decimal ',' --thousands ' '."),
    ],
)
def test_numbers_written_another_way_are_no_categories(folder, capsys, values, hint):
    pandas.read_csv("a.csv").assign(height=np.resize(values, 40)).to_csv("a.csv", index=False)
    assert hint in refusal(capsys, *FORECAST)


@pytest.mark.parametrize("mark", [" ", "'"])
def test_signs_between_thousands_that_look_alike_are_one(folder, capsys, mark):
    """A person types the plain one, whichever stands in the file."""
    told = set()
    for sign in {" ": " \u00a0\u2009\u202f", "'": "'\u2019"}[mark]:
        pandas.read_csv("b.csv").assign(height=[f"1{sign}{place + 100}" for place in range(120)]).to_csv("c.csv")
        assert f"--thousands-b {mark!r}" in run(capsys, "forecast", "a.csv", "c.csv", "--target", "quality")[2]
        asked = ("forecast", "a.csv", "c.csv", "--target", "quality", "--json", "--thousands-b")
        told |= {str(numbers(capsys, *asked, one)) for one in (mark, sign)}
    assert len(told) == 1


def test_texts_that_look_like_numbers_here_and_there_are_categories(folder, capsys):
    for name, n in (("a.csv", 40), ("b.csv", 120)):
        pandas.read_csv(name).assign(height=np.resize(["1,5", "low", "2"], n)).to_csv(name, index=False)
    assert "'height', 3 levels: 3 columns" in run(capsys, *FORECAST)[1]


def test_thousands_are_read_as_asked_and_nothing_else_is(folder, capsys):
    for name in ("a.csv", "b.csv"):
        frame = pandas.read_csv(name).assign(height=lambda f: (1e6 + 1000 * f["height"]).round())
        frame.to_csv(f"plain-{name}", index=False)
        frame.assign(height=[f"{int(value):,}" for value in frame["height"]]).to_csv(f"grouped-{name}", index=False)
    wanted = numbers(capsys, "forecast", "plain-a.csv", "plain-b.csv", "--target", "quality")
    asked = ("--target", "quality", "--json", "--thousands", ",")
    assert numbers(capsys, "forecast", "grouped-a.csv", "grouped-b.csv", *asked) == wanted
    frame = pandas.read_csv("grouped-a.csv")
    frame.loc[4, "height"] = "1,5"  # not in threes: a decimal comma, or a slip
    frame.to_csv("grouped-a.csv", index=False)
    error = refusal(capsys, "forecast", "grouped-a.csv", "grouped-b.csv", *asked)
    assert "column 'height' holds numbers in grouped-b.csv and texts in grouped-a.csv" in error
    for more in (("--decimal", ","), ("--separator", ",")):
        assert "--thousands must be another mark" in run(capsys, *FORECAST, "--thousands", ",", *more)[2]


@pytest.mark.parametrize("mark", [".", " ", "'"])
@pytest.mark.parametrize("column", ["height", "quality"])
def test_thousands_are_read_beside_a_decimal_comma(folder, capsys, column, mark):
    """As a spreadsheet in German or French writes them, in an input and in the labels: 1.308,50."""
    for name in ("a.csv", "b.csv"):
        frame = pandas.read_csv(name)
        frame[column] = (1e4 * frame[column]).round(2)
        frame.to_csv(f"plain-{name}", index=False)
        frame[column] = [f"{value:,.2f}".translate({44: mark, 46: ","}) for value in frame[column]]
        frame.to_csv(f"grouped-{name}", index=False, sep=";", decimal=",")
    wanted = numbers(capsys, "forecast", "plain-a.csv", "plain-b.csv", "--target", "quality")
    asked = ("--target", "quality", "--json", "--separator", ";", "--decimal", ",", "--thousands", mark)
    assert numbers(capsys, "forecast", "grouped-a.csv", "grouped-b.csv", *asked) == wanted


def test_a_saved_index_is_no_input_and_is_said(folder, capsys):
    wanted = numbers(capsys, *FORECAST)
    pandas.read_csv("a.csv").to_csv("a.csv")
    for both in (False, True):
        told = run(capsys, *FORECAST)[1]
        assert "Left out of a.csv: column 1, which has no name and counts the rows." in told
        assert numbers(capsys, *FORECAST) == wanted
        assert len(json.loads(run(capsys, *FORECAST, "--json")[1])["notes"]) == 1 + both
        pandas.read_csv("b.csv").to_csv("b.csv") if not both else None
    more = pandas.concat([pandas.read_csv("b.csv", index_col=0), pandas.read_csv("a.csv", index_col=0).iloc[[4]]])
    more.reset_index(drop=True).to_csv("b.csv")  # an index as an input would make the two rows different
    assert "the inputs of 1 row of b.csv stand in a.csv too" in run(capsys, *FORECAST)[2]
    twice = pandas.read_csv("a.csv")  # what pandas calls "Unnamed: 0" is saved under that name
    twice.to_csv("a.csv", index=False)
    assert "Left out of a.csv: column 1, which has no name" in run(capsys, *FORECAST, "--repeats", "drop")[1]
    frame = pandas.read_csv("a.csv", index_col=0)
    frame.assign(x=frame["width"]).rename(columns={"x": ""}).to_csv("a.csv", index=False)
    assert "a.csv: column 5 has no name; give it one" in run(capsys, *FORECAST)[2]


def test_a_column_that_may_number_the_rows_is_named(folder, capsys):
    for name, start in (("a.csv", 0), ("b.csv", 900)):
        frame = pandas.read_csv(name)
        frame.assign(visit=np.arange(start, start + len(frame)), shift=np.arange(len(frame)) // 2).to_csv(name)
    told = run(capsys, *FORECAST)[1].replace("\n  ", " ")
    for name in ("a.csv", "b.csv"):
        said = "rises by 1 from row to row, and is an input. If it only numbers the rows, leave it out: --drop visit"
        assert f"Column 'visit' of {name} {said}" in told
    assert "'shift'" not in told
    assert "rises by 1" not in run(capsys, *FORECAST, "--drop", "visit")[1]


def test_a_sample_does_not_depend_on_the_order_of_columns(folder, capsys):
    found = []
    for order in (["height", "width", "depth", "quality"], ["depth", "quality", "height", "width"]):
        pandas.read_csv("b.csv")[order].to_csv("b.csv", index=False)
        found.append(json.loads(run(capsys, *FORECAST, "--sample", "30", "--json")[1]))
    assert [found[0][name] for name in ("gain", "nats")] == pytest.approx([found[1][name] for name in ("gain", "nats")])


def test_options_for_one_of_the_files(folder, capsys):
    wanted = numbers(capsys, *FORECAST)
    frame = pandas.read_csv("b.csv")
    frame.assign(age=1.5).to_csv("b.csv", index=False, sep=";", decimal=",")
    assert "pass --separator-b ';'" in refusal(capsys, *FORECAST)
    assert "Pass --decimal-b ','" in refusal(capsys, *FORECAST, "--separator-b", ";")
    asked = (*FORECAST, "--separator-b", ";", "--decimal-b", ",")
    assert "Left out of b.csv: 'age', which a.csv has not." in run(capsys, *asked)[1]
    assert numbers(capsys, *asked) == wanted


@pytest.mark.parametrize("labels", [("TRUE", "FALSE"), ("01", "02"), ("1.0", "2.0"), ("NA", "EU"), ("é", "e")])
def test_one_class_is_compared_with_what_stands_in_the_file(folder, capsys, labels):
    told = []
    for written in (labels, ("yes", "no")):
        for name, seed, n in (("a.csv", 0, 40), ("b.csv", 1, 120)):
            table(folder / name, seed, n).assign(
                quality=lambda frame, pair=written: np.where(frame["quality"] > 0, *pair)
            ).to_csv(name, index=False)
        told.append(numbers(capsys, *FORECAST, "--positive", written[0]))
    assert told[0] == told[1]


def test_a_class_that_is_not_there_is_answered_with_those_that_are(folder, capsys):
    for name, labels in (("a.csv", ["1.0", "2.0"]), ("b.csv", ["1.0", "3.0"])):
        frame = pandas.read_csv(name)
        frame.assign(quality=np.resize(labels, len(frame))).to_csv(name, index=False)
    assert (
        "no rows are '1'; there are '1.0', '2.0'. Name one of these by --positive."
        in run(capsys, *FORECAST, "--positive", "1")[2]
    )
    assert (
        "no rows are '2.0'; there are '1.0', '3.0'. Name one of these by --positive-b."
        in run(capsys, *FORECAST, "--positive", "2.0")[2]
    )
    frame = pandas.read_csv("a.csv").astype({"quality": object})
    frame.loc[3, "quality"] = None
    frame.to_csv("a.csv", index=False)
    error = run(capsys, *FORECAST, "--positive", "1.0")[2]
    assert "a.csv, column 'quality': missing 1 of 40 values, the first in row 4 ('')" in error


def test_encodings_and_composed_letters(folder, capsys):
    for name, form in (("a.csv", "NFC"), ("b.csv", "NFD")):
        text = (folder / name).read_text(encoding="utf8").replace("height", "höhe").replace("quality", "güte")
        (folder / name).write_text(unicodedata.normalize(form, text), encoding="utf8")
    for form in ("NFC", "NFD"):
        assert run(capsys, *FORECAST[:3], "--target", unicodedata.normalize(form, "güte"))[0] == 0
    (folder / "a.csv").write_bytes("höhe,güte\n1,2\n".encode("latin-1"))
    error = run(capsys, *FORECAST[:3], "--target", "güte")[2]
    assert "a.csv cannot be read: it is no UTF-8 text. Save it as UTF-8, as by: iconv -f cp1252 -t utf-8" in error
    (folder / "a.csv").write_text("höhe,güte\n1,2\n", encoding="utf-16")
    assert "as by: iconv -f utf-16 -t utf-8 a.csv" in run(capsys, *FORECAST[:3], "--target", "güte")[2]


@pytest.mark.skipif(shutil.which("iconv") is None, reason="needs iconv")
@pytest.mark.parametrize(
    ("name", "encoding"), [("new.csv", "cp1252"), ("of us/b 2.csv.gz", "cp1252"), ("u.csv", "utf-16")]
)
def test_the_command_that_saves_as_utf_8_works_and_overwrites_nothing(folder, capsys, name, encoding):
    wanted = numbers(capsys, *FORECAST)
    text = (folder / "b.csv").read_text(encoding="utf8").replace("height", "höhe – ‘m’")
    (folder / name).parent.mkdir(exist_ok=True)
    written = text.encode(encoding)
    (folder / name).write_bytes(gzip.compress(written) if name.endswith(".gz") else written)
    (folder / "a.csv").write_text(
        (folder / "a.csv").read_text(encoding="utf8").replace("height", "höhe – ‘m’"), encoding="utf8"
    )
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    asked = (*FORECAST[:2], name, *FORECAST[3:])
    error = refusal(capsys, *asked)
    subprocess.run(error.split("as by: ")[1].strip(), shell=True, check=True)
    assert before == {path: path.read_bytes() for path in before}
    (made,) = set(folder.rglob("*.*")) - set(before)
    assert numbers(capsys, *FORECAST[:2], str(made), *FORECAST[3:]) == wanted


def test_all_columns_are_encoded_at_once(folder, capsys):
    for name, n in (("a.csv", 40), ("b.csv", 120)):
        frame = pandas.read_csv(name).assign(sex=np.resize(["m", "f"], n), island=np.resize(["A", "B", "C"], n))
        frame.loc[3, "width"], frame.loc[5, "sex"] = np.nan, None
        frame.loc[7, "island"] = f"only in {name}"
        frame.to_csv(name, index=False)
    found = json.loads(run(capsys, *FORECAST, "--json")[1])
    assert found["rows"] == [40, 120]
    (note,) = found["notes"]
    assert "'width', 2 missing values: their mean, and a column that says where" in note
    assert "'sex', 3 levels: 3 columns" in note
    assert "'island', 5 levels: 4 columns, 2 rare levels together" in note


def test_columns_are_encoded_as_by_hand(folder, capsys):
    asked = ("forecast", "a.csv", "b.csv", "--target", "quality", "--json")
    frames = {name: pandas.read_csv(name) for name in ("a.csv", "b.csv")}
    mean = np.concatenate([np.delete(frame["width"].to_numpy(), 3) for frame in frames.values()]).mean()
    for name, frame in frames.items():
        kind = np.where(np.arange(len(frame)) % 3 == 0, "x", "y")
        by_hand = frame.assign(x=(kind == "x").astype(int), y=(kind == "y").astype(int), lacks=0)
        by_hand.loc[3, ["width", "lacks"]] = mean, 1
        by_hand.to_csv(name, index=False)
    wanted = json.loads(run(capsys, *asked)[1])
    for name, frame in frames.items():
        kind = np.where(np.arange(len(frame)) % 3 == 0, "x", "y")
        frame.assign(width=frame["width"].where(frame.index != 3), kind=kind).to_csv(name, index=False)
    found = json.loads(run(capsys, *asked)[1])
    for name in ("gain", "nats", "alone", "cost"):
        assert found[name] == pytest.approx(wanted[name], rel=1e-6)
    pandas.read_csv("a.csv").assign(width="wide").to_csv("a.csv", index=False)
    error = run(capsys, *asked)[2]
    assert "column 'width' holds numbers in b.csv and texts in a.csv" in error


@pytest.mark.parametrize("damage", [b"\x00" * 40, b"\xff" * 40])
def test_a_damaged_gzip_is_named(folder, capsys, damage):
    whole = gzip.compress((folder / "b.csv").read_bytes())
    (folder / "bad.csv.gz").write_bytes(whole[:100] + damage + whole[140:])
    assert "bad.csv.gz cannot be read: " in refusal(capsys, "forecast", "a.csv", "bad.csv.gz", "--target", "quality")


def test_long_headers_wide_tables_and_long_names(folder, capsys, monkeypatch):
    (folder / "long.csv").write_text(f"{'a' * 140_000},b\n1,2\n", encoding="utf8")
    assert "long.csv cannot be read: field larger" in run(capsys, "forecast", "long.csv", "b.csv", "--target", "b")[2]
    name = f"{'x' * 300}.csv"
    assert "cannot be read: File name too long" in run(capsys, "forecast", name, "b.csv", "--target", "b")[2]
    monkeypatch.setattr("mtlbook_lib.command_line.reading.MOST_COLUMNS", 3)
    assert "it has 4 columns; at most 3 are read" in run(capsys, *FORECAST)[2]


def test_signs_that_move_a_terminal_are_written_out(folder, capsys):
    bad = "x\x1b[31m"
    pandas.read_csv("a.csv").rename(columns={"depth": bad}).to_csv("a.csv", index=False)
    assert "x\\x1b[31m" in run(capsys, *FORECAST)[1]
    (folder / "a.csv").rename(folder / f"a{bad}.csv")
    pandas.read_csv("b.csv").rename(columns={"depth": bad}).to_csv(f"b{bad}.csv", index=False)
    for command in ("forecast", "rank", "matrix"):
        found = run(capsys, command, f"a{bad}.csv", f"b{bad}.csv", "--target", "quality")
        assert found[0] == 0
        assert "\x1b" not in "".join(found[1:])


@pytest.mark.parametrize("name", ["a$b$.csv", "a$\\frac$.csv", "a\x07.csv"])
def test_names_in_a_figure_are_set_as_they_are(folder, capsys, name):
    pytest.importorskip("matplotlib")
    (folder / "a.csv").rename(folder / name)
    code, _, error = run(capsys, "matrix", name, "b.csv", "--target", "quality", "--figure", "f.svg")
    assert code == 0, error
    assert "\x07" not in (folder / "f.svg").read_text(encoding="utf8")


def test_numbers_in_columns_of_objects_are_numbers(folder, capsys):
    pytest.importorskip("pyarrow")
    from decimal import Decimal

    wanted = numbers(capsys, *FORECAST)
    frame = pandas.read_csv("a.csv")
    frame.assign(width=[Decimal(repr(value)) for value in frame["width"]]).to_parquet("a.parquet")
    found = numbers(capsys, "forecast", "a.parquet", "b.csv", "--target", "quality")
    assert found["gain"] == pytest.approx(wanted["gain"])


def test_a_spread_of_a_trillionth_of_the_offset_is_kept(folder, capsys):
    """Such as times in milliseconds: columns and labels of whole numbers, so that the sums are exact."""
    told = []
    for offset in (0, 2**44):
        for name in ("a.csv", "b.csv"):
            frame = pandas.read_csv(name) if not told else pandas.read_csv(f"near-{name}")
            whole = (8 * frame).round() if not told else frame
            whole.to_csv(f"near-{name}", index=False)
            (whole + offset).to_csv(name, index=False)
        told.append(numbers(capsys, *FORECAST))
    assert told[1]["nats"] == pytest.approx(told[0]["nats"], rel=1e-3)
    assert told[1]["gain"] == pytest.approx(told[0]["gain"], abs=1e-3)


@pytest.mark.parametrize("command", ["forecast", "rank"])
def test_rows_in_another_order_change_nothing(folder, capsys, command):
    table(folder / "b.csv", 1, n=1300)
    asked = (command, "a.csv", "b.csv", "--target", "quality", "--json", "--sample", "600")
    told = []
    for _ in range(2):
        found = json.loads(run(capsys, *asked)[1])
        told.append(found if command == "forecast" else found["partners"][0])
        pandas.read_csv("b.csv").sample(frac=1, random_state=0).to_csv("b.csv", index=False)
    for name in ("gain", "nats", "alone", "together", "cost"):
        assert told[0][name] == pytest.approx(told[1][name], rel=1e-6), name
    assert told[0]["baselines"]["pool"] == pytest.approx(told[1]["baselines"]["pool"])
