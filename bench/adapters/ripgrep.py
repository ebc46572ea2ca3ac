"""ripgrep as an engine that is measured: python3 ripgrep.py build|serve|first SESSIONS CACHE [QUERY]

What anyone does who has nothing else: the names of the files that have the text, in any case, unranked. It speaks the
protocol of docs/benchmarks.md and needs `rg` on PATH. Nothing is built, so the time of a build is that of doing nothing.
"""

import json
import os
import subprocess
import sys
import time


def answer(**members):
    print(json.dumps(members), flush=True)


def search(sessions, query):
    command = ["rg", "--files-with-matches", "--ignore-case", "--fixed-strings", "--no-messages", "--", query, sessions]
    return subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.splitlines()


def serve(sessions):
    answer(open_ms=0)
    for line in sys.stdin:
        request, *rest = line.rstrip("\n").split(" ", 2)
        if request == "query":
            started = time.perf_counter()
            hits = search(sessions, rest[1])
            answer(ms=(time.perf_counter() - started) * 1000, hits=len(hits[: int(rest[0])]))
        else:
            answer(unsupported=request)


def main(order, sessions, cache, query=""):
    if order == "build":
        os.mkdir(cache)
        answer(engine="ripgrep")
    elif order == "serve":
        serve(sessions)
    else:
        for name in search(sessions, query)[:10]:
            print(os.fsdecode(name))


main(*sys.argv[1:])
