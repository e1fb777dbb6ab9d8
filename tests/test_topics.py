"""What a topic must have. A folder `claims` makes a package a topic, and then all of this holds for it."""

import dataclasses
import doctest
import importlib
import inspect
import itertools
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from dpbook.engine.claims import catalog, record
from dpbook.engine.claims.claim import Source
from dpbook.engine.language.card import marks
from dpbook.engine.language.domain import RangedSymbol
from dpbook.teaching import exercises

ROOT = Path(__file__).parents[1]
TOPICS = record.topics()
PACKAGES = sorted(
    path.parent.name
    for path in (ROOT / "dpbook").glob("*/__init__.py")
    if path.parent.name not in ("engine", "ext", "kernel", "study", "teaching")
)
FROM_THE_LITERATURE = {"privacy"}  # each of its claims names a source of its own
FEWEST_EXERCISES = 6


def sources(topic):
    """The chapters that a topic's name stands in the name of."""
    return sorted((ROOT / "chapters").glob(f"[0-9][0-9]_{topic}*.md"))


def package_of(name):
    """A package whose public names are listed."""
    package = importlib.import_module(f"dpbook.{name}")
    assert hasattr(package, "__all__"), (
        f"copy the last lines of dpbook/langevin/__init__.py into dpbook/{name}/__init__.py, and name "
        "in __init__.pyi beside it what is public"
    )
    return package


def record_of(topic, claims):
    """The record of a topic, of which no claim is missing."""
    rows = record.read_record(record.record_path(topic))
    missing = [claim.key for claim in claims if claim.key not in rows]
    assert missing == [], f"put them on record: dpbook verify --topic {topic} --record"
    return rows


def test_a_package_with_claims_is_a_topic():
    assert set(TOPICS) <= set(PACKAGES)
    assert {"privacy", "langevin", "posterior_sampling"} <= set(TOPICS)


# --- public names: of every package, with claims or without ------------------------------------------

OF_EACH_TOPIC = {"Setting", "FIGURE_1", "Release", "Chains"}  # langevin.Setting: the topic is said


def test_a_public_name_of_two_packages_is_one_of_each_topic_or_says_what_the_other_is():
    homes = {}
    for name in PACKAGES:
        package = package_of(name)
        for public in set(package.__all__) - OF_EACH_TOPIC:
            homes.setdefault(public, {})[getattr(package, public).__module__.split(".")[1]] = name
    for public, packages in homes.items():
        if len(packages) > 1:
            assert "privacy" in packages, (
                f"{public} is a public name of {sorted(packages)}: rename it in all but one"
            )
            for name in set(packages.values()) - {"privacy"}:
                said = inspect.getdoc(getattr(importlib.import_module(f"dpbook.{name}"), public))
                assert f"dpbook.privacy.{public}" in said, (
                    f"the docstring of {name}.{public} says how it differs from dpbook.privacy.{public}"
                )


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_importable_from_the_package(name):
    package = package_of(name)
    assert len((package.__doc__ or "").splitlines()) > 1, (
        f"dpbook/{name}/__init__.py: its docstring is a tour of some lines; see dpbook/langevin/__init__.py"
    )
    assert list(package.__all__) == sorted(set(package.__all__)), "sort the names in __init__.pyi"
    assert set(package.__all__) == set(dir(package)), (
        f"dpbook/{name}/__init__.py: public names stand in __init__.pyi beside it, one import a line; "
        "copy dpbook/langevin/__init__.py"
    )
    for public in package.__all__:
        assert getattr(package, public) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_have_docstrings_with_their_parameters(name):
    package = package_of(name)
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
    assert missing == [], (
        "a public function has a numpydoc docstring with a section Parameters, a class a docstring"
    )


# Every module of dpbook whose text shows an example.
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "dpbook").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_are_true(module):
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("name", PACKAGES)
def test_public_functions_and_classes_have_an_example(name):
    package = package_of(name)
    lacking = {
        public
        for public in package.__all__
        if callable(one := getattr(package, public)) and ">>>" not in (inspect.getdoc(one) or "")
    }
    assert lacking == set(), "its docstring shows a call after >>>"


# --- one grammar of parameters --------------------------------------------------------------------------

