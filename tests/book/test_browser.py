"""The book in a browser: nothing asked from outside, typeset, searchable, accessible."""

import io
import json
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

SETTLED = """
const done = arguments[0];
(function wait() {
  const started = window.MathJax && MathJax.startup && MathJax.startup.promise;
  if (!started) { setTimeout(wait, 20); return; }
  MathJax.startup.promise.then(() => document.fonts.ready).then(() => done(true));
})();
"""
STILL = """
const style = document.createElement('style');
style.textContent = '*,*::before,*::after{animation:none!important;transition:none!important}';
document.head.append(style);
document.querySelectorAll('details').forEach(d => { d.removeAttribute('name'); d.open = true; });
document.querySelectorAll('button.toggle-button').forEach(b => b.click());
"""
EXAMINED = """
const done = arguments[0];
document.querySelectorAll('mjx-container').forEach(e => e.replaceChildren('x'));
axe.run(document, {resultTypes: ['violations'], preload: false}).then(
  found => done(found.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(
    v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | '))),
  error => done(['axe failed: ' + error]));
"""
FAULTY = """
document.querySelector('article').insertAdjacentHTML('beforeend',
  '<img src="data:,"><p style="color:#777;background:#888">faint</p>');
"""
# The document hides what its content scrolls by: that is asked as well.
WIDE = """
return Math.max(...[document.documentElement, ...document.querySelectorAll('.content')].map(
  e => e.scrollWidth - e.clientWidth))
"""
PLACE = "const r = arguments[0].getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]"
DRAWN = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
WRONG = "return [...document.querySelectorAll('mjx-merror')].map(e => e.textContent)"
SECTION = "claims/langevin/section_4.html"
NARROW, LONG = "phone, dark", 300_000  # bytes
LOOKS = {"desk, light": ("light", 1280, 900), NARROW: ("dark", 390, 844)}


