"""A bar that says how far a sync is."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Told files done, files in all, bytes done, bytes in all.
Told = Callable[[int, int, int, int], object]


@contextmanager
def reporting(progress: bool | Told) -> Iterator[Told | None]:
    """What the engine tells its progress to: a caller's function, a bar of tqdm, or nobody.

    The bar appears in terminals and notebooks, after half a second, where tqdm is installed.
    """
    if not isinstance(progress, bool):
        yield progress
        return
    bar = _bar() if progress else None
    if bar is None:
        yield None
        return

    def tell(files: int, all_files: int, done: int, total: int) -> None:
        bar.total = total
        bar.set_postfix_str(f"{files}/{all_files} files", refresh=False)
        bar.update(done - bar.n)

    try:
        yield tell
    finally:
        bar.close()


def _bar() -> Any:
    try:
        with warnings.catch_warnings():
            # tqdm warns where a notebook has no widgets; the bar is text then.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    # `disable=None` leaves the bar away where standard error is no terminal.
    return tqdm(
        desc="reading sessions",
        unit="B",
        unit_scale=True,
        leave=False,
        delay=0.5,
        disable=None,
        dynamic_ncols=True,
    )