MOST_SHARED = 5  # numbers of a setting; functions that share more of them are methods of one
NOT_OF_A_SETTING = {"rng", "size", "version", "x", "y"}
OTHER_WORDS = {"generator", "seed", "random_state", "samples", "n_samples", "num_samples"}
# A rate of one of these takes gamma_2 where a setting has n and c, or integers that no double holds.
THRESHOLDS = {
    *("certify", "least_records", "least_records_for_centre", "least_records_for_power"),
    "theorem_1",
}
RUNS = {"sample", "sample_regression", "sample_sums"}  # of one chain, for three kinds of models
RATES = {"deviation_bound", "failure_bound", "least_delta"}  # constants of one theorem each
SHARING = {"langevin": THRESHOLDS, "unknown_sample_size": RUNS, "depth_medians": RATES}


def parameters(name):
    """The parameters of each public function, and of each public method of a `Setting`."""
    package = package_of(name)
    found = {one: getattr(package, one) for one in package.__all__}
    functions = {key: one for key, one in found.items() if inspect.isfunction(one)}
    for key, one in found.items():
        if inspect.isclass(one):
            for method, what in inspect.getmembers(one, inspect.isfunction):
                if not method.startswith("_"):
                    functions[f"{key}.{method}"] = what
    return {key: inspect.signature(one).parameters for key, one in functions.items()}


@pytest.mark.parametrize("name", PACKAGES)
def test_no_functions_repeat_the_numbers_of_a_setting(name):
    found = {
        key: set(known) - NOT_OF_A_SETTING
        for key, known in parameters(name).items()
        if "." not in key and key not in SHARING.get(name, ())
    }
    shared = {
        (one, other): found[one] & found[other] for one, other in itertools.combinations(found, 2)
    }
    assert {pair: both for pair, both in shared.items() if len(both) > MOST_SHARED} == {}, (
        f"functions that share more than {MOST_SHARED} numbers are methods of a Setting"
    )


IN_ORDER = {  # of three numbers or more that are told apart by their place, as the formula has them
    "contaminated", "gaussian_scale", "time_use_setting", "least_margin",
}  # fmt: skip


@pytest.mark.parametrize("name", PACKAGES)
def test_three_numbers_or_more_are_given_by_name(name):
    for key, known in parameters(name).items():
        if "." in key:
            continue
        places = [
            one.name
            for one in known.values()
            if one.kind is one.POSITIONAL_OR_KEYWORD and "float" in str(one.annotation)
        ]
        assert len(places) <= 2 or key in IN_ORDER, f"{key}: put * before the third number"


@pytest.mark.parametrize("name", PACKAGES)
def test_what_is_drawn_has_a_size_and_comes_from_rng(name):
    for key, known in parameters(name).items():
        if "rng" in known:
            assert not OTHER_WORDS & set(known), f"{key}: the words are rng and size"
            kind = str(known["rng"].annotation)
            assert "Generator" in kind, f"{key}: rng is annotated as np.random.Generator"
            assert known["rng"].default is None or "." in key, f"{key}: rng is None by default"


PAPERS = [topic for topic in TOPICS if topic not in FROM_THE_LITERATURE]


def methods(one):
    """Public names of a class that are no fields: what it can be asked."""
    own = {field.name for field in dataclasses.fields(one)}
    return {name for name in dir(one) if not name.startswith("_")} - own


def setting_of(topic):
    """The class that holds the numbers of a paper."""
    setting = getattr(package_of(topic), "Setting", None)
    assert dataclasses.is_dataclass(setting), (
        f"dpbook.{topic}.Setting is a frozen dataclass: the numbers of the paper as its fields, "
        "the paper's questions as its methods; see dpbook/langevin/setting.py"
    )
    return setting


def settings_of(topic):
    """The settings of a paper that have a name."""
    package, setting = package_of(topic), setting_of(topic)
    public = {name: getattr(package, name) for name in package.__all__}
    found = {name: one for name, one in public.items() if isinstance(one, setting)}
    assert found, f"name a Setting of the paper, such as FIGURE_1, in dpbook/{topic}/__init__.pyi"
    return found


@pytest.mark.parametrize("topic", PAPERS)
def test_a_paper_has_a_setting_that_is_frozen_and_answers(topic):
    setting = setting_of(topic)
    assert setting.__dataclass_params__.frozen, f"{topic}.Setting: @dataclass(frozen=True)"
    assert setting.__hash__ is not object.__hash__, f"{topic}.Setting: its fields can be hashed"
    assert len(dataclasses.fields(setting)) >= 2, f"{topic}.Setting has two numbers or more"
    assert len(methods(setting)) >= 4, f"{topic}.Setting answers four questions or more"
    for name in methods(setting):
        assert inspect.getdoc(getattr(setting, name)), f"{topic}.Setting.{name} has a docstring"


