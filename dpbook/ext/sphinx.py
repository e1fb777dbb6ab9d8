"""Sphinx extension: claims in a document, with the verdicts on record.

In a project of your own, ``extensions = ["dpbook.ext.sphinx"]`` and ``dpbook_claims = ["mine.py"]``, the
files and folders of your own claims beside ``conf.py``, give

- the role ``{claim}`` with a key: the key, its verdict, and a link to its card where there is one;
- the directive ``{claim}`` with a key: the card, a section of its own, once a project;
- the directive ``{dropdown}`` with a title: what is closed until it is opened;
- the directives ``{claim-table}``, ``{claim-graph}`` and ``{notation}`` with a topic;
- the directive ``{errata}`` with kinds of faults, such as ``error boundary``, of the book's topics or of
  the ``:topic:`` that is named;
- the directives ``{check}`` with a statement and ``{derive}`` with the lines of a derivation; with
  ``:expect: refuted`` it is to be wrong;
- a link for each key of ``Claims: mine:tail`` in a docstring that autodoc shows;
- the directive ``{derivation-cases}`` with a file of derivations and what must be said of them.

Claims of your own are decided when the pages are read: one that differs from its record, or without one from
its declaration, is a warning at its place, with which ``sphinx-build -W`` fails.

In HTML, keys in the outputs of notebooks become links, links to terms and claims carry a preview,
and the pages are repaired where notebooks and bibliographies are not accessible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import sympy
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains import Domain, ObjType
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole, is_directive_registered
from sphinx.util.nodes import make_refnode, split_explicit_title

from dpbook import __version__
from dpbook.engine.claims import catalog, record, topics
from dpbook.engine.claims.claim import FAULTS
from dpbook.engine.claims.entry import Entry
from dpbook.engine.language.card import Code, Key, Maths, Part, Row, marks
from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.statement import latex
from dpbook.engine.language.verdict import Evidence, Verdict, badge
from dpbook.engine.run.workers import NotStarted
from dpbook.ext import recorded
from dpbook.ext.cells import briefly, checked, derived
from dpbook.ext.derivations import DerivationCases
from dpbook.ext.found import SECTION, keys_of
from dpbook.ext.previews import Previews
from dpbook.ext.requirements import lacking

Nodes = list[nodes.Node]
LONGEST = 50_000  # characters of LaTeX that are typeset: beyond, a browser takes minutes
DOMAIN = ("sought among", "given", "where")  # the rows of a card that errata show of both
DRAWING = "dpbook.engine.claims.drawing"  # needs networkx, which cards do not
logger = logging.getLogger(__name__)
# --- small pieces ---------------------------------------------------------------------------------


def _too_long(tex: str) -> str:
    """Return words in place of a formula that takes a browser minutes, or "" for another one."""
    if len(tex) <= LONGEST:
        return ""
    return f"A formula of {len(tex):,} characters of LaTeX, too long to typeset: dpbook show writes it out."


def _maths(tex: str) -> nodes.Node:
    words = _too_long(tex)
    return nodes.Text(words) if words else nodes.math(tex, tex)


def _display(tex: str) -> nodes.Node:
    words = _too_long(tex)
    if words:
        return nodes.paragraph(words, words)
    return nodes.math_block(tex, tex, nowrap=False, number=None, label=None)


def _text(text: str) -> Nodes:
    """Text in which `code` is marked as in Markdown, and x**2 is set as a power."""
    kinds = {"": nodes.Text, "code": _literal, "power": lambda piece: nodes.superscript("", piece)}
    return [kinds[kind](piece) for kind, piece in marks(text)]


def _literal(text: str) -> nodes.Node:
    return nodes.literal(text, text)


def _badge(evidence: Evidence) -> nodes.raw:
    """The verdict as a coloured word; other formats than HTML show the word (`Plain`)."""
    shown = badge(evidence.verdict, evidence.word)
    return nodes.raw("", shown, format="html", word=evidence.word)


def _joined(parts: Iterable[Sequence[nodes.Node]], comma: str = ", ") -> Nodes:
    found: Nodes = []
    for part in parts:
        if found:
            found.append(nodes.Text(comma))
        found.extend(part)
    return found


def _fields(pairs: Iterable[tuple[str, Nodes]]) -> nodes.field_list:
    fields = nodes.field_list()
    for name, body in pairs:
        if body:
            whole = isinstance(body[0], (nodes.math_block, nodes.bullet_list))
            block = body if whole else [nodes.paragraph("", "", *body)]
            fields += nodes.field("", nodes.field_name("", name), nodes.field_body("", *block))
    return fields


def _table(heads: Sequence[str], rows: Iterable[Sequence[Nodes]], classes: str) -> nodes.table:
    def row(cells: Iterable[Nodes]) -> nodes.row:
        entries = [nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells]
        return nodes.row("", *entries)

    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    group += nodes.thead("", row([nodes.Text(head)] for head in heads))
    group += nodes.tbody("", *[row(cells) for cells in rows])
    return nodes.table("", group, classes=[classes])


def _reference(kind: str, target: str, docname: str, shown: str) -> addnodes.pending_xref:
    """A name that becomes a link once all pages are read."""
    return addnodes.pending_xref(
        "",
        nodes.literal(shown, shown, classes=["claim-key"]),
        refdomain=Claims.name,
        reftype=kind,
        reftarget=target,
        refdoc=docname,
        refwarn=False,
    )


def _link(key: str, docname: str, short: bool = False) -> addnodes.pending_xref:
    """A claim's key, or only its label, that leads to its card."""
    return _reference("claim", key, docname, key.partition(":")[2] if short else key)


