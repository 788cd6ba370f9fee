"""One export to a git repository: open or clone it, commit, push, and open a pull request."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from debate_core.errors import InvalidSpec
from debate_core.host.git.decision_branch import BranchRequest, DecisionBranch, put_decision
from debate_core.host.git.pull_request import GitServer, git_server
from debate_core.host.git.repository import GitRepository, GitTarget, is_remote, open_repository
from debate_core.report.facts.account import Account
from debate_core.report.files.export import refuse_sealed
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.text import line


@dataclass(frozen=True, slots=True)
class GitExport:
    """A decision that is in a repository now."""

    place: str
    branch: DecisionBranch
    pushed: bool
    request_url: str
    """The address of the pull request; empty without one."""


def export_decision(
    account: Account,
    signatures: str,
    target: GitTarget,
    request: BranchRequest,
    *,
    push: bool = False,
    pull_request: bool = False,
) -> GitExport:
    """Put the decision of a verified record into a repository. InvalidSpec in one sentence.

    A branch of a remote repository is always pushed.
    """
    refuse_sealed(account)
    if account.state.outcome is None:
        raise InvalidSpec("the debate is still running: a decision record is written after the end")
    pushes = push or pull_request or is_remote(target.repository)
    with tempfile.TemporaryDirectory(prefix="debate-git-") as scratch:
        repository = open_repository(target.repository, Path(scratch))
        # Without a token nothing is committed either.
        server = _server(repository, target) if pull_request else None
        branch = put_decision(repository, account, signatures, request)
        if pushes:
            repository.push(branch.name, branch.commit, branch.before)
        url = _open_request(server, branch, account) if server else ""
        return GitExport(repository.place, branch, pushes, url)


def _server(repository: GitRepository, target: GitTarget) -> GitServer:
    return git_server(repository.origin(), api=target.api, token=target.token, network=target.network)


def _open_request(server: GitServer, branch: DecisionBranch, account: Account) -> str:
    url = server.open_request(branch, line(decided_sentence(account)))
    server.report_verified(branch.commit, f"count verified: {account.state.version} events, head {account.state.head}")
    return url
