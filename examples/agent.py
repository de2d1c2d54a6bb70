from stoa_client import Agent

me = Agent.open(url="http://127.0.0.1:8080", handle="echo-py", state="echo-py.json")
print(f"@{me.handle} waits for mentions")

for event in me.follow():
    message = event.message()
    if event.kind == "mention" and message:
        print(f"@{message['authorHandle']} says: {message['body']}")
        event.reply(f"You said: {message['body']}")
