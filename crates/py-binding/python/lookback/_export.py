"""All tables as Parquet files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._environment import Moment, PathLike
from ._table import Table, library
from .errors import BadRequestError

if TYPE_CHECKING:
    from ._client import Lookback

#: The tables, and the column whose month names the folder of a row.
_MONTHS = {
    "sessions": "created",
    "messages": "timestamp",
    "tool_calls": "timestamp",
    "usage": "timestamp",
    "branches": "ended",
}
#: Groups of rows are not smaller than this where the month has as many.
_GROUP = 16 << 10


def export(
    lb: Lookback,
    folder: str,
    *,
    since: Moment | None = None,
    until: Moment | None = None,
    cwd: PathLike | None = None,
) -> dict[str, int]:
    """Write all tables into a folder that is new or empty; returns the rows of each."""
    library("pyarrow.dataset")
    root = Path(folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise BadRequestError(f"{folder} is there already and not an empty folder")
    filters: dict[str, Any] = {"since": since, "until": until, "cwd": cwd}
    tables = {
        "sessions": lb.sessions(**filters),
        "messages": lb.messages(roles="all", **filters),
        "tool_calls": lb.tool_calls(**filters),
        "usage": lb.usage(**filters),
        "branches": lb.branches(**filters),
        "tags": lb.tags(),
        "warnings": lb.warnings(cwd=cwd),
    }
    return {name: _interruptible(table, root / name) for name, table in tables.items()}


class _StoppedError(Exception):
    """The writing was interrupted."""


def _interruptible(table: Table, folder: Path) -> int:
    """Writes in another thread, so that this one hears Ctrl+C: pyarrow would not until it is done."""
    stop = threading.Event()
    outcome: list[int | BaseException] = []

    def work() -> None:
        try:
            outcome.append(_write(table, folder, stop))
        except BaseException as error:
            outcome.append(error)

    worker = threading.Thread(target=work, name="lookback-export")
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.1)
    except BaseException:
        stop.set()
        worker.join()
        raise
    (result,) = outcome
    if isinstance(result, BaseException):
        raise result
    return result


def _write(table: Table, folder: Path, stop: threading.Event) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    reader = pa.RecordBatchReader.from_stream(table)
    time = _MONTHS.get(table.name)
    schema = reader.schema if time is None else reader.schema.append(pa.field("month", pa.string()))
    rows = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal rows
        for batch in reader:
            if stop.is_set():
                raise _StoppedError
            rows += batch.num_rows
            if time is not None:
                # All times are UTC, so the zone can be dropped; with it, pyarrow wants a time zone database.
                moments = batch.column(time).cast(pa.timestamp("s"), safe=False)
                month = pc.strftime(moments, format="%Y-%m")
                batch = pa.RecordBatch.from_arrays([*batch.columns, month], schema=schema)
            yield batch

    ds.write_dataset(
        batches(),
        folder,
        schema=schema,
        format="parquet",
        partitioning=ds.partitioning(pa.schema([("month", pa.string())]), flavor="hive") if time else None,
        # A hostile history can have a message in every month of ten thousand years.
        max_partitions=1 << 20,
        max_open_files=256,
        min_rows_per_group=_GROUP,
        existing_data_behavior="error",
    )
    if rows == 0:
        # A reader wants the columns also where there are no rows.
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(reader.schema.empty_table(), folder / "part-0.parquet")
    return rows
