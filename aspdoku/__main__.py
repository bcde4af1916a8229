"""`python -m aspdoku` is `aspdoku`."""

from aspdoku.cli import main

main()
