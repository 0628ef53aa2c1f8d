"""Every law that is not a paper's says where it comes from, or that we know of no source."""

import re
from pathlib import Path

import yaml
from test_every_theorem import BOOK, labels

CHAPTERS = Path(__file__).resolve().parents[2] / "mtlbook_lib" / "chapters"
LINE = re.compile(r"^- ((?:\{(?:prf:ref|eq)\}`\S+?`(?:, )?)+): (known|close to|we know of no source)", re.MULTILINE)


def proofs(kept):
    """The laws that claims name as their proof, of the papers that are `kept`."""
    entries = [entry for file in CHAPTERS.glob("*/*/claims.yml") for entry in yaml.safe_load(file.read_text("utf8"))]
    return {entry["proof"] for entry in entries if "proof" in entry and kept(entry["paper"])}


def test_every_law_beyond_the_papers_says_where_it_comes_from():
    beyond = proofs(lambda paper: paper == "beyond") | (set(labels()) - proofs(bool))
    ends = [text.read_text("utf8").partition("## Further reading")[2] for text in BOOK.glob("part*/*.md")]
    said = [label for end in ends for line in LINE.findall(end) for label in re.findall(r"`(\S+?)`", line[0])]
    assert len(said) == len(set(said)) > 80
    assert beyond - set(said) == set()
