"""The chapter "When does a second task help?": its experiment, figures, claims and stored results."""
