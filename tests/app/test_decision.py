"""The decision desk: who signs what, what is needed, dissent word for word, and that it all stays. Warm and cold."""

import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.git.repository import GitTarget
from debate_core.host.host import Host
from debate_core.record.acts import Assumption, Dissented, OutcomeRecorded, PersonChanged, PollOpened, Signed
from debate_core.record.commands import Act, TakeTurn
from debate_core.report.facts.decision import decision_of
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.results import sign_off
from tests.app.visiting import drawings, new_browser, press_label, unfolded
from tests.core.test_adr import argued
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, room_spec
from tests.playing import Played

VOTES = {"ana": "revise", "ben": "release", "cyd": "revise"}


@pytest.fixture
def over(host: Host) -> str:
    """A debate without a room that counted `revise`."""
    seats = [Seat(id=name, occupant="human") for name in VOTES]
    debate_id = host.create(compose("Do we ship it?", ["release", "revise"], protocol("bounded_vote"), seats), by="ana")
    for name, vote in VOTES.items():
        said = Argument(rationale="It costs $5.", vote=vote)
        host.submit(debate_id, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=said))
    return debate_id


def page(app: AppTest, name: str, debate_id: str, tab: str = "Overview") -> AppTest:
    """The page with this tab open, and the desk that its button opens."""
    app.query_params["id"], app.query_params["tab"] = debate_id, tab
    app.session_state[sign_off.OPEN] = True
    app.switch_page(name).run()
    assert not app.exception
    return app


def field(app: AppTest, kind: str, label: str) -> Any:
    return next(e for e in app.get(kind) if label in getattr(e, "label", ""))


def choice_of(app: AppTest) -> Any:
    """The choice of what is signed."""
    return field(app, "button_group", "Your signature")


def told(app: AppTest) -> str:
    parts = (*app.header, *app.subheader, *app.markdown, *app.caption, *app.error, *app.warning, *app.info)
    return "\n".join(str(e.value) for e in parts).replace("\\", "")


def test_the_signature_badge_is_in_the_readers_language(
    app: AppTest, host: Host, over: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ContextProxy, "cookies", {"language": "de"})
    host.submit(over, Act(by="Abe", act=Signed(verdict="escalate", reason="The law asks for it")))
    assert "Eskaliert: wartet auf eine Entscheidung" in told(page(app, "results.py", over))


def test_signing_at_one_screen_needs_a_name_and_keeps_both(app: AppTest, host: Host, over: str):
    page(app, "results.py", over)
    assert "2 of 3 seats, 2 needed" in told(app)
    assert drawings(app, "hero")[0]["status"] == "Decided, not signed"
    press_label(app, "Accept and sign")
    assert "Enter your name" in told(app)
    assert not [box for box in app.selectbox if box.label == "Option"]
    choice_of(app).set_value("other").run()
    field(app, "selectbox", "Option").select("release").run()
    field(app, "text_input", "Your name").input("Abe <b>").run()
    press_label(app, "Accept and sign")
    assert "the count says revise: to decide release needs a reason, and both are kept" in told(app)
    assert decision_of(host.state(over)).signed is None
    field(app, "text_input", "Reason (needed: the count says revise").input("the law asks for it").run()
    field(app, "date_input", "Review on").set_value(date(2027, 3, 1)).run()
    press_label(app, "Accept and sign")
    found = decision_of(host.state(over))
    assert found.signed is not None
    assert (found.counted, found.option, found.signed.by.name) == ("revise", "release", "Abe <b>")
    # The decision names its signer once.
    (hero,) = drawings(app, "hero")
    assert [fact[:2] for fact in hero["facts"][:1]] == [["Decided by", "Abe <b>, against the count"]]
    assert hero["facts"][1][0] == "Signed"
    text = told(app)
    assert "accepted **release**" not in text
    assert "The count says **revise**. The approver chose another result; both stay in the record." in text


def test_signing_again_begins_with_the_option_signed_before(app: AppTest, host: Host, over: str):
    host.submit(over, Act(by="Abe", act=Signed(verdict="accept", option="release", reason="The law asks for it")))
    page(app, "results.py", over)
    assert (choice_of(app).value, field(app, "selectbox", "Option").value) == ("other", "release")


