"""The chapter "Cosine similarity and ReLU": its experiment, figures, claims and stored results."""
