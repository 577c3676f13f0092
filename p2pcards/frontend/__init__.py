"""What front ends share: the words of the table, what they show, what is asked before they go to the daemon."""
