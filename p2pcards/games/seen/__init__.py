"""What readings of several games share: how the view of a seat becomes whole numbers."""
