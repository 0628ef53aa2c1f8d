"""Tests of the book and its library. A package, so that none of that name in the environment takes its place."""
