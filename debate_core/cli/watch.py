"""`watch`: evaluates the checks of signed assumptions, in a folder or a database. Offline, and executes nothing."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.records import HOLDS
from debate_core.cli.terminal import answer, say
from debate_core.engine.rights import HOST
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host import runner
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.acts import AssumptionBroken
from debate_core.record.commands import Act
from debate_core.record.fold import replay
from debate_core.report.facts.decision import decision_of
from debate_core.spec.tripwires import check_text
from debate_core.spec.values import Json
from debate_core.text import line, plural
from debate_core.watch.checkout import Checkout
from debate_core.watch.decisions import (
    WatchedCheck,
    WatchedDecision,
    decision_in,
    may_be_watched,
    read_decisions,
    watch,
)
from debate_core.watch.evaluate import Evaluator

MOVED = 7
"""Exit status."""


def watch_assumptions(flags: Namespace, settings: Settings) -> int:
    """Print every check with its result; 7 if an assumption is broken. With --db it challenges the decision."""
    checkout = Checkout(Path(flags.folder)) if flags.folder is not None else None
    today = runner.now().date()
    evaluator = Evaluator(checkout, today)
    challenged = list[str]()
    faults: tuple[str, ...] = ()
    if flags.db is not None:
        refuse_missing(settings.database_url)
        with closing(open_store(settings.database_url)) as store:
            checks = tuple(watch(_decisions_in(store), evaluator, today))
            challenged += _challenge(store, settings, checks)
    elif checkout is not None:
        decisions, faults = read_decisions(checkout)
        checks = tuple(watch(decisions, evaluator, today))
    else:
        raise InvalidSpec("name a folder with decisions, or a database with --db")
    for fault in faults:
        say(f"not read: {fault}")
    moved = [check for check in checks if check.verdict.result == "moved"]
    rows: Json = [_fields(check) for check in checks]
    answer(flags, {"checks": rows, "challenged": challenged, "not_read": faults}, "".join(_lines(checks)))
    return MOVED if moved else HOLDS


def _decisions_in(store: Store) -> Iterator[WatchedDecision]:
    """The decisions of a database with assumptions to check; a sentence on standard error for unreadable ones."""
    for debate_id in store.debates():
        try:
            end = store.find(debate_id, "closed")
            if end is None or not any(map(may_be_watched, store.load(debate_id, after=end.seq))):
                continue
            decision = decision_in(store.load(debate_id), debate_id)
        except DebateError as error:
            say(f"not read: {debate_id}: {error}")
        else:
            if decision is not None:
                yield decision


def _challenge(store: Store, settings: Settings, checks: tuple[WatchedCheck, ...]) -> Iterator[str]:
    """Record each broken assumption once; gives the ids of newly challenged debates."""
    for check in checks:
        if check.verdict.result == "moved":
            state = replay(store.load(check.decision.debate))
            signed = decision_of(state).signed
            known = {(done.fact.signature, done.fact.assumption) for done in state.room.of(AssumptionBroken)}
            if signed is not None and (signed.seq, check.assumption.number) not in known:
                broken = AssumptionBroken(
                    signature=signed.seq, assumption=check.assumption.number, reason=check.verdict.reason[:2_000]
                )
                try:
                    submitted(store, settings, state, Act(by=HOST, act=broken))
                except DebateError as error:
                    # Another process has signed, or challenged it, meanwhile: the next run sees that.
                    say(f"not challenged: {state.debate}: {error}")
                else:
                    yield state.debate


def _fields(check: WatchedCheck) -> Json:
    return {
        "result": check.verdict.result,
        "decision": check.decision.title,
        "debate": check.decision.debate,
        "place": check.decision.place,
        "assumption": check.assumption.text,
        "number": check.assumption.number,
        "claim": check.assumption.claim,
        "watched_by": check.assumption.watched_by,
        "check": check_text(check.assumption.check) if check.assumption.check else "",
        "reason": check.verdict.reason,
    }


def _lines(checks: tuple[WatchedCheck, ...]) -> Iterator[str]:
    results = [check.verdict.result for check in checks]
    decisions = {check.decision.place for check in checks}
    n_held = results.count("holds")
    counted = f"{n_held} {'holds' if n_held == 1 else 'hold'}, "
    counted += ", ".join(f"{results.count(result)} {result}" for result in ("moved", "unknown"))
    yield f"{plural(len(checks), 'check')} of {plural(len(decisions), 'decision')}: {counted}\n"
    place = ""
    for check in checks:
        if check.decision.place != place:
            place = check.decision.place
            yield f"\n{line(check.decision.title)} ({line(place)})\n"
        watched = f" @{line(check.assumption.watched_by)}" if check.assumption.watched_by else ""
        yield f"  {check.verdict.result:8}{line(check.assumption.text)}{watched}\n"
        yield f"          {line(check.verdict.reason)}\n"
