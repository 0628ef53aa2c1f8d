"""The chapter "Many tasks alike": its experiment, figures, claims, stored results."""
