"""What a practitioner applies to data of their own. NumPy, and the book's theory."""
