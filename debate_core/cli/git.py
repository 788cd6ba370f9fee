"""`export --to-git`: the decision on a branch of a git repository, pushed and with a pull request if requested."""

from argparse import Namespace

from debate_core.cli.terminal import say
from debate_core.host.git.decision_branch import BranchRequest
from debate_core.host.git.export import export_decision
from debate_core.host.git.target import GitTarget
from debate_core.host.settings import Settings
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.profiles import profile_named


def export_to_git(flags: Namespace, settings: Settings, debate: Account, signatures: str) -> None:
    """Put the decision into a repository, and say where it is."""
    given = {name: getattr(flags, name) or "" for name in ("branch", "folder", "supersedes")}
    request = BranchRequest(profile=profile_named(flags.profile), **given)
    target = GitTarget(flags.to_git, settings.git.token, settings.git.api, settings.network)
    done = export_decision(debate, signatures, target, request, push=flags.push, pull_request=flags.pull_request)
    branch = done.branch
    for note in branch.notes:
        say(note)
    if branch.is_new:
        say(f"{done.place}: {branch.file} on the branch {branch.name}, commit {branch.commit[:12]}")
    else:
        say(f"{done.place}: {branch.file} is on the branch {branch.name} already")
    if done.pushed:
        say(f"pushed: {branch.name}")
    if done.request_url:
        say(f"pull request: {done.request_url}")
