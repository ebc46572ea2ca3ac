"""What the tables hold."""

from __future__ import annotations

import json
from datetime import date, datetime, timezone
from pathlib import Path

import pyarrow as pa
import pytest

from lookback import errors
from sessions import PI_SESSIONS, assistant, at, call, header, message, result, user, write

NAMES = ("sessions", "messages", "tool_calls", "usage", "branches", "tags", "warnings")


def tables(lb):
    return {name: getattr(lb, name)() for name in NAMES}


def test_the_schema_is_the_one_that_is_documented(family):
    """`schema.txt` is what users rely on: a change of it is a change of the package's interface."""
    lines = []
    for name, table in tables(family).items():
        lines += [f"{name}.{c.name}: {c.type}{f' [{c.unit}]' if c.unit else ''} - {c.about}" for c in table.columns]
    snapshot = Path(__file__).with_name("schema.txt")
    assert "\n".join(lines) + "\n" == snapshot.read_text()


def test_every_column_is_in_the_documentation(family):
    text = (Path(__file__).resolve().parents[3] / "docs/python.md").read_text()
    for name, table in tables(family).items():
        section = text.split(f"### `{name}()`")[1].split("\n#")[0]
        if name in ("messages", "tool_calls", "usage"):
            section += text.split("### Columns of all tables about entries")[1].split("\n#")[0]
        for column in table.columns:
            assert f"`{column.name}`" in section, f"{name}.{column.name}"


def test_an_empty_history_has_tables_with_the_same_schema(family, tmp_path, open_over):
    empty = open_over(tmp_path / "nothing")
    for name, table in tables(empty).items():
        frame = table.to_arrow()
        assert frame.schema == pa.schema(getattr(family, name)().to_arrow().schema)
        assert frame.num_rows == (1 if name == "warnings" else 0)
    (row,) = empty.warnings()
    assert row["code"] == "missingRoot"


def test_columns_are_full_of_what_they_say(family):
    """A cell of another type than its column would be null in every row."""
    for name in ("sessions", "messages", "tool_calls", "usage", "branches"):
        frame = getattr(family, name)().to_arrow()
        for column in ("session_id", "cwd"):
            assert frame[column].null_count == 0
    usage = family.usage().to_arrow().to_pylist()[0]
    assert (usage["input_tokens"], usage["output_tokens"], usage["total_tokens"]) == (100, 20, 155)
    assert (usage["cache_read_tokens"], usage["cache_write_tokens"], usage["cost"]) == (30, 5, 0.33)
    assert (usage["provider"], usage["model"], usage["stop_reason"], usage["source"]) == (
        "acme",
        "m1",
        "stop",
        "message",
    )


def test_sessions(family):
    rows = {row["session_id"]: row for row in family.sessions()}
    assert list(rows) == ["s1", "s2", "s3"]
    fork = rows["s2"]
    assert (fork["forked_from"], fork["copied_entries"], fork["entries"]) == ("s1", 4, 6)
    assert (fork["user_messages"], fork["assistant_messages"], fork["tool_results"]) == (2, 3, 1)
    assert fork["models"] == ["m1", "m2"]
    assert fork["created"] == datetime(2026, 3, 2, 9, 1, tzinfo=timezone.utc)
    assert fork["opens_in_pi"] is True
    assert (fork["version"], fork["branches"], fork["damaged_lines"]) == (3, 1, 0)
    assert rows["s1"]["forked_from"] is None
    assert rows["s3"]["cwd"] == "/home/dev/web"


def test_copies_in_forks_are_marked(family):
    rows = [(row["session_id"], row["entry_id"], row["copied_from"]) for row in family.messages()]
    assert rows == [
        ("s1", "u1", None),
        ("s1", "a1", None),
        ("s1", "a2", None),
        ("s2", "u1", "s1"),
        ("s2", "a1", "s1"),
        ("s2", "a2", "s1"),
        ("s2", "u9", None),
        ("s2", "a9", None),
        ("s3", "w1", None),
    ]
    costs = [row["cost"] for row in family.usage() if row["copied_from"] is None]
    assert sum(costs) == pytest.approx(3 * 0.33)


