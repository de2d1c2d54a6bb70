#!/usr/bin/env python3
"""A reviewer that is woken by signed hints, with Python's standard library alone (3.9 or newer).

    HANDLE=ben LEAD=lead HOOK_URL=https://ben.example.org/stoa PORT=8443 python3 reviewer.py

HOOK_URL is the public address of this program. It listens on loopback, for a proxy that has the
certificate and port 443; with TLS_CERT and TLS_KEY (files) it uses TLS itself. Without HOOK_URL it
asks for work and waits for the answer instead.

It may be killed at any moment and started again. Which request it was working on, the service
knows, and a hint only wakes: so neither a cursor nor a list of hints is kept here.
"""

import contextlib
import hashlib
import hmac
import http.server
import json
import os
import re
import ssl
import threading
import time
import urllib.error
import urllib.request
import uuid

STOA_URL = os.environ.get("STOA_URL", "http://127.0.0.1:8080")
HANDLE = os.environ["HANDLE"]
LEAD = os.environ["LEAD"]
KEY_FILE = os.environ.get("KEY_FILE", f"{HANDLE}.key")
HOOK_URL = os.environ.get("HOOK_URL")
LEASE_SECONDS = int(os.environ.get("LEASE_SECONDS", "60"))
MAX_LISTED = 200
REVIEW_SECONDS = float(os.environ.get("REVIEW_SECONDS", "0"))
# A claim that runs out wakes only who had it. So everybody else looks again now and then.
LOOK_AGAIN_SECONDS = 20


CONTROLS = "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"


def say(line):
    """Prints a line. What others wrote in it must not move the cursor of a terminal."""
    shown = re.sub(CONTROLS, lambda one: f"\\u{ord(one[0]):04x}", line)
    print(f"{HANDLE}: {shown}", flush=True)


# Calls


class Refused(Exception):
    def __init__(self, problem):
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.code = problem.get("code")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)
api_key = None


def read_problem(error):
    """Reads why a call was refused. A proxy answers with something else than JSON."""
    try:
        return dict(json.loads(error.read(65536)))
    except (OSError, ValueError, TypeError, RecursionError):
        return {"code": f"HTTP {error.code}", "detail": "there is no problem document"}


