"""Threads, Ctrl+C and forks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sessions import EXAMPLES, header, user, write

#: Nothing here takes as long on any machine, unless something waits for ever.
LIMIT = 60


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of its own: signals and forks are not for the process of the tests."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_many_threads_use_one_object(family):
    family.sync(progress=False)

    def work(number):
        assert len(family.search("parser")) == 1
        assert family.messages().to_arrow().num_rows == 9
        family.tag("s1", f"tag{number}")
        return len(family.session("s2").messages)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(32), timeout=LIMIT)) == [5] * 32
    assert len(family.session("s1").tags) == 32


def test_a_table_is_read_in_a_thread_while_another_waits_for_it(family):
    """A consumer's own thread must not need the interpreter that the waiting one holds."""
    import pyarrow as pa

    reader = pa.RecordBatchReader.from_stream(family.messages())
    rows = []
    thread = threading.Thread(target=lambda: rows.append(reader.read_all().num_rows))
    thread.start()
    thread.join(LIMIT)
    assert rows == [9]


def test_other_threads_go_on_while_the_engine_works(folder, open_over):
    """Counts how far another thread comes during a sync: with the interpreter held, not at all."""
    text = "lorem ipsum dolor sit amet " * 40
    for number in range(60):
        write(folder, f"s{number}", header(f"s{number}"), *(user(f"u{at}", None, at, text) for at in range(200)))
    lb = open_over(folder)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    lb.sync(progress=False)
    took = time.monotonic() - start
    during = counted[0]
    stop.set()
    thread.join()
    assert during > took * 20


def test_progress_is_told_in_the_thread_of_the_caller(family):
    told = []
    family.sync(progress=lambda *numbers: told.append((threading.get_ident(), numbers)))
    assert all(thread == threading.get_ident() for thread, _ in told)
    if told:
        files, all_files, done, total = told[-1][1]
        assert files <= all_files
        assert done <= total


def test_what_a_progress_function_raises_ends_the_sync(folder, open_over):
    for number in range(120):
        write(
            folder,
            f"s{number}",
            header(f"s{number}"),
            *(user(f"u{at}", None, at, "x y z " * 99) for at in range(99)),
        )

    def tell(*_):
        raise ZeroDivisionError

    lb = open_over(folder)
    with pytest.raises(ZeroDivisionError):
        lb.sync(progress=tell)
    assert lb.sync(progress=False).state in ("updated", "unchanged")
    assert lb.status().index["sessions"] == 120


INTERRUPTED = """
    import os, signal, sys, threading, time
    import lookback
    lb = lookback.open(sessions=sys.argv[1], cache=sys.argv[2] + "/c", data=sys.argv[2] + "/d")
    WORK
    def press():
        time.sleep(0.4)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=press, daemon=True).start()
    begun = time.monotonic()
    try:
        while time.monotonic() < begun + 30:
            WORK
    except KeyboardInterrupt:
        print("interrupted")
    # What was interrupted is not broken.
    print(len(lb.search("lorem")) > 0, lb.sessions().to_arrow().num_rows)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT that a process can send itself")
@pytest.mark.parametrize(
    "work",
    [
        "lb.sync(progress=False, rebuild=True)",
        "lb.messages().to_arrow()",
        "lb.messages().to_polars()",
        "list(lb.messages())",
        "lb.search('lorem')",
        "lb.search('lorem', engine='scan')",
        "lb.unread(max_sessions=500)",
        "lb.export(sys.argv[2] + f'/e{time.monotonic()}')",
    ],
)
@pytest.mark.parametrize("entries", [3, 300])
def test_ctrl_c_is_heard(folder, tmp_path, work, entries):
    """However short a call is: with few entries, Ctrl+C mostly comes when all rows are read already."""
    for number in range(40):
        write(
            folder,
            f"s{number}",
            header(f"s{number}"),
            *(user(f"u{at}", None, at, "lorem ipsum" * 60) for at in range(entries)),
        )
    done = run(INTERRUPTED.replace("WORK", work), str(folder), str(tmp_path))
    assert done.stdout.split("\n")[:2] == ["interrupted", "True 40"], done


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_refused_and_a_fresh_one_is_not(tmp_path):
    """Said clearly: an object that was used before a fork does not hang in the child, it raises."""
    code = """
        import os, sys
        import lookback
        if os.fork() == 0:
            # Imported before the fork and first used behind it: that is fine.
            lb = lookback.open(sessions=sys.argv[1], cache=sys.argv[2] + "/c", data=sys.argv[2] + "/d")
            print("fresh", lb.sessions().to_arrow().num_rows > 5, flush=True)
            os._exit(0)
        os.wait()
        lb = lookback.open(sessions=sys.argv[1], cache=sys.argv[2] + "/c", data=sys.argv[2] + "/d")
        lb.search("parser")
        if os.fork() == 0:
            for ask in (lambda: lb.search("x"), lambda: lb.messages().to_arrow(), lambda: lookback.open(),
                        lambda: lb.sync(), lambda: lb.session("x"), lambda: lb.sessions().head()):
                try:
                    ask()
                    print("not refused")
                except lookback.errors.ForkedError as error:
                    print(error.code, flush=True)
            os._exit(0)
        os.wait()
        print("parent", len(lb.search("the")) > 0)
    """
    done = run(code, str(EXAMPLES), str(tmp_path))
    assert done.stdout.split("\n") == ["fresh True", *["forked"] * 6, "parent True", ""], done


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no such signal")
def test_handlers_of_other_signals_run_during_long_calls(folder, open_over):
    for number in range(50):
        write(
            folder,
            f"s{number}",
            header(f"s{number}"),
            *(user(f"u{at}", None, at, "x y z " * 99) for at in range(99)),
        )
    lb = open_over(folder)
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        lb.sync(progress=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert heard
