"""Checks of two tables before anything is computed: columns by name, units, repeated rows, null directions."""
