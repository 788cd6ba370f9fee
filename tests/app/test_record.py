"""Record: counted again on screen, every event in words, a file checked without being kept. Warm and cold."""

import pytest
from streamlit.testing.v1 import AppTest

from bench.tampering import exported
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Act, TakeTurn
from debate_core.record.events import dump_record
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.kit import session
from debate_core.ui.pages import record
from tests.app.visiting import at, drawings, new_browser, on_the_wall, told
from tests.people import ABE, FAY, room_spec, whole_workshop
from tests.playing import Played

VOTERS = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", role="voter", electorate="room") for n in range(1, 5))
VOTES = {"ana": "revise", "ben": "release", "cyd": "revise"}


def decided(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in VOTES]
    debate_id = host.create(compose("Ship it?", ["release", "revise"], protocol("bounded_vote"), seats), by="ana")
    for name, vote in VOTES.items():
        content = Argument.model_validate({"rationale": f"{name} says so.", "vote": vote, "claims": ["It costs $5"]})
        host.submit(debate_id, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=content))
    return debate_id


def page(app: AppTest, debate_id: str | None) -> AppTest:
    if debate_id:
        app.query_params["id"] = debate_id
    app.switch_page("record.py").run()
    assert not app.exception
    return app


def test_without_a_debate_a_file_can_be_checked_all_the_same(app: AppTest):
    page(app, None)
    assert [h.value for h in app.header] == ["Check a file"]


# R152
def test_the_record_is_counted_again_on_screen(app: AppTest, host: Host):
    debate_id = decided(host)
    state = host.state(debate_id)
    page(app, debate_id)
    verdict, checked = app.info[0].value.split("  \n")
    assert verdict == "**Unchanged · not signed yet**"
    assert checked == "Just checked: nothing was changed, and the votes, counted again, give the same result."
    proofs = [caption.value for caption in app.expander(key="proofs").caption]
    assert proofs[0].startswith(f"Checked: {state.version} entries. ")
    assert proofs[1].startswith("No entry was changed since this server ")
    (strip,) = drawings(app, "strip")
    assert (strip["status"], strip["headline"]) == ("Decided, not signed", "revise")
    assert app.code[0].value == state.head
    what = happened(app)
    assert "Ana gave proposal, round 1; vote: revise; 1 claim" in what
    assert what[-1] == "Closed: decided, revise; the rule had a winner"
    app.multiselect(key="record_kinds").set_value(["closed"]).run()
    assert happened(app) == what[-1:]


def happened(app: AppTest) -> list[str]:
    return [str(words).replace("\\", "") for words in app.table[0].value["What happened"]]


def test_the_record_says_who_signed_and_a_long_one_has_pages(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record, "MAX_ROWS", 4)
    debate_id = decided(host)
    signed = acts.Signed(
        verdict="accept",
        option="revise",
        reason="It is safer",
        owner="Ada",
        revisit="2027-03-01",
        assumptions=(acts.Assumption(text="Load stays low"),),
    )
    host.submit(debate_id, Act(by="Abe", act=signed))
    page(app, debate_id)
    assert app.success[0].value.startswith("**Unchanged · signed by Abe on ")
    first = happened(app)
    assert len(first) == 4
    app.session_state["record_page"] = 2
    app.run()
    assert happened(app) != first
    monkeypatch.setattr(record, "MAX_ROWS", 1000)
    app.run()
    assert happened(app)[-1] == (
        "Abe signed: accepted, revise, because: It is safer · Owner: Ada · Review on: 1 Mar 2027 · "
        "Holds as long as: Load stays low"
    )


def test_ballots_in_sequence_are_one_row_that_unfolds(app: AppTest, host: Host):
    held = Played(room_spec((FAY, *VOTERS)))
    held.act(FAY, acts.PollOpened(poll="pre"))
    for voter in VOTERS:
        held.act(voter, acts.BallotCast(poll="pre", choice="adopt"))
    debate = host.import_record(dump_record(held.events).encode())
    at(app, debate, FAY, "record.py")
    names = f"{VOTERS[0].name} … {VOTERS[-1].name}"
    assert happened(app)[-1] == f"{len(VOTERS)} ballots in the pre-vote, until {held.events[-1].at[11:19]}: {names}"
    assert not any(" " in time for time in app.table[0].value["Time"])
    assert sum(note.value.count(held.events[0].at[:4]) for note in app.caption) == 1
    app.toggle(key="record_ballots").set_value(True).run()
    assert happened(app)[-len(VOTERS) :] == [f"{voter.name} voted in the pre-vote" for voter in VOTERS]


