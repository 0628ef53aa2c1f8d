"""The checks of the site find what they are for: a sound page passes them all, every defect is reported."""

from pathlib import Path

import browser as browser_module
import pytest
from browser import NARROW, REMEDY, WIDE, Browser, serve
from site_checks import ALLOWED, CHECKS, faults_from_disk, look, outside, problems

SOUND = Path(__file__).with_name("sound.html").read_text(encoding="utf8")
EXCUSED_ELSEWHERE = '<button class="theme-switch-button" aria-label="Colour">Light</button>'
FAINT_WHEN_DARK = "html[data-theme=dark] pre { color: #333 }"
# For each check: what the sound page says, what the broken page says instead, what must be reported. All at once.
DEFECTS = {
    "too_wide": [
        ("</header>", '</header><div style="width: 500px">wide</div>', "the page is 516 px wide"),
        ("<img ", '<img width="600" ', "sticks out: <img"),
        ('"math">', '"math" style="display: inline-flex; overflow: hidden; width: 3px">', "sticks out: <span"),
    ],
    "console": [("const circle", "setTimeout(() => { throw Error('lost') }); const circle", "lost")],
    "untypeset": [
        ("A formula", "A formula \\(x\\)", "TeX in the text: A formula \\(x\\)"),
        ("wide box", "box</pre><p>costs $a$", "TeX in the text: costs $a$"),
        ("</span>.", '</span><span class="math">y</span>', "not typeset: y"),
        ('<span class="base">x', '<span class="katex-error">y</span><span class="base">x', "TeX error: y"),
        ("<mi>x</mi>", "<mi>x</mi></math></span></span><span class='katex'><span><math>", "formulas are empty"),
    ],
    "cut": [
        ("width: 600px", "width: 1600px", "wider than the column: long"),
        ("text-align: start", "text-align: center", "lines that are not aligned: = sum"),
        (' data-more="right"', "", "no cue that it scrolls: long"),
    ],
    "wordless": [
        ('alt="one dot"', 'alt=""', 'src="data:image'),
        ('aria-label="letters and outlines"', "", '<svg viewBox="0 0 200 100" role="img">'),
    ],
    "stuck": [
        ('<label for="size">', "<label>", "slider 1 (no label): its label"),
        ('.setAttribute("r", size)', "", "an arrow key does not change"),
        ('slider.setAttribute("aria-valuetext", size);', "", "the alternative text or the value stays"),
    ],
    "inaccessible": [
        ("<h1>", f"<h1>{EXCUSED_ELSEWHERE}", "label-content-name-mismatch at h1"),
        ("</style>", f"{FAINT_WHEN_DARK}</style>", "dark: color-contrast at pre"),
    ],
    "illegible": [
        ('font-size="12" fill="currentColor"', 'font-size="12" fill="#888"', "contrast 3.54 < 4.5"),
        ('fill="currentColor" transform', 'fill="color(srgb 0.9 0.9 0.9)" transform', "contrast 1.25 < 4.5"),
        ("scale(0.12 -0.12)", "scale(0.06 -0.06)", "font of 6.0 px < 7.0 px"),
    ],
    "search_fields": [("</header>", '<input name="q" aria-label="Another"></header>', 'aria-label="Another"')],
}


