"""The chapter "Infinite data": its experiment, figures, claims and stored results."""
