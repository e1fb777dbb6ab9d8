"""Read names as they are typed: each Greek letter has one spelling; some words are no factor."""

from __future__ import annotations

import re
from collections.abc import Iterable

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "ϰ": "kappa",
    "λ": "lambda", "μ": "mu", "\u00b5": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "ϱ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "\u2206": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    "\u2126": "Omega", "ℓ": "ell",
}  # fmt: skip
VARIANTS = {
    "varepsilon": "epsilon", "vartheta": "theta", "varkappa": "kappa", "varrho": "rho",
    "varsigma": "sigma", "varphi": "phi", "eps": "epsilon",
}  # fmt: skip
NO_FACTOR = {
    "if", "then", "thus", "hence", "where", "since", "for", "all", "let", "with", "not", "true",
    "false", "none", "rate", "mean", "size", "iff", "is", "else", "when", "of", "to", "percent",
}  # fmt: skip
GLYPHS = "".join(GREEK)
PROBABILITY = r"{\Pr"  # how the name of a probability in LaTeX begins


def canonical(name: str) -> str:
    """Return a name in ASCII, with one spelling for each Greek letter.

    Examples
    --------
    >>> canonical("σ_ε"), canonical("varepsilon_1"), canonical("eps_1")
    ('sigma_epsilon', 'epsilon_1', 'epsilon_1')
    """
    if not name.isascii():
        name = "".join(GREEK.get(sign, sign) for sign in name)
    if "var" not in name and "eps" not in name:
        return name
    parts = (re.fullmatch(r"([a-z]+)([0-9]*)", part) for part in name.split("_"))
    return "_".join(
        VARIANTS.get(match[1], match[1]) + match[2] if match else part
        for match, part in zip(parts, name.split("_"), strict=True)
    )


def spelled_twice(texts: Iterable[str]) -> list[str]:
    """Return the spellings of each symbol that is called eps at one place, and in full at another.

    Examples
    --------
    >>> spelled_twice(["exp(eps) <= 1 + x", "epsilon < 1, x > 0"])
    ['eps and epsilon']
    """
    words = dict.fromkeys(word for text in texts for word in re.findall(r"[^\W\d_]\w*", text))
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(canonical(word), []).append(word)
    return [
        " and ".join(spelled)
        for spelled in found.values()
        if len(spelled) > 1 and any("eps" in word.split("_") for word in spelled)
    ]


_ACCENTED = re.compile(r"(?:hat|bar|tilde|dot)$")
_LABELS = frozenset(
    {"min", "max", "hat", "bar", "tot", "inf", "sup", "old", "new", "opt", "ref", "avg"}
)


def mentions(name: str, index: str) -> bool:
    """Return whether the subscript of a name, or the event of a probability, has an index in it."""
    if name.startswith(PROBABILITY):
        words = re.findall(r"\\?[A-Za-z]+", name[len(PROBABILITY) :])
        return any(
            canonical(word.lstrip("\\")) == index
            or (len(index) == 1 and index in word and not word.startswith("\\"))
            for word in words
        ) or index in re.split(r"[^A-Za-z0-9_]+", name)
    for part in name.split("_")[1:]:
        bare = _ACCENTED.sub("", part) or part
        numbered = len(index) == 1 and index in bare and len(bare) <= 3 and bare not in _LABELS
        if index in (part, bare) or numbered:
            return True
    return False
