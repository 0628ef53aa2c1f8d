"""One fold for the code of cells that stand side by side: a figure and its checks have one row "Show the code"."""

from docutils import nodes
from sphinx.application import Sphinx

CELL, SOURCE = "cell_code", "cell_code_source"  # what MyST-NB calls the element of a cell, and that of its code


def folded(node: nodes.Node) -> bool:
    """Whether a node is a cell whose code, and only that, is folded."""
    is_cell = isinstance(node, nodes.container) and node.get("nb_element") == CELL and node.get("hide_mode") == "input"
    return is_cell and bool(node.children) and node.children[0].get("nb_element") == SOURCE


def join(app: Sphinx, doctree: nodes.document) -> None:
    """Move the code of a folded cell into the fold before it; outputs stay where they are, in their order."""
    for cell in list(doctree.findall(folded)):
        if not folded(cell):  # its code is in the fold before it by now
            continue
        beside = cell.next_node(descend=False, siblings=True)
        while beside is not None and folded(beside):
            following = beside.next_node(descend=False, siblings=True)
            cell.children[0].extend(beside.pop(0).children)
            del beside["hide_mode"]
            if not beside.children:
                beside.parent.remove(beside)
            beside = following


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", join)
