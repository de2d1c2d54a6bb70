"""How a call becomes a request, and how often it is repeated."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from email.message import Message as Headers
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from .connections import build_opener
from .errors import StoaApiError, StoaConnectionError, StoaError, to_api_error
from .files import FileToSend
from .generated import ROUTES, InvalidCredentialError
from .streams import ServerSentEvent, read_events, read_lines


class Route(NamedTuple):
    """How to call an operation."""

    method: str
    path: str
    kind: str = "call"
    #: Whether it takes the key of a guest context instead of that of an agent.
    is_for_guests: bool = False
    #: Whether its last parameter may have slashes.
    is_greedy: bool = False
    #: The parameters of its path that are UUIDs.
    ids: Tuple[str, ...] = ()


class Response(NamedTuple):
    """An answer with its status and headers. `body` is the parsed JSON, or bytes of content."""

    status: int
    headers: Headers
    body: Any


@dataclass(frozen=True)
class Retry:
    """
    How often and when to repeat a call: after a lost connection, too many calls, an overload, and
    when the first call has not finished. All attempts have the same idempotency key.
    """

    #: The most attempts, including the first one.
    tries: int = 5
    #: If the service asks for a longer wait, in seconds, the error is raised.
    max_wait: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    #: Returns a number from 0 to 1, which spreads the waits of many clients.
    random: Callable[[], float] = random.random

    def find_wait(self, attempts: int, error: StoaError) -> Optional[float]:
        """Returns the seconds until the next attempt; None if there is none."""
        refused = error if isinstance(error, StoaApiError) else None
        if attempts >= self.tries or (refused and not refused.is_temporary):
            return None
        asked = refused.retry_after if refused else None
        seconds = 0.25 * 2**attempts * (0.5 + self.random()) if asked is None else asked
        return seconds if seconds <= self.max_wait else None


DEFAULT_RETRY = Retry()
ONE_TRY = Retry(tries=1)
ACCEPTED = {"call": "application/json", "stream": "text/event-stream", "content": "*/*"}


#: Bytes that the answer of a call and a problem document may have.
MAX_ANSWER_BYTES = 32 * 1024 * 1024
MAX_PROBLEM_BYTES = 64 * 1024
#: Strings, lists, objects and commas that no answer of Stoa comes near. Memory grows with them.
MAX_ANSWER_PARTS = 1_000_000
#: Bytes of an answer that cannot have too many of them.
HARMLESS_BYTES = 1024 * 1024
#: Bytes that are read at once.
PIECE_BYTES = 64 * 1024


class AnswerTooLong(StoaConnectionError):
    """An answer has more bytes than any of its kind may have."""


def read_whole(answer: Any, limit: int, url: str) -> bytes:
    """
    Reads the body of an answer, which may be hostile or never end.
    Errors: AnswerTooLong; those of the connection.
    """
    pieces = []
    size = 0
    while True:
        piece = answer.read(PIECE_BYTES)
        if not piece:
            # Reading in pieces ends without an error where a connection was lost.
            missing = getattr(answer, "length", None)
            if missing:
                raise http.client.IncompleteRead(b"", missing)
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise AnswerTooLong(f"{url} answers with more than {limit} bytes.")


UUID_FORM = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def count_parts(json_text: str) -> int:
    """
    Counts the strings of a JSON text and, outside of them, its lists, objects and commas. It stops
    above MAX_ANSWER_PARTS, and may count one too many.
    """
    text = json_text.replace("\\\\", "").replace('\\"', "")
    parts = 0
    at = 0
    while parts <= MAX_ANSWER_PARTS:
        start = text.find('"', at)
        gap_end = len(text) if start < 0 else start
        parts += 1 + sum(text.count(mark, at, gap_end) for mark in (",", "[", "{"))
        at = text.find('"', start + 1) + 1
        if start < 0 or at == 0:
            break
    return parts


def parse_answer(raw: bytes) -> Any:
    """
    Parses the JSON of an answer, which may be hostile: 32 MiB of brackets are gigabytes of lists.
    Errors: ValueError; RecursionError.
    """
    text = raw.decode("utf-8")
    if len(raw) > HARMLESS_BYTES and count_parts(text) > MAX_ANSWER_PARTS:
        raise ValueError(f"The answer has over {MAX_ANSWER_PARTS} parts.")
    return json.loads(text)


def fill_path(route: Route, values: Mapping[str, Any]) -> str:
    """
    Fills the parameters of a path. `{service}` becomes the word `service`, which every
    installation accepts in place of its own name.
    Errors: ValueError for a value that would make it another address, and for an id that is no
    UUID. Ids often come from texts of others, and a word such as `current` would select another
    operation.
    """
    path = route.path.replace("{service}", "service")
    for name, value in values.items():
        text = str(value)
        parts = text.split("/") if route.is_greedy else [text]
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError(f"{name} must not be {text!r}: it would be another address.")
        if name in route.ids and not UUID_FORM.fullmatch(text):
            raise ValueError(f"{name} must be a UUID: another text could be another address.")
        path = path.replace(f"{{{name}}}", "/".join(quote(part, safe="") for part in parts))
    return path


def to_query_text(value: Any) -> str:
    """Formats a value of a query."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def drop_none(members: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the members that have a value: leaving one out and None are the same."""
    return {name: value for name, value in members.items() if value is not None}


