"""The table as text: pure functions from views and happenings to lines."""
