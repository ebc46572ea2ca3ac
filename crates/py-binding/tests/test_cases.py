"""The cases that every face of Lookback answers alike."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from sessions import CASES


def cases():
    return sorted(path.name for path in CASES.iterdir() if (path / "expect.json").is_file())


@pytest.fixture
def case(request, open_over):
    folder = CASES / request.param
    expect = json.loads((folder / "expect.json").read_text())
    return open_over(folder / "sessions"), expect


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_searches_find_what_is_expected(case):
    lb, expect = case
    queries = [find["q"] for find in expect.get("search", [])]
    for find in expect.get("search", []):
        # A session is one hit. Where two of its entries are expected, the policy that shows more of a session tells.
        policy = "memory" if queries.count(find["q"]) > 1 else "default"
        hits = lb.search(find["q"], limit=100, policy=policy)
        fitting = [
            hit.rank
            for hit in hits
            if hit.session.id == find.get("session", hit.session.id)
            and hit.entry == find.get("entry", hit.entry)
            and hit.branch == find.get("branch", hit.branch)
        ]
        assert fitting, f"{find} is not among {hits}"
        if find.get("first"):
            assert fitting[0] == 1, f"{find} is not the first of {hits}"
        if "groups" in find:
            assert len(hits) == find["groups"], f"{find}: {hits}"


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_counts_names_and_times_are_those_expected(case):
    lb, expect = case
    rows = {row["session_id"]: row for row in lb.sessions()}
    for id, count in expect.get("messageCount", {}).items():
        assert rows[id]["messages"] == count
        # The table of messages agrees with the count, roles and branches together.
        assert sum(1 for _ in lb.messages(roles="all", sessions=id, columns="role")) >= count
        assert lb.session(id).info.message_count == count
    for id, name in expect.get("name", {}).items():
        assert rows[id]["name"] == name
    for id, time in expect.get("lastActivity", {}).items():
        assert rows[id]["modified"] == datetime.fromisoformat(time.replace("Z", "+00:00"))


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_branches_are_read_in_the_order_expected(case):
    lb, expect = case
    for id, order in expect.get("readOrder", {}).items():
        assert [message.id for message in lb.session(id).messages] == order
    for id, leaves in expect.get("leaves", {}).items():
        rows = list(lb.branches(sessions=id))
        assert [row["tip_id"] for row in rows] == leaves
        assert [row["is_newest"] for row in rows] == [True] + [False] * (len(leaves) - 1)
    for id, leaf in expect.get("piLeaf", {}).items():
        assert lb.session(id).tree().pi_leaf == leaf


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_damaged_lines_are_told(case):
    lb, expect = case
    for id, lines in expect.get("damagedLines", {}).items():
        damage = {"damagedLine", "recoveredLine", "oversizedLine"}
        rows = [row for row in lb.warnings(sessions=id) if row["code"] in damage]
        assert [row["line"] for row in rows] == lines


@pytest.mark.parametrize("case", cases(), indirect=True)
def test_waiting_sessions_are_those_expected(case):
    lb, expect = case
    states = {item.id: item.state for item in lb.unread(states=STATES, max_sessions=500)}
    for id, expected in expect.get("unread", {}).items():
        if expected is True:
            # What the last message lacks has names of its own: no text, no answer.
            assert states[id] in ("unread", "picture", "failed", "otherBranch"), id
        elif expected is False:
            assert states.get(id) != "unread", id
        elif expected == "interrupted":
            assert states[id] == "interrupted", id


STATES = ("unread", "picture", "failed", "interrupted", "otherBranch")
