"""The settings that several chapters share: pairs of classification tasks."""

classes: int = 10
features: int = 100
hidden: int = 50
start: float = 0.05  # of the weights, over the root of the layer's inputs
rate: float = 0.25
