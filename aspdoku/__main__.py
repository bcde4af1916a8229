"""The program `aspdoku`, which `python -m aspdoku` runs, too."""

import gc

gc.set_threshold(100_000)  # before the imports, which create many objects and no garbage

from aspdoku.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
