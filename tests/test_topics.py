"""What a topic must have. A folder `claims` makes a package a topic, and then all of this holds for it."""

import importlib
import inspect
import re
import runpy
from pathlib import Path

import pytest

from dpbook.engine import ledger, record
from dpbook.engine.claim import Source
from dpbook.engine.domain import RangedSymbol
from dpbook.teaching import exercises

ROOT = Path(__file__).parents[1]
TOPICS = record.topics()
PACKAGES = sorted(
    path.parent.name
    for path in (ROOT / "dpbook").glob("*/__init__.py")
    if path.parent.name not in ("engine", "ext", "kernel", "teaching")
)
FROM_THE_LITERATURE = {"privacy"}  # each of its claims names a source of its own
FEWEST_EXERCISES = 6


def sources(topic):
    """The chapters that a topic's name stands in the name of."""
    return sorted((ROOT / "chapters").glob(f"[0-9][0-9]_{topic}*.md"))


def test_a_package_with_claims_is_a_topic():
    assert set(TOPICS) <= set(PACKAGES)
    assert {"privacy", "langevin", "posterior_sampling"} <= set(TOPICS)


# --- public names: of every package, with claims or without ------------------------------------------


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_importable_from_the_package(name):
    package = importlib.import_module(f"dpbook.{name}")
    assert len(package.__doc__.splitlines()) > 1
    assert list(package.__all__) == sorted(set(package.__all__))
    assert set(package.__all__) == set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_have_docstrings_with_their_parameters(name):
    package = importlib.import_module(f"dpbook.{name}")
    missing = []
    for public in package.__all__:
        thing = getattr(package, public)
        if not callable(thing):
            continue
        words = inspect.getdoc(thing) or ""
        if inspect.isfunction(thing) and inspect.signature(thing).parameters:
            if "Parameters\n---" not in words:
                missing.append(public)
        elif not words or words.startswith(f"{public}("):  # what a dataclass writes by itself
            missing.append(public)
    assert missing == []


# --- claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", TOPICS)
def test_claims_name_their_paper(topic):
    module = importlib.import_module(f"dpbook.{topic}.claims")
    if topic not in FROM_THE_LITERATURE:
        assert isinstance(module.SOURCE, Source)
        assert module.SOURCE.paper
        assert module.SOURCE.version
    for claim in ledger.load(topic):
        assert claim.title, claim.key
        assert str(claim.source), claim.key
    sections = [path for path in Path(module.__path__[0]).glob("*.py") if path.stem != "__init__"]
    for path in sections:
        first = importlib.import_module(f"dpbook.{topic}.claims.{path.stem}").__doc__ or ""
        assert first.strip(), path.name


@pytest.mark.parametrize("topic", TOPICS)
def test_symbols_stand_in_the_notation_with_a_meaning(topic):
    module = importlib.import_module(f"dpbook.{topic}.notation")
    found = {name: one for name, one in vars(module).items() if isinstance(one, RangedSymbol)}
    assert found
    assert [name for name, one in found.items() if not one.meaning] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_claim_is_on_record_as_it_stands(topic):
    rows = record.read_record(record.record_path(topic))
    claims = {claim.key: claim for claim in ledger.load(topic)}
    assert list(rows) == list(claims)
    assert [key for key, row in rows.items() if row["hash"] != claims[key].hash] == []
    assert [key for key, row in rows.items() if row["verdict"] == "undecided"] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_refuted_has_a_repair_or_says_why_not(topic):
    rows = record.read_record(record.record_path(topic))
    claims = ledger.load(topic)
    repaired = {key for claim in claims for key in claim.corrects}
    for claim in claims:
        if rows[claim.key]["verdict"] == "refuted":
            assert claim.key in repaired or claim.effect or claim.fault, claim.key


# --- what is taught -----------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", TOPICS)
def test_there_are_exercises_with_answers_that_are_tried(topic):
    keys = list(exercises.ids(topic))
    assert len(keys) >= FEWEST_EXERCISES
    answers = runpy.run_path(str(ROOT / "tests" / topic / "answers.py"))
    assert [key for key in keys if key not in answers["RIGHT"]] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_a_chapter_teaches_it_and_shows_its_claims(topic):
    assert sources(topic), f"no chapters/NN_{topic}*.md"
    text = "\n".join(path.read_text() for path in sources(topic))
    keys = {claim.key for claim in ledger.load(topic)}
    assert keys & set(re.findall(rf"\b{topic}:[a-z0-9.-]*[a-z0-9]", text))
    asked = set(re.findall(r'exercises\.check\("([^"]+)"', text))
    assert len({key for key in asked if key.startswith(f"{topic}:")}) >= FEWEST_EXERCISES
    for path in sources(topic):
        assert (ROOT / "notebooks" / f"{path.stem}.ipynb").is_file()


@pytest.mark.parametrize("topic", TOPICS)
def test_the_readme_and_the_glossary_lead_to_it(topic):
    assert f"dpbook/{topic}" in (ROOT / "README.md").read_text()
    assert (ROOT / "tests" / topic).is_dir()
