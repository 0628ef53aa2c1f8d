"""The one shared direction of two tasks, of many tasks, and task after task."""
