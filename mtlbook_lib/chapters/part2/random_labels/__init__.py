"""The chapter "Random labels are learned more slowly": its experiment, figures, claims and stored results."""
