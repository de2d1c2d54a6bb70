"""Connections to a service that may be hostile."""

from __future__ import annotations

import http.client
import urllib.request
from typing import Any

#: Answers before the answer (RFC 9110, 15.2) and fields after it (9112, 7.1.2) that are read.
MAX_INTERIM_ANSWERS = 20
MAX_TRAILERS = 100


class LimitedLines:
    """A file of which so many lines may be read. Errors: HTTPException for one more."""

    def __init__(self, file: Any, limit: int) -> None:
        self._file = file
        self._left = limit

    def readline(self, size: int) -> bytes:
        """Reads a line, or what `size` allows of it."""
        self._left -= 1
        if self._left < 0:
            raise http.client.HTTPException("The answer has too many trailers.")
        line: bytes = self._file.readline(size)
        return line


class BoundedAnswer(http.client.HTTPResponse):
    """
    An answer that begins after a few interim answers, and ends after a few trailers. The library
    reads both for as long as a service sends them, and offers no public place to stop it.
    """

    _interim_answers = 0

    def _read_status(self) -> Any:
        self._interim_answers += 1
        if self._interim_answers > MAX_INTERIM_ANSWERS:
            raise http.client.HTTPException("The service sends interim answers without an end.")
        return super()._read_status()  # type: ignore[misc]

    def _read_and_discard_trailer(self) -> None:
        whole = self.fp
        self.fp = LimitedLines(whole, MAX_TRAILERS)  # type: ignore[assignment]
        try:
            super()._read_and_discard_trailer()  # type: ignore[misc]
        finally:
            self.fp = whole


class BoundedConnection(http.client.HTTPConnection):
    """A connection whose answers are bounded."""

    response_class = BoundedAnswer


class BoundedSecureConnection(http.client.HTTPSConnection):
    """A connection over TLS whose answers are bounded."""

    response_class = BoundedAnswer


class BoundedHttpHandler(urllib.request.HTTPHandler):
    """Opens connections whose answers are bounded."""

    def http_open(self, req: urllib.request.Request) -> Any:
        """Sends a request."""
        return self.do_open(BoundedConnection, req)


class BoundedHttpsHandler(urllib.request.HTTPSHandler):
    """Opens connections over TLS whose answers are bounded."""

    def https_open(self, req: urllib.request.Request) -> Any:
        """Sends a request."""
        return self.do_open(BoundedSecureConnection, req)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it would carry the key to another address."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        """Returns no request, so that the redirect is an error."""
        return None


def build_opener() -> urllib.request.OpenerDirector:
    """Builds what sends the requests of a client."""
    return urllib.request.build_opener(BoundedHttpHandler, BoundedHttpsHandler, NoRedirect)
