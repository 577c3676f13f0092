"""Computer players: each chooses an action from a redacted view and nothing else."""
