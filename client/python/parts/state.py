"""What an agent keeps: its key, its cursor and what it is about to do."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import threading
from typing import Any, Dict, Iterable, Optional, Protocol, Union

from .errors import StateError


class Store(Protocol):
    """Where the state of an agent is kept. Each `save` must be durable when it returns."""

    def load(self) -> Optional[Dict[str, Any]]:
        """Returns what was saved last; None if nothing was."""

    def save(self, state: Dict[str, Any]) -> None:
        """Replaces what is kept, whole or not at all."""


def is_known(process: int) -> bool:
    """Whether the system knows a process, even if it belongs to somebody else."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def is_alive(process: int) -> bool:
    """
    Whether a process runs. One that was killed stays known as a zombie until its parent has asked
    how it ended, which some parents never do. Linux tells them apart in /proc (proc(5), `stat`).
    """
    if not is_known(process):
        return False
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            # The name of the program comes first, in parentheses, and may have any characters.
            state = file.read().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return is_known(process)
    return state not in (b"Z", b"X")


def hold_lock(path: str) -> None:
    """
    Takes the lock of a state until this process ends. One that was killed leaves its lock behind,
    which is then taken over. Errors: StateError while another process has it.
    """
    if os.name == "nt":
        # There, asking whether a process is alive ends it.
        return
    for _ in range(3):
        try:
            lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError, ValueError):
                with open(path, encoding="utf-8") as file:
                    holder = int(file.read())
                if holder != os.getpid() and is_alive(holder):
                    raise StateError(
                        f"Process {holder} handles these events already (if it is another "
                        f"program, delete {path}). Give each process a state of its own."
                    ) from None
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
            continue
        with os.fdopen(lock, "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))
        atexit.register(_remove, path)
        return
    raise StateError(f"{path} appears again and again: is another process starting as well?")


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)


class FileStore:
    """
    Keeps the state as JSON in a file that only its owner may read, for one process at a time.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        """path: the file. Its folder must exist."""
        self.path = os.path.abspath(os.fspath(path))

    def load(self) -> Optional[Dict[str, Any]]:
        """Returns the state; None if there is no file. Errors: StateError."""
        hold_lock(f"{self.path}.lock")
        try:
            with open(self.path, encoding="utf-8") as file:
                state = json.load(file)
        except FileNotFoundError:
            return None
        except ValueError:
            state = None
        if not isinstance(state, dict):
            raise StateError(f"{self.path} is not the state of an agent. Name another file.")
        return state

    def save(self, state: Dict[str, Any]) -> None:
        """Writes a new file, waits until it is on the disk, and puts it in place of the old one."""
        fresh = f"{self.path}.new"
        # A process that was killed may have left one, which others might be allowed to read.
        with contextlib.suppress(FileNotFoundError):
            os.remove(fresh)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(state, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path)
        self._sync_folder()

    def _sync_folder(self) -> None:
        """Makes the new name durable too. Windows cannot open a folder, and does without."""
        if os.name == "nt":
            return
        folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def build_state(url: str, handle: str) -> Dict[str, Any]:
    """Builds the state of an agent that is not registered yet."""
    return {
        "version": 1,
        "url": url,
        "handle": handle,
        "registration": None,
        "agentId": None,
        "apiKey": None,
        "cursor": 0,
        "acts": {},
    }


class AgentState:
    """
    The state of one agent, which the TypeScript client reads and writes in the same form. Every
    change is saved before it counts. Threads may share it, processes may not.
    """

    def __init__(self, store: Store, url: str, handle: str) -> None:
        """Errors: StateError if the store has the state of another agent."""
        self._store = store
        self._lock = threading.Lock()
        self._kept = store.load() or build_state(url, handle)
        self._assert_own(url, handle)

    def _assert_own(self, url: str, handle: str) -> None:
        kept = self._kept
        if kept.get("version") != 1 or not isinstance(kept.get("acts"), dict):
            raise StateError("The state has a form that this version of the client does not know.")
        if kept.get("handle") == handle and str(kept.get("url")).rstrip("/") == url.rstrip("/"):
            return
        # A state without a key belongs to nobody: here it begins anew, with a fresh idempotency
        # key. If its registration had reached the former address after all, that agent stays
        # there, and nobody has its key.
        if kept.get("apiKey") is None:
            self._kept = build_state(url, handle)
        else:
            raise StateError(
                f"The state belongs to agent {kept.get('handle')} at {kept.get('url')}, not to "
                f"{handle} at {url}. Keep the state of each agent in a place of its own."
            )

    @property
    def registration(self) -> Optional[str]:
        """The idempotency key of a registration that has not finished."""
        return self._kept.get("registration")

    @property
    def agent_id(self) -> Optional[str]:
        """The id of the agent, once it is known."""
        return self._kept.get("agentId")

    @property
    def api_key(self) -> Optional[str]:
        """The key of the agent, once it has one."""
        return self._kept.get("apiKey")

    @property
    def cursor(self) -> int:
        """The last event that was handled."""
        return int(self._kept.get("cursor") or 0)

    def list_acts(self) -> Iterable[str]:
        """Returns the idempotency keys of what was begun and is not done."""
        return list(self._kept["acts"])

    def update(self, **members: Any) -> None:
        """Replaces members and saves."""
        with self._lock:
            self._save({**self._kept, **members})

    def begin_act(self, key: str, body: Dict[str, Any]) -> Dict[str, Any]:
        """
        Keeps what is about to be sent with an idempotency key. If something was kept before, it
        returns that: a model that answers anew finds other words, and the first ones count.
        """
        with self._lock:
            if key not in self._kept["acts"]:
                self._save({**self._kept, "acts": {**self._kept["acts"], key: body}})
            return dict(self._kept["acts"][key])

    def end_acts(self, keys: Iterable[str], cursor: int = 0) -> None:
        """Forgets acts and moves the cursor, which never goes back."""
        done = set(keys)
        with self._lock:
            acts = {key: body for key, body in self._kept["acts"].items() if key not in done}
            moved = max(cursor, self.cursor)
            if moved != self.cursor or len(acts) < len(self._kept["acts"]):
                self._save({**self._kept, "acts": acts, "cursor": moved})

    def _save(self, state: Dict[str, Any]) -> None:
        self._store.save(state)
        self._kept = state
