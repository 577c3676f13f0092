"""What stays on disk: identity, known peers, settings and game logs. Plain blocking functions, no event loop."""
