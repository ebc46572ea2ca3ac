"""What answers are made of."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Generic, TypeVar, cast, overload

from . import _html

T = TypeVar("T")


def parse_time(text: str | None) -> datetime | None:
    """A time of the engine as a datetime in UTC; ``None`` for years that datetimes cannot have.

    >>> parse_time("2026-03-02T09:00:00.000Z")
    datetime.datetime(2026, 3, 2, 9, 0, tzinfo=datetime.timezone.utc)
    >>> parse_time("+275760-09-13T00:00:00.000Z")
    """
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text[:-1] + "+00:00")
    except ValueError:
        return None


@functools.cache
def _plan(cls: Hashable) -> list[tuple[str, str, Callable[[Any], Any] | None]]:
    """For each field of a dataclass its key in the engine's answers, and how its value is converted."""

    def key(name: str) -> str:
        head, *tail = name.split("_")
        return head + "".join(part.title() for part in tail)

    def convert(annotation: str) -> Callable[[Any], Any] | None:
        if annotation.startswith("datetime"):
            return parse_time
        return tuple if annotation.startswith("tuple") else None

    return [(field.name, key(field.name), convert(str(field.type))) for field in fields(cast(Any, cls))]


def record(cls: type[T], raw: dict[str, Any], **known: Any) -> T:
    """A dataclass out of an answer. Keys that it does not have are left out."""
    values = known
    for name, key, convert in _plan(cast(Hashable, cls)):
        if name not in values:
            value = raw.get(key)
            values[name] = convert(value) if convert is not None and value is not None else value
    return cls(**values)


class Records(Sequence[T], Generic[T]):
    """Several records, and what there is to say about all of them.

    They are made of the answer when one of them is first asked for: that takes as long as many a search.
    """

    __slots__ = ("_made", "_make", "_raw")

    def __init__(self, raw: Sequence[dict[str, Any]], make: Callable[[dict[str, Any]], T]) -> None:
        self._raw = raw
        self._make = make
        self._made: tuple[T, ...] | None = None

    @property
    def _items(self) -> tuple[T, ...]:
        if self._made is None:
            self._made = tuple(map(self._make, self._raw))
        return self._made

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._raw)

    def __repr__(self) -> str:
        return _html.lines(self._heading(), [repr(item) for item in self._items])

    def _heading(self) -> str:
        return f"{len(self)} records"


@dataclass(frozen=True)
class SessionInfo:
    """A session in a list. Title, times and counts are those of Pi's own list."""

    #: The session id.
    id: str
    #: The session file.
    path: str
    #: The folder it belongs to; empty when it names none.
    cwd: str
    #: The name, or else the first text of the user.
    title: str
    #: The name it was given.
    name: str | None
    #: When it was created.
    created: datetime | None
    #: The last message of user or model.
    modified: datetime | None
    #: Messages of all roles on all branches.
    message_count: int
    #: The file it was forked from.
    parent_session: str | None
    #: Its tags.
    tags: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.id[:13]} {_html.day(self.modified)} {_html.short(self.title)!r}>"

    def _repr_html_(self) -> str:
        return _html.table([_html.session_row(self)])


class SessionList(Records[SessionInfo]):
    """A page of a list of sessions."""

    __slots__ = ("next_offset", "offset", "total")

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw["sessions"], session_info)
        #: Sessions on all pages.
        self.total: int = raw["total"]
        #: Sessions before this page.
        self.offset: int = raw["offset"]
        #: The offset of the next page, ``None`` on the last one.
        self.next_offset: int | None = raw["nextOffset"]

    def _heading(self) -> str:
        return f"{len(self)} of {self.total} sessions"

    def _repr_html_(self) -> str:
        return _html.table([_html.session_row(item) for item in self], self._heading())


def session_info(raw: dict[str, Any]) -> SessionInfo:
    """A session out of an answer, which may say nothing of tags."""
    return record(SessionInfo, raw, tags=tuple(raw.get("tags") or ()))


@dataclass(frozen=True)
class Snippet:
    """The piece of a text that shows why it was found."""

    #: The piece, with every run of white space as one space.
    text: str
    #: The matches in it: start and end in code points, so ``text[start:end]`` is the match.
    highlights: tuple[tuple[int, int], ...]
    #: Text was left out before it.
    cut_before: bool
    #: Text was left out after it.
    cut_after: bool

    def __str__(self) -> str:
        return f"{'…' * self.cut_before}{self.text}{'…' * self.cut_after}"

    def _repr_html_(self) -> str:
        return _html.snippet(self)


