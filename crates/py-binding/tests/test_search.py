from __future__ import annotations

from datetime import datetime, timezone

import pytest

import lookback
from lookback import errors
from sessions import assistant, header, user, write


def test_hits_say_where_they_come_from(family):
    hits = family.search("parser slow")
    assert len(hits) == 1 == hits.sessions_matched
    (hit,) = hits
    assert (hit.rank, hit.session.id, hit.entry, hit.role, hit.branch) == (1, "s1", "u1", "user", "active")
    assert hit.also_in == ("s2",)
    assert hit.timestamp == datetime(2026, 3, 2, 9, 0, 1, tzinfo=timezone.utc)
    assert hit.session.cwd == "/home/dev/app"
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.highlights] == ["parser", "slow"]
    assert hits[0] is hit
    assert hits[:5] == (hit,)
    assert "parser" in repr(hits)


def test_highlights_are_code_points(folder, open_over):
    write(folder, "s1", header("s1"), user("u1", None, 1, "🦀🦀 naïve 日本語 crab"))
    (hit,) = open_over(folder).search("crab")
    ((start, end),) = hit.snippet.highlights
    assert hit.snippet.text[start:end] == "crab"
    assert start == len("🦀🦀 naïve 日本語 ")


def test_the_first_search_syncs_and_later_ones_do_not(folder, open_over):
    write(folder, "s1", header("s1"), user("u1", None, 1, "heliotrope"))
    lb = open_over(folder)
    assert lb.search("heliotrope", sync=False).sync is None
    assert lb.search("heliotrope").sync.added == 1
    write(folder, "s2", header("s2", second=9), user("u2", None, 10, "heliotrope again"))
    assert len(lb.search("heliotrope")) == 1
    assert len(lb.search("heliotrope", sync=True)) == 2


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, {"s1", "s3"}),
        ({"cwd": "/home/dev/web"}, {"s3"}),
        ({"roles": "assistant"}, set()),
        ({"roles": ["user", "assistant"]}, {"s1", "s3"}),
        ({"since": datetime(2026, 3, 2, 9, 1, tzinfo=timezone.utc)}, {"s3"}),
        ({"until": "2026-03-02T09:01:00Z"}, {"s1"}),
        ({"sessions": ["s3"]}, {"s3"}),
        ({"tags": "#layout"}, {"s3"}),
        ({"branches": "abandoned"}, set()),
        ({"limit": 1, "offset": 1}, {"s1"}),
    ],
)
def test_filters_narrow_a_search(family, filters, found):
    family.tag("s3", "layout")
    hits = family.search("why OR div", **filters)
    if "offset" in filters:
        assert len(hits) == 1
        assert hits.next_offset is None
    else:
        assert {hit.session.id for hit in hits} == found


@pytest.mark.parametrize(
    "options",
    [
        {"roles": "nobody"},
        {"branches": "dead"},
        {"policy": "best"},
        {"since": "whenever"},
        {"until": 7},
        {"limit": -1},
        {"offset": "x"},
    ],
)
def test_unknown_words_are_refused(family, options):
    with pytest.raises(errors.BadRequestError):
        family.search("x", **options)


def test_unknown_options_are_refused(family):
    with pytest.raises(TypeError):
        family.search("x", size=3)
    with pytest.raises(TypeError):
        lookback.open(folder="x")


def test_scores_can_be_taken_apart(family):
    (hit,) = family.search("div", explain=True)
    assert hit.explanation["value"] == pytest.approx(hit.score, rel=1e-3)


@pytest.mark.parametrize("policy", ["default", "recall", "memory", "strict"])
def test_every_policy_answers(family, policy):
    assert [hit.session.id for hit in family.search("div", policy=policy)] == ["s3"]


@pytest.mark.parametrize("query", ["", "\ud83d half", "a\x00b", '"', "((((", "x" * 10_000, "🦀" * 5000])
def test_any_text_can_be_searched(family, query):
    hits = family.search(query)
    assert isinstance(hits.warnings, list)


def test_the_files_can_be_searched_instead(family):
    hits = family.search("parser slow", engine="scan")
    assert [(hit.session.id, hit.entry, hit.also_in) for hit in hits] == [("s1", "u1", ("s2",))]
    assert (hits.source, hits.sync) == ("files", None)
    assert hits.scanned is not None
    assert family.status().index["state"] == "missing"
    with pytest.raises(errors.BadRequestError):
        family.search("x", engine="steam")


def test_pages_follow_each_other(folder, open_over):
    for number in range(25):
        write(folder, f"s{number}", header(f"s{number}", second=number), user("u", None, number, "quokka"))
    lb = open_over(folder)
    seen, offset = [], 0
    while offset is not None:
        hits = lb.search("quokka", offset=offset)
        seen += [hit.session.id for hit in hits]
        offset = hits.next_offset
    assert len(seen) == len(set(seen)) == 25


def test_lists_have_the_latest_activity_first(family):
    family.tag("s3", "layout")
    listed = family.list()
    assert [session.id for session in listed] == ["s3", "s2", "s1"]
    assert listed[0].tags == ("layout",)
    assert listed.total == 3
    assert [session.id for session in family.list(cwd="/home/dev/app", limit=1)] == ["s2"]


def test_hits_are_drawn_without_what_could_harm(folder, open_over):
    evil = '<img src=x onerror="alert(1)"> </div><script>alert(2)</script> \x1b[31m \u202e quokka & <mark>'
    write(folder, "s1", header("s1", cwd="/x/<b>"), user("u", None, 1, evil), assistant("a", "u", 2, "quokka"))
    lb = open_over(folder)
    lb.tag("s1", "a<b")
    hits = lb.search("quokka")
    for drawn in (hits._repr_html_(), hits[0]._repr_html_(), lb.list()._repr_html_()):
        assert "<script" not in drawn
        assert "<img" not in drawn
        assert "<b>/" not in drawn
        assert "\x1b" not in drawn
        assert "&lt;script&gt;" in drawn
    assert "<mark>quokka</mark>" in hits._repr_html_()
    assert "\x1b" not in repr(hits)
    assert "\x1b" not in repr(lb.session("s1"))
    assert "<script" not in lb.session("s1").messages._repr_html_()


@pytest.mark.parametrize("wrong", [{"roles": "king"}, {"roles": ["user", "toolResult"]}, {"branches": "left"}])
def test_what_nobody_can_be_is_refused_with_what_there_is(family, wrong):
    with pytest.raises(errors.BadRequestError, match=r"there is no (role|branch) .*; there are "):
        family.search("parser", **wrong)
