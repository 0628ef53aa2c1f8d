"""The chapter "The softmax random-energy model": its experiment, figures, claims and stored results."""