def _links(keys: Iterable[str], docname: str, short: bool = False) -> Nodes:
    return _joined([_link(key, docname, short)] for key in keys)


# --- where cards stand ----------------------------------------------------------------------------


class Claims(Domain):
    """Where the card of each claim and the meaning of each symbol stand; search finds them."""

    name = "dpbook"
    label = "dpbook"
    object_types = {"claim": ObjType("claim", "claim"), "symbol": ObjType("symbol")}
    initial_data: dict[str, Any] = {"claim": {}, "symbol": {}, "shown": {}, "state": {}}
    data_version = 1

    def note_shown(self, topic: str, docname: str) -> None:
        """Remember that a page shows a topic, so that it is read again when that has changed.

        A page with the topic "" shows statements of its own, which dpbook decides.
        """
        self.data["shown"].setdefault(docname, set()).add(topic)

    def changed(self) -> list[str]:
        """Return the pages whose claims have changed since they were read."""
        state = self.data["state"]
        return [
            docname
            for docname, topics_shown in self.data["shown"].items()
            if any(state.get(topic) != recorded.state(topic) for topic in topics_shown)
        ]

    def note_state(self) -> None:
        """Remember the state of all topics that are shown, once the pages are read."""
        shown = {topic for found in self.data["shown"].values() for topic in found}
        self.data["state"] = {topic: recorded.state(topic) for topic in shown}

    def note(self, kind: str, name: str, docname: str, title: str) -> str:
        """Remember that something stands on a page; returns its anchor there."""
        self.data[kind][name] = (docname, title)
        return recorded.anchor(name)

    def place(self, name: str) -> tuple[str, str] | None:
        """Return page and anchor of a claim's card, where there is one."""
        found = self.data["claim"].get(name)
        return (found[0], recorded.anchor(name)) if found else None

    def clear_doc(self, docname: str) -> None:
        for kind in self.object_types:
            self.data[kind] = {k: v for k, v in self.data[kind].items() if v[0] != docname}
        self.data["shown"].pop(docname, None)

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        for kind in self.object_types:
            self.data[kind] |= otherdata[kind]
        for docname in docnames:
            if found := otherdata["shown"].get(docname):
                self.data["shown"][docname] = found

    def resolve_xref(
        self,
        env: Any,
        fromdocname: str,
        builder: Any,
        typ: str,
        target: str,
        node: Any,
        contnode: Any,
    ) -> Any:
        if target not in self.data[typ]:
            return None
        docname, title = self.data[typ][target]
        return make_refnode(builder, fromdocname, docname, recorded.anchor(target), contnode, title)

    def resolve_any_xref(self, *arguments: Any) -> list[Any]:
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for kind in self.object_types:
            for name, (docname, _) in self.data[kind].items():
                yield name, name, kind, docname, recorded.anchor(name), 1


