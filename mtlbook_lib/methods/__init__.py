"""What a practitioner applies to data of their own. NumPy, the book's theory, and torch for `sharing`."""
