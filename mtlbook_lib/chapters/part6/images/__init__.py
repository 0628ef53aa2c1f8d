"""The chapter "Deep networks on images": its experiment, figures, claims, stored results."""
