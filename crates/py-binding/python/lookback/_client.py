"""Opened session folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _environment as environment
from ._environment import Moment, PathLike, clean, folder, moment, now, words
from ._lookback import Engine
from ._progress import Told, reporting
from ._records import Hits, SessionList, Status, SyncReport, WaitingSessions, record
from ._session import Session
from ._table import Table
from .errors import BadRequestError


class Lookback:
    """Past sessions, ready to be searched, read, tagged and counted. See :func:`lookback.open`.

    It can be used by several threads at once. It cannot be used in a process that was forked after it was used: that
    raises :class:`~lookback.errors.ForkedError`.
    """

    __slots__ = ("_engine", "_synced")

    def __init__(
        self,
        agent_dir: PathLike | None = None,
        *,
        sessions: PathLike | Iterable[PathLike] | None = None,
        cache: PathLike | None = None,
        data: PathLike | None = None,
        exclude: Iterable[str] = (),
    ) -> None:
        found = environment.surroundings(agent_dir, sessions, cache, data)
        self._engine = Engine(found, words(exclude) or [])
        self._synced = False

    @property
    def roots(self) -> tuple[str, ...]:
        """The session folders."""
        return tuple(self._engine.roots)

    # The index.

    def sync(self, *, progress: bool | Told = True, rebuild: bool = False) -> SyncReport:
        """Bring the index up to date. Where nothing changed this costs a walk through the folders.

        Ctrl+C ends it; what was done until then is kept.

        :param progress: Show a bar of tqdm, where that is installed; or a function that is told files done, files in
            all, bytes done, bytes in all.
        :param rebuild: Throw the index away and build it anew. Tags stay.
        """
        # A sync that is interrupted leaves the rest to the next one.
        self._synced = False
        with reporting(progress) as told:
            report = record(SyncReport, self._engine.sync(told, rebuild))
        self._synced = True
        return report

    def status(self) -> Status:
        """Folders, index and tags at a glance."""
        return record(Status, _snake(self._engine.status()))

    # Finding and reading.

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        cwd: PathLike | None = None,
        roles: str | Iterable[str] | None = None,
        branches: str | Iterable[str] | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        tags: str | Iterable[str] | None = None,
        sessions: str | Iterable[str] | None = None,
        exact: bool = False,
        policy: str = "default",
        explain: bool = False,
        engine: str = "index",
        sync: bool | None = None,
        progress: bool | Told = True,
    ) -> Hits:
        """Search what was said. The query language is that of the command line.

        Where the index cannot be used, the files themselves are searched; ``hits.source`` says so. Ctrl+C ends a sync
        and a search of the files.

        :param query: Words, ``"phrases"``, ``prefix*``, ``-word``, ``OR``, ``#tag``, ``role:user``, ``after:7d``, …
        :param limit: Hits on the page, at most 100.
        :param offset: Hits before the page.
        :param cwd: Only sessions of this folder.
        :param roles: Only ``"user"`` or ``"assistant"``.
        :param branches: Only ``"active"``, ``"compacted"`` or ``"abandoned"``.
        :param since: Only what was said at this moment or later: a datetime, a date, or text such as ``"7d"``.
        :param until: Only what was said before this moment.
        :param tags: Only sessions with all of these tags.
        :param sessions: Only these sessions: ids, starts of ids, or paths.
        :param exact: Words as they are: no word forms, no relaxation.
        :param policy: How hits are ordered: ``"default"``, ``"recall"``, ``"memory"`` or ``"strict"``.
        :param explain: Take every score apart.
        :param engine: ``"index"``, or ``"scan"``: search the files themselves and write nothing.
        :param sync: Bring the index up to date before. By default only before the first search of this object.
        :param progress: As in :meth:`sync`.
        """
        if engine not in ("index", "scan"):
            raise BadRequestError(f"there is no engine {engine}; there are index, scan")
        scope: dict[str, Any] = {"currentCwd": folder(".")}
        if cwd is not None:
            scope["cwd"] = folder(cwd)
        if (roles := words(roles)) is not None:
            scope["roles"] = _among("role", roles, ("user", "assistant"))
        if (branches := words(branches)) is not None:
            scope["branches"] = _among("branch", branches, ("active", "abandoned", "compacted"))
        if (tags := words(tags)) is not None:
            scope["tags"] = [clean(tag).removeprefix("#").lower() for tag in tags]
        if sessions is not None:
            scope["sessions"] = self._ids(sessions)
        request = {
            "query": clean(query),
            "limit": limit,
            "offset": offset,
            "exact": exact,
            "explain": explain,
            "scope": scope,
        }
        scan = engine == "scan"
        sync = not scan and (not self._synced if sync is None else sync)
        with reporting(progress if sync else False) as told:
            reply = self._engine.search(
                request,
                policy=policy,
                since=moment(since),
                until=moment(until),
                sync=sync,
                scan=scan,
                progress=told,
                now=now(),
            )
        self._synced = self._synced or sync
        return Hits(query, reply)

    def list(
        self, *, cwd: PathLike | None = None, limit: int = 20, offset: int = 0, sync: bool | None = None
    ) -> SessionList:
        """The sessions, the latest activity first.

        :param cwd: Only sessions of this folder.
        :param limit: Sessions on the page.
        :param offset: Sessions before the page.
        :param sync: As in :meth:`search`.
        """
        if sync or (sync is None and not self._synced):
            self.sync()
        return SessionList(self._engine.list({"cwd": folder(cwd), "limit": limit, "offset": offset}))

    def session(self, session: str | os.PathLike[str]) -> Session:
        """One session, by its id, the start of its id, or the path of its file."""
        return Session(self._engine, environment.path_text(session))

    # Tags and waiting sessions.

    def tag(self, session: str | os.PathLike[str], *tags: str) -> tuple[str, ...]:
        """Put tags on a session; returns all that it has then. They are on disk when this returns."""
        return self.session(session).tag(*tags)

    def untag(self, session: str | os.PathLike[str], *tags: str) -> tuple[str, ...]:
        """Take tags from a session; returns those that are left."""
        return self.session(session).untag(*tags)

    def unread(
        self,
        *,
        cwd: PathLike | None = None,
        query: str = "",
        states: str | Iterable[str] = "unread",
        limit: int = 100,
        offset: int = 0,
        max_sessions: int = 100,
        include_done: bool = False,
    ) -> WaitingSessions:
        """Sessions that wait for an answer. Needs no index; Ctrl+C ends it.

        :param cwd: Only sessions of this folder. By default all of them.
        :param query: Looked for in name, message and folder.
        :param states: ``"unread"``, ``"picture"``, ``"failed"``, ``"interrupted"``, ``"otherBranch"``.
        :param limit: Sessions on the page.
        :param offset: Sessions before the page.
        :param max_sessions: How many files are read, the newest ones: 1 to 500.
        :param include_done: Also those that were marked with :meth:`done`.
        """
        request = {
            "cwd": folder(cwd),
            "query": clean(query),
            "states": words(states),
            "limit": limit,
            "offset": offset,
            "maxSessions": max_sessions,
            "includeDone": include_done,
            "details": True,
        }
        return WaitingSessions(self._engine.unread(request))

    def done(self, session: str | os.PathLike[str], *, undo: bool = False) -> None:
        """Take a session out of the list of those that wait, until its user writes again; or put it back."""
        self._engine.mark_done(environment.path_text(session), not undo, now())

    # Tables.

    def sessions(
        self,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """One row for each session.

        :param since: Only sessions with something at this moment or later.
        :param until: Only sessions with something before this moment.
        :param cwd: Only sessions of this folder.
        :param sessions: Only these sessions: ids, starts of ids, or paths.
        :param columns: Only these columns, in this order.
        """
        return self._table("sessions", since, until, cwd, sessions, columns)

    def messages(
        self,
        *,
        roles: str | Iterable[str] | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """One row for each message, on all branches.

        :param roles: Who speaks: ``"system"``, ``"user"``, ``"assistant"``, ``"toolResult"``, ``"bashExecution"``,
            ``"custom"``, ``"other"``, ``"branchSummary"``, ``"compactionSummary"``, or ``"all"``. By default the
            conversation: user and assistant. Results of tools are most of the bytes.
        """
        if roles == "all":
            roles = _ROLES
        return self._table("messages", since, until, cwd, sessions, columns, words(roles))

    def tool_calls(
        self,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """One row for each tool call of the model, with what came of it."""
        return self._table("tool_calls", since, until, cwd, sessions, columns)

    def usage(
        self,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """Tokens and costs: one row for each answer, for each summary, and for what was spent beside them.

        Forks hold copies of answers. Count only rows where ``copied_from`` is null.
        """
        return self._table("usage", since, until, cwd, sessions, columns)

    def branches(
        self,
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """One row for each branch: an entry that nothing continues, and the way there."""
        return self._table("branches", since, until, cwd, sessions, columns)

    def tags(self, *, columns: str | Iterable[str] | None = None) -> Table:
        """One row for each tag of each session, as they are now."""
        return self._table("tags", None, None, None, None, columns)

    def warnings(
        self,
        *,
        cwd: PathLike | None = None,
        sessions: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
    ) -> Table:
        """What is odd: damaged lines, files that cannot be read, links that are not followed."""
        return self._table("warnings", None, None, cwd, sessions, columns)

    def export(self, folder: PathLike, **filters: Any) -> dict[str, int]:
        """Write all tables as Parquet files, those with times by month; returns the rows of each table.

        Needs pyarrow. See ``docs/python.md`` for the layout.

        :param folder: A folder that is new or empty.
        :param filters: ``since``, ``until`` and ``cwd``, as for the tables.
        """
        from ._export import export

        return export(self, environment.path_text(folder), **filters)

    def _table(
        self,
        name: str,
        since: Moment | None,
        until: Moment | None,
        cwd: PathLike | None,
        sessions: str | Iterable[str] | None,
        columns: str | Iterable[str] | None,
        roles: Iterable[str] | None = None,
    ) -> Table:
        native = self._engine.table(
            name,
            since=moment(since),
            until=moment(until),
            cwd=folder(cwd),
            sessions=None if sessions is None else self._ids(sessions),
            roles=roles,
            columns=words(columns),
            now=now(),
        )
        return Table(name, native)

    def _ids(self, sessions: str | Iterable[str]) -> Any:
        return [self._engine.session(clean(session))["id"] for session in words(sessions) or ()]

    def __repr__(self) -> str:
        return f"<Lookback over {', '.join(self.roots)}>"


_ROLES = (
    "system",
    "user",
    "assistant",
    "toolResult",
    "bashExecution",
    "custom",
    "other",
    "branchSummary",
    "compactionSummary",
)


def _snake(raw: dict[str, Any]) -> dict[str, Any]:
    """The keys of the index as Python writes names."""

    def name(key: str) -> str:
        return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)

    return {**raw, "index": {name(key): value for key, value in raw["index"].items()}}


def _among(what: str, values: list[str], known: tuple[str, ...]) -> list[str]:
    for value in values:
        if value not in known:
            raise BadRequestError(f"there is no {what} {value}; there are {', '.join(known)}")
    return values
