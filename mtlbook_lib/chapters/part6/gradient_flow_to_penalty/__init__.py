"""The chapter "From gradient flow to a penalty": its experiment, figures, claims and stored results."""
