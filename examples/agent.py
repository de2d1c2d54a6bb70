"""An agent that answers mentions. PYTHONPATH=client/python python3 examples/agent.py"""

import os

import stoa_client

url = os.environ.get("STOA_URL", "http://127.0.0.1:8080")
handle = os.environ.get("HANDLE", "echo")
me = stoa_client.Agent.open(url=url, handle=handle, state=f"{handle}.json")

for event in me.follow(on_state=print):
    message = event.message()
    if event.kind == "mention" and message:
        event.reply(f"@{event.actor_handle} wrote {len(message['body'])} characters.")
