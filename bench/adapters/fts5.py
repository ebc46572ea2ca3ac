"""SQLite's full-text search as an engine that is measured: python3 fts5.py build|serve|first SESSIONS CACHE [QUERY]

What most search tools for sessions are made of: one row for each message of user or assistant, any of the words, BM25, the
best message of each session, a snippet. It speaks the protocol of docs/benchmarks.md and needs Python alone.
"""

import json
import os
import pathlib
import re
import resource
import sqlite3
import sys
import time

SCHEMA = """
CREATE VIRTUAL TABLE message USING fts5(text, path UNINDEXED, entry UNINDEXED, tokenize = 'unicode61');
CREATE TABLE file (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER);
"""
SEARCH = """
SELECT path, entry, snippet(message, 0, '[', ']', '…', 32) FROM message WHERE message MATCH ? ORDER BY rank LIMIT ?
"""


def session_files(sessions):
    for folder, _, names in os.walk(sessions):
        for name in names:
            if name.endswith(".jsonl"):
                path = os.path.join(folder, name)
                stat = os.stat(path)
                yield path, stat.st_size, stat.st_mtime_ns


def messages(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            # A parse of every line would take several times as long, and tool results are most of them.
            if '"role":"user"' not in line[:400] and '"role":"assistant"' not in line[:400]:
                continue
            entry = json.loads(line)
            content = entry["message"]["content"]
            parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
            text = "\n".join(part for part in parts if part)
            if text:
                yield text, path, entry["id"]


def sync(database, sessions):
    known = {path: stamp for path, *stamp in database.execute("SELECT path, size, mtime FROM file")}
    changed = 0
    for path, *stamp in session_files(sessions):
        if known.get(path) == stamp:
            continue
        changed += 1
        if path in known:
            database.execute("DELETE FROM message WHERE path = ?", [path])
        database.executemany("INSERT INTO message VALUES (?, ?, ?)", messages(path))
        database.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", [path, *stamp])
    database.commit()
    return changed


def search(database, query, limit):
    """The best message of each session, as many sessions as asked for."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    if not words:
        return []
    found = {}
    wanted = limit * 4
    while True:
        rows = database.execute(SEARCH, [words, wanted]).fetchall()
        for path, entry, snippet in rows:
            found.setdefault(path, (path, entry, snippet))
        if len(found) >= limit or len(rows) < wanted:
            return list(found.values())[:limit]
        wanted *= 4


def open_index(cache):
    return sqlite3.connect(pathlib.Path(cache) / "index.sqlite")


def milliseconds(since):
    return (time.perf_counter() - since) * 1000


def answer(**members):
    print(json.dumps(members), flush=True)


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def serve(sessions, cache):
    started = time.perf_counter()
    database = open_index(cache)
    database.execute("SELECT count(*) FROM file").fetchone()
    answer(open_ms=milliseconds(started))
    for line in sys.stdin:
        request, *rest = line.split(maxsplit=2)
        started = time.perf_counter()
        if request == "sync":
            changed = sync(database, sessions)
            answer(ms=milliseconds(started), changed=changed)
        elif request == "query":
            hits = search(database, rest[1] if len(rest) > 1 else "", int(rest[0]))
            answer(ms=milliseconds(started), hits=len(hits))
        elif request == "memory":
            answer(peak_mib=peak_mib())
        else:
            answer(unsupported=request)


def main(order, sessions, cache, query=""):
    if order == "build":
        started = time.perf_counter()
        os.mkdir(cache)
        database = open_index(cache)
        database.executescript(SCHEMA)
        sync(database, sessions)
        answer(
            engine="SQLite FTS5",
            wall_ms=milliseconds(started),
            cpu_ms=time.process_time() * 1000,
            peak_mib=peak_mib(),
        )
    elif order == "serve":
        serve(sessions, cache)
    else:
        database = open_index(cache)
        sync(database, sessions)
        for hit in search(database, query, 10):
            print(*hit)


main(*sys.argv[1:])
