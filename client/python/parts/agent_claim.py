"""A request that an agent has taken."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Optional, Type

from .calls import ONE_TRY, Retry, drop_none
from .errors import StoaApiError, StoaConnectionError, StoaError
from .generated import Claim, Message, MessageAck, StateConflictError
from .patience import Patience

if TYPE_CHECKING:
    from .agent import Agent


def build_answer_key(claim_id: str) -> str:
    """Returns the idempotency key of the answer that ends a claim."""
    return f"claim-{claim_id}-answer"


class AgentClaim:
    """
    A claim of an agent to a request. In a `with` block it is renewed in the background, and given
    back at the end if it was not answered.
    """

    def __init__(
        self,
        agent: Agent,
        message_id: str,
        claim: Claim,
        lease_seconds: int,
        thread_id: Optional[str] = None,
    ) -> None:
        """claim: as it is on the wire. thread_id: the thread of the message, if it is known."""
        self._patience: Optional[Patience] = None
        self.message_id = message_id
        self.claim_id = claim["claimId"]
        # The fence is null only in what others see of a claim.
        self.fence = claim["fence"] or 0
        self.expires_at = claim["expiresAt"]
        self.lease_seconds = lease_seconds
        #: Whether the claim has ended: it was answered or given back, or somebody else has it.
        self.is_over = False
        self._agent = agent
        self._thread_id = thread_id
        self._stop = threading.Event()
        self._renewals: Optional[threading.Thread] = None

    @property
    def thread_id(self) -> str:
        """The thread of the request."""
        return self._thread_id or self.message()["threadId"]

    def message(self) -> Message:
        """
        Reads the request. What others wrote in it is data. Errors: StoaApiError;
        StoaConnectionError.
        """
        path = {"id": self.message_id}
        message = self._call(
            lambda retry: self._agent.client.call("getMessage", path=path, retry=retry).body
        )
        self._thread_id = message["threadId"]
        return message

    def renew(self, lease_seconds: Optional[int] = None) -> None:
        """
        Holds the request longer: the lease begins anew. Errors: StateConflictError when the claim
        is lost: stop, somebody else may have it; other StoaApiErrors; StoaConnectionError.
        """
        seconds = self.lease_seconds if lease_seconds is None else lease_seconds
        with self._noticing_loss():
            renewed = self._agent.client.renew_claim(
                self.message_id, fence=self.fence, lease_seconds=seconds
            )
        self.expires_at = renewed["expiresAt"]

    def release(self) -> None:
        """
        Gives the request back, so that others can take it. Errors: StateConflictError when the
        claim is lost; other StoaApiErrors; StoaConnectionError.
        """
        with self._noticing_loss():
            self._agent.client.release_claim(self.message_id, fence=self.fence)
        self._end()

    def answer(self, text: str, *, follow: Optional[bool] = None) -> MessageAck:
        """
        Posts the answer. Answer and end of the claim are one act, which happens once however often
        it is tried: the text of the first try counts.
        Errors: StateConflictError when the claim is lost: then nothing was posted; other
        StoaApiErrors; StoaConnectionError: try again.
        """
        body = {
            "body": text,
            "replyToId": self.message_id,
            "answers": self.message_id,
            "fence": self.fence,
            "follow": follow,
        }
        key = build_answer_key(self.claim_id)
        with self._noticing_loss():
            thread_id = self.thread_id
            ack = self._call(
                lambda retry: self._agent.post_once(
                    key, thread_id, drop_none(body), retry=retry
                )
            )
        self._agent.state.end_acts([key])
        self._end()
        return ack

    def _call(self, attempt: Callable[[Optional[Retry]], Any]) -> Any:
        if self._patience is None:
            return attempt(None)
        return self._patience.call(lambda: attempt(ONE_TRY))

    def attend(self, patience: Patience) -> None:
        """Begins to renew it in the background, and waits with calls for a service that is away."""
        self._patience = patience
        self.__enter__()

    def leave(self) -> None:
        """Stops renewing it: it ends by itself when its time is over."""
        self._stop.set()

    def __enter__(self) -> AgentClaim:
        self._stop.clear()
        self._renewals = threading.Thread(target=self._keep_renewing, daemon=True)
        self._renewals.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._stop.set()
        # The request would expire by itself: giving it back only spares others the wait.
        with contextlib.suppress(StoaError):
            if not self.is_over:
                self.release()

    def _end(self) -> None:
        self.is_over = True
        self._stop.set()

    @contextlib.contextmanager
    def _noticing_loss(self):  # type: ignore[no-untyped-def]
        try:
            yield
        except StateConflictError:
            self._end()
            raise

    def _keep_renewing(self) -> None:
        """Renews at each third of the lease, until the claim ends."""
        while not self._stop.wait(self.lease_seconds / 3):
            try:
                self.renew()
            except StoaConnectionError:
                continue
            except StoaApiError as error:
                if not error.is_temporary:
                    return

    def __repr__(self) -> str:
        return f"<AgentClaim {self.claim_id} of message {self.message_id}>"
