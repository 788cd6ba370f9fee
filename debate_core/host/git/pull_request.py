"""Pull and merge requests, and the commit status "count verified", on GitHub, GitLab and servers like Gitea.

Three calls of their REST interfaces. The token is in no message, log or record; redirects are not followed.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from debate_core.errors import InvalidSpec
from debate_core.host.git.decision_branch import DecisionBranch
from debate_core.host.git.repository import without_login
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.text import line

GitServerKind = Literal["github", "gitlab", "gitea"]
_KINDS: dict[str, GitServerKind] = {"/api/v3": "github", "/api/v4": "gitlab", "/api/v1": "gitea"}
"""Paths of the REST interfaces by which a server is recognised."""
_PUBLIC: dict[str, tuple[GitServerKind, str]] = {
    "github.com": ("github", "https://api.github.com"),
    "gitlab.com": ("gitlab", "https://gitlab.com/api/v4"),
}
_TIMEOUT_S = 20
_STATUS_NAME = "debate/count"
_ADDRESS = re.compile(r"(?:(?:https|ssh)://(?:[^/@]+@)?|[^/@]+@)(?P<host>[^/:]+)(?::\d+)?[:/](?P<path>.+?)(?:\.git)?/?")


@dataclass(frozen=True, slots=True)
class GitServer:
    """The REST interface of a git server, and one project there."""

    kind: GitServerKind
    api: str
    """`https://api.github.com`, `https://git.example/api/v4`."""
    project: str
    """`owner/name`; GitLab also has groups of groups."""
    token: str = field(repr=False)
    network: Network = field(default=DIRECT, repr=False)

    def open_request(self, branch: DecisionBranch, body: str) -> str:
        """Open a pull or merge request; returns its address, also if it is open already."""
        if self.kind == "gitlab":
            fields = {"source_branch": branch.name, "target_branch": branch.base, "title": branch.subject}
            answer = self.call("POST", "merge_requests", {**fields, "description": body}, already=409)
        else:
            fields = {"head": branch.name, "base": branch.base, "title": branch.subject}
            answer = self.call("POST", "pulls", {**fields, "body": body}, already=422 if self.kind == "github" else 409)
        if answer is None:
            answer = self._find_request(branch)
        return str(answer.get("web_url") or answer.get("html_url") or "")

    def _find_request(self, branch: DecisionBranch) -> dict[str, Any]:
        """The open request of a branch. InvalidSpec if there is none: the server refused for another reason."""
        if self.kind == "gitlab":
            path = f"merge_requests?state=opened&source_branch={quote(branch.name, safe='')}"
        else:
            path = "pulls?state=open"
        listed = self.call("GET", path)
        for request in listed if isinstance(listed, list) else ():
            if self.kind == "gitlab" or request.get("head", {}).get("ref") == branch.name:
                return dict(request)
        raise InvalidSpec(
            "{api} refused a request from {branch} to {base}: are there commits between them?",
            api=self.api,
            branch=branch.name,
            base=branch.base,
        )

    def report_verified(self, commit: str, sentence: str) -> None:
        """Set the commit status: the counts of this record were checked here."""
        if self.kind == "gitlab":
            fields = {"state": "success", "name": _STATUS_NAME, "description": sentence[:140]}
        else:
            fields = {"state": "success", "context": _STATUS_NAME, "description": sentence[:140]}
        self.call("POST", f"statuses/{commit}", fields)

    def call(self, method: str, path: str, fields: dict[str, str] | None = None, already: int = 0) -> Any:
        """The JSON of an answer below the address of the project; None for the status `already`."""
        import httpx2  # Loaded only when a git server is called.

        from debate_core.seats.providers.client import tls

        if self.kind == "gitlab":
            url = f"{self.api}/projects/{quote(self.project, safe='')}/{path}"
            headers = {"PRIVATE-TOKEN": self.token}
        else:
            url = f"{self.api}/repos/{quote(self.project)}/{path}"
            headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        proxy = self.network.proxy_for(self.api) or None
        try:
            with httpx2.Client(
                verify=tls(self.network.ca_file), proxy=proxy, trust_env=False, timeout=_TIMEOUT_S
            ) as client:
                answer = client.request(method, url, json=fields, headers=headers)
                found = answer.json() if answer.content else {}
        except (httpx2.HTTPError, ValueError) as error:
            raise InvalidSpec("{api} did not answer: {why}", api=self.api, why=type(error).__name__) from None
        if answer.status_code == already:
            return None
        if not answer.is_success:
            raise InvalidSpec(
                "{api} refused: {status} {why}", api=self.api, status=answer.status_code, why=self._reason(found)
            )
        return found

    def _reason(self, found: object) -> str:
        """The server's own words without the token."""
        said = found.get("message") or found.get("error") or "" if isinstance(found, dict) else ""
        return line(str(said))[:200].replace(self.token, "…")


def git_server(address: str, *, api: str, token: str, network: Network = DIRECT) -> GitServer:
    """The server of a remote repository. InvalidSpec without a token, or if its interface cannot be recognised."""
    found = _ADDRESS.fullmatch(address)
    if found is None and not api:
        raise InvalidSpec("{address} is not on a git server that takes pull requests", address=without_login(address))
    if not token:
        raise InvalidSpec("a pull request needs a token: set DEBATE_GIT_TOKEN")
    host = found["host"] if found else ""
    project = found["path"] if found else "/".join(address.rstrip("/").removesuffix(".git").split("/")[-2:])
    if api:
        return GitServer(_kind_of(api), api.rstrip("/"), project, token, network)
    if host not in _PUBLIC:
        raise InvalidSpec("set DEBATE_GIT_API to the REST interface of {host}, as in https://{host}/api/v4", host=host)
    kind, api = _PUBLIC[host]
    return GitServer(kind, api, project, token, network)


def _kind_of(api: str) -> GitServerKind:
    path = urlsplit(api).path.rstrip("/")
    kind = next((kind for end, kind in _KINDS.items() if path.endswith(end)), None)
    if kind is None:
        raise InvalidSpec("DEBATE_GIT_API must end with {paths}", paths=", ".join(_KINDS))
    return kind
