"""`aspdoku lsp`: the command itself; tests/editor has what it answers."""

from cli_runner import run


def test_without_the_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = run("lsp")
    assert result.exit_code == 65
    assert "needs the package pygls, version 2 or later" in result.stderr
    assert "pip install 'aspdoku[editor]'" in result.stderr


def test_an_old_version_of_the_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name == "pygls" or None)
    assert run("lsp").exit_code == 65
