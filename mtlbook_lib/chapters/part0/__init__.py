"""The ways into the book; one module for each page that computes, with its name."""
