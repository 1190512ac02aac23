"""A service over HTTP as a stack: lost answers, refusals, and the option that names it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.service_stack import ServiceStack
from ginuri.client import Client
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.model import StoredFile
from ginuri.registry.record.stamps import Stamp
from tests.api_over_http import service_stack, serving
from tests.api_service import AZGS, JANE, ApiService
from tests.http_answers import Answered, Asked, answering
from tests.stacks import settle_folder

KEY = "uri-gin/azgs/rows.csv"
ROW = b"identifier,title\nuri-gin/azgs/doc/a,A\n"
RULES = (
    '{"record": "rule", "identifier": "uri-gin/azgs/", "pattern": "well-{id}", '
    '"location": "https://wells.example/{id}"}\n'
)


@pytest.fixture
def service() -> ApiService:
    return ApiService()


@pytest.fixture
def stack(service: ApiService) -> Iterator[ServiceStack]:
    with service_stack(service) as opened:
        yield opened


def ginuri(*arguments: str, **environment: str) -> Result:
    unset = {"GINURI_LOCAL_STACK": None, "GINURI_TOKEN": None, "GINURI_SERVICE": None}
    return CliRunner().invoke(main, arguments, env={**unset, **environment}, prog_name="ginuri")


def test_the_option_names_a_service_and_the_variable_its_token(service: ApiService) -> None:
    with serving(service) as address:
        listed = ginuri("uploads", "--service", f"{address}/", "--last", "1", GINURI_TOKEN=service.secret)

    assert (listed.exit_code, "uri-gin/azgs/1-types.jsonl#v2" in listed.stdout) == (0, True), listed.output


def test_an_unknown_token_is_explained(service: ApiService) -> None:
    with serving(service) as address:
        result = ginuri("uploads", GINURI_SERVICE=address, GINURI_TOKEN="gin_unknown")  # noqa: S106  none

    assert result.exit_code == 2
    assert "401" in result.stderr
    assert "Set GINURI_TOKEN to a token of this service" in result.stderr


def test_a_service_that_does_not_answer_is_explained() -> None:
    stack = ServiceStack(Client("http://127.0.0.1:9", "gin_secret", sleep=lambda _: None))

    result = CliRunner().invoke(main, ["uploads"], obj=lambda _: stack, prog_name="ginuri")

    assert result.exit_code == 2
    assert (
        "The uploads cannot be listed: http://127.0.0.1:9 does not answer: Connection refused"
        in result.stderr
    )


def test_a_service_and_another_stack_are_not_both_named() -> None:
    result = ginuri("uploads", "--service", "https://id.example", "--stack", "prod")

    assert result.exit_code == 2
    assert "The service https://id.example and prod are both named" in result.stderr


def test_an_option_goes_before_the_variable_of_another_place(service: ApiService, tmp_path: Path) -> None:
    settle_folder(tmp_path / "registry")
    folder = str(tmp_path / "registry")
    with serving(service) as address:
        over_http = ginuri(
            "uploads", "--service", address, GINURI_REGISTRY=folder, GINURI_TOKEN=service.secret
        )
        beside = ginuri("uploads", "--registry", folder, GINURI_SERVICE=address)

    assert (f"--service {address}" in over_http.stdout, over_http.exit_code) == (True, 0), over_http.output
    assert (f"--registry {folder}" in beside.stdout, beside.exit_code) == (True, 0), beside.output


def test_an_upload_whose_answer_was_lost_is_found(service: ApiService) -> None:
    with service_stack(service, lambda asked: asked.method == "POST") as stack:
        version = stack.put(KEY, ROW, {"reason": "a%25b"})

        assert stack.report(f"{KEY}/{version}.json")
    assert [key for key, _ in service.steward.files.uploads].count(KEY) == 1
    assert service.metadata()["reason"] == "a%25b"


def test_an_upload_that_did_not_arrive_is_an_error(service: ApiService) -> None:
    def lose(asked: Asked) -> bool:
        service.steward.files.uploads.pop((KEY, "v3"), None)
        service.steward.files.puts.pop((KEY, "v3"), None)
        return asked.method == "POST"

    with service_stack(service, lose) as stack, pytest.raises(RegistryUnavailable):
        stack.put(KEY, ROW, {})


def test_a_large_upload_under_another_name_is_reported_under_the_stated_one() -> None:
    report = {"upload": {"key": "uri-gin/azgs/0a-rows.csv", "version": "v7"}, "is_complete": True}

    def answer(asked: Asked) -> Answered:
        headers = {"x-amz-version-id": "v7"}
        if asked.method == "PUT":
            return Answered(200, headers=headers)
        put = {"url": f"{address}/signed", "headers": {}, "expires": 300}
        signed = {"key": "uri-gin/azgs/0a-rows.csv", "put": put}
        known = "0a-rows.csv" in asked.target
        return Answered(200 if known else 201, json.dumps(report if known else signed).encode())

    with answering(answer) as address, Client(address, "gin_secret") as client:
        stack = ServiceStack(client)
        version = stack.put(KEY, b"x" * 4_000_000, {})

        assert json.loads(b"".join(stack.report(f"{KEY}/{version}.json") or ())) == report


def test_reports_that_are_missing_are_none(stack: ServiceStack) -> None:
    assert stack.report(f"{KEY}/v9.json") is None
    assert stack.report(f"{KEY}/v9.refused.csv") is None
    assert stack.report(f"{KEY}/v9.progress.json") is None
    assert stack.report(f"{KEY}/v9.html") is None


def test_a_report_is_named_by_its_address_and_by_a_command(stack: ServiceStack) -> None:
    address = f"{stack.service}/api/uploads/uri-gin%2Fazgs%2Frows.csv/v9"

    assert stack.report_location(f"{KEY}/v9.json") == address
    command = f"ginuri report '{KEY}#v9' --service {stack.service}"
    assert stack.report_address(f"{KEY}/v9.html") == command


def test_the_records_of_a_service_are_those_of_its_registry(service: ApiService, stack: ServiceStack) -> None:
    stack.put("uri-gin/azgs/rules.jsonl", RULES.encode(), {})

    memory = service.steward.memory
    for prefix in (AZGS, "uri-gin/azgs/do"):
        assert _sorted(stack.archive.standing(prefix)) == _sorted(memory.standing(prefix))
        assert _sorted(stack.archive.histories(prefix)) == _sorted(memory.histories(prefix))
    assert stack.archive.history("rules uri-gin/azgs/well-") == memory.history("rules uri-gin/azgs/well-")
    assert stack.archive.beginnings(AZGS).names == ("well-",)
    assert stack.readers.lister.beginnings(AZGS).names == ("well-",)


def test_an_upload_of_many_is_undone_in_few_requests(service: ApiService) -> None:
    rows = "".join(f"uri-gin/azgs/doc/{number},A\n" for number in range(130))
    service.secret = service.token(options={"many"})
    put = service.steward.put(KEY, f"identifier,title\n{rows}")
    service.steward.deliver(put)
    reads = list[str]()

    def count(asked: Asked) -> bool:
        reads.extend([asked.target] if asked.target.startswith("/api/records") else [])
        return False

    with service_stack(service, count) as stack:
        arguments = ["rollback", f"{KEY}#{put.version}", "--yes", "--many", "--json"]
        result = CliRunner().invoke(main, arguments, obj=lambda _: stack, prog_name="ginuri")

    assert json.loads(result.stdout)["report"]["counts"]["changed"] == 130
    assert len(reads) == 3


def test_the_last_of_many_uploads_are_listed_in_one_request(service: ApiService) -> None:
    for number in range(120):
        service.steward.put(f"uri-gin/azgs/{number}.csv", ROW)
    lists = list[str]()

    def count(asked: Asked) -> bool:
        lists.extend([asked.target] if asked.target.startswith("/api/uploads?") else [])
        return False

    with service_stack(service, count) as stack:
        listed = CliRunner().invoke(main, ["uploads", "--last", "3", "--json"], obj=lambda _: stack)

    keys = [json.loads(line)["key"] for line in listed.stdout.splitlines()]
    assert keys == [f"uri-gin/azgs/{number}.csv" for number in (119, 118, 117)]
    assert len(lists) == 1


def test_uploads_of_a_service_are_listed_as_those_of_any_stack(
    service: ApiService, stack: ServiceStack
) -> None:
    stack.put(KEY, ROW, {"reason": "new", "submitter": "Jane"})
    service.steward.put("uri-gin/azgs/waiting.csv", ROW, submitter="Joe", **{"dry-run": "true"})

    over_http, beside = (
        CliRunner().invoke(main, ["uploads", "--under", AZGS], obj=lambda _, found=found: found)
        for found in (stack, service.place)
    )

    lines = [line for line in over_http.stdout.splitlines() if "to read:" not in line]
    assert lines == [line for line in beside.stdout.splitlines() if "to read:" not in line]
    assert "stated submitter: Joe" in over_http.stdout


def test_the_whole_registry_of_a_token_is_that_of_its_folders(service: ApiService) -> None:
    put = service.steward.put("uri-gin/usgin/b.csv", "identifier,title\nuri-gin/usgin/b,B\n")
    service.steward.deliver(put)
    with service_stack(service) as stack:
        names = {name for name, _ in stack.archive.standing("")}

    assert names == {AZGS, "uri-gin/azgs/doc/"}


def _token(stack: ServiceStack, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["token", *arguments], obj=lambda _: stack, prog_name="ginuri")


def test_people_create_list_and_revoke_their_own_tokens(service: ApiService, stack: ServiceStack) -> None:
    created = _token(
        stack, "create", "--folder", AZGS, "--may", "read", "--days", "7", "--name", "ci", "--json"
    )
    token = json.loads(created.stdout)
    listed = _token(stack, "list")
    revoked = _token(stack, "revoke", token["token"])
    gone = _token(stack, "revoke", "0123456789abcdef")
    never = stack.tokens.revoke("0123456789abcdef")

    assert (token["owner"], token["rights"], created.exit_code) == (JANE, ["read"], 0)
    assert token["id"][:12] in listed.stdout
    assert (revoked.exit_code, "revoked 20" in revoked.stdout, gone.exit_code) == (0, True, 1)
    assert [each.name for each in service.tokens.of(JANE) if each.revoked] == ["ci"]
    assert never is None


def test_a_token_creates_none_for_others_and_none_that_is_wider(stack: ServiceStack) -> None:
    other = _token(stack, "create", "--folder", AZGS, "--for", "joe@example.org")
    wider = _token(stack, "create", "--folder", "uri-gin/usgin/")
    log = _token(stack, "list", "--log")

    assert {other.exit_code, wider.exit_code, log.exit_code} == {2}
    assert f"This token creates tokens of {JANE} only" in other.stderr
    assert "403" in wider.stderr
    assert "gives the log of tokens to operators only" in log.stderr


def test_a_stored_file_is_restored_from_the_service(service: ApiService, stack: ServiceStack) -> None:
    service.steward.content.files["uri-gin/azgs/a.pdf", "v1"] = b"%PDF"
    file = StoredFile("uri-gin/azgs/a.pdf", "v1", 4, "", "")

    stack.restore(file)

    assert list(service.steward.files.uploads.values())[-1] == b"%PDF"
    with pytest.raises(OSError, match="There is no stored file"):
        stack.content(StoredFile("uri-gin/azgs/a.pdf", "v2", 4, "", ""))


def _sorted(values: Iterable[object]) -> list[object]:
    return sorted(values, key=repr)


def test_a_history_names_only_the_uploaders_that_the_token_may_see(service: ApiService) -> None:
    service.steward.identity = "AIDAEXAMPLE"
    authority = {"record": "authority", "identifier": AZGS, "title": "Another"}
    service.steward.upload("_host/azgs.jsonl", f"{json.dumps(authority)}\n")
    service.steward.upload(KEY, ROW)

    with serving(service) as address:
        told = [
            ginuri("history", name, "--json", "--service", address, GINURI_TOKEN=service.secret)
            for name in (AZGS, f"{AZGS}doc/a")
        ]

    last = [json.loads(each.stdout)["changes"][-1] for each in told]
    assert [(each["upload"], each["principal"]) for each in last] == [
        ("_host/azgs.jsonl", None),
        (KEY, "AIDAEXAMPLE"),
    ]


def test_a_plan_over_http_is_that_of_the_registry_itself(
    service: ApiService, stack: ServiceStack, tmp_path: Path
) -> None:
    service.steward.day = "2026-01-01"  # a plan is made with the clock of this machine
    gone = "".join(f"uri-gin/azgs/doc/gone-{number},Gone\n" for number in range(12))
    stack.put(KEY, f"identifier,title\n{gone}".encode(), {})
    stack.put("uri-gin/azgs/rules.jsonl", RULES.encode(), {})
    folder = tmp_path / "uri-gin/azgs"
    folder.mkdir(parents=True)
    (folder / "rows.csv").write_text(f"{ROW.decode()}uri-gin/azgs//b,B\n", encoding="utf-8")
    other = RULES.replace("well-{id}", "well-x{id}")
    (folder / "rules.jsonl").write_text(f"{RULES}{other}", encoding="utf-8")

    plans = [
        CliRunner().invoke(
            main, ["apply", str(tmp_path), "--plan", "--json", *more], obj=lambda _, found=found: found
        )
        for more in ([], ["--snapshot", AZGS])
        for found in (stack, service.place)
    ]

    over_http, beside, whole_over_http, whole_beside = (_without_times(plan.stdout) for plan in plans)
    assert over_http == beside
    assert whole_over_http == whole_beside
    assert json.loads(plans[0].stdout)["refused"] >= 1


def _without_times(plan: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "", plan)


def test_checks_over_http_read_neither_neighbours_nor_collections(stack: ServiceStack) -> None:
    registry, lister = stack.readers.registry, stack.readers.lister

    assert (registry.near("uri-gin/azgs/doc/a"), registry.beside(AZGS, "a", is_after=True)) == ((), ())
    assert registry.displaced(AZGS, Stamp("", "", "", 1)) == {}
    assert set(registry.fetch([AZGS, "uri-gin/none/"])) == {AZGS}
    for call in (registry.write, lambda: lister.parts(AZGS), lambda: lister.narrower(AZGS)):
        with pytest.raises(AssertionError):
            call()


def test_another_failure_is_explained_in_its_own_words(stack: ServiceStack) -> None:
    error = RegistryUnavailable("it is full")

    assert str(stack.explain(error)) == "The registry did not answer: it is full"
