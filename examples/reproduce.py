#!/usr/bin/env python3
"""Checks what a Stoa installation claims, from nothing but this file and Python 3.8 or newer.

    python3 reproduce.py receipt <file or url> [--issuer <address>] [--at <address>]

checks a signed receipt: its form, the RFC 8785 text, the ES256 signature with a key of the installation, its place in the
transparency log, the log's Ed25519 checkpoint, and what the installation says became of it. Ends with 0 only if all of it holds.

    --issuer   the installation that must have issued it; default: the one of the address, or the one that the file names
    --at       where that installation answers now, if it moved

A private receipt needs the key of an agent in STOA_API_KEY. It is sent only to an address that you give on the command line.

    python3 reproduce.py metric --url <address> --key <key> --experiment <id> --from <day> --to <day>

computes a metric of research again from the rows of a dataset, and compares it with what the installation publishes, day by day. Ends with 0 only if
all of it agrees. The key (also: STOA_API_KEY) needs the scope "research"; a dataset of those days is made for it.

What a receipt does not prove: that what was said is true, who stands behind an agent, or that the log shows everyone the same.
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
    """Something does not hold; `code` names it."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


# --- bytes and JSON -------------------------------------------------------------------------------------------------------------


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def from_base64(text):
    """The bytes of standard base64 with padding; none for any other text, also for one that stands for the same bytes as another."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    try:
        data = base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        raise Wrong("jws_malformed", "a part of the signed receipt is not base64url")
    if to_base64url(data) != text:
        raise Wrong("jws_malformed", "a part of the signed receipt is not base64url")
    return data


def refuse_double(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("a member stands twice")
    return dict(pairs)


def number(text):
    """A number as JSON has them everywhere: a double."""
    value = float(text)
    if abs(value) == float("inf"):
        raise ValueError("a number is beyond what a double can hold")
    return int(value) if value.is_integer() else value


def no_number(text):
    raise ValueError("there is no such number in JSON: " + text)


def assert_plain(value, depth=0):
    """No text that has no UTF-8 form, no NUL, no nesting that others would not read."""
    if isinstance(value, str):
        if "\0" in value or not is_well_formed(value):
            raise ValueError("a text has a NUL or an unpaired surrogate in it")
    elif isinstance(value, (dict, list)):
        if depth == 32:
            raise ValueError("it is nested deeper than 32")
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            assert_plain(inner, depth + 1)


def is_well_formed(text):
    return re.search(r"[\ud800-\udfff]", text) is None


def parse_lenient(text):
    return json.loads(text, parse_int=number, parse_constant=no_number)


def parse(text):
    """JSON that everyone reads alike, and no member of it twice."""
    value = json.loads(text, object_pairs_hook=refuse_double, parse_int=number, parse_float=number, parse_constant=no_number)
    assert_plain(value)
    return value


def canonical(value):
    """RFC 8785, for what stands in receipts: objects, lists, texts, whole numbers, null, true, false."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(inner) for name, inner in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(inner) for inner in value) + "]"
    # Python writes texts, whole numbers and literals as RFC 8785 does.
    return json.dumps(value, ensure_ascii=False)


# --- ECDSA over P-256 (FIPS 186-5), verification only -----------------------------------------------------------------------------

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
    """Whether a signature (r and s, 64 bytes) is one over the message by the key with this point."""
    if len(signature) != 64 or not (0 <= x < P256_P and 0 <= y < P256_P) or (y * y - (x**3 - 3 * x + P256_B)) % P256_P:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < P256_N and 0 < s < P256_N):
        return False
    inverse = pow(s, -1, P256_N)
    digest = int.from_bytes(sha256(message), "big")
    point = p256_add(p256_times(digest * inverse % P256_N, P256_G), p256_times(r * inverse % P256_N, (x, y)))
    return point is not None and point[0] % P256_N == r


# --- Ed25519 (RFC 8032), verification only ----------------------------------------------------------------------------------------

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
    """The point of 32 bytes, or None when they are none."""
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
    """Whether a signature of 64 bytes is one over the message by this key."""
    point, start = ed_point(key), ed_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or start is None or s >= ED_L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ED_L
    a, b = ed_times(s, ED_B), ed_add(start, ed_times(k, point))
    return (a[0] * b[2] - b[0] * a[2]) % ED_P == 0 and (a[1] * b[2] - b[1] * a[2]) % ED_P == 0


# --- the log: RFC 6962 and 9162, C2SP signed notes and checkpoints ----------------------------------------------------------------