@dataclass(frozen=True)
class Hit:
    """One hit of a search."""

    #: Its place among all hits, from 1.
    rank: int
    #: Its score; only the order means something.
    score: float
    #: The session.
    session: SessionInfo
    #: The entry that matched.
    entry: str
    #: Who speaks in it.
    role: str
    #: When it was said.
    timestamp: datetime | None
    #: ``active``, ``compacted`` or ``abandoned``.
    branch: str
    #: The end of a branch that the entry is on.
    leaf: str | None
    #: The text around the match.
    snippet: Snippet
    #: Other sessions that hold the same entry.
    also_in: tuple[str, ...]
    #: How the score came about, when asked for.
    explanation: dict[str, Any] | None

    def __repr__(self) -> str:
        where = f"{_html.day(self.timestamp)} {self.role}, {_html.short(self.session.title, 40)!r}"
        return f"<Hit {self.rank}: {where}: {_html.short(str(self.snippet), 100)!r}>"

    def _repr_html_(self) -> str:
        return _html.hits([self])


class Hits(Records[Hit]):
    """The hits of a search, the best first. A notebook draws them."""

    __slots__ = (
        "_failure",
        "next_offset",
        "offset",
        "query",
        "relaxed",
        "scanned",
        "sessions_matched",
        "sessions_searched",
        "source",
        "sync",
        "warnings",
    )

    def __init__(self, query: str, raw: dict[str, Any]) -> None:
        super().__init__(raw["hits"], _hit)
        #: What was searched.
        self.query = query
        #: How many sessions match, on all pages.
        self.sessions_matched: int = raw["sessionsMatched"]
        #: How many sessions were searched.
        self.sessions_searched: int = raw["sessionsSearched"]
        #: Hits before this page.
        self.offset: int = raw["offset"]
        #: The offset of the next page, ``None`` on the last one.
        self.next_offset: int | None = raw["nextOffset"]
        #: What was searched beside the exact words.
        self.relaxed: list[dict[str, Any]] = raw["relaxed"]
        #: What was not understood or left out: ``code`` and ``message``.
        self.warnings: list[dict[str, str]] = raw["warnings"]
        source = raw["source"]
        #: What the answer comes from: ``index``, or ``files`` where the index was not wanted or could not be used.
        self.source = "files" if source["state"] == "scanned" else "index"
        #: What the sync before the search did, where there was one.
        self.sync = record(SyncReport, source) if "files" in source else None
        #: What was looked at where the files were searched.
        self.scanned: dict[str, Any] | None = source.get("outcome")
        #: Why the index is behind or was not used.
        self._failure: dict[str, str] | None = source.get("because") or (source if "code" in source else None)

    def _heading(self) -> str:
        heading = f"{len(self)} of {self.sessions_matched} sessions for {self.query!r}"
        return "; ".join([heading, *self._notes()])

    def _notes(self) -> list[str]:
        notes = [warning["message"] for warning in self.warnings]
        notes += [f"{step['word']} was searched as {', '.join(step['terms'])}" for step in self.relaxed]
        if self.sync is not None and self.sync.state == "busy":
            notes.append("another process is writing the index, so the newest messages may be missing")
        if self._failure is not None:
            what = "the files were searched" if self.source == "files" else "the newest messages may be missing"
            notes.append(f"{what}: {self._failure['message']}")
        return notes

    def _repr_html_(self) -> str:
        heading = f"{len(self)} of {self.sessions_matched} sessions for {self.query}"
        return _html.hits(self, heading, self._notes())


def _hit(raw: dict[str, Any]) -> Hit:
    piece = raw["snippet"]
    return record(
        Hit,
        raw,
        session=record(SessionInfo, raw["session"], tags=tuple(raw["tags"])),
        snippet=Snippet(piece["text"], tuple(piece["highlights"]), piece["cutBefore"], piece["cutAfter"]),
    )


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    #: The entry; for a gap the id of the entry that is missing.
    id: str | None
    #: ``user``, ``assistant``, ``branchSummary``, ``compactionSummary``, or ``gap``.
    role: str
    #: When it was said.
    timestamp: datetime | None
    #: What was said.
    text: str
    #: Names this very line of the file: ``<session id>:<line>``.
    anchor: str
    #: ``active``, ``compacted`` or ``abandoned``.
    branch: str

    def __repr__(self) -> str:
        return f"<{self.role} {_html.day(self.timestamp)}: {_html.short(self.text, 100)!r}>"

    def _repr_html_(self) -> str:
        return _html.messages([self])


