"""The libraries that take tables through Arrow's PyCapsule interface."""

from __future__ import annotations

from datetime import datetime, timezone

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookback
from sessions import header, user, write

NAMES = ("sessions", "messages", "tool_calls", "usage", "branches", "tags", "warnings")


def test_pyarrow(family):
    frame = pa.table(family.messages())
    assert frame.num_rows == 9
    assert frame.schema.field("timestamp").type == pa.timestamp("ms", "UTC")
    assert frame.schema.field("characters").metadata[b"unit"] == b"code points"
    assert pa.schema(family.messages()).names == frame.column_names
    frame.validate(full=True)


def test_polars(family):
    frame = pl.DataFrame(family.usage())
    assert frame.schema["timestamp"] == pl.Datetime("ms", "UTC")
    assert frame.filter(pl.col("copied_from").is_null())["cost"].sum() == pytest.approx(0.99)
    assert family.usage().to_polars().equals(frame)


def test_pandas(family):
    frame = family.tool_calls().to_pandas()
    assert list(frame["tool"]) == ["read", "bash", "read", "bash", "edit"]
    assert str(frame["timestamp"].dt.tz) == "UTC"
    if hasattr(pd.DataFrame, "from_arrow"):
        assert pd.DataFrame.from_arrow(family.tool_calls()).shape == frame.shape


def test_duckdb(family):
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    messages = family.messages()  # noqa: F841 (duckdb finds it by its name)
    rows = connection.sql("select role, count(*) from messages where copied_from is null group by 1 order by 1")
    assert rows.fetchall() == [("assistant", 3), ("user", 3)]
    ((first,),) = connection.sql("select min(timestamp) from messages").fetchall()
    assert first == datetime(2026, 3, 2, 9, 0, 1, tzinfo=timezone.utc)
    sessions = family.sessions()
    connection.register("known", pa.RecordBatchReader.from_stream(sessions))
    assert connection.sql("select models from known where session_id = 's2'").fetchall() == [(["m1", "m2"],)]


@pytest.mark.parametrize("name", NAMES)
def test_all_agree(family, name):
    family.tag("s1", "x")
    table = getattr(family, name)()
    arrow = table.to_arrow()
    assert table.to_polars().shape == arrow.shape
    assert table.to_pandas().shape == arrow.shape
    assert list(table) == arrow.to_pylist()
    assert len(duckdb.from_arrow(arrow).fetchall()) == arrow.num_rows


def test_streams_that_are_left_in_the_middle_end(folder, open_over):
    for number in range(30):
        write(
            folder,
            f"s{number}",
            header(f"s{number}"),
            *(user(f"u{at}", None, at, "x" * 3000) for at in range(200)),
        )
    table = open_over(folder).messages()
    for _ in range(5):
        reader = pa.RecordBatchReader.from_stream(table)
        assert reader.read_next_batch().num_rows > 0
        del reader
    capsule = table.__arrow_c_stream__()
    del capsule
    assert table.to_arrow().num_rows == 30 * 200
    assert len(table.head(3)) == 3


def test_batches_are_bounded(folder, open_over):
    """However large the files are, no batch is: that is what keeps memory bounded."""
    lines = [user(f"u{at}", None, at % 3000, "x" * 40_000) for at in range(1000)]
    write(folder, "s1", header("s1"), *lines)
    reader = pa.RecordBatchReader.from_stream(open_over(folder).messages())
    sizes = [batch.nbytes for batch in reader]
    assert len(sizes) >= 9
    assert max(sizes) < 6 << 20


def test_files_that_cannot_be_read_are_told(folder, open_over):
    """A file that goes while others are being read is counted, and the rows say so when they end."""
    first = write(folder, "s1", header("s1"), *(user(f"u{at}", None, at, "x" * 40_000) for at in range(100)))
    for number in range(20):
        last = first.with_name(f"2026_{number:02}.jsonl")
        last.hardlink_to(first)
    (folder / "2026_link.jsonl").symlink_to(folder / "nowhere.jsonl")
    lb = open_over(folder)
    assert [row["code"] for row in lb.warnings() if row["path"].endswith("link.jsonl")] == ["link"]
    rows = iter(lb.messages(columns=["line", "text"]))
    next(rows)
    # Batches are bounded, so the last file is still far away.
    last.unlink()
    with pytest.warns(lookback.LookbackWarning, match="1 session files"):
        assert sum(1 for _ in rows) == 20 * 100 - 1
