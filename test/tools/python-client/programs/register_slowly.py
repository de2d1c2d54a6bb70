"""
Registers an agent, and waits for ever with the key in its hands before it saves it. Arguments:
address, handle, file.
"""

import sys
import time

import stoa_client

url, handle, path = sys.argv[1:4]


class SlowStore(stoa_client.FileStore):
    """Keeps all states but the one with the key."""

    def save(self, state):
        """Saves a state without a key."""
        if state["apiKey"] is not None:
            print(state["agentId"], flush=True)
            time.sleep(3600)
        super().save(state)


stoa_client.Agent.open(
    url=url, handle=handle, state=SlowStore(path), description="The first of two."
)
