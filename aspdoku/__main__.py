"""The program `aspdoku`, which `python -m aspdoku` runs, too."""

import gc
import os

gc.set_threshold(100_000)  # before the imports, which create many objects and no garbage

from aspdoku.runtime.supervise import INTERRUPTED, supervise  # noqa: E402


def main() -> None:
    """Run a command and end the process with its exit status. The command runs in a child process,
    which is ended at its limits on time and memory. The command line is imported there, because the
    system copies every page of memory that the child writes and that existed before it.
    """
    try:
        ending = supervise(_run)
        if isinstance(ending, int):
            status = ending
        else:
            from aspdoku.cli import status_of_ending  # only the child needs it if all goes well

            status = status_of_ending(ending)
    except KeyboardInterrupt:
        status = INTERRUPTED
    os._exit(status)


def _run() -> int:
    try:
        from aspdoku.cli import run  # not before the fork, see `main`

        return run()
    except KeyboardInterrupt:  # during the import
        return INTERRUPTED


if __name__ == "__main__":
    main()
