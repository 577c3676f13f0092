"""What games share that tell what an action is for and what a hand is good for, as far as its seat sees."""
