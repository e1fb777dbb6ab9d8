"""MyST Markdown of a chapter turned into plain Markdown, which reads well in any notebook.

Notes, theorems and exercises become quotes, solutions fold into ``<details>``, references become
what they refer to. What is not understood is an error with its line, never passed on as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

NOTES = {
    "note": "Note",
    "tip": "Tip",
    "hint": "Hint",
    "important": "Important",
    "warning": "Warning",
    "caution": "Caution",
    "attention": "Attention",
    "danger": "Danger",
    "error": "Error",
    "seealso": "See also",
}
THEOREMS = (
    *("algorithm", "assumption", "axiom", "conjecture", "corollary", "criterion", "definition"),
    *("example", "lemma", "notation", "observation", "property", "proposition", "remark"),
    "theorem",
)
NUMBERED = {
    "exercise": "Exercise",
    "exercise-start": "Exercise",
    **{f"prf:{name}": name.capitalize() for name in THEOREMS},
}
SOLUTIONS = ("solution", "solution-start")
ENDS = ("exercise-end", "solution-end")
DIRECTIVES = (
    *NOTES,
    *NUMBERED,
    *SOLUTIONS,
    *ENDS,
    *("admonition", "dropdown", "math", "code-block", "prf:proof"),
)
ROLES = (
    *("ref", "numref", "prf:ref", "eq", "doc", "term", "math", "code", "sub", "sup", "claim"),
    *("cite", "cite:p", "cite:t"),
)
OPTIONS = {"label", "class", "nonumber", "name"}

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,}|:{3,})\s*(?P<rest>.*)$")
DIRECTIVE = re.compile(r"^\{(?P<name>[^}]*)\}\s*(?P<argument>.*)$")
TARGET = re.compile(r"^\((?P<label>[\w:.-]+)\)=\s*$")
HEADING = re.compile(r"^#{1,6}\s+(?P<title>.*?)\s*#*$")
CHAPTER = re.compile(r"(?P<number>\d\d)_")  # the name of a chapter that has a number in the book
# Code, or a role; then maths, displayed or not; then links and footnotes.
INLINE = re.compile(
    r"(?:\{(?P<role>[\w:+.-]+)\})?(?<!`)(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?<!\\)\$\$(?P<display>.+?)(?<!\\)\$\$(?:[ \t]*\((?P<label>[\w:.-]+)\))?"
    r"|(?<![\\$])\$(?P<maths>[^\s$](?:[^$]*?[^\s$\\])?)\$(?!\d)"
    r"|(?P<image>!)?\[(?P<text>[^\][]*)\]\((?P<goal>[^()\s]*)\)"
    r"|(?P<footnote>\[\^[^\]]+\])",
    re.DOTALL,
)
TITLED = re.compile(r"^(?P<title>.*?)\s*<(?P<label>[^<>]+)>$", re.DOTALL)
LEFT_OVER = re.compile(r"^[ >]*(?:[`~:]{3,}\s*\{|\([\w:.-]+\)=\s*$)|\{[a-z][\w:+.-]*\}`")
AMS = re.compile(r"^\s*\\begin\{(?:equation|align|gather|multline|eqnarray|flalign)\*?\}")


class ChapterError(ValueError):
    """Something in a chapter that cannot be used; the message names file and line."""


@dataclass(frozen=True)
class Place:
    """A line of a chapter."""

    chapter: str
    line: int

    def error(self, message: str, after: int = 0) -> ChapterError:
        return ChapterError(f"chapters/{self.chapter}.md:{self.line + after}: {message}")

    def later(self, lines: int) -> Place:
        return Place(self.chapter, self.line + lines)


@dataclass(frozen=True)
class Text:
    """Lines without a directive; `verbatim` ones are code."""

    lines: tuple[str, ...]
    place: Place
    verbatim: bool = False


@dataclass(frozen=True)
class Directive:
    """A directive with its body, which is read too."""

    name: str
    argument: str
    options: dict[str, str]
    body: tuple[Text | Directive, ...]
    lines: tuple[str, ...]
    indent: str
    place: Place

    @property
    def folded(self) -> bool:
        """Say whether it is closed until the reader opens it."""
        return self.name in (*SOLUTIONS, "dropdown") or "dropdown" in self.options.get("class", "")


Block = Text | Directive


@dataclass(frozen=True)
class Chunk:
    """Lines of the chapter and the lines of the notebook that they become."""

    source: tuple[str, ...]
    plain: tuple[str, ...]
    place: Place
    what: str = "text"


# --- reading --------------------------------------------------------------------------------------


def blocks(lines: Sequence[str], place: Place) -> tuple[Block, ...]:
    """Read the lines of one Markdown cell.

    Raises
    ------
    ChapterError
        For an unknown or unclosed directive, and for a code cell inside a directive: it would
        become text without a word, and never run.
    """
    found: list[Block] = []
    text: list[str] = []
    start = index = 0

    def flush() -> None:
        if text:
            found.append(Text(tuple(text), place.later(start)))
            text.clear()

    while index < len(lines):
        opening = FENCE.match(lines[index])
        directive = opening and DIRECTIVE.match(opening["rest"])
        if opening is None or (opening["fence"][0] == ":" and not directive):
            if not text:
                start = index
            text.append(lines[index])
            index += 1
            continue
        flush()
        end = _closing(lines, index, opening["fence"], place)
        whole, here = tuple(lines[index : end + 1]), place.later(index)
        if directive:
            inner = [_dedented(line, len(opening["indent"])) for line in whole[1:-1]]
            found.append(_directive(directive, inner, whole, opening["indent"], here))
        elif opening["rest"].startswith("code-cell"):
            raise here.error("code-cell stands without braces and never runs; write {code-cell}")
        else:
            found.append(Text(whole, here, verbatim=True))
        index = end + 1
    flush()
    return tuple(found)


def _closing(lines: Sequence[str], index: int, fence: str, place: Place) -> int:
    closing = re.compile(rf"^ *{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    for end in range(index + 1, len(lines)):
        if closing.match(lines[end]):
            return end
    raise place.error(
        f"{lines[index].strip()} is not closed before the next cell; a code cell inside a "
        "directive never runs, so close the directive first",
        index,
    )


def _dedented(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip(" "))) :]


def _directive(
    match: re.Match[str], inner: list[str], whole: tuple[str, ...], indent: str, place: Place
) -> Directive:
    name, argument = match["name"].strip(), match["argument"].strip()
    if name == "code-cell":
        raise place.error("a code cell inside a directive or a list never runs; move it out")
    if name not in DIRECTIVES:
        raise place.error(
            f"unknown directive {{{name}}}; known are {', '.join(sorted(DIRECTIVES))}"
        )
    options: dict[str, str] = {}
    used = 0
    for line in inner:
        option = re.match(r"^:([\w-]+):\s*(.*)$", line)
        if option is None:
            break
        options[option[1]] = option[2].strip()
        used += 1
    unknown = set(options) - OPTIONS
    if unknown:
        raise place.error(f"unknown option :{min(unknown)}: of {{{name}}}")
    if inner[:1] == ["---"]:
        raise place.error(f"write the options of {{{name}}} as :key: value")
    rest, body_place = inner[used:], place.later(1 + used)
    if name in NOTES and argument:  # docutils reads it as the first line of the text
        rest, body_place, argument = [argument, *rest], place.later(used), ""
    if name in ("math", "code-block"):
        body: tuple[Block, ...] = (Text(tuple(rest), body_place, verbatim=True),)
    else:
        body = blocks(rest, body_place)
    return Directive(name, argument, options, body, whole, indent, place)


def every(parts: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks and the blocks inside them."""
    for part in parts:
        yield part
        if isinstance(part, Directive):
            yield from every(part.body)


