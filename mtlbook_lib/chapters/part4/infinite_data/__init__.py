"""The chapter "Infinite data": its experiment, figures, claims, stored results."""
