"""A handler that acts on commands in the path; it answers any other path with the event itself."""

import base64
import json
import os
import time
from typing import Any

import boto3
from botocore.exceptions import ClientError


def handle(event: dict[str, Any], _context: object) -> Any:
    match event["path"].split("/")[1:]:
        case ["toy", "answer"]:  # with the values in the body
            return json.loads(base64.b64decode(event["body"]))
        case ["toy", "large", size]:
            return {"statusCode": 200, "body": "x" * int(size)}
        case ["toy", "raise"]:
            raise ValueError("as asked")
        case ["toy", "exit"]:
            os._exit(3)
        case ["toy", "sleep", seconds]:
            time.sleep(float(seconds))
            return {"statusCode": 200, "body": "slept"}
        case ["toy", "environment"]:
            return {"statusCode": 200, "body": json.dumps(dict(os.environ))}
        case ["toy", "call"]:  # calls AWS as the body demands
            return {"statusCode": 200, "body": _called(**json.loads(base64.b64decode(event["body"])))}
        case _:
            return {"statusCode": 200, "body": json.dumps(event)}


def _called(service: Any, operation: str, arguments: dict[str, Any]) -> str:
    try:
        getattr(boto3.client(service), operation)(**arguments)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return "allowed"
