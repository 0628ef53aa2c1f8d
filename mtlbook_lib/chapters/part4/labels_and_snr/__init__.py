"""The chapter "Teachers, labels, and what SNR means": its experiment, figures, claims and stored results."""
