"""The chapter "Between lazy and rich": its experiment, figures, claims and stored results."""
