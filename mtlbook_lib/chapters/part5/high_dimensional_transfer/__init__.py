"""The chapter "Transfer in high dimensions, exactly": its experiment, figures, claims, stored results."""
