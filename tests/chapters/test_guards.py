"""Each guard has a notebook that it must not let through."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpbook.teaching import guards, offline

ROOT = Path(__file__).resolve().parents[2]
PNG = "iVBORw0KGgo="


def shows(data, metadata=None):
    """A change that lets the first code cell show something."""

    def change(notebook):
        notebook["cells"][1]["outputs"] = [
            {
                "output_type": "display_data",
                "data": data,
                "metadata": metadata or {},
            }
        ]

    return change


def prints(text, name="stdout"):
    def change(notebook):
        notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": name, "text": text}]

    return change


def says(text):
    return lambda notebook: notebook["cells"][0].update(source=text)


def runs(code):
    return lambda notebook: notebook["cells"][1].update(source=code)


def tagged(*tags):
    return lambda notebook: notebook["cells"][1]["metadata"].update(tags=list(tags))


def never_executed(notebook):
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = []


def test_good_notebook_passes(good):
    assert guards.problems(good, 1000) == []


BAD = {
    "never executed": (never_executed, "was never executed"),
    "one cell not executed": (
        lambda n: n["cells"][1].update(execution_count=None),
        "was never executed",
    ),
    "out of order": (
        lambda n: n["cells"][1].update(execution_count=7),
        "was executed as number 7, not 1",
    ),
    "picture without alt text": (shows({"image/png": PNG}), "shows image/png without alt text"),
    "picture whose words are not compared": (
        shows({"image/png": PNG, "text/plain": "<Figure>"}, {"image/png": {"alt": "A line."}}),
        "alt text of image/png is not in text/plain, where it would be compared",
    ),
    "vector picture without alt text": (shows({"image/svg+xml": "<svg/>"}), "without alt text"),
    "picture in HTML without alt text": (
        shows({"text/html": f"<img src='data:image/png;base64,{PNG}'>"}),
        "shows a picture without alt text",
    ),
    "raw directive": (says("```{note}\nx\n```"), "a raw directive: ```{note}"),
    "raw directive with colons": (says(":::{note}\nx\n:::"), "a raw directive: :::{note}"),
    "raw directive in a quote": (says("> ```{note}\n> x\n> ```"), "a raw directive"),
    "raw role": (says("see {ref}`x`"), "a raw role: {ref}`x`"),
    "raw target": (says("(x)=\n# X"), "a raw target: (x)="),
    "code cell that became text": (
        says("```{code-cell}\n1\n```"),
        "a raw directive: ```{code-cell}",
    ),
    "Output widget": (runs("import ipywidgets as w\nw.Output()"), "Output cannot be compared"),
    "interact": (runs("from ipywidgets import interact"), "interact cannot be compared"),
    "widget view": (shows({guards.VIEW: {}, "text/plain": "x"}), "holds a widget view"),
    "widget state": (lambda n: n["metadata"].update(widgets={}), "holds widget state"),
    "path": (prints("read /ho" + "me/me/data.csv"), "holds an absolute path: /"),
    "path of the system": (shows({"text/html": "in '/usr/" + "lib/x.py'"}), "an absolute path"),
    "path with a drive": (prints("C:\\Users\\me"), "an absolute path"),
    "path of this interpreter": (prints(f"in {sys.prefix}/lib"), "names a folder of one machine"),
    "address in memory": (prints("<object at 0x7f00aabbccdd>"), "an address in memory"),
    "misspelt tag": (tagged("hide-celll"), "unknown tag hide-celll; known are hide-input"),
    "tag that switches the comparison off": (tagged("nbval-skip"), "unknown tag nbval-skip"),
    "tags that are no list": (
        lambda n: n["cells"][1]["metadata"].update(tags="check"),
        "tags must be a list",
    ),
    "unknown metadata": (
        lambda n: n["cells"][1]["metadata"].update(collapsed=True),
        "unknown cell metadata collapsed",
    ),
    "comment that switches the comparison off": (
        runs("# NBVAL_IGNORE_OUTPUT\n1"),
        "NBVAL_IGNORE_OUTPUT switches the comparison off",
    ),
    "shell": (runs("!curl example.org"), "a chapter runs no other program"),
    "installing": (runs("%pip install x"), "a chapter runs no other program"),
    "picture from the network": (
        shows({"text/html": '<img alt="x" src="https://example.org/x.png">'}),
        "is fetched from the network when it is read",
    ),
    "text with a picture from the network": (
        says("![x](https://example.org/x.png)"),
        "is fetched from the network when it is read",
    ),
    "warning": (prints("RuntimeWarning: overflow", "stderr"), "writes to stderr: RuntimeWarning"),
    "error": (
        lambda n: n["cells"][1].update(
            outputs=[{"output_type": "error", "ename": "E", "evalue": "no", "traceback": []}]
        ),
        "fails: E: no",
    ),
    "announced error that does not come": (
        tagged("raises-exception"),
        "is tagged raises-exception and does not fail",
    ),
    "time stamps": (lambda n: n["cells"][1]["metadata"].update(execution={}), "holds time stamps"),
    "open details": (says("<details>\n\nx"), "a <details> is not closed"),
    "maths over lines of a quote": (says("> $$\n> x\n> $$"), "maths in a quote must stand on one"),
    "raw cell": (lambda n: n["cells"][0].update(cell_type="raw"), "raw cells are shown by some"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_notebook_is_found(good, name):
    change, message = BAD[name]
    change(good)
    found = guards.problems(good, 1000)
    assert any(message in problem for problem in found), found


def test_large_notebook_is_found(good):
    assert guards.problems(good, 500_000) == ["has 500000 bytes; the limit is 500000"]


@pytest.mark.parametrize(
    "change",
    [
        prints("1/2 and/or a/b/c, 3/4/5"),
        says("Write `{ref}` or ``{ref}`x` `` and\n\n```python\n(x)=\n```\n"),
        says("> one $$x$$ two\n\nA set {a} and {b}."),
        shows(
            {"image/png": PNG, "text/plain": "A line from 0 to 1."},
            {"image/png": {"alt": "A line from 0 to 1."}},
        ),
        shows({"text/html": f'<img alt="A line" src="data:image/png;base64,{PNG}/usr/lib">'}),
        shows({"text/html": "<a href='https://example.org/usr/lib'>a source</a>"}),
        tagged("hide-input", "check"),
        runs("output = Outputs(1)"),
    ],
)
def test_what_is_harmless_passes(good, change):
    change(good)
    assert guards.problems(good, 1000) == []


def test_check_fails_on_a_bad_notebook(copied):
    notebook = json.loads(copied.notebook().read_text())
    never_executed(notebook)
    copied.notebook().write_text(json.dumps(notebook))
    assert any("was never executed" in finding for finding in copied.findings())


# --- while it runs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "from ipywidgets import widget_output as w\nw.__dict__['Out' + 'put']();",
            "an Output widget cannot be compared nor stored",
        ),
        (
            "import urllib.request\nurllib.request.urlopen('http://192.0.2.1/')",
            "a chapter runs without the network, but it asked for '192.0.2.1'",
        ),
        (
            "import socket\nsocket.getaddrinfo('example.org', 80)",
            "a chapter runs without the network, but it asked for 'example.org'",
        ),
        ("import sys\nprint(sys.prefix)", "names a folder of one machine"),
        ("import warnings\nwarnings.warn('careful')", "writes to stderr"),
    ],
)
def test_bad_code_makes_no_notebook(shelf, code, message):
    shelf.write(f"# Bad\n\n```{{code-cell}}\n{code}\n```\n")
    (said,) = shelf.build()
    assert message in said
    assert said.startswith("chapters/01_powers.md:1")
    assert not shelf.notebook().exists()


LOCAL = """\
import socket