# --- role and directives --------------------------------------------------------------------------


def _warn(said: str, place: SphinxRole | SphinxDirective) -> None:
    """Warn of a place; its page is read again by the next build, which warns of it too."""
    place.env.note_reread()
    logger.warning("%s", said, location=place.get_location(), type="dpbook")


def _entry(key: str, place: SphinxRole | SphinxDirective) -> Entry:
    """Return a claim as it is shown; one of the user's own that differs from its record is a warning."""
    _shows(key.partition(":")[0], place)
    found = recorded.entry(key)
    if why := recorded.difference(key):
        _warn(why, place)
    return found


def _shows(topic: str, place: SphinxRole | SphinxDirective) -> None:
    place.env.domains[Claims.name].note_shown(topic, place.env.docname)


class ClaimRole(SphinxRole):
    """A claim in running text: its key, linked, and its verdict."""

    def run(self) -> tuple[Nodes, list[nodes.system_message]]:
        _, title, key = split_explicit_title(self.text)
        try:
            evidence = _entry(key, self).evidence
        except (ValueError, NotStarted) as error:
            _warn(str(error), self)
            return [nodes.literal(key, key)], []
        link = _link(key, self.env.docname)
        if title != key:
            link.children = [nodes.inline(title, title)]
        return [link, nodes.Text(" "), _badge(evidence)], []


class _Directive(SphinxDirective):
    """A directive whose unusable argument is a warning with a place."""

    required_arguments = 1

    def run(self) -> Nodes:
        try:
            return self.made()
        except (ValueError, ModuleNotFoundError, NotStarted) as error:
            said = str(error)
            if isinstance(error, ModuleNotFoundError) and not (said := lacking(error)):
                raise
            _warn(said, self)
            return []

    def made(self) -> Nodes:
        """Return the nodes for the document."""
        raise ValueError(f"the directive {self.name} makes nothing")


class ClaimCard(_Directive):
    """A claim with its statement, verdict and evidence, as a section of its own."""

    def made(self) -> Nodes:
        one = _entry(self.arguments[0], self)
        claim, evidence, docname = one.claim, one.evidence, self.env.docname
        domain = self.env.domains[Claims.name]
        said = f"{claim.title}: {evidence.word}"
        name = domain.note("claim", claim.key, docname, said)
        section = nodes.section(
            "",
            nodes.title("", "", *_text(claim.title)),
            ids=[name],
            names=[name],
            classes=["claim", f"claim-{evidence.verdict.value}"],
        )
        key = nodes.literal(claim.key, claim.key, classes=["claim-key"])
        section += nodes.paragraph("", "", _badge(evidence), nodes.Text(" "), key)
        shown = one.card
        if shown.statement.latex:
            section += _display(shown.statement.latex)
        named = _joined(
            [_reference("symbol", f"{topic}:{name}", docname, name)]
            for topic, name, _ in recorded.abbreviations(claim)
        )
        section += _fields([*_rows(shown.rows, docname), ("names in the notation", named)])
        if shown.below:
            section += nodes.raw("", shown.below, format="html")
        return [section]


