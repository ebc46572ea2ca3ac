"""Pictures of how you work with Pi.

Each function takes tables (a :class:`lookback.Table`, or anything else that speaks Arrow's PyCapsule interface, such as
a filtered frame of polars or pandas) and returns a matplotlib figure. Rows that forks copied count once. Install with
``pip install 'pi-lookback[plot]'``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from ._html import harmless, short
from ._table import library

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._tree import Tree

__all__ = ["activity", "branches", "cost", "length_and_cost", "time_of_day", "tools"]

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_GREY = "#b8bec6"
_BLUE, _RED = "#4c78a8", "#d1605e"
_SERIES = ("#4c78a8", "#f2a65a", "#72b7b2", "#d1605e", "#8f7cc0", "#6aa84f", "#c48fb3")


def activity(messages: Any, *, tz: str = "UTC", years: int = 3) -> Figure:
    """A calendar: messages per day, one strip for each of the last years that have any.

    :param messages: :meth:`Lookback.messages`; ``timestamp`` is needed.
    :param tz: Days begin at midnight in this time zone.
    :param years: So many years are drawn.
    """
    moments, left_out = _moments(messages, tz)
    per_day = Counter(moment.date() for moment in moments)
    shown = sorted({day.year for day in per_day})[-years:] or [datetime.now(timezone.utc).year]
    left_out += sum(count for day, count in per_day.items() if day.year not in shown)
    most = max((count for day, count in per_day.items() if day.year in shown), default=1)
    figure, axes = _figure(len(shown), 1, (11, 0.6 + 1.7 * len(shown)))
    for axis, year in zip(axes, shown, strict=True):
        image = _year(axis, year, per_day, most)
    figure.colorbar(image, ax=list(axes), label="messages a day", shrink=0.8, pad=0.015)
    _title(figure, "Messages per day", left_out)
    return figure


def _year(axis: Axes, year: int, per_day: Counter[date], most: int) -> Any:
    first = date(year, 1, 1)
    lead = first.weekday()
    days = (date(year + 1, 1, 1) if year < 9999 else date(year, 12, 31)) - first
    grid = [[float("nan")] * 54 for _ in _DAYS]
    for offset in range(days.days):
        week, weekday = divmod(lead + offset, 7)
        grid[weekday][week] = per_day.get(first + timedelta(offset), 0) or float("nan")
    axis.set_facecolor("#f3f4f6")
    image = axis.imshow(grid, cmap="YlGnBu", vmin=0, vmax=most, aspect="equal")
    axis.set_yticks([0, 2, 4], [_DAYS[day] for day in (0, 2, 4)])
    months = [(date(year, month, 1) - first).days for month in range(1, 13)]
    names = [date(2000, month, 1).strftime("%b") for month in range(1, 13)]
    axis.set_xticks([(lead + offset) // 7 for offset in months], names)
    axis.set_xlim(-0.5, 53.5)
    axis.set_ylabel(str(year))
    axis.set_xticks([edge - 0.5 for edge in range(1, 54)], minor=True)
    axis.set_yticks([edge - 0.5 for edge in range(1, 7)], minor=True)
    axis.grid(which="minor", color="white", linewidth=1.2)
    axis.tick_params(which="both", length=0)
    axis.spines[:].set_visible(False)
    return image


def cost(usage: Any, *, models: int = 6) -> Figure:
    """What each model cost, week by week.

    :param usage: :meth:`Lookback.usage`; ``timestamp``, ``model`` and ``cost`` are needed.
    :param models: So many models have a colour of their own, the dearest ones.
    """
    rows = _rows(usage, "timestamp", "model", "cost")
    spent: dict[str, dict[date, float]] = defaultdict(lambda: defaultdict(float))
    left_out = 0
    for moment, model, dollars in rows:
        if not dollars:
            continue
        day = _day(moment)
        if day is None or not _sensible(dollars):
            left_out += 1
            continue
        spent[short(model or "(no model named)", 40)][day - timedelta(day.weekday())] += dollars
    ordered = sorted(spent, key=lambda model: -sum(spent[model].values()))
    named, others = ordered[:models], ordered[models:]
    series = {model: spent[model] for model in named}
    if others:
        rest: dict[date, float] = defaultdict(float)
        for model in others:
            for week, dollars in spent[model].items():
                rest[week] += dollars
        series[f"{len(others)} others"] = rest
    weeks = sorted({week for by_week in series.values() for week in by_week})
    figure, (axis,) = _figure(1, 1, (10, 4))
    bottom = [0.0] * len(weeks)
    for (model, by_week), colour in zip(series.items(), [*_SERIES[:models], _GREY], strict=False):
        heights = [by_week.get(week, 0.0) for week in weeks]
        label = f"{model}  ${sum(heights):,.2f}"
        axis.bar(weeks, heights, width=5.6, bottom=bottom, color=colour, label=label)
        bottom = [low + high for low, high in zip(bottom, heights, strict=True)]
    axis.set_ylabel("US dollars a week")
    axis.spines[["top", "right"]].set_visible(False)
    if series:
        axis.legend(frameon=False, fontsize=9)
        figure.autofmt_xdate(rotation=0, ha="center")
    _title(figure, f"Cost by model: ${sum(bottom):,.2f}", left_out, "answers with an absurd date or cost")
    return figure


def length_and_cost(sessions: Any, usage: Any) -> Figure:
    """How long sessions are, and what they cost.

    :param sessions: :meth:`Lookback.sessions`; ``session_id`` and ``messages`` are needed.
    :param usage: :meth:`Lookback.usage`; ``session_id`` and ``cost`` are needed.
    """
    spent: dict[str, float] = defaultdict(float)
    for session, dollars in _rows(usage, "session_id", "cost"):
        if dollars and _sensible(dollars):
            spent[session] += dollars
    points = [(length, spent[name]) for name, length in _rows(sessions, "session_id", "messages") if length]
    paid = [point for point in points if point[1] > 0]
    figure, (axis,) = _figure(1, 1, (7, 4.5))
    axis.scatter(*zip(*paid, strict=True) if paid else ([], []), s=22, alpha=0.6, color=_BLUE, edgecolors="none")
    if paid:
        axis.set_xscale("log")
        axis.set_yscale("log")
        for line, sign, values in ((axis.xaxis, "", 0), (axis.yaxis, "$", 1)):
            few = max(point[values] for point in paid) < 30 * min(point[values] for point in paid)
            line.set_major_formatter(lambda value, _, sign=sign: f"{sign}{value:g}")
            # Within a decade or so the powers of ten alone would say too little.
            line.set_minor_formatter(lambda value, _, sign=sign, few=few: f"{sign}{value:g}" if few else "")
            line.set_tick_params(which="both", labelsize=8)
    axis.set_xlabel("messages of all roles")
    axis.set_ylabel("cost of the session")
    axis.grid(alpha=0.25)
    axis.spines[["top", "right"]].set_visible(False)
    free = len(points) - len(paid)
    _title(figure, "Length and cost of sessions", free, "sessions without a cost")
    return figure


def tools(tool_calls: Any, *, most: int = 15) -> Figure:
    """How often each tool was called, and how often it failed.

    :param tool_calls: :meth:`Lookback.tool_calls`; ``tool`` and ``is_error`` are needed.
    :param most: So many tools are drawn, those with the most calls.
    """
    calls: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for tool, is_error in _rows(tool_calls, "tool", "is_error"):
        calls[tool] += 1
        failed[tool] += bool(is_error)
    shown = [tool for tool, _ in calls.most_common(most)]
    figure, (axis,) = _figure(1, 1, (8, 1.2 + 0.32 * max(len(shown), 3)))
    rows = range(len(shown))
    good = [calls[tool] - failed[tool] for tool in shown]
    bad = [failed[tool] for tool in shown]
    axis.barh(rows, good, color=_BLUE, label="worked, or no result")
    axis.barh(rows, bad, left=good, color=_RED, label="failed")
    for row, tool in enumerate(shown):
        rate = f"  {calls[tool]:,}" + (f", {failed[tool] / calls[tool]:.1%} failed" if failed[tool] else "")
        axis.text(calls[tool], row, rate, va="center", fontsize=9, color="#444")
    axis.set_yticks(rows, [short(tool, 30) for tool in shown])
    axis.invert_yaxis()
    axis.margins(x=0.25)
    axis.spines[["top", "right"]].set_visible(False)
    if shown:
        axis.legend(frameon=False, loc="lower right", fontsize=9)
    axis.set_xlabel("calls")
    _title(figure, "Tools", len(calls) - len(shown), "rarer tools")
    return figure


def time_of_day(messages: Any, *, tz: str = "UTC") -> Figure:
    """At which hours of the week messages are written.

    :param messages: :meth:`Lookback.messages`; ``timestamp`` is needed.
    :param tz: Hours are those of this time zone.
    """
    moments, left_out = _moments(messages, tz)
    counts = Counter((moment.weekday(), moment.hour) for moment in moments)
    figure, (axis,) = _figure(1, 1, (9, 3.4))
    grid = [[counts[day, hour] for hour in range(24)] for day in range(7)]
    image = axis.imshow(grid, cmap="YlGnBu", aspect="auto", vmin=0, vmax=max(1, *map(max, grid)))
    axis.set_yticks(range(7), _DAYS)
    axis.set_xticks(range(0, 24, 3), [f"{hour}:00" for hour in range(0, 24, 3)])
    axis.set_xlabel(f"hour, {tz}")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    figure.colorbar(image, ax=axis, label="messages")
    _title(figure, "Messages by hour and day", left_out)
    return figure


def branches(tree: Tree, *, most: int = 60) -> Figure:
    """The branches of a session: what was kept, and what was left.

    :param tree: :meth:`Session.tree`.
    :param most: So many rows are drawn, the last ones.
    """
    start = max(0, len(tree) - most)
    rows, parents = tree[start:], tree.parents()[start:]
    figure, (axis,) = _figure(1, 1, (9, 1 + 0.26 * max(len(rows), 4)))
    deepest = max((row.depth for row in rows), default=0)
    for at, (row, parent) in enumerate(zip(rows, parents, strict=True)):
        if parent is not None and parent >= start:
            from_x, from_y = rows[parent - start].depth, parent - start
            axis.plot([from_x, from_x, row.depth], [from_y, max(at - 0.4, from_y), at], color=_GREY, zorder=1)
        colour = {"user": _SERIES[0], "assistant": _SERIES[2]}.get(row.kind, _GREY)
        left = row.branch == "abandoned"
        axis.scatter(row.depth, at, s=46, color="white" if left else colour, edgecolors=colour, zorder=2)
        words = f"{row.kind}: {_drawable(short(row.text, 70))}" if row.text else row.kind
        axis.text(deepest + 0.6, at, words, va="center", fontsize=8, color="#888" if left else "#222")
    axis.set_xlim(-0.6, deepest + 12)
    axis.set_ylim(max(len(rows) - 0.4, 1), -0.8)
    axis.set_axis_off()
    _title(figure, f"{tree.branches} branches of {tree.session[:13]}", start, "earlier rows")
    return figure


def _sensible(dollars: float) -> bool:
    """A cost that can have been meant."""
    return 0 < dollars < 1e9


def _drawable(text: str) -> str:
    """Dollar signs are mathematics to matplotlib."""
    return harmless(text).replace("$", r"\$")


def _figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Any]]:
    plt = library("matplotlib.pyplot")
    figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    # The figure is the caller's: left open, a notebook would show it twice and a script would pile up windows.
    plt.close(figure)
    return figure, list(axes.flat)


def _title(figure: Figure, title: str, left_out: int, what: str = "with a date that cannot be shown") -> None:
    note = f"   ({left_out:,} {what} left out)" if left_out else ""
    figure.suptitle(_drawable(title + note), fontsize=11)


def _rows(table: Any, *names: str) -> Iterable[tuple[Any, ...]]:
    """Some columns of a table, without the rows that an older session owns."""
    pa = library("pyarrow")
    for batch in pa.RecordBatchReader.from_stream(table):
        columns = [_values(pa, batch.column(name)) for name in names]
        if "copied_from" in batch.schema.names:
            owned = [not copied for copied in batch.column("copied_from").is_valid().to_pylist()]
            columns = [[value for value, own in zip(column, owned, strict=True) if own] for column in columns]
        yield from zip(*columns, strict=True)


def _values(pa: Any, column: Any) -> list[Any]:
    if pa.types.is_timestamp(column.type):
        # As numbers, since datetimes end with the year 9999.
        return column.cast(pa.timestamp("ms")).cast(pa.int64()).to_pylist()
    return column.to_pylist()


def _day(ms: int | None) -> date | None:
    moment = _moment(ms)
    return None if moment is None else moment.date()


def _moment(ms: int | None) -> datetime | None:
    """A time that can have been meant: after 1970, and not in the future."""
    if ms is None or ms < 86_400_000 or ms > _latest():
        return None
    return datetime.fromtimestamp(ms / 1000, timezone.utc)


def _latest() -> int:
    return int((datetime.now(timezone.utc).timestamp() + 366 * 86_400) * 1000)


def _moments(table: Any, tz: str) -> tuple[list[datetime], int]:
    """The times of a table in a time zone, and how many make no sense."""
    from zoneinfo import ZoneInfo

    zone = timezone.utc if tz == "UTC" else ZoneInfo(tz)
    moments, left_out = [], 0
    for (ms,) in _rows(table, "timestamp"):
        moment = _moment(ms)
        if moment is None:
            left_out += 1
        else:
            moments.append(moment.astimezone(zone))
    return moments, left_out
