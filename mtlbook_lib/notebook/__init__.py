"""What a chapter shows: claims, figures, interactive frames and progress."""