class Transcript(Records[Message]):
    """One branch of a session, or a part of it, as a conversation."""

    __slots__ = (
        "after",
        "before",
        "branch_tip",
        "cut_characters",
        "omitted",
        "path",
        "session",
        "total",
        "truncated",
        "warnings",
    )

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw["messages"], functools.partial(record, Message))
        #: The session id.
        self.session: str = raw["session"]
        #: The session file.
        self.path: str = raw["path"]
        #: The end of the branch: hand it in again to stay on it.
        self.branch_tip: str | None = raw["branchTip"]
        #: Messages of the branch before the first one here.
        self.before: int = raw["before"]
        #: Messages of the branch after the last one here.
        self.after: int = raw["after"]
        #: Messages left out in the middle.
        self.omitted: int = raw["omitted"]
        #: Messages of the branch in all.
        self.total: int = raw["total"]
        #: Something was left out or cut.
        self.truncated: bool = raw["truncated"]
        #: Characters of text that were cut.
        self.cut_characters: int = raw["cutCharacters"]
        #: What a reader should know.
        self.warnings: list[str] = raw["warnings"]

    def _heading(self) -> str:
        return "; ".join([f"{len(self)} of {self.total} messages of {self.session[:13]}", *self.warnings])

    def _repr_html_(self) -> str:
        return _html.messages(self, self._heading())


@dataclass(frozen=True)
class ContextMessage:
    """A message that Pi would give to the model."""

    #: The entry it comes from.
    entry: str | None
    #: Who speaks in it.
    role: str
    #: Its text, after context edits.
    text: str

    def __repr__(self) -> str:
        return f"<{self.role}: {_html.short(self.text, 100)!r}>"


@dataclass(frozen=True)
class Waiting:
    """A session that waits for an answer."""

    #: The session id.
    id: str
    #: Its file.
    path: str
    #: Its folder.
    cwd: str
    #: Its name, or else the start of its first text.
    name: str
    #: When its file was last written.
    modified: datetime | None
    #: Messages of all roles and branches.
    message_count: int
    #: The start of the last message of the user.
    message: str
    #: ``unread``, ``picture``, ``failed``, ``interrupted`` or ``otherBranch``.
    state: str

    def __repr__(self) -> str:
        return f"<{self.state} {_html.day(self.modified)} {_html.short(self.message, 100)!r}>"


class WaitingSessions(Records[Waiting]):
    """A page of the sessions that wait for an answer, the newest first."""

    __slots__ = ("inventory", "next_offset", "offset", "skipped", "total")

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw["items"], functools.partial(record, Waiting))
        #: Sessions on all pages.
        self.total: int = raw["total"]
        #: Sessions before this page.
        self.offset: int = raw["offset"]
        #: The offset of the next page, ``None`` on the last one.
        self.next_offset: int | None = raw["nextOffset"]
        #: How much was looked at, and what was cut.
        self.inventory: dict[str, Any] = raw["inventory"]
        #: What was not used, and how often.
        self.skipped: dict[str, int] = raw["skipped"]

    def _heading(self) -> str:
        cut = " (some were not looked at)" if self.inventory["truncated"] else ""
        return f"{len(self)} of {self.total} sessions that wait{cut}"

    def _repr_html_(self) -> str:
        return _html.table([_html.waiting_row(item) for item in self], self._heading())


@dataclass(frozen=True)
class SyncReport:
    """What a sync did, and what it could not do."""

    #: ``unchanged``, ``updated``, ``busy`` (another process is writing) or ``cancelled``.
    state: str
    #: Session files that were found.
    files: int
    #: Files that are new in the index.
    added: int
    #: Files of which only the new end was read.
    extended: int
    #: Files that were read anew.
    rewritten: int
    #: Files that were moved or renamed.
    moved: int
    #: Files that are gone.
    removed: int
    #: Bytes that were read.
    bytes_read: int
    #: False when a folder could not be read to its end.
    complete: bool
    #: Files that could not be read, the first hundred: ``path``, ``code``, ``message``.
    failed: tuple[dict[str, str], ...]
    #: How many could not be read in all.
    failed_count: int
    #: What was passed over, the first hundred: ``path``, ``reason``.
    skipped: tuple[dict[str, str], ...]
    #: How many were passed over in all.
    skipped_count: int
    #: Session folders that do not exist.
    missing_roots: tuple[str, ...]
    #: Why the index was built from nothing, where it was.
    rebuilt: str | None


@dataclass(frozen=True)
class Status:
    """Folders, index and tags at a glance."""

    #: The session folders.
    roots: tuple[str, ...]
    #: Those that do not exist.
    missing_roots: tuple[str, ...]
    #: Session files.
    files: int
    #: Their bytes.
    bytes: int
    #: Files that were passed over.
    skipped: int
    #: False when a folder could not be read to its end.
    complete: bool
    #: What the index holds, with the keys of the engine.
    index: dict[str, Any]
    #: The file with the tags.
    tags_file: str
    #: Sessions that have tags.
    tagged_sessions: int
    #: What should be known of the tags.
    notices: tuple[str, ...]
