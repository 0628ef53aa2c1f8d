"""What a cell printed and drew, for a notebook that is read outside the book: no widgets, no links between pages.

Figures are SVG and PNG. A notebook that a reader has not run yet is not trusted, and shows no SVG.
"""

import base64
import re
from functools import lru_cache
from html import unescape
from typing import Any

import resvg_py
from nbformat import NotebookNode

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
KEPT = ("text/plain", "text/html", "image/png", "image/svg+xml")
HEAVIEST = 1_500_000  # characters of one output; more than the largest figure of the book by far
# Of a figure: black ink on no ground, which a dark notebook must put something light behind.
GROUND = {"image/svg+xml": {"needs_background": "light"}, "image/png": {"needs_background": "light"}}
_BETWEEN_PAGES = re.compile(r'<a href="\.\./[^"]*">(.*?)</a>', re.DOTALL)
_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_NAME = re.compile(r'aria-label="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_MIXED = re.compile(r"color-mix\(in srgb,#([0-9a-f]{6}) (\d+)%,currentColor\)")


def outputs(cell: NotebookNode, notebook: NotebookNode) -> list[NotebookNode]:
    """The outputs of an executed cell: text, tables, cards and figures; of a slider the frame that it starts with."""
    models = widgets(notebook)
    return [kept for output in cell.get("outputs", []) for kept in outputs_kept(output, models)]


def widgets(notebook: NotebookNode) -> dict[str, Any]:
    """The models of an executed notebook, by their ids."""
    state: dict[str, Any] = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    return state


def outputs_kept(output: NotebookNode, models: dict[str, Any]) -> list[NotebookNode]:
    """One output without what needs a kernel or the book's pages, a figure panel by panel; none that is too heavy."""
    if "data" not in output:
        return [output] if len(str(output)) <= HEAVIEST else []
    data = dict(output.data)
    if VIEW in data:
        data["text/html"] = first_frame(data[VIEW]["model_id"], models)
    html = "".join(data.get("text/html", ""))
    panels = _SVG.findall(html)
    if panels and not _TAG.sub("", _SVG.sub("", html)).strip():
        # One text for several panels stands on what is around them.
        names = [_NAME.search(one) for one in (panels if len(panels) > 1 else [html])]
        words = [unescape(name[1]) if name else "" for name in names]
        words[0] = words[0] or "".join(data.get("text/plain", ""))
        bundles = [(drawn(panel) | {"text/plain": told}, GROUND) for panel, told in zip(panels, words, strict=True)]
    else:
        data["text/html"] = _BETWEEN_PAGES.sub(r"\1", html)
        bundles = [({kind: data[kind] for kind in KEPT if data.get(kind)}, output.get("metadata", {}))]
    found = [NotebookNode(output | {"data": NotebookNode(data), "metadata": about}) for data, about in bundles]
    return [one for one in found if len(str(one)) <= HEAVIEST]


def drawn(svg: str) -> dict[str, str]:
    """A panel in both forms, in black where a page would set the colour of its text."""
    vectors = _MIXED.sub(_with_black, svg).replace("currentColor", "#000000")
    return {"image/svg+xml": vectors, "image/png": _png(vectors)}


@lru_cache(maxsize=256)
def _png(svg: str) -> str:
    return base64.b64encode(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)).decode()


def _with_black(found: re.Match[str]) -> str:
    share = int(found[2]) / 100
    return "#" + "".join(f"{round(share * int(found[1][at : at + 2], 16)):02x}" for at in (0, 2, 4))


def first_frame(identity: str, models: dict[str, Any]) -> str:
    """The frame that a slider or a list shows first; empty for any other widget."""
    _, stack = (*_children(identity, models), None, None)[:2]
    frames = _children(stack, models)
    chosen = models.get(stack or "", {}).get("state", {}).get("selected_index") or 0
    return models[frames[chosen]]["state"].get("value", "") if chosen < len(frames) else ""


def _children(identity: str | None, models: dict[str, Any]) -> list[str]:
    children = models.get(identity or "", {}).get("state", {}).get("children", [])
    return [child.removeprefix("IPY_MODEL_") for child in children]
