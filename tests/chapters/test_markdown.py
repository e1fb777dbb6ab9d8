"""What a directive, a role or a reference becomes in plain Markdown."""

import pytest

from dpbook.teaching.chapters import derive, read_all
from dpbook.teaching.markdown import ChapterError, bibliography

FIRST = 14  # the line of a chapter after its header
REFERENCES = r"""
@article{jensen1906,
  author  = {Jensen, Johan and M{\"u}ller, A. and {\'E}mile, B. and Last, C.},
  title   = {Sur les {Fonctions} convexes},
  journal = "Acta",
  year    = 1906,
}
@book{two, author = {Ada Lovelace and Bayes, T.}, title = {Notes}, year = {1843}}
"""


@pytest.fixture
def plain(shelf):
    """The notebook cells that the text of a chapter makes."""

    def plain(body, *, title="# Title\n\n", name="01_title", **others):
        (shelf.chapters / "references.bib").write_text(REFERENCES)
        for other, text in others.items():
            shelf.write(text, f"0{len(other)}_{other}")
        shelf.write(title + body, name)
        chapters, index = read_all(shelf.chapters)
        return [part.source for part in derive(chapters[name], index)]

    return plain


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("```{note}\nMind the gap.\n```", "> **Note.** Mind the gap."),
        (":::{tip}\nMind\nthe gap.\n:::", "> **Tip.** Mind\n> the gap."),
        ("```{warning} Mind\nthe gap.\n```", "> **Warning.** Mind\n> the gap."),
        ("```{note}\n- one\n- two\n```", "> **Note.**\n>\n> - one\n> - two"),
        ("```{admonition} On *gaps*\n:class: tip\nMind.\n```", "> **On *gaps*.** Mind."),
        (
            "```{admonition} Gaps\n:class: dropdown\nMind.\n```",
            "<details>\n<summary>Gaps</summary>\n\nMind.\n\n</details>",
        ),
        (
            "```{dropdown} The `gap` < 1\nMind.\n```",
            "<details>\n<summary>The <code>gap</code> &lt; 1</summary>\n\nMind.\n\n</details>",
        ),
        (
            "```{prf:theorem} Jensen\n:label: t\nFor convex $f$,\n\n$$\nf(a)\n  \\le b\n$$\n```",
            "> **Theorem 1 (Jensen).** For convex $f$,\n>\n> $$f(a) \\le b$$",
        ),
        ("```{prf:lemma}\n:nonumber:\nSo.\n```", "> **Lemma.** So."),
        ("```{prf:proof}\nClear.\n```", "> *Proof.* Clear."),
        (
            "```{exercise} One\n:label: e\nWhy?\n```\n\n```{solution} e\n:class: dropdown\nSo.\n\n$$\na\n$$\n```",
            "> **Exercise 1 (One).** Why?",
        ),
        (
            "```{math}\n:label: m\na \\\\\nb\n```",
            "$$\\begin{aligned} a \\\\ b \\end{aligned} \\tag{1}$$",
        ),
        ("$$\na\n$$ (m)", "$$\na\n\\tag{1}$$"),
        ("$$ a $$ (m)", "$$ a \\tag{1}$$"),
        # maths over two lines inside a quote would show the mark of the quote
        ("```{note}\nLet $a +\nb$ be.\n```", "> **Note.** Let $a + b$ be."),
        # nested, and in a list
        (
            "````{note}\nOuter.\n\n```{tip}\nInner.\n```\n````",
            "> **Note.** Outer.\n>\n> > **Tip.** Inner.",
        ),
        ("- one\n\n  ```{note}\n  In.\n  ```", "- one\n\n  > **Note.** In."),
        # what is code stays as it is
        ("```python\n{note} = `x`\n```", "```python\n{note} = `x`\n```"),
        ("```{code-block} python\nx = 1\n```", "```python\nx = 1\n```"),
        ("Write ``{ref}`x` ``.", "Write ``{ref}`x` ``."),
        # roles
        ("{math}`a` {term}`claim` {term}`so <claim>`", "$a$ *claim* *so*"),
        ("{claim}`langevin:eq-14` {code}`x`", "`langevin:eq-14` `x`"),
        ("H{sub}`2`O, m{sup}`2`", "H<sub>2</sub>O, m<sup>2</sup>"),
        ("(here)=\n## Here\n\nSee {ref}`here` or [that](#here).", "## Here\n\nSee *Here* or that."),
        ("% a comment\nText.", "Text."),
        ("It costs $5 and $6.", "It costs $5 and $6."),
    ],
)
def test_becomes(plain, source, expected):
    assert plain(source)[0] == f"# 1. Title\n\n{expected}"


def test_solution_is_a_cell_of_its_own(plain):
    cells = plain("```{exercise}\n:label: e\nWhy?\n```\n\n```{solution} e\nSo.\n```\n\nOn.\n")
    assert cells[1:] == [
        "<details>\n<summary>Solution of exercise 1</summary>\n\nSo.\n\n</details>",
        "On.",
    ]


def test_references_are_numbered_in_each_kind_and_lead_to_other_chapters(plain):
    (cell,) = plain(
        "```{prf:lemma}\n:label: a\nA.\n```\n\n```{prf:lemma}\n:label: b\nB.\n```\n\n"
        "```{prf:theorem}\n:label: c\nC.\n```\n\n"
        "{prf:ref}`b`, {prf:ref}`c`, {ref}`the one <a>`, {numref}`No. %s <b>`, {eq}`far`, "
        "{ref}`there`, {doc}`05_other`, {doc}`that <05_other>`\n",
        other="(there)=\n# Other\n\n$$ x $$ (far)\n",
    )
    assert cell.endswith(
        "Lemma 2, Theorem 1, the one, No. 2, (1) of [Other](05_other.ipynb), "
        "*Other* of [Other](05_other.ipynb), [Other](05_other.ipynb), [that](05_other.ipynb)"
    )


