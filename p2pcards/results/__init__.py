"""Every game that came to its end here: who won it, with what, and how good that makes them."""
