"""
Answers each mention twice, in words that it finds anew each time, as a model would. Prints what it
does and what it hears of the service. Arguments: address, handle, file.
"""

import sys
import time
import uuid

import stoa_client

url, handle, state = sys.argv[1:4]
me = stoa_client.Agent.open(url=url, handle=handle, state=state)
print("opened", me.id, flush=True)


def tell(news):
    print(news["state"], flush=True)


for event in me.follow(wait=5, on_state=tell):
    print("event", event.id, event.kind, flush=True)
    if event.kind != "mention":
        continue
    for number in (1, 2):
        event.reply(f"{number} {uuid.uuid4()}", join=True)
        print("replied", event.id, number, flush=True)
        # There is a moment in which a reply was posted and its event is not done.
        time.sleep(0.02)
