"""The requests of `make emulate`, and its report of a difference; comparing needs the runtime's Python."""

from infra.emulator.comparison import Comparison
from infra.emulator.requests import Sent, requests
from infra.local import ROOT
from infra.local.template import expand

NAMES = [f"uri-gin/azgs/doc/{number}/" for number in range(12)]


def test_every_nth_name_is_requested_in_each_way() -> None:
    sent = list(requests(NAMES, 3))

    heads = [request.target for request in sent if request.method == "HEAD"]
    first_segments = {request.target.split("/")[1] for request in sent}
    assert heads[:4] == [f"/{name}" for name in NAMES[::3]]
    assert first_segments >= {"uri-gin", "about.html", "about.ttl", "qr.svg"}


def test_a_name_bound_to_a_host_is_requested_from_that_host() -> None:
    request = next(requests(["//id.example/doc/1"], 1))

    assert request == Sent("/doc/1", host="id.example")
    assert request.received("127.0.0.1:8000").header("host") == "id.example"
    assert request.received("127.0.0.1:8000").path == "/doc/1"


def test_a_request_is_parsed_with_a_separate_query() -> None:
    received = Sent("/search?q=map").received("127.0.0.1:8000")

    assert (received.path, received.query, received.header("host")) == ("/search", "q=map", "127.0.0.1:8000")


def test_a_difference_is_reported_with_the_request_and_both_answers() -> None:
    comparison = Comparison()

    comparison.count("resolve 303", "GET /a", {"statusCode": 303}, {"statusCode": 303})
    comparison.count("resolve 303", "GET /b", {"statusCode": 303}, {"statusCode": 302})

    assert comparison.equal == {"resolve 303": 1}
    assert comparison.differences == [
        "GET /b\n  local:    {'statusCode': 303}\n  emulated: {'statusCode': 302}"
    ]


def test_the_emulator_installs_the_layers_of_the_template() -> None:
    template = expand(ROOT / "template.yaml")
    layers = {
        resource["Properties"]["Content"]["S3Key"].removeprefix("layers/").rstrip("/")
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::Lambda::LayerVersion"
    }

    installed = {file.parent.name for file in ROOT.glob("layers/*/requirements.txt")}

    assert layers == installed | {"library"}
