"""The chapter "Deep networks on images": its experiment, figures, claims and stored results."""
