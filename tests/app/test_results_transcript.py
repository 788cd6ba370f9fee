"""The transcript of the results: two lines a turn, acts and messages where they came, links, names of a meeting."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import TakeTurn
from debate_core.record.events import dump_record
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Unanimity
from debate_core.spec.values import Seat
from tests.app.visiting import at, begun, did, gives, new_browser, parts_of, press_part, results
from tests.core.test_transcript_record import TALK, record_of, reviewed
from tests.people import FAY, MO


def shown(app: AppTest) -> list[dict[str, object]]:
    """The entries of the transcript on this page; empty without one."""
    return [entry for part in parts_of(app, "transcript") for entry in part["entries"]]


def argument(text: str, *claims: Claim) -> Argument:
    return Argument(rationale=text, vote="wait", claims=claims)


def two_turns(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Buy it?", ["buy", "wait"], protocol("bounded_vote"), seats), by="fay")
    dear = (Claim(text="It is dear."), Claim(text="It is late."))
    host.submit(debate, TakeTurn(by="ana", request="1.proposal.ana.1", content=argument("It costs.", *dear)))
    agreeing = argument("True.", Claim(text="So we wait.", concedes=("ana.1.1",)))
    host.submit(debate, TakeTurn(by="ben", request="1.proposal.ben.1", content=agreeing))
    return debate


def test_turn_shows_vote_first_claim_and_concession(app: AppTest, host: Host):
    entries = shown(results(app, two_turns(host), "Transcript"))
    lines = [(e["who"], e["vote"], e["letter"], e["claims"], e["concedes"]) for e in entries]
    assert lines == [
        ("Ana", "wait", "B", [of("ana.1.1", 1, "It is dear."), of("ana.1.2", 2, "It is late.")], []),
        ("Ben", "wait", "B", [of("ben.1.1", 3, "So we wait.")], ["claim 1"]),
    ]


def test_only_a_changed_mind_is_told_as_a_change(app: AppTest, host: Host):
    phases = (Phase(name="opening", order="at_once"), Phase(name="reply"))
    play = Protocol(name="own", each_round=phases, stop=(MaxRounds(),), decide=Unanimity())
    seats = [Seat(id=name, occupant="human", stance="buy") for name in ("ana", "ben")]
    debate = host.create(compose("Buy it?", ["buy", "wait"], play, seats, max_rounds=1), by="fay")
    while asked := requests(host.state(debate)):
        vote = "buy" if asked[0].seat == "ana" or asked[0].phase == "opening" else "wait"
        said = Argument(rationale="So.", vote=vote)
        host.submit(debate, TakeTurn(by=asked[0].seat, request=asked[0].id, content=said))
    entries = shown(results(app, debate, "Transcript"))
    votes = [(e["who"], e["was"], e["was_letter"], e["vote"]) for e in entries if e["vote"]]
    assert votes[:2] == [("Ana", "", "", "buy"), ("Ben", "", "", "buy")]
    assert sorted(votes[2:]) == [("Ana", "buy", "A", "buy"), ("Ben", "buy", "A", "wait")]
    # The side of a seat is told where it is not its vote.
    assert [e["beside"] for e in entries if e["vote"] == "wait"] == ["assigned: buy"]


def of(claim_id: str, number: int, text: str) -> dict[str, object]:
    return {"id": claim_id, "number": number, "text": text}


def test_address_of_a_turn_opens_the_transcript_there(app: AppTest, host: Host):
    debate = two_turns(host)
    at(app, debate, None, "results.py", tab="Transcript", turn="1.proposal.ben.1")
    (part,) = parts_of(app, "transcript")
    assert part["at"] == "1.proposal.ben.1"
    assert (part["debate"], part["groups"]) == (debate, ["Round 1 · proposal"])
    assert not app.info
    at(app, debate, None, "results.py", tab="Transcript", turn="1.proposal.eve.1")
    assert "not in the transcript" in app.info[0].value


def test_claim_of_a_turn_opens_the_evidence_and_back(app: AppTest, host: Host):
    debate = two_turns(host)
    press_part(results(app, debate, "Transcript"), "transcript", "open", "ana.1.2")
    assert parts_of(app, "evidence")[0]["at"] == "ana.1.2"
    press_part(app, "evidence", "turn", "1.proposal.ana.1")
    assert parts_of(app, "transcript")[0]["at"] == "1.proposal.ana.1"
    assert app.query_params["tab"] == "Transcript"


def test_messages_acts_and_people_are_told_apart(app: AppTest, host: Host):
    debate = begun(host)
    gives(host, debate)
    (turn,) = host.state(debate).all_turns()
    did(host, debate, MO, acts.Intervened(kind="question", text="Who pays?"))
    did(host, debate, MO, acts.Struck(turn=str(turn.address()), reason="off topic"))
    entries = shown(results(app, debate, "Transcript", FAY))
    kinds = {str(entry["kind"]): entry for entry in entries}
    assert set(kinds) == {"person", "moderation", "override"}
    assert (kinds["person"]["text"], kinds["person"]["status"]) == ("", "struck off topic")
    assert "Who pays?" in str(kinds["moderation"]["text"])
    assert str(kinds["override"]["text"]).endswith("(given → struck): off topic")


def test_transcript_hides_turns_of_a_sealed_phase(app: AppTest, host: Host):
    seats = tuple(Seat(id=name, occupant="human") for name in ("ana", "ben"))
    phase = Phase(name="open", order="at_once", sealed=True)
    rules = Protocol(name="own", each_round=(phase,), stop=(MaxRounds(),), decide=Unanimity())
    spec = Spec(question="Buy it?", options=("buy", "wait"), seats=seats, protocol=rules, max_rounds=1)
    debate = host.create(spec, by="fay")
    said = argument("sealedword", Claim(text="claimword"))
    host.submit(debate, TakeTurn(by="ana", request="1.open.ana.1", content=said))
    results(app, debate, "Transcript")
    assert "No one has spoken yet." in [caption.value for caption in app.caption]
    assert "word" not in str(shown(app))
    assert not app.get("download_button")
    host.submit(debate, TakeTurn(by="ben", request="1.open.ben.1", content=argument("why")))
    (ana, _ben) = shown(results(new_browser(), debate, "Transcript"))
    assert (ana["text"], ana["claims"]) == ("sealedword", [of("ana.1.1", 1, "claimword")])


def test_transcript_offers_its_table(app: AppTest, host: Host):
    debate = two_turns(host)
    while host.state(debate).outcome is None:
        answers(host, debate)
    labels = [button.proto.label for button in results(app, debate, "Transcript").get("download_button")]
    assert labels == ["Transcript (CSV)"]
    labels = [button.proto.label for button in results(app, debate, "Evidence").get("download_button")]
    assert labels == ["Claims (CSV)"]


def answers(host: Host, debate: str) -> None:
    asked = requests(host.state(debate))[0]
    host.submit(debate, TakeTurn(by=asked.seat, request=asked.id, content=argument("why")))


def test_speakers_of_a_meeting_keep_their_written_names(app: AppTest, host: Host):
    debate = host.import_record(dump_record(record_of(reviewed(TALK))).encode())
    entries = shown(results(app, debate, "Transcript"))
    assert [(e["who"], e["beside"]) for e in entries] == [
        ("Ann Lee", "0:00:03"),
        ("Bo Kim", "0:00:07"),
        ("Ann Lee", "1:00:20"),
    ]
    (part,) = parts_of(app, "transcript")
    assert part["groups"] == [""]
    (evidence,) = parts_of(results(app, debate, "Evidence"), "evidence")
    assert {claim["who"] for claim in evidence["claims"]} == {"Ann Lee", "Bo Kim"}


def test_debate_without_turns_says_so(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Buy it?", ["buy", "wait"], protocol("bounded_vote"), seats), by="fay")
    assert "No one has spoken yet." in [caption.value for caption in results(app, debate, "Transcript").caption]
