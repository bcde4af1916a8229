"""What a class learns from the program: evidence of elaboration, and whether two rules are the same. Prints nothing."""
