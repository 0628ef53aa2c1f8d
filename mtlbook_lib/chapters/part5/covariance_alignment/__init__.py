"""The chapter "Covariance alignment": its experiment, figures, claims, stored results."""
