"""Write the page "What is trusted", with the numbers of rules, functions, axioms, integrals and lemmas."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpbook.engine.claims import proof_files, record
from dpbook.engine.claims.entry import Entry
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove.proof_text import WORDS
from dpbook.ext.recorded import entries
from dpbook.kernel import check as checking
from dpbook.kernel.files.about import lines_of_code, trusted_lines
from dpbook.kernel.files.lemmas import on_record
from dpbook.kernel.files.replay import named_in, nodes_in
from dpbook.kernel.formulas import Or, Relation, negated, parse_formula
from dpbook.kernel.rules import RULES
from dpbook.kernel.table import (
    AXIOMS,
    FUNCTIONS,
    INTEGRALS,
    PARAMETERS,
    UNPROVED,
    Axiom,
    Function,
    Integral,
)


@dataclass
class Uses:
    """In how many proofs on record each thing stands."""

    proofs: int = 0
    counterexamples: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    axioms: Counter[str] = field(default_factory=Counter)
    integrals: Counter[str] = field(default_factory=Counter)


def uses() -> Uses:
    """Count in the proofs on record."""
    found = Uses()
    for topic in record.topics():
        for entry in proof_files.of_topic(topic).values():
            if "axiom" in entry:
                continue
            certificate = entry["certificate"]
            if "point" in entry:
                found.counterexamples += 1
            else:
                found.proofs += 1
            found.rules.update({node["rule"] for node in nodes_in(certificate)})
            found.functions.update(FUNCTIONS.keys() & _CALLED.findall(json.dumps(entry)))
            found.axioms.update(named_in(certificate, "axiom"))
            found.integrals.update(named_in(certificate, "integral of the table", "entry"))
    return found


_CALLED = re.compile(r"\b(\w+)\(")


def page() -> str:
    """Return the page as MyST."""
    found = uses()
    every = [one for t in record.topics() for one in entries(t)]
    verdicts = Counter(one.evidence.verdict for one in every)
    proved, refuted = verdicts[Verdict.PROVED], verdicts[Verdict.REFUTED]
    parts = [
        "# What is trusted",
        INTRODUCTION.strip(),
        f"Each of the {proved} claims that are proved has a proof that the kernel checks; {found.proofs} "
        f"such proofs are on record. {_refutations(found.counterexamples, refuted)}",
        "## Rules",
        "A proof is a tree of these. Each computes what is left to show from what is to be shown.",
        *(_rule(name, found.rules[name]) for name in sorted(RULES)),
        "## Functions",
        FUNCTIONS_SAID.strip(),
        _functions(found.functions),
        "## Axioms",
        AXIOMS_SAID.strip(),
        _axioms(found.axioms),
        "## Named axioms",
        NAMED.strip(),
        *_named_axioms(every),
        "## Integrals",
        _integrals(found.integrals),
        "## Lemmas of the kernel",
        *_lemmas(found.axioms + found.integrals),
        "## The program",
        *_program(),
    ]
    return "\n\n".join(parts) + "\n"


def _refutations(checked: int, refuted: int) -> str:
    if checked == refuted:
        return f"The kernel also checks the {refuted} refutations."
    return (
        f"The kernel also checks {checked} of the {refuted} refutations; exact arithmetic and Arb "
        f"check the {'other' if refuted - checked == 1 else 'others'}."
    )


def _rule(name: str, count: int) -> str:
    said = _narrow((inspect.getdoc(RULES[name]) or "").replace("``", ""))
    head = f"### {name[0].upper()}{name[1:]}"
    return f"{head}\n\n{_proofs(count)}; in a proof it reads: *{_words(name)}*.\n\n```text\n{said}\n```"


def _narrow(said: str) -> str:
    """Return the text of a rule in lines that the page has room for; each field keeps its indent."""
    lines: list[str] = []
    for line in said.splitlines():
        begins = not line or not lines or not lines[-1] or _FIELD.match(line)
        lines.append(line if begins else f"{lines.pop()} {line.strip()}")
    wrapped: list[str] = []
    for line in lines:
        field = _FIELD.match(line)
        indent = " " * len(field[0]) if field else ""
        wrapped += textwrap.wrap(line, 84, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "\n".join(wrapped)


# a label of one word; of several words where it stands at the beginning of a line and two blanks follow
_FIELD = re.compile(r"\w+(?: \w+){0,2} {2,}(?=\S)")


def _words(name: str) -> str:
    return re.sub(r"{(\w+)}", r"⟨\1⟩", WORDS[name])


def _proofs(count: int) -> str:
    return f"In {count} {'proof' if count == 1 else 'proofs'}"


def _functions(counts: Counter[str]) -> str:
    rows = [
        (_call(name, one), _where(one), "; ".join(_derivatives(one)), str(counts[name]))
        for name, one in FUNCTIONS.items()
    ]
    return _table(("function", "where it is defined", "derivatives", "proofs"), rows, code=(0, 2))


def _call(name: str, one: Function) -> str:
    arguments = ", ".join(PARAMETERS[: one.arguments]) if one.arguments > 0 else "u, ..."
    return f"{name}({arguments})"


def _where(one: Function) -> str:
    return f"`{'; '.join(one.domain)}`" if one.domain else "everywhere"


def _derivatives(one: Function) -> list[str]:
    """The derivatives that are known; by which argument is said where there are several."""
    known = zip(PARAMETERS, one.derivatives, strict=False)
    alone = one.arguments == 1
    return [said if alone else f"by {u}: {said}" for u, said in known if said]


def _program() -> list[str]:
    """The files of the kernel, with their sizes."""
    folder = Path(inspect.getfile(checking)).parent
    rows, whole, trusted = [], 0, sum(trusted_lines().values())
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        size = lines_of_code(source)
        whole += size
        said = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
        rows.append((str(path.relative_to(folder)), said, str(size)))
    return [
        f"The kernel has {whole:,} lines of code in {len(rows)} files, comments and docstrings not "
        f"counted. Of these {trusted:,} are imported when a proof is checked; the others read files. {CALLERS_SAID} The kernel "
        f"imports nothing but Python's standard library. {BUILT_IN.strip()}",
        _table(("file of dpbook/kernel", "what it holds", "lines"), rows, code=(0,)),
    ]


def _axioms(counts: Counter[str]) -> str:
    rows = [
        (name, _said(one), "; ".join(one.conditions), one.source, one.why, str(counts[name]))
        for name, one in AXIOMS.items()
        if name in UNPROVED
    ]
    return _table(("axiom", "what it says", "where", "source", WHY, "proofs"), rows, code=(2,))


def _said(one: Axiom | Integral) -> str:
    """Return the statement of a fact, each formula in a line."""
    if isinstance(one, Axiom):
        return LINE.join(f"`{_with_if(said)}`" for said in one.formulas)
    return f"`integral({one.body}, x, {one.low}, {one.high}) == {one.value}`"


def _lemmas(counts: Counter[str]) -> list[str]:
    """The lemmas of the kernel, with the facts and the rules that their proofs use."""
    facts: dict[str, Axiom | Integral] = {**AXIOMS, **INTEGRALS}
    rows, forms = [], 0
    for name, entry in on_record().items():
        nodes = list(nodes_in(entry["certificate"]))
        used = dict.fromkeys(n["entry" if "entry" in n else "name"] for n in nodes if _takes(n))
        rules = sorted({n["rule"] for n in nodes})
        forms += set(rules) <= OF_FORM
        one = facts[name]
        cells = (name, _said(one), "; ".join(one.conditions), "; ".join(used), ", ".join(rules))
        rows.append((*cells, str(counts[name])))
    heads = ("lemma", "what it says", "where", "it uses", "rules of its proof", "proofs")
    said = LEMMAS_SAID.strip().format(count=len(rows), forms=forms)
    return [said, _table(heads, rows, code=(2,))]


def _takes(node: Mapping[str, Any]) -> bool:
    return node["rule"] in ("axiom", "integral of the table")


def _with_if(said: str) -> str:
    """Return an axiom that is an ``or`` as its last part, with the opposites of the others as conditions."""
    formula = parse_formula(said)
    if not isinstance(formula, Or) or not all(isinstance(p, Relation) for p in formula.parts):
        return said
    *others, last = formula.parts
    return f"{last} if {', '.join(str(negated(other)) for other in others)}"


def _named_axioms(every: Sequence[Entry]) -> list[str]:
    """How many claims rest on facts of the literature, and which facts these are."""
    named = [one for one in every if one.claim.axiom]
    proved = [one.evidence for one in every if one.evidence.verdict is Verdict.PROVED]
    resting = [one for one in proved if one.named_axioms]
    counts = Counter(said for one in resting for said in one.named_axioms)
    said = (
        f"{len(resting)} of the {len(proved)} claims that are proved rest on "
        f"{'it' if len(named) == 1 else 'one of these' if named else 'such a fact'}."
    )
    rows = [
        (
            f"{{claim}}`{one.claim.key}`",
            one.claim.title,
            str(one.claim.source),
            str(counts[f"{one.claim.key} ({one.claim.source})"]),
        )
        for one in named
    ]
    heads = ("named axiom", "what it says", "source", "proved claims")
    return [said, _table(heads, rows)] if rows else [said]


def _integrals(counts: Counter[str]) -> str:
    rows = [
        (name, _said(one), "; ".join(one.conditions), one.source, one.why, str(counts[name]))
        for name, one in INTEGRALS.items()
        if name in UNPROVED
    ]
    return _table(("integral", "what it says", "where", "source", WHY, "proofs"), rows, code=(2,))


def _counted(what: str, counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return _table((what, "proofs"), [(name, str(count)) for name, count in ordered])


def _table(
    heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], code: tuple[int, ...] = ()
) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for row in rows:
        cells = [f"`{c}`" if place in code and c else c for place, c in enumerate(row)]
        lines.append(f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |")
    return "\n".join(lines)


BAR = r"\|"  # a bar inside a cell
LINE = "<br>"  # between the lines of a cell
WHY = "why it is not proved"
# rules that decide by the normal form and signs alone, and those that split a goal into parts
OF_FORM = {"auto", "identity", "restate", "combination", "and", "or", "cases", "weaken", "refute"}

INTRODUCTION = """
Search proposes, a small program decides. What is called {term}`proved` with the kernel as its base was found by a search that
may be wrong, and then checked by the *kernel*: a program of Python's standard library alone, which searches nothing and reads
no clock. To believe such a proof you have to trust the kernel's rules, the axioms that the proof uses, and those of the literature
that it names. They are listed here, with the number of proofs on record in which each stands. Where a proof uses another claim
as a lemma, its count leaves out all that stands in the proof of this lemma. `python -m dpbook.kernel FILE ...` checks the proofs of
files again, with nothing else installed; it counts what stands in lemmas, too, and in refutations. Lemmas may stand in files of
other sections and topics: give it all of `dpbook/*/claims/proofs/*.json`. The same program runs in a browser's Python:
`.ci/pyodide` checks the proofs of a topic in Pyodide, with node and npm.

