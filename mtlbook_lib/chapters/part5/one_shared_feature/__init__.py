"""The chapter "One shared feature": its experiment, figures, claims, stored results."""
