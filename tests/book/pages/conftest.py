"""Fixtures of the small book."""

from small_book import build, project

__all__ = ["build", "project"]
