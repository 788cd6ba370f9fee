"""Independent voters beside a result of models: measured on debates with a known outcome, else the published rate."""

import json
from itertools import product
from typing import Any

import pytest

from debate_core.host.host import Host, HostOptions
from debate_core.host.shared_errors import SharedErrors
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.commands import Act
from debate_core.report.facts.account import account
from debate_core.report.facts.debate_facts import SINGLE_CALL
from debate_core.report.facts.joint_errors import LEAST_DEBATES, JointErrors, effective_voters, joint_errors
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, dumps, run_json
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.who_decided import no_person_sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Seat
from tests.playing import Played

RULES = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(MaxRounds(),), decide=Plurality())
SINGLE = RULES.model_copy(update={"name": SINGLE_CALL})
PUBLISHED = "published by Kim et al., ICML 2025, not measured here"


def spec_of(models: str) -> Spec:
    """One seat for each letter."""
    lines = [ModelLine(id=one, model=one, provider="own", family=one, dialect="chat") for one in sorted({*models})]
    seats = [Seat(id=f"s{n}", occupant="model", model=one) for n, one in enumerate(models)]
    return compose("Which?", ("a", "b"), RULES, seats, models=lines, max_rounds=1)


def held(number: int, votes: str, *, models: str = "", right: str | None = "a", owner: str = "", **spec: Any) -> Played:
    """A debate of models that gave these votes, one letter each, and the option that turned out right."""
    models = models or "mno"[: len(votes)]
    one = Played(spec_of(models).model_copy(update=spec), f"d{number}", owner=owner)
    for vote in votes:
        one.say(vote)
    if right:
        one.do(Act(by=owner or "ana", act=OutcomeRecorded(result="held", option=right, reason="seen")))
    return one


def stored(*debates: Played) -> MemoryStore:
    store = MemoryStore()
    for one in debates:
        store.append(one.state.debate, one.events, after=0)
    return store


def measured(now: Played, *others: Played) -> JointErrors | None:
    """The figure for a debate of this store."""
    host = Host(stored(now, *others), HostOptions(worker="none"))
    try:
        return host.joint_errors(now.state)
    finally:
        host.close()


VOTES = ["".join(votes) for votes in product("ab", repeat=3)] * 3
"""24 debates, in which every combination of votes of three models comes three times."""


def test_figure_equals_that_of_the_votes_themselves():
    now = held(99, "aba", right=None)
    found = measured(now, *(held(n, votes) for n, votes in enumerate(VOTES)))
    assert found == joint_errors(("a", votes) for votes in VOTES)


def test_only_the_models_of_this_debate_are_measured():
    """Only the first two models vote in this debate; a fourth one voted beside them in the others."""
    now = held(99, "ab", models="mn", right=None)
    found = measured(now, *(held(n, votes, models="mnz") for n, votes in enumerate(VOTES)))
    assert found == joint_errors(("a", votes[:2]) for votes in VOTES)


@pytest.mark.parametrize(
    "other", [{"right": None}, {"owner": "u-else"}, {"protocol": SINGLE}], ids=["unknown", "of-others", "single-call"]
)
def test_debates_that_do_not_count_are_left_out(other: dict[str, Any]):
    """One debate that does not count leaves one too few."""
    enough = [held(n, votes) for n, votes in enumerate(VOTES[:LEAST_DEBATES])]
    now = held(99, "aba", right=None)
    assert measured(now, *enough) is not None
    found = measured(now, *enough[1:], held(0, VOTES[0], **other))
    assert found is None or found.correlation is None


@pytest.mark.parametrize(
    ("owner", "shared", "debates"), [("u-ola", False, 24), ("u-ola", True, 0), ("u-una", False, 0), ("", False, 0)]
)
def test_private_debates_count_for_private_ones_of_their_owner(owner: str, shared: bool, debates: int):
    own = [held(n, votes, owner="u-ola") for n, votes in enumerate(VOTES)]
    now = Played(spec_of("mno"), "d99", owner=owner, shared=shared).say("a").say("b").say("a")
    found = measured(now, *own)
    assert found is not None
    assert found.debates == debates


def test_new_outcomes_are_read_once_the_list_is_old():
    now = held(99, "aba", right=None)
    store = stored(now, *(held(n, votes) for n, votes in enumerate(VOTES)))
    host = Host(store, HostOptions(worker="none"))
    errors = SharedErrors(store, host.debates, max_age_s=0)
    before = errors.of(now.state)
    late = held(77, "bbb")
    store.append("d77", late.events, after=0)
    after = errors.of(now.state)
    host.close()
    assert (before, after) == tuple(joint_errors(("a", votes) for votes in of) for of in (VOTES, [*VOTES, "bbb"]))


def test_result_of_models_names_measured_or_published_figure():
    now = held(99, "aba", right=None)
    errors = joint_errors(("a", votes) for votes in ["aaa", "bbb", "abb"] * 8)
    assert errors.correlation is not None
    effective = effective_voters(3, errors.correlation)
    words = (
        f"3 votes of models count like about {effective:.1f} independent ones (measured on 24 debates of these models "
        "with a known outcome)."
    )
    here = account(now.state, now.events, joint_errors=errors)
    assert no_person_sentence(here).endswith(words)
    assert decision_status(here).of_no_person.endswith(words)
    for text in (markdown_report(here), decision_record(here).text, csv_files(here)["decision.csv"]):
        assert words in " ".join(text.replace("\\", "").split())
    told = json.loads(dumps(run_json(here)))["who_decided"]
    assert words in told["note"]
    assert PUBLISHED not in told["note"]
    assert PUBLISHED in no_person_sentence(account(now.state, now.events))
    few = joint_errors([("a", "ab")] * (LEAST_DEBATES - 1))
    assert PUBLISHED in no_person_sentence(account(now.state, now.events, joint_errors=few))
