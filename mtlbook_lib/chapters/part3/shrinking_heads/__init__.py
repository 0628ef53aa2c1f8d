"""The chapter "Shrinking each head by itself": its experiment, figures, claims, stored results."""
