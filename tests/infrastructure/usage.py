"""The dependencies of source code: environment variables, and calls to AWS by their names in IAM."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache

from botocore import xform_name
from botocore.session import get_session

SERVICES = ("dynamodb", "s3", "sqs")
_IN_TRANSACTIONS = {
    "Get": "dynamodb:GetItem",
    "Put": "dynamodb:PutItem",
    "Update": "dynamodb:UpdateItem",
    "Delete": "dynamodb:DeleteItem",
    "ConditionCheck": "dynamodb:ConditionCheckItem",
}
# Operations with another name in IAM than in the service (Service Authorization Reference).
_AUTHORISED_AS = {
    "s3:HeadObject": "s3:GetObject",
    "s3:CopyObject": "s3:PutObject",
    "s3:CreateMultipartUpload": "s3:PutObject",
    "s3:UploadPart": "s3:PutObject",
    "s3:CompleteMultipartUpload": "s3:PutObject",
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:ListObjects": "s3:ListBucket",
    "s3:ListObjectVersions": "s3:ListBucketVersions",
    "s3:HeadBucket": "s3:ListBucket",
    "s3:DeleteObjects": "s3:DeleteObject",
    "sqs:SendMessageBatch": "sqs:SendMessage",
}
# Methods that boto3 adds to its clients.
_ADDED = {
    "upload_file": "s3:PutObject",
    "upload_fileobj": "s3:PutObject",
    "download_file": "s3:GetObject",
    "download_fileobj": "s3:GetObject",
}


def variables_read(trees: Iterable[ast.AST]) -> set[str]:
    """Return the environment variables that are read. Raises ValueError unless each name is a literal."""
    return {name for tree in trees for node in ast.walk(tree) for name in _variables(node)}


def actions_called(trees: Iterable[ast.AST]) -> set[str]:
    """Return the IAM actions of the calls in these trees to DynamoDB, S3 and SQS."""
    return {
        action
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for action in _actions(node)
    }


def _variables(node: ast.AST) -> Iterator[str]:
    """Every mention of os.environ and os.getenv must have one of the shapes that are supported here."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))):
            yield name
        case ast.Call(
            func=ast.Attribute(attr="getenv") | ast.Attribute(value=ast.Attribute(attr="environ")),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield name
        case ast.Call(args=arguments) | ast.Subscript(slice=ast.Tuple(elts=arguments)):
            if any(isinstance(each, ast.Attribute) and each.attr == "environ" for each in arguments):
                raise ValueError(f"line {node.lineno}: the environment is passed on whole")
        case ast.Subscript(value=ast.Attribute(attr="environ")):
            raise ValueError(f"line {node.lineno}: which variable is read cannot be seen")
        case _:
            pass


def _actions(call: ast.Call) -> Iterator[str]:
    is_of_a_version = "VersionId" in {word.arg for word in call.keywords} | set(_texts(call))
    for action in filter(None, (_operations().get(name) for name in _called(call))):
        if action.startswith("dynamodb:Transact"):
            yield from (_IN_TRANSACTIONS[text] for text in _texts(call) if text in _IN_TRANSACTIONS)
        elif action == "s3:GetObject" and is_of_a_version:
            yield "s3:GetObjectVersion"
        else:
            yield action


def _called(call: ast.Call) -> list[str]:
    match call.func:
        case ast.Attribute(attr="generate_presigned_url" | "get_paginator" | "get_waiter"):
            return list(_texts(call))
        case ast.Attribute(attr="copy") if call.args:  # S3's own; that of a dict or a list has no arguments
            return ["head_object", "copy_object"]
        case ast.Attribute(attr=name) if not call.args or name in _ADDED:  # an operation takes keywords only
            return [name]
        case _:
            return []


def _texts(node: ast.AST) -> Iterator[str]:
    return (
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )


@cache
def _operations() -> dict[str, str]:
    """Return the action of every client method, by the method's name, from botocore's own models."""
    session = get_session()
    named = {
        xform_name(operation): f"{service}:{operation}"
        for service in SERVICES
        for operation in session.get_service_model(service).operation_names
    }
    return {name: _AUTHORISED_AS.get(action, action) for name, action in named.items()} | _ADDED
