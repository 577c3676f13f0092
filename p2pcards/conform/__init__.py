"""A kit that judges another program: our side of every dialogue, against a program under test, over a real socket."""
