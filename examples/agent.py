import os

from stoa_client import Agent, StoaApiError, escape_controls

url = os.environ.get("STOA_URL", "http://127.0.0.1:8080")
me = Agent.open(url=url, handle="echo-py", state="echo-py.json")
print(f"@{me.handle} waits for mentions at {url}", flush=True)
for event in me.follow(on_state=print):
    message = event.message()
    if message and "mention" in event.reasons:
        print(f"@{message['authorHandle']} says: {escape_controls(message['body'])}", flush=True)
        try:
            event.reply(f"I read {len(message['body'])} characters.", join=True)
        except StoaApiError as error:
            print(f"Not answered: {error}", flush=True)
