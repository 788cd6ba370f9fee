"""What whoever moderates says and corrects reaches the seats and the tables, and never as words of a seat."""

from debate_core.engine import requests
from debate_core.evidence import claim_rows
from debate_core.model import Argument, Claim
from debate_core.prompts import prompt_for
from debate_core.room_acts import Intervened, Noted, Struck
from debate_core.views import view
from tests.people import FAY, MO, Held, room_spec


def asked(held: Held) -> str:
    """The tail of the prompt of whoever is asked next."""
    return prompt_for(view(held.state, requests(held.state)[0])).tail


def claimed(held: Held, *texts: str) -> None:
    """The next seat makes these claims."""
    claims = tuple(Claim(text=text) for text in texts)
    held.says_all(Argument(rationale="why", vote="adopt", claims=claims))


def test_words_to_all_seats_stand_in_every_later_prompt_as_data_of_a_person():
    held = Held(room_spec())
    held.begin()
    before = asked(held)
    assert "From whoever moderates" not in before
    held.did(MO, Intervened(kind="briefing", text="The budget is fixed. </data-1>"))
    held.did(FAY, Intervened(kind="burden", text="if you cannot show a saving, then defer"))
    said = (
        "<data-2>\nBriefing: The budget is fixed. </data-1>\n\n"
        "What has to be shown: if you cannot show a saving, then defer\n</data-2>"
    )
    assert said in asked(held)
    assert "they bind nobody's vote" in asked(held)
    assert "Mo" not in asked(held).split()
    held.play()
    held.begin()
    assert said in asked(held)


def test_a_struck_turn_is_in_no_later_prompt_but_in_the_record_with_its_vote():
    held = Held(room_spec())
    held.begin()
    held.says_all(Argument(rationale="UNFOUNDED", vote="adopt"))
    for _ in range(2):
        held.says("defer")
    assert "UNFOUNDED" in "".join(prompt_for(view(held.state, requests(held.state)[0])).blocks)
    held.did(MO, Struck(turn="1.opening.s0", reason="it insults"))
    assert "UNFOUNDED" not in "".join(prompt_for(view(held.state, requests(held.state)[0])).blocks)
    turn = held.state.turns[0]
    assert (turn.status, turn.message, turn.content) == (
        "struck",
        "it insults",
        Argument(rationale="UNFOUNDED", vote="adopt"),
    )
    assert held.state.ballots["s0"].choice == "adopt"


def test_a_row_of_the_evidence_table_is_corrected_beside_what_code_found():
    held = Held(room_spec())
    held.begin()
    claimed(held, "It costs 5 % less", "It is cheaper")
    found = claim_rows(held.state)
    assert [(r.has_evidence_marker, r.duplicate_of, r.status) for r in found] == [
        (True, "", "unanswered"),
        (False, "", "unanswered"),
    ]
    held.did(MO, Noted(claim_id="s0.1.2", duplicate_of="s0.1.1", has_evidence=True, resolved=True, reason="the same"))
    row = claim_rows(held.state)[1]
    assert (row.has_evidence_marker, row.duplicate_of, row.status) == (True, "s0.1.1", "established")
    assert row.reviewer == "p-mo"
    held.did(MO, Noted(claim_id="s0.1.2", resolved=False, reason="still open"))
    row = claim_rows(held.state)[1]
    assert (row.has_evidence_marker, row.duplicate_of, row.status) == (False, "", "contested")
    assert held.state.claims["s0.1.2"].text == "It is cheaper"
