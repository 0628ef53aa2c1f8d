"""The chapter "Between lazy and rich": its experiment, figures, claims, stored results."""
