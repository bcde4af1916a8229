"""The wheel works when installed without a checkout."""

import os
import subprocess
import sys
import venv
import zipfile

import pytest
from instance_files import FOLDER, ROOT

pytestmark = pytest.mark.slow

UNREACHABLE = (
    "No matching distribution",
    "Connection",
    "Temporary failure",
    "Name or service",
    "ProxyError",
    "timed out",
)


def clean_environment():
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "ASPDOKU_PATH", "VIRTUAL_ENV")
    }


def call(*command, cwd):
    return subprocess.run(
        list(map(str, command)), capture_output=True, cwd=cwd, env=clean_environment(), timeout=600
    )


def pip(python, *arguments, cwd):
    done = call(python, "-m", "pip", "--disable-pip-version-check", *arguments, cwd=cwd)
    output = (done.stdout + done.stderr).decode()
    if done.returncode and any(sign in output for sign in UNREACHABLE):
        pytest.skip(f"the package registry cannot be reached: {output.strip().splitlines()[-1]}")
    assert done.returncode == 0, output


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of commands of a virtual environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    pip(folder / "bin" / "python", "install", wheel, cwd=folder)
    return folder / "bin"


@pytest.fixture
def elsewhere(tmp_path):
    assert ROOT not in tmp_path.parents
    return tmp_path


def test_the_wheel_contains_the_files_of_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    expected = {
        str(
            file.relative_to(ROOT) if folder == "aspdoku" else "aspdoku" / file.relative_to(ROOT)
        ): file.read_bytes()
        for folder in (
            *("aspdoku", "asp", "rivals", "instances/slides", "instances/made"),
            *("instances/lessons", "instances/boards", "instances/owl", "instances/prolog"),
            "instances/csp",
        )
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    expected |= {
        f"aspdoku/{name}": (ROOT / name).read_bytes()
        for name in ("CONTRIBUTING.md", "docs/tutorial.md")
    }
    assert {name: text for name, text in held.items() if ".dist-info/" not in name} == expected


def test_the_installed_package_is_imported(installed, elsewhere):
    done = call(
        installed / "python", "-c", "import aspdoku; print(aspdoku.__file__)", cwd=elsewhere
    )
    assert done.stdout.decode().strip().startswith(str(installed.parent))


def test_it_solves_a_puzzle(installed, elsewhere):
    puzzle, solution = (
        FOLDER / "slides" / "anti-knight.txt",
        FOLDER / "slides" / "anti-knight.solution.txt",
    )
    done = call(
        installed / "aspdoku",
        "solve",
        "--format",
        "line",
        "--with",
        "anti-knight",
        puzzle,
        cwd=elsewhere,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "".join(solution.read_text("utf-8").split()) + "\n"


def test_it_solves_a_bundled_puzzle(installed, elsewhere):
    solution = (FOLDER / "made" / "killer.solution.txt").read_text("utf-8")
    done = call(installed / "aspdoku", "solve", "--format", "line", "example:killer", cwd=elsewhere)
    assert done.stdout.decode() == "".join(solution.split()) + "\n"
    listed = call(installed / "aspdoku", "example", cwd=elsewhere).stdout
    assert listed == call(sys.executable, "-m", "aspdoku", "example", cwd=elsewhere).stdout


def test_it_prints_the_base_byte_for_byte(installed, elsewhere):
    done = call(installed / "aspdoku", "program", "-c", "n=4", cwd=elsewhere)
    base = (
        b"\n% -- asp/base.lp\n"
        + (ROOT / "asp" / "base.lp").read_bytes()
        + b"\n% -- asp/elaborations/box.lp\n"
    )
    assert done.stdout.count(base) == 1
    everything = call(
        installed / "aspdoku", "program", "-c", "n=4", "--with", "offset,killer", cwd=elsewhere
    ).stdout
    assert (
        everything
        == call(
            sys.executable,
            "-m",
            "aspdoku",
            "program",
            "-c",
            "n=4",
            "--with",
            "offset,killer",
            cwd=elsewhere,
        ).stdout
    )


def test_it_lists_and_prints_every_rule(installed, elsewhere):
    for file in sorted((ROOT / "asp" / "elaborations").glob("*.lp")):
        assert (
            call(installed / "aspdoku", "rules", file.stem, cwd=elsewhere).stdout
            == file.read_bytes()
        )


def test_it_generates_puzzles(installed, elsewhere):
    """The wheel contains the files that draw clues, and their shapes."""
    command = ("generate", "--with", "thermo,killer", "--size", "4", "--seed", "1")
    done = call(installed / "aspdoku", *command, cwd=elsewhere)
    assert b"[thermo]" in done.stdout
    assert b"[cage]" in done.stdout


def test_it_starts_a_rule_and_draws_html(installed, elsewhere):
    """The wheel contains the templates."""
    assert call(installed / "aspdoku", "new", "mine", cwd=elsewhere).returncode == 0
    assert call(installed / "aspdoku", "check", "mine.lp", cwd=elsewhere).returncode == 0
    script = "import aspdoku; print(aspdoku.Puzzle.blank(4)._repr_html_())"
    drawn = call(installed / "python", "-c", script, cwd=elsewhere)
    assert drawn.stdout.count(b'class="frame"') == 1


def test_it_works_on_a_read_only_file_system(installed, elsewhere):
    """As if installed by an administrator: compiled templates cannot be cached, which causes no
    message.
    """
    done = call(
        installed / "python",
        "-B",
        "-m",
        "aspdoku",
        "solve",
        "-c",
        "n=4",
        "-n",
        "1",
        "--format",
        "line",
        cwd=elsewhere,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.strip()) == 16