def call(method, path, body=None, key=None):
    """Calls the service until it answers. The idempotency key makes it harmless to repeat a call."""
    headers = {"Idempotency-Key": key or str(uuid.uuid4())} if method != "GET" else {}
    if api_key:
        headers["X-API-Key"] = api_key
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{STOA_URL}/api/v1{path}", data, headers, method=method)
    for attempt in range(8):
        wait = 0.25 * 2**attempt
        try:
            with opener.open(request, timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            refused = Refused(read_problem(error))
            busy = error.code in (429, 502, 503, 504) or refused.code == "idempotency_in_progress"
            asked = error.headers.get("Retry-After", "")
            wait = max(wait, float(asked) if asked.isdigit() else 0)
            if not busy or wait > 60:
                raise refused from None
        except OSError as error:
            say(f"the service does not answer: {error}")
        time.sleep(wait)
    raise OSError("the service does not answer")


def save(text):
    """Writes the key file whole or not at all. Only its owner may read it."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(f"{KEY_FILE}.new")
    with os.fdopen(os.open(f"{KEY_FILE}.new", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(text)
    os.replace(f"{KEY_FILE}.new", KEY_FILE)


def open_agent():
    """Returns the agent's key. The first time it registers, as in agent.ts."""
    if not os.path.exists(KEY_FILE):
        save(str(uuid.uuid4()))
    with open(KEY_FILE) as file:
        kept = file.read().strip()
    if kept.startswith("stoa_"):
        return kept
    registered = call("POST", "/agents", {"handle": HANDLE}, kept)["apiKey"]
    save(registered)
    return registered


# Work


def review(file):
    """Reviews a file and returns the text of the answer: the same as review.ts."""
    findings = []
    before = ""
    for number, line in enumerate(file.split("\n"), 1):
        size = len(line.encode())
        if re.search("TODO|FIXME", line):
            findings.append(f"- line {number}: left to do")
        if size > 100:
            findings.append(f"- line {number}: {size} bytes")
        function = re.match(r" *(export )?(default )?(async )?function[* ]", line)
        if function and not re.search(r"\*/[ \t]*$|^[ \t]*//", before):
            findings.append(f"- line {number}: a function without a comment above it")
        before = line
    count = len(findings)
    # Of a file with thousands, an answer would be refused.
    if count > MAX_LISTED:
        findings[MAX_LISTED:] = [f"- and {count - MAX_LISTED} more"]
    return "\n".join([f"findings: {count}", *([""] if findings else []), *findings])


def read_request(body):
    """Returns the file that a request has: the lines between the fences."""
    return "\n".join(body.split("\n")[3:-1])


@contextlib.contextmanager
def renewed(message_id, fence):
    """Renews a claim for as long as the block runs."""
    done = threading.Event()

    def renew():
        while not done.wait(LEASE_SECONDS / 3):
            try:
                lease = {"fence": fence, "leaseSeconds": LEASE_SECONDS}
                call("PUT", f"/messages/{message_id}/claim", lease)
            except (Refused, OSError) as error:
                return say(f"not renewed: {error}")

    threading.Thread(target=renew, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def accept_invitations():
    """Joins the rooms to which the lead invites. Invitations of others are left alone."""
    for invitation in call("GET", "/me/invitations"):
        if invitation["inviterHandle"] == LEAD:
            call("POST", f"/invitations/{invitation['id']}/accept")


def take_request():
    """
    Returns what this agent holds already, because a process of it was killed or an answer was lost.
    Otherwise it takes the oldest open request; None if there is none.
    """
    wait = 0 if HOOK_URL else LOOK_AGAIN_SECONDS
    wanted = {"tag": "review", "leaseSeconds": LEASE_SECONDS, "wait": wait}
    held = call("GET", "/me/claims?limit=1") or call("POST", "/claims/next", wanted)
    return held[0] if held else None


def answer_request(held):
    """
    Answers a request. Answer and end of the claim are one act: if the claim ran out and somebody
    else has it, the answer is refused and nothing is posted.
    """
    message_id = held["messageId"]
    fence = held["claim"]["fence"]
    with renewed(message_id, fence):
        message = call("GET", f"/messages/{message_id}")
        time.sleep(REVIEW_SECONDS)
        answer = {
            "body": review(read_request(message["body"])),
            "answers": message_id,
            "fence": fence,
            "replyToId": message_id,
            "follow": False,
        }
        try:
            call("POST", f"/threads/{held['threadId']}/messages", answer, f"answer-{message_id}-{fence}")
            say(f"answered {message_id}")
        except Refused as error:
            if error.code != "state_conflict":
                raise
            say(f"lost {message_id}: {error}")


def work():
    """Answers requests until there is none."""
    accept_invitations()
    while held := take_request():
        answer_request(held)


# Waking

hinted = threading.Event()


class Hook(http.server.BaseHTTPRequestHandler):
    """Answers challenges, and takes each hint that has the right signature as a reason to look."""

    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > 16384:
            return self.reply(413)
        body = self.rfile.read(int(length))
        timestamp = self.headers.get("X-Service-Timestamp", "")
        expected = "v1=" + sign(timestamp.encode() + b"." + body)
        given = self.headers.get("X-Service-Signature", "")
        if not hmac.compare_digest(given.encode(), expected.encode()):
            return self.reply(401)
        if abs(time.time() - int(timestamp)) > 300:
            return self.reply(401)
        hint = json.loads(body)
        if hint["type"] == "webhook.verify":
            proof = sign(b"verify." + hint["challenge"].encode())
            return self.reply(200, {"X-Service-Challenge-Response": proof})
        hinted.set()
        say("woken by a hint")
        self.reply(200)

    def reply(self, status, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def secret():
    """The secret of the hook, made from the agent's key, so that it need not be kept."""
    return hmac.new(api_key.encode(), b"hook", hashlib.sha256)


def sign(text):
    return hmac.new(secret().digest(), text, hashlib.sha256).hexdigest()


def open_hook():
    """Listens for hints and asks for them. Configuring the same hook again changes nothing."""
    address = ("127.0.0.1", int(os.environ.get("PORT", "8443")))
    server = http.server.ThreadingHTTPServer(address, Hook)
    if "TLS_CERT" in os.environ:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.environ["TLS_CERT"], os.environ["TLS_KEY"])
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        hook = call("PUT", "/me/webhook", {"url": HOOK_URL, "secret": secret().hexdigest()})
        if hook["state"] != "active":
            call("POST", "/me/webhook/verify")
    except Refused as error:
        say(f"no hints, it only looks every {LOOK_AGAIN_SECONDS} seconds: {error}")


api_key = open_agent()
if HOOK_URL:
    open_hook()
while True:
    hinted.clear()
    try:
        work()
    except (Refused, OSError) as error:
        say(f"it goes on at the next waking: {error}")
        time.sleep(1)
    if HOOK_URL:
        hinted.wait(LOOK_AGAIN_SECONDS)
