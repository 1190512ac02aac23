"""A host of Apache httpd: which configuration applies to a path, and what is answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from ginuri.migration.apache.configuration import Configuration, Redirect, Setting
from ginuri.migration.apache.requests import Answer, Applied, Request
from ginuri.migration.apache.rewriting import Rewriting, Rewritten, escape, find_matching

_MOST_REDIRECTS = 10
"""Apache httpd gives up after as many internal redirects: LimitInternalRecursion."""

_BROKEN = 500
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Site:
    """A host with the configurations of its directories."""

    host: str
    configurations: Mapping[str, Configuration]
    """By directory: `/`, `/ns/`, `/ns/sub/`. A server's own rules are those of the empty one."""
    files: frozenset[str] = frozenset()
    """The paths of its files."""
    _matching: dict[tuple[str, str], Sequence[int]] = field(default_factory=dict)
    """The numbers of the rules that match a text, by directory and text."""

    def answer(self, request: Request) -> Answer:
        """Answer a request. Raises UnsupportedConfiguration."""
        applied: tuple[Applied, ...] = ()
        environment: dict[str, str] = {}
        for _ in range(_MOST_REDIRECTS):
            outcome = self._try(request, environment)
            if isinstance(outcome, Answer):
                return self._with_document(request, replace(outcome, applied=(*applied, *outcome.applied)))
            applied = (*applied, *outcome.applied)
            request = replace(request, path=outcome.path, query=outcome.query)
            environment = {f"REDIRECT_{name}": value for name, value in outcome.environment.items()}
        return Answer(_BROKEN, applied=applied)

    def _with_document(self, request: Request, answer: Answer) -> Answer:
        """Return a redirect to the ErrorDocument of a status, if it is a web address."""
        configuration, _ = self.configuration_of(request.path)
        documents = dict(configuration.error_documents)
        document = documents.get(answer.status, "")
        if not document.startswith(("http://", "https://")) or answer.status == _BROKEN:
            return answer
        return replace(answer, status=302, location=document)

    def configuration_of(self, path: str) -> tuple[Configuration, str]:
        """Return the configuration of the deepest directory on a path, and that directory."""
        directory, found = "", self.configurations.get("", Configuration(""))
        for ancestor in accumulate(f"{part}/" for part in f"{path}/".split("/")[:-1]):
            if ancestor not in self.configurations:
                break
            directory, found = ancestor, self.configurations[ancestor]
        return found, directory

    def _try(self, request: Request, environment: dict[str, str]) -> Answer | Rewritten:
        own, directory = self.configuration_of(request.path)
        if own.fault is not None:
            return Answer(_BROKEN)
        is_bare = bool(directory) and request.path == directory[:-1]
        if own.is_on and not (is_bare and own.directory == directory and not own.allows_no_slash):
            below = request.path[len(directory) :]
            _, slash, path_info = below.partition("/")
            variables = environment | dict(_set_variables(own.settings, request))
            rewriting = Rewriting(
                own, request, self.host, f"{slash}{path_info}", variables, self._is_file, self._find
            )
            outcome = rewriting.run()
            if outcome is not None and not (isinstance(outcome, Rewritten) and not own.directory):
                return outcome
            if isinstance(outcome, Rewritten):
                return Answer(404, applied=outcome.applied)
        for redirect in own.redirects:
            if answer := _redirect(redirect, request, self.host):
                return answer
        if is_bare and own.adds_slash:
            query = f"?{request.query}" if request.query else ""
            return Answer(301, f"https://{self.host}{escape(request.path)}/{query}")
        return Answer(404)

    def _find(self, configuration: Configuration, text: str) -> Sequence[int]:
        key = (configuration.directory, text)
        if key not in self._matching:
            if len(self._matching) > _REMEMBERED:
                self._matching.clear()
            self._matching[key] = find_matching(configuration.rules, text)
        return self._matching[key]

    def _is_file(self, path: str, test: str) -> bool:
        if test == "-d":
            return f"{path.rstrip('/')}/" in self.configurations
        return path in self.files


def _set_variables(settings: Sequence[Setting], request: Request) -> Iterable[tuple[str, str]]:
    known: dict[str, str] = {}
    for setting in settings:
        match setting.attribute.lower():
            case "request_uri":
                value = request.path
            case "request_method":
                value = "GET"
            case _:
                value = request.headers.get(setting.attribute) or known.get(setting.attribute, "")
        found = setting.expression.search(value)
        if found is None:
            continue
        for variable in setting.variables:
            name, mark, text = variable.partition("=")
            for number in range(found.re.groups, 0, -1):
                text = text.replace(f"${number}", found[number] or "")
            known[name.removeprefix("!")] = text if mark else "" if name.startswith("!") else "1"
    return known.items()


def _redirect(redirect: Redirect, request: Request, host: str) -> Answer | None:
    found = redirect.expression.search(request.path)
    if found is None:
        return None
    if not redirect.target:
        return Answer(redirect.status, applied=(redirect,))
    location = f"https://{host}{redirect.target}" if redirect.target.startswith("/") else redirect.target
    if redirect.is_prefix:
        location += escape(request.path[found.end() :])
    else:
        for number in range(9, -1, -1):
            group = found[number] or "" if number <= found.re.groups else ""
            location = location.replace(f"${number}", escape(group))
    query = f"?{request.query}" if request.query and "?" not in location else ""
    return Answer(redirect.status, f"{location}{query}", (redirect,))
