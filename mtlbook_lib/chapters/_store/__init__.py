"""The store of what experiments returned: results on disk, the keys that name them, the code that keys are made of."""
