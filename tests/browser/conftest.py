"""JupyterLab on this machine, driven by a headless Chromium.

Without a browser the tests are skipped, with the reason; where ``DPBOOK_BROWSER=required`` is set,
as in CI, a missing browser is a failure.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

STARTS_WITHIN = 600  # seconds
PATIENCE = 600  # seconds for a page or a script: a net, for a busy machine takes long
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVERS = ("chromedriver", "chromium.chromedriver")


def missing():
    """What is missing for a test in the browser, in words; empty when nothing is."""
    found = []
    for package in ("jupyterlab", "selenium"):
        if importlib.util.find_spec(package) is None:
            found.append(f"the Python package {package}")
    if not any(map(shutil.which, BROWSERS)):
        found.append("Chromium (Debian: apt-get install chromium)")
    if not any(map(shutil.which, DRIVERS)):
        found.append("its driver (Debian: apt-get install chromium-driver)")
    return ", ".join(found)


@pytest.fixture(scope="session")
def browser_tools():
    """Skip, or fail where a browser is required, with the names of what is missing."""
    lacks = missing()
    if lacks and os.environ.get("DPBOOK_BROWSER") == "required":
        pytest.fail(f"a browser is required here, and there is not {lacks}", pytrace=False)
    if lacks:
        pytest.skip(f"the live widgets are not tried in a browser: missing {lacks}")


@pytest.fixture(scope="session")
def lab(browser_tools, tmp_path_factory):
    """A JupyterLab of its own: the address, and the folder that it serves."""
    home = tmp_path_factory.mktemp("lab")
    served = home / "served"
    served.mkdir()
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {
        **{"HOME": home, "IPYTHONDIR": home / "ipython", "JUPYTER_CONFIG_DIR": home / "config"},
        **{"JUPYTER_DATA_DIR": home / "data", "JUPYTER_RUNTIME_DIR": home / "runtime"},
        **{"JUPYTERLAB_SETTINGS_DIR": home / "settings"},
        **{"JUPYTERLAB_WORKSPACES_DIR": home / "workspaces"},
    }
    options = {
        **{"ServerApp.ip": "127.0.0.1", "ServerApp.port": port, "ServerApp.port_retries": 0},
        **{"IdentityProvider.token": "", "ServerApp.root_dir": served},
        **{"LabApp.expose_app_in_browser": True, "LabApp.extension_manager": "readonly"},
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    environment = {**os.environ, **{name: str(value) for name, value in folders.items()}}
    log = home / "log.txt"
    with log.open("wb") as said:
        server = subprocess.Popen(
            command, env=environment, stdout=said, stderr=said, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + STARTS_WITHIN
        while not _answers(f"{address}/api/status"):
            if server.poll() is not None or time.monotonic() > until:
                pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}", pytrace=False)
            time.sleep(0.2)
        yield address, served
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _answers(address):
    with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2) as answer:
        return answer.status == 200
    return False


@pytest.fixture(scope="session")
def driver(browser_tools):
    """A headless Chromium that reaches no other machine."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, BROWSERS)))
    for argument in (
        *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"),
        *("--window-size=1200,1400", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
    ):
        options.add_argument(argument)
    service = Service(next(filter(None, map(shutil.which, DRIVERS))))
    # With a connection for each command, the time that an answer may take can be set.
    made = webdriver.Chrome(options=options, service=service, keep_alive=False)
    made.command_executor.client_config.timeout = 2 * PATIENCE
    made.set_page_load_timeout(PATIENCE)
    made.set_script_timeout(PATIENCE)
    yield made
    made.quit()


@pytest.fixture
def notebook(lab):
    """A function that writes a notebook into the served folder and returns its address."""
    address, served = lab

    def write(name, *sources, outputs=()):
        cells = [
            {
                **{"cell_type": "code", "id": f"cell-{place}", "metadata": {}, "source": source},
                **{"execution_count": None, "outputs": list(outputs)},
            }
            for place, source in enumerate(sources)
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made = {
            **{"cells": cells, "metadata": {"kernelspec": kernel}},
            **{"nbformat": 4, "nbformat_minor": 5},
        }
        (served / name).write_text(json.dumps(made), encoding="utf-8")
        return f"{address}/lab/tree/{name}?reset"

    return write


def pytest_terminal_summary(terminalreporter):
    """Say in the last lines when no browser was there."""
    lacks = missing()
    skipped = terminalreporter.stats.get("skipped", ())
    if lacks and any("tests/browser" in report.nodeid for report in skipped):
        terminalreporter.write_line(
            f"The live widgets were not tried in a browser: missing {lacks}."
        )
