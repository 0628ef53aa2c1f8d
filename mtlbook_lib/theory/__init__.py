"""What the papers, and our corrections of them, predict. NumPy and SciPy only; see the API page of the book."""
