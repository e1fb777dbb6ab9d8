"""Who reads chapters 1 and 2 needs no glossary: each word is introduced before it is used."""

import re
from pathlib import Path

import pytest

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
READ = ("01_claims", "02_privacy")  # in this order
NOT_PROSE = re.compile(
    r"\A---\n.*?\n---\n"  # the header
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
    return NOT_PROSE.sub(" ", text)


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


def test_every_word_of_the_glossary_is_introduced_before_its_first_use():
    text = "\n".join(prose((CHAPTERS / f"{name}.md").read_text()) for name in READ)
    assert too_early(text, terms()) == []


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


def test_the_test_of_words_can_fail():
    assert too_early("A **mechanism** is random. Mechanisms differ.", ["mechanism"]) == []
    assert too_early("Mechanisms differ. A **mechanism** is random.", ["mechanism"])
    assert too_early("A mechanism differs.", ["mechanism"])
    assert too_early("```{prf:definition} Prior\nA law.\n```\nA prior.", ["prior"]) == []
    assert (
        prose("---\na prior\n---\n## Prior\n`prior` $prior$\n```{code-cell}\nprior\n```").split()
        == []
    )


@pytest.mark.parametrize("name", READ)
def test_figures_have_numbers_and_captions(name):
    text = (CHAPTERS / f"{name}.md").read_text()
    shown = re.findall(r"^show\(.*?\)\n```\n\n(.*?)\n\n", text, re.M | re.S)
    assert shown
    for number, after in enumerate(shown, 1):
        assert re.match(rf"\*\*Figure {number}\.\*\* \S", after), after
    assert len(re.findall(r"^\*\*Figure \d", text, re.M)) == len(shown)


@pytest.mark.parametrize("name", READ)
def test_chapters_have_six_exercises_or_more_that_are_checked(name):
    text = (CHAPTERS / f"{name}.md").read_text()
    asked = len(re.findall(r"^```\{exercise\}", text, re.M))
    assert asked >= 6
    assert len(re.findall(r"^:tags: \[check\]$", text, re.M)) == asked