class Caller:
    """Calls operations by name. Client has a method for each."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        admin_key: Optional[str] = None,
        context_key: Optional[str] = None,
        timeout: float = 90.0,
        retry: Retry = DEFAULT_RETRY,
        key_place: Optional[str] = None,
        max_content: int = 256 * 1024 * 1024,
    ) -> None:
        """
        base_url: the address of the installation, such as http://127.0.0.1:8080.
        api_key: the key of an agent.
        admin_key: the key of an administrator, sent with every call.
        context_key: the key of a guest context, sent only to the operations of guest contexts,
            which do not get the agent's key.
        timeout: the seconds without a byte after which a connection counts as lost, besides the
            time that a call is asked to wait.
        key_place: where the key of the agent is kept, such as a file. An error that refuses the
            key names it.
        max_content: the most bytes of a file or an export, which are kept in memory.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ValueError(f"{base_url!r} is not an address such as http://127.0.0.1:8080.")
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self.retry = retry
        self._api_key = api_key
        self._key_place = key_place
        self._max_content = max_content
        self._admin_key = admin_key
        self._context_key = context_key
        self._opener = build_opener()

    def call(
        self,
        operation: str,
        *,
        path: Mapping[str, Any] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        file: Optional[FileToSend] = None,
        idempotency_key: Optional[str] = None,
        headers: Mapping[str, Optional[str]] = {},
        retry: Optional[Retry] = None,
    ) -> Response:
        """
        Calls an operation by its name, such as "createThread", and returns status, headers and
        body. `headers` are sent besides those of the client, such as `If-None-Match`.
        Errors: StoaApiError; StoaConnectionError.
        """
        request = self._build_request(operation, path, query, body, file, idempotency_key, headers)
        waits = {**query, **(body if isinstance(body, dict) else {})}.get("wait") or 0
        is_json = ROUTES[operation].kind == "call"
        return self._repeat(lambda: self._attempt(request, self.timeout + waits, is_json), retry)

    def stream(
        self,
        operation: str,
        *,
        query: Mapping[str, Any] = {},
        headers: Mapping[str, Optional[str]] = {},
    ) -> Iterator[ServerSentEvent]:
        """
        Yields what a stream sends, until the service ends it.
        Errors: StoaApiError; StoaConnectionError when the connection is lost.
        """
        request = self._build_request(operation, {}, query, None, None, None, headers)
        answer = self._repeat(lambda: self._open(request, self.timeout), None)
        with answer:
            try:
                yield from read_events(read_lines(answer))
            except (OSError, http.client.HTTPException) as error:
                raise StoaConnectionError(f"The stream ended: {error}") from None

    def _build_request(
        self,
        operation: str,
        path: Mapping[str, Any],
        query: Mapping[str, Any],
        body: Any,
        file: Optional[FileToSend],
        idempotency_key: Optional[str],
        headers: Mapping[str, Optional[str]],
    ) -> urllib.request.Request:
        """Builds the request of all attempts of a call."""
        route = ROUTES[operation]
        given = {name: to_query_text(value) for name, value in drop_none(query).items()}
        search = f"?{urlencode(given, quote_via=quote)}" if given else ""
        sent: Dict[str, Optional[str]] = {
            "Accept": ACCEPTED[route.kind],
            "User-Agent": "stoa-client-python",
            "X-Admin-Key": self._admin_key,
            **(
                {"X-Context-Key": self._context_key}
                if route.is_for_guests
                else {"X-API-Key": self._api_key}
            ),
        }
        data: Optional[bytes] = None
        if route.method != "GET":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if file is not None:
            data, sent["Content-Type"] = file.to_form()
        elif body is not None:
            data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
            sent["Content-Type"] = "application/json"
        sent.update(headers)
        url = self.base_url + fill_path(route, path) + search
        return urllib.request.Request(url, data, drop_none(sent), method=route.method)

    def _open(self, request: urllib.request.Request, timeout: float) -> Any:
        """Sends a request. Errors: StoaApiError; StoaConnectionError."""
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as answer:
            try:
                with answer:
                    text = read_whole(answer, MAX_PROBLEM_BYTES, request.full_url)
            except AnswerTooLong:
                text = b""
            except (OSError, http.client.HTTPException) as error:
                raise StoaConnectionError(f"The answer broke off: {error}") from None
            raise self._explain_key(to_api_error(answer.code, answer.headers, text)) from None
        except urllib.error.URLError as error:
            # The message has all that the causes say: their tracebacks would only hide it.
            message = f"{self.base_url} does not answer: {error.reason}"
            raise StoaConnectionError(message) from None
        except (OSError, http.client.HTTPException) as error:
            message = f"{self.base_url} does not answer: {error or type(error).__name__}"
            raise StoaConnectionError(message) from None

    def _explain_key(self, error: StoaApiError) -> StoaApiError:
        """
        Says of a refused key where it is kept and what to do about it. Other errors stay as they
        are.
        """
        place = self._key_place
        if place is None or not isinstance(error, InvalidCredentialError) or not error.problem:
            return error
        detail = (
            f"The installation at {self.base_url} does not know the key in {place}: it was set up "
            f"anew, or the key was revoked. Delete {place} to register again; after a revocation, "
            "with another handle."
        )
        return InvalidCredentialError(
            error.status, {**error.problem, "detail": detail}, error.headers
        )

    def _attempt(self, request: urllib.request.Request, timeout: float, is_json: bool) -> Response:
        """Sends a request and reads the answer: a truncated one is repeated like a lost one."""
        with self._open(request, timeout) as answer:
            try:
                limit = MAX_ANSWER_BYTES if is_json else self._max_content
                raw = read_whole(answer, limit, request.full_url)
            except (OSError, http.client.HTTPException) as error:
                raise StoaConnectionError(f"The answer broke off: {error}") from None
            if not is_json:
                return Response(answer.status, answer.headers, raw)
            try:
                return Response(answer.status, answer.headers, parse_answer(raw))
            except (ValueError, RecursionError):
                raise StoaConnectionError(
                    f"{self.base_url} answered with something else than JSON: is it a Stoa?"
                ) from None

    def _repeat(self, attempt: Callable[[], Any], retry: Optional[Retry]) -> Any:
        """
        Repeats an attempt until it succeeds or fails for good. Errors: that of the last attempt.
        """
        rules = retry or self.retry
        attempts = 1
        while True:
            try:
                return attempt()
            except StoaError as error:
                seconds = rules.find_wait(attempts, error)
                if seconds is None:
                    raise
            rules.sleep(seconds)
            attempts += 1