def look(browser, address, mode="light", width=1280, height=900):
    """Open a page and wait until its maths is typeset."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": mode}]},
    )
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    browser.get(address)
    browser.execute_async_script(SETTLED)


def requests(browser):
    """Addresses asked for since the last call; blocked ones too."""
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def examined(browser, axe):
    """Serious and critical findings of axe-core on the page that is open.

    Formulas are put away for it: MathJax makes them, and each glyph would take its time.
    """
    browser.execute_script(axe)
    return browser.execute_async_script(EXAMINED)


def one_of_each_kind(pages):
    """The first page of each folder, the first chapters, and those that stand alone."""
    firsts = {str(Path(name).parent): name for name in sorted(pages, reverse=True)}
    alone = [name for name in sorted(pages) if "/" not in name and not name[:2].isdigit()]
    chapters = [name for name in sorted(pages) if Path(name).name[:2].isdigit()][:2]
    return list(dict.fromkeys([*firsts.values(), *alone, *chapters]))


def chosen_for(looks, pages):
    """Pages of every kind; those that are long, with many of each kind, in the narrow look only."""
    chosen = one_of_each_kind(pages)
    return [name for name in chosen if looks == NARROW or pages[name].path.stat().st_size < LONG]


def test_pages_that_are_looked_at_are_of_every_kind(pages):
    chosen = one_of_each_kind(pages)
    assert {str(Path(name).parent) for name in chosen} == {str(Path(n).parent) for n in pages}
    assert len(chosen) <= len(pages)
    assert chosen_for(NARROW, pages) == chosen
    assert len(chosen_for("desk, light", pages)) > len(chosen) / 2


@pytest.fixture(scope="module", params=LOOKS)
def visits(request, browser, axe, site, pages):
    """What is seen of each page, all details open, in one look."""
    browser.get_log("browser")
    list(requests(browser))
    seen = {}
    for name in pages if "DPBOOK_EVERY_PAGE" in os.environ else chosen_for(request.param, pages):
        look(browser, f"{site}/{name}", *LOOKS[request.param])
        browser.execute_script(STILL)
        seen[name] = {
            "too wide": max(browser.execute_script(WIDE), 0),
            "not typeset": browser.execute_script(WRONG),
            "findings": examined(browser, axe),
            "console": [e["message"] for e in browser.get_log("browser") if e["level"] == "SEVERE"],
            "requests": list(requests(browser)),
        }
    return seen


def those(visits, what):
    return {name: seen[what] for name, seen in visits.items() if seen[what]}


def test_every_request_stays_on_this_machine(visits, site):
    asked = [address for found in those(visits, "requests").values() for address in found]
    assert len(asked) > len(visits)
    assert [a for a in asked if not a.startswith((f"{site}/", "data:", "blob:"))] == []


def test_no_serious_accessibility_finding(visits):
    assert those(visits, "findings") == {}


def test_nothing_is_wider_than_the_window(visits):
    assert those(visits, "too wide") == {}


def test_every_formula_is_understood(visits):
    assert those(visits, "not typeset") == {}


def test_console_is_silent(visits):
    assert those(visits, "console") == {}


def test_request_log_sees_what_is_blocked(browser, site):
    look(browser, f"{site}/index.html")
    list(requests(browser))
    browser.execute_script("new Image().src = 'http://elsewhere.invalid/a.png'")
    time.sleep(0.5)
    assert "http://elsewhere.invalid/a.png" in list(requests(browser))


def test_accessibility_check_can_fail(browser, axe, site):
    look(browser, f"{site}/index.html")
    browser.execute_script(FAULTY)
    found = {finding.partition(":")[0] for finding in examined(browser, axe)}
    assert found == {"image-alt", "color-contrast"}


def test_maths_is_typeset(browser, site):
    typeset = "return document.querySelectorAll('mjx-container').length"
    look(browser, f"{site}/claims/langevin/appendix_d.html")
    assert browser.execute_script(typeset) > 100
    look(browser, f"{site}/chapters/01_claims.html")  # maths in outputs only
    assert browser.execute_script(typeset) > 3


def test_solution_is_closed_until_it_is_opened(browser, site):
    look(browser, f"{site}/chapters/01_claims.html")
    inside = "document.querySelector('.solution.dropdown .admonition-title ~ *')"
    state = f"return getComputedStyle({inside}).visibility"
    assert browser.execute_script(state) == "hidden"
    browser.execute_script("document.querySelector('.solution.dropdown .toggle-button').click()")
    assert browser.execute_script(state) == "visible"


def found_by(browser, site, query):
    """What the search lists, when it lists no more: the links of each result, in their order."""
    look(browser, f"{site}/search.html?q={query}")
    deadline = time.monotonic() + 60
    done = "return document.querySelector('#search-results h2 + p, #search-results p').textContent"
    while "found" not in (browser.execute_script(done) or "") and time.monotonic() < deadline:
        time.sleep(0.1)
    return browser.execute_script(
        "return [...document.querySelectorAll('#search-results ul.search > li')]"
        ".map(one => [...one.querySelectorAll(':scope > a, p.also a')].map(a => a.href))"
    )


@pytest.mark.parametrize(
    ("query", "goal", "places"),
    [
        ("lemma 4.2", f"{SECTION}#langevin-lemma-4.2", 3),
        ("eq. 14", "#langevin-eq-14", 3),
        ("gaussian mechanism", "chapters/02_privacy.html", 5),
        ("normal-tail", "claims/privacy/profiles.html#privacy-normal-tail", 30),
        ("hockey-stick", "chapters/glossary.html#term-hockey-stick-divergence", 30),
        ("loss_bound", "notation.html#langevin-loss_bound", 30),
    ],
)
def test_search_puts_what_is_asked_for_among_the_first(browser, site, query, goal, places):
    found = found_by(browser, site, query)
    links = [link for result in found[:places] for link in result]
    assert any(goal in link for link in links), f"{query}: {links}"
    if query == "eq. 14":
        assert links[0].partition("#")[2].endswith("-eq-14"), links[0]


def test_search_has_one_result_for_a_page(browser, site):
    found = found_by(browser, site, "lemma 4.2")
    assert max(map(len, found)) > 1
    pages = [re.sub(r"[?#].*", "", first) for first, *_ in found]
    assert len(pages) == len(set(pages))


def test_search_shows_words_and_not_the_source_of_formulas(browser, site):
    found_by(browser, site, "hockey-stick divergence")
    shown = (
        "return [...document.querySelectorAll('#search-results .context')].map(e => e.textContent)"
    )
    deadline = time.monotonic() + 30
    while len(browser.execute_script(shown)) < 5 and time.monotonic() < deadline:
        time.sleep(0.1)  # the pages are fetched after they are listed
    words = browser.execute_script(shown)
    assert len(words) >= 5
    assert [one for one in words if re.search(r"\\[a-zA-Z(\[]", one)] == []


def brightness(browser, selector):
    """The mean brightness, 0 to 255, of the first element of a kind that has a size."""
    from selenium.webdriver.common.by import By

    shown = [one for one in browser.find_elements(By.CSS_SELECTOR, selector) if one.size["width"]]
    browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", shown[0]
    )
    browser.execute_async_script(DRAWN)  # a screenshot waits for ten seconds, a script for longer
    left, top, right, bottom = browser.execute_script(PLACE, shown[0])
    window = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("L")
    seen = (max(left, 0), max(top, 0), min(right, window.width), min(bottom, window.height))
    return float(np.asarray(window.crop(tuple(map(int, seen)))).mean())


def test_figures_are_dark_where_the_page_is(browser, site):
    for page, figure in (
        ("chapters/02_privacy.html", "div.cell_output > a > img"),  # of a cell
        ("chapters/02_privacy.html", "div.output img"),  # of an explorer
        ("graph.html", "div.claim-graph"),
    ):
        look(browser, f"{site}/{page}", "light")
        assert brightness(browser, figure) > 180, page
        look(browser, f"{site}/{page}", "dark")
        assert brightness(browser, figure) < 90, page


def test_print_leaves_out_what_is_for_the_screen_and_keeps_solutions_closed(browser, site):
    look(browser, f"{site}/chapters/01_claims.html")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = (
        "return [...document.querySelectorAll(arguments[0])].some(e => e.getClientRects().length)"
    )
    inside = "document.querySelector('.solution.dropdown .admonition-title ~ *')"
    try:
        assert browser.execute_script(shown, "article p")
        for part in (".skip-to-content", ".toc-drawer", "button.copy", ".related-pages"):
            assert not browser.execute_script(shown, part), part
        state = f"return getComputedStyle({inside}).visibility"
        assert browser.execute_script(state) == "hidden"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


A4 = 717  # CSS pixels between the margins of the browser's print


def test_on_paper_nothing_scrolls_and_no_formula_is_cut(browser, site):
    for page in ("chapters/01_claims.html", "chapters/08_contamination.html", "graph.html"):
        look(browser, f"{site}/{page}")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        size = {"width": A4, "height": 1040, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            boxes = "return ['html', 'body', '.page', '.main', '.content'].map(s => getComputedStyle(document.querySelector(s)).overflowY)"
            assert set(browser.execute_script(boxes)) == {"visible"}, page
            wide = f"""
            return [...document.querySelectorAll('article mjx-math, article svg, article pre')].filter(
              e => e.getBoundingClientRect().width && e.getBoundingClientRect().right > {A4} + 1
            ).map(e => e.textContent.slice(0, 60))"""
            assert browser.execute_script(wide) == [], page
        finally:
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_formula_is_set_no_larger_than_its_card(browser, site):
    look(browser, f"{site}/chapters/01_claims.html")
    time.sleep(0.5)
    card = "document.querySelector('div.claim-card mjx-container.fitted').closest('p, div')"
    over = f"return {card}.scrollWidth - {card}.clientWidth"
    assert browser.execute_script(over) <= 1


def test_names_in_the_graph_fit_into_their_frames(browser, site):
    look(browser, f"{site}/graph.html")
    out = """
    return [...document.querySelectorAll('div.claim-graph a')].filter(
      a => a.querySelector('text').getBBox().width > a.querySelector('rect').getBBox().width - 10
    ).map(a => a.textContent)"""
    assert browser.execute_script(out) == []


def test_dark_mode_is_dark_and_can_be_chosen(browser, site):
    ground = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    look(browser, f"{site}/index.html", "light")
    assert min(browser.execute_script(ground)[:3]) > 200
    look(browser, f"{site}/index.html", "dark")
    assert max(browser.execute_script(ground)[:3]) < 60
    look(browser, f"{site}/index.html", "light")
    themes = []
    for _ in range(3):
        button = "[...document.querySelectorAll('.theme-toggle')].find(b => b.offsetParent)"
        browser.execute_script(f"{button}.click()")
        themes.append(browser.execute_script("return document.body.dataset.theme"))
    browser.execute_script("localStorage.clear()")
    assert set(themes) == {"auto", "light", "dark"}


def test_click_in_the_graph_leads_to_the_card(browser, site):
    look(browser, f"{site}/graph.html")
    link = "document.querySelector('svg a[href$=\"#langevin-lemma-4.2\"]')"
    browser.execute_script(f"{link}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    deadline = time.monotonic() + 10
    while SECTION not in browser.current_url and time.monotonic() < deadline:
        time.sleep(0.1)
    assert browser.current_url == f"{site}/{SECTION}#langevin-lemma-4.2"


def test_code_has_a_button_that_copies_and_the_graph_one_that_enlarges(browser, site):
    look(browser, f"{site}/chapters/01_claims.html")
    cells = "return document.querySelectorAll('div.cell_input div.highlight').length"
    buttons = "return document.querySelectorAll('div.cell_input button.copy').length"
    assert browser.execute_script(buttons) == browser.execute_script(cells) > 5
    look(browser, f"{site}/graph.html")
    width = "return document.querySelector('div.claim-graph svg').getBoundingClientRect().width"
    press = (
        "[...document.querySelectorAll('.graph-tools button')].find(b => b.textContent === '{}')"
    )
    before = browser.execute_script(width)
    browser.execute_script(press.format("Larger") + ".click()")
    larger = browser.execute_script(width)
    browser.execute_script(press.format("Smaller") + ".click()")
    assert larger > 1.2 * before
    assert abs(browser.execute_script(width) - before) < 2
