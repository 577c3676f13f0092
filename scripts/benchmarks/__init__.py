"""What scripts/bench measures, a module a section."""
