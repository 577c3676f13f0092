"""What makes the files that follow from the program; `scripts/made` runs all of it."""
