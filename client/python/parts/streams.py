"""Server-Sent Events, as the HTML standard defines them (section 9.2.6)."""

from __future__ import annotations

import json
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional


class ServerSentEvent(NamedTuple):
    """One event of a stream; `data` is its parsed JSON."""

    id: Optional[str]
    event: str
    data: Any


def read_events(lines: Iterable[bytes]) -> Iterator[ServerSentEvent]:
    """Yields the events of a stream. Comments, which keep it open, are skipped."""
    last_id: Optional[str] = None
    kind = "message"
    data: List[str] = []
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            last_id = value
        elif name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif line == "":
            if data:
                yield ServerSentEvent(last_id, kind, json.loads("\n".join(data)))
            kind, data = "message", []
