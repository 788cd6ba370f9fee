"""`export --to-git`: the decision on a branch of a git repository, pushed and with a pull request where asked for."""

import tempfile
from argparse import Namespace
from pathlib import Path

from debate_core.cli.terminal import say
from debate_core.errors import InvalidSpec
from debate_core.host.git.decision_branch import BranchRequest, DecisionBranch, put_decision
from debate_core.host.git.pull_request import git_server
from debate_core.host.git.repository import GitRepository, is_remote, open_repository
from debate_core.host.settings import Settings
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.profiles import profile_named
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.text import line


def export_to_git(flags: Namespace, settings: Settings, debate: Account, signatures: str) -> None:
    """Put the decision into a repository. InvalidSpec in one sentence, with the repository as it was."""
    if debate.state.outcome is None:
        raise InvalidSpec("the debate is still running: a decision record is written after the end")
    request = BranchRequest(
        branch=flags.branch or "",
        folder=flags.folder or "",
        profile=profile_named(flags.profile),
        supersedes=flags.supersedes or "",
    )
    with tempfile.TemporaryDirectory(prefix="debate-git-") as scratch:
        repository = open_repository(flags.to_git, Path(scratch))
        if flags.pull_request:
            # Without a token nothing is pushed either.
            git_server(repository.origin(), api=settings.git_api, token=settings.git_token)
        branch = put_decision(repository, debate, signatures, request)
        is_pushed = flags.push or flags.pull_request or is_remote(flags.to_git)
        if is_pushed:
            repository.push(branch.name, branch.before)
        for note in branch.notes:
            say(note)
        say(_describe(branch, repository.place))
        if is_pushed:
            say(f"pushed: {branch.name}")
        if flags.pull_request:
            say(_request(repository, settings, debate, branch))


def _describe(branch: DecisionBranch, place: str) -> str:
    if not branch.is_new:
        return f"{place}: {branch.file} is on the branch {branch.name} already"
    return f"{place}: {branch.file} on the branch {branch.name}, commit {branch.commit[:12]}"


def _request(repository: GitRepository, settings: Settings, debate: Account, branch: DecisionBranch) -> str:
    server = git_server(repository.origin(), api=settings.git_api, token=settings.git_token, network=settings.network)
    url = server.open_request(branch, line(decided_sentence(debate)))
    server.report_verified(branch.commit, f"count verified: {debate.state.version} events, head {debate.state.head}")
    return f"pull request: {url}"
