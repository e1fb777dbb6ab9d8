"""Who reads the chapters needs no glossary: each word is introduced before it is used."""

import ast
import json
import re
from pathlib import Path

import pytest

from dpbook.teaching import exercises
from dpbook.teaching.questions import Number

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
NAMES = sorted(path.stem for path in CHAPTERS.glob("[0-9][0-9]_*.md"))
TERM = re.compile(r"\{term\}`([^`<]+?)(?:\s*<[^>`]*>)?`")
NOT_PROSE = re.compile(
    r"\A---\n.*?\n---\n"  # the header
    r"|^\([\w-]+\)=$"
    r"|^```\{code-cell\}.*?^```$"
    r"|^#+ .*?$"
    r"|^```\{solution-(?:start|end)\}.*?$"
    r"|^\$\$.*?^\$\$"
    r"|(?<!`)`[^`\n]+`"  # code, and the goals of roles
    r"|\$[^$\n]+\$"
    r"|^:\w+:.*?$",
    re.M | re.S,
)


def terms():
    """The words of the glossary."""
    blocks = re.findall(r"```\{glossary\}\n(.*?)```", (CHAPTERS / "glossary.md").read_text(), re.S)
    return [line for block in blocks for line in block.splitlines() if re.match(r"\S", line)]


def prose(text):
    return NOT_PROSE.sub(" ", TERM.sub(r"\1", text))


def source(name):
    return (CHAPTERS / f"{name}.md").read_text()


def needed(name):
    """The chapters that one builds on, in the order in which they are read."""
    asked = re.search(r"^You need (.*?)\n\n", source(name), re.M | re.S)
    found = []
    for one in re.findall(r"\{doc\}`(\w+)`", asked[1]) if asked else []:
        found += [before for before in (*needed(one), one) if before not in found]
    return sorted(found)


def uses(term, text):
    """Where a word stands, in singular or plural."""
    words = r"\s+".join(re.escape(word) for word in term.removesuffix("s").split())
    return [found.start() for found in re.finditer(rf"\b{words}s?\b", text, re.I)]


def introductions(term, text):
    """Where a word is set in bold, or is the title of a definition."""
    words = r"\s+".join(re.escape(word) for word in term.removesuffix("s").split())
    pattern = rf"(?:\*\*|\{{prf:definition\}} )({words})s?(?:\*\*|$)"
    return [found.start(1) for found in re.finditer(pattern, text, re.I | re.M)]