def _rows(rows: Iterable[Row], docname: str) -> Iterator[tuple[str, Nodes]]:
    """The rows of a card as fields."""
    for one in rows:
        parts = [_part(part, docname) for part in one.parts]
        if one.listed:
            items = [
                nodes.list_item(
                    "",
                    nodes.paragraph("", "", *part),
                    classes=[f"depth-{depth}"] if (depth := getattr(own, "depth", 0)) else [],
                )
                for own, part in zip(one.parts, parts, strict=True)
            ]
            yield one.label, [nodes.bullet_list("", *items)]
        else:
            yield one.label, _joined(parts, one.comma)


def _part(part: Part, docname: str) -> Nodes:
    if isinstance(part, Maths):
        return [_maths(part.latex)]
    if isinstance(part, Key):
        return [_link(part.key, docname)]
    return [_literal(part.text)] if isinstance(part, Code) else _text(part)


class ClaimTable(_Directive):
    """The claims of a topic with their verdicts, a line each."""

    def made(self) -> Nodes:
        docname = self.env.docname
        _shows(self.arguments[0], self)
        rows = [
            [
                [_link(one.claim.key, docname, short=True)],
                [_badge(one.evidence)],
                _text(one.claim.title),
                _links(one.corrected_by, docname, short=True),
            ]
            for one in [_entry(e.claim.key, self) for e in recorded.entries(self.arguments[0])]
        ]
        heads = ("claim", "verdict", "what it says", "corrected by")
        return [_table(heads, rows, "claims")]


class ClaimGraph(_Directive):
    """Show as a graph which claim of a topic rests on which, each a link to its card."""

    def made(self) -> Nodes:
        import_module(DRAWING)  # a package that it lacks is a warning at this place
        topic = self.arguments[0]
        _shows(topic, self)
        rows = recorded.drawn(topic)
        for row in rows:
            if why := recorded.difference(row["key"]):
                _warn(why, self)
        present = {row["key"] for row in rows}
        others = {key for row in rows for key in (*row["using"], *row["cites"])} - present
        for other in dict.fromkeys(key.partition(":")[0] for key in sorted(others)):
            rows = [*(row for row in recorded.drawn(other) if row["key"] in others), *rows]
        return [graph_node("", rows=rows, topic=topic)]


class graph_node(nodes.General, nodes.Element):
    """A graph whose links are known when the page is written."""


def _write_graph(writer: Any, node: graph_node) -> None:
    builder = writer.builder
    claims = builder.env.domains[Claims.name]

    def address(key: str) -> str:
        place = claims.place(key)
        if place is None:
            return ""
        return f"{builder.get_relative_uri(builder.current_docname, place[0])}#{place[1]}"

    svg = import_module(DRAWING).svg
    drawn = svg(node["rows"], address, node["topic"]).replace('"tip"', f'"tip-{node["topic"]}"')
    drawn = drawn.replace("url(#tip)", f"url(#tip-{node['topic']})")  # unique on the page
    writer.body.append(
        f'<div class="claim-graph" data-topic="{escape(node["topic"])}">{drawn}</div>'
    )
    raise nodes.SkipNode