def test_a_press_sets_the_day_of_the_review(app: AppTest, host: Host, over: str):
    page(app, "results.py", over)
    field(app, "text_input", "Your name").input("Abe").run()
    press_label(app, "in a year")
    day = field(app, "date_input", "Review on").value
    assert 360 <= (day - datetime.now(UTC).date()).days <= 366
    press_label(app, "Accept and sign")
    signed = decision_of(host.state(over)).signed
    assert signed is not None
    assert signed.word.revisit == day.isoformat()


def test_signing_again_replaces_and_the_earlier_one_stays(app: AppTest, host: Host, over: str):
    page(app, "results.py", over)
    for verdict in ("accept", "escalate"):
        unfolded(app, sign_off.OPEN).run()
        if verdict == "escalate":
            choice_of(app).set_value(verdict).run()
        field(app, "text_input", "Reason").input("The board decides." if verdict == "escalate" else "").run()
        field(app, "text_input", "Your name").input("Abe").run()
        press_label(app, f"{verdict.capitalize()} and sign")
    found = decision_of(host.state(over))
    assert [s.word.verdict for s in (*found.earlier, found.signed) if s] == ["accept", "escalate"]
    assert "Escalated: waits for a decision" in told(unfolded(app, sign_off.OPEN).run())
    assert [e.label for e in app.expander if "Earlier" in e.label] == ["Earlier signatures: 1"]


def test_dissent_and_what_became_of_it_are_put_on_record(app: AppTest, host: Host, over: str):
    page(app, "results.py", over)
    field(app, "text_area", "Word for word").input("# It costs $5/month").run()
    for named in app.text_input:
        if "Your name" in named.label:
            named.input("Ann")
    app.run()
    press_label(app, "Record this statement")
    unfolded(app, sign_off.OPEN).run()
    field(app, "text_area", "How you know").input("it runs").run()
    for named in app.text_input:
        if "Your name" in named.label:
            named.input("Ann")
    app.run()
    press_label(app, "Record it")
    found = decision_of(host.state(over))
    assert [(d.kind, d.text, d.by and d.by.name) for d in found.dissents] == [("dissent", "# It costs $5/month", "Ann")]
    assert [(o.result, o.option, o.reason) for o in found.later] == [("unknown", None, "it runs")]
    assert "# It costs $5/month" in told(unfolded(app, sign_off.OPEN).run())


def test_a_dissent_that_is_half_written_survives_a_reload(app: AppTest, host: Host, over: str):
    field(page(app, "results.py", over), "text_area", "Word for word").input("It costs more than").run()
    cold = page(new_browser(), "results.py", over)
    assert field(cold, "text_area", "Word for word").value == "It costs more than"
    for named in cold.text_input:
        if "Your name" in named.label:
            named.input("Ann")
    cold.run()
    press_label(cold, "Record this statement")
    assert [d.text for d in decision_of(host.state(over)).dissents] == ["It costs more than"]
    assert field(unfolded(cold, sign_off.OPEN).run(), "text_area", "Word for word").value == ""


def test_the_same_is_there_when_the_server_was_started_anew(app: AppTest, host: Host, over: str):
    page(app, "results.py", over)
    field(app, "text_input", "Your name").input("Abe").run()
    press_label(app, "Accept and sign")
    cold = page(new_browser(), "results.py", over)
    assert "Abe** accepted **revise**" in told(cold)


def test_nothing_is_there_to_sign_while_the_debate_goes_on(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in VOTES]
    spec = compose("Do we ship it?", ["release", "revise"], protocol("bounded_vote"), seats)
    debate_id = host.create(spec, by="ana")
    assert not any("and sign" in b.label for b in page(app, "results.py", debate_id).button)


def in_room(host: Host, played: Played) -> str:
    host._store.append("d-room", played.events, after=0)
    return "d-room"


def looked_at_by(app: AppTest, person: Person, page_name: str = "room.py") -> AppTest:
    app.run()
    app.session_state["people_here"] = {"d-room": person.id}
    return page(app, page_name, "d-room")


