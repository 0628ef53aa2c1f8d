"""Models of several tasks with the habits of scikit-learn, which need not be installed."""
