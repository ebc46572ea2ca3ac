from __future__ import annotations

import inspect
import re

import pytest

import lookback
from lookback import errors
from sessions import ROOT, header, user, write

#: What the package itself adds to the codes of the engine.
OWN = {"forked", "internal", "missing-library"}


def codes_of_the_engine() -> set[str]:
    found: set[str] = set()
    for crate in ("lookback", "index", "tags", "unread", "scan", "session-model"):
        text = (ROOT / "crates" / crate / "src/error.rs").read_text()
        for body in re.findall(r"pub fn code\(&self\) -> &'static str \{(.*?)\n    \}", text, re.S):
            found |= set(re.findall(r'=> "([a-z_-]+)"', body))
    return found


def test_every_code_of_the_engine_has_a_class():
    codes = codes_of_the_engine()
    assert len(codes) > 30
    assert codes | OWN == set(errors.BY_CODE), "codes and classes differ"


def test_classes_are_named_after_their_codes():
    for code, member in errors.BY_CODE.items():
        assert member.__name__ == "".join(part.title() for part in re.split("[-_]", code)) + "Error"
        assert member.code == code
        assert issubclass(member, lookback.LookbackError)
        assert inspect.getdoc(member), code


def test_every_code_is_in_the_documentation():
    text = (ROOT / "docs/python.md").read_text()
    for code, member in errors.BY_CODE.items():
        assert f"| `{code}` | `{member.__name__}` |" in text, code


def test_errors_come_with_what_caused_them(folder, open_over):
    folder.mkdir(parents=True)
    (folder / "x").mkdir()
    with pytest.raises(errors.SessionNotFoundError) as raised:
        open_over(folder).session("nothing")
    assert raised.value.code == "session-not-found"
    assert "nothing" in str(raised.value)
    assert isinstance(raised.value, LookupError)


def test_a_cache_folder_of_others_is_left_alone(folder, tmp_path):
    write(folder, "s1", header("s1"), user("u", None, 1, "heliotrope"))
    lb = lookback.open(sessions=folder, cache=tmp_path / "c", data=tmp_path / "d")
    lb.sync(progress=False)
    (index,) = (tmp_path / "c").iterdir()
    for path in sorted(index.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (index / "letter.txt").write_text("mine")
    lb = lookback.open(sessions=folder, cache=tmp_path / "c", data=tmp_path / "d")
    with pytest.raises(errors.ForeignFolderError):
        lb.sync(progress=False)
    # Without an index the files are searched, and the answer says so.
    hits = lb.search("heliotrope")
    assert (len(hits), hits.source) == (1, "files")
    assert "the files were searched" in repr(hits)
    assert (index / "letter.txt").read_text() == "mine"


def test_paths_that_are_no_text_are_refused():
    with pytest.raises(errors.BadRequestError):
        lookback.open(sessions="a\udcffb")
    with pytest.raises(errors.BadRequestError):
        lookback.open(sessions=[])
