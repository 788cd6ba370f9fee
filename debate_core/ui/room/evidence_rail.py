"""The claims of the latest round beside the transcript, in a few words each; a press opens one in Evidence.

A viewer with aliases gets neither names nor ids that would reveal them.
"""

from collections.abc import Collection, Mapping

from debate_core.host.debate_reader import DebateReader
from debate_core.language import _, _n
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.evidence import STATUS_WORDS
from debate_core.text import first_words
from debate_core.ui.kit import accounts, click_guard, session
from debate_core.ui.kit.components import parts
from debate_core.ui.results.tabs import open_claim
from debate_core.ui.room.live.transcript import blind_seats

MAX_CLAIMS = 6
CLAIM_WORDS = 20
_PRESSED = "rail_claim"
_SIDES = {"supports": "for", "against": "against"}


def part(host: DebateReader, state: State, holds: Collection[str], *, blind: bool) -> Mapping[str, object] | None:
    """Return the latest claims of the last round with claims; None without claims or for a person they could sway."""
    if blind_seats(state, holds):
        return None
    account = accounts.of_reader(host, state, holds)
    last_round = max((row.round for row in account.claims), default=0)
    # Facts of the room have no turn; they are in the panel of their step.
    rows = [row for row in account.claims if row.turn_id and row.round == last_round]
    if not rows:
        return None
    numbers = state.claim_numbers()
    quoted = sum(bool(row.evidence_text) for row in rows)
    latest = rows[-MAX_CLAIMS:]
    beside = _n(len(rows), "{n} claim, {quoted} quoted", "{n} claims, {quoted} quoted", quoted=quoted)
    if len(latest) < len(rows):
        beside = _("{beside}; the last {n} listed", n=len(latest), beside=beside)
    return parts.rail_part(
        _("Evidence of round {number}", number=rows[0].round),
        beside,
        [_rail_claim(account, row, numbers[row.claim_id]) for row in latest],
        opens=not blind,
    )


def note_press(number: str) -> None:
    """Remember the number of a pressed claim until `open_pressed`."""
    click_guard.note(_PRESSED, number)


def open_pressed(state: State) -> None:
    """Open the claim that was pressed; do nothing without a press."""
    number = click_guard.taken(_PRESSED)
    claim_id = next((found for found, n in state.claim_numbers().items() if str(n) == number), "")
    if claim_id:
        open_claim(claim_id)
        session.open_page("results.py", state.debate)


def _rail_claim(account: Account, row: ClaimRow, number: int) -> parts.RailClaim:
    letter = ""
    side = ""
    marked = account.state.marks.get(row.claim_id)
    if marked is not None:
        letter = letters(account.state.spec.options).get(marked.mark.option or "", "")
        side = _SIDES.get(marked.mark.reading, "")
    return parts.RailClaim(
        id=str(number),
        number=number,
        text=first_words(row.claim, CLAIM_WORDS),
        letter=letter,
        side=side,
        status=STATUS_WORDS[row.status],
        chosen=False,
    )
