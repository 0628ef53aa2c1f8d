"""Chapters are tests too: see bookbuild/pytest_plugin.py."""

pytest_plugins = ["bookbuild.pytest_plugin"]