class Errata(_Directive):
    """List the errata of a topic, of the named kinds of faults."""

    final_argument_whitespace = True
    option_spec: ClassVar = {"topic": directives.unchanged_required}

    def made(self) -> Nodes:
        faults = self.arguments[0].split()
        unknown = set(faults) - {*FAULTS, "ours"}
        if unknown:
            known = ", ".join([*FAULTS, "ours"])
            raise ValueError(f"no kind of fault {min(unknown)}; there are {known}")
        made: Nodes = []
        asked = self.options.get("topic")
        for topic in [asked] if asked else record.topics():
            _shows(topic, self)
            for one in [_entry(e.claim.key, self) for e in recorded.entries(topic)]:
                if (
                    one.evidence.verdict is Verdict.REFUTED
                    and (one.claim.fault or "ours") in faults
                ):
                    made.append(self.erratum(one))
        return made or [nodes.paragraph("", "", nodes.Text("None."))]

    def erratum(self, one: Entry) -> nodes.section:
        """Return one fault: as printed, why it fails, and the repair."""
        claim, docname = one.claim, self.env.docname
        name = f"erratum-{recorded.anchor(claim.key)}"
        section = nodes.section(
            "",
            nodes.title("", "", *_text(claim.title)),
            ids=[name],
            names=[name],
            classes=["claim"],
        )
        section += nodes.paragraph("", "", _link(claim.key, docname), *_text(f", {claim.source}"))
        section += _display(one.evidence.latex)
        repairs = [recorded.entry(key) for key in one.corrected_by]
        section += _fields(
            [
                *self.rows(one, (*DOMAIN, "counterexample", "there", "because", "")),
                ("what was wrong", _joined(([*_text(r.claim.why)] for r in repairs), " ")),
                ("effect", _text(claim.effect)),
            ]
        )
        for repair in repairs:
            section += nodes.paragraph(
                "",
                "",
                nodes.Text("Repaired as "),
                _link(repair.claim.key, docname),
                nodes.Text(" "),
                _badge(repair.evidence),
            )
            section += _display(repair.evidence.latex)
            named = _text("; ".join(repair.evidence.named_axioms))
            section += _fields([*self.rows(repair, DOMAIN), ("named axioms", named)])
        return section

    def rows(self, one: Entry, labels: Sequence[str]) -> list[tuple[str, Nodes]]:
        """Return some rows of a card."""
        chosen = [found for found in one.card.rows if found.label in labels]
        return list(_rows(chosen, self.env.docname))


class Check(_Directive):
    """Decide a statement when the page is read; an unexpected verdict is a warning."""

    required_arguments = 0
    has_content = True
    option_spec: ClassVar = {"expect": directives.unchanged_required}

    def made(self) -> Nodes:
        _shows("", self)
        found = checked("\n".join(self.content))
        self.expect(found.verdict, repr(found))
        said = [_badge(found.evidence), nodes.Text(" "), _maths(found.evidence.latex)]
        failure = [nodes.Text(" "), *_text(found.failure)] if found.failure else []
        return [nodes.paragraph("", "", *said, *failure, classes=["checked"])]

    def expect(self, verdict: Verdict, shown: str) -> None:
        """Warn where the verdict is another one than the document says."""
        expected = self.options.get("expect", "proved").strip()
        if expected not in {one.value for one in Verdict}:
            known = ", ".join(one.value for one in Verdict)
            raise ValueError(f"expect must be one of {known}, got {expected}")
        if verdict.value != expected:
            _warn(f"{expected} is expected; {' '.join(shown.split())}", self)


class Derive(Check):
    """Check the lines of a derivation, each against the line before."""

    def made(self) -> Nodes:
        _shows("", self)
        found = derived("\n".join(self.content))
        self.expect(found.verdict, briefly(found))
        shown = nodes.raw("", found._repr_html_(), format="html")
        plain = nodes.literal_block(repr(found), repr(found))
        return [nodes.container("", shown, classes=["derivation"]), only_text("", plain)]


class only_text(nodes.General, nodes.Element):
    """Hold the words for pages that are not HTML, in place of raw HTML."""


def _skip(writer: Any, node: only_text) -> None:
    raise nodes.SkipNode


def _pass(writer: Any, node: only_text) -> None:
    pass


class Notation(_Directive):
    """List the symbols of a topic: notation, range or definition, meaning."""

    def made(self) -> Nodes:
        topic, docname = self.arguments[0], self.env.docname
        domain, rows, names = self.env.domains[Claims.name], [], []
        _shows(topic, self)
        for name, symbol in recorded.symbols(topic).items():
            key = f"{topic}:{name}"
            names.append(domain.note("symbol", key, docname, symbol.meaning))
            rows.append(
                [[_maths(latex(symbol))], [_literal(name)], _text(symbol.meaning), _range(symbol)]
            )
        table = _table(("symbol", "in Python", "meaning", "range or definition"), rows, "symbols")
        for row, name in zip(table.findall(nodes.row), ["", *names], strict=True):
            row["ids"] = [name] if name else []
        return [table]


