"""The chapter "Shrinking each head by itself": its experiment, figures, claims and stored results."""