# --- what can be referred to ----------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """Hold the target of a label."""

    kind: str
    number: int | None
    title: str
    place: Place

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number}" if self.number else f"*{self.title}*"


@dataclass
class Index:
    """Labels, titles and bibliography of all chapters."""

    targets: dict[str, Target] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    numbers: dict[Place, int] = field(default_factory=dict)
    works: dict[str, Work] = field(default_factory=dict)

    def add(self, chapter: str, cells: Sequence[tuple[Block, ...]]) -> None:
        """Number what one chapter numbers and note its labels."""
        counts: dict[str, int] = {}

        def count(kind: str, place: Place) -> int:
            counts[kind] = self.numbers[place] = counts.get(kind, 0) + 1
            return counts[kind]

        for part in (part for cell in cells for part in every(cell)):
            if isinstance(part, Text):
                if not part.verbatim:
                    self._add_text(part, count)
                continue
            kind = NUMBERED.get(part.name)
            label = part.options.get("label") or part.options.get("name")
            number = None
            if kind and "nonumber" not in part.options:
                number = count(kind, part.place)
            elif part.name == "math" and label:
                kind, number = "Equation", count("Equation", part.place)
            if label:
                title = part.argument or kind or part.name
                self._name(label, Target(kind or part.name, number, title, part.place))

    def _add_text(self, part: Text, count: object) -> None:
        assert callable(count)
        pending: list[tuple[str, Place]] = []
        for offset, line in enumerate(part.lines):
            place = part.place.later(offset)
            target, heading = TARGET.match(line), HEADING.match(line)
            if target:
                pending.append((target["label"], place))
            elif heading:
                self.titles.setdefault(place.chapter, heading["title"])
                for label, where in pending:
                    self._name(label, Target("section", None, heading["title"], where))
                pending = []
            elif line.strip() and pending:
                raise pending[0][1].error(f"({pending[0][0]})= must stand before a heading")
        for match in INLINE.finditer("\n".join(part.lines)):
            if match["label"]:
                lines = match.string[: match.start()].count("\n")
                place = part.place.later(lines)
                self._name(match["label"], Target("Equation", count("Equation", place), "", place))

    def _name(self, label: str, target: Target) -> None:
        before = self.targets.get(label)
        if before:
            raise target.place.error(
                f"label {label} is taken by chapters/{before.place.chapter}.md:{before.place.line}"
            )
        self.targets[label] = target