def _range(symbol: RangedSymbol) -> Nodes:
    if symbol.definition is not None:
        with sympy.evaluate(False):
            definition = symbol.definition()
        return [_maths(f"= {latex(definition)}")]
    said = [relation.latex() for relation in symbol.range.relations(symbol)]
    if symbol.integer:
        said.insert(0, rf"{latex(symbol)} \in \mathbb{{Z}}")
    return _joined([_maths(tex)] for tex in said) or [nodes.Text("real")]


class Plain(SphinxPostTransform):
    """Put words in place of raw HTML in every other format."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        if self.app.builder.format == "html":
            return
        for raw in list(self.document.findall(nodes.raw)):
            if "word" in raw:
                raw.replace_self(nodes.Text(raw["word"]))
        for graph in list(self.document.findall(graph_node)):
            graph.replace_self(nodes.bullet_list("", *map(_row_of_graph, graph["rows"])))


def _row_of_graph(row: dict[str, Any]) -> nodes.list_item:
    rests = [
        f"{word} {', '.join(row[kind])}"
        for kind, word in (("using", "uses"), ("cites", "cites"), ("corrects", "corrects"))
        if row[kind]
    ]
    return nodes.list_item("", _said("; ".join([f"{row['key']} ({row['verdict']})", *rests])))


def _said(text: str) -> nodes.paragraph:
    return nodes.paragraph(text, text)


class Dropdown(SphinxDirective):
    """Hide a part of a page until the reader opens it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> Nodes:
        title, messages = self.parse_inline(self.arguments[0])
        opened = nodes.raw("", '<details class="dropdown"><summary>', format="html")
        between = nodes.raw("", "</summary>", format="html")
        closed = nodes.raw("", "</details>", format="html")
        return [opened, *title, between, *self.parse_content_to_nodes(), closed, *messages]


# --- HTML -----------------------------------------------------------------------------------------


class AltText:
    """Pictures in the outputs of notebooks keep the alt text that stands in their metadata."""

    mime_priority_overrides = ()

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> Nodes | None:
        """Render a picture that has an alt text; all else is left to MyST-NB."""
        alt = data.output_metadata.get(data.mime_type, {}).get("alt")
        if not (alt and data.mime_type.startswith("image/")):
            return None
        made: Nodes = renderer.render_image(data)
        for node in made:
            node["alt"] = alt
        return made


REPAIRS = (
    (r"<pre(?![^>]*\btabindex)", '<pre tabindex="0"'),  # what scrolls is reached by the keyboard
    (r'<table class="docutils(?![^>]*\btabindex)', '<table tabindex="0" class="docutils'),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
    (r' role="doc-biblioentry"', ""),
    (r'(<section\b[^>]*?) id="(?:exercise|solution|proof)-content"', r"\1"),
    (r'(<div class="math-wrapper docutils container") id="[^"]*"', r"\1"),
)
_KEY = re.compile(r"(<a\b[^>]*>)?<code>([a-z_][a-z0-9_]*:[a-z0-9.-]+)</code>")


