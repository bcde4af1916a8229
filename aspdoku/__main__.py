"""The program `aspdoku`, which `python -m aspdoku` runs, too."""

import gc
import os

gc.set_threshold(100_000)  # before the imports, which create many objects and no garbage

from aspdoku.supervision import INTERRUPTED, supervise  # noqa: E402

# Modules that click, clingo and the standard library import and rarely use: 12 ms.
_RARELY_USED = ("copy", "fnmatch", "inspect", "ipaddress", "linecache", "ntpath", "textwrap")
# Classes of which click has a parameter type that no command uses: 5 ms.
_UNUSED = {"uuid": "UUID", "datetime": "datetime"}


def main() -> None:
    """Run a command and end the process with its exit status.

    The command runs in a child process, which is ended at its limits on time and memory
    (`aspdoku.supervision`). The command line is imported there, because the system copies every
    page of memory that the child writes and that existed before it.
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
        from aspdoku.lazy import import_without, load_later  # not before the fork, see `main`

        load_later(*_RARELY_USED)
        import_without("click", _UNUSED)
        from aspdoku.cli import run

        return run()
    except KeyboardInterrupt:  # during the import
        return INTERRUPTED


if __name__ == "__main__":
    main()
