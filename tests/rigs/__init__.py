"""What the tests share: people, programs, modems and lines, machines back to back, forgeries and laws."""