def test_a_revealed_vote_has_its_count_for_those_who_may_know(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch
):
    host._store.append("d-room", whole_workshop().events, after=0)
    (revealed,) = [line for line in happened(at(app, "d-room", FAY, "record.py")) if "revealed the final vote" in line]
    assert "adopt 3" in revealed
    monkeypatch.setattr(session, "may_see_result", lambda *_: False)
    app.run()
    assert not any("adopt 3" in line for table in app.table for line in table.value["What happened"])


def test_a_long_record_begins_with_its_key_steps(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record, "MIN_LONG", 4)
    debate_id = decided(host)
    host.submit(debate_id, Act(by="Abe", act=acts.Signed(verdict="accept", option="revise")))
    page(app, debate_id)
    steps = happened(app)
    assert steps[-1].startswith("Abe signed")
    assert not [words for words in steps if "gave proposal" in words]
    app.segmented_control(key="record_view").set_value("all").run()
    assert len(happened(app)) == host.state(debate_id).version > len(steps)


def test_a_signature_that_does_not_fit_the_record_is_an_error(app: AppTest, host: Host):
    debate_id = decided(host)
    (closed,) = (event for event in host.events(debate_id) if event.kind == "closed")
    note = f"{debate_id}/{closed.seq}"
    kept = host._store.note("signature", note)
    assert kept is not None
    host._store.put_note("signature", note, kept.replace(closed.hash, "0" * 64))
    page(app, debate_id)
    assert app.success == []
    assert f"the signature of event {closed.seq} is not of this record" in app.error[0].value


def test_a_file_is_checked_without_being_kept(app: AppTest, host: Host):
    debate_id = decided(host)
    record = dump_record(host.events(debate_id)).encode()
    page(app, debate_id)
    app.file_uploader(key="check_file").set_value(("r.jsonl", record, "application/jsonl")).run()
    assert (len(app.info), len(app.success)) == (1, 1)
    app.file_uploader(key="check_file").set_value(("r.jsonl", record[:-20], "application/jsonl")).run()
    assert "line" in app.error[0].value
    assert len(host.debates()) == 1


def test_a_finished_debate_can_be_watched_again_as_a_rehearsal(app: AppTest, host: Host):
    debate = decided(host)
    page(app, debate)
    next(b for b in app.button if b.label == "Play it again as a rehearsal").click().run()
    again = next(row for row in host.debates() if row.id != debate)
    assert again.rehearsal
    assert [e.kind for e in host.events(debate)][-1] == "closed"


def test_people_of_an_imported_room_read_how_to_get_a_link(app: AppTest, host: Host):
    held = Played(room_spec())
    debate = host.import_record(dump_record(held.events).encode())
    page(app, debate)
    assert ways_back(app) == [f"The operator runs `python -m debate_core link {debate}`."]
    at(app, debate, FAY, "record.py")
    assert ways_back(app) == []
    at(app, decided(host), None, "record.py")
    assert ways_back(app) == []


def ways_back(app: AppTest) -> list[str]:
    """The help of each sentence that sends people to the operator for a new link."""
    said = "Ask the operator of the server for a new one."
    return [c.proto.help for c in app.caption if said in c.value]


def test_an_imported_record_is_marked_on_every_screen(app: AppTest, host: Host):
    held = whole_workshop()
    # Among what waits for a signature.
    held.act(ABE, acts.Signed(verdict="escalate", reason="not ours to decide"))
    debate = host.import_record(exported(held.events).record)
    app.run()
    assert marks(app) == 1
    for where in ("room.py", "results.py"):
        assert marks(at(new_browser(), debate, None, where)) == 1, where
    wall = on_the_wall(at(new_browser(), debate, None, "screen.py"))
    assert "From a file, origin not known" in wall["frame"]["chips"]


def marks(app: AppTest) -> int:
    """Badges, and chips of drawn rows, that say it."""
    badges = sum("-badge[" in m.value and "From a file, origin not known" in m.value for m in app.markdown)
    drawn = "".join(str(e.proto.json) for e in app.get("bidi_component"))
    return badges + drawn.count('"From a file, origin not known"')


def test_an_imported_record_is_marked_until_it_is_checked(app: AppTest, host: Host):
    held = Played(room_spec())
    held.go_on()
    held.to_the_end()
    whole = exported(held.events)
    debate = host.import_record(whole.record)
    page(app, debate)
    assert "does not prove who held the debate" in told(app)
    app.file_uploader(key="signatures").set_value(("signatures.json", whole.signatures.encode(), "application/json"))
    app.text_input(key="signer").set_value("00" * 32).run()
    check = next(b for b in app.button if b.label == "Check the signatures")
    check.click().run()
    assert "not of this record, or not by this key" in app.error[0].value
    app.text_input(key="signer").set_value(whole.key).run()
    next(b for b in app.button if b.label == "Check the signatures").click().run()
    assert not app.exception
    assert whole.key in [code.value for code in app.code]
    assert not host.is_origin_unknown(debate)
