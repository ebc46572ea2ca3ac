"""Tables that are read when they are used."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _html
from .errors import LookbackWarning, MissingLibraryError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._lookback import NativeTable

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Column(NamedTuple):
    """A column of a :class:`Table`."""

    #: Its name.
    name: str
    #: Its Arrow type.
    type: str
    #: The unit of its values, where they have one.
    unit: str
    #: What it holds.
    about: str


class Table:
    """Rows that are read from the session files when somebody asks for them, each time anew.

    It is an Arrow stream: hand it to polars, pandas, pyarrow, duckdb or any other library that knows Arrow's PyCapsule
    interface, or use :meth:`to_polars`, :meth:`to_pandas`, :meth:`to_arrow`. It streams: memory is bounded by what the
    consumer keeps. Without any library, it can be iterated over as dictionaries.
    """

    __slots__ = ("_native", "columns", "name")

    def __init__(self, name: str, native: NativeTable) -> None:
        self._native = native
        #: The name of the table.
        self.name = name
        #: Its columns: name, type, unit, meaning. They travel with the Arrow schema, too.
        self.columns: tuple[Column, ...] = tuple(Column(*column) for column in native.schema())

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """The whole table for pyarrow."""
        pa = library("pyarrow")
        return self._taken(lambda: pa.RecordBatchReader.from_stream(self).read_all())

    def to_polars(self) -> polars.DataFrame:
        """The whole table for polars."""
        pl = library("polars")
        return self._taken(lambda: pl.DataFrame(self))

    def to_pandas(self) -> pandas.DataFrame:
        """The whole table for pandas."""
        library("pandas")
        # Through pyarrow on purpose: older versions of pandas have no way of their own.
        return self.to_arrow().to_pandas()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries. Times are datetimes in UTC, or ``None`` for years that datetimes cannot have."""
        return self._rows(1 << 20)

    def head(self, rows: int = 10) -> list[dict[str, Any]]:
        """The first rows as dictionaries."""
        found: list[dict[str, Any]] = []
        for row in self._rows(rows):
            if len(found) >= rows:
                break
            found.append(row)
        return found

    def _rows(self, most: int) -> Iterator[dict[str, Any]]:
        names = [column.name for column in self.columns]
        times = [at for at, column in enumerate(self.columns) if column.type.startswith("Timestamp")]
        reading = self._native.read()
        while True:
            try:
                batch = reading.next_batch(most)
            except StopIteration:
                _tell(reading.files_left_out)
                return
            for at in times:
                batch[at] = [_datetime(value) for value in batch[at]]
            for row in zip(*batch, strict=True):
                yield dict(zip(names, row, strict=True))

    def _taken(self, take: Callable[[], Any]) -> Any:
        """What a library takes, with Ctrl+C as what it is: the library itself only hears that the stream ended."""
        try:
            frame = take()
        except Exception:
            self._native.raise_interrupt()
            raise
        _tell(self._native.files_left_out)
        return frame

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<lookback table {self.name}: {names}; read when it is used>"

    def _repr_html_(self) -> str:
        rows = [[_html.escape(_html.short(_text(value), 60)) for value in row.values()] for row in self.head(10)]
        heading = f"{self.name}: the first {len(rows)} rows, read when they are needed"
        return _html.table(rows, heading, [column.name for column in self.columns])


def library(name: str) -> Any:
    """A library that may not be installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingLibraryError(f"{name} is not installed: pip install {name.partition('.')[0]}") from error


def _datetime(ms: int | None) -> datetime | None:
    if ms is None:
        return None
    try:
        return _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        return None


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return _html.day(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _tell(left_out: int) -> None:
    if left_out:
        warnings.warn(
            f"{left_out} session files could not be read to their end; warnings() names them",
            LookbackWarning,
            stacklevel=4,
        )
