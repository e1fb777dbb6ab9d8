"""Show a preview when a pointer rests on a term or on the key of a claim, or when either has the focus."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx import addnodes

from dpbook.engine.language.verdict import Verdict
from dpbook.ext import recorded

GLOSSARY = "chapters/glossary"
LONGEST = 400  # characters of a formula that is still a preview
_LINK = re.compile(r'<a class="reference internal" href="([^"#]*)#([^"]+)"(?=[ >])')


def words_of(node: nodes.Node) -> str:
    """Return a paragraph as HTML with nothing but text and formulas, without its sources."""
    parts = []
    sources = [
        text
        for reference in node.findall(addnodes.pending_xref)
        if reference.get("refdomain") == "cite"
        for text in reference.findall(nodes.Text)
    ]
    for part in node.findall(lambda one: isinstance(one, nodes.Text | nodes.math)):
        if isinstance(part, nodes.math):
            parts.append(f"\\({part.astext()}\\)")
        elif not isinstance(part.parent, nodes.math) and not any(part is one for one in sources):
            parts.append(part.astext())
    return escape(re.sub(r" +([.,;])", r"\1", " ".join("".join(parts).split())))


def terms(doctree: nodes.document) -> dict[str, str]:
    """Return what each term of a glossary means, by its anchor."""
    found = {}
    for item in doctree.findall(nodes.definition_list_item):
        first = next(iter(item.findall(nodes.paragraph)), None)
        for term in item.findall(nodes.term):
            for anchor in term["ids"]:
                if first is not None:
                    found[anchor] = words_of(first)
    return found


def claim(key: str) -> str:
    """Return the preview of a claim: its title, its verdict, and its statement where it is short."""
    one = recorded.entry(key)
    evidence = one.evidence
    said = f"<strong>{escape(one.claim.title)}</strong>, {evidence.word}"
    formula = "" if evidence.verdict is Verdict.NOTED else one.card.statement.latex
    if not formula or len(formula) > LONGEST:
        return said
    return f"{said}<br>\\({escape(formula)}\\)"


class Previews:
    """The previews of one book; a claim's is made when the first link to it is met."""

    def __init__(self, app: Any):
        known = GLOSSARY in app.env.found_docs
        self.terms = terms(app.env.get_doctree(GLOSSARY)) if known else {}
        self.keys = {recorded.anchor(key): key for key in app.env.domains["dpbook"].data["claim"]}
        self.claims: dict[str, str] = {}

    def of(self, anchor: str) -> str:
        """Return the preview of the text at an anchor, or nothing."""
        if anchor in self.terms:
            return self.terms[anchor]
        key = self.keys.get(anchor)
        if key is None:
            return ""
        if key not in self.claims:
            self.claims[key] = claim(key)
        return self.claims[key]

    def added(self, body: str) -> str:
        """Return a page whose links to terms and claims carry their previews."""

        def with_preview(found: re.Match[str]) -> str:
            said = self.of(found[2])
            return f'{found[0]} data-preview="{escape(said)}"' if said else found[0]

        return _LINK.sub(with_preview, body)
