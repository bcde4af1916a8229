"""Work that is put off, in a process of its own, since the modules are loaded here already."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.versions


@pytest.mark.parametrize(
    "code",
    [
        # Whoever imports the module afterwards gets the real class, and click the empty one.
        "import_without('click', {'uuid': 'UUID'}); import click, uuid;"
        "assert uuid.UUID(int=1).hex.endswith('1') and not hasattr(click.types.uuid, 'uuid4')",
        # A module that is loaded already stays.
        "import uuid; import_without('click', {'uuid': 'UUID'}); import click;"
        "assert click.types.uuid is uuid",
        # What cannot be imported leaves nothing behind.
        "import contextlib\n"
        "with contextlib.suppress(ImportError): import_without('no_such', {'uuid': 'UUID'})\n"
        "import uuid; assert uuid.uuid4()",
        # A module that is loaded later is the real one as soon as something in it is used.
        "load_later('textwrap'); import textwrap;"
        "assert textwrap.dedent(' a') == 'a' and sys.modules['textwrap'] is not textwrap",
    ],
)
def test_modules(code):
    start = "import sys\nfrom aspdoku.lazy import import_without, load_later\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
