from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from lookback import errors
from sessions import assistant, header, user, write


@pytest.fixture
def branched(folder, open_over):
    write(
        folder,
        "0199aaaa-s1",
        header("0199aaaa-s1"),
        user("u1", None, 1, "first <question> & more"),
        assistant("a1", "u1", 2, "an answer"),
        user("u2", "a1", 3, "left behind \x1b[31m"),
        user("u3", "a1", 4, "kept"),
        {
            "type": "label",
            "id": "l1",
            "parentId": "u3",
            "timestamp": "2026-03-02T09:00:05.000Z",
            "targetId": "u3",
            "label": "here",
        },
        assistant("a3", "l1", 6, "the end"),
    )
    return open_over(folder.parent)


def test_a_session_is_found_by_id_start_and_path(branched):
    session = branched.session("0199aaaa-s1")
    assert branched.session("0199").id == session.id
    assert branched.session(session.path).id == session.id
    assert (session.title, session.cwd) == ("first <question> & more", "/home/dev/app")
    assert session.info.message_count == 5


def test_messages_are_those_of_the_newest_branch(branched):
    session = branched.session("0199")
    messages = session.messages
    assert [message.id for message in messages] == ["u1", "a1", "u3", "a3"]
    assert messages.total == 4
    assert not messages.truncated
    assert messages[0].timestamp.tzinfo is not None
    assert messages[0].branch == "active"
    assert [message.id for message in session.branch("u2")] == ["u1", "a1", "u2"]
    assert session.branch("u2")[-1].branch == "abandoned"


def test_windows_stay_on_the_branch_of_the_entry(branched):
    session = branched.session("0199")
    assert [message.id for message in session.around("u2", 1)] == ["a1", "u2"]
    around = session.around("a1", 1, tip="a3")
    assert [message.id for message in around] == ["u1", "a1", "u3"]
    assert (around.before, around.after) == (0, 1)


def test_the_context_is_that_of_pi(branched):
    context = branched.session("0199").context()
    assert [message.entry for message in context] == ["u1", "a1", "u3", "a3"]
    assert context[0].text == "first <question> & more"


def test_trees_are_drawn_as_text_and_as_svg(branched):
    tree = branched.session("0199").tree()
    assert tree.branches == 2
    assert tree.parents() == [None, 0, 1, 1, 3]
    text = repr(tree)
    assert "left behind" in text
    assert "[here]" in text
    assert "\x1b" not in text
    svg = tree._repr_svg_()
    root = ET.fromstring(svg)
    texts = "".join(root.itertext())
    assert "first <question> & more" in texts
    assert root.tag.endswith("svg")


def test_large_trees_are_cut_and_say_so(folder, open_over):
    lines, parent = [], None
    for number in range(1000):
        lines.append(user(f"u{number}", parent, number % 3000, f"message {number}"))
        parent = f"u{number}"
    write(folder, "s1", header("s1"), *lines)
    tree = open_over(folder).session("s1").tree()
    svg = tree._repr_svg_()
    assert "600 more rows" in svg
    assert len(svg) < 300_000


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda lb: lb.session("nothing"), errors.SessionNotFoundError),
        (lambda lb: lb.session(""), errors.BadRequestError),
        (lambda lb: lb.session("/etc/passwd.jsonl"), errors.OutsideRootsError),
        (lambda lb: lb.session("0199").branch("nothing"), errors.EntryNotFoundError),
        (lambda lb: lb.session("0199").around("u2", tip="a3"), errors.NotOnBranchError),
        (lambda lb: lb.session("\ud83d"), errors.LookbackError),
        (lambda lb: lb.messages(sessions="nothing"), errors.SessionNotFoundError),
    ],
)
def test_what_is_not_there_is_an_error_of_its_own(branched, ask, error):
    with pytest.raises(error) as raised:
        ask(branched)
    assert raised.value.code == error.code or error is errors.LookbackError
    assert str(raised.value)


def test_a_session_that_several_ids_begin_with_is_not_guessed(folder, open_over):
    write(folder, "abc1", header("abc1"), user("u", None, 1, "x"))
    write(folder, "abc2", header("abc2"), user("u", None, 1, "x"))
    with pytest.raises(errors.AmbiguousSessionError, match="abc1, abc2"):
        open_over(folder).session("abc")
