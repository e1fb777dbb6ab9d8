"""The ground: versions, extras, the wheel, links, and what must not be in the tree."""

import ast
import doctest
import fnmatch
import importlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import typer

import dpbook
from dpbook import cli
from dpbook.engine.claims import catalog, record
from dpbook.teaching.exercises import all_exercises

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TEXTS = {".cff", ".ipynb", ".json", ".md", ".py", ".pyi", ".toml", ".txt", ""}
FOLDERS = (".ci", "benchmarks", "chapters", "data", "dpbook", "examples", "notebooks", "tests")


def files():
    """Every text file of the project; never the environment or a cache."""
    here = (path for path in ROOT.iterdir() if path.name != ".git")  # a file in a second worktree
    yield from (path for path in here if path.is_file() and path.suffix in TEXTS)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in TEXTS and "checkpoints" not in str(path.parent):
                yield path


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


def test_version_is_the_same_everywhere():
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "dpbook/__init__.py"
    assert f"\nversion: {dpbook.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {dpbook.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_extra_is_there():
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"lab", "book", "study", "infer", "peers", "dev"} <= set(extras)


def test_constraints_name_one_version_of_each_thing_that_make_installs():
    pins = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, version = line.split("==")
            pins[re.sub(r"[-_.]+", "-", name).lower()] = version
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    for requirement in [*project["dependencies"], *extras["dev"], *extras["lab"]]:
        assert re.match(r"[\w-]+", requirement)[0].lower() in pins
    backend = PROJECT["build-system"]["requires"]
    assert backend == [f"hatchling=={pins['hatchling']}"]
    assert backend[0] in extras["dev"]


# What only extras outside `dev` install; `make test` must collect every test without them.
NOT_IN_DEV = {
    "arviz", "autodp", "axe_playwright_python", "blackjax", "dask", "distributed", "docutils",
    "dp_accounting", "furo", "myst_nb", "opendp", "selenium", "sphinx",
}  # fmt: skip


WITHOUT = """
import importlib, sys

class Lacking:
    def find_spec(self, name, *_):
        if name.split(".")[0] in {}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Lacking())
for name in {}:
    importlib.import_module(name)
"""


def test_tests_are_collected_without_the_other_extras():
    imported = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert not {name for name in imported if name.split(".")[0] in NOT_IN_DEV}
    modules = sorted(name for name in imported if name.split(".")[0] == "dpbook")
    assert len(modules) > 50
    done = run("-c", WITHOUT.format(sorted(NOT_IN_DEV), modules))
    assert done.returncode == 0, done.stderr


