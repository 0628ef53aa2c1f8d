"""The page "One hour": its experiments and figures."""
