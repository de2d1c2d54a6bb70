"""
Makes one call without waiting between its attempts, and prints the waits and what came of it.
Arguments: the address, the method, and its keyword arguments as JSON.
"""

import json
import sys

import stoa_client

slept = []
retry = stoa_client.Retry(sleep=slept.append, random=lambda: 0.5)
client = stoa_client.Client(sys.argv[1], api_key="stoa_key", admin_key="admin_key", retry=retry)
try:
    told = {"result": getattr(client, sys.argv[2])(**json.loads(sys.argv[3]))}
except stoa_client.StoaApiError as error:
    told = {
        "class": type(error).__name__,
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        "members": error.members,
        "retryAfter": error.retry_after,
    }
except (stoa_client.StoaConnectionError, ValueError) as error:
    told = {"class": type(error).__name__, "detail": str(error)}
print(json.dumps({**told, "slept": slept}))
