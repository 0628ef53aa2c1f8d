"""What a cell printed and drew, for a notebook that is read outside the book: no widgets, no links between pages."""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
KEPT = ("text/plain", "text/html", "image/png", "image/svg+xml")
HEAVIEST = 1_000_000  # characters of one output; more than the largest figure of the book by far
_BETWEEN_PAGES = re.compile(r'<a href="\.\./[^"]*">(.*?)</a>', re.DOTALL)


def outputs(cell: NotebookNode, notebook: NotebookNode) -> list[NotebookNode]:
    """The outputs of an executed cell: text, tables, cards and figures; of a slider the frame that it starts with."""
    models = widgets(notebook)
    return [kept for output in cell.get("outputs", []) if (kept := output_kept(output, models))]


def widgets(notebook: NotebookNode) -> dict[str, Any]:
    """The models of an executed notebook, by their ids."""
    state: dict[str, Any] = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    return state


def output_kept(output: NotebookNode, models: dict[str, Any]) -> NotebookNode | None:
    """One output without what needs a kernel or the book's pages; nothing if it is too heavy."""
    if "data" in output:
        data = dict(output.data)
        if VIEW in data:
            data["text/html"] = first_frame(data[VIEW]["model_id"], models)
        output = NotebookNode(output | {"data": NotebookNode({kind: data[kind] for kind in KEPT if data.get(kind)})})
        if "text/html" in output.data:
            output.data["text/html"] = _BETWEEN_PAGES.sub(r"\1", "".join(output.data["text/html"]))
    return output if len(str(output)) <= HEAVIEST else None


def first_frame(identity: str, models: dict[str, Any]) -> str:
    """The frame that a slider or a list shows first; empty for any other widget."""
    _, stack = (*_children(identity, models), None, None)[:2]
    frames = _children(stack, models)
    chosen = models.get(stack or "", {}).get("state", {}).get("selected_index") or 0
    return models[frames[chosen]]["state"].get("value", "") if chosen < len(frames) else ""


def _children(identity: str | None, models: dict[str, Any]) -> list[str]:
    children = models.get(identity or "", {}).get("state", {}).get("children", [])
    return [child.removeprefix("IPY_MODEL_") for child in children]
