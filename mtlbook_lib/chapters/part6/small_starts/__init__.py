"""The chapter "Where small starts lead": its experiment, figures, claims, stored results."""
