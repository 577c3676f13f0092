"""The same program in a page: Trio as a guest of the browser's loop, and what a browser has in place of a system."""
