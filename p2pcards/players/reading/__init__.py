"""How the view of a seat is read into whole numbers, a file for each game."""
