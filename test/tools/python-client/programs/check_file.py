"""Evaluates every type of the client, and prints how many there are."""

import ast
import importlib.util
import inspect
import json
import sysconfig
import typing

import stoa_client

with open(stoa_client.__file__, encoding="utf-8") as file:
    tree = ast.parse(file.read(), feature_version=(3, 9))

members = {name: value for name, value in vars(stoa_client).items() if inspect.isclass(value)}
records = [value for value in members.values() if hasattr(value, "__required_keys__")]
own = [value for value in members.values() if value.__module__ == "stoa_client"]
functions = [
    value
    for holder in [stoa_client, *own]
    for value in vars(holder).values()
    if inspect.isfunction(value) and value.__module__ == "stoa_client"
]
for typed in [*records, *functions]:
    typing.get_type_hints(typed)
without = [
    node.name
    for node in ast.walk(tree)
    if isinstance(node, ast.FunctionDef)
    and not node.name.startswith("_")
    and ast.get_docstring(node) is None
    # Functions within functions are nobody's but theirs.
    and node.name not in ("post", "take")
]
imported = {
    (node.module if isinstance(node, ast.ImportFrom) else name.name).split(".")[0]
    for node in ast.walk(tree)
    if isinstance(node, (ast.Import, ast.ImportFrom))
    for name in node.names
}
library = sysconfig.get_paths()["stdlib"]
origins = {name: importlib.util.find_spec(name).origin for name in imported}
foreign = [
    name
    for name, origin in origins.items()
    if origin not in ("built-in", "frozen")
    and (not origin.startswith(library) or "-packages" in origin)
]
told = {"records": len(records), "functions": len(functions), "imported": len(imported)}
print(json.dumps({**told, "withoutDocstring": without, "foreign": foreign}))
