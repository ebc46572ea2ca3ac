"""Values that break readers of line JSON. Columns keep their types, and rows are there where they can be."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lookback
from sessions import assistant, header, message, user, write

NAMES = ("sessions", "messages", "tool_calls", "usage", "branches", "warnings")


def all_frames(lb):
    frames = {}
    for name in NAMES:
        frame = getattr(lb, name)().to_arrow()
        frame.validate(full=True)
        frames[name] = frame
    frames["all"] = lb.messages(roles="all").to_arrow()
    frames["all"].validate(full=True)
    return frames


def test_absurd_usage_is_a_number_or_nothing(folder, open_over):
    values = [-5, 1.5, 1e300, -1e300, 2**53, "12", None, True, [], {"a": 1}]
    lines = [
        assistant(f"a{at}", None, at, "x", usage={"input": value, "output": 1, "cost": {"total": value}})
        for at, value in enumerate(values)
    ]
    lines.append(
        '{"type":"message","id":"z","parentId":null,"message":{"role":"assistant","content":[],'
        '"usage":{"input":1e999,"cost":{"total":-1e999}}}}'
    )
    lines += [assistant("n1", None, 50, "x", usage=None), assistant("n2", None, 51, "x", usage=[1])]
    write(folder, "s1", header("s1"), *lines)
    rows = open_over(folder).usage().to_arrow().to_pylist()
    assert len(rows) == len(values) + 3
    assert [row["input_tokens"] for row in rows[:5]] == [-5, 1, None, None, 2**53]
    assert [row["cost"] for row in rows[:3]] == [-5.0, 1.5, 1e300]
    assert all(row["input_tokens"] is None for row in rows[5:])


@pytest.mark.parametrize(
    ("time", "ms"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("9999-12-31T23:59:59.999Z", 253402300799999),
        ("0001-01-01T00:00:00.000Z", -62135596800000),
        ("yesterday", None),
        (None, None),
        # A number is milliseconds, as in messages.
        (5, 5),
    ],
)
def test_times_of_all_years(folder, open_over, time, ms):
    entry = {
        "type": "message",
        "id": "u",
        "parentId": None,
        "timestamp": time,
        "message": {"role": "user", "content": "x"},
    }
    write(folder, "s1", header("s1"), entry)
    lb = open_over(folder)
    frame = lb.messages().to_arrow()
    assert frame["timestamp"].cast(pa.int64()).to_pylist() == [ms]
    assert lb.messages().to_polars().height == 1
    assert len(list(lb.messages())) == 1
    repr(lb.session("s1").messages), lb.session("s1").messages._repr_html_()


def test_years_beyond_all_calendars(folder, open_over):
    """8.64e15 ms is the last moment that Pi can show, in the year 275760."""
    lines = [
        f'{{"type":"message","id":"u","parentId":null,"message":{{"role":"user","content":"x","timestamp":{ms}}}}}'
        for ms in ("8.64e15", "-8.64e15", "8.64e252", "1e999")
    ]
    write(folder, "s1", header("s1"), *lines)
    lb = open_over(folder)
    assert lb.messages().to_arrow()["timestamp"].cast(pa.int64()).to_pylist() == [
        8_640_000_000_000_000,
        -8_640_000_000_000_000,
        None,
        None,
    ]
    assert [row["timestamp"] for row in lb.messages()] == [None] * 4
    assert lb.messages().to_pandas().shape[0] == 4
    assert lb.messages(since="9999").to_arrow().num_rows == 1


def test_mixed_types_never_break_a_column(folder, open_over):
    contents = [
        "text",
        None,
        5,
        {},
        [],
        [None],
        ["x"],
        [{"type": "text", "text": 5}],
        [{"type": "text"}],
        [{"type": "odd"}],
        [{"type": "toolCall", "id": 5, "name": None, "arguments": "x"}],
        True,
    ]
    lines = [
        message(f"m{role}{at}", None, at, role, content)
        for role in ("user", "assistant", "toolResult", "custom", "alien")
        for at, content in enumerate(contents)
    ]
    lines += [
        {"type": kind, "id": kind}
        for kind in (
            "message",
            "compaction",
            "branch_summary",
            "custom",
            "label",
            "usage",
            "model_change",
            "unheard",
        )
    ]
    lines += [[], {}, 5, '"text"', "null", "[1, 2", "{", b"\xff\xfe", {"type": 5}, {"id": "x"}]
    write(folder, "s1", header("s1"), *lines)
    frames = all_frames(open_over(folder))
    assert frames["all"].num_rows >= 5 * len(contents)
    assert frames["warnings"].num_rows > 0


def test_surrogates_nul_and_long_lines(folder, open_over):
    long = "y" * (9 << 20)
    write(
        folder,
        "s1",
        header("s1"),
        '{"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":"half \\ud83d of a pair"}}',
        '{"type":"message","id":"u2","parentId":"u1","message":{"role":"user","content":"nul \\u0000 inside"}}',
        user("u3", "u2", 3, long),
    )
    rows = list(open_over(folder).messages())
    assert [row["text"] for row in rows[:2]] == ["half \ufffd of a pair", "nul \x00 inside"]
    assert rows[2]["characters"] == len(long)


def test_sessions_without_header_and_empty_files(folder, open_over):
    write(folder, "s1", user("u", None, 1, "no header"))
    write(folder, "s2")
    write(folder, "s3", "", "   ")
    write(folder, "s4", {**header("s4"), "id": 5}, user("u", None, 1, "id is no text"))
    frames = all_frames(open_over(folder))
    assert frames["messages"]["session_id"].to_pylist() == ["s1", "s4"]
    assert {"missingHeader", "headerWithoutId"} <= set(frames["warnings"]["code"].to_pylist())


def test_circles_of_parents_and_of_forks_end(folder, open_over):
    write(folder, "s1", header("s1", parentSession="s2"), user("a", "b", 1, "x"), user("b", "a", 2, "y"))
    write(folder, "s2", header("s2", parentSession="s1"), user("c", "c", 1, "z"))
    frames = all_frames(open_over(folder))
    assert frames["messages"].num_rows == 3


def test_many_branches_on_a_deep_trunk_are_linear(folder, open_over):
    lines, parent = [], None
    for number in range(4000):
        lines.append(user(f"u{number}", parent, number % 3000, "x"))
        lines.append(user(f"x{number}", parent, number % 3000, "y"))
        parent = f"u{number}"
    write(folder, "s1", header("s1"), *lines)
    frame = open_over(folder).branches().to_arrow()
    assert frame.num_rows == 4001
    assert max(frame["messages"].to_pylist()) == 4000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
IDS = st.sampled_from(["a", "b", "c", "d", None, 7])
ENTRIES = st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "session", "compaction", "usage", "label", "branch_summary", "x", 3])},
    optional={
        "id": IDS,
        "parentId": IDS,
        "timestamp": JSON | st.just("2026-03-02T09:00:00.000Z"),
        "usage": JSON,
        "summary": JSON,
        "cwd": JSON,
        "parentSession": JSON,
        "message": JSON
        | st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant", "toolResult", "bashExecution", None])},
            optional={
                "content": JSON,
                "usage": JSON | st.fixed_dictionaries({"input": JSON, "cost": JSON}),
                "timestamp": JSON,
                "toolCallId": JSON,
                "isError": JSON,
                "model": JSON,
                "exitCode": JSON,
            },
        ),
    },
)


@settings(max_examples=60, deadline=None)
@given(files=st.lists(st.lists(ENTRIES | JSON, max_size=8), max_size=3))
def test_any_json_gives_tables(files, tmp_path_factory):
    own = tmp_path_factory.mktemp("any")
    for number, lines in enumerate(files):
        write(own / "s", f"s{number}", *(json.dumps(line) for line in lines))
    lb = lookback.open(sessions=own / "s", cache=own / "c", data=own / "d")
    frames = all_frames(lb)
    # Every row of a message belongs to a session, and the counts agree.
    sessions = set(frames["sessions"]["session_id"].to_pylist())
    assert set(frames["all"]["session_id"].to_pylist()) <= sessions
    messages = [role for role in frames["all"]["role"].to_pylist() if not role.endswith("Summary")]
    assert len(messages) >= sum(frames["sessions"]["messages"].to_pylist())
    assert frames["messages"].num_rows <= frames["all"].num_rows
