"""The chapter "Teachers, labels, and what SNR means": its experiment, figures, claims, stored results."""
