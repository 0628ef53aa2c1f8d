"""The chapter "One shared feature": its experiment, figures, claims and stored results."""
