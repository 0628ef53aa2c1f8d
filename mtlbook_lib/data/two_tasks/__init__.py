"""Two tasks: inputs of which one is on, models of a given cosine (linear or rectified), and points in the plane."""