def test_only_the_approver_signs_and_others_see_who_is_awaited(app: AppTest, host: Host):
    held = Played(room_spec(rounds=1))
    held.to_the_end()
    in_room(host, held)
    looked_at_by(app, ANN)
    assert "Waiting for the signature of Abe." in told(app)
    assert not any("and sign" in b.label for b in app.button)
    app.session_state["people_here"] = {"d-room": ABE.id}
    press_label(app.run(), "Accept and sign")
    signed = decision_of(host.state("d-room")).signed
    assert signed is not None
    assert (signed.by.name, signed.by.role, signed.word.option) == ("Abe", "approver", "adopt")


def test_a_repeated_choice_of_signer_counts_once(app: AppTest, host: Host):
    held = Played(room_spec([person for person in EVERYBODY if person != ABE], rounds=1))
    held.to_the_end()
    in_room(host, held)
    looked_at_by(app, FAY, "room.py")
    app.pills(key="who-signs").select(ANN.id)
    choice = [field for field in app._tree.get_widget_states().widgets if "who-signs" in field.id]
    app.run()
    sent = app._tree.get_widget_states()
    sent.widgets.extend(choice)
    app._run(sent)
    assert not app.exception
    named = [changed.person.role for changed in host.state("d-room").room.facts(PersonChanged)]
    assert named == ["approver"]
    assert "nothing would change for" not in told(app)


def test_an_undecided_count_preselects_no_verdict(app: AppTest, host: Host):
    held = Played(room_spec(rounds=1))
    held.go_on()
    while held.state.outcome is None:
        held.say("abstain")
    in_room(host, held)
    looked_at_by(app, ABE)
    assert choice_of(app).value is None
    assert "The vote was undecided. Choose an outcome to continue." in told(app)
    assert not any("and sign" in b.label for b in app.button)
    choice_of(app).set_value("escalate").run()
    # R290: what is not accepted needs a reason
    press_label(app, "Escalate and sign")
    assert "to escalate needs a reason" in told(app)
    field(app, "text_input", "Reason (needed)").input("The board decides.").run()
    press_label(app, "Escalate and sign")
    signed = decision_of(host.state("d-room")).signed
    assert signed is not None
    assert (signed.word.verdict, signed.word.option) == ("escalate", None)


def test_what_the_approver_has_typed_survives_a_reload(app: AppTest, host: Host):
    held = Played(room_spec(rounds=1))
    held.to_the_end()
    in_room(host, held)
    looked_at_by(app, ABE)
    choice_of(app).set_value("accept_with_changes").run()
    field(app, "text_area", "Which changes").input("in one region first").run()
    field(app, "text_input", "Owner").input("Ola").run()
    again = looked_at_by(new_browser(), ABE)
    assert choice_of(again).value == "accept_with_changes"
    press_label(again, "Accept with changes and sign")
    signed = decision_of(host.state("d-room")).signed
    assert signed is not None
    assert (signed.word.changes, signed.word.owner) == ("in one region first", "Ola")
    # The next word begins with empty reasons, and with who sees to it.
    assert choice_of(again).value == "accept"
    assert field(again, "text_input", "Owner").value == "Ola"
    # R290: a decision accepted with changes is not final; it comes back with them
    assert "Changes first, then a new signature" in told(again)
    assert field(again, "text_area", "The changes that were made").value == "in one region first"
    press_label(again, "Accept and sign")
    found = decision_of(host.state("d-room"))
    assert (found.status, found.signed and found.signed.word.changes) == ("accepted", "in one region first")


def test_assumptions_survive_a_reload_and_are_signed(app: AppTest, host: Host):
    held = argued()
    in_room(host, held)
    looked_at_by(app, ABE)
    field(app, "text_area", "Assumptions").input(
        "Load stays low, as claim 1 says @Ana Lima\n\nNo new law (claim 2)"
    ).run()
    field(app, "text_area", "Parts of the system").input("services/**\n checkout").run()
    field(app, "button_group", "reversed?").set_value("one-way-door").run()
    again = looked_at_by(new_browser(), ABE)
    assert field(again, "button_group", "reversed?").value == "one-way-door"
    press_label(again, "Accept and sign")
    signed = decision_of(host.state("d-room")).signed
    assert signed is not None
    assert (signed.word.affects, signed.word.reversibility) == (("services/**", "checkout"), "one-way-door")
    assert signed.word.assumptions == (
        Assumption(text="Load stays low, as claim 1 says", watched_by="Ana Lima", claim_id="s0.1.1"),
        Assumption(text="No new law", claim_id="s0.1.2"),
    )
    shown = told(again)
    assert "Load stays low, as claim 1 says (watched by Ana Lima)" in shown
    assert "No new law (claim 2)" in shown
    assert "Hard to reverse" in shown
    # The next signature begins with them.
    assert field(again, "text_area", "Assumptions").value == (
        "Load stays low, as claim 1 says @Ana Lima\nNo new law (claim 2)"
    )


