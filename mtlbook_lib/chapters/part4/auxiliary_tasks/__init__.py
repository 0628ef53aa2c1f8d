"""The chapter "When does an auxiliary task help?": its experiment, figures, claims and stored results."""
