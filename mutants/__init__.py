"""How many small errors in the code would the unit tests notice? Run as `python -m mutants`."""
