"""Hints: the signed requests to a webhook that say that new events are waiting."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import StoaError

#: How much the clocks of service and receiver may differ, in seconds.
CLOCK_SKEW_SECONDS = 300
HINT_MEMBERS = {
    "webhook.verify": ("hookId", "challenge"),
    "events.available": ("hookId", "deliveryId", "createdAt"),
}


class HintError(StoaError):
    """
    A request does not come from the service: answer it with 401 and ignore it. `reason` is
    missing_header, stale, wrong_signature or malformed.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def get_header(headers: Mapping[str, str], name: str) -> str:
    """Returns a header by its name in lower case. Errors: HintError."""
    for key, value in headers.items():
        if key.lower() == name and value:
            return value
    raise HintError("missing_header", f"The header {name} is missing.")


def parse_secret(secret: str) -> bytes:
    """Parses a secret: with an invalid one, every signature would be wrong without a reason."""
    if not re.fullmatch("[0-9a-f]{64}", secret):
        raise ValueError("The secret of a webhook must have 64 lowercase hex digits.")
    return bytes.fromhex(secret)


def parse_hint(body: bytes) -> Dict[str, Any]:
    """Parses a body. Errors: HintError."""
    try:
        hint = json.loads(body)
    except (ValueError, RecursionError):
        raise HintError("malformed", "The body is not JSON.") from None
    members = HINT_MEMBERS.get(str(hint.get("type"))) if isinstance(hint, dict) else None
    if members is None or not all(isinstance(hint.get(name), str) for name in members):
        raise HintError("malformed", "The body is neither a challenge nor a hint.")
    return hint


def verify_hint(
    raw_body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: str,
    now: Optional[float] = None,
    skew_seconds: float = CLOCK_SKEW_SECONDS,
) -> Dict[str, Any]:
    """
    Verifies that a request was signed with the secret and is not a replay of an old one, and
    returns the hint. `raw_body` is the body exactly as it arrived, before any parsing; `now` is in
    seconds since 1970. A hint of type `webhook.verify` wants `challenge_response` as an answer.
    Errors: HintError when the request must not be trusted; ValueError for an invalid secret.
    """
    key = parse_secret(secret)
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    timestamp = get_header(headers, "x-service-timestamp")
    signature = get_header(headers, "x-service-signature")
    expected = hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(signature.encode(), f"v1={expected}".encode()):
        raise HintError("wrong_signature", "The signature does not match the body.")
    at = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(at - int(timestamp)) > skew_seconds:
        raise HintError("stale", "The request is too old, or from the future.")
    return parse_hint(body)


def challenge_response(challenge: str, secret: str) -> str:
    """
    Computes the header X-Service-Challenge-Response that answers a challenge.
    Errors: ValueError for an invalid secret.
    """
    proof = hmac.new(parse_secret(secret), f"verify.{challenge}".encode(), hashlib.sha256)
    return proof.hexdigest()
