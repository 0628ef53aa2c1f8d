"""The index of the search has the words of a page, not joined to others, and neither formulas nor code nor numbers."""

import json
from io import StringIO
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from bookbuild.front import search

PAGE = r"""# A page on 7 kernels

Harm ends at $\mathcal{D} = \frac12$, after 250 of 1,000 steps, panel 2b.

$$
\dfrac{1}{\sqrt{\lambda_0}}
$$ (eq-one)

```python
hidden_name = 4711
```

```{raw} html
<p>Measured<b>value</b> 0.25</p><svg><text>drawn</text></svg>
<span class="math"><span class="katex">omega</span>psi</span> holds \(\mathcal K\) widely
```

```{eval-rst}
.. py:function:: signature_name(argument)

   What it gives.
```
"""


@pytest.mark.parametrize("is_on", [True, False])
def test_index_of_a_page(tmp_path: Path, is_on: bool) -> None:
    (tmp_path / "index.md").write_text(PAGE, encoding="utf8")
    settings = {"extensions": ["myst_parser"], "myst_enable_extensions": ["dollarmath"], "project": "book"}
    where = (str(tmp_path), None, str(tmp_path / "html"), str(tmp_path / "trees"), "html", settings)
    with docutils_namespace():
        app = Sphinx(*where, status=None, warning=StringIO())
        if is_on:
            search.listen(app)
        app.build()
    text = (tmp_path / "html/searchindex.js").read_text(encoding="utf8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    found = set(index["terms"])
    assert "harm" in found
    assert {"kernel", "7"} <= set(index["titleterms"])
    words = {"measur", "valu", "2b", "wide"}
    rest = {"mathcal", "frac12", "dfrac", "250", "000", "hidden_nam", "4711", "drawn", "omega", "psi", "25"}
    assert (words <= found) == is_on
    assert (rest.isdisjoint(found)) == is_on
    assert "A page on 7 kernels" in index["alltitles"]
    assert any("signature_name" in str(entry) for entry in index["objects"].values())


def test_the_page_itself_keeps_all() -> None:
    page = nodes.section("", nodes.title("", "One"), nodes.paragraph("", "in 3 ", nodes.math("", "x")))
    before = page.pformat()
    assert search.prose(page).astext().split() == ["One", "in"]
    assert page.pformat() == before


def test_a_builder_without_an_index_is_left_alone() -> None:
    class Builder:
        pass

    class App:
        builder = Builder()

    search.listen(App())  # type: ignore[arg-type]
    assert not hasattr(App.builder, "index_page")
