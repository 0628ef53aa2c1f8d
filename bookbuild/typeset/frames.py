"""A slider over a stack of frames becomes plain HTML, which `frames.js` moves without widgets.

In JupyterLab it is a widget (`mtlbook_lib.notebook.frames`). A page holds the same pictures, of which it shows the one
that the notebook starts with, also before any script has run.
"""

import json
import re
from dataclasses import dataclass
from html import escape
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

HIDDEN = re.compile(r'<div class="mtl-frame" hidden>')
VIEW = re.compile(r'<script type="application/vnd\.jupyter\.widget-view\+json">(.*?)</script>', re.DOTALL)
STATE = "ipywidgets_state"  # what MyST-NB calls the widgets of a page among its scripts
SCRIPT = "frames.js"
CONTROLS = {"SelectionSliderModel": "slider", "DropdownModel": "list"}

State = dict[str, Any]


@dataclass(frozen=True)
class Frames:
    """What a reader chooses among: kind of control, its label, the names of the frames, the frames, which is first."""

    control: str
    label: str
    names: list[str]
    pictures: list[str]
    start: int


def read(states: dict[str, State], identity: str) -> Frames:
    """The frames that a notebook's widget shows: a control above a stack of HTML."""
    box = states[identity]["state"]
    control, stack = (states[child.removeprefix("IPY_MODEL_")] for child in box.get("children", [None, None]))
    if control["model_name"] not in CONTROLS or stack["model_name"] != "StackModel":
        raise ExtensionError(
            f"a page shows a widget only if it is one of {sorted(CONTROLS)} above a Stack; "
            f"got {control['model_name']} above {stack['model_name']}."
        )
    children = [states[child.removeprefix("IPY_MODEL_")]["state"] for child in stack["state"]["children"]]
    return Frames(
        CONTROLS[control["model_name"]],
        control["state"]["description"],
        list(control["state"]["_options_labels"]),
        [child["value"] for child in children],
        control["state"]["index"],
    )


def html(frames: Frames, identity: str) -> str:
    """The frames as HTML: a labelled control, and below it each picture, hidden unless chosen."""
    control = slider(frames, identity) if frames.control == "slider" else choice(frames, identity)
    pictures = "".join(
        f'<div class="mtl-frame"{"" if index == frames.start else " hidden"}>{picture}</div>'
        for index, picture in enumerate(frames.pictures)
    )
    return (
        '<div class="mtl-frames"><div class="mtl-frames-control">'
        f'<label for="{identity}">{escape(frames.label)}</label>{control}</div>{pictures}</div>'
    )


def slider(frames: Frames, identity: str) -> str:
    """A slider that says the name of its frame."""
    name, names = escape(frames.names[frames.start]), escape(json.dumps(frames.names, ensure_ascii=False))
    return (
        f'<input type="range" id="{identity}" min="0" max="{len(frames.names) - 1}" step="1" value="{frames.start}" '
        f'aria-valuetext="{name}" data-names="{names}" autocomplete="off"><output for="{identity}">{name}</output>'
    )


def choice(frames: Frames, identity: str) -> str:
    """A list of names, for what has no order."""
    options = "".join(
        f"<option{' selected' if index == frames.start else ''}>{escape(name)}</option>"
        for index, name in enumerate(frames.names)
    )
    return f'<select id="{identity}" autocomplete="off">{options}</select>'


def element(body: str, start: int, tag: str) -> str:
    """The element that begins at `start`, with all it holds."""
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(body, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return body[start : found.end()]
    raise ValueError(f"body must close the <{tag}> at {start}; got {body[start : start + 80]!r}.")


def light(figure: str) -> str:
    """A figure without the frames that are hidden until a reader asks for them."""
    while found := HIDDEN.search(figure):
        figure = figure.replace(element(figure, found.start(), "div"), "")
    return figure


def replace_widgets(app: Sphinx, doctree: nodes.document) -> None:
    """Put frames where MyST-NB has put views for a widget manager, and take the widgets' state from the page."""
    files = NbMetadataCollector.get_js_files(app.env, app.env.docname)
    if STATE not in files:
        return
    states = json.loads(files.pop(STATE)[1]["body"])["state"]
    views = [(node, found[1]) for node in doctree.findall(nodes.raw) if (found := VIEW.search(node.astext()))]
    for number, (node, view) in enumerate(views):
        text = html(read(states, json.loads(view)["model_id"]), f"frames-{number}")
        node.parent.replace(node, nodes.raw("", text, format="html", classes=["output", "text_html"]))
    NbMetadataCollector.add_js_file(app.env, app.env.docname, "frames", SCRIPT, {"defer": "defer"})


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", replace_widgets)
