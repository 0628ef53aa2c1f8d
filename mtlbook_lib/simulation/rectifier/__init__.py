"""Students with leaky rectifiers: descent on their layers, and students of several tasks."""
