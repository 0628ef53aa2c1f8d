"""The command ``benchmark sentiment`` on real files: four kinds of text, the encoder as its package has it. Stored.

Needs what ``fine_tuning`` needs. Fetches nothing.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part5.real_language import make_columns
from mtlbook_lib.chapters.part5.real_language.fine_tuning import SOURCE
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read
from mtlbook_lib.data.opinions import DOMAINS

FILE = "part5/real_language/commands.json"
N_SEEDS = 3
METHODS = ("alone", "shared", "Algorithm 1")
COMMAND = (
    "benchmark", "sentiment", "--folder", "sets", "--tasks", *DOMAINS, "--encoder", "bert", "--bert", "encoder",
    "--mean", "--methods", *METHODS, "--examples", "100", "--epochs", "8", "--rate", "0.01", "--length", "32",
)  # fmt: skip


def stored() -> dict[str, Array]:
    """Accuracy by method, (seed, kind)."""
    return {name: read(FILE, "scores", name) for name in METHODS}


@sized(file=FILE, minutes=10, lacking="a trained encoder, which the repository does not have")
def run(folder: Path) -> dict[str, Any]:
    """Command line and scores of each method."""
    return {"line": " ".join(("mtlbook", *COMMAND)), "scores": scores(N_SEEDS)}


def scores(n_seeds: int) -> dict[str, Any]:
    """Accuracies by method, (seed, kind), as the command saves them."""
    with TemporaryDirectory() as made:
        home = Path(made)
        make_columns.write_sets(make_columns.read_texts(Path(SOURCE)), home / "sets")
        (home / "encoder").symlink_to(make_columns.encoder_folder())
        asked = [*COMMAND, "--seeds", str(n_seeds), "--save", "scores.json"]
        subprocess.run([sys.executable, "-m", "mtlbook_lib", *asked], cwd=home, check=True)
        measured: dict[str, Any] = json.loads((home / "scores.json").read_text(encoding="utf8"))["scores"]
    return measured
