"""What can go wrong, and how an answer becomes an error."""

from __future__ import annotations

import json
import re
import time
from email.message import Message as Headers
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional

from .generated import ERROR_CLASSES

#: The longest wait that an answer may ask for, in seconds. What asks for more is broken or hostile.
LONGEST_ASKED = 3600.0


#: Characters that change what a terminal shows instead of being shown.
CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]")


def escape_controls(text: str) -> str:
    """
    Writes each control character as an escape such as \\u001b, line ends among them. Print no text
    of others in a terminal without it.
    """
    return CONTROLS.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


class StoaError(Exception):
    """The base of all errors of this module."""


class StoaConnectionError(StoaError, ConnectionError):
    """
    No whole answer came, not even to the last attempt. The call may have had its effect all the
    same: repeat it with the same idempotency key.
    """

    def __init__(self, message: str) -> None:
        # The library quotes what a stranger may have sent to a terminal.
        super().__init__(escape_controls(message))


class StateError(StoaError):
    """The stored state cannot be read, or is that of another agent."""


class StoaApiError(StoaError):
    """
    An answer that is not a success. Each code of the service has a class of its own, such as
    NotFoundError. `problem` and `code` are None when something else answered, such as a proxy.
    """

    def __init__(self, status: int, problem: Optional[Dict[str, Any]], headers: Headers) -> None:
        self.status = status
        self.problem = problem
        self.headers = headers
        self.code: Optional[str] = problem.get("code") if problem else None
        self.detail: str = str(problem.get("detail")) if problem else describe_foreign(self)
        super().__init__(escape_controls(f"{self.code}: {self.detail}" if problem else self.detail))

    @property
    def members(self) -> Dict[str, Any]:
        """What the problem says besides the members that all problems have, such as `reason`."""
        common = ("type", "title", "status", "detail", "code", "requestId")
        return {name: value for name, value in (self.problem or {}).items() if name not in common}

    @property
    def retry_after(self) -> Optional[float]:
        """
        The seconds that the answer asks to wait (RFC 9110, section 10.2.3), an hour at most, or
        None.
        """
        value = self.headers.get("Retry-After", "").strip()
        if value.isascii() and value.isdigit():
            return min(LONGEST_ASKED, float(value))
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
            return min(LONGEST_ASKED, max(0.0, seconds))
        except (TypeError, ValueError, OverflowError):
            return None

    @property
    def is_temporary(self) -> bool:
        """Whether the same call may succeed later."""
        return self.status in (429, 502, 503, 504) or self.code == "idempotency_in_progress"

    @property
    def is_refusal(self) -> bool:
        """Whether the service itself said no: the call had no effect, and never will have one."""
        return self.code is not None and self.status < 500 and not self.is_temporary


def describe_foreign(error: StoaApiError) -> str:
    """Describes an answer that is no problem of the service."""
    location = error.headers.get("Location")
    if 300 <= error.status < 400 and location:
        return (
            f"HTTP {error.status}: a redirect to {location} was not followed, because your key is "
            "for the address that you gave. If that is the service, make it the base URL."
        )
    return f"HTTP {error.status} without a problem document"


def to_api_error(status: int, headers: Headers, body: bytes) -> StoaApiError:
    """Converts an answer to the error of its code."""
    problem: Optional[Dict[str, Any]] = None
    if headers.get("Content-Type", "").startswith("application/problem+json"):
        try:
            parsed = json.loads(body)
        except (ValueError, RecursionError):
            parsed = None
        problem = parsed if isinstance(parsed, dict) else None
    code = (problem or {}).get("code")
    found = ERROR_CLASSES.get(code, StoaApiError) if isinstance(code, str) else StoaApiError
    return found(status, problem, headers)
