"""
Calls a method for each line of JSON on standard input, and prints one line for each: its result,
and where that differs from the type that the method declares.
"""

import base64
import json
import sys
import typing

import stoa_client


def find_faults(value, declared, place):
    """Yields where a value differs from its declared type."""
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if declared is typing.Any:
        return
    if origin is typing.Union:
        found = [list(find_faults(value, one, place)) for one in arguments]
        yield from [] if [] in found else min(found, key=len)
    elif origin is typing.Literal:
        if value not in arguments:
            yield f"{place}: {value!r} is none of {arguments}"
    elif origin is list:
        if not isinstance(value, list):
            yield f"{place}: no list"
            return
        for index, item in enumerate(value):
            yield from find_faults(item, arguments[0], f"{place}[{index}]")
    elif origin is dict or declared is dict:
        if not isinstance(value, dict):
            yield f"{place}: no dictionary"
            return
        for name, item in value.items():
            yield from find_faults(item, arguments[1], f"{place}.{name}")
    elif hasattr(declared, "__required_keys__"):
        yield from find_member_faults(value, declared, place)
    elif declared is float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            yield f"{place}: {value!r} is no number"
    elif type(value) is not declared:
        yield f"{place}: {value!r} is no {declared}"


def find_member_faults(value, declared, place):
    """Yields where a dictionary differs from a TypedDict."""
    if not isinstance(value, dict):
        yield f"{place}: no dictionary"
        return
    members = typing.get_type_hints(declared)
    for name in declared.__required_keys__ - value.keys():
        yield f"{place}.{name} is missing"
    for name, item in value.items():
        if name not in members:
            yield f"{place}.{name} is not declared"
        else:
            yield from find_faults(item, members[name], f"{place}.{name}")


def run(order):
    """Makes a call and returns what is printed of it."""
    client = stoa_client.Client(order["url"], **order["credentials"])
    method = getattr(client, order["method"])
    arguments = order["arguments"]
    if "content" in arguments and order["isUpload"]:
        arguments["content"] = base64.b64decode(arguments["content"])
    result = method(*order["path"], **arguments)
    declared = typing.get_type_hints(method)["return"]
    if declared is stoa_client.Content:
        return {"bytes": len(result.body), "status": result.status, "faults": []}
    return {"result": result, "faults": list(find_faults(result, declared, order["method"]))}


for line in sys.stdin:
    try:
        answer = run(json.loads(line))
    except stoa_client.StoaError as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