@pytest.mark.parametrize("topic", PAPERS)
def test_a_setting_of_the_paper_has_a_name(topic):
    package = package_of(topic)
    for name, one in settings_of(topic).items():
        assert name.isupper(), f"{name}: a setting of the paper has a name in capitals"
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, dataclasses.fields(one)[0].name, None)
        texts = [path.read_text() for path in Path(package.__file__).parent.glob("**/*.py")]
        words = re.compile(rf'^{name} = (?:.*|\w+\(\n(?:    .*\n)+\))\n"""(.+?)"""', re.M)
        assert any(map(words.search, texts)), (
            f'{name} does not say which setting it is: a string stands below it, """The setting of ..."""'
        )


@pytest.mark.parametrize("topic", PAPERS)
def test_another_setting_is_had_by_changing_a_number(topic):
    one = next(iter(settings_of(topic).values()))
    assert dataclasses.replace(one) == one
    assert type(dataclasses.replace(one)) is setting_of(topic)


def called_with(thing):
    """Names of the parameters with which instances of a class are called."""
    if not inspect.isclass(thing) or all("__call__" not in vars(base) for base in thing.__mro__):
        return []
    return list(inspect.signature(thing.__call__).parameters)[1:]


@pytest.mark.parametrize("name", PACKAGES)
def test_mechanisms_are_frozen_and_say_what_they_spend(name):
    package = package_of(name)
    found = [getattr(package, one) for one in package.__all__]
    mechanisms = [one for one in found if called_with(one) == ["dataset", "size", "rng"]]
    if name in ("privacy", "langevin"):
        assert mechanisms
    for one in mechanisms:
        assert dataclasses.is_dataclass(one), f"{one}: a mechanism is a frozen dataclass"
        assert one.__dataclass_params__.frozen, f"{one}: a mechanism is a frozen dataclass"
        assert isinstance(one.accounting, property), f"{one}: `accounting` says what a call spends"


# --- claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", TOPICS)
def test_claims_name_their_paper(topic):
    module = importlib.import_module(f"dpbook.{topic}.claims")
    if topic not in FROM_THE_LITERATURE:
        assert isinstance(getattr(module, "SOURCE", None), Source), (
            f'dpbook/{topic}/claims/__init__.py names the paper: SOURCE = Source("...", version="...")'
        )
        assert module.SOURCE.paper, f"dpbook/{topic}/claims/__init__.py: SOURCE names no paper"
        assert module.SOURCE.version, "which version of the paper was read"
    for claim in catalog.load(topic):
        assert claim.title, f"{claim.key}: the docstring of a claim is its title"
        assert str(claim.source), f"{claim.key}: give source= or place="
    sections = [path for path in Path(module.__path__[0]).glob("*.py") if path.stem != "__init__"]
    for path in sections:
        first = importlib.import_module(f"dpbook.{topic}.claims.{path.stem}").__doc__ or ""
        assert first.strip(), f"{path.name}: a docstring names the section of the paper"


@pytest.mark.parametrize("topic", TOPICS)
def test_symbols_stand_in_the_notation_with_a_meaning(topic):
    module = importlib.import_module(f"dpbook.{topic}.notation")
    found = {name: one for name, one in vars(module).items() if isinstance(one, RangedSymbol)}
    assert found, f"dpbook/{topic}/notation.py has no symbol"
    assert [name for name, one in found.items() if not one.meaning] == [], "give them meaning="


@pytest.mark.parametrize("topic", TOPICS)
def test_every_claim_is_on_record_as_it_stands(topic):
    rows = record.read_record(record.record_path(topic))
    claims = {claim.key: claim for claim in catalog.load(topic)}
    remedy = f"dpbook verify --topic {topic} --record puts all of them on record, in their order"
    assert list(rows) == list(claims), remedy
    assert [key for key, row in rows.items() if row["hash"] != claims[key].hash] == [], remedy
    assert [key for key, row in rows.items() if row["verdict"] == "undecided"] == [], (
        "the book has no undecided claim: give it proof=, or state a part of it with scope="
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_refuted_has_a_repair_or_says_why_not(topic):
    claims = catalog.load(topic)
    rows = record_of(topic, claims)
    repaired = {key for claim in claims for key in claim.corrects}
    for claim in claims:
        if rows[claim.key]["verdict"] == "refuted":
            assert claim.key in repaired or claim.effect or claim.fault, (
                f"{claim.key} is refuted: write its repair (corrects=), or say its effect"
            )
            # what no paper says is no fault of a paper, and its card says so
            ours = "not the paper's" in claim.effect
            assert ours == (not claim.fault), f'{claim.key}: give fault=, or say "not the paper\'s"'


POINTER = re.compile(
    r"\bas in the repaired\b|\bis that of the repaired\b|^As (?:for|in) [\w.-]+-corrected"
)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_repair_says_what_was_wrong_and_not_where_to_look(topic):
    for claim in catalog.load(topic):
        assert not claim.corrects or claim.why, f"{claim.key}: a repair says in why= what was wrong"
        assert not POINTER.search(claim.why), f"{claim.key}: say what was wrong: {claim.why}"


# --- what is taught -----------------------------------------------------------------------------------


def names_in(text, labels):
    """The keys of a topic that a text names."""
    return labels & set(re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9.]*[a-z0-9])+", text))


