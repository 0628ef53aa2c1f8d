"""A chapter's own parts: its experiment, figures, claims and stored results; and what several chapters share.

An experiment is a function from settings and sizes to plain arrays or a small dataclass of them. It holds no formula of
its own. Its sizes follow ``MTLBOOK_PROFILE``: see ``chapters.sizes``.
"""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
