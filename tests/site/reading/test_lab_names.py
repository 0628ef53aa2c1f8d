"""What JupyterLab shows for references that it cannot resolve: the numbers of the pages, and the authors of works."""

from pathlib import Path

from browser import Browser

from bookbuild.chapters import ROOT

SCRIPT = ROOT / "lab/extension/static/chapters.js"
# As JupyterLab-MyST draws them.
PAGE = """<div class="myst">
<span title="Cross Reference Not Found"><svg></svg>fig-a</span>
<span class="cite-group narrative"><span title="Citation Not Found"><svg></svg>one2020</span></span>
<span class="cite-group parenthetical"><span title="Citation Not Found"><svg></svg>one2020</span></span>
<span title="Cross Reference Not Found"><svg></svg>sec-unknown</span>
<a href="#eq-a">(1)</a> <a href="#eq-a">the law</a>
<span title="Cross Reference Not Found"><svg></svg>ch-one</span>
<a href="../part2/one-mode.md"></a> <a href="../part2/one-mode.md">there</a> <a href="explorer.md"></a>
</div>"""
ASK = """
const known = {labels: {"fig-a": "Fig. 38.1", "eq-a": "Eq. 38.2", "ch-one": "One mode"},
  works: {one2020: ["One et al.", "2020"]},
  titles: {"part2/one-mode": "One mode", "part2/explorer": "Explorer", "part3/explorer": "Explorer"}};
document.querySelector("a").replaceChildren("(", "1", ")");
document.querySelectorAll('.myst [title$="Not Found"], .myst a').forEach((found) => opened.resolve(found, known));
document.querySelectorAll('.myst a[href*=".md"]').forEach((link) => opened.entitle(link, known));
return [[...document.querySelectorAll(".myst > *")].map((shown) => shown.textContent),
  opened.written("{ref}`ch-one`, {ref}`Part II <ch-one>`", known),
  opened.written("{eq}`eq-a`, {cite:t}`one2020`, {cite:p}`one2020`, {numref}`fig-no`", known)];
"""


def test_references_have_the_numbers_of_the_pages(browser: Browser, tmp_path: Path) -> None:
    inner, end, rest = SCRIPT.read_text(encoding="utf8").rpartition("})();")
    page = tmp_path / "page.html"
    script = f"{inner}window.opened = {{ resolve, written, entitle }};\n{end}{rest}"
    page.write_text(f"<meta charset='utf-8'>{PAGE}<script>{script}</script>", encoding="utf8")
    browser.visit(page.as_uri())
    shown, titles, text = browser.driver.execute_script(ASK)
    assert shown == ["Fig. 38.1", "One et al. (2020)", "One et al., 2020", "sec-unknown", "(38.2)", "the law",
                     "One mode", "One mode", "there", ""]  # fmt: skip
    assert titles == "One mode, Part II"
    assert text == "Eq. 38.2, One et al. (2020), (One et al., 2020), {numref}`fig-no`"