def test_copies_are_marked_whatever_is_filtered(family):
    """The owner of an entry does not change because its session is not asked for."""
    rows = [row["copied_from"] for row in family.messages(sessions="s2")]
    assert rows == ["s1", "s1", "s1", None, None]


def test_forks_of_a_file_that_is_gone_share_their_entries(folder, open_over):
    entries = [user("u1", None, 1, "x"), assistant("a1", "u1", 2, "y")]
    for second, name in ((20, "f2"), (10, "f1")):
        write(folder, name, header(name, second=second, parentSession="/gone/2026_f0.jsonl"), *entries)
    rows = {(row["session_id"], row["entry_id"]): row["copied_from"] for row in open_over(folder).messages()}
    assert rows == {("f1", "u1"): None, ("f1", "a1"): None, ("f2", "u1"): "f1", ("f2", "a1"): "f1"}


def test_sessions_that_have_nothing_to_do_with_each_other_share_nothing(folder, open_over):
    """Ids are eight digits: in a large archive the same one turns up twice."""
    write(folder, "s1", header("s1"), user("u1", None, 1, "x"))
    write(folder, "s2", header("s2"), user("u1", None, 1, "x"))
    assert [row["copied_from"] for row in open_over(folder).messages()] == [None, None]


def test_tool_calls_know_their_results(family):
    rows = list(family.tool_calls(sessions=["s1"]))
    assert [(row["tool"], row["is_error"], row["result_id"]) for row in rows] == [
        ("read", False, "t1"),
        ("bash", True, "t2"),
    ]
    assert json.loads(rows[1]["arguments"]) == {"command": "cargo bench"}
    assert rows[0]["result_timestamp"] - rows[0]["timestamp"] == (
        datetime(2026, 3, 2, 9, 0, 3) - datetime(2026, 3, 2, 9, 0, 2)
    )
    (pending,) = (row for row in family.tool_calls() if row["tool"] == "edit")
    assert (pending["is_error"], pending["result_id"], pending["result_bytes"]) == (None, None, None)


def test_branches_and_compactions(folder, open_over):
    write(
        folder,
        "s1",
        header("s1"),
        user("u1", None, 1, "one"),
        assistant("a1", "u1", 2, "two"),
        user("x1", "a1", 3, "left"),
        user("u2", "a1", 4, "three"),
        {
            "type": "compaction",
            "id": "k1",
            "parentId": "u2",
            "timestamp": at(5),
            "summary": "so far",
            "firstKeptEntryId": "u2",
            "tokensBefore": 1234,
        },
        assistant("a2", "k1", 6, "four"),
    )
    lb = open_over(folder)
    rows = list(lb.branches())
    assert [(row["tip_id"], row["fork_id"], row["messages"], row["own_messages"]) for row in rows] == [
        ("a2", "a1", 4, 2),
        ("x1", "a1", 3, 1),
    ]
    assert [row["compactions"] for row in rows] == [1, 0]
    assert [row["is_pi_leaf"] for row in rows] == [True, False]
    states = {row["entry_id"]: row["branch"] for row in lb.messages(roles="all")}
    assert states == {
        "u1": "compacted",
        "a1": "compacted",
        "x1": "abandoned",
        "u2": "active",
        "k1": "active",
        "a2": "active",
    }
    (summary,) = lb.messages(roles="compactionSummary")
    assert (summary["text"], summary["tokens_before"]) == ("so far", 1234)


