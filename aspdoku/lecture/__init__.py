"""What a class learns from the program.

Evidence of elaboration, and whether two rules are the same. Prints nothing.
"""
