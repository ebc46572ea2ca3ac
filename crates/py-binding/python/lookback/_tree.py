"""The branches of a session, as text and as a picture."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from . import _html
from ._records import Records, record

#: Rows that are drawn.
_DRAWN = 400
_ROW, _STEP, _LEFT = 22, 18, 14


@dataclass(frozen=True)
class TreeRow:
    """One entry of a tree."""

    #: The entry.
    id: str | None
    #: What it is: ``user``, ``assistant``, ``branchSummary``, ``compaction``, …
    kind: str
    #: When it happened.
    timestamp: datetime | None
    #: The first line of its text.
    text: str
    #: How many steps it is drawn to the right.
    depth: int
    #: It begins a branch: what it continues stands further up.
    begins_branch: bool
    #: Several branches continue it.
    fork_point: bool
    #: Nothing continues it.
    leaf: bool
    #: An entry before it is missing from the file.
    gap: bool
    #: ``active``, ``compacted`` or ``abandoned``.
    branch: str
    #: The label the user gave it.
    label: str | None
    #: Entries between the row above on its branch and this one that are not shown.
    hidden: int


class Tree(Records[TreeRow]):
    """The branches of a session: rows from top to bottom, the newest branch at depth 0.

    A notebook draws it; ``print`` shows it as text.
    """

    __slots__ = ("branches", "entries", "path", "pi_leaf", "session", "tip")

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw["rows"], functools.partial(record, TreeRow))
        #: The session id.
        self.session: str = raw["session"]
        #: The session file.
        self.path: str = raw["path"]
        #: Number of branches.
        self.branches: int = raw["branches"]
        #: The end of the newest branch.
        self.tip: str | None = raw["tip"]
        #: The entry at which Pi opens the session.
        self.pi_leaf: str | None = raw["piLeaf"]
        #: Entries in all.
        self.entries: int = raw["entries"]

    def _heading(self) -> str:
        return f"{self.branches} branches, {self.entries} entries of {self.session[:13]}"

    def parents(self) -> list[int | None]:
        """For each row the row that it continues."""
        last: dict[int, int] = {}
        parents: list[int | None] = []
        for position, row in enumerate(self):
            above = last.get(row.depth - 1) if row.begins_branch else last.get(row.depth, last.get(row.depth - 1))
            parents.append(above)
            last[row.depth] = position
        return parents

    def __repr__(self) -> str:
        return _html.lines(self._heading(), [self._line(row) for row in self], _DRAWN)

    def _line(self, row: TreeRow) -> str:
        joint = "├─" if row.begins_branch and row.depth else ""
        sign = "●" if row.branch == "active" else "○"
        return f"{'│ ' * (row.depth - bool(joint))}{joint}{sign} {self._words(row)}"

    def _words(self, row: TreeRow) -> str:
        notes = [f"[{row.label}]"] if row.label else []
        notes += ["(a gap before it)"] if row.gap else []
        notes += ["← newest"] if row.id == self.tip and row.leaf else []
        notes += ["← Pi opens here"] if row.id == self.pi_leaf and self.pi_leaf != self.tip else []
        return " ".join([row.kind, _html.short(row.text, 80), *map(_html.harmless, notes)]).rstrip()

    def _repr_svg_(self) -> str:
        rows, parents = self[:_DRAWN], self.parents()
        deepest = max((row.depth for row in rows), default=0)
        cut = len(self) - len(rows)
        height = (len(rows) + 1 + bool(cut)) * _ROW
        width = _LEFT * 2 + deepest * _STEP + 720
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="12" fill="#555">',
            f'<text x="{_LEFT - 5}" y="{_ROW - 7}">{_html.escape(self._heading())}</text>',
        ]

        def place(position: int) -> tuple[int, int]:
            return _LEFT + rows[position].depth * _STEP, (position + 1) * _ROW + _ROW // 2

        for position, parent in enumerate(parents[: len(rows)]):
            if parent is not None:
                (x, y), (from_x, from_y) = place(position), place(parent)
                dashes = ' stroke-dasharray="3 3"' if rows[position].gap else ""
                # Down beside the parent's column, then across: a branch leaves where it begins.
                parts.append(f'<path d="M{from_x} {from_y}V{y - 6}L{x} {y}" fill="none" stroke="#9aa5b1"{dashes}/>')
        for position, row in enumerate(rows):
            x, y = place(position)
            colour = {"user": "#4c78a8", "assistant": "#72b7b2"}.get(row.kind, "#b0b0b0")
            fill = colour if row.branch == "active" else "#ffffff"
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="{5 if row.fork_point else 4}" fill="{fill}" stroke="{colour}" '
                f'stroke-width="2"><title>{_html.escape(row.id or "")}</title></circle>'
                f'<text x="{_LEFT + deepest * _STEP + 16}" y="{y + 4}"'
                f"{'' if row.branch != 'abandoned' else chr(32) + 'opacity=' + chr(34) + '0.6' + chr(34)}>"
                f"{_html.escape(self._words(row))}</text>"
            )
        if cut:
            parts.append(f'<text x="{_LEFT}" y="{height - 7}">… {cut} more rows</text>')
        return "".join([*parts, "</svg>"])
