"""`issue`: reads the new comments of an issue, holds its debate, and counts its vote."""

import asyncio
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from debate_core.cli.models import model_choice, refuse_unset_key, with_every_model
from debate_core.cli.plan import plan_of
from debate_core.cli.terminal import answer, failure_listener, say
from debate_core.errors import InvalidSpec
from debate_core.host import runner
from debate_core.host.fillers import Access, SeatSetup, fillers_of
from debate_core.host.git.decision_branch import BranchRequest
from debate_core.host.git.export import export_decision
from debate_core.host.git.issue_debate import IssueDebate, Occasion, Program, load, save
from debate_core.host.git.issue_server import post_text, read_issue, write_post
from debate_core.host.git.pull_request import git_server
from debate_core.host.git.repository import GitRepository, GitTarget, open_repository
from debate_core.host.run_options import RunOptions
from debate_core.host.settings import Settings
from debate_core.record.events import Event, PhaseEnded
from debate_core.report.facts.account import account
from debate_core.spec.protocol import Spec


def issue(flags: Namespace, settings: Settings) -> int:
    """Bring the debate of an issue up to date with its comments. InvalidSpec in one sentence."""
    if flags.number < 1:
        raise InvalidSpec(f"NUMBER is the number of an issue, from 1, not {flags.number}")
    with tempfile.TemporaryDirectory(prefix="debate-issue-") as scratch:
        repository = open_repository(flags.repository, Path(scratch))
        target = GitTarget(flags.repository, settings.git.token, settings.git.api, settings.network)
        server = git_server(repository.origin(), api=target.api, token=target.token, network=target.network)
        found = read_issue(server, flags.number)
        debate = load(repository, found, _program(repository, flags, settings))
        was_counted = _is_counted(debate)
        if not debate.read_new():
            say(f"issue {flags.number} has no new comment")
        # What is posted is on the branch first.
        save(repository, debate)
        url = debate.answered.decision_url
        if _is_counted(debate) and not was_counted:
            events = debate.events()
            done = export_decision(
                account(debate.state(), events), "", target, BranchRequest(), push=True, pull_request=True
            )
            url = done.request_url
        debate.answered = debate.answered.model_copy(update={"decision_url": url})
        if debate.debate_id or debate.answered.refused:
            post = write_post(server, flags.number, debate.answered.post, post_text(debate))
            debate.answered = debate.answered.model_copy(update={"post": post})
            save(repository, debate)
        _print_result(flags, debate, url)
    return 0


def _print_result(flags: Namespace, debate: IssueDebate, url: str) -> None:
    refused = debate.answered.refused
    told = {"issue": flags.number, "debate_id": debate.debate_id or None, "refused": [*refused]}
    answer(flags, {**told, "decision": url or None}, "".join(f"{one}\n" for one in (*refused, url) if one))


def _program(repository: GitRepository, flags: Namespace, settings: Settings) -> Program:
    """Debates with the models of the flags, else with the evidence panel."""

    def plan(occasion: Occasion) -> Spec:
        flags.question = occasion.question
        models = model_choice(flags, settings) if occasion.may_ask_models else None
        flags.offline = flags.offline or models is None
        refuse_unset_key(flags, settings)
        spec = plan_of(flags, settings, models, occasion.options, occasion.sources).spec
        spec = spec.model_copy(update={"room": occasion.room})
        return with_every_model(spec, settings, budget_usd=flags.budget_usd)

    def play(debate: IssueDebate) -> None:
        access = Access(keys=settings.keys, turn_deadline_s=settings.turn_deadline_s, network=settings.network)
        show_failures = failure_listener()

        def on_events(events: Sequence[Event]) -> None:
            show_failures(events)
            # A run that is killed loses one phase at most.
            if any(isinstance(event.body, PhaseEnded) for event in events):
                save(repository, debate)

        options = RunOptions(on_events=on_events, deadline_s=settings.turn_deadline_s)
        asyncio.run(runner.run(debate.debate_id, debate.store, lambda s: fillers_of(s, SeatSetup(), access), options))

    return Program(plan, play)


def _is_counted(debate: IssueDebate) -> bool:
    """True once the vote is closed and revealed."""
    poll = debate.state().room.polls.get("final") if debate.debate_id else None
    return poll is not None and poll.revealed