def test_what_others_put_on_record_meanwhile_empties_no_field(app: AppTest, host: Host):
    bea = Person(id="p-bea", name="Bea", role="approver")
    held = Played(room_spec((*EVERYBODY, bea), rounds=1))
    held.to_the_end()
    in_room(host, held)
    looked_at_by(app, ABE)
    texts = (("Reason", "It holds."), ("Word for word", "Too soon."), ("How you know", "It runs."))
    kinds = {"Reason": "text_input", "Word for word": "text_area", "How you know": "text_area"}
    for label, typed in texts:
        field(app, kinds[label], label).input(typed).run()
    host.submit("d-room", Act(by=BEN.id, act=Dissented(kind="dissent", text="Never.")))
    host.submit("d-room", Act(by=bea.id, act=Signed(verdict="accept", option="adopt")))
    host.submit("d-room", Act(by=FAY.id, act=OutcomeRecorded(result="held", reason="Seen.")))
    app.run()
    buttons = {"How you know": "Record it", "Word for word": "Record this statement", "Reason": "Accept and sign"}
    for label, button in buttons.items():
        assert field(app, kinds[label], label).value
        press_label(app, button)
        assert field(app, kinds[label], label).value == ""
    found = decision_of(host.state("d-room"))
    assert [d.text for d in found.dissents] == ["Never.", "Too soon."]
    assert [o.reason for o in found.later] == ["Seen.", "It runs."]
    assert found.signed is not None
    assert (found.signed.by.name, found.signed.word.reason) == ("Abe", "It holds.")


def test_what_keeps_the_approver_from_signing_is_said(app: AppTest, host: Host):
    held = Played(room_spec(rounds=1, decides="panel"))
    held.to_the_end()
    in_room(host, held)
    assert "Not yet: the final vote is not counted and revealed." in told(looked_at_by(app, ABE))
    host.submit("d-room", Act(by=FAY.id, act=PollOpened(poll="final")))
    text = told(app.run())
    assert "Not yet: the final vote is not counted and revealed." in text
    assert "The final vote of the named people decides; it is not counted and revealed yet." in text


def test_before_the_end_the_approver_knows_what_comes(app: AppTest, host: Host):
    in_room(host, Played(room_spec()))
    assert "You sign the decision here when the debate is over." in told(looked_at_by(app, ABE))


def test_the_decision_record_is_shown_before_it_is_taken(app: AppTest, host: Host, over: str):
    page(app, "results.py", over, "Files")
    shown = app.code[-1].value
    assert 'Chosen option: "revise", because 2 of 3 seats chose it. 2 were needed.' in shown
    assert "(a person)" in shown
    # Its first page is in sight, the whole one press away.
    first_page, whole = [m.value.replace("\\", "") for m in app.markdown if m.value.startswith("#### ")]
    decided = "- **Decision:** Decided by the seats: revise. Not signed."
    assert first_page.startswith(f"#### Do we ship it: revise\n\n{decided}\n")
    assert "\n- **Validity:** No one has signed it yet: its status is “proposed” (" in first_page
    assert whole.startswith(f"{first_page}\n\n##### Context and Problem Statement")
    front = next(c.value for c in app.caption if c.value.startswith("Status: "))
    assert "\nConsulted: ana \\(a person\\), " in front
    field(app, "toggle", "Roles instead of names").set_value(True).run()
    assert "debater-1 (a person)" in app.code[-1].value
    field(app, "selectbox", "Form").select("log4brains").run()
    assert "- Status: proposed" in app.code[-1].value
    assert host.state(over).head in told(app)


