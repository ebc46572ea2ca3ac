"""A newcomer's way: a wheel, an environment with nothing in it, and what the README shows."""

from __future__ import annotations

import subprocess
import sys
import venv

from sessions import EXAMPLES, ROOT

FIRST_LINES = """
import sys
import lookback
lb = lookback.open(sessions=sys.argv[1], cache=sys.argv[2] + "/c", data=sys.argv[2] + "/d")
hits = lb.search("flaky test")
print(hits[0].session.cwd.startswith("/home/dev/"), len(lb.session(hits[0].session.id).messages) > 0)
print(sum(row["cost"] or 0 for row in lb.usage() if row["copied_from"] is None) > 0)
print(sorted(name for name in sys.modules if name in ("pyarrow", "numpy", "polars", "tqdm", "matplotlib")))
try:
    lb.usage().to_polars()
except lookback.LookbackError as error:
    print(error.code, error)
"""


def test_the_wheel_works_where_nothing_else_is(tmp_path):
    wheels = list((ROOT / "target/python/wheels").glob("pi_lookback-*-cp310-abi3-*.whl"))
    assert wheels, "`cargo xtask test` builds the wheel before these tests"
    wheel = max(wheels, key=lambda path: path.stat().st_mtime)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel]
    subprocess.run(install, check=True, timeout=120)
    done = subprocess.run(
        [python, "-c", FIRST_LINES, EXAMPLES, tmp_path],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == [
        "True True",
        "True",
        "[]",
        "missing-library polars is not installed: pip install polars",
    ], done.stderr


def test_importing_is_quick():
    """Below 50 ms on a quiet machine; the bound here is for busy ones, the modules are what matters."""
    code = """
import time, sys
known = set(sys.modules)
begun = time.process_time()
import lookback
print(time.process_time() - begun)
print([name for name in sys.modules if name.partition(".")[0] in ("tqdm", "pyarrow", "xml", "asyncio", "email")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    took, modules = done.stdout.splitlines()
    assert float(took) < 0.2
    assert modules == "[]"
