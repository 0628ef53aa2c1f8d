"""The chapter "Where small starts lead": its experiment, figures, claims and stored results."""