def too_early(text, glossary):
    """The words that are used before they are introduced, or never introduced."""
    found = []
    for term in glossary:
        used, said = uses(term, text), introductions(term, text)
        if used and (not said or used[0] < said[0]):
            place = " ".join(text[max(0, used[0] - 40) : used[0] + 40].split())
            found.append(f"{term}: ...{place}...")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_the_glossary_is_introduced_before_its_first_use(name):
    text = "\n".join(prose(source(one)) for one in (*needed(name), name))
    assert too_early(text, terms()) == [], (
        'a word of the glossary is set in bold, or defined, before its first use, or in a chapter of "You need"'
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_says_what_it_needs_and_that_comes_before(name):
    assert [one for one in needed(name) if one >= name] == [], "a chapter needs earlier ones only"
    assert needed(name) or name == "01_claims", (
        f"chapters/{name}.md: a paragraph names earlier chapters: You need {{doc}}`02_privacy`."
    )


def test_chapter_2_teaches_the_notions_that_a_course_asks_for():
    text = prose((CHAPTERS / "02_privacy.md").read_text())
    for term in (
        *("randomised response", "mechanism", "neighbouring datasets", "privacy loss"),
        *("differential privacy", "sensitivity", "Laplace mechanism", "Gaussian mechanism"),
        *("post-processing", "subsampling", "exponential mechanism", "composition"),
        *("privacy budget", "privacy profile", "zero-concentrated differential privacy", "audit"),
    ):
        assert term in terms()
        assert introductions(term, text), term


# What a card, a picture or a formula calls by another name than the glossary.
INTRODUCED = {
    "hockey[-_]stick": "**hockey-stick divergence**",
    "[zZ]CDP": "**zero-concentrated differential privacy**",
    "[Cc]oncentrated privacy": "*concentrated privacy*",
    r"\baccount(?:s|ant|ing)?\b": "To *account* for",
    "adds? up the divergences|divergences do": "its logarithm a sum",
}


@pytest.mark.parametrize("word", INTRODUCED)
def test_chapter_2_uses_no_word_of_a_card_before_it_is_introduced(word):
    _, _, text = source("02_privacy").partition("## Counting gives people away")
    first = re.search(word, text)
    assert first
    assert text.index(INTRODUCED[word]) <= first.start()


def test_chapter_1_needs_no_privacy():
    chapter = source("01_claims")
    later = [term for term in terms() if introductions(term, prose(source("02_privacy")))]
    assert len(later) > 15
    assert [term for term in later if uses(term, prose(chapter))] == []
    asked = re.findall(r'exercises\.check\("([\w:.-]+)"', chapter)
    assert len(asked) >= 6
    assert all(key.startswith("claims:") for key in asked)
    for word in (*later, "epsilon", "delta", "rho"):
        assert all(not uses(word, exercises.find(key).question) for key in asked), word
    # and "ledger" and "card" are introduced before the first of either is shown
    first = re.search(r"^ledger\[", chapter, re.M).start()
    assert chapter.index("**ledger**") < first
    assert chapter.index("a **card**") < first


def test_every_word_of_the_glossary_is_used_somewhere():
    text = "\n".join(prose(source(name)) for name in NAMES)
    unused = [term for term in terms() if not uses(term, text)]
    assert unused == ["mutant"]  # of `dpbook verify --mutants`


def test_the_test_of_words_can_fail():
    assert too_early("A **mechanism** is random. Mechanisms differ.", ["mechanism"]) == []
    assert too_early("Mechanisms differ. A **mechanism** is random.", ["mechanism"])
    assert too_early("A mechanism differs.", ["mechanism"])
    assert too_early("```{prf:definition} Prior\nA distribution.\n```\nA prior.", ["prior"]) == []
    assert prose("(prior)=\nA {term}`distribution <prior>`.").split() == ["A", "distribution."]
    assert (
        prose("---\na prior\n---\n## Prior\n`prior` $prior$\n```{code-cell}\nprior\n```").split()
        == []
    )


# What readers stumbled over: each has a better sentence now, and is not to come back.
STUMBLES = (
    "for about nothing everything is true",
    "A statement says that both of its sides are real numbers",
    "It may be that many points were tried",
    "keeps the solutions and may add some",
    "are all that an answer can tell",
    "Normal noise never makes it so",
    "is what delta counts",
    "that everybody remembers",
    "Whoever accounts for it",
    "a fault that it does not see",
    "record was what it was",
    "on the wrong side of the bar",
    "which it is meant to explain",
    "stop to cut off",
    "it is easily had",
)


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_is_back_that_readers_stumbled_over(name):
    text = " ".join(source(name).split())
    assert [one for one in STUMBLES if one in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_figures_have_numbers_and_captions(name):
    text = (CHAPTERS / f"{name}.md").read_text()
    shown = re.findall(r"^show\(.*?\)\n```\n\n(.*?)\n\n", text, re.M | re.S)
    assert shown, f"chapters/{name}.md: no cell ends with show(...) and has a caption below it"
    for number, after in enumerate(shown, 1):
        assert re.match(rf"\*\*Figure {number}\.\*\* \S", after), (
            f"below a figure stands its caption, **Figure {number}.** and a sentence: {after}"
        )
    assert len(re.findall(r"^\*\*Figure \d", text, re.M)) == len(shown)


DRAWS = {"plot", "hist", "step", "scatter", "errorbar", "fill_between", "loglog", "semilogy"}


def without_legend(code):
    """Whether code draws several curves and names none: no legend, and none left to a result."""
    tree = ast.parse(code)
    looped = [one for one in ast.walk(tree) if isinstance(one, (ast.For, ast.ListComp))]
    drawn = {}  # the calls that draw into axes; one in a loop is several
    for within, times in ((tree, 1), *((loop, 2) for loop in looped)):
        for one in ast.walk(within):
            call = one.func if isinstance(one, ast.Call) else None
            if getattr(call, "attr", "") in DRAWS and getattr(call.value, "id", "") == "ax":
                drawn[one] = times
    named = ".legend(" in code or (".plot(ax)" in code and "label=" in code)
    return sum(drawn.values()) > 1 and not named


@pytest.mark.parametrize("name", NAMES)
def test_figures_of_several_curves_have_a_legend(name):
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", source(name), re.M | re.S)
    shown = [cell for cell in cells if re.search(r"^show\(", cell, re.M)]
    assert shown, f"chapters/{name}.md: no cell shows a figure with show(...)"
    assert [cell for cell in shown if without_legend(cell)] == [], "call ax.legend()"


def test_the_test_of_legends_can_fail():
    assert without_legend("for y in (1, 2):\n    ax.plot(y)\nshow(ax)")
    assert without_legend("ax.plot(1)\nax.plot(2)\nshow(ax)")
    assert without_legend(
        "ax.hist(1)\nax.hist(2)\nshow(distribution.plot(ax))"
    )  # bars without a name
    assert not without_legend("ax.hist(1, label='')\nax.hist(2)\nshow(distribution.plot(ax))")
    assert not without_legend("ax.plot(1)\nax.plot(2)\nax.legend()")
    assert not without_legend("ax.plot(1)\nshow(ax)")


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_on_a_number_says_how_near_is_near_enough(name):
    blocks = re.findall(
        r"^```\{exercise\}(.*?)^```$(.*?)(?=^```\{exercise|\Z)", source(name), re.M | re.S
    )
    for asked, after in blocks:
        key = re.search(r'exercises\.check\("([\w:.-]+)"', after)
        one = exercises.find(key[1]) if key else None
        if isinstance(one, Number) and one.tolerance:
            words = f"(within {one.tolerance.removesuffix(' of the right number')}"
            assert words in " ".join(asked.split()), key[1]
            assert words in one.question, key[1]


@pytest.mark.parametrize("name", NAMES)
def test_chapters_have_six_exercises_or_more_that_are_checked(name):
    text = (CHAPTERS / f"{name}.md").read_text()
    asked = len(re.findall(r"^```\{exercise\}", text, re.M))
    assert asked >= 6, f"chapters/{name}.md: a chapter has six blocks {{exercise}} or more"
    assert len(re.findall(r"^:tags: \[check\]$", text, re.M)) == asked, (
        f"chapters/{name}.md: each exercise has one cell with :tags: [check]"
    )


NUMBERS = {4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
NUMBERS |= {15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen"}


def test_counts_in_words_are_those_of_the_book():
    topics = [path.parents[1].name for path in ROOT.glob("dpbook/*/claims/record.json")]
    papers = len([topic for topic in topics if topic != "privacy"])
    readme = " ".join((ROOT / "README.md").read_text().split())
    said = f"the claims of {NUMBERS[papers]} papers"
    assert said in readme, f"README.md: write {said}"
    said = f"{NUMBERS[len(NAMES)]} chapters"
    assert said in readme, f"README.md: write {said}"
    teach = (CHAPTERS / "teach.md").read_text()
    assert said.capitalize() in teach, f"chapters/teach.md: write {said.capitalize()}"


PROVED = re.compile(
    r"\b(Theorem|Lemma|Proposition|Claim|Remark)s? ((?:[A-F]\.)?\d[\w.]*(?:\([iv]+\))?)"
    r"(?:(?! but | not )[^.:;])*?\b(?:is|are) (?:proved|true)\b"
)


def overstated(text, topic):
    """Statements of a paper that a text calls proved or true, and the record does not."""
    record = json.loads((ROOT / "dpbook" / topic / "claims" / "record.json").read_text())
    verdicts = {key: value["verdict"] for key, value in record["claims"].items()}
    found = []
    for kind, number in PROVED.findall(text):
        name = f"{kind.lower()}-{number.lower().strip('.').replace('(', '.').strip(')')}"
        if verdicts.get(f"{topic}:{name}", "proved") != "proved":
            found.append(name)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_called_proved_that_the_ledger_does_not_show_as_proved(name):
    topics = re.findall(r"^from dpbook\.(\w+) import", source(name), re.M)
    topics = [t for t in topics if (ROOT / "dpbook" / t / "claims" / "record.json").exists()]
    for topic in set(topics):
        assert overstated(prose(source(name)), topic) == []


def test_the_test_of_overstatements_can_fail():
    assert overstated("Theorem 3.1 is proved.", "depth_medians") == ["theorem-3.1"]
    assert overstated("Lemmas B.2 and D.1 are proved.", "depth_medians") == []
    assert overstated("Theorem 3(ii) is true.", "posterior_sampling") == ["theorem-3.ii"]
    assert overstated("Theorem 3.1 is noted.", "depth_medians") == []