def _repair(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "furo_navigation_tree" in context:  # captions say that they are headings, not of what level
        context["furo_navigation_tree"] = context["furo_navigation_tree"].replace(
            'role="heading"', 'role="heading" aria-level="2"'
        )
    if "body" not in context:
        return
    for pattern, new in REPAIRS:
        context["body"] = re.sub(pattern, new, context["body"])
    if re.fullmatch(r"chapters/[0-9]{2}_\w+", page):
        context["body"] = _tools(page, context["pathto"]) + context["body"]
    claims = app.env.domains[Claims.name]

    def linked(found: re.Match[str]) -> str:
        place = claims.place(found[2])
        if place is None or found[1]:
            return found[0]
        here = place[0] == page  # Sphinx writes the way to the page itself as #
        address = f"{'' if here else context['pathto'](place[0])}#{place[1]}"
        return f'<a class="reference internal" href="{escape(address)}">{found[0]}</a>'

    context["body"] = _KEY.sub(linked, context["body"])
    if not hasattr(app, "dpbook_previews"):
        app.dpbook_previews = Previews(app)
    context["body"] = app.dpbook_previews.added(context["body"])


def _tools(page: str, pathto: Callable[..., str]) -> str:
    """The line above a chapter: its notebook."""
    name = page.rpartition("/")[2]
    goal = escape(pathto(f"_static/notebooks/{name}.ipynb", 1))
    return f'<p class="chapter-tools"><a href="{goal}" download>Notebook of this chapter</a></p>'


def _open_topics(app: Sphinx, config: Any) -> None:
    """Load the topics that the configuration names, and link the claims of docstrings."""
    recorded.forget()
    named: dict[str, topics.Topic] = {}
    for name in config.dpbook_claims:
        try:
            one = topics.at(Path(app.confdir, name))
            if (other := named.setdefault(one.name, one)) != one:
                raise ValueError(f"{other.path} and {one.path} are both called {one.name}")
            _, faults = catalog.load_anew(one)
        except ValueError as error:
            faults = [f"dpbook_claims: {error}"]
        for fault in faults:
            logger.warning("%s", fault, type="dpbook")
    recorded.note_imported()
    if "autodoc-process-docstring" in app.events.events:
        links = ClaimLinks()
        app.connect("autodoc-process-docstring", links.take, priority=100)
        app.connect("autodoc-process-docstring", links.add, priority=900)


class ClaimLinks:
    """Make the keys of ``Claims: mine:tail``, or of a section Claims, links below their docstring.

    They are taken out before napoleon or numpydoc reads the docstring, which would take them for a part
    of the section above: of what a function returns, for example.
    """

    def __init__(self) -> None:
        self.keys: list[str] = []

    def take(
        self, app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
    ) -> None:
        """Take the keys out of a docstring."""
        self.keys = []

        def taken(section: re.Match[str]) -> str:
            keys = keys_of(section)
            self.keys += keys
            return "" if keys else section[0]

        lines[:] = SECTION.sub(taken, "\n".join(lines)).split("\n")

    def add(
        self, app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
    ) -> None:
        """Add the links of the keys that were taken."""
        if self.keys:
            links = ", ".join(f":claim:`{key}`" for key in dict.fromkeys(self.keys))
            lines += ["", f"**Claims:** {links}", ""]


def _outdated(app: Sphinx, env: Any, added: Any, changed: Any, removed: Any) -> list[str]:
    return [page for page in env.domains[Claims.name].changed() if page in env.found_docs]


def _updated(app: Sphinx, env: Any) -> list[str]:
    env.domains[Claims.name].note_state()
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the roles, directives and repairs to a Sphinx project."""
    app.add_domain(Claims)
    app.add_role("claim", ClaimRole())
    app.add_directive("claim", ClaimCard)
    app.add_directive("claim-table", ClaimTable)
    app.add_directive("check", Check)
    app.add_directive("derive", Derive)
    app.add_directive("claim-graph", ClaimGraph)
    app.add_directive("errata", Errata)
    app.add_directive("derivation-cases", DerivationCases)
    if not is_directive_registered("dropdown"):  # sphinx-design of Jupyter Book 1 has its own
        app.add_directive("dropdown", Dropdown)
    app.add_directive("notation", Notation)
    app.add_config_value("dpbook_claims", [], "env", list)
    app.connect("config-inited", _open_topics)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-updated", _updated)
    app.add_post_transform(Plain)
    app.add_node(
        only_text, html=(_skip, None), text=(_pass, _pass), latex=(_pass, _pass), man=(_pass, _pass)
    )
    app.add_node(graph_node, html=(_write_graph, None))
    app.connect("html-page-context", _repair, priority=900)
    # maths may stand in outputs only, where Sphinx does not see it
    app.set_html_assets_policy("always")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