# --- rendering ------------------------------------------------------------------------------------


class Renderer:
    """Writes the cells of one chapter as plain Markdown.

    Parameters
    ----------
    chapter : str
        Name of the chapter, without ``.md``.
    index : Index
        What can be referred to.
    """

    def __init__(self, chapter: str, index: Index):
        self.chapter = chapter
        self.index = index
        self.cited: list[str] = []

    def chunks(self, parts: Sequence[Block], quoted: bool = False) -> list[Chunk]:
        """Return the chunks of some blocks; in a quote, maths stands on one line."""
        made: list[Chunk] = []
        for part in parts:
            if isinstance(part, Directive):
                plain = tuple(
                    part.indent + line if line else "" for line in self.block(part, quoted)
                )
                what = part.name if part.name in ENDS else f"{{{part.name}}}"
                made.append(Chunk(part.lines, plain, part.place, what))
            elif part.verbatim:
                made += [
                    Chunk((line,), (line,), part.place.later(number), "code")
                    for number, line in enumerate(part.lines)
                ]
            else:
                made += self._paragraphs(part, quoted)
        for chunk in made:
            for line in chunk.plain:
                if chunk.what != "code" and LEFT_OVER.search(re.sub(r"(`+).+?\1(?!`)", "", line)):
                    raise chunk.place.error(f"this is not understood: {line.strip()[:60]}")
        return made

    def lines(self, parts: Sequence[Block], quoted: bool) -> list[str]:
        made = [line for chunk in self.chunks(parts, quoted) for line in chunk.plain]
        while made and not made[0].strip():
            del made[0]
        while made and not made[-1].strip():
            del made[-1]
        return made

    def block(self, part: Directive, quoted: bool = False) -> list[str]:
        """Return a directive as plain lines."""
        if part.name == "math":
            return self._displayed(part)
        if part.name == "code-block":
            (code,) = part.body
            assert isinstance(code, Text)
            return [f"```{part.argument}", *code.lines, "```"]
        if part.name in ENDS:
            return []
        if part.name == "exercise-start":
            return [f"**{self.heading(part)}.**"]
        if part.name == "solution-start":
            return []
        if part.folded:
            return self.folded(self.heading(part), self.lines(part.body, quoted))
        head = f"**{self.heading(part)}.**"
        if part.name == "prf:proof":
            head = f"*{self.heading(part)}.*"
        body = self.lines(part.body, quoted=True)
        if body and not re.match(r"\s*(?:[-*+>|#<]\s?|\d+[.)]\s|`{3}|~{3}|\$\$)", body[0]):
            body[0] = f"{head} {body[0]}"
        else:
            body = [head, *([""] if body else []), *body]
        return [f"> {line}".rstrip() for line in body]

    def folded(self, title: str, body: Sequence[str]) -> list[str]:
        """Return lines that are closed until the reader opens them."""
        summary = escape(title, quote=False)
        summary = re.sub(r"`+([^`]+)`+", r"<code>\1</code>", summary)
        summary = re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"<em>\1</em>", summary)
        return ["<details>", f"<summary>{summary}</summary>", "", *body, "", "</details>"]

    def heading(self, part: Directive) -> str:
        """Return the words that a directive starts with."""
        argument = part.argument
        if part.name in SOLUTIONS:
            target = self.index.targets.get(argument)
            if target is None or target.kind != "Exercise":
                raise part.place.error(f"no exercise has the label {argument or '(none)'}")
            if target.place.chapter != self.chapter:
                raise part.place.error(f"exercise {argument} stands in another chapter")
            return f"Solution of {target.name.lower()}"
        argument = self.inline(argument, part.place, quoted=True)
        if part.name in ("admonition", "dropdown"):
            if not argument:
                raise part.place.error(f"{{{part.name}}} needs a title")
            return argument
        if part.name in NOTES:
            return NOTES[part.name]
        kind = NUMBERED.get(part.name, "Proof")
        number = self.index.numbers.get(part.place)
        return f"{kind}{f' {number}' if number else ''}{f' ({argument})' if argument else ''}"

    def _displayed(self, part: Directive) -> list[str]:
        (code,) = part.body
        assert isinstance(code, Text)
        body = "\n".join([part.argument, *code.lines]).strip()
        if not body or "\n\n" in body:
            raise part.place.error("{math} holds one formula, without empty lines")
        if r"\\" in body and r"\begin" not in body:
            body = rf"\begin{{aligned}} {body} \end{{aligned}}"
        number = self.index.numbers.get(part.place)
        tag = rf" \tag{{{number}}}" if number else ""
        return [f"$${_one_line(body, part.place)}{tag}$$"]

    def _paragraphs(self, part: Text, quoted: bool) -> list[Chunk]:
        made: list[Chunk] = []
        index = 0
        while index < len(part.lines):
            place, line = part.place.later(index), part.lines[index]
            end = index + 1
            if TARGET.match(line) or line.startswith("%"):
                made.append(Chunk((line,), (), place, "target or comment"))
            elif not line.strip():
                made.append(Chunk((line,), (line,), place))
            else:
                while end < len(part.lines) and (
                    part.lines[end].strip()
                    and not TARGET.match(part.lines[end])
                    and not part.lines[end].startswith("%")
                ):
                    end += 1
                made += self._paragraph(part.lines[index:end], place, quoted)
            index = end
        return made

    def _paragraph(self, lines: tuple[str, ...], place: Place, quoted: bool) -> list[Chunk]:
        for number, line in enumerate(lines):
            if AMS.match(line):
                raise place.error(
                    r"write $$\begin{aligned} ... \end{aligned}$$: few readers typeset other "
                    "displays",
                    number,
                )
        plain = self.inline("\n".join(lines), place, quoted).split("\n")
        numbered = CHAPTER.match(self.chapter)
        if numbered and lines[0].startswith("# "):  # the pages of the book number it themselves
            title = f"# {int(numbered['number'])}. {plain[0][2:]}"
            first = Chunk(lines[:1], (title,), place, "the heading")
            rest = self._paragraph(lines[1:], place.later(1), quoted) if lines[1:] else []
            return [first, *rest]
        if len(plain) == len(lines):
            return [
                Chunk((old,), (new,), place.later(number))
                for number, (old, new) in enumerate(zip(lines, plain, strict=True))
            ]
        return [Chunk(lines, tuple(plain), place)]

    def inline(self, text: str, place: Place, quoted: bool) -> str:
        """Return text with roles, references and maths made plain."""

        def replace(match: re.Match[str]) -> str:
            here = place.later(text.count("\n", 0, match.start()))
            if match["footnote"]:
                raise here.error("footnotes do not read in JupyterLab; write a sentence")
            if match["role"]:
                return self.role(match["role"], match["code"], here)
            if match["ticks"]:
                return match[0]
            if match["display"]:
                number = self.index.numbers.get(here) if match["label"] else None
                tag = rf"\tag{{{number}}}" if number else ""
                if quoted:
                    return f"$${_one_line(match['display'], here)}{' ' if tag else ''}{tag}$$"
                gap = " " if tag and not match["display"][-1].isspace() else ""
                return f"$${match['display']}{gap}{tag}$$"
            if match["maths"]:
                return f"${_one_line(match['maths'], here)}$" if quoted else match[0]
            return self.link(match, here)

        made = INLINE.sub(replace, text)
        if len(re.findall(r"(?<!\\)\$\$", re.sub(r"(`+).+?\1(?!`)", "", made, flags=re.S))) % 2:
            raise place.error("a display $$ ... $$ is not closed, or holds an empty line")
        return made

    def role(self, name: str, text: str, place: Place) -> str:
        """Return the text that a role shows."""
        if name not in ROLES:
            raise place.error(f"unknown role {{{name}}}; known are {', '.join(sorted(ROLES))}")
        text = " ".join(text.split())
        titled = TITLED.match(text)
        title, label = (titled["title"], titled["label"]) if titled else ("", text)
        if name == "math":
            return f"${text}$"
        if name in ("code", "claim"):
            return f"`{label if name == 'claim' else text}`"
        if name == "term":
            return f"*{title or label}*"
        if name in ("sub", "sup"):
            return f"<{name}>{escape(text, quote=False)}</{name}>"
        if name == "doc":
            return self.document(label, title, place)
        if name.startswith("cite"):
            return self.cite([key.strip() for key in text.split(",")], name, place)
        return self.reference(label, title, name, place)

    def document(self, name: str, title: str, place: Place) -> str:
        if name in ("glossary", "/glossary", "chapters/glossary"):
            return f"*{title or 'glossary'}*"
        if name not in self.index.titles:
            raise place.error(f"no chapter {name}")
        return f"[{title or self.index.titles[name]}]({name}.ipynb)"

    def reference(self, label: str, title: str, role: str, place: Place) -> str:
        target = self.index.targets.get(label)
        if target is None:
            raise place.error(f"no label {label}")
        if (role == "eq") != (target.kind == "Equation"):
            right = "eq" if target.kind == "Equation" else "ref"
            raise place.error(f"{label} is referred to by {{{right}}}")
        if role == "eq":
            shown = f"({target.number})"
        elif role == "numref" and target.number and "%s" in title:
            shown = title.replace("%s", str(target.number))
        else:
            shown = title or target.name
        if target.place.chapter != self.chapter:
            if title:
                return self.document(target.place.chapter, shown, place)
            shown += f" of {self.document(target.place.chapter, '', place)}"
        return shown

    def link(self, match: re.Match[str], place: Place) -> str:
        goal = match["goal"]
        if match["image"]:
            raise place.error("a picture comes from a code cell, which knows its alt text")
        if goal.startswith("#"):
            title = self.inline(match["text"], place, quoted=False)
            target = self.index.targets.get(goal[1:])
            role = "eq" if target and target.kind == "Equation" else "ref"
            return self.reference(goal[1:], title, role, place)
        if goal.endswith(".md") and "://" not in goal:
            raise place.error(f"refer to a chapter with {{doc}}`{Path(goal).stem}`")
        return match[0]

    def cite(self, keys: Sequence[str], role: str, place: Place) -> str:
        shown = []
        for key in keys:
            work = self.index.works.get(key)
            if work is None:
                raise place.error(f"chapters/references.bib has no {key}")
            if key not in self.cited:
                self.cited.append(key)
            year = f"({work.year})" if role == "cite:t" else work.year
            shown.append(f"{work.short} {year}")
        return ", ".join(shown) if role == "cite:t" else f"({'; '.join(shown)})"

    def sources(self) -> list[str]:
        """Return the list of what was cited."""
        works = sorted((self.index.works[key] for key in self.cited), key=lambda w: w.line)
        return [f"- {work.line}" for work in works]


