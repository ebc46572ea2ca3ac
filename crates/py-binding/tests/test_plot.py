from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import polars as pl
import pytest
from matplotlib.figure import Figure

import lookback.plot as plot
from sessions import assistant, call, header, user, write


def drawn(figure, path):
    assert isinstance(figure, Figure)
    figure.savefig(path / "figure.png")
    assert (path / "figure.png").stat().st_size > 2000
    return figure


def texts(figure):
    found = [text.get_text() for axis in figure.axes for text in axis.texts]
    return [*found, figure.get_suptitle()]


def test_all_pictures_of_the_examples(examples, tmp_path):
    session = max(examples.sessions(), key=lambda row: row["branches"])["session_id"]
    for figure in (
        plot.activity(examples.messages()),
        plot.cost(examples.usage()),
        plot.length_and_cost(examples.sessions(), examples.usage()),
        plot.tools(examples.tool_calls()),
        plot.time_of_day(examples.messages(), tz="Europe/Vienna"),
        plot.branches(examples.session(session).tree()),
    ):
        drawn(figure, tmp_path)


def test_an_empty_history_has_empty_pictures(open_over, tmp_path):
    lb = open_over(tmp_path / "nothing")
    for figure in (
        plot.activity(lb.messages()),
        plot.cost(lb.usage()),
        plot.length_and_cost(lb.sessions(), lb.usage()),
        plot.tools(lb.tool_calls()),
        plot.time_of_day(lb.messages()),
    ):
        drawn(figure, tmp_path)


def test_copies_in_forks_count_once(family):
    assert "$0.99" in plot.cost(family.usage()).get_suptitle().replace("\\", "")
    assert any("read" in label.get_text() for label in plot.tools(family.tool_calls()).axes[0].get_yticklabels())
    assert "  1" in texts(plot.tools(family.tool_calls()))[0]


def test_frames_of_other_libraries_are_drawn(family, tmp_path):
    frame = family.usage().to_polars().filter(pl.col("model") == "m1")
    drawn(plot.cost(frame), tmp_path)
    drawn(plot.activity(family.messages().to_arrow()), tmp_path)


def test_hostile_values_are_drawn_or_counted(folder, open_over, tmp_path):
    """Dates that nobody meant are left out and said; names with signs of markup stay names."""
    lines = [
        f'{{"type":"message","id":"u{ms}","parentId":null,"message":{{"role":"user","content":"$x_1$","timestamp":{ms}}}}}'
        for ms in ("0", "8.64e15", "-5", '"no"')
    ]
    usage = {"cost": {"total": 1e308}}
    write(
        folder,
        "s1",
        header("s1"),
        *lines,
        user("v", None, 1, "$\\frac{"),
        assistant("a", "v", 2, "x", call("c", "$tool_{"), model="$m$\n<b>\x1b", usage=usage),
        assistant("b", "a", 3, "x", model="m2", usage={"cost": {"total": -3}}),
    )
    lb = open_over(folder)
    figure = drawn(plot.activity(lb.messages()), tmp_path)
    assert "3 with a date that cannot be shown" in figure.get_suptitle()
    for figure in (
        plot.cost(lb.usage()),
        plot.length_and_cost(lb.sessions(), lb.usage()),
        plot.tools(lb.tool_calls()),
        plot.branches(lb.session("s1").tree()),
    ):
        drawn(figure, tmp_path)


def test_a_missing_library_is_named(family, monkeypatch):
    import lookback
    from lookback import _table

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(lookback.errors.MissingLibraryError, match="pip install polars"):
        _table.library("polars")
