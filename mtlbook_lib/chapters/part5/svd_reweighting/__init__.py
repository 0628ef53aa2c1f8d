"""The chapter "SVD reweighting": its experiment, figures, claims and stored results."""
