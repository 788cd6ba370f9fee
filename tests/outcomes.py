"""Finished debates of models whose outcome is recorded, for figures over many debates."""

import os
from contextlib import closing

from debate_core.engine.engine import requests
from debate_core.host.stores import Store, open_store
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.commands import Act
from tests.paid import begin, paid_spec, use


def keep_outcomes(store: Store, corrected: int, same: int) -> None:
    """Decisions for `release` that held; in `corrected` of them the first proposal was another option."""
    for number in range(corrected + same):
        votes = {"planner": "revise" if number < corrected else "release"}
        hand = begin(paid_spec(), f"d-{number}")
        while asked := requests(hand.state):
            seat = asked[0].seat
            hand.take(asked[0].id, votes.get(seat, "release"), use(1_000, 200, "0.02"))
        hand.do(Act(by="ana", act=OutcomeRecorded(result="held", reason="a year on")))
        store.append(hand.state.debate, hand.events, after=0)


def keep_in_app(corrected: int, same: int) -> None:
    """The same in the database of the app."""
    with closing(open_store(os.environ["DEBATE_DB"])) as store:
        keep_outcomes(store, corrected, same)
