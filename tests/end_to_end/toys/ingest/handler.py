"""A handler that treats each message by a word in its body."""

import json
import os
import time
from typing import Any


def handle(event: dict[str, Any], _context: object) -> dict[str, Any]:
    records = event["Records"]
    print(json.dumps({"records": records}))  # noqa: T201 - the log is what the tests read
    for record in records:
        if "wait-a-moment" in record["body"]:
            time.sleep(0.5)
        if "first-time-forever" in record["body"] and record["attributes"]["ApproximateReceiveCount"] == "1":
            time.sleep(60)
        if "raise" in record["body"]:
            raise ValueError("as asked")
        if "exit" in record["body"]:
            os._exit(3)
    return {
        "batchItemFailures": [
            {"itemIdentifier": record["messageId"]} for record in records if "fail" in record["body"]
        ]
    }
