"""Inputs for every place where bytes of others are read, guided by what they make the program do."""
