from __future__ import annotations

from pathlib import Path

import pytest

import lookback
from sessions import EXAMPLES, assistant, call, header, result, user, write


@pytest.fixture(autouse=True)
def nobody(tmp_path_factory, monkeypatch):
    """No test sees the developer's own sessions."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in (
        "PI_CODING_AGENT_DIR",
        "PI_CODING_AGENT_SESSION_DIR",
        "PI_RECALL_CACHE_DIR",
        "PI_RECALL_DATA_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def open_over(tmp_path_factory):
    """Opens session folders, with cache and data folders of their own."""

    def open_over(*folders: Path, **options) -> lookback.Lookback:
        own = tmp_path_factory.mktemp("own")
        return lookback.open(sessions=folders, cache=own / "cache", data=own / "data", **options)

    return open_over


@pytest.fixture
def examples(open_over):
    return open_over(EXAMPLES)


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "sessions" / "--home-dev-app--"


@pytest.fixture
def family(folder, open_over):
    """A session, its fork with copies of it, and one of another folder."""
    shared = [
        user("u1", None, 1, "Why is the parser slow?"),
        assistant("a1", "u1", 2, "Let me look.", call("c1", "read", path="src/parser.rs")),
        result("t1", "a1", 3, "c1", "read"),
        assistant("a2", "t1", 4, "It copies every line.", call("c2", "bash", command="cargo bench")),
    ]
    write(folder, "s1", header("s1"), *shared, result("t2", "a2", 5, "c2", "bash", error=True))
    write(
        folder,
        "s2",
        header("s2", second=60, parentSession=str(folder / "2026-03-02T09-00-00-000Z_s1.jsonl")),
        *shared,
        user("u9", "a2", 70, "And without copies?"),
        assistant("a9", "u9", 71, "Twice as fast.", call("c9", "edit", path="src/parser.rs"), model="m2"),
    )
    other = folder.parent / "--home-dev-web--"
    write(other, "s3", header("s3", second=100, cwd="/home/dev/web"), user("w1", None, 101, "Centre a div"))
    return open_over(folder.parent)
