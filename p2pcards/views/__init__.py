"""What one end of a table sees and is told, as plain frozen data."""