def root_of(entry, index, size, proof):
    """The root to which a proof of inclusion leads (RFC 9162, 2.1.3.2); None when it leads nowhere."""
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
    """Origin, size and root of a checkpoint that the log with this key signed."""
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", vkey)
    key = from_base64(found.group(3)) if found else b""
    if len(key) != 33 or key[0] != 1:
        raise Wrong("key_malformed", "the key of the log is no Ed25519 verifier key")
    name, key_id = found.group(1), sha256(found.group(1).encode() + b"\n" + key)[:4]
    if key_id.hex() != found.group(2):
        raise Wrong("key_malformed", "the key of the log does not fit its own name and id")
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not note.endswith("\n") or re.search(r"[\x00-\x09\x0b-\x1f]", note):
        raise Wrong("checkpoint_malformed", "the checkpoint is no signed note")
    text += "\n"
    ours = []
    for line in signatures[:-1].split("\n"):
        parts = re.fullmatch("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)", line)
        data = from_base64(parts.group(2)) if parts else b""
        if len(data) < 5:
            raise Wrong("checkpoint_malformed", "a signature of the checkpoint is none")
        if parts.group(1) == name and data[:4] == key_id:
            ours.append(data[4:])
    if not ours:
        raise Wrong("unknown_key", "the checkpoint is not signed by the key of " + name)
    if not all(ed25519_holds(key[1:], text.encode(), signature) for signature in ours):
        raise Wrong("bad_signature", "the signature of the checkpoint is wrong")
    origin, size, root, *more = text[:-1].split("\n") + [""] * max(0, 3 - text.count("\n"))
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", size) or int(size) > MOST or len(from_base64(root)) != 32 or "" in more:
        raise Wrong("checkpoint_malformed", "the checkpoint does not say the size and the root of a tree")
    if origin != name:
        raise Wrong("wrong_origin", "the checkpoint is of another log: " + origin)
    return origin, int(size), from_base64(root)


# --- the receipt ------------------------------------------------------------------------------------------------------------------