STUBS = sorted((ROOT / "dpbook").rglob("__init__.pyi"))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_public_names_are_where_the_stub_says(stub):
    package = importlib.import_module(".".join(stub.parent.relative_to(ROOT).parts))
    said = [
        (node.module, alias.name, alias.asname)
        for node in ast.parse(stub.read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(name for _, name, _ in said) == package.__all__
    for module, name, public in said:
        assert name == public  # else type checkers take the name for a private one
        assert getattr(package, name) is getattr(importlib.import_module(module), name)
        assert name in dir(package)


def test_each_topic_and_dpbook_have_a_stub():
    folders = {stub.parent.name for stub in STUBS}
    assert {"dpbook", "models", "accounting", *record.topics()} == folders


def test_a_module_of_a_package_is_found_as_its_attribute():
    assert dpbook.contamination.models.__name__ == "dpbook.contamination.models"


def test_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'dpbook' has no attribute 'chek'"):
        dpbook.chek  # noqa: B018


@pytest.mark.parametrize(
    "start",
    [
        "import dpbook",
        "import sys; sys.argv = ['dpbook', '--help']; import dpbook.__main__, dpbook.cli\n"
        "try: dpbook.cli.main()\nexcept SystemExit: pass",
    ],
)
def test_start_imports_nothing_heavy(start):
    heavy = (
        "{'sympy', 'numpy', 'scipy', 'numba', 'flint', 'z3', 'matplotlib', 'networkx', 'IPython'}"
    )
    done = run("-c", f"{start}\nimport sys; print('heavy:', *sorted({heavy} & set(sys.modules)))")
    assert done.stdout.splitlines()[-1:] == ["heavy:"], done.stdout + done.stderr


def test_wheel_contains_what_a_reader_needs(tmp_path):
    done = run("-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        scripts = next(name for name in names if name.endswith("entry_points.txt"))
        assert "dpbook = dpbook.__main__:main" in archive.read(scripts).decode()
    package = {str(path.relative_to(ROOT)) for path in (ROOT / "dpbook").rglob("*.py")}
    records = {str(path.relative_to(ROOT)) for path in (ROOT / "dpbook").rglob("record.json")}
    shipped = {
        f"dpbook/shipped/{path.relative_to(ROOT)}"
        for folder, pattern in [("notebooks", "*.ipynb"), ("chapters", "*.md"), ("data", "*.csv")]
        for path in (ROOT / folder).glob(pattern)
    }
    assert records
    assert shipped
    assert package | records | shipped | {"dpbook/py.typed"} <= names
    assert all(name.startswith(("dpbook/", "dpbook-")) for name in names)


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_links_of_a_page_lead_to_something(page):
    text = page.read_text()
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            name, _, anchor = target.partition("#")
            goal = page.parent / name if name else page
            assert goal.exists(), target
            headings = re.findall(r"^#+ (.+)$", goal.read_text(), re.M) if anchor else []
            slugs = {
                re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
            }
            assert not anchor or anchor in slugs, target


def test_readme_names_only_targets_that_make_knows():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(
        re.findall(r"\bmake ([a-z]+)\b", "".join(re.findall(r"`[^`]+`", README.read_text())))
    )
    assert {"verify", "test"} <= named <= targets


def test_readme_lists_the_commands_and_options_that_there_are():
    commands = typer.main.get_command(cli.app).commands
    rows = re.findall(r"^\| (`dpbook .*?) \| (.*?) \|$", README.read_text(), re.M)
    named = {name for usage, _ in rows for name in re.findall(r"`dpbook (\w+)", usage)}
    assert named == set(commands)
    for usage, told in rows:
        name = re.match(r"`dpbook (\w+)", usage)[1]
        known = {
            option
            for command in [commands[name], *getattr(commands[name], "commands", {}).values()]
            for parameter in command.params
            for option in parameter.opts
        } | {"--help"}
        assert set(re.findall(r"--[a-z-]+", f"{usage} {told}")) <= known


def test_container_is_built_of_what_there_is():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    said = dict(line.split(" ", 1) for line in lines if line.partition(" ")[0].isupper())
    python = re.fullmatch(r"python:3\.(\d+)-slim", said["FROM"])
    assert int(python[1]) >= int(PROJECT["project"]["requires-python"].removeprefix(">=3."))
    command = json.loads(said["CMD"])
    assert command[:2] == ["dpbook", "lab"]
    assert f"RUN dpbook lab {command[2]} --no-open" in lines  # before a server of another starts
    assert "RUN dpbook compile" in lines
    settings = next(re.search(r"echo '(.*)' >", line)[1] for line in lines if "echo" in line)
    assert json.loads(settings)["ServerApp"]["ip"] == "0.0.0.0"
    assert f"publish 8888:{said['EXPOSE']} dpbook" in README.read_text()


def test_container_is_given_all_that_its_wheel_needs():
    left_out = (ROOT / ".dockerignore").read_text().split()
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    for path in [*wheel, "pyproject.toml", "README.md", "LICENSE", "constraints.txt"]:
        assert (ROOT / path).exists()
        assert not any(fnmatch.fnmatch(Path(path).parts[0], pattern) for pattern in left_out)


def test_readme_says_how_long_it_takes_and_what_is_decided():
    said = README.read_text()
    assert "--no-cache" in said
    assert re.search(r"`verify` replays .*?minutes\s+at first", said, re.S)
    assert re.search(r"tests take .*?(minutes|hour)", said, re.S)


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README.read_text(), re.S))
def test_example_of_the_readme_answers_as_printed(example):
    test = doctest.DocTestParser().get_doctest(example, {}, "README", str(README), 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda path: path.name)
def test_notebook_was_executed_from_top_to_bottom(path):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    counts = [cell["execution_count"] for cell in cells if "".join(cell["source"]).strip()]
    assert counts == list(range(1, len(counts) + 1))
    assert path.stat().st_size < 500_000


def test_every_claim_that_is_named_exists():
    """In docstrings, messages, chapters and under `cites`; an exercise's id looks like a key."""
    topics = record.topics()
    there = {key for topic in topics for key in (c.key for c in catalog.load(topic))}
    there |= set(all_exercises())
    key = re.compile(rf"\b(?:{'|'.join(topics)}):[a-z]+-[a-z0-9.-]*[a-z0-9]")
    named = [
        (path.relative_to(ROOT), found)
        for folder in ("dpbook", "chapters")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md")
        for found in key.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 100
    assert not [where for where in named if where[1] not in there]
    cited = {key for topic in topics for c in catalog.load(topic) for key in c.cites}
    assert not sorted(key for key in cited if ":" in key and key not in there)


# Written in pieces, so that this file may hold them.
FORBIDDEN = {
    "a path of one machine": r"/(home|root|farm|tmp/\w|Users|" + "work" + r")/",
    "a package registry's host": "python" + "hosted|pypi" + r"\.org|registry\.npm",
    "unfinished work": "TO" + "DO|FIX" + "ME|raise NotImplemented" + "Error",
    "global random state": r"np\.random\.(seed|rand|randn|normal|uniform|laplace|choice)\(",
}


@pytest.fixture(scope="module")
def texts():
    """What stands in each file of the tree but this one."""
    return {
        path.relative_to(ROOT): path.read_text(errors="replace")
        for path in files()
        if path != Path(__file__).resolve()
    }


@pytest.mark.parametrize("what", FORBIDDEN)
def test_tree_is_free_of(what, texts):
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in texts.items()
        for match in re.finditer(FORBIDDEN[what], text)
    ]
    assert not found


def test_readers_import_from_dpbook_and_its_topics_only():
    home = "|".join(["dpbook", *(rf"dpbook\.{topic}(\.\w+)*" for topic in record.topics())])
    texts = [README, ROOT / "CONTRIBUTING.md", *(ROOT / "chapters").glob("*.md")]
    texts += (ROOT / "examples").rglob("*.py")
    found = [
        (text.name, line.strip())
        for text in texts
        for line in text.read_text(encoding="utf-8").splitlines()
        if (named := re.match(r"[\s>.]*(?:from|import)\s+(dpbook[\w.]*)", line))
        and not re.fullmatch(home, named[1])
    ]
    assert found == [], "public names stand in dpbook/__init__.pyi"
