"""The chapter "The softmax random-energy model": its experiment, figures, claims, stored results."""
