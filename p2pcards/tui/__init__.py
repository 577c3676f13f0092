"""The full-screen table: a front end in a process of its own, which speaks to the daemon as the line mode does."""
