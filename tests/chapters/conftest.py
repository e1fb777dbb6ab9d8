import importlib.util
import json
import shutil
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("shelf", Path(__file__).with_name("shelf.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


@pytest.fixture
def shelf(tmp_path):
    return module.Shelf(tmp_path)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A chapter and its notebook, executed once; to be copied, not to be changed."""
    shelf = module.Shelf(tmp_path_factory.mktemp("built"))
    shelf.write(module.BODY)
    assert shelf.build() == []
    return shelf


@pytest.fixture
def copied(built, tmp_path):
    """A copy of the built chapter and notebook, to be changed."""
    shelf = module.Shelf(tmp_path)
    for kind in ("chapters", "notebooks"):
        shutil.copytree(getattr(built, kind), getattr(shelf, kind), dirs_exist_ok=True)
    return shelf


@pytest.fixture
def good(built):
    """The built notebook as JSON."""
    return json.loads(built.notebook().read_text())
