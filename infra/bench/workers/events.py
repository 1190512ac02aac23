"""The event of a request, as a REST API sends it: a browser's headers behind CloudFront."""

from __future__ import annotations

from typing import Any

_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br",
    "Accept-Language": "en-GB,en;q=0.7",
    "CloudFront-Forwarded-Proto": "https",
    "CloudFront-Is-Desktop-Viewer": "true",
    "CloudFront-Viewer-Country": "US",
    "Host": "resources.usgin.org",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Via": "2.0 9f2b7c6c1f0d4d0f8a3e0f7d2c4b6a18.cloudfront.net (CloudFront)",
    "X-Amz-Cf-Id": "l3tKq0b1Vb9m1m9Yc2s5mQ1P0v0u8yT7d4r3s2w1x0z9a8b7c6d5e4==",
    "X-Amzn-Trace-Id": "Root=1-6730f0a1-5b1c2d3e4f5a6b7c8d9e0f1a",
    "X-Forwarded-For": "203.0.113.24, 130.176.1.75",
    "X-Forwarded-Port": "443",
    "X-Forwarded-Proto": "https",
}
_ACCOUNT, _API = "123456789012", "a1b2c3d4e5"


def get(
    name: str, *, accept: str = _HEADERS["Accept"], method: str = "GET", tag: str | None = None
) -> dict[str, Any]:
    """Return the event of a request for an identifier; `tag` is the value of `If-None-Match`."""
    headers = {**_HEADERS, "Accept": accept} | ({"If-None-Match": tag} if tag else {})
    path = f"/{name}"
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": {field: [value] for field, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": {"proxy": name.rstrip("/")},
        "stageVariables": None,
        "requestContext": {
            "accountId": _ACCOUNT,
            "apiId": _API,
            "domainName": "resources.usgin.org",
            "extendedRequestId": "BVhM8G5xPHcEM6Q=",
            "httpMethod": method,
            "identity": {"sourceIp": "130.176.1.75", "userAgent": headers["User-Agent"]},
            "path": path,
            "protocol": "HTTP/1.1",
            "requestId": "0b1f2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
            "requestTime": "17/May/2024:10:04:31 +0000",
            "requestTimeEpoch": 1715940271120,
            "resourceId": "k9x2p4",
            "resourcePath": "/{proxy+}",
            "stage": "live",
        },
        "body": None,
        "isBase64Encoded": False,
    }
