"""What documents show is what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import lookback
from sessions import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("path", ["crates/py-binding/README.md", "docs/python.md"])
def test_documents(path, tmp_path, monkeypatch):
    # The examples open a folder by its path in the repository; what they write goes elsewhere.
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PI_RECALL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PI_RECALL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("OUT", str(tmp_path / "out"))
    done = doctest.testfile(str(ROOT / path), module_relative=False, optionflags=FLAGS)
    assert done.attempted > 5
    assert done.failed == 0


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(lookback.__path__)])
def test_docstrings(name):
    if name == "_lookback":
        return
    assert doctest.testmod(importlib.import_module(f"lookback.{name}"), optionflags=FLAGS).failed == 0
