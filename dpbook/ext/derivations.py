"""Make a page from the tests of the checker of derivations, with the expected answers, known failures included."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from dpbook.engine.language.verdict import Verdict, badge

Case = dict[str, Any]
logger = logging.getLogger(__name__)


def cases(path: Path) -> list[Case]:
    """Read derivations of known truth.

    Raises
    ------
    ValueError
        When the file holds none, or a case lacks what is shown.
    """
    with path.open("rb") as file:
        found: list[Case] = tomllib.load(file).get("derivation", [])
    if not found:
        raise ValueError(f"{path.name} holds no [[derivation]]")
    for case in found:
        lacking = {"title", "kind", "lines", "verdict"} - set(case)
        if lacking:
            raise ValueError(f"{path.name}: {case.get('title', case)} has no {min(lacking)}")
        Verdict(case["verdict"])
    return found


class DerivationCases(SphinxDirective):
    """The cases of a file: how many, those that fail as is known, then all by kind."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(name)
        try:
            found = cases(Path(path))
        except (OSError, ValueError) as error:
            logger.warning("%s", error, location=self.get_location(), type="dpbook")
            return []
        failing = [case for case in found if case.get("failure")]
        right = sum(case["verdict"] == "proved" for case in found)
        summary = (
            f"{len(found)} derivations: {right} are right, {len(found) - right} are wrong, each "
            f"with its first wrong line. Known failures: {len(failing)}."
        )
        made: list[nodes.Node] = [nodes.paragraph("", "", nodes.Text(summary))]
        made.append(_section("Known failures", "known-failures", failing))
        for kind in dict.fromkeys(case["kind"] for case in found):
            of_kind = [case for case in found if case["kind"] == kind]
            made.append(_section(kind, nodes.make_id(f"kind-{kind}"), of_kind))
        return made


def _section(title: str, name: str, found: Sequence[Case]) -> nodes.section:
    section = nodes.section("", nodes.title("", "", nodes.Text(title)), ids=[name], names=[name])
    for case in found:
        section += _shown(case)
    if not found:
        section += nodes.paragraph("", "", nodes.Text("None."))
    return section


def _shown(case: Case) -> nodes.container:
    """Return one case: its title, the expected answer, its lines, the first wrong line marked."""
    head = nodes.paragraph("", "", nodes.strong("", case["title"]), nodes.Text(" "))
    verdict = Verdict.UNDECIDED if "failure" in case else Verdict(case["verdict"])
    head += nodes.raw("", badge(verdict), format="html")
    if "failure" in case:
        truth = "right" if case["verdict"] == "proved" else "wrong"
        head += nodes.Text(f" though it is {truth}: ")
    given = case.get("given", [])
    for place, condition in enumerate([given] if isinstance(given, str) else given):
        head += [nodes.Text(", " if place else " given "), nodes.literal("", condition)]
    if case.get("where"):
        head += nodes.Text(" holds where ")
        for place, condition in enumerate(case["where"]):
            head += [nodes.Text(", " if place else ""), nodes.literal("", condition)]
    lines = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
    for place, line in enumerate(case["lines"]):
        item = nodes.paragraph("", "", nodes.literal("", line))
        if place == case.get("first_wrong"):
            item += nodes.strong("", " the first wrong line")
            if case.get("hint"):
                item += nodes.Text(f"; the hint says: {case['hint']}")
        lines += nodes.list_item("", item)
    shown = nodes.container("", head, lines, classes=["derivation"])
    if case.get("failure"):
        shown += nodes.paragraph(
            "", "", nodes.strong("", "Known failure: "), nodes.Text(case["failure"])
        )
    return shown
