"""The memory of the describe function after thousands of the largest records."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local import ROOT

MOST_MIB = 96
LOOK_UPS = """
import json, sys, time, zlib
from pathlib import Path
from ginuri.service.describe import Collaborators, answer
from ginuri.web.events import read_request
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb_http.client import HttpDynamoDB
from ginuri.aws.dynamodb_http.transport import HttpAnswer
from ginuri.registry.budget import Budget
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.registry.record.serialization import write_values
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.response import write_gateway

BODY = write_values({"title": {"en": "&" * 62_000}})
UNDER, HOST = "uri-gin/azgs/m/", "resources.example.org"

class Service:
    def post(self, operation, body, *_):
        tables = json.loads(body).get("RequestItems", {"registry": {"Keys": []}})
        names = [key["identifier"]["S"] for key in tables["registry"]["Keys"]]
        items = [
            {"identifier": {"S": name}, "body": {"S": BODY}, "modified": {"S": "2013"}}
            for name in names if name.startswith(UNDER) and name != UNDER
        ]
        content = json.dumps({"Responses": {"registry": items}}).encode()
        return HttpAnswer(200, [b"x-amz-crc32: %d" % zlib.crc32(content)], content)

class Credentials:
    def current(self):
        return "testing", "testing", None

reader = DynamoReader(HttpDynamoDB(Service(), Credentials(), Budget(time.monotonic)), "registry")
finder = RememberingFinder(reader, time.monotonic)
answers = DescriptionResponses(DescriptionWriter().write)
using = Collaborators(finder, reader, None, answers, HOST)
for call in range(int(sys.argv[1])):
    names = [f"{UNDER}{call * 50 + number}/" for number in range(50)]
    event = {
        "path": "/resolve",
        "httpMethod": "POST",
        "headers": {"Host": HOST},
        "multiValueHeaders": {"Host": [HOST]},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {"path": "/resolve", "stage": "live"},
        "body": json.dumps(names),
    }
    assert write_gateway(answer(read_request(event), using).response, "POST")["statusCode"] == 200
print(int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20)
"""
"""`POST /resolve` with a hundred new names in each call; the service is DynamoDB's, in this process."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux alone shows resident memory so")
def test_thousands_of_the_largest_records_keep_the_function_small() -> None:
    ran = subprocess.run(  # noqa: S603  our own source
        [sys.executable, "-c", LOOK_UPS, "50"],
        env={"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "functions", ROOT / "layers/library")))},
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(ran.stdout) <= MOST_MIB
