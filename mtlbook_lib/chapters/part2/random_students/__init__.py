"""The chapter "Students that start at random": its experiment, figures, claims and stored results."""
