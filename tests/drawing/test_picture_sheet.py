"""The sheet of all elaborations in docs/ is up to date."""

import sys

import pytest
from instance_files import ROOT


@pytest.mark.slow
def test_the_contact_sheet_is_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    sys.modules.pop("build", None)
    import build

    assert build.contact_sheet() == build.SHEET.read_text("utf-8")
