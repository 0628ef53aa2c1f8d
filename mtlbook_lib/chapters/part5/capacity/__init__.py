"""The chapter "How wide should the shared module be?": its experiment, figures, claims and stored results."""
