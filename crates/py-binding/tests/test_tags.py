from __future__ import annotations

import pytest

from lookback import errors


def test_tags_come_and_go(family):
    assert family.tag("s1", "#Parser", "speed") == ("parser", "speed")
    assert family.session("s1").tags == ("parser", "speed")
    assert family.untag("s1", "speed") == ("parser",)
    rows = [(row["session_id"], row["tag"], row["source"]) for row in family.tags()]
    assert rows == [("s1", "parser", "manual"), ("s1", "speed", "suppressed")]
    session = family.session("s3")
    assert session.tag("css") == ("css",)
    assert session.untag("css") == ()


def test_what_is_no_tag_is_refused(family):
    with pytest.raises(errors.InvalidTagError) as raised:
        family.tag("s1", "!!!")
    assert isinstance(raised.value, ValueError)
    assert list(family.tags()) == []


def test_sessions_wait_until_they_are_done(family):
    waiting = family.unread()
    assert [(item.id, item.state, item.message) for item in waiting] == [("s3", "unread", "Centre a div")]
    assert waiting.total == 1
    family.done("s3")
    assert len(family.unread()) == 0
    assert len(family.unread(include_done=True)) == 1
    family.done("s3", undo=True)
    assert len(family.unread(cwd="/home/dev/web")) == 1
    assert len(family.unread(query="nothing")) == 0
    assert {item.id for item in family.unread(states=["interrupted"])} == {"s1", "s2"}
    assert "Centre a div" in waiting._repr_html_()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"limit": 0}, errors.UnreadOutOfRangeError),
        ({"query": "x" * 200}, errors.UnreadQueryTooLongError),
        ({"states": "odd"}, errors.BadRequestError),
    ],
)
def test_requests_out_of_bounds_are_refused(family, options, error):
    with pytest.raises(error):
        family.unread(**options)


def test_the_status_tells_of_folders_index_and_tags(family):
    family.sync(progress=False)
    family.tag("s1", "x")
    status = family.status()
    assert (status.files, status.tagged_sessions, status.complete) == (3, 1, True)
    assert status.index["state"] == "ready"
    assert status.index["sessions"] == 3
