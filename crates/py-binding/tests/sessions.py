"""Writes session files for tests, as Pi does or as it never would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: The repository.
ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "tests/data/cases"
PI_SESSIONS = ROOT / "tests/data/pi-sessions"
EXAMPLES = ROOT / "examples/sessions"

USAGE = {
    "input": 100,
    "output": 20,
    "cacheRead": 30,
    "cacheWrite": 5,
    "totalTokens": 155,
    "cost": {"input": 0.1, "output": 0.2, "cacheRead": 0.01, "cacheWrite": 0.02, "total": 0.33},
}


def at(second: int) -> str:
    """A time on a day in March."""
    return f"2026-03-02T09:{second // 60:02}:{second % 60:02}.000Z"


def header(id: str, *, second: int = 0, cwd: str = "/home/dev/app", **more: Any) -> dict[str, Any]:
    return {"type": "session", "version": 3, "id": id, "timestamp": at(second), "cwd": cwd, **more}


def message(id: str, parent: str | None, second: int, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": id,
        "parentId": parent,
        "timestamp": at(second),
        "message": {"role": role, "content": content, "timestamp": 1772442000000 + second * 1000, **more},
    }


def user(id: str, parent: str | None, second: int, text: str) -> dict[str, Any]:
    return message(id, parent, second, "user", text)


def assistant(id: str, parent: str | None, second: int, text: str, *calls: dict[str, Any], **more: Any) -> Any:
    known = {"provider": "acme", "model": "m1", "stopReason": "stop", "usage": USAGE, **more}
    return message(id, parent, second, "assistant", [{"type": "text", "text": text}, *calls], **known)


def call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}


def result(id: str, parent: str, second: int, call: str, name: str, *, error: bool = False) -> dict[str, Any]:
    content = [{"type": "text", "text": "output"}]
    return message(id, parent, second, "toolResult", content, toolCallId=call, toolName=name, isError=error)


def line(record: Any) -> bytes:
    text = record if isinstance(record, str | bytes) else json.dumps(record)
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def write(folder: Path, name: str, *records: Any) -> Path:
    """A session file of these records; strings and bytes are lines as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"2026-03-02T09-00-00-000Z_{name}.jsonl"
    path.write_bytes(b"".join(line(record) + b"\n" for record in records))
    return path
