"""The chapter "Which prior does finetuning use?": its experiment, figures, claims and stored results."""
