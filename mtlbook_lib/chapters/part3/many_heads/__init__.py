"""The chapter "Many tasks alike": its experiment, figures, claims and stored results."""