def test_citations_are_written_out_and_listed(plain):
    first, last = plain("By {cite}`jensen1906,two`; {cite:t}`two` said so.")
    assert first.endswith(
        "By (Jensen et al. 1906; Lovelace and Bayes 1843); Lovelace and Bayes (1843) said so."
    )
    assert last == (
        "**Cited here**\n\n"
        "- Ada Lovelace, T. Bayes. *Notes*. 1843\n"
        "- Johan Jensen, A. Müller, B. Émile, C. Last. *Sur les Fonctions convexes*. Acta, 1906"
    )


def test_bibliography_of_the_book_is_read():
    from pathlib import Path

    text = (Path(__file__).resolve().parents[2] / "chapters" / "references.bib").read_text()
    works = bibliography(text)
    assert len(works) == text.count("\n@") + text.startswith("@")
    for work in works.values():
        assert work.year.isdigit()
        assert not set("{}\\@") & set(work.line)


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("Text.\n\n```{nota}\nx\n```", 2, "unknown directive {nota}; known are "),
        ("{rfe}`x`", 0, "unknown role {rfe}; known are "),
        ("```{note}\n:clas: tip\nx\n```", 0, "unknown option :clas: of {note}"),
        ("{ref}`nowhere`", 0, "no label nowhere"),
        ("a\nb {eq}`nowhere`", 1, "no label nowhere"),
        ("{doc}`99_none`", 0, "no chapter 99_none"),
        ("{cite}`nobody1999`", 0, "chapters/references.bib has no nobody1999"),
        ("```{prf:lemma}\n:label: a\nx\n```\n\n{eq}`a`", 5, "a is referred to by {ref}"),
        ("(a)=\n## A\n\n(a)=\n## B", 3, "label a is taken by chapters/01_title.md:16"),
        ("(a)=\nText.", 0, "(a)= must stand before a heading"),
        ("```{solution} e\nx\n```", 0, "no exercise has the label e"),
        ("```{exercise}\nx\n```", 0, "an exercise needs a :label:"),
        ("$$\na\n\nb\n$$", 0, "a display $$ ... $$ is not closed, or holds an empty line"),
        ("\\begin{align}\na\n\\end{align}", 0, "write $$\\begin{aligned}"),
        ("```{note}\n$$\na % why\nb\n$$\n```", 1, "a TeX comment cannot stand in maths"),
        ("So.[^1]\n\n[^1]: Why.", 0, "footnotes do not read in JupyterLab"),
        ("![x](x.png)", 0, "a picture comes from a code cell"),
        ("[x](02_x.md)", 0, "refer to a chapter with {doc}`02_x`"),
        # code that would silently never run
        ("````{note}\n```{code-cell}\n1\n```\n````", 1, "a code cell inside a directive or a list"),
        ("- one\n\n  ```{code-cell}\n  1\n  ```", 2, "a code cell inside a directive or a list"),
        (
            ":::{note}\n```{code-cell}\n1\n```\n:::",
            0,
            ":::{note} is not closed before the next cell",
        ),
        ("```code-cell\n1\n```", 0, "code-cell stands without braces and never runs"),
        ("```{code-cell}\n\n:tags: [check]\n1\n```", 1, "options became code"),
        ("```{code-cell}\n```", 1, "an empty code cell"),
        ("```{raw-cell}\nx\n```", 1, "raw cells are shown by some readers"),
        # exercises that could not be graded
        ("```{code-cell}\n:tags: [answer]\n1\n```", 1, "a cell tagged answer needs an exercise"),
        (
            "```{exercise}\n:label: e\nx\n```\n\n```{code-cell}\n:tags: [check]\n1\n```",
            6,
            "exercise e is checked before it is answered",
        ),
        (
            "```{exercise}\n:label: e\nx\n```\n\n```{code-cell}\n:tags: [answer]\n1\n```",
            6,
            "exercise e has no check",
        ),
        (
            "```{exercise}\n:label: e\nx\n```\n\n```{solution-start} e\n```",
            5,
            "has no {solution-end}",
        ),
        (
            "```{exercise}\n:label: e\nx\n```\n\n```{solution-start} e\n```\n\n"
            "```{code-cell}\nx = 1\n```\n\n```{solution-end}\n```\n\n```{code-cell}\nx + 1\n```",
            16,
            "x is defined only in the solution of e, which students do not have",
        ),
        ("```{solution-end}\n```", 0, "{solution-end} without {solution-start}"),
    ],
)
def test_what_is_not_understood_is_an_error_with_its_line(plain, body, line, message):
    with pytest.raises(ChapterError) as error:
        plain(body)
    place, _, said = str(error.value).partition(": ")
    assert said.startswith(message) or message in said
    assert place == f"chapters/01_title.md:{FIRST + 2 + line}"


MYST = "---\njupytext:\n  text_representation:\n    format_name: myst\n"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "no jupytext header with format_name: myst, so no code would run"),
        (f"{MYST}---\n", "the header names no kernelspec python3"),
        (f"{MYST}kernelspec:\n  name: python3\n---\n", "'display_name' is a required property"),
        (f"{MYST}kernelspec:\n  name: python3\nx: [\n---\n", "Notebook metadata: "),
    ],
)
def test_chapter_without_header_is_an_error(shelf, header, message):
    shelf.write("# Title\n", header=header)
    with pytest.raises(ChapterError, match=message):
        read_all(shelf.chapters)
