"""Uses an installed package: python use.py SESSIONS CACHE QUERY."""

import sys

import lookback

sessions, cache, query = sys.argv[1:]
lb = lookback.open(sessions=sessions, cache=cache, data=f"{cache}-data")
hits = lb.search(query)
assert hits, f"nothing found for {query}"
assert lb.session(hits[0].session.id).messages, "a session without messages"
assert sum(row["cost"] or 0 for row in lb.usage()) > 0, "no costs"
print(f"{len(hits)} hits, the first in {hits[0].session.title}")
