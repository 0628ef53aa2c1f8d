"""The types of what a chapter publishes beside text and pictures; the build compares it."""

CLAIM = "application/vnd.mtlbook.claim+json"
FIGURE = "application/vnd.mtlbook.figure+json"  # what is drawn where; shown nowhere
