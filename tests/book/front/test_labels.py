"""Text of a notebook: numbers of the pages for references, authors for citations, no markup that Sphinx alone reads."""

from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes

from bookbuild.front import labels


def person(name: str) -> SimpleNamespace:
    return SimpleNamespace(last_names=[name])


ENTRIES = {
    "one2019": SimpleNamespace(persons={"author": [person("One")]}, fields={"year": "2019"}),
    "two2020": SimpleNamespace(persons={"author": [person("One"), person("Two")]}, fields={"year": "2020"}),
    "many2021": SimpleNamespace(persons={"author": [person("One"), person("Two"), person("Three")]}, fields={}),
}
ENV: Any = SimpleNamespace(
    toc_fignumbers={
        "a": {"figure": {"fig-a": (3, 1)}, "displaymath": {"equation-eq-a": (3, 2)}},
        "b": {"theorem": {"thm-b": (4, 1)}, "exercise": {"ex-b": (4, 2)}},
    },
    titles={"book/part2/one-mode": nodes.title("", "One mode"), "book/part3/when": nodes.title("", "When it helps")},
    get_domain=lambda name: SimpleNamespace(
        bibdata=SimpleNamespace(data=SimpleNamespace(entries=ENTRIES)),
        labels={"ch-one": ("book/part2/one-mode", "ch-one", "One mode"), "fig-a": ("a", "fig-a", "A caption")},
    ),
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("see {numref}`fig-a` and {eq}`eq-a`", "see Fig. 3.1 and Eq. 3.2"),
        ("by {prf:ref}`thm-b`, {ref}`ex-b`", "by Theorem 4.1, Exercise 4.2"),
        ("{cite:t}`one2019` show", "One (2019) show"),
        ("as known {cite:p}`two2020,one2019`", "as known (One and Two, 2020; One, 2019)"),
        ("{cite:t}`many2021`", "One et al. ()"),
        ("{py:func}`~mtlbook_lib.theory.spiked.threshold`", "`threshold`"),
        ("a {term}`mode` of {term}`modes <mode>`", "a mode of modes"),
        ("(a-label)=\n## Title", "## Title"),
        ("$$\nx = 1\n$$ (eq-a)", "$$\nx = 1 \\tag{3.2}\n$$"),
        ("[one mode](../part2/one-mode.md#there)", "[one mode](../part2/one-mode.ipynb)"),
        ("[](../part2/one-mode.md) and [](when.md)", "[One mode](../part2/one-mode.ipynb) and *When it helps*"),
        ("in [](when.md#start), [below](one-mode-descent), [here](#start)", "in *When it helps*, *below*, *here*"),
        ("{ref}`ch-one`, {ref}`Part II <ch-one>`, {prf:ref}`law <thm-b>`", "*One mode*, Part II, law"),
        ("[a page](https://example.org/x.md)", "[a page](https://example.org/x.md)"),
        ("{numref}`fig-unknown` [](gone.md)", "{numref}`fig-unknown` [](gone.md)"),
        ("$[a](b)$ and $f[x](t)$", "$[a](b)$ and $f[x](t)$"),
    ],
)
def test_what_sphinx_would_resolve_is_written_out(text: str, written: str) -> None:
    assert labels.resolver(labels.names_of(ENV))(text, "book/part3/some-page") == written
