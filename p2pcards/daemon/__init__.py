"""The Trio program that holds our seats: tables, links, and the control socket."""
