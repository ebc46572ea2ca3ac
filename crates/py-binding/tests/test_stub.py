"""Types: the stub of the native half says what is there, and the rest checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def check(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_the_module():
    check("mypy.stubtest", "lookback._lookback", "--mypy-config-file", "pyproject.toml")


def test_types_fit():
    check("mypy", "-p", "lookback")


def test_style_is_kept():
    check("ruff", "check", ".")
    check("ruff", "format", "--check", ".")
