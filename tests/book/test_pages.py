"""The pages as they are parsed: complete, linked, and asking for nothing outside."""

import json
import re
import tomllib
from bisect import bisect
from html import escape
from importlib import import_module
from urllib.parse import unquote, urlsplit

import pytest

from dpbook.engine.claims import catalog, record
from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.ext import reference, sphinx

LOADING = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "manifest"}
FETCHED = {"src", "srcset", "poster", "data", "background"}


def outside(address):
    parts = urlsplit(address.strip())
    return bool(parts.netloc or parts.scheme not in ("", "data", "blob", "about"))


def addresses(attributes, name):
    value = attributes[name]
    return (
        [part.split()[0] for part in value.split(",") if part.strip()]
        if name == "srcset"
        else [value]
    )


def fetched(page):
    """All that a browser loads by itself for a page."""
    for tag, found in page.tags:
        if tag == "link" and LOADING & set(found.get("rel", "").split()):
            yield found["href"]
        if tag in ("image", "use"):
            yield from (found[name] for name in ("href", "xlink:href") if name in found)
        if tag != "a":
            yield from (a for name in FETCHED & set(found) for a in addresses(found, name))
        yield from styled(found.get("style", ""))
    raw = page.path.read_text(encoding="utf-8")
    for style in re.findall(r"<style[^>]*>(.*?)</style>", raw, re.S):
        yield from styled(style)


