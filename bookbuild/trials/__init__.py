"""Trials of the book: on other machines, with other seeds, against the clock."""
