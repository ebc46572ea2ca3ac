"""All that the package takes from its surroundings, in one place. The engine asks for nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from datetime import date, datetime, timezone
from typing import Any

from .errors import BadRequestError

PathLike = str | os.PathLike[str]
Moment = str | date | datetime


def now() -> int:
    """The present moment in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def clean(text: str) -> str:
    """Text that can be handed over: halves of surrogate pairs are no characters and become U+FFFD.

    >>> clean("a\\ud83d b")
    'a\\ufffd b'
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def path_text(path: PathLike) -> str:
    """A path as text. One that is none is refused, since the engine could not name it in a message."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise BadRequestError(f"{text!r} is no text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRequestError(f"the path {text!r} is no text") from None
    return text


def folder(path: PathLike | None) -> str | None:
    """A folder as sessions name it: whole, without links being resolved."""
    if path is None:
        return None
    text = path_text(path)
    # What is absolute elsewhere stays as it is: sessions of other systems are searched, too.
    if text.startswith("~") or not (text.startswith("/") or text[1:2] == ":" or text.startswith("\\")):
        text = os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111
    return text


def moment(value: Moment | None) -> str | None:
    """A moment as the engine reads it. A datetime without zone is local time, a date begins at midnight UTC.

    >>> moment(datetime(2026, 3, 2, 9, tzinfo=timezone.utc))
    '2026-03-02T09:00:00.000Z'
    >>> moment(date(2026, 3, 2)), moment("7d"), moment(None)
    ('2026-03-02', '7d', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    raise BadRequestError(f"{value!r} is no time; give a datetime, a date, or text such as 2026-03-02 or 7d")


def words(value: str | Iterable[str] | None) -> list[str] | None:
    """One word or several as a list."""
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def surroundings(
    agent_dir: PathLike | None,
    sessions: PathLike | Iterable[PathLike] | None,
    cache: PathLike | None,
    data: PathLike | None,
) -> dict[str, Any]:
    """What the folders are found from."""
    several: list[PathLike] = []
    if sessions is not None:
        several = [sessions] if isinstance(sessions, str | os.PathLike) else list(sessions)
        if not several:
            raise BadRequestError("sessions names no folder")

    def given(path: PathLike | None) -> str | None:
        return None if path is None else path_text(path)

    def variable(name: str) -> str | None:
        value = os.environ.get(name)
        return path_text(value) if value else None

    return {
        "home": path_text(os.path.expanduser("~")),  # noqa: PTH111
        "cwd": path_text(os.getcwd()),  # noqa: PTH109
        "agent_dir": given(agent_dir),
        "sessions": [path_text(path) for path in several],
        "cache": given(cache),
        "data": given(data),
        "env_agent_dir": variable("PI_CODING_AGENT_DIR"),
        "env_session_dir": variable("PI_CODING_AGENT_SESSION_DIR"),
        "env_cache_dir": variable("PI_RECALL_CACHE_DIR"),
        "env_data_dir": variable("PI_RECALL_DATA_DIR"),
    }
