"""What the tests of the book share: the built book, parsed, served, and in a browser."""

import functools
import http.server
import os
import shutil
import threading
from html.parser import HTMLParser
from importlib import metadata, util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

PATIENCE = 600  # seconds for a page or a script: a net, for a busy machine takes long


@pytest.fixture(scope="session")
def book():
    """The folder that DPBOOK_BOOK names, as `make book` wrote it."""
    named = os.environ.get("DPBOOK_BOOK")
    if not named:
        pytest.skip("no built book: make book, then DPBOOK_BOOK=build/book")
    folder = ROOT / named
    assert (folder / "index.html").is_file(), f"{folder} holds no book"
    return folder


class Page(HTMLParser):
    """A page as a list of (tag, attributes), with its ids and its text."""

    def __init__(self, path):
        super().__init__()
        self.path, self.tags, self.texts = path, [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.ids = {found["id"] for _, found in self.tags if "id" in found}

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def of(self, *names):
        return [found for tag, found in self.tags if tag in names]


@pytest.fixture(scope="session")
def pages(book):
    """Every page of the book by its path in it."""
    return {str(path.relative_to(book)): Page(path) for path in sorted(book.rglob("*.html"))}


@pytest.fixture(scope="session")
def site(book):
    """The address at which the book is served."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=book)
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def missing():
    """What keeps the browser tests from running, or nothing."""
    for name, path in (("chromium", CHROMIUM), ("chromedriver", DRIVER)):
        if path is None:
            return f"no {name} (Debian: apt-get install chromium chromium-driver)"
    for name in ("selenium", "axe_playwright_python"):
        if util.find_spec(name) is None:
            return f"no package {name}: pip install 'dpbook[browser]'"
    return ""


@pytest.fixture(scope="session")
def axe(browser):
    """The source of axe-core."""
    carrier = metadata.distribution("axe-playwright-python")
    path = Path(str(carrier.locate_file("axe_playwright_python/axe.min.js")))
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser(book):
    """Headless Chromium that can reach this machine only and logs all that it asks for."""
    why = missing()
    if why:
        if os.environ.get("DPBOOK_BROWSER") == "required":
            pytest.fail(f"the browser is required: {why}")
        pytest.skip(why)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"),
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    # With a connection for each command, the time that an answer may take can be set.
    driver = webdriver.Chrome(options=options, service=Service(DRIVER), keep_alive=False)
    driver.command_executor.client_config.timeout = 2 * PATIENCE
    driver.set_page_load_timeout(PATIENCE)
    driver.set_script_timeout(PATIENCE)
    yield driver
    driver.quit()
