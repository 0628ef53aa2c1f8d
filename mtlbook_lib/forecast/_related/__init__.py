"""One task's labels given those of related tasks, averaged over how the tasks may be related."""