def _one_line(tex: str, place: Place) -> str:
    """TeX on one line: in a quote JupyterLab would typeset the marks of further lines."""
    if re.search(r"(?<!\\)%", tex):
        raise place.error("a TeX comment cannot stand in maths that is put on one line")
    return " ".join(tex.split())


# --- bibliography ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography."""

    authors: tuple[tuple[str, str], ...]  # first names, then the names in citations
    title: str
    year: str
    rest: str

    @property
    def short(self) -> str:
        """The authors as they are cited."""
        names = [last for _, last in self.authors]
        if len(names) > 3:
            return f"{names[0]} et al."
        return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)

    @property
    def line(self) -> str:
        """The entry as it is listed."""
        names = ", ".join(f"{first} {last}".strip() for first, last in self.authors)
        stop = "" if self.title.endswith(("?", "!")) else "."
        return f"{names}. *{self.title}*{stop} {self.rest}"


def bibliography(text: str) -> dict[str, Work]:
    """Read BibTeX."""
    from pybtex.database import parse_string  # of the extras that build: a reader's lab has none
    from pybtex.richtext import Text

    def plain(tex: str) -> str:
        return " ".join(str(Text.from_latex(tex.replace("--", "-"))).split())

    works = {}
    for key, entry in parse_string(text, "bibtex").entries.items():
        fields = {name.lower(): plain(value) for name, value in entry.fields.items()}
        persons = entry.persons.get("author") or entry.persons.get("editor") or []
        authors = tuple(
            (
                plain(" ".join([*one.first_names, *one.middle_names])),
                plain(" ".join([*one.prelast_names, *one.last_names, *one.lineage_names])),
            )
            for one in persons
        )
        published = fields.get("journal") or fields.get("booktitle") or fields.get("publisher")
        year = fields.get("year", "n.d.")
        parts = [part for part in (published, fields.get("note")) if part]
        rest = ", ".join(parts if any(year in part for part in parts) else [*parts, year])
        title = fields.get("title", key)
        works[key] = Work(authors or (("", "Anonymous"),), title, year, rest)
    return works
