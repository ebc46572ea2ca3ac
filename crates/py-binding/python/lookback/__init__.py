"""Find, read, tag and count what was done in past sessions of the Pi coding agent.

>>> import lookback
>>> lb = lookback.open(sessions="examples/sessions")  # doctest: +SKIP
>>> lb.search("flaky test")  # doctest: +SKIP
>>> lb.usage().to_polars()  # doctest: +SKIP

:func:`open` finds Pi's folders and returns a :class:`Lookback`, which has everything else. Session files are only ever
read. Errors are the classes of :mod:`lookback.errors`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import errors
from ._client import Lookback
from ._lookback import __version__
from ._records import (
    ContextMessage,
    Hit,
    Hits,
    Message,
    SessionInfo,
    SessionList,
    Snippet,
    Status,
    SyncReport,
    Transcript,
    Waiting,
    WaitingSessions,
)
from ._session import Session
from ._table import Column, Table
from ._tree import Tree, TreeRow
from .errors import LookbackError, LookbackWarning

__all__ = [
    "Column",
    "ContextMessage",
    "Hit",
    "Hits",
    "Lookback",
    "LookbackError",
    "LookbackWarning",
    "Message",
    "Session",
    "SessionInfo",
    "SessionList",
    "Snippet",
    "Status",
    "SyncReport",
    "Table",
    "Transcript",
    "Tree",
    "TreeRow",
    "Waiting",
    "WaitingSessions",
    "__version__",
    "errors",
    "open",
]


def open(
    agent_dir: str | os.PathLike[str] | None = None,
    *,
    sessions: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    cache: str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    exclude: Iterable[str] = (),
) -> Lookback:
    """Open past sessions. Nothing is created before the first sync or the first tag.

    Without arguments, the folders are found as Pi finds them: by ``PI_CODING_AGENT_DIR``,
    ``PI_CODING_AGENT_SESSION_DIR``, ``sessionDir`` in Pi's settings, else ``~/.pi/agent``.

    :param agent_dir: Pi's folder for settings and sessions.
    :param sessions: One or more session folders, in place of all others.
    :param cache: The folder for the index; what is in it can be deleted at any time.
    :param data: The folder for tags, which must not be lost.
    :param exclude: Names of project folders to leave out, with ``*`` for any characters, such as ``"--tmp-*"``.
    """
    return Lookback(agent_dir, sessions=sessions, cache=cache, data=data, exclude=exclude)