def test_the_operators_repository_takes_the_decision(
    app: AppTest, host: Host, over: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    page(app, "results.py", over, "Files")
    assert "adr-git" not in {button.key for button in app.button}
    repository = tmp_path / "decisions.git"
    monkeypatch.setattr(host, "git", GitTarget(str(repository)))
    app.run().button(key="adr-git").click().run()
    assert f"{repository} is neither a folder" in told(app)
    subprocess.run(["git", "init", "--quiet", "--bare", str(repository)], check=True)
    app.button(key="adr-git").click().run()
    [said] = [box.value.replace("\\", "") for box in app.success]
    assert said == "docs/decisions/0001-do-we-ship-it.md is on the branch decision/0001-do-we-ship-it."
    show = ["git", "-C", str(repository), "show", "decision/0001-do-we-ship-it:docs/decisions/README.md"]
    listed = subprocess.run(show, check=True, capture_output=True, text=True).stdout
    assert "Do we ship it: revise | proposed" in listed


def test_what_if_keeps_the_agreed_result_and_records_nothing(app: AppTest, host: Host, over: str):
    before = host.state(over).version
    page(unfolded(app, "vote-detail", "what-if"), "results.py", over, "Votes")
    assert ":material/lock: Agreed, 2 votes needed → **revise**" in told(app)
    assert "1 changed ballot would change this result." in told(app)
    field(app, "slider", "Votes needed").set_value(3).run()
    assert "What if, 3 votes needed → **nothing decided**" in told(app)
    field(app, "slider", "Votes needed").set_value(2).run()
    field(app, "multiselect", "Without these voters").set_value(["ana"]).run()
    assert "What if, 2 votes needed → **nothing decided**" in told(app)
    field(app, "selectbox", "Rule").select_index(1).run()
    assert "What if, plurality → **release and revise tied**" in told(app)
    assert ":material/lock: Agreed, 2 votes needed → **revise**" in told(app)
    assert not app.exception
    assert host.state(over).version == before


def test_card_has_reason_and_review_of_a_signature(app: AppTest, host: Host, over: str):
    word = Signed(verdict="accept", option="revise", reason="It holds", revisit="2999-01-01")
    host.submit(over, Act(by="Abe", act=word))
    (hero,) = drawings(page(app, "results.py", over), "hero")
    assert list(hero["reasons"][0]) == ["Reason", "It holds."]
    assert ["Review", "1 Jan 2999", ""] in [list(fact) for fact in hero["facts"]]
    # Below the tabs it is said no second time: only the desk repeats it.
    assert told(app).count("It holds") == 1
    host.submit(over, Act(by="Abe", act=OutcomeRecorded(result="reversed", reason="it broke")))
    (hero,) = drawings(page(app, "results.py", over), "hero")
    label, since = hero["reasons"][0]
    assert (label, hero["status"]) == ("Since then", "Reversed since")
    assert since.endswith(": reversed. It broke.")
    assert "Review" not in [fact[0] for fact in hero["facts"]]


def test_signer_reads_their_role_and_the_effect_of_each_choice(app: AppTest, host: Host):
    held = Played(room_spec((*EVERYBODY,), rounds=1))
    held.to_the_end()
    in_room(host, held)
    (hero,) = drawings(looked_at_by(app, ABE, "results.py"), "hero")
    assert hero["when"].endswith(" · still to sign: Abe")
    text = told(page(app, "room.py", "d-room"))
    assert "You sign as Abe, approver: **Accept: adopt**" in text
    # The counted option is in force unless the signer chooses: the button names what the signature does.
    assert choice_of(app).value == "accept"
    assert "Accept and sign" in [b.label for b in app.button]
    choice_of(app).set_value("reject").run()
    assert "Reject and sign" in [b.label for b in app.button]
    assert "Reject: none of the options becomes the decision." in told(app)


def test_dissent_is_read_beside_the_decision(app: AppTest, host: Host, over: str):
    text = " ".join(f"word{n}" for n in range(60))
    host.submit(over, Act(by="Dee", act=Dissented(kind="dissent", text=text)))
    (hero,) = drawings(page(app, "results.py", over), "hero")
    (told_by_dee,) = [words for label, words in hero["others"] if label.endswith(", Dee")]
    assert told_by_dee.startswith("word0 word1 ")
    assert told_by_dee.endswith("word39 …")