# Faults among many sound elements of the same kind, and the rules that must find them.
LINE = '<span class="line"><span class="k">for</span> <span class="n">x</span></span>'
CODE = f'<pre class="code" tabindex="0">{LINE * 40}</pre>'
FORMULA = (
    '<span class="katex"><span class="katex-mathml"><math>{}</math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="base"><span class="mord">x</span></span></span></span>'
)
PLANTED = f"""
<style>
.k {{ color: #070 }} .faint {{ color: #ccc }} .grey {{ background: #5a5a5a }} .pale {{ opacity: 0.3 }}
.hidden {{ display: none }} .under {{ color: #ccc }} .black {{ background: #111; height: 2rem }} .lid {{ color: #ddd }}
html[data-theme=dark] .k, html[data-theme=dark] .n {{ color: #9e9 }}
</style>
{CODE} <div class="grey">{CODE}</div> <div class="pale">{CODE}</div>
<p>{"<code class='n'>x</code> and <em class='faint'>y</em>" * 30}</p>
<p>{FORMULA.format("<mi>x</mi>") * 30} {FORMULA.format('<mrow><mi tabindex="3">x</mi></mrow>')}</p>
<h4><span class="n">too deep</span></h4> <ul><span class="n">no item</span></ul> <a href="/x"></a>
<button><span class="icon"></span></button> <input> <input class="faint" value="faint" aria-label="typed">
<div class="hidden"><span class="under">seen by nobody</span></div> <p><span class="under">seen</span></p>
<div class="black"><p class="lid">pale</p></div> <div><p class="lid">pale on pale</p></div>
<div aria-hidden="true"><a href="/x">hidden</a></div> <svg role="img"><circle r="3"/></svg>
"""
PLANTED_RULES = {
    "aria-hidden-focus", "button-name", "color-contrast", "heading-order", "label", "link-name", "list", "svg-img-alt",
    "tabindex",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(SOUND, encoding="utf8")
    return tmp_path


def test_a_sound_page_passes(browser: Browser, folder: Path) -> None:
    with serve(folder) as server:
        facts = look(browser, f"{server}/index.html")
    assert list(problems(facts, server)) == []
    assert all(facts[name] for name in ("sliders", "light", "dark"))


def test_every_check_has_a_defect() -> None:
    assert DEFECTS.keys() == CHECKS.keys()


def test_defects_are_reported(browser: Browser, folder: Path) -> None:
    page = SOUND.replace("const slider", "fetch('https://example.org/x').catch(() => 0); const slider")
    for sound, broken, _ in (defect for defects in DEFECTS.values() for defect in defects):
        assert page.count(sound) == 1
        page = page.replace(sound, broken)
    (folder / "index.html").write_text(page, encoding="utf8")
    with serve(folder) as server:
        facts = look(browser, f"{server}/index.html")
    found = {name: "\n".join(check(facts)) for name, check in CHECKS.items()}
    lost = [report for name, defects in DEFECTS.items() for *_, report in defects if report not in found[name]]
    assert lost == []
    assert set(outside(facts, server)) == {"https://example.org/x"}
    assert {problem.partition(": ")[0] for problem in problems(facts, server)} == {*CHECKS, "asked of others"}


def test_faults_of_a_page_from_disk_are_seen(browser: Browser, folder: Path) -> None:
    page, site = folder / "index.html", folder.as_uri()
    assert list(faults_from_disk(browser, page.as_uri(), site)) == []
    planted = [
        ("<style>", '<link rel="stylesheet" href="/gone.css"><style>'),
        ("A formula", "A formula \\(x\\)"),
        ("</span>.", '</span><span class="math">y</span>'),
        ("const circle", "fetch('https://example.org/x').catch(() => 0); fetch('x.json'); const circle"),
    ]
    text = SOUND
    for sound, broken in planted:
        text = text.replace(sound, broken, 1)
    page.write_text(text, encoding="utf8")
    problems = "\n".join(faults_from_disk(browser, page.as_uri(), site))
    said = [
        "gone.css - Failed to load",
        "x.json",
        "TeX in the text: A formula",
        "not typeset: y",
        "asked of others: https://example.org/x",
    ]
    assert [report for report in said if report not in problems] == []


def found(violations: list[dict[str, str]]) -> set[tuple[str, str]]:
    """Rules with the elements that break them; equal elements count once."""
    return {(violation["rule"], violation["element"]) for violation in violations}


@pytest.mark.parametrize(("theme", "broken"), [("light", PLANTED_RULES), ("dark", {"color-contrast"})])
def test_a_thinned_page_has_the_violations_of_the_whole_page(
    browser: Browser, folder: Path, theme: str, broken: set[str]
) -> None:
    (folder / "index.html").write_text(SOUND.replace("</main>", f"{PLANTED}</main>"), encoding="utf8")
    with serve(folder) as server:
        browser.open(f"{server}/index.html")
    browser.ask("theme", theme)
    whole = [one for one in browser.violations(ALLOWED) if theme == "light" or one["rule"] == "color-contrast"]
    browser.ask("theme", "dark")
    browser.ask("thin")
    browser.ask("theme", theme)
    thinned = browser.accessibility(ALLOWED, contrast_alone=theme == "dark")
    assert found(thinned) == found(whole)
    assert {rule for rule, _ in found(thinned)} == broken
    assert len(thinned) < len(whole) / 3


def test_a_resized_page_has_done_what_its_scripts_put_off(browser: Browser, folder: Path) -> None:
    """As the theme does it: half a second after the last change of size, a box that scrolls can be reached."""
    put_off = """
    let timer;
    window.addEventListener("resize", () => {
      window.clearTimeout(timer);
      const say = (word) => { document.body.dataset.seen = `${word} ${window.innerWidth}`; };
      timer = window.setTimeout(say, 500, "width");
    });
    """
    (folder / "index.html").write_text(SOUND.replace("const slider", f"{put_off} const slider"), encoding="utf8")
    with serve(folder) as server:
        browser.open(f"{server}/index.html")
    for size in (NARROW, WIDE):
        browser.resize(size)
        assert browser.driver.execute_script("return document.body.dataset.seen") == f"width {size[0]}"


def test_contrast_is_asked_once_for_each_look_and_the_text_stays(browser: Browser, folder: Path) -> None:
    words = "return document.body.innerText"
    lines = ['<p style="color: #ccc">{}</p>', '<p style="color: #bbb">{}</p>']
    faint = "".join(line.format(text) for text in ("one word", "another") for line in lines)
    (folder / "index.html").write_text(SOUND.replace("</main>", f"{faint}</main>"), encoding="utf8")
    with serve(folder) as server:
        browser.open(f"{server}/index.html")
    before = browser.driver.execute_script(words)
    seen = browser.accessibility([], contrast_alone=True)
    assert [violation["element"] for violation in seen] == [line.format("") for line in lines]
    assert browser.driver.execute_script(words) == before


def test_a_look_that_was_sound_is_judged_again_where_it_lies_on_something_else(browser: Browser, folder: Path) -> None:
    """And what was found on one page is found on the next."""
    grey = '<p style="color: #666">grey</p>'
    faint = '<div style="background: #888"><p style="color: #666">grey</p></div><p style="color: #ccc">faint</p>'
    apart = '<div style="background: {}"><b style="position: absolute; color: #666">apart</b><br></div>'
    found = []
    for added in (grey + apart.format("#fff"), faint, faint + grey, grey + apart.format("#888")):
        (folder / "index.html").write_text(SOUND.replace("</main>", f"{added}</main>"), encoding="utf8")
        with serve(folder) as server:
            browser.open(f"{server}/index.html")
        found.append([violation["element"] for violation in browser.accessibility([], contrast_alone=True)])
    words = ['<p style="color: #666"></p>', '<p style="color: #ccc"></p>']
    assert found == [[], words, words, ['<b style="position: absolute; color: #666"></b>']]


@pytest.mark.parametrize(
    ("ci", "outcome", "said"),
    [("", pytest.skip.Exception, REMEDY), ("true", pytest.fail.Exception, "need Chromium")],
)
def test_without_a_browser_tests_are_skipped_but_fail_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ci: str, outcome: type[BaseException], said: str
) -> None:
    monkeypatch.setattr(browser_module.chromium, "CHROMIUM", str(tmp_path / "absent"))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match=said):
        browser_module.require_browser()