server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
one, two = socket.socketpair()
one.send(b"hello")
two.recv(5).decode()
"""


def test_code_may_speak_to_its_own_machine(shelf):
    shelf.write(f"# Local\n\n```{{code-cell}}\n{LOCAL}```\n")
    assert shelf.build() == []


@pytest.mark.parametrize(
    ("event", "arguments", "refused"),
    [
        ("socket.connect", (None, ("192.0.2.1", 80)), True),
        ("socket.connect", (None, ("2001:db8::1", 80, 0, 0)), True),
        ("socket.sendto", (None, ("192.0.2.1", 53)), True),
        ("socket.gethostbyname", ("example.org",), True),
        ("socket.getaddrinfo", (b"example.org", 80, 0, 0, 0), True),
        ("socket.connect", (None, ("::1", 80, 0, 0)), False),
        ("socket.connect", (None, "a.socket"), False),
        ("socket.getaddrinfo", (None, 80, 0, 0, 0), False),
        ("socket.getaddrinfo", ("localhost", 80, 0, 0, 0), False),
        ("open", ("x",), False),
    ],
)
def test_only_other_machines_are_refused(event, arguments, refused):
    try:
        offline._refuse(event, arguments)
    except offline.NetworkRefused:
        assert refused
    else:
        assert not refused


def test_nbval_runs_without_the_network_and_without_the_users_settings(shelf):
    """What `make test` does: the plugin at the root of the project prepares the kernels."""
    shelf.write(
        "# Network\n\n```{code-cell}\nimport socket\n\ntry:\n"
        "    socket.getaddrinfo('example.org', 80)\nexcept OSError as error:\n"
        "    print(type(error).__name__)\n```\n"
    )
    assert shelf.build() == []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider"]
    command += ["-c", os.devnull, "--rootdir", str(shelf.notebooks)]
    command += ["--nbval", "--nbval-current-env", str(shelf.notebook())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout
