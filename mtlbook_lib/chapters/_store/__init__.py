"""Keys of what is stored: the code that a result came from, and files that are read whole or not at all."""