@pytest.mark.parametrize("topic", TOPICS)
def test_effects_say_of_what_is_supported_that_it_is(topic):
    claims = catalog.load(topic)
    rows = record_of(topic, claims)
    labels = {claim.label for claim in claims}
    for claim in claims:
        named = names_in(claim.effect, labels)
        weak = {label for label in named if rows[f"{topic}:{label}"]["verdict"] == "supported"}
        assert not weak or "supported" in claim.effect, (
            f"{claim.key}: its effect names {weak}, which are supported; say so"
        )


@pytest.mark.parametrize("topic", TOPICS)
def test_prose_of_claims_has_powers_and_no_stars(topic):
    for claim in catalog.load(topic):
        for said in (claim.effect, claim.place, claim.scope):
            words = "".join(piece for kind, piece in marks(said) if not kind)
            assert re.findall(r"\w\*\*[\w(]", words) == [], (
                f"{claim.key}: a power in its text is not read: write x**2 or x**(n - 1), or `code`"
            )


def test_an_effect_that_names_a_key_is_read():
    named = names_in("It survives (lemma-5-corrected, eq-a.5).", {"lemma-5-corrected", "eq-a.5"})
    assert named == {"lemma-5-corrected", "eq-a.5"}


@pytest.mark.parametrize("topic", TOPICS)
def test_there_are_exercises_with_answers_that_are_tried(topic):
    keys = list(exercises.ids(topic))
    assert len(keys) >= FEWEST_EXERCISES, (
        f"dpbook/{topic}/exercises.py has {len(keys)} exercises; a topic has {FEWEST_EXERCISES} or more"
    )
    file = ROOT / "tests" / topic / "answers.py"
    assert file.is_file(), f"write tests/{topic}/answers.py; see tests/langevin/answers.py"
    answers = runpy.run_path(str(file))
    assert [key for key in keys if key not in answers["RIGHT"]] == [], (
        f"tests/{topic}/answers.py: RIGHT holds a right answer for each exercise"
    )


def test_exercises_are_listed_without_the_libraries_that_compute():
    program = (
        "import sys; from dpbook.teaching import exercises; exercises.all_exercises();"
        "print({'numba', 'matplotlib', 'scipy.stats'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("set()\n", "")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_chapter_teaches_it_and_shows_its_claims(topic):
    assert sources(topic), f"write chapters/NN_{topic}.md, NN a number of two digits"
    text = "\n".join(path.read_text() for path in sources(topic))
    keys = {claim.key for claim in catalog.load(topic)}
    assert keys & set(re.findall(rf"\b{topic}:[a-z0-9.-]*[a-z0-9]", text)), (
        f'a chapter shows the card of a claim in a cell: ledger["{topic}:KEY"]'
    )
    asked = set(re.findall(r'exercises\.check\("([^"]+)"', text))
    assert len({key for key in asked if key.startswith(f"{topic}:")}) >= FEWEST_EXERCISES, (
        f"a chapter calls exercises.check for {FEWEST_EXERCISES} exercises of {topic} or more"
    )
    for path in sources(topic):
        assert (ROOT / "notebooks" / f"{path.stem}.ipynb").is_file(), (
            f"make notebooks makes notebooks/{path.stem}.ipynb"
        )


@pytest.mark.parametrize("topic", TOPICS)
def test_the_readme_and_the_glossary_lead_to_it(topic):
    lead = f"dpbook/{topic}" in (ROOT / "README.md").read_text()
    assert lead, f'README.md, "Where things are": add dpbook/{topic}'
    assert (ROOT / "tests" / topic).is_dir(), f"make the folder tests/{topic}"
