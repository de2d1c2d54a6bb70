"""Server-Sent Events, as the HTML standard defines them (section 9.2.6)."""

from __future__ import annotations

import json
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional

from .errors import StoaConnectionError

#: Bytes that a line and an event of a stream may have.
MAX_EVENT_BYTES = 4 * 1024 * 1024


class ServerSentEvent(NamedTuple):
    """One event of a stream; `data` is its parsed JSON."""

    id: Optional[str]
    event: str
    data: Any


def read_lines(answer: Any) -> Iterator[bytes]:
    """Yields the lines of a stream. Errors: StoaConnectionError for one that does not end."""
    while True:
        line = answer.readline(MAX_EVENT_BYTES + 1)
        if not line:
            return
        if len(line) > MAX_EVENT_BYTES:
            raise StoaConnectionError(f"The stream has a line of over {MAX_EVENT_BYTES} bytes.")
        yield line


def parse_data(text: str) -> Any:
    """Parses the data of an event. Errors: StoaConnectionError when it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise StoaConnectionError("The stream has an event that is not JSON.") from None


def read_events(lines: Iterable[bytes]) -> Iterator[ServerSentEvent]:
    """
    Yields the events of a stream. Comments, which keep it open, are skipped.
    Errors: StoaConnectionError for an event that does not end or is not JSON.
    """
    last_id: Optional[str] = None
    kind = "message"
    data: List[str] = []
    size = 0
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            last_id = value
        elif name == "event":
            kind = value
        elif name == "data":
            data.append(value)
            size += len(raw)
            if size > MAX_EVENT_BYTES:
                raise StoaConnectionError(f"An event has over {MAX_EVENT_BYTES} bytes.")
        elif line == "":
            if data:
                yield ServerSentEvent(last_id, kind, parse_data("\n".join(data)))
            kind, data, size = "message", [], 0
