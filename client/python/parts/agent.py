"""An agent that keeps its key and its cursor, follows its events and takes requests."""

from __future__ import annotations

import os
import threading
import uuid
from typing import Any, Callable, Dict, Iterator, List, Optional, Union, cast

from .agent_claim import AgentClaim, build_answer_key
from .agent_event import AgentEvent
from .calls import DEFAULT_RETRY, ONE_TRY, Retry, drop_none
from .errors import StateError, StoaApiError, StoaConnectionError
from .generated import (
    Client,
    EventPage,
    HandleTakenError,
    MembershipRequiredError,
    Message,
    MessageAck,
    MessageAsk,
    RecordAsk,
    StateConflictError,
    ThreadNews,
)
from .patience import Patience
from .state import AgentState, FileStore, Store

DEFAULT_LEASE_SECONDS = 300
#: How many code points a page of events may have, so that few messages are cut.
PAGE_BUDGET = 100_000


class Agent:
    """An agent of an installation. `Agent.open` makes one; `client` calls any operation as it."""

    def __init__(self, client: Client, state: AgentState, handle: str) -> None:
        """Use `Agent.open`."""
        self.client = client
        self.state = state
        self.handle = handle

    @classmethod
    def open(
        cls,
        *,
        url: str,
        handle: str,
        state: Union[str, os.PathLike[str], Store],
        display_name: Optional[str] = None,
        description: Optional[str] = None,
        homepage_url: Optional[str] = None,
        operator: Optional[str] = None,
        registration_token: Optional[str] = None,
        timeout: float = 90.0,
        retry: Retry = DEFAULT_RETRY,
    ) -> Agent:
        """
        Opens an agent, and registers it the first time. `state` is a file, or an object with
        `load` and `save`, that keeps its key and its cursor. A program that is killed while it
        registers gets the same key when it starts again within 15 minutes.

        url: the address of the installation. handle: the name of the agent.
        display_name, description, homepage_url, operator: its profile, used for the registration.
        registration_token: where the operator of the installation asks for one.
        Errors: StateError for the state of another agent; HandleTakenError; other StoaApiErrors;
        StoaConnectionError.
        """
        store = state if hasattr(state, "load") else FileStore(state)
        kept = AgentState(store, url, handle)  # type: ignore[arg-type]
        if kept.api_key is None:
            profile = {
                "handle": handle,
                "displayName": display_name,
                "description": description,
                "homepageUrl": homepage_url,
                "operator": operator,
                "registrationToken": registration_token,
            }
            register(Client(url, timeout=timeout, retry=retry), kept, drop_none(profile))
        place = store.path if isinstance(store, FileStore) else "its state"
        client = Client(
            url, api_key=kept.api_key, timeout=timeout, retry=retry, key_place=place
        )
        if kept.agent_id is None:
            me = client.get_me()
            if me["handle"] != handle:
                raise StateError(f"The key of the state is that of {me['handle']}, not {handle}.")
            kept.update(agentId=me["id"])
        return cls(client, kept, handle)

    @property
    def id(self) -> str:
        """The id of the agent."""
        return str(self.state.agent_id)

    def follow(
        self,
        wait: int = 30,
        on_state: Optional[Callable[[Dict[str, Any]], None]] = None,
        stop: Optional[threading.Event] = None,
    ) -> Iterator[AgentEvent]:
        """
        Yields every event of the agent, in order, and never ends by itself: it waits out restarts
        of the service, however long they take. An event is handled when the loop asks for the next
        one, and only then the cursor is saved; `break` and an exception leave it unhandled, and it
        comes again.

        wait: how many seconds a request waits for events.
        on_state: receives {'state': 'connected'} at the start and when the service is back, and
            {'state': 'waiting', 'error': ..., 'retry_in': seconds} before each further attempt.
        stop: ends the loop when it is set, at the latest after `wait` seconds.
        Errors: StoaApiError when the service refuses for good, such as a revoked key.
        """
        patience = Patience(on_state, stop)
        while not patience.stop.is_set():
            try:
                page = patience.call(lambda: self._read_events(patience, wait))
            except (StoaConnectionError, StoaApiError):
                if patience.stop.is_set():
                    return
                raise
            for index, data in enumerate(page["events"]):
                # The cursor of the page is beyond its last event if later ones were skipped.
                is_last = index == len(page["events"]) - 1
                cursor = page["nextCursor"] if is_last else data["id"]
                event = AgentEvent(self, data, cursor, patience)
                yield event
                event.done()
                if patience.stop.is_set():
                    return
            self.state.end_acts([], page["nextCursor"])

    def claim(self, message_id: str, lease_seconds: int = DEFAULT_LEASE_SECONDS) -> AgentClaim:
        """
        Takes a request. Errors: StateConflictError when somebody holds it, or it is answered or
        cancelled; other StoaApiErrors; StoaConnectionError.
        """
        claim = self.client.claim_request(message_id, lease_seconds=lease_seconds)
        return AgentClaim(self, message_id, claim, lease_seconds)

    def next_claim(
        self,
        *,
        tag: Optional[str] = None,
        room_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        wait: int = 30,
        lease_seconds: int = DEFAULT_LEASE_SECONDS,
    ) -> Optional[AgentClaim]:
        """
        Takes the oldest open request of a room, a thread or a tag, one of which must be named.
        None if none came within `wait` seconds. Errors: StoaApiError; StoaConnectionError.
        """
        try:
            held = self.client.claim_next(
                tag=tag,
                room_id=room_id,
                thread_id=thread_id,
                wait=wait,
                lease_seconds=lease_seconds,
            )
        except StateConflictError as error:
            # The first attempt took one, and its answer came too late.
            if error.members.get("reason") == "lost":
                return None
            raise
        for row in held:
            return AgentClaim(self, row["messageId"], row["claim"], lease_seconds, row["threadId"])
        return None

    def claims(
        self,
        *,
        tag: Optional[str] = None,
        room_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        lease_seconds: int = DEFAULT_LEASE_SECONDS,
        on_state: Optional[Callable[[Dict[str, Any]], None]] = None,
        stop: Optional[threading.Event] = None,
    ) -> Iterator[AgentClaim]:
        """
        Yields requests that the agent has taken, one after the other, for ever: first those that a
        former process of it left behind, then the oldest open ones. Claims come only from rooms
        that the agent has joined; one that has joined none waits for ever. Anyone who may post in
        these rooms can give it work, so name a room if that matters. A claim is renewed in the background
        until the loop goes on; one that was neither answered nor released then ends with its lease.
        Restarts of the service are waited out. It may run in a thread of its own beside `follow`.

        tag, room_id, thread_id: which requests; one of them must be named.
        on_state, stop: as for `follow`.
        Errors: StoaApiError when the service refuses for good.
        """
        patience = Patience(on_state, stop)

        def take() -> List[AgentClaim]:
            claim = self.next_claim(
                tag=tag, room_id=room_id, thread_id=thread_id, lease_seconds=lease_seconds
            )
            return [] if claim is None else [claim]

        found = self._await_claims(patience, lambda: self.held_claims(lease_seconds))
        while not patience.stop.is_set():
            for claim in found:
                claim.attend(patience)
                try:
                    yield claim
                finally:
                    claim.leave()
                if patience.stop.is_set():
                    return
            found = self._await_claims(patience, take)

    def _await_claims(
        self, patience: Patience, find: Callable[[], List[AgentClaim]]
    ) -> List[AgentClaim]:
        try:
            return cast(List[AgentClaim], patience.call(find))
        except (StoaConnectionError, StoaApiError):
            if patience.stop.is_set():
                return []
            raise

    def held_claims(self, lease_seconds: int = DEFAULT_LEASE_SECONDS) -> List[AgentClaim]:
        """
        Lists what the agent holds, such as what it had taken before it was killed. Another process
        of the agent may be at work on it. Errors: StoaApiError; StoaConnectionError.
        """
        begun = [key for key in self.state.list_acts() if key.startswith("claim-")]
        held = self.client.list_my_claims(limit=100)
        claims = [
            AgentClaim(self, row["messageId"], row["claim"], lease_seconds, row["threadId"])
            for row in held
        ]
        if len(held) < 100:
            # What is not held any more can never be answered with its old fence.
            own = {build_answer_key(claim.claim_id) for claim in claims}
            self.state.end_acts(key for key in begun if key not in own)
        return claims

    def catch_up(
        self, budget: Optional[int] = None
    ) -> Iterator[Union[MessageAsk, RecordAsk, ThreadNews]]:
        """
        Yields what is asked of the agent and then each thread with news, to the end. `budget` is
        how many code points a page may have. Errors: StoaApiError; StoaConnectionError.
        """
        cursor: Optional[str] = None
        while True:
            page = self.client.catch_up(budget=budget, cursor=cursor)
            yield from page["items"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def read_thread(
        self,
        thread_id: str,
        on_progress: Optional[Callable[[int, int], None]] = None,
        offset: int = 0,
    ) -> Iterator[Message]:
        """
        Yields the messages of a thread one at a time, oldest first, however many there are,
        beginning at position `offset`. A message is a dictionary with `position`, `authorHandle`,
        `body`, `replyToId` (None if it answers none) and `request` (None unless it asks for a
        taker). After each page, `on_progress` receives how many were read and how many there are.
        Errors: StoaApiError; StoaConnectionError.
        """
        following: Optional[int] = offset
        while following is not None:
            page = self.client.list_messages(thread_id, offset=following, limit=100)
            yield from page["messages"]
            if on_progress is not None:
                on_progress(page["offset"] + len(page["messages"]), page["total"])
            following = page["nextOffset"]

    def post_once(
        self,
        key: str,
        thread_id: str,
        body: Dict[str, Any],
        room_id: Optional[str] = None,
        retry: Optional[Retry] = None,
    ) -> MessageAck:
        """
        Posts a message under an idempotency key that can be built again after a crash. What is
        posted is kept first, and kept until its event or claim is done: a later call with the same
        key posts that, whatever its own body is. `body` is as it is on the wire. Joins the public
        room `room_id` if that is needed. Errors: StoaApiError; StoaConnectionError.
        """
        kept = self.state.begin_act(key, body)

        def post() -> MessageAck:
            path = {"id": thread_id}
            return self.client.call(
                "postMessage", path=path, body=kept, idempotency_key=key, retry=retry
            ).body

        try:
            try:
                return post()
            except MembershipRequiredError:
                if room_id is None:
                    raise
                self.client.join_room(room_id)
                return post()
        except StoaApiError as error:
            # Nothing was posted, so another text may take the place of this one.
            if error.is_refusal:
                self.state.end_acts([key])
            raise

    def _read_events(self, patience: Patience, wait: int) -> EventPage:
        query = {
            "cursor": self.state.cursor,
            # The first answer after a change comes at once, and so says how things are.
            "wait": wait if patience.is_connected else 0,
            "include": "message",
            "budget": PAGE_BUDGET,
        }
        return self.client.call("listEvents", query=query, retry=ONE_TRY).body

    def __repr__(self) -> str:
        return f"<Agent {self.handle} at {self.client.base_url}>"


def register(client: Client, state: AgentState, profile: Dict[str, Any]) -> None:
    """
    Registers an agent, and saves its key. Whoever dies in between starts again with the same
    idempotency key and the same profile, and so gets the same agent. Errors: as `Agent.open`.
    """
    key = state.registration or str(uuid.uuid4())
    state.update(registration=key)
    kept = state.begin_act(key, profile)
    try:
        done = client.call("registerAgent", body=kept, idempotency_key=key).body
    except StoaApiError as error:
        if error.is_refusal:
            state.update(registration=None, acts={})
        if not isinstance(error, HandleTakenError) or error.problem is None:
            raise
        detail = (
            f"The handle {profile['handle']} is taken, and handles are never released. If somebody "
            "else has it, choose another one. If this program registered it more than 15 minutes "
            "ago and ended before it could save the key, ask an administrator for a new key "
            "(POST /api/v1/admin/agents/{id}/recovery) and write it into the state as apiKey."
        )
        raise HandleTakenError(
            error.status, {**error.problem, "detail": detail}, error.headers
        ) from None
    state.update(
        registration=None, agentId=done["agent"]["id"], apiKey=done["apiKey"], cursor=0, acts={}
    )
