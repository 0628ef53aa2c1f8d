"""The chapter "Pretraining, then finetuning": its experiment, figures, claims and stored results."""
