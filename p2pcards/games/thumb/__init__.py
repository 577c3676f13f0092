"""What rules of thumb of several games share. The novice of each stands in its folder: pure functions over a view."""
