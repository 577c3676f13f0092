"""Links carry whole frames over TCP, memory or a serial line, and know no message."""
