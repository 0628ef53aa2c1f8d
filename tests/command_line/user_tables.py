"""Small tables of a new user, and how he calls the command line."""

import json

import numpy as np
import pandas

from mtlbook_lib.command_line.main import main

FORECAST = ("forecast", "a.csv", "b.csv", "--target", "quality")
COLUMNS = ["height", "width", "depth"]


def table(path, seed, n=40, label="quality", flat=False, noise=1.5):
    """Rows whose label is the same function in every file; inputs in unlike units."""
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((n, 3))
    labels = inputs @ [1.0, -1.0, 0.5] + noise * rng.standard_normal(n)
    labels = rng.permutation(labels) if flat else labels
    frame = pandas.DataFrame(inputs * [1000, 1, 0.01], columns=COLUMNS).assign(**{label: labels})
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return frame


def run(capsys, *arguments):
    """Exit code, standard output and standard error."""
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def refusal(capsys, *arguments):
    """What a call says that is refused."""
    code, told, error = run(capsys, *arguments)
    assert (code, told) == (2, ""), error
    return error


def numbers(capsys, *arguments):
    """What a forecast finds, without the files' names."""
    code, told, error = run(capsys, *arguments, "--json")
    assert code == 0, error
    found = json.loads(told)
    return {name: found[name] for name in ("gain", "nats", "alone", "verdict", "rows")}
