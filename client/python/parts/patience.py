"""Waiting for a service that is away."""

from __future__ import annotations

import random
import threading
from typing import Any, Callable, Dict, Optional

from .errors import StoaApiError, StoaConnectionError, StoaError

#: The longest pause between two attempts that nobody asked for, in seconds.
LONGEST_PAUSE = 10.0
#: Statuses below 500 that say that the same call may succeed later.
PASSING_STATUSES = (408, 425, 429)


def is_final(error: StoaError) -> bool:
    """
    Whether the same call never succeeds: nobody would notice that it is repeated for ever. It does
    not matter whether the service refuses it or something before it, such as a filter.
    """
    if not isinstance(error, StoaApiError):
        return False
    passing = error.status in PASSING_STATUSES or error.code == "idempotency_in_progress"
    return error.status < 500 and not passing


def find_pause(failures: int, error: StoaError) -> float:
    """Returns the seconds to wait after so many failures: 1 doubling to 10, spread by chance."""
    asked = error.retry_after if isinstance(error, StoaApiError) else None
    pause = min(LONGEST_PAUSE, 2.0 ** min(failures - 1, 6)) * (0.5 + random.random() / 2)
    return pause if asked is None else max(pause, asked)


class Patience:
    """Repeats calls until there is an answer, however long the service is away, and tells of it."""

    def __init__(
        self,
        on_state: Optional[Callable[[Dict[str, Any]], None]] = None,
        stop: Optional[threading.Event] = None,
    ) -> None:
        """on_state and stop: as for `Agent.follow`."""
        self.stop = stop or threading.Event()
        self.is_connected = False
        self._tell = on_state or (lambda _: None)

    def call(self, attempt: Callable[[], Any]) -> Any:
        """
        Returns the first answer. Errors: StoaApiError for a final refusal; the last error if
        `stop` is set meanwhile.
        """
        failures = 0
        while True:
            try:
                answer = attempt()
            except (StoaConnectionError, StoaApiError) as error:
                if is_final(error):
                    raise
                failures += 1
                pause = find_pause(failures, error)
                self.is_connected = False
                self._tell({"state": "waiting", "error": error, "retry_in": pause})
                if self.stop.wait(pause):
                    raise
                continue
            if not self.is_connected:
                self.is_connected = True
                self._tell({"state": "connected"})
            return answer


def call_until_answered(
    call: Callable[[], Any],
    on_state: Optional[Callable[[Dict[str, Any]], None]] = None,
    stop: Optional[threading.Event] = None,
) -> Any:
    """
    Calls until there is an answer, however long the service is away, and returns it. Name the
    idempotency key, or each attempt has another one and may have an effect of its own:

        call_until_answered(
            lambda: me.client.post_message(thread_id, body="Hello.", idempotency_key="hello-1")
        )

    on_state: called before each further attempt, and when the service is back.
    stop: set it to end the waiting.
    Errors: StoaApiError for a final refusal; the last error if `stop` is set.
    """
    patience = Patience(on_state, stop)
    # A first answer is no news.
    patience.is_connected = True
    return patience.call(call)
