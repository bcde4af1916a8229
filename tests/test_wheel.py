"""The wheel works when installed without a checkout, and what is published is as it should be."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

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


def module(python, *arguments, cwd):
    """Run a module that may need the package registry."""
    done = call(python, "-m", *arguments, cwd=cwd)
    output = (done.stdout + done.stderr).decode()
    if done.returncode and any(sign in output for sign in UNREACHABLE):
        pytest.skip(f"the package registry cannot be reached: {output.strip().splitlines()[-1]}")
    assert done.returncode == 0, output


def pip(python, *arguments, cwd):
    module(python, "pip", "--disable-pip-version-check", *arguments, cwd=cwd)


def needs(name):
    return pytest.mark.skipif(find_spec(name) is None, reason=f"needs {name}, of aspdoku[dev]")


def built(source, folder, *kinds):
    """The files that `python -m build` makes: of these kinds, else the sdist and its wheel."""
    if find_spec("build") is None:
        pytest.skip("needs build, of aspdoku[dev]")
    module(sys.executable, "build", *kinds, "--outdir", folder, source, cwd=folder)
    return sorted(folder.iterdir())


def interpreter(version):
    """A Python of this version, by its name or by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for python in (f"python{version}", *sorted(pyenv.glob(f"{version}.*/bin/python"))):
        found = shutil.which(python)
        if found and call(found, "-c", "import ensurepip, venv", cwd=FOLDER).returncode == 0:
            return found
    pytest.skip(f"Python {version} is not installed here")
    return None


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


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    (file,) = built(ROOT, tmp_path_factory.mktemp("sdist"), "--sdist")
    return file


@pytest.fixture
def elsewhere(tmp_path):
    assert ROOT not in tmp_path.parents
    return tmp_path


def bundled_pages():
    """The pages of the repository, without those that only the site needs and long tables."""
    listed = call("git", "ls-files", "docs/*.md", cwd=ROOT)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    names = ("index", "hour", "rules", "formalisms")
    left_out = {f"docs/{name}.md" for name in names}
    pages = set(listed.stdout.decode().split())
    assert left_out < pages
    return pages - left_out


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
    expected |= {f"aspdoku/{page}": (ROOT / page).read_bytes() for page in bundled_pages()}
    expected["aspdoku/CONTRIBUTING.md"] = (ROOT / "CONTRIBUTING.md").read_bytes()
    assert {name: text for name, text in held.items() if ".dist-info/" not in name} == expected


@needs("twine")
@needs("check_wheel_contents")
def test_nothing_is_found_in_what_is_published(wheel, sdist):
    for command in (
        ("twine", "check", "--strict", wheel, sdist),
        ("check_wheel_contents", "--config", ROOT / "pyproject.toml", wheel),
    ):
        done = call(sys.executable, "-m", *command, cwd=ROOT)
        assert done.returncode == 0, done.stdout.decode()


def test_builds_are_equal_byte_for_byte(wheel, sdist, tmp_path):
    """The sdist of the unpacked sdist, in another folder with other times of files, and the wheel
    of that one.
    """
    (tmp_path / "built").mkdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("aspdoku-*")
    for file in source.rglob("*"):
        os.utime(file)
    again, of_sdist = sorted(built(source, tmp_path / "built"), key=lambda file: file.suffix)
    assert again.name == sdist.name
    assert again.read_bytes() == sdist.read_bytes()
    assert of_sdist.name == wheel.name
    assert of_sdist.read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_sdist_is_installed_on_each_version_of_python(version, sdist, elsewhere):
    done = call(interpreter(version), "-m", "venv", elsewhere / "venv", cwd=elsewhere)
    assert done.returncode == 0, done.stderr
    bin_ = elsewhere / "venv" / "bin"
    pip(bin_ / "python", "install", sdist, cwd=elsewhere)
    solution = (FOLDER / "made" / "killer.solution.txt").read_text("utf-8")
    done = call(bin_ / "aspdoku", "solve", "--format", "line", "example:killer", cwd=elsewhere)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "".join(solution.split()) + "\n"


def test_the_sbom_lists_the_bundled_engine(wheel):
    """With the hashes of the files, and with each program that LICENSES.txt names."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if "/sboms/" in each)
        (engine,) = json.loads(archive.read(name))["components"]
        hashes = {
            each["name"]: each["hashes"][0]["content"]
            for each in engine["components"]
            if each["type"] == "file"
        }
        static = "aspdoku/web/static/"
        engines = {f"{static}clingo.js", f"{static}clingo.wasm.gz"}
        assert hashes == {each: sha256(archive.read(each)).hexdigest() for each in engines}
        licences = archive.read(f"{static}LICENSES.txt").decode()
    programs = [engine, *(each for each in engine["components"] if each["type"] == "library")]
    titles = [line for line in licences.splitlines() if line.startswith("== ")]
    for each in programs:
        named = f"{each['name']} {each.get('version', '')}".strip()
        assert any(re.search(rf"{re.escape(named)}(?![\w.-])", title) for title in titles), named
    for title in titles:
        assert any(each["name"] in title for each in programs), title
    assert {each["name"]: each["licenses"][0]["license"]["id"] for each in programs} == {
        each["name"]: "Apache-2.0" if each is engine else "MIT" for each in programs
    }


def test_the_pages_are_read_without_the_checkout(installed, elsewhere):
    listed = call(installed / "aspdoku", "docs", cwd=elsewhere).stdout.decode().splitlines()
    topics = [page.removeprefix("docs/").removesuffix(".md") for page in bundled_pages()]
    assert [line.split()[0] for line in listed] == sorted(topics)
    tutorial = (ROOT / "docs" / "tutorial.md").read_bytes()
    missing = b"[The page of rules](rules.md)"
    assert missing in tutorial
    shown = call(installed / "aspdoku", "docs", "tutorial", cwd=elsewhere).stdout
    assert missing not in shown
    assert b"The page of rules shows" in shown


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
