"""The chapter "Real language": its experiment, figures, claims, and what made its data."""
