"""Deep linear students: their weights, gradient flow and descent on their layers, and what to watch in them."""
