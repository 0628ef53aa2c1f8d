"""The chapter "Gradient flow of a softmax classifier": its experiment, figures, claims and stored results."""