def styled(style):
    """What a style sheet loads."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    yield from re.findall(r"""@import\s+["']([^"']+)["']""", style)
    yield from re.findall(r"""url\(\s*["']?(.*?)["']?\s*\)""", style)


def test_no_page_and_no_style_loads_anything_from_outside(book, pages):
    found = {f"{name}: {a}" for name, page in pages.items() for a in fetched(page) if outside(a)}
    for path in book.rglob("*.css"):
        found |= {
            f"{path.name}: {a}" for a in styled(path.read_text(encoding="utf-8")) if outside(a)
        }
    assert not found


def test_what_pages_load_is_there(book, pages):
    for name, page in pages.items():
        for address in fetched(page):
            path = unquote(urlsplit(address).path)
            if path and not urlsplit(address).scheme:
                assert (page.path.parent / path).is_file(), f"{name}: {address}"


def test_links_within_the_book_resolve(book, pages):
    for name, page in pages.items():
        for link in page.of("a"):
            parts = urlsplit(link.get("href", ""))
            if parts.scheme or parts.netloc:
                continue
            path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if path.suffix != ".html":
                assert path.is_file(), f"{name}: {link}"
                continue
            goal = str(path.relative_to(book.resolve())) if path != page.path else name
            assert goal in pages, f"{name}: {link}"
            fragment = unquote(parts.fragment)
            assert not fragment or fragment in pages[goal].ids, f"{name}: {link}"


def test_no_id_stands_twice_on_a_page(pages):
    for name, page in pages.items():
        ids = [found["id"] for _, found in page.tags if "id" in found]
        assert sorted(ids) == sorted(set(ids)), name


def test_every_picture_has_words(pages):
    for name, page in pages.items():
        for picture in page.of("img"):
            assert len(picture.get("alt", "")) > 10, f"{name}: {picture.get('src', '')[:80]}"


def test_mathjax_is_the_local_one(book, pages):
    script = (book / "_static" / "mathjax" / "tex-mml-chtml.js").read_text(encoding="utf-8")
    assert "3.2.2" in script
    for name, page in pages.items():
        sources = [found["src"] for found in page.of("script") if "mathjax" in found.get("src", "")]
        assert len(sources) == 1, name


def test_no_formula_is_too_long_for_a_browser(pages):
    for name, page in pages.items():
        formulas = re.findall(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", page.path.read_text(), re.DOTALL)
        longest = max((len(tex) for pair in formulas for tex in pair), default=0)
        assert longest < 2 * sphinx.LONGEST, name  # some characters are escaped on a page


def test_every_chapter_is_a_page(pages):
    notebooks = (record.PACKAGE.parent / "notebooks").glob("*.ipynb")
    assert {f"chapters/{path.stem}.html" for path in notebooks} <= set(pages)


def test_outputs_are_those_of_the_notebooks(pages):
    for path in (record.PACKAGE.parent / "notebooks").glob("*.ipynb"):
        shown = pages[f"chapters/{path.stem}.html"].text
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if output["output_type"] == "stream":
                    assert " ".join("".join(output["text"]).split()) in shown, cell["id"]


def card_of(key):
    """The page of a claim's card, that of its section, and the anchor there."""
    section = catalog.find(key).function.__module__.rpartition(".")[2]
    return f"claims/{key.partition(':')[0]}/{section}.html", key.replace(":", "-")


@pytest.mark.parametrize("topic", record.topics())
def test_page_of_a_topic_leads_to_each_claim_with_its_verdict(pages, topic):
    links = {link.get("href") for link in pages[f"claims/{topic}.html"].of("a")}
    for key, row in record.read_record(record.record_path(topic)).items():
        name, anchor = card_of(key)
        assert anchor in pages[name].ids
        raw = pages[name].path.read_text(encoding="utf-8")
        card = raw[raw.index(f'id="{anchor}"') :].partition("</section>")[0]
        trusted = tuple(row.get("trusted", ()))
        badge = Evidence(Verdict(row["verdict"]), trusted=trusted).word
        assert f">{badge}</strong>" in card, key
        assert f"{name.removeprefix('claims/')}#{anchor}" in links


def test_card_of_a_refuted_claim_says_where_it_fails_and_what_repairs_it(pages):
    card = pages["claims/langevin/section_4.html"].path.read_text(encoding="utf-8")
    card = card[card.index('id="langevin-lemma-4.2"') :].partition("</section>")[0]
    words = " ".join(re.sub(r"<[^>]+>", " ", card).split())
    assert "x_n_hat = 4" in words
    assert "Lemma 4.2" in words
    assert "theorem 1" in words
    assert 'href="#langevin-lemma-4.2-corrected"' in card
    assert r"\varepsilon_{1}" in card


def test_errata_stand_apart_from_misprints(pages):
    raw = pages["errata.html"].path.read_text(encoding="utf-8")
    parts = (
        "errors",
        "at-the-edge",
        "in-the-authors-programs",
        "misprints",
        "consequences",
        "not-of-a-paper",
    )
    starts = [raw.index(f'<section id="{part}">') for part in parts]
    assert starts == sorted(starts)
    kinds = {"boundary": 1, "code": 2, "misprint": 3, "scan": 3, "consequence": 4, "": 5}
    for topic in record.topics():
        for key, row in record.read_record(record.record_path(topic)).items():
            anchor = f'id="erratum-{key.replace(":", "-")}"'
            assert (anchor in raw) == (row["verdict"] == "refuted"), key
            if row["verdict"] == "refuted":
                place = bisect(starts, raw.index(anchor)) - 1
                assert place == kinds.get(catalog.find(key).fault, 0), key


def test_graph_leads_to_every_claim(pages):
    page = pages["graph.html"]
    drawn = {link["href"] for link in page.of("a") if "aria-label" in link}
    for topic in record.topics():
        for key in record.read_record(record.record_path(topic)):
            assert "#".join(card_of(key)) in drawn
    assert {drawing["role"] for drawing in page.of("svg") if "aria-label" in drawing} == {"group"}


def test_notation_has_every_symbol(pages):
    page = pages["notation.html"]
    shown = page.text.replace("’", "'").replace("…", "...")  # as Sphinx sets them

    def bare(words):  # a power is set as one
        return re.sub(r"[\s*()]", "", words)

    shown = bare(shown)
    for topic in record.topics():
        for name, symbol in vars(import_module(f"dpbook.{topic}.notation")).items():
            if isinstance(symbol, RangedSymbol):
                assert f"{topic}-{name}" in page.ids
                assert bare(symbol.meaning) in shown, symbol


def test_glossary_has_every_word_that_is_used(pages):
    page = pages["chapters/glossary.html"]
    terms = {name for name in page.ids if name.startswith("term-")}
    assert len(terms) >= 30
    assert {f"term-{verdict}" for verdict in record.STRENGTH} <= terms


def test_page_of_the_checker_has_every_case_of_its_tests(pages):
    raw = pages["derivations.html"].path.read_text(encoding="utf-8")
    path = record.PACKAGE.parent / "tests" / "engine" / "derivations.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))["derivation"]
    failing = [case for case in found if case.get("failure")]
    kinds = raw[raw.index('id="kind-') :]
    known = raw[raw.index('id="known-failures"') :].partition("</section>")[0]
    assert kinds.count('class="derivation docutils container"') == len(found)
    assert known.count('class="derivation docutils container"') == len(failing)
    assert kinds.count("the first wrong line") == sum("first_wrong" in case for case in found)
    for case in found:
        assert f"<strong>{escape(case['title'], quote=False)}</strong>" in kinds, case["title"]


def test_keys_in_the_outputs_of_chapters_are_links(pages):
    page = pages["chapters/03_langevin_posterior.html"]
    assert "../claims/langevin/section_4.html#langevin-lemma-4.2" in {
        link.get("href") for link in page.of("a")
    }


def test_search_knows_claims_by_title_and_key(book):
    index = (book / "searchindex.js").read_text(encoding="utf-8")
    assert "langevin-lemma-4.2" in index
    assert "Renyi privacy of one posterior draw, as printed" in index


def test_a_chapter_has_a_number_and_its_notebook(book, pages):
    paths = sorted((record.PACKAGE.parent / "notebooks").glob("*.ipynb"))
    for number, path in enumerate(paths, 1):
        page = pages[f"chapters/{path.stem}.html"]
        raw = page.path.read_text(encoding="utf-8")
        assert f'<span class="section-number">{number}. </span>' in raw
        assert [link["href"] for link in page.of("a") if "download" in link] == [
            f"../_static/notebooks/{path.name}"
        ]
        assert (book / "_static/notebooks" / path.name).read_bytes() == path.read_bytes()


def test_the_grammar_and_the_page_for_lecturers_are_pages(pages):
    assert "γ(x)" in pages["grammar.html"].text
    assert "generate_assignment" in pages["chapters/teach.html"].text


def test_the_graph_counts_the_claims_of_its_own_topic(pages):
    raw = pages["graph.html"].path.read_text(encoding="utf-8")
    for topic in record.topics():
        drawn = raw[raw.index(f'data-topic="{topic}"') :].partition("</svg>")[0]
        rows = record.read_record(record.record_path(topic)).values()
        proved = sum(row["verdict"] == "proved" for row in rows)
        assert f">{proved} proved</text>" in drawn


def test_the_reference_has_every_public_name(pages):
    assert reference.packages()[0] == "privacy"
    for name in ("dpbook", *(f"dpbook.{package}" for package in reference.packages())):
        page = pages[f"api/{name.rpartition('.')[2]}.html"]
        for public in import_module(name).__all__:
            assert f"{name}.{public}" in page.text.replace(". ", "."), f"{name}.{public}"
    shown = pages["api/privacy.html"].text
    assert "gaussian_epsilon ( 1e-6" in shown or "gaussian_epsilon(1e-6, sigma=2)" in shown
    assert "Standard deviation of the noise" in shown


def test_links_to_terms_and_claims_say_what_these_are(pages):
    previews = {
        name: {
            link["href"].partition("#")[2]: link["data-preview"]
            for link in page.of("a")
            if "data-preview" in link
        }
        for name, page in pages.items()
    }
    assert "refuted" in previews["chapters/03_langevin_posterior.html"]["langevin-lemma-4.2"]
    chain = previews["chapters/04_langevin_chains.html"]["term-Langevin-dynamics"]
    assert chain.startswith("A Markov chain that follows the gradient")
    assert chain.endswith("Langevin dynamics.")  # without its sources
    table = previews["claims/privacy.html"]
    assert r"\(" in table["privacy-zcdp-to-dp"]


def test_the_first_page_counts_the_papers_that_are_here(pages):
    count = sum(hasattr(import_module(f"dpbook.{t}.claims"), "SOURCE") for t in record.topics())
    word = ("No", "One", "Two", "Three", "Four", "Five")[count]
    assert f"{word} paper{'s' * (count != 1)} on differential privacy" in pages["index.html"].text


def test_names_in_an_erratum_are_defined_there(pages):
    raw = pages["errata.html"].path.read_text(encoding="utf-8")
    part = raw[raw.index('id="erratum-langevin-text-a-renyi"') :].partition("</section>")[0]
    assert ">where<" in part.replace('<span class="colon">:</span>', "")


def test_prose_of_errata_has_powers_and_no_stars(pages):
    page = pages["errata.html"]
    raw = page.path.read_text(encoding="utf-8")
    prose = re.sub(r"<(code|pre)\b.*?</\1>", "", raw, flags=re.S)
    assert re.findall(r"\w\*\*[\w(]", re.sub(r"<[^>]+>", "", prose)) == []
    assert "<sup>2</sup>" in raw