The kernel checks a *sequent*: variables with their ranges, conditions and a goal, as they stand in those files. That a sequent says
what the card of its claim says is the work of `dpbook/engine`: trust that as well, or compare the two.
"""

AXIOMS_SAID = """
Facts about functions that are taken as true, for all values of their parameters. Most facts that proofs use under the name of an
axiom are [lemmas of the kernel](#lemmas-of-the-kernel), which are proved from these.
"""

LEMMAS_SAID = """
{count} facts about functions that proofs use like axioms are proved. Their proofs stand in `dpbook/kernel/lemmas/`, and
`python -m dpbook.kernel` checks them before all others, in an order in which each uses axioms and earlier lemmas only. Nothing of
them has to be trusted but the rules. Of {forms} of them the proof says little: it leaves the lemma to the normal form
and to the inference of signs, with the enclosures of numbers that it asks for. The program itself holds such a fact: a
definition, as of the absolute value and of `a^b = exp(b log a)`, or a bound, as of `atan`.
"""

NAMED = """
An *axiom* is a statement from which a proof begins, and which is not proved itself. A theorem of the literature that the kernel
has no rule for may stand in a proof as an *axiom with a name*: a claim with its published source, tried on small examples of
which none may refute it, and not proved here. The badge of what rests on it says "proved, given a theorem of the literature".
"""

FUNCTIONS_SAID = """
A statement with a function also says that the function is defined. The table says where the kernel takes it to be; some, such as
Gamma at -1/2, have values elsewhere too, and of these the kernel shows nothing. A power `u^v` is taken to be defined where `u > 0`;
where `v` is an integer by its form, and `u != 0` or `v >= 0`; and where `v` is a positive number, such as 1/2, and `u >= 0`. `0^0` is
1. A derivative holds where the function and the derivative, as written, are defined.
"""

CALLERS_SAID = (
    "Two of the others are trusted as well, as a check takes the statements of lemmas as given: `files/replay.py` sees "
    "to it that a lemma is proved, is not refuted and does not rest on the proof that uses it, and `files/lemmas.py` that "
    "each lemma of the kernel is proved from axioms and earlier lemmas; it compares statements as `text.py` writes them. The data `functions.toml` and `axioms.toml` are "
    "trusted, and counted in no line; `lemmas.toml` is compared with the proofs of its lemmas."
)

BUILT_IN = """
Some facts are not axioms but part of the program: the arithmetic of polynomials, powers, roots, exponentials and logarithms
(`normal/polynomials.py`, `normal/facts.py`); parities, periods, rounding of what is an integer by its form, the recurrences of Gamma and its
derivatives and their values at halves (there as well); the series, with their remainders, by which the enclosures of functions are
computed (`enclosure.py`). Where a proof says *auto*, `normal/automatic.py` decides that a premise stands among what is given, that
a number or a variable is defined, that a term is an integer by its form, or that a relation follows from signs.
"""
