"""The whole book as one PDF: pages printed by Chromium one by one, joined with a table of contents and links."""