def test_roles_decide_what_is_read(family, folder):
    roles = {row["role"] for row in family.messages()}
    assert roles == {"user", "assistant"}
    (first, *_) = family.messages(roles="toolResult")
    assert (first["text"], first["tool"], first["call_id"], first["is_error"]) == (
        "output",
        "read",
        "c1",
        False,
    )
    write(
        folder,
        "b1",
        header("b1"),
        {
            "type": "message",
            "id": "b",
            "parentId": None,
            "timestamp": at(1),
            "message": {
                "role": "bashExecution",
                "command": "ls",
                "output": "a b",
                "exitCode": 2,
                "timestamp": 1,
            },
        },
    )
    (bash,) = family.messages(roles=["bashExecution"])
    assert (bash["text"], bash["exit_code"]) == ("ls\na b", 2)
    with pytest.raises(errors.BadRequestError, match="no role"):
        family.messages(roles="nobody")


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"since": datetime(2026, 3, 2, 9, 1, tzinfo=timezone.utc)}, ["u9", "a9", "w1"]),
        ({"until": "2026-03-02T09:00:02.000Z"}, ["u1", "u1"]),
        ({"since": date(2026, 3, 3)}, []),
        ({"until": "2026-03-02"}, []),
        ({"cwd": "/home/dev/web"}, ["w1"]),
        ({"sessions": "s3"}, ["w1"]),
        ({"since": "2026-03-02T09:01:10Z", "cwd": "/home/dev/app", "sessions": ["s2"]}, ["u9", "a9"]),
    ],
)
def test_filters_are_those_of_the_reader(family, filters, found):
    assert [row["entry_id"] for row in family.messages(**filters)] == found
    frame = family.messages(**filters).to_arrow()
    assert frame["entry_id"].to_pylist() == found


def test_columns_come_in_the_order_in_which_they_are_asked_for(family):
    table = family.messages(columns=["text", "entry_id"])
    assert table.to_arrow().column_names == ["text", "entry_id"]
    assert table.head(1) == [{"text": "Why is the parser slow?", "entry_id": "u1"}]
    assert family.messages(columns="characters").head(1) == [{"characters": 23}]
    for columns in (["nothing"], [], ["text", "text"]):
        with pytest.raises(errors.BadRequestError, match="column"):
            family.messages(columns=columns)


def test_a_table_reads_anew_each_time(family, folder):
    table = family.sessions()
    assert table.to_arrow().num_rows == 3
    write(folder, "s4", header("s4"), user("u", None, 1, "new"))
    assert table.to_arrow().num_rows == 4


def test_tables_show_themselves(family):
    table = family.messages()
    assert repr(table).startswith("<lookback table messages: session_id,")
    html = table._repr_html_()
    assert "Why is the parser slow?" in html
    assert "<th" in html


def test_counts_are_those_of_pi(open_over):
    """Pi's own truth: the rows of its list."""
    index = json.loads((PI_SESSIONS / "index.json").read_text())
    lb = open_over(PI_SESSIONS / "sessions")
    rows = {Path(row["path"]).name: row for row in lb.sessions()}
    compared = 0
    for fixture in index["fixtures"]:
        listed = json.loads((PI_SESSIONS / fixture["truth"]).read_text())["list"]
        if listed is None:
            continue
        row = rows[Path(fixture["path"]).name]
        compared += 1
        assert row["messages"] == listed["messageCount"], fixture["name"]
        assert row["session_id"] == listed["id"], fixture["name"]
        assert row["title"] == listed["title"], fixture["name"]
    assert compared > 5


def test_whole_answers_are_messages(folder, open_over):
    """Pictures, thinking and calls are counted, not shown as text."""
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "one"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "text", "text": "two"},
        call("c", "read"),
    ]
    write(
        folder,
        "s1",
        header("s1"),
        message("a", None, 1, "assistant", content, stopReason="error", errorMessage="e"),
        result("t", "a", 2, "c", "read"),
    )
    (row,) = open_over(folder).messages()
    assert (row["text"], row["characters"], row["images"], row["tool_calls"]) == ("one\ntwo", 7, 1, 1)
    assert (row["stop_reason"], row["error"]) == ("error", "e")
