"""What a chapter says of a verdict comes out of a cell: a word typed in would stay when the verdict changes."""

import re

import pytest

from tests.chapters.test_words import NAMES, prose, source

# a verdict's word, or one of a numbered statement
NUMBERED = r"(?:Lemmas?|Theorems?|Claims?|Corollary|Propositions?|Examples?|Remarks?|Eq\.|eq\.)"
TYPED = re.compile(
    r"\b(?:proved|refuted|supported|undecided)\b"
    rf"|\b{NUMBERED} (?:[^.;:]|\.\d)*\b(?:is|are) (?:false|true|open)\b"
)
# bounds and intervals that are no claims
OTHERS = re.compile(r"\bproved (?:bound|ends)\b")
TEACHES_THE_WORDS = "01_claims"


def typed_verdicts(text):
    """The verdicts in the words of a chapter, cells and code left out."""
    return [" ".join(found[0].split()) for found in TYPED.finditer(OTHERS.sub("", prose(text)))]


@pytest.mark.parametrize("name", [name for name in NAMES if name != TEACHES_THE_WORDS])
def test_no_chapter_has_a_verdict_typed_in(name):
    assert typed_verdicts(source(name)) == [], (
        'a verdict in a sentence may change: let a cell compute it, ledger["TOPIC:KEY"].verdict'
    )


def test_the_chapter_that_teaches_the_words_says_them_of_no_numbered_statement():
    sentences = re.split(r"(?<=[.:])\s+", prose(source(TEACHES_THE_WORDS)))
    about = [s for s in sentences if typed_verdicts(s) and re.search(rf"{NUMBERED} [\dA-Z]", s)]
    assert about == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The lemma is refuted.",
        "The repair is proved, and the program computes with it.",
        "So this card is *supported* too.",
        "Lemma 4 of the paper is false.",
        "As eq. 26 has it, Claims 4.1 and C.11 are false.",
        "Whether Theorem 3 holds is undecided; Theorem 4 is open.",
    ],
)
def test_a_verdict_typed_in_is_found(sentence):
    assert typed_verdicts(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["The second result is an interval with proved ends.", "Lemma 4 needs a positive rate."],
)
def test_other_words_are_no_verdicts(sentence):
    assert typed_verdicts(sentence) == []


def shows_verdicts(text):
    """The keys whose verdicts a chapter's cells compute."""
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", text, re.M | re.S)
    lists = [cell for cell in cells if ".verdict" in cell]
    return {
        key for cell in lists for word in re.findall(r'"([^"{}]*)"', cell) for key in word.split()
    }


LAST = "## What the paper says"


@pytest.mark.parametrize("name", [name for name in NAMES if LAST in source(name)])
def test_the_last_section_computes_the_verdicts_that_it_is_about(name):
    """A claim that the last section names has its verdict in a cell there, or a card anywhere in the chapter."""
    text = source(name)
    last = text[text.index(LAST) :]
    assert shows_verdicts(last)
    named = set(re.findall(r"`[a-z_]+:([a-z0-9.-]+)`", last))
    cards = set(re.findall(r'ledger\["[a-z_]+:([a-z0-9.-]+)"\]', text))
    assert named <= shows_verdicts(text) | cards
