"""The command line: files of tables in, forecasts and predictions out. `main` has the commands."""

from mtlbook_lib._lazy import modules

__getattr__, __dir__ = modules(__name__, __path__)
