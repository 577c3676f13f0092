"""Links carry whole frames over TCP or a serial line, and know nothing of what is in them."""
