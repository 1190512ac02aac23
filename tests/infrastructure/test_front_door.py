"""The API hands over every path as it was sent, and has these routes and no others."""

from __future__ import annotations

from tests.infrastructure.stack import Stack, referred


def test_the_api_has_these_routes_and_no_others(stack: Stack) -> None:
    assert stack.routes() == {
        "ANY /{proxy+}": "ResolveFunction",
        "ANY /": "DescribeFunction",
        "ANY /about": "DescribeFunction",
        "ANY /about/{proxy+}": "DescribeFunction",
        "ANY /about.html": "DescribeFunction",
        "ANY /about.html/{proxy+}": "DescribeFunction",
        "ANY /about.jsonld": "DescribeFunction",
        "ANY /about.jsonld/{proxy+}": "DescribeFunction",
        "ANY /about.ttl": "DescribeFunction",
        "ANY /about.ttl/{proxy+}": "DescribeFunction",
        "ANY /about.rdf": "DescribeFunction",
        "ANY /about.rdf/{proxy+}": "DescribeFunction",
        "ANY /about.nt": "DescribeFunction",
        "ANY /about.nt/{proxy+}": "DescribeFunction",
        "ANY /about.json": "DescribeFunction",
        "ANY /about.json/{proxy+}": "DescribeFunction",
        "ANY /about.erc": "DescribeFunction",
        "ANY /about.erc/{proxy+}": "DescribeFunction",
        "ANY /about.linkset": "DescribeFunction",
        "ANY /about.linkset/{proxy+}": "DescribeFunction",
        "ANY /about.links": "DescribeFunction",
        "ANY /about.links/{proxy+}": "DescribeFunction",
        "ANY /explain": "DescribeFunction",
        "ANY /explain/{proxy+}": "DescribeFunction",
        "ANY /members/{proxy+}": "DescribeFunction",
        "ANY /members.html/{proxy+}": "DescribeFunction",
        "ANY /members.jsonld/{proxy+}": "DescribeFunction",
        "ANY /members.ttl/{proxy+}": "DescribeFunction",
        "ANY /members.rdf/{proxy+}": "DescribeFunction",
        "ANY /members.nt/{proxy+}": "DescribeFunction",
        "ANY /members.json/{proxy+}": "DescribeFunction",
        "ANY /members.csv/{proxy+}": "DescribeFunction",
        "ANY /qr.svg/{proxy+}": "DescribeFunction",
        "ANY /assets/{proxy+}": "DescribeFunction",
        "ANY /timemap/{proxy+}": "DescribeFunction",
        "ANY /timemap.link/{proxy+}": "DescribeFunction",
        "ANY /timemap.json/{proxy+}": "DescribeFunction",
        "ANY /uri-res/{proxy+}": "DescribeFunction",
        "ANY /resolve": "DescribeFunction",
        "ANY /openapi.json": "DescribeFunction",
        "ANY /robots.txt": "DescribeFunction",
        "ANY /sitemap.xml": "DescribeFunction",
        "ANY /sitemaps/{proxy+}": "DescribeFunction",
        "ANY /feed.atom": "DescribeFunction",
        "ANY /registry.jsonl.gz": "DescribeFunction",
        "ANY /registry": "DescribeFunction",
        "ANY /search": "DescribeFunction",
        "ANY /opensearch.xml": "DescribeFunction",
    }


def test_the_api_is_a_regional_rest_api_that_takes_every_answer_for_binary(stack: Stack) -> None:
    [api] = stack.of_type("AWS::ApiGateway::RestApi").values()

    assert api["EndpointConfiguration"]["Types"] == ["REGIONAL"]
    assert api["Body"]["x-amazon-apigateway-binary-media-types"] == ["*/*"]


def test_the_api_has_one_stage(stack: Stack) -> None:
    stages = stack.of_type("AWS::ApiGateway::Stage").values()

    assert [stage["StageName"] for stage in stages] == ["live"]


def test_every_route_may_invoke_its_function(stack: Stack) -> None:
    invoked = {
        referred(permission["FunctionName"])
        for permission in stack.of_type("AWS::Lambda::Permission").values()
        if permission["Principal"] == "apigateway.amazonaws.com"
    }

    assert invoked == set(stack.routes().values())


def test_there_is_no_front_door_that_decodes_paths(stack: Stack) -> None:
    kinds = {resource["Type"] for resource in stack.resources.values()}

    assert not {kind for kind in kinds if kind.startswith(("AWS::ApiGatewayV2::", "AWS::Lambda::Url"))}
