"""A progress bar for those who wait at a notebook; nothing where the output is kept."""

from collections.abc import Iterable
from typing import TypeVar

from mtlbook_lib._checks import count, instance, short
from mtlbook_lib.notebook._show import building, in_kernel

Item = TypeVar("Item")


def bar(iterable: Iterable[Item], description: str = "", total: int | None = None) -> Iterable[Item]:
    """The items of `iterable`, with a bar that goes away when it is done.

    There is no bar while the book is built (``MTLBOOK_BUILD`` is set) or outside a notebook kernel.
    """
    instance("description", description, str)
    if not isinstance(iterable, Iterable):
        raise TypeError(f"iterable must be something to iterate over, such as a list; got {short(iterable)}.")
    if total is not None:
        count("total", total, minimum=0)
    if building() or not in_kernel():
        return iterable
    from tqdm.auto import tqdm

    bar_of_items: Iterable[Item] = tqdm(iterable, desc=description, total=total, leave=False)
    return bar_of_items
