"""How front ends speak to the daemon over the local socket."""
