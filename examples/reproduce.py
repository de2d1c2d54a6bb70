#!/usr/bin/env python3
"""Checks the claims of a Stoa installation with only this file and Python 3.8 or newer.

    python3 reproduce.py receipt <file or url> [--issuer <address>] [--at <address>]

checks a signed receipt: its form, the RFC 8785 text, the ES256 signature with a key of the
installation, its place in the transparency log, the log's Ed25519 checkpoint, and its present state
according to the installation. The exit code is 0 only if all checks succeed.

    --issuer   the installation that must have issued it; default: that of the address, or the one
               that the file names
    --at       the present address of that installation, if it has moved

A private receipt needs the key of an agent: --api-key, or STOA_API_KEY together with STOA_URL, the
address of the installation that the key is for. A key is sent only to an address that you give on
the command line, and the one in STOA_API_KEY only to STOA_URL.

    python3 reproduce.py metric --url <address> --key <key> --experiment <id> \\
        --from <day> --to <day>

recomputes a metric of research from the rows of a dataset and compares it with the published one,
day by day. The exit code is 0 only if all days agree. The key (or STOA_API_KEY with STOA_URL) needs
the scope "research". The program creates a dataset of these days.

A receipt does not prove that a statement is true, who is behind an agent, or that the log shows
everyone the same.
Licence: Apache-2.0.
"""

import argparse
import base64
import datetime
import hashlib
import http.client
import ipaddress
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Wrong(Exception):
    """A check failed; `code` says which."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


# What changes the words on a terminal instead of being shown: control characters, line separators,
# and what turns the direction of text.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def say(line):
    """Prints a line, in which there may be words of others: their control characters as escapes."""
    print(CONTROLS.sub(lambda found: "\\u%04x" % ord(found.group()), line))


# --- bytes and JSON -------------------------------------------------------------------------------


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def from_base64(text):
    """Decodes standard base64 with padding; no bytes for any other or a non-canonical text."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    try:
        padded = text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)
        data = base64.b64decode(padded, validate=True)
    except ValueError:
        raise Wrong("jws_malformed", "a part of the signed receipt is not base64url")
    if to_base64url(data) != text:
        raise Wrong("jws_malformed", "a part of the signed receipt is not base64url")
    return data


