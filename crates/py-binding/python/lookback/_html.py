"""How answers look in a notebook and in a terminal.

Session text is foreign: it is escaped, loses its control characters, and cannot change the direction of what stands
around it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._records import Hit, Message, SessionInfo, Snippet, Waiting

#: Control characters but for tab and line feed, halves of surrogate pairs, and what XML cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

#: Characters of a message that are drawn.
_TEXT = 4_000
#: Records that are drawn.
_ROWS = 100

_MUTED = "opacity:.7;font-size:90%"
_CELL = "text-align:left;vertical-align:top;padding:2px 10px 2px 0"


def harmless(text: str) -> str:
    """Text without control characters.

    >>> harmless("a\\x1b[31mb\\x00")
    'a\\ufffd[31mb\\ufffd'
    """
    return _CONTROL.sub("\ufffd", text)


def escape(text: str) -> str:
    """Text that HTML and SVG show as it is.

    >>> escape("<img src=x onerror=alert(1)>")
    '&lt;img src=x onerror=alert(1)&gt;'
    """
    return html.escape(harmless(text))


def short(text: str, length: int = 60) -> str:
    """The first line of a text, cut."""
    line = next((line.strip() for line in harmless(text).splitlines() if line.strip()), "")
    return line if len(line) <= length else line[: length - 1] + "…"


def day(time: datetime | None) -> str:
    """A time to the minute, in UTC."""
    return "----------" if time is None else time.strftime("%Y-%m-%d %H:%M")


def lines(heading: str, items: list[str], most: int = 30) -> str:
    """A heading and what stands under it, as text."""
    rest = [f"  … {len(items) - most} more"] if len(items) > most else []
    return "\n".join([harmless(heading), *(f"  {item}" for item in items[:most]), *rest])


def _foreign(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>"


def snippet(piece: Snippet) -> str:
    """A snippet with its matches marked."""
    parts = ["…"] if piece.cut_before else []
    at = 0
    for start, end in piece.highlights:
        parts += [escape(piece.text[at:start]), f"<mark>{escape(piece.text[start:end])}</mark>"]
        at = end
    parts.append(escape(piece.text[at:]))
    return f"<bdi>{''.join(parts)}{'…' * piece.cut_after}</bdi>"


def table(rows: Iterable[Sequence[str]], heading: str = "", head: Sequence[str] = ()) -> str:
    """Cells that are HTML already, under a heading that is text."""
    above = f'<div style="{_MUTED}">{escape(heading)}</div>' if heading else ""
    names = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f"{above}<table>{f'<tr>{names}</tr>' if names else ''}{body}</table>"


def session_row(session: SessionInfo) -> list[str]:
    """A session as cells."""
    tags = " ".join(f"#{tag}" for tag in session.tags)
    return [
        day(session.modified),
        _foreign(short(session.title, 100)),
        f"<code>{escape(session.cwd)}</code>",
        f"{session.message_count} messages",
        escape(tags),
        f"<code>{escape(session.id[:13])}</code>",
    ]


def waiting_row(waiting: Waiting) -> list[str]:
    """A session that waits as cells."""
    return [
        day(waiting.modified),
        _foreign(short(waiting.name, 60)),
        _foreign(short(waiting.message, 160)),
        f"<code>{escape(waiting.cwd)}</code>",
        escape(waiting.state),
    ]


def hits(found: Sequence[Hit], heading: str = "", notes: Sequence[str] = ()) -> str:
    """Hits one below the other."""
    parts = [f'<div style="{_MUTED}">{escape(heading)}</div>'] if heading else []
    parts += [f'<div style="{_MUTED}">{escape(note)}</div>' for note in notes]
    for hit in found[:_ROWS]:
        branch = "" if hit.branch == "active" else f" · <em>{escape(hit.branch)} branch</em>"
        tags = "".join(f" #{tag}" for tag in hit.session.tags)
        parts.append(
            '<div style="margin:8px 0">'
            f"<div><b>{_foreign(short(hit.session.title, 100))}</b>{escape(tags)}</div>"
            f"<div>{snippet(hit.snippet)}</div>"
            f'<div style="{_MUTED}">{day(hit.timestamp)} · {escape(hit.role)}{branch} · '
            f"<code>{escape(hit.session.cwd)}</code> · <code>{escape(hit.session.id[:13])}</code></div>"
            "</div>"
        )
    return f"<div>{''.join(parts)}</div>"


def messages(said: Sequence[Message], heading: str = "") -> str:
    """A conversation."""
    parts = [f'<div style="{_MUTED}">{escape(heading)}</div>'] if heading else []
    for message in said[:_ROWS]:
        cut = len(message.text) - _TEXT
        rest = f'<div style="{_MUTED}">… {cut} more characters</div>' if cut > 0 else ""
        border = {"user": "#4c78a8", "assistant": "#72b7b2"}.get(message.role, "#b0b0b0")
        parts.append(
            f'<div style="margin:8px 0;padding-left:8px;border-left:3px solid {border}">'
            f'<div style="{_MUTED}">{escape(message.role)} · {day(message.timestamp)}</div>'
            f'<div style="white-space:pre-wrap" dir="auto">{escape(message.text[:_TEXT])}</div>{rest}</div>'
        )
    if len(said) > _ROWS:
        parts.append(f'<div style="{_MUTED}">… {len(said) - _ROWS} more messages</div>')
    return f"<div>{''.join(parts)}</div>"
