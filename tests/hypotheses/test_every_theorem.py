"""Every theorem of the book has a test that drops a hypothesis, or says here why there is none to drop."""

import ast
import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOOK = HERE.parents[1] / "book"
LABEL = re.compile(r"\{prf:(?:theorem|proposition|lemma|corollary|remark)\}[^\n]*\n:label: (\S+)")
EQUATION = re.compile(r"^\$\$ \((eq-\S+)\)", re.MULTILINE)

# A test is named for the theorem and for what it drops, test_thm_spiked__visible; two underscores stand between them.
LEFT_OUT = {
    "prop-capacity-threshold": "The sign of a term of prop-capacity-error: its hypotheses are dropped there.",
    "prop-feature-lipschitz": "No hypothesis beyond the definitions; rank only says how many terms the sum has.",
    "prop-multi-least": "No hypothesis beyond the definitions: a minimum over all weights.",
    "thm-machine-operations": "A count of the products of a student that is defined before it.",
}


def labels(pattern=LABEL):
    texts = sorted(BOOK.glob("part*/*.md"))
    return [label for text in texts for label in pattern.findall(text.read_text(encoding="utf8"))]


def counts():
    """How many tests there are for each label."""
    names = [
        node.name
        for file in HERE.rglob("test_hypotheses_*.py")
        for node in ast.parse(file.read_text(encoding="utf8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert [name for name in names if "__" not in name] == []
    return Counter(name.removeprefix("test_").split("__")[0].replace("_", "-") for name in names)


def test_every_theorem_is_tested_or_left_out_with_a_reason():
    known = set(labels())
    assert len(known) == len(labels()) > 100
    assert set(counts()) - known - set(labels(EQUATION)) == set()  # no test of a law that the book no longer has
    assert set(LEFT_OUT) - known == set()
    assert set(counts()) & set(LEFT_OUT) == set()
    assert known - set(counts()) - set(LEFT_OUT) == set()
    assert all(len(reason) > 30 for reason in LEFT_OUT.values())


def test_few_theorems_are_left_out():
    assert len(LEFT_OUT) <= 0.1 * len(labels())