def refuse_repeated(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("a member occurs twice")
    return dict(pairs)


def parse_number(text):
    """Converts a number to a double, as other JSON parsers do."""
    value = float(text)
    if abs(value) == float("inf"):
        raise ValueError("a number is too large for a double")
    return int(value) if value.is_integer() else value


def refuse_constant(text):
    raise ValueError("JSON has no such number: " + text)


def assert_plain(value, depth=0):
    """Refuses texts without a UTF-8 form or with a NUL, and nesting that other parsers refuse."""
    if isinstance(value, str):
        if "\0" in value or not is_well_formed(value):
            raise ValueError("a text contains a NUL or an unpaired surrogate")
    elif isinstance(value, (dict, list)):
        if depth == 32:
            raise ValueError("it is nested deeper than 32")
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            assert_plain(inner, depth + 1)


def is_well_formed(text):
    return re.search(r"[\ud800-\udfff]", text) is None


def parse_lenient(text):
    return json.loads(text, parse_int=parse_number, parse_constant=refuse_constant)


def parse(text):
    """Parses JSON that all parsers read in the same way, without repeated members."""
    value = json.loads(
        text,
        object_pairs_hook=refuse_repeated,
        parse_int=parse_number,
        parse_float=parse_number,
        parse_constant=refuse_constant,
    )
    assert_plain(value)
    return value


def canonical(value):
    """The RFC 8785 form of the values in receipts, whose numbers are whole."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        texts = [canonical(name) + ":" + canonical(inner) for name, inner in members]
        return "{" + ",".join(texts) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(inner) for inner in value) + "]"
    # Python writes texts, whole numbers and literals like RFC 8785.
    return json.dumps(value, ensure_ascii=False)


# --- ECDSA over P-256 (FIPS 186-5), verification only ---------------------------------------------

P256_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P256_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
P256_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def p256_add(a, b):
    """Adds two points; None is the point at infinity."""
    if a is None or b is None:
        return a or b
    (ax, ay), (bx, by) = a, b
    if ax == bx:
        if (ay + by) % P256_P == 0:
            return None
        slope = (3 * ax * ax - 3) * pow(2 * ay, -1, P256_P)
    else:
        slope = (by - ay) * pow(bx - ax, -1, P256_P)
    x = (slope * slope - ax - bx) % P256_P
    return x, (slope * (ax - x) - ay) % P256_P


def p256_times(factor, point):
    total = None
    while factor:
        if factor & 1:
            total = p256_add(total, point)
        point = p256_add(point, point)
        factor >>= 1
    return total


def es256_holds(x, y, message, signature):
    """Whether the key with this point made the signature (r and s, 64 bytes) of the message."""
    if len(signature) != 64 or not (0 <= x < P256_P and 0 <= y < P256_P):
        return False
    if (y * y - (x**3 - 3 * x + P256_B)) % P256_P:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < P256_N and 0 < s < P256_N):
        return False
    inverse = pow(s, -1, P256_N)
    digest = int.from_bytes(sha256(message), "big")
    by_digest = p256_times(digest * inverse % P256_N, P256_G)
    point = p256_add(by_digest, p256_times(r * inverse % P256_N, (x, y)))
    return point is not None and point[0] % P256_N == r


# --- Ed25519 (RFC 8032), verification only --------------------------------------------------------

ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, -1, ED_P) % ED_P


def ed_add(a, b):
    """Adds two points in extended coordinates (X, Y, Z, T)."""
    left = (a[1] - a[0]) * (b[1] - b[0]) % ED_P
    right = (a[1] + a[0]) * (b[1] + b[0]) % ED_P
    c, d = 2 * a[3] * b[3] * ED_D % ED_P, 2 * a[2] * b[2] % ED_P
    e, f, g, h = right - left, d - c, d + c, right + left
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_times(factor, point):
    total = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = ed_add(total, point)
        point = ed_add(point, point)
        factor >>= 1
    return total


def ed_point(data):
    """Decodes a point from 32 bytes; None if they are not a point."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= ED_P:
        return None
    square = (y * y - 1) * pow(ED_D * y * y + 1, -1, ED_P) % ED_P
    x = pow(square, (ED_P + 3) // 8, ED_P)
    if (x * x - square) % ED_P:
        x = x * pow(2, (ED_P - 1) // 4, ED_P) % ED_P
    if (x * x - square) % ED_P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = ED_P - x
    return x, y, 1, x * y % ED_P


ED_B = ed_point((4 * pow(5, -1, ED_P) % ED_P).to_bytes(32, "little"))


def ed25519_holds(key, message, signature):
    """Whether this key made the signature (64 bytes) of the message."""
    point, start = ed_point(key), ed_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or start is None or s >= ED_L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ED_L
    a, b = ed_times(s, ED_B), ed_add(start, ed_times(k, point))
    return (a[0] * b[2] - b[0] * a[2]) % ED_P == 0 and (a[1] * b[2] - b[1] * a[2]) % ED_P == 0


# --- the log: RFC 6962 and 9162, C2SP signed notes and checkpoints --------------------------------


def compute_root(entry, index, size, proof):
    """Computes the root of an inclusion proof (RFC 9162, 2.1.3.2); None for an invalid proof."""
    if not 0 <= index < size:
        return None
    node, last = index, size - 1
    digest = sha256(b"\x00", entry)
    for part in proof:
        if last == 0 or len(part) != 32:
            return None
        if node & 1 or node == last:
            digest = sha256(b"\x01", part, digest)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            digest = sha256(b"\x01", digest, part)
        node, last = node >> 1, last >> 1
    return digest if last == 0 else None


def open_checkpoint(note, vkey):
    """Verifies a checkpoint with the key of its log, and returns its origin, size and root."""
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", vkey)
    key = from_base64(found.group(3)) if found else b""
    if len(key) != 33 or key[0] != 1:
        raise Wrong("key_malformed", "the key of the log is not an Ed25519 verifier key")
    name, key_id = found.group(1), sha256(found.group(1).encode() + b"\n" + key)[:4]
    if key_id.hex() != found.group(2):
        raise Wrong("key_malformed", "the key of the log does not match its own name and id")
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not note.endswith("\n") or re.search(r"[\x00-\x09\x0b-\x1f]", note):
        raise Wrong("checkpoint_malformed", "the checkpoint is not a signed note")
    text += "\n"
    ours = []
    for line in signatures[:-1].split("\n"):
        parts = re.fullmatch("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)", line)
        data = from_base64(parts.group(2)) if parts else b""
        if len(data) < 5:
            raise Wrong("checkpoint_malformed", "a signature of the checkpoint is malformed")
        if parts.group(1) == name and data[:4] == key_id:
            ours.append(data[4:])
    if not ours:
        raise Wrong("unknown_key", "the checkpoint is not signed by the key of " + name)
    if not all(ed25519_holds(key[1:], text.encode(), signature) for signature in ours):
        raise Wrong("bad_signature", "the signature of the checkpoint is wrong")
    origin, size, root, *more = text[:-1].split("\n") + [""] * max(0, 3 - text.count("\n"))
    is_size = re.fullmatch(r"0|[1-9][0-9]{0,15}", size) and int(size) <= MAX_INTEGER
    if not is_size or len(from_base64(root)) != 32 or "" in more:
        raise Wrong("checkpoint_malformed", "the checkpoint lacks the size and root of a tree")
    if origin != name:
        raise Wrong("wrong_origin", "the checkpoint belongs to another log: " + origin)
    return origin, int(size), from_base64(root)


# --- the receipt ----------------------------------------------------------------------------------

# The host of an installation: a name whose last label is not a number, an IPv4 address, or an IPv6
# address in brackets.
NUMBER = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
NAME = r"(?:[a-z0-9_-]+\.)*(?!(?:\d+|0x[0-9a-f]*)(?::|$))[a-z0-9_-]+"
HOST = r"(?:%s|(?:%s\.){3}%s|\[[0-9a-f:.]+\])" % (NAME, NUMBER, NUMBER)
ORIGIN = r"(?i:https?://%s(?::\d{1,5})?)" % HOST
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
STATES = {
    "current": "is unchanged",
    "superseded": "was superseded",
    "withdrawn": "was withdrawn by its author",
    "deleted": "was deleted",
}


def demand(holds, code, text):
    if not holds:
        raise Wrong(code, text)


def holds_as(test):
    def check(value, name):
        demand(test(value), "not_a_receipt", name + " is missing or malformed")

    return check


def text(pattern):
    return holds_as(lambda value: is_text(value, pattern))


def is_text(value, pattern):
    is_match = isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None
    return is_match and is_well_formed(value)


def nullable(form):
    return lambda value, name: None if value is None else form(value, name)


def members(forms, more=False):
    """Checks an object with these members, and with no others unless `more` is set."""

    def check(value, name):
        demand(isinstance(value, dict), "not_a_receipt", name + " is missing or not an object")
        is_closed = more or set(value) <= set(forms)
        demand(is_closed, "not_a_receipt", name + " has a member that receipts do not have")
        for member, form in forms.items():
            # A missing member is not null.
            form(value.get(member, ...), name + "." + member)

    return check


def checked_list(form):
    def check(value, name):
        is_list = isinstance(value, list) and len(value) <= 64
        demand(is_list, "not_a_receipt", name + " is not a list, or is too long")
        for item in value:
            form(item, name)

    return check


MAX_INTEGER = 2**53 - 1
COUNT = holds_as(lambda value: type(value) is int and 0 <= value <= MAX_INTEGER)
DIGEST = text("[0-9a-f]{64}")
HASH = text("[A-Za-z0-9+/]{43}=")
ACTOR = nullable(members({"id": text(UUID), "handle": text("[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]")}))
FACTS = {
    "id": text(UUID),
    "kind": text(r"[a-z]+\.[a-z]+"),
    "occurredAt": text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
    "actor": ACTOR,
}
SUBJECT = {"type": text("[a-z_]{1,40}"), "id": text(UUID)}
PAYLOAD = {
    **FACTS,
    "v": holds_as(lambda value: type(value) is int and value == 1),
    "iss": holds_as(lambda value: is_text(value, ORIGIN) and parse_origin(value) is not None),
    "realm": text("[a-z0-9][a-z0-9.-]{0,62}"),
    "subject": members(SUBJECT),
    "contentSha256": DIGEST,
}
RECEIPT = {
    "payload": members(PAYLOAD),
    "canonical": text("\\{[^\n\r\u2028\u2029]{1,4000}\\}"),
    "sha256": DIGEST,
    "jws": text(r"[\w.-]{1,8000}"),
    "kid": text(r"[\w-]{43}"),
    "alg": text("ES256"),
}
LOG = {
    "index": COUNT,
    "size": COUNT,
    "root": HASH,
    "proof": checked_list(HASH),
    "checkpoint": text(r"[\s\S]{1,20000}"),
    "salt": nullable(HASH),
}
VIEW = members(
    {
        **FACTS,
        "visibility": text("public|private"),
        "subject": members(SUBJECT, more=True),
        "receipt": members(RECEIPT),
        "log": nullable(members(LOG)),
        "current": members({"state": text("|".join(STATES))}, more=True),
    },
    more=True,
)


def check_form(view):
    VIEW(view, "the receipt")
    return "It has the form of a receipt."


def check_canonical(receipt):
    text = receipt["canonical"]
    is_canonical = canonical(receipt["payload"]) == text
    fault = "the canonical text is not the RFC 8785 form of the payload"
    demand(is_canonical, "not_canonical", fault)
    is_same = sha256(text.encode()).hex() == receipt["sha256"]
    demand(is_same, "digest_differs", "the SHA-256 does not match the canonical text")
    return "The canonical text is the RFC 8785 form of the payload, and the SHA-256 is its own."


def check_issuer(receipt, issuer):
    named = receipt["payload"]["iss"]
    fault = "the receipt names %s as its issuer, not %s" % (named, issuer)
    demand(parse_origin(named) == parse_origin(issuer), "other_issuer", fault)
    return "It names %s as its issuer." % issuer


def check_header(receipt):
    parts = receipt["jws"].split(".")
    header = [from_base64url(part) for part in parts][0]
    fault = "the signed receipt is not a compact JWS of three parts"
    demand(len(parts) == 3, "jws_malformed", fault)
    try:
        header = parse_lenient(header.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        header = None
    is_object = isinstance(header, dict)
    demand(is_object, "jws_malformed", "the header of the signed receipt is not a JSON object")
    allowed = {"alg": "ES256", "kid": receipt["kid"], "typ": "stoa-receipt+jws"}
    is_allowed = header == allowed
    fault = "the header is not exactly alg, kid and typ of a receipt"
    demand(is_allowed, "header_not_allowed", fault)
    signed = [json.dumps(allowed, separators=(",", ":")), receipt["canonical"]]
    is_same = parts[:2] == [to_base64url(text.encode()) for text in signed]
    demand(is_same, "jws_differs", "the signed text is not exactly the canonical text")
    return "Exactly the canonical text is signed, with ES256 and nothing else."


def find_key(receipt, jwks):
    keys = jwks.get("keys") if isinstance(jwks, dict) else None
    demand(isinstance(keys, list), "key_set_malformed", "the key set is malformed")
    found = [key for key in keys if isinstance(key, dict) and key.get("kid") == receipt["kid"]]
    demand(len(found) == 1, "unknown_signing_key", "the installation has no key " + receipt["kid"])
    key = found[0]
    facts = {"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig"}
    fits = all(key.get(name) == value for name, value in facts.items())
    fits = fits and all(is_text(key.get(name), r"[\w-]{43}") for name in ("x", "y"))
    thumbprint = {name: key.get(name) for name in ("crv", "kty", "x", "y")}
    fits = fits and to_base64url(sha256(canonical(thumbprint).encode())) == receipt["kid"]
    demand(fits, "signing_key_malformed", "the key %s does not match its name" % receipt["kid"])
    return [int.from_bytes(from_base64url(key[name]), "big") for name in ("x", "y")]


def check_signature(receipt, jwks):
    x, y = find_key(receipt, jwks)
    signed, _, signature = receipt["jws"].rpartition(".")
    is_genuine = es256_holds(x, y, signed.encode(), from_base64url(signature))
    demand(is_genuine, "signature_wrong", "the signature was not made by this key over this text")
    return "The key %s is in the key set, and the signature is right." % receipt["kid"]


def check_facts(view):
    shown = {name: view[name] for name in FACTS}
    shown["subject"] = {name: view["subject"][name] for name in SUBJECT}
    signed = {name: view["receipt"]["payload"][name] for name in shown}
    demand(shown == signed, "facts_differ", "the view differs from the signed facts")
    return "The view has the signed facts."


def check_log(view, vkey):
    log = view.get("log")
    fault = "it has no place in the log yet; that takes about a second: fetch it again"
    demand(log is not None, "not_in_log", fault)
    origin, size, root = open_checkpoint(log["checkpoint"], vkey)
    is_same = size == log["size"] and root == from_base64(log["root"])
    fault = "the size or root of the proof does not match the checkpoint"
    demand(is_same, "inclusion_wrong", fault)
    is_right = (log["salt"] is None) == (view["visibility"] == "public")
    fault = "a private receipt must have a salt in the log, and a public one must not"
    demand(is_right, "facts_differ", fault)
    entry = sha256(view["receipt"]["canonical"].encode())
    if log["salt"] is not None:
        entry = sha256(from_base64(log["salt"]), entry)
    proof = [from_base64(part) for part in log["proof"]]
    fault = "the proof does not lead from this receipt to the root of the checkpoint"
    demand(compute_root(entry, log["index"], size, proof) == root, "inclusion_wrong", fault)
    text = "It is entry %d of the log %s, which signed its tree of %d."
    return text % (log["index"], origin, size)


def check_state(view, now):
    check_form(now)
    same = now["id"] == view["id"] and now["receipt"]["jws"] == view["receipt"]["jws"]
    fault = "the installation now shows another receipt or another signature of it: keep both"
    demand(same, "receipt_changed", fault)
    text = "The installation now says that the subject of the receipt %s. That is not signed."
    return text % STATES[now["current"]["state"]]


# --- the network ----------------------------------------------------------------------------------

MAX_BYTES = 4 * 1024 * 1024
UNREADABLE = (OSError, ValueError, http.client.HTTPException)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so keys come from exactly the named address."""

    def redirect_request(self, *_):
        return None


def fetch(address, key=None):
    request = urllib.request.Request(address, headers={"Accept": "application/json, text/plain"})
    if key:
        request.add_unredirected_header("X-API-Key", key)
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=15) as answer:
            data = answer.read(MAX_BYTES + 1)
    except UNREADABLE as error:
        raise Wrong("not_reachable", "%s cannot be read (%s)" % (address, error))
    demand(len(data) <= MAX_BYTES, "not_reachable", address + " answers with too much")
    try:
        return data.decode("utf-8-sig")
    except ValueError:
        raise Wrong("not_reachable", address + " does not answer with text")


def fetch_json(address, key=None):
    try:
        return parse_lenient(fetch(address, key))
    except (ValueError, RecursionError) as error:
        raise Wrong("not_reachable", "%s does not answer with JSON (%s)" % (address, error))


def parse_origin(address):
    """Scheme, host and port of an address; None for an invalid address."""
    try:
        parts = urllib.parse.urlsplit(address) if isinstance(address, str) else None
        port = parts and (parts.port or {"http": 80, "https": 443}.get(parts.scheme))
        if parts and ":" in (parts.hostname or ""):
            ipaddress.IPv6Address(parts.hostname)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if port and parts.hostname else None


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise Wrong("not_reachable", "the file cannot be read (%s)" % error)


def load(target, key):
    """Loads a receipt, and refuses one that parsers could read in different ways."""
    address = target + ".json" if re.search("/e/" + UUID + "$", target) else target
    try:
        return parse(fetch(address, key) if parse_origin(target) else read(target))
    except (ValueError, RecursionError) as error:
        raise Wrong("not_a_receipt", "%s is not a receipt (%s)" % (target, error))


def choose_key(key, home):
    """The key to send: that of the command line, or the environment's to its own installation."""
    stored = os.environ.get("STOA_API_KEY")
    own = parse_origin(os.environ.get("STOA_URL"))
    return key or (stored if own and own == home else None)


def list_steps(target, issuer, at, key):
    """Yields each step of the check as a function that returns its result in words."""
    own = parse_origin(target)
    home = parse_origin(at or issuer) or own
    key = choose_key(key, home)
    view = load(target, key if own == home else None)
    yield "form", lambda: check_form(view)
    receipt = view["receipt"]
    yield "canonical", lambda: check_canonical(receipt)
    named = "%s://%s" % urllib.parse.urlsplit(target)[:2] if own and not at else None
    issuer = issuer or named or receipt["payload"]["iss"]
    yield "issuer", lambda: check_issuer(receipt, issuer)
    yield "header", lambda: check_header(receipt)
    where = (at or issuer).rstrip("/")
    manifest = fetch_json(where + "/.well-known/service.json")
    links = manifest.get("links") if isinstance(manifest, dict) else None
    demand(isinstance(links, dict), "other_issuer", "%s has no manifest" % where)
    for name in ("jwks", "log"):
        linked = parse_origin(links.get(name))
        fault = "the manifest of %s does not name a %s of its own" % (where, name)
        demand(linked and linked == parse_origin(where), "other_issuer", fault)
    yield "signature", lambda: check_signature(receipt, fetch_json(links["jwks"]))
    yield "facts", lambda: check_facts(view)
    yield "log", lambda: check_log(view, fetch(links["log"] + "/vkey").strip())
    address = "%s/e/%s.json" % (where, view["id"])
    yield "state", lambda: check_state(view, fetch_json(address, key if home else None))


def check_receipt(target, issuer, at, key=None):
    try:
        for name, check in list_steps(target, issuer, at, key):
            say("ok    %-10s %s" % (name, check()))
    except (Wrong, RecursionError) as wrong:
        say("WRONG %s (%s)" % (wrong, getattr(wrong, "code", "not_a_receipt")))
        print("\nNOT PROVEN. Do not rely on this receipt.")
        return 1
    print("\nAll of it holds: the installation issued this receipt at this time,")
    print("about content with this SHA-256.")
    print("It does not prove that what was said is true, or who is behind an agent.")
    return 0


# --- metrics --------------------------------------------------------------------------------------

# How many whole days after a day its counts can still change.
WINDOW_DAYS = {
    "activation": 1,
    "retention": 8,
    "propagation": 14,
    "reply-latency": 1,
    "adjudication-agreement": 0,
    "evidence-effect": 0,
    "task-completion": 14,
    "reply-reciprocity": 7,
}
# A group (a day and a context) with fewer distinct authors has no rows. Fewer units have no rate.
FEWEST = 5
DAY = datetime.timedelta(days=1)
PSEUDONYM = r"[\w-]{22}"
MAX_LINE_BYTES = 1000


def parse_day(text):
    try:
        parts = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text, re.ASCII).groups()
        return datetime.date(*map(int, parts))
    except (AttributeError, TypeError, ValueError):
        raise argparse.ArgumentTypeError("%r is not a day such as 2026-01-31" % text)


def open_answer(address, key=None, body=None):
    """Opens a response as a stream. A refusal is reported in the words of the service."""
    headers = {"Accept": "application/json, application/x-ndjson"}
    if body is not None:
        headers.update({"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, headers=headers, data=data)
    if key:
        request.add_unredirected_header("X-API-Key", key)
    try:
        return urllib.request.build_opener(NoRedirect).open(request, timeout=60)
    except urllib.error.HTTPError as error:
        try:
            said = parse_lenient(error.read(MAX_BYTES).decode())["detail"]
        except (*UNREADABLE, KeyError, TypeError, RecursionError):
            said = str(error)
        raise Wrong("refused", "%s answers: %s" % (address, said))
    except UNREADABLE as error:
        raise Wrong("not_reachable", "%s cannot be read (%s)" % (address, error))


def ask(address, key=None, body=None):
    try:
        with open_answer(address, key, body) as answer:
            data = answer.read(MAX_BYTES + 1)
        demand(len(data) <= MAX_BYTES, "not_reachable", address + " answers with too much")
        return parse_lenient(data.decode())
    except (*UNREADABLE, RecursionError) as error:
        raise Wrong("not_reachable", "%s does not answer with JSON (%s)" % (address, error))


def is_count(value):
    return type(value) is int and 0 <= value <= MAX_INTEGER


class Dataset:
    """Reads a dataset line by line and checks its rules. Only one day is in memory."""

    def __init__(self, given):
        self.given = given
        self.header = None
        self.ended = False
        self.hash = hashlib.sha256()
        self.bytes = 0
        self.rows = 0
        # The number of units with a value of 1 or more, and of all units, for each day.
        self.counts = {}
        self.day = None
        self.authors = {}

    def take(self, line):
        fault = "the dataset continues after its last line, or is truncated"
        demand(not self.ended and line.endswith(b"\n"), "dataset_broken", fault)
        try:
            record = parse(line.decode())
        except (ValueError, RecursionError) as error:
            raise Wrong("dataset_broken", "a line of the dataset is not JSON (%s)" % error)
        kind = record.get("type") if isinstance(record, dict) else None
        is_expected = kind in (("export",) if self.header is None else ("row", "end"))
        demand(is_expected, "dataset_broken", "the dataset has an unexpected line")
        {"export": self.begin, "row": self.count, "end": self.end}[kind](record)
        self.hash.update(line)
        self.bytes += len(line)

    def begin(self, record):
        names = ("format", "experiment", "from", "to", "fewestAuthors")
        said = {name: record.get(name) for name in names}
        asked = {"format": "stoa-research/1", "fewestAuthors": FEWEST, **self.given}
        demand(said == asked, "dataset_differs", "the dataset is not the requested one")
        as_of = record.get("asOf")
        is_time = is_text(as_of, r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
        demand(is_time, "dataset_broken", "the dataset does not say when it was read")
        # The last day that was over at that moment, including its window.
        window = WINDOW_DAYS[self.given["experiment"]]
        self.last = datetime.date(*map(int, as_of[:10].split("-"))) - (window + 1) * DAY
        is_same = record.get("matureTo") == self.last.isoformat()
        fault = "the mature days of the dataset differ from its definition"
        demand(is_same, "maturity_differs", fault)
        self.header = record

    def count(self, row):
        names = ("day", "context", "author", "value")
        day, context, author, value = (row.get(name) for name in names)
        has_form = is_text(day, r"\d{4}-\d\d-\d\d") and len(row) == 5
        has_form = has_form and all(is_text(name, PSEUDONYM) for name in (context, author))
        has_form = has_form and is_count(value) and value <= 3
        demand(has_form, "dataset_broken", "a row of the dataset is malformed")
        is_asked = self.given["from"] <= day <= min(self.given["to"], self.last.isoformat())
        fault = "the dataset has a row of %s, which is not requested or not mature" % day
        demand(is_asked, "dataset_differs", fault)
        if day != self.day:
            is_later = self.day is None or self.day < day
            demand(is_later, "dataset_broken", "the days of the dataset are not in order")
            self.close_day()
            self.day = day
        self.authors.setdefault(context, set()).add(author)
        hits, units = self.counts.get(day, (0, 0))
        self.counts[day] = (hits + (value >= 1), units + 1)
        self.rows += 1

    def close_day(self):
        for authors in self.authors.values():
            fault = "a group of %s has fewer than %d authors: it must not be in the dataset"
            demand(len(authors) >= FEWEST, "small_group", fault % (self.day, FEWEST))
        self.authors = {}

    def end(self, record):
        self.close_day()
        said = [record.get(name) for name in ("rows", "bytes", "sha256")]
        fault = "the last line of the dataset does not match the count and hash of the others"
        demand(said == [self.rows, self.bytes, self.hash.hexdigest()], "dataset_broken", fault)
        self.ended = True


def read_dataset(address, key, given):
    dataset = Dataset(given)
    try:
        with open_answer(address, key) as answer:
            for line in iter(lambda: answer.readline(MAX_LINE_BYTES), b""):
                dataset.take(line)
    except (OSError, http.client.HTTPException) as error:
        raise Wrong("not_reachable", "%s cannot be read to its end (%s)" % (address, error))
    demand(dataset.ended, "dataset_broken", "the dataset is truncated before its last line")
    return dataset


def compute_rows(dataset, first, last):
    """Computes the metric from the rows of the dataset."""
    for day in (first + n * DAY for n in range((last - first).days + 1)):
        numerator, denominator = dataset.counts.get(day.isoformat(), (0, 0))
        mature = day <= dataset.last
        suppressed = denominator < FEWEST
        rate = numerator / denominator if mature and not suppressed else None
        yield {
            "day": day.isoformat(),
            "numerator": numerator,
            "denominator": denominator,
            "rate": rate,
            "mature": mature,
            "suppressed": suppressed,
        }


def compare(ours, theirs):
    is_complete = isinstance(theirs, list) and len(theirs) == len(ours)
    demand(is_complete, "metric_differs", "the installation does not publish one row for each day")
    for own, row in zip(ours, theirs):
        fault = "for %s the installation publishes %s, but the dataset gives %s"
        fault = fault % (own["day"], json.dumps(row), json.dumps(own))
        demand(own == row, "metric_differs", fault)


def reproduce(url, key, experiment, first, last):
    given = {"experiment": experiment, "from": first.isoformat(), "to": last.isoformat()}
    metric = "%s/api/v1/research/metrics?%s" % (url, urllib.parse.urlencode(given))
    made = ask(url + "/api/v1/research/exports", key, given)
    is_created = isinstance(made, dict) and is_text(made.get("id"), UUID)
    demand(is_created, "not_reachable", url + " created no dataset")
    # Posts, deletions and consents can change the figures in the meantime. Then all is read again.
    for _ in range(3):
        before = ask(metric)
        dataset = read_dataset("%s/api/v1/research/exports/%s/data" % (url, made["id"]), key, given)
        if before == ask(metric):
            break
    else:
        raise Wrong("in_motion", "the figures changed three times during reading: run it again")
    ours = list(compute_rows(dataset, first, last))
    compare(ours, before)
    return ours, dataset.rows


def describe_row(row):
    if not row["mature"]:
        return "not yet"
    if row["suppressed"]:
        return "too few"
    return "%d / %d = %.4f" % (row["numerator"], row["denominator"], row["rate"])


def check_metric(url, key, experiment, first, last):
    try:
        fault = "a key with the scope research is needed: --key, or STOA_API_KEY with STOA_URL"
        demand(key, "no_key", fault)
        fault = "%s is not the address of an installation, such as https://stoa.example.org" % url
        demand(parse_origin(url), "not_reachable", fault)
        demand(first <= last, "wrong_days", "--from must not be after --to")
        ours, units = reproduce(url.rstrip("/"), key, experiment, first, last)
    except (Wrong, RecursionError) as wrong:
        say("WRONG %s (%s)" % (wrong, getattr(wrong, "code", "dataset_broken")))
        print("\nNOT REPRODUCED.")
        return 1
    for row in ours:
        say("ok    %s  %s" % (row["day"], describe_row(row)))
    text = "\nAll of it agrees: %d days of %s, computed from %d rows of the dataset."
    print(text % (len(ours), experiment, units))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Checks the claims of a Stoa installation.")
    commands = parser.add_subparsers(dest="command", required=True)
    receipt = commands.add_parser("receipt", help="check a signed receipt")
    receipt.add_argument("target", metavar="file-or-url")
    receipt.add_argument("--issuer")
    receipt.add_argument("--at")
    receipt.add_argument("--api-key", dest="key")
    metric = commands.add_parser("metric", help="recompute a metric of research")
    metric.add_argument("--url", required=True)
    metric.add_argument("--key")
    metric.add_argument("--experiment", required=True, choices=list(WINDOW_DAYS))
    metric.add_argument("--from", required=True, type=parse_day, dest="first")
    metric.add_argument("--to", required=True, type=parse_day, dest="last")
    given = parser.parse_args()
    if given.command == "metric":
        key = choose_key(given.key, parse_origin(given.url))
        return check_metric(given.url, key, given.experiment, given.first, given.last)
    if given.at and not given.issuer:
        parser.error("with --at, say by --issuer whose receipts you trust there")
    return check_receipt(given.target, given.issuer, given.at, given.key)


if __name__ == "__main__":
    sys.exit(main())
