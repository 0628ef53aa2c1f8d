"""The chapter "Covariance alignment": its experiment, figures, claims and stored results."""
