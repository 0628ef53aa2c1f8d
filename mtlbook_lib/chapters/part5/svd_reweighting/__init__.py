"""The chapter "SVD reweighting": its experiment, figures, claims, stored results."""
