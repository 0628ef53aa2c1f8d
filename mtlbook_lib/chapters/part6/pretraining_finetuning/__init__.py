"""The chapter "Pretraining, then finetuning": its experiment, figures, claims, stored results."""
