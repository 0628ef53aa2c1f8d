"""The chapter "Bounds on the benefit, and what one strength cannot do": its experiment, figures and claims."""
