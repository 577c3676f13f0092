"""The commands of the program and the line mode."""
