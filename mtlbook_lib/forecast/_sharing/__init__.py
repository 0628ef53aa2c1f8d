"""Models of several tasks with the interface of scikit-learn, which need not be installed."""