# The address of an installation: a name whose last part is no number, four numbers, or an IPv6 address in brackets.
NUMBER = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
HOST = r"(?:(?:[a-z0-9_-]+\.)*(?!(?:\d+|0x[0-9a-f]*)(?::|$))[a-z0-9_-]+|(?:%s\.){3}%s|\[[0-9a-f:.]+\])" % (NUMBER, NUMBER)
ORIGIN = r"(?i:https?://%s(?::\d{1,5})?)" % HOST
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
BECAME = {
    "current": "stands as it was",
    "superseded": "was superseded",
    "withdrawn": "was withdrawn by its author",
    "deleted": "was deleted by an administrator",
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
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None and is_well_formed(value)


def nullable(form):
    return lambda value, name: None if value is None else form(value, name)


def members(forms, more=False):
    """An object with these members; unless there may be more, with no others."""

    def check(value, name):
        demand(isinstance(value, dict), "not_a_receipt", name + " is missing or no object")
        demand(more or set(value) <= set(forms), "not_a_receipt", name + " has a member that no receipt has")
        for member, form in forms.items():
            # What is absent is not null.
            form(value.get(member, ...), name + "." + member)

    return check


def list_of(form):
    def check(value, name):
        demand(isinstance(value, list) and len(value) <= 64, "not_a_receipt", name + " is no list, or one that is too long")
        for item in value:
            form(item, name)

    return check


MOST = 2**53 - 1
COUNT = holds_as(lambda value: type(value) is int and 0 <= value <= MOST)
DIGEST = text("[0-9a-f]{64}")
HASH = text("[A-Za-z0-9+/]{43}=")
ACTOR = nullable(members({"id": text(UUID), "handle": text("[a-z0-9][a-z0-9_-]{0,30}[a-z0-9]")}))
ACT = {
    "id": text(UUID),
    "kind": text(r"[a-z]+\.[a-z]+"),
    "occurredAt": text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
    "actor": ACTOR,
}
SUBJECT = {"type": text("[a-z_]{1,40}"), "id": text(UUID)}
PAYLOAD = {
    **ACT,
    "v": holds_as(lambda value: type(value) is int and value == 1),
    "iss": holds_as(lambda value: is_text(value, ORIGIN) and origin_of(value) is not None),
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
    "proof": list_of(HASH),
    "checkpoint": text(r"[\s\S]{1,20000}"),
    "salt": nullable(HASH),
}
VIEW = members(
    {
        **ACT,
        "visibility": text("public|private"),
        "subject": members(SUBJECT, more=True),
        "receipt": members(RECEIPT),
        "log": nullable(members(LOG)),
        "current": members({"state": text("|".join(BECAME))}, more=True),
    },
    more=True,
)


def check_form(view):
    VIEW(view, "the receipt")
    return "It has the form of a receipt."


def check_canonical(receipt):
    text = receipt["canonical"]
    demand(canonical(receipt["payload"]) == text, "not_canonical", "the canonical text is not the RFC 8785 form of the payload")
    demand(sha256(text.encode()).hex() == receipt["sha256"], "digest_differs", "the SHA-256 is not that of the canonical text")
    return "The canonical text is the RFC 8785 form of the payload, and the SHA-256 is its own."


def check_issuer(receipt, issuer):
    named = receipt["payload"]["iss"]
    demand(origin_of(named) == origin_of(issuer), "other_issuer", "the receipt names %s as its issuer, and not %s" % (named, issuer))
    return "It names %s as its issuer." % issuer


def check_header(receipt):
    parts = receipt["jws"].split(".")
    header = [from_base64url(part) for part in parts][0]
    demand(len(parts) == 3, "jws_malformed", "the signed receipt is no compact JWS of three parts")
    try:
        header = parse_lenient(header.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        header = None
    demand(isinstance(header, dict), "jws_malformed", "the header of the signed receipt is no JSON object")
    allowed = {"alg": "ES256", "kid": receipt["kid"], "typ": "stoa-receipt+jws"}
    demand(header == allowed, "header_not_allowed", "the header is not exactly alg, kid and typ of a receipt")
    signed = [to_base64url(json.dumps(allowed, separators=(",", ":")).encode()), to_base64url(receipt["canonical"].encode())]
    demand(parts[:2] == signed, "jws_differs", "what is signed is not exactly the canonical text")
    return "Exactly the canonical text is signed, with ES256 and nothing else."


def find_key(receipt, jwks):
    keys = jwks.get("keys") if isinstance(jwks, dict) else None
    demand(isinstance(keys, list), "key_set_malformed", "the key set is none")
    found = [key for key in keys if isinstance(key, dict) and key.get("kid") == receipt["kid"]]
    demand(len(found) == 1, "unknown_signing_key", "the installation has no key " + receipt["kid"])
    key = found[0]
    fits = (key.get("kty"), key.get("crv"), key.get("alg"), key.get("use")) == ("EC", "P-256", "ES256", "sig")
    fits = fits and all(is_text(key.get(name), r"[\w-]{43}") for name in ("x", "y"))
    thumbprint = {name: key.get(name) for name in ("crv", "kty", "x", "y")}
    fits = fits and to_base64url(sha256(canonical(thumbprint).encode())) == receipt["kid"]
    demand(fits, "signing_key_malformed", "the key %s is not what its name says" % receipt["kid"])
    return [int.from_bytes(from_base64url(key[name]), "big") for name in ("x", "y")]


def check_signature(receipt, jwks):
    x, y = find_key(receipt, jwks)
    signed, _, signature = receipt["jws"].rpartition(".")
    demand(es256_holds(x, y, signed.encode(), from_base64url(signature)), "signature_wrong", "the signature is not one of this key over this text")
    return "The key %s is in the key set, and the signature is right." % receipt["kid"]


def check_facts(view):
    shown = {**{name: view[name] for name in ACT}, "subject": {name: view["subject"][name] for name in SUBJECT}}
    signed = {name: view["receipt"]["payload"][name] for name in shown}
    demand(shown == signed, "facts_differ", "what stands beside the receipt is not what was signed")
    return "What stands beside the receipt is what was signed."


def check_log(view, vkey):
    log = view.get("log")
    demand(log is not None, "not_in_log", "it has no place in the log yet; that takes about a second: fetch it again")
    origin, size, root = open_checkpoint(log["checkpoint"], vkey)
    demand(size == log["size"] and root == from_base64(log["root"]), "inclusion_wrong", "size and root of the proof are not those of the checkpoint")
    demand((log["salt"] is None) == (view["visibility"] == "public"), "facts_differ", "a private receipt is in the log with a salt, a public one without")
    entry = sha256(view["receipt"]["canonical"].encode())
    if log["salt"] is not None:
        entry = sha256(from_base64(log["salt"]), entry)
    reached = root_of(entry, log["index"], size, [from_base64(part) for part in log["proof"]])
    demand(reached == root, "inclusion_wrong", "the proof does not lead from this receipt to the root of the checkpoint")
    return "It is entry %d of the log %s, which signed its tree of %d." % (log["index"], origin, size)


def check_state(view, now):
    check_form(now)
    same = now["id"] == view["id"] and now["receipt"]["jws"] == view["receipt"]["jws"]
    demand(same, "receipt_changed", "the installation shows another receipt of this act now: keep both")
    return "Asked now, the installation says that what it is about %s. That is not signed." % BECAME[now["current"]["state"]]


# --- the world --------------------------------------------------------------------------------------------------------------------

MOST_BYTES = 4 * 1024 * 1024


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Keys come from where they are said to be."""

    def redirect_request(self, *_):
        return None


def fetch(address, key=None):
    request = urllib.request.Request(address, headers={"Accept": "application/json, text/plain"})
    if key:
        request.add_unredirected_header("X-API-Key", key)
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=15) as answer:
            data = answer.read(MOST_BYTES + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Wrong("not_reachable", "%s cannot be read (%s)" % (address, error))
    demand(len(data) <= MOST_BYTES, "not_reachable", address + " answers with too much")
    try:
        return data.decode("utf-8-sig")
    except ValueError:
        raise Wrong("not_reachable", address + " answers with something else than text")


def fetch_json(address, key=None):
    try:
        return parse_lenient(fetch(address, key))
    except (ValueError, RecursionError) as error:
        raise Wrong("not_reachable", "%s answers with something else than JSON (%s)" % (address, error))


def origin_of(address):
    """Scheme, host and port of an address, as all addresses of one installation have them; None for what is none."""
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
            return file.read(MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise Wrong("not_reachable", "the file cannot be read (%s)" % error)


def load(target, key):
    """The receipt, refused where two readers could read it in two ways."""
    address = target + ".json" if re.search("/e/" + UUID + "$", target) else target
    try:
        return parse(fetch(address, key) if origin_of(target) else read(target))
    except (ValueError, RecursionError) as error:
        raise Wrong("not_a_receipt", "%s is no receipt (%s)" % (target, error))


def steps_of(target, issuer, at, key):
    """Each step of the check, with what it says when it holds."""
    own = origin_of(target)
    home = origin_of(at or issuer) or own
    view = load(target, key if own == home else None)
    yield "form", lambda: check_form(view)
    receipt = view["receipt"]
    yield "canonical", lambda: check_canonical(receipt)
    issuer = issuer or ("%s://%s" % urllib.parse.urlsplit(target)[:2] if own and not at else receipt["payload"]["iss"])
    yield "issuer", lambda: check_issuer(receipt, issuer)
    yield "header", lambda: check_header(receipt)
    where = (at or issuer).rstrip("/")
    manifest = fetch_json(where + "/.well-known/service.json")
    links = manifest.get("links") if isinstance(manifest, dict) else None
    demand(isinstance(links, dict), "other_issuer", "%s has no manifest" % where)
    for name in ("jwks", "log"):
        demand(origin_of(links.get(name)) and origin_of(links[name]) == origin_of(where), "other_issuer", "the manifest of %s names no %s of its own" % (where, name))
    yield "signature", lambda: check_signature(receipt, fetch_json(links["jwks"]))
    yield "facts", lambda: check_facts(view)
    yield "log", lambda: check_log(view, fetch(links["log"] + "/vkey").strip())
    yield "state", lambda: check_state(view, fetch_json("%s/e/%s.json" % (where, view["id"]), key if home else None))


def check_receipt(target, issuer, at):
    try:
        for name, check in steps_of(target, issuer, at, os.environ.get("STOA_API_KEY")):
            print("ok    %-10s %s" % (name, check()))
    except (Wrong, RecursionError) as wrong:
        print("WRONG %s (%s)\n\nNOT PROVEN. Do not rely on this receipt." % (wrong, getattr(wrong, "code", "not_a_receipt")))
        return 1
    print("\nAll of it holds: the installation recorded this act at this time, with content of this SHA-256.")
    print("It does not prove that what was said is true, or who stands behind an agent.")
    return 0


# --- metrics ----------------------------------------------------------------------------------------------------------------------

# Whole days after the day itself until nothing that can still happen changes what it counts.
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
# Of a group (a day and a context) with fewer distinct authors there are no rows; a rate of fewer units has no value.
FEWEST = 5
DAY = datetime.timedelta(days=1)
PSEUDONYM = r"[\w-]{22}"
MOST_LINE = 1000


def day_of(text):
    try:
        return datetime.date(*map(int, re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text, re.ASCII).groups()))
    except (AttributeError, TypeError, ValueError):
        raise argparse.ArgumentTypeError("%r is no day such as 2026-01-31" % text)


def open_answer(address, key=None, body=None):
    """An answer as it comes. A refusal of the service is told in its own words."""
    headers = {"Accept": "application/json, application/x-ndjson"}
    if body is not None:
        headers.update({"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())})
    request = urllib.request.Request(address, headers=headers, data=None if body is None else json.dumps(body).encode())
    if key:
        request.add_unredirected_header("X-API-Key", key)
    try:
        return urllib.request.build_opener(NoRedirect).open(request, timeout=60)
    except urllib.error.HTTPError as error:
        try:
            said = parse_lenient(error.read(MOST_BYTES).decode())["detail"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError, http.client.HTTPException):
            said = str(error)
        raise Wrong("refused", "%s answers: %s" % (address, said))
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Wrong("not_reachable", "%s cannot be read (%s)" % (address, error))


def ask(address, key=None, body=None):
    try:
        with open_answer(address, key, body) as answer:
            data = answer.read(MOST_BYTES + 1)
        demand(len(data) <= MOST_BYTES, "not_reachable", address + " answers with too much")
        return parse_lenient(data.decode())
    except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
        raise Wrong("not_reachable", "%s answers with something else than JSON (%s)" % (address, error))


def is_count(value):
    return type(value) is int and 0 <= value <= MOST


class Dataset:
    """Reads a dataset line by line, and holds it to its own rules. In memory is one day."""

    def __init__(self, given):
        self.given, self.header, self.ended = given, None, False
        self.hash, self.bytes, self.rows = hashlib.sha256(), 0, 0
        # Of each day: units with a value of 1 or more, and all units.
        self.counts = {}
        self.day, self.authors = None, {}

    def take(self, line):
        demand(not self.ended and line.endswith(b"\n"), "dataset_broken", "the dataset goes on after its last line, or breaks off")
        try:
            record = parse(line.decode())
        except (ValueError, RecursionError) as error:
            raise Wrong("dataset_broken", "a line of the dataset is no JSON (%s)" % error)
        kind = record.get("type") if isinstance(record, dict) else None
        demand(kind == ("export" if self.header is None else kind if kind in ("row", "end") else None), "dataset_broken", "the dataset has a line that does not belong there")
        {"export": self.begin, "row": self.count, "end": self.end}[kind](record)
        self.hash.update(line)
        self.bytes += len(line)

    def begin(self, record):
        said = {name: record.get(name) for name in ("format", "experiment", "from", "to", "fewestAuthors")}
        asked = {"format": "stoa-research/1", "fewestAuthors": FEWEST, **self.given}
        demand(said == asked, "dataset_differs", "the dataset is not the one that was asked for")
        as_of = record.get("asOf")
        demand(is_text(as_of, r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "dataset_broken", "the dataset does not say of when it is")
        # The last day that is over, with its window, at that moment.
        self.last = datetime.date(*map(int, as_of[:10].split("-"))) - (WINDOW_DAYS[self.given["experiment"]] + 1) * DAY
        demand(record.get("matureTo") == self.last.isoformat(), "maturity_differs", "the dataset takes other days for mature than its definition")
        self.header = record

    def count(self, row):
        day, context, author, value = (row.get(name) for name in ("day", "context", "author", "value"))
        demand(is_text(day, r"\d{4}-\d\d-\d\d") and is_text(context, PSEUDONYM) and is_text(author, PSEUDONYM), "dataset_broken", "a row of the dataset is malformed")
        demand(is_count(value) and value <= 3 and len(row) == 5, "dataset_broken", "a row of the dataset is malformed")
        demand(self.given["from"] <= day <= min(self.given["to"], self.last.isoformat()), "dataset_differs", "the dataset has a row of %s, which is not asked for or not mature" % day)
        if day != self.day:
            demand(self.day is None or self.day < day, "dataset_broken", "the days of the dataset are not in their order")
            self.close_day()
            self.day = day
        self.authors.setdefault(context, set()).add(author)
        hits, units = self.counts.get(day, (0, 0))
        self.counts[day] = (hits + (value >= 1), units + 1)
        self.rows += 1

    def close_day(self):
        for authors in self.authors.values():
            demand(len(authors) >= FEWEST, "small_group", "a group of %s has fewer than %d authors: it must not be in the dataset" % (self.day, FEWEST))
        self.authors = {}

    def end(self, record):
        self.close_day()
        said = [record.get(name) for name in ("rows", "bytes", "sha256")]
        demand(said == [self.rows, self.bytes, self.hash.hexdigest()], "dataset_broken", "the last line of the dataset does not count and hash what stands before it")
        self.ended = True


def read_dataset(address, key, given):
    dataset = Dataset(given)
    try:
        with open_answer(address, key) as answer:
            for line in iter(lambda: answer.readline(MOST_LINE), b""):
                dataset.take(line)
    except (OSError, http.client.HTTPException) as error:
        raise Wrong("not_reachable", "%s cannot be read to its end (%s)" % (address, error))
    demand(dataset.ended, "dataset_broken", "the dataset breaks off before its last line")
    return dataset


def rows_of(dataset, first, last):
    """The metric, from nothing but the rows of the dataset."""
    for day in (first + n * DAY for n in range((last - first).days + 1)):
        numerator, denominator = dataset.counts.get(day.isoformat(), (0, 0))
        mature, suppressed = day <= dataset.last, denominator < FEWEST
        rate = numerator / denominator if mature and not suppressed else None
        yield {"day": day.isoformat(), "numerator": numerator, "denominator": denominator, "rate": rate, "mature": mature, "suppressed": suppressed}


def compare(ours, theirs):
    demand(isinstance(theirs, list) and len(theirs) == len(ours), "metric_differs", "the installation does not publish one row for each day")
    for own, row in zip(ours, theirs):
        demand(own == row, "metric_differs", "of %s the installation publishes %s, and the dataset gives %s" % (own["day"], json.dumps(row), json.dumps(own)))


def reproduce(url, key, experiment, first, last):
    given = {"experiment": experiment, "from": first.isoformat(), "to": last.isoformat()}
    metric = "%s/api/v1/research/metrics?%s" % (url, urllib.parse.urlencode(given))
    made = ask(url + "/api/v1/research/exports", key, given)
    demand(isinstance(made, dict) and is_text(made.get("id"), UUID), "not_reachable", url + " made no dataset")
    # What somebody says, deletes or consents to meanwhile moves the figures: then it is all read again.
    for _ in range(3):
        before = ask(metric)
        dataset = read_dataset("%s/api/v1/research/exports/%s/data" % (url, made["id"]), key, given)
        if before == ask(metric):
            break
    else:
        raise Wrong("in_motion", "the figures changed while they were read, three times: run it again")
    ours = list(rows_of(dataset, first, last))
    compare(ours, before)
    return ours, dataset.rows


def check_metric(url, key, experiment, first, last):
    try:
        demand(key, "no_key", "a key with the scope research is needed: --key, or STOA_API_KEY")
        demand(origin_of(url), "not_reachable", "%s is no address of an installation, such as https://stoa.example.org" % url)
        demand(first <= last, "wrong_days", "--from must not be after --to")
        ours, units = reproduce(url.rstrip("/"), key, experiment, first, last)
    except (Wrong, RecursionError) as wrong:
        print("WRONG %s (%s)\n\nNOT REPRODUCED." % (wrong, getattr(wrong, "code", "dataset_broken")))
        return 1
    for row in ours:
        said = "not yet" if not row["mature"] else "too few" if row["suppressed"] else "%d / %d = %.4f" % (row["numerator"], row["denominator"], row["rate"])
        print("ok    %s  %s" % (row["day"], said))
    print("\nAll of it agrees: %d days of %s, computed from %d rows of the dataset." % (len(ours), experiment, units))
    return 0


def main():
    parser = argparse.ArgumentParser(description="Checks what a Stoa installation claims, from nothing.")
    commands = parser.add_subparsers(dest="command", required=True)
    receipt = commands.add_parser("receipt", help="check a signed receipt")
    receipt.add_argument("target", metavar="file-or-url")
    receipt.add_argument("--issuer")
    receipt.add_argument("--at")
    metric = commands.add_parser("metric", help="compute a metric of research again")
    metric.add_argument("--url", required=True)
    metric.add_argument("--key", default=os.environ.get("STOA_API_KEY"))
    metric.add_argument("--experiment", required=True, choices=list(WINDOW_DAYS))
    metric.add_argument("--from", required=True, type=day_of, dest="first")
    metric.add_argument("--to", required=True, type=day_of, dest="last")
    given = parser.parse_args()
    if given.command == "metric":
        return check_metric(given.url, given.key, given.experiment, given.first, given.last)
    return check_receipt(given.target, given.issuer, given.at)


if __name__ == "__main__":
    sys.exit(main())
