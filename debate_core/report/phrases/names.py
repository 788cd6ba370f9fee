"""Names of claims and turns for readers, such as `claim 7`, in place of the ids of the record."""

import re
from collections.abc import Mapping

from debate_core.engine.stage import name_of, speaker_name
from debate_core.language import _, message
from debate_core.record.state import State, Turn
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import TurnRow
from debate_core.spec.values import in_words

NO_CLAIM = message("an unknown claim")
_ID = re.compile(r"(?<![\w.~-])[\w-]+(?:\.[\w~-]+){2,3}(?![\w~-]|\.\w)")
"""`risk.2.3`, `2.critique.risk.1`."""


def claim_name(account: Account, claim_id: str) -> str:
    """`claim 7`."""
    return _name(account, claim_id) or _(NO_CLAIM)


def in_names(account: Account, text: str) -> str:
    """Replace the ids of claims and turns in a text by names."""
    return _ID.sub(lambda found: _name(account, found.group()) or found.group(), text)


def mentions(text: str, name: str) -> bool:
    """True if a text contains this name of a claim: `as claim 1 says`, but not `as claim 12 says`."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def claim_names(state: State) -> dict[str, str]:
    """Claim id -> `claim 7`."""
    return {claim_id: _("claim {number}", number=number) for claim_id, number in state.claim_numbers().items()}


def turn_name(turn: Turn, seat: str) -> str:
    """`the reply of planner in round 2`, with the given name of the seat."""
    return _("the {phase} of {seat} in round {round}", phase=named(turn.phase), seat=seat, round=turn.round)


def giver_name(account: Account, row: TurnRow) -> str:
    """The name of the person or model that gave a turn; empty if code gave it."""
    return name_of(account.state, row.by) if row.by in account.state.room.people else row.model or ""


def speaker_of_turn(account: Account, row: TurnRow) -> str:
    """`planner (Sam)`: the seat of a turn, and the person who gave it; the seat alone for models and code."""
    person = account.state.room.people.get(row.by)
    seat = in_words(row.seat)
    if person is None or account.state.spec.held_elsewhere:
        return seat
    return f"{seat} ({person.name})"


def _name(account: Account, given_id: str) -> str:
    """The name of a claim or turn; empty if there is none with this id."""
    turn = account.once(turns_by_id).get(given_id)
    if turn is not None:
        seat = speaker_name(account.state, turn.seat)
        return _("{seat} in {phase} of round {round}", seat=seat, phase=named(turn.phase), round=turn.round)
    number = account.once(_claim_numbers).get(given_id)
    return "" if number is None else _("claim {number}", number=number)


def turns_by_id(account: Account) -> Mapping[str, Turn]:
    """Turns by the id of the request, and by place."""
    turns = account.state.all_turns()
    return {turn.request: turn for turn in turns} | {str(turn.address()): turn for turn in turns}


def _claim_numbers(account: Account) -> Mapping[str, int]:
    return account.state.claim_numbers()
