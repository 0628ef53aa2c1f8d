"""Two tasks: inputs of which one is on, and models of a given cosine, linear or rectified."""
