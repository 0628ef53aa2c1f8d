"""The chapter "Cosine similarity and ReLU": its experiment, figures, claims, stored results."""
