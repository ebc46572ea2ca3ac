"""One session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _html
from ._environment import clean, now
from ._records import ContextMessage, SessionInfo, Transcript, session_info
from ._tree import Tree

if TYPE_CHECKING:
    from ._lookback import Engine

#: Of a session that is read whole: more messages than any has.
_ALL = (1 << 63) - 1


class Session:
    """One session: what was said in it, its branches, its tags.

    Everything is read from its file when it is asked for.
    """

    __slots__ = ("_engine", "info")

    def __init__(self, engine: Engine, session: str) -> None:
        self._engine = engine
        raw = engine.session(clean(session))
        raw["tags"] = engine.tags_of(raw["id"])
        #: Title, times and counts, as they were when the session was looked up.
        self.info: SessionInfo = session_info(raw)

    @property
    def id(self) -> str:
        """The session id."""
        return self.info.id

    @property
    def path(self) -> str:
        """The session file."""
        return self.info.path

    @property
    def title(self) -> str:
        """The name, or else the first text of the user."""
        return self.info.title

    @property
    def cwd(self) -> str:
        """The folder it belongs to."""
        return self.info.cwd

    @property
    def messages(self) -> Transcript:
        """The conversation on the newest branch."""
        return self._read()

    def branch(self, tip: str) -> Transcript:
        """The conversation on the branch that ends at an entry."""
        return self._read(branchTip=clean(tip))

    def around(self, entry: str, window: int = 5, *, tip: str | None = None) -> Transcript:
        """The messages around an entry, on its branch."""
        options: dict[str, Any] = {"around": clean(entry), "window": window}
        if tip is not None:
            options["branchTip"] = clean(tip)
        return self._read(**options)

    def tree(self) -> Tree:
        """The branches. A notebook draws them."""
        return Tree(self._engine.tree(self._name))

    def context(self) -> list[ContextMessage]:
        """What Pi would give to the model: after compaction, summaries and context edits."""
        return [ContextMessage(*message) for message in self._engine.context(self._name)]

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags at this moment."""
        return tuple(self._engine.tags_of(self._name))

    def tag(self, *tags: str) -> tuple[str, ...]:
        """Put tags on it; returns all that it has then."""
        return tuple(self._engine.change_tags(self._name, [clean(tag) for tag in tags], False, now()))

    def untag(self, *tags: str) -> tuple[str, ...]:
        """Take tags away; returns those that are left."""
        return tuple(self._engine.change_tags(self._name, [clean(tag) for tag in tags], True, now()))

    @property
    def _name(self) -> str:
        # Two files can hold the same session: the path says which one was looked up.
        return self.info.path

    def _read(self, **options: Any) -> Transcript:
        request = {"session": self._name, "head": _ALL, "tail": 0, "characters": _ALL, **options}
        return Transcript(self._engine.read(request))

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<Session {info.id}: {_html.short(info.title)!r}, {info.message_count} messages, "
            f"{_html.day(info.modified)}>"
        )

    def _repr_html_(self) -> str:
        return _html.table([_html.session_row(self.info)])
