"""How the book is made: execute the chapters, cache what they printed, build the pages, compare with references."""
