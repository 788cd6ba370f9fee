"""The judge's desk without a browser: what is shown when, shared percentages, what is recorded, what is kept sealed."""

import re

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.engine import judge_view
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Act, TakeTurn
from debate_core.record.events import dump_record
from debate_core.report.facts.judgements import CRITERIA
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat
from debate_core.ui.room.live.transcript import news
from debate_core.ui.room.role_panels.judge.desk import PARTS
from tests.app.visiting import drawings, new_browser, tells, words
from tests.marking import quoted
from tests.people import ABE, ANN, EVERYBODY, FAY, JOE, JUNE, OPTIONS, belief, judged, room_spec
from tests.playing import Played


@pytest.fixture(autouse=True)
def _no_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulated browser has no cookies; the debate that it opened identifies its person."""
    monkeypatch.setattr(ContextProxy, "cookies", {})


def looks(app: AppTest, host: Host, played: Played, who: Person | None, page: str = "room.py") -> AppTest:
    """A debate as one person finds it on a page."""
    debate = host.import_record(dump_record(played.events).encode())
    if who is not None:
        app.session_state["people_here"] = {debate: who.id}
    app.query_params["id"] = debate
    app.switch_page(page).run()
    assert not app.exception
    return app


def done(host: Host, kind: type[acts.RoomAct]) -> list[acts.RoomAct]:
    return [d.fact for d in host.state("d-room").room.of(kind)]


def turns_read(app: AppTest) -> list[str]:
    """The speakers of a round, turn by turn from the first one."""
    read = [app.selectbox[0].options[0].split(" · ")[1]]
    while not app.button(key=NEXT).disabled:
        app.button(key=NEXT).click().run()
        read.append(next(m.value for m in app.markdown if m.value.startswith("**Speaker")).split("**")[1])
    return read


def speakers_of(host: Host, number: int) -> list[str]:
    return [turn.speaker for turn in judge_view.reading(host.state("d-room"), JUNE.id, number)]


NEXT = "judge-arrow_forward"


def after_round_1(spec: Spec | None = None) -> Played:
    held = Played(spec or room_spec((*EVERYBODY, JOE)))
    held.go_on()
    held.play()
    return held


def test_only_a_judge_sees_the_desk_and_the_lobby_announces_it(app: AppTest, host: Host):
    looks(app, host, Played(room_spec()), JUNE)
    assert "You judge" in words(app)
    assert "The debate has not begun yet" in words(app)
    assert not drawings(app, "probs")


@pytest.mark.parametrize("who", [FAY, None])
def test_others_have_no_desk(app: AppTest, host: Host, who: Person | None):
    looks(app, host, after_round_1(), who)
    assert not drawings(app, "probs")
    assert "0 of 2 judges in" in app.get("progress")[0].proto.text


def test_while_a_round_is_held_nothing_is_asked(app: AppTest, host: Host):
    held = Played(room_spec())
    held.go_on()
    held.say()
    looks(app, host, held, JUNE)
    assert "You judge round 1 when it is over" in {h.value for h in app.subheader}
    assert "**0 of 2 rounds judged.**" in words(app)
    # There is nothing to rate or to compare yet.
    assert "judge-part" not in app.session_state


def test_percentages_set_during_a_round_are_given_after_it(app: AppTest, host: Host):
    held = Played(room_spec())
    held.go_on()
    held.say()
    looks(app, host, held, JUNE)
    tells(app, "probs", [14, 72, 14])
    assert "You can give them when round 1 is over." in words(app)
    assert not any(button.key == "give-beliefs" for button in app.button)
    n_before = len(held.events)
    held.play()
    host._store.append("d-room", held.events[n_before:], after=n_before)
    cold = looks(new_browser(), host, held, JUNE)
    (asked,) = drawings(cold, "probs")
    assert (asked["given"], asked["unsaid"]) == ([14, 72, 14], "")


def test_each_round_a_judge_distributes_100_percent(app: AppTest, host: Host):
    held = after_round_1()
    looks(app, host, held, JUNE)
    shown = judge_view.option_order(held.state, JUNE.id)
    (asked,) = drawings(app, "probs")
    letter = letters(OPTIONS)
    assert [(o["option"], o["letter"]) for o in asked["options"]] == [(option, letter[option]) for option in shown]
    assert asked["given"] == [34, 33, 33]
    tells(app, "probs", [14, 72, 14])
    assert f"You think *{shown[1]}* is right: **72\u00a0%**" in words(app)
    assert any("0 is best, 1 worst" in (m.help or "") for m in app.markdown)
    tells(app, "probs", [20, 67, 13])
    app.button(key="give-beliefs").click().run()
    given = done(host, acts.BeliefReported)[0]
    assert isinstance(given, acts.BeliefReported)
    assert [(b.option, b.percent) for b in given.beliefs] == [*zip(shown, (20, 67, 13), strict=True)]
    assert (given.round, given.final, given.shown) == (1, False, shown)
    assert given.read_s is not None
    assert "Yours for this round are in" in words(app)
    assert drawings(app, "probs")[0]["given"] == [20, 67, 13]


@pytest.mark.parametrize("told", [[50, 50], [50, 50, 50], [100, 0, 0], ["34", 33, 33], "34", None, {"a": 100}])
def test_what_does_not_share_out_100_percent_is_not_taken(app: AppTest, host: Host, told: object):
    looks(app, host, after_round_1(), JUNE)
    tells(app, "probs", told)
    assert drawings(app, "probs")[0]["unsaid"].startswith("Not set yet")
    assert app.button(key="give-beliefs").disabled


def test_sliders_that_no_one_moved_are_no_answer(app: AppTest, host: Host):
    looks(app, host, after_round_1(), JUNE)
    assert app.button(key="give-beliefs").disabled
    assert app.button(key="give-beliefs").label.endswith(": set them first")
    assert drawings(app, "probs")[0]["unsaid"] == "Not set yet: tap a line, or"
    assert "equally likely: **" not in words(app)
    # The button of the drawing says equal shares.
    tells(app, "probs", [34, 33, 33])
    assert drawings(app, "probs")[0]["unsaid"] == ""
    app.button(key="give-beliefs").click().run()
    (given,) = done(host, acts.BeliefReported)
    assert isinstance(given, acts.BeliefReported)
    assert [b.percent for b in given.beliefs] == [34, 33, 33]


def test_a_draft_survives_a_reload(app: AppTest, host: Host):
    held = after_round_1()
    looks(app, host, held, JUNE)
    tells(app, "probs", [80, 10, 10])
    again = new_browser()
    looks(again, host, held, JUNE)
    assert drawings(again, "probs")[0]["given"] == [80, 10, 10]


@pytest.mark.parametrize("options", [OPTIONS, OPTIONS[::-1], ("x", "y", "z")])
def test_permuting_or_renaming_options_permutes_what_is_recorded(app: AppTest, host: Host, options: tuple[str, ...]):
    # Swap the options: the same movements of the same sliders give the same numbers to the same places.
    held = Played(room_spec().model_copy(update={"options": options}))
    held.go_on()
    held.play(options[0])
    looks(app, host, held, JUNE)
    tells(app, "probs", [53, 30, 17])
    app.button(key="give-beliefs").click().run()
    given = done(host, acts.BeliefReported)[0]
    assert isinstance(given, acts.BeliefReported)
    places = [OPTIONS.index(o) for o in judge_view.option_order(after_round_1(room_spec()).state, JUNE.id)]
    assert [options.index(o) for o in given.shown] == places
    assert [(options.index(b.option), b.percent) for b in given.beliefs] == [*zip(places, (53, 30, 17), strict=True)]


def test_a_reload_and_a_report_keep_the_reading_place(app: AppTest, host: Host):
    held = after_round_1()
    looks(app, host, held, JUNE)
    assert app.button(key="judge-arrow_back").disabled
    for _ in range(2):
        app.button(key=NEXT).click().run()
    assert app.selectbox[0].value == "2"
    again = new_browser()
    looks(again, host, held, JUNE)
    assert again.selectbox[0].value == "2"
    tells(again, "probs", [34, 33, 33])
    again.button(key="give-beliefs").click().run()
    assert again.selectbox[0].value == "2"
    again.selectbox[0].set_value("0").run()
    assert again.button(key="judge-arrow_back").disabled


def test_next_leads_from_a_round_to_the_next_one_and_back(app: AppTest, host: Host):
    # A judge who reads everything at once, after the end.
    looks(app, host, judged(afterwards="timed"), JUNE)
    turns = len(speakers_of(host, 1))
    for _ in range(turns - 1):
        app.button(key=NEXT).click().run()
    assert app.button(key=NEXT).label == "Round 2"
    app.button(key=NEXT).click().run()
    assert app.button(key="judge-arrow_back").label == "Round 1"
    assert app.selectbox[0].value == "0"
    for _ in range(len(speakers_of(host, 2)) - 1):
        app.button(key=NEXT).click().run()
    assert app.button(key=NEXT).disabled
    app.button(key="judge-arrow_back").click().run()
    for _ in range(len(speakers_of(host, 2)) - 1):
        app.button(key="judge-arrow_back").click().run()
    assert app.selectbox[0].value == str(turns - 1)
    assert app.button(key=NEXT).label == "Round 2"


def test_a_change_that_is_not_given_is_named(app: AppTest, host: Host):
    looks(app, host, after_round_1(), JUNE)
    assert "Not given yet; your entries are kept." in words(app)
    tells(app, "probs", [34, 33, 33])
    app.button(key="give-beliefs").click().run()
    assert "Yours for this round are in." in words(app)
    tells(app, "probs", [60, 20, 20])
    assert "Your change is kept as a draft and not given yet." in words(app)
    app.button(key="give-beliefs").click().run()
    assert "Yours for this round are in." in words(app)


def test_the_rubric_and_pairs_close_with_the_reveal(app: AppTest, host: Host):
    held = judged()
    looks(app, host, held, JUNE)
    assert "judge-part" in app.session_state
    host.submit("d-room", Act(by=FAY.id, act=acts.BeliefsRevealed(round=2)))
    # Nothing more can be given, so nothing more is offered.
    assert "Optional: grade or compare turns" not in {
        popover.proto.popover.label for popover in app.run().get("popover")
    }
    for part in ("Rubric", "Pairs"):
        app.session_state["judge-part"] = part
        app.run()
        assert [told.value for told in app.info] == ["The judges were revealed: the rubric and the pairs are closed."]
        assert "give-rubric" not in {button.key for button in app.button}


def test_a_late_judge_reads_by_round_and_gives_a_final_reason(app: AppTest, host: Host):
    looks(app, host, judged(), JUNE)
    assert "**0 of 2 rounds judged. Next: round 1.** What you give counts in the judges' mean." in words(app)
    assert turns_read(app) == speakers_of(host, 1)
    assert "The count" not in {h.value for h in app.subheader}
    assert "Round 2 opens when your probabilities for round 1 are in" in words(app)
    assert "After round 1: how likely" in words(app)
    tells(app, "probs", [34, 33, 33])
    app.button(key="give-beliefs").click().run()
    assert "After round 2: how likely" in words(app)
    assert "Nothing more follows to read, and once given they are final." in words(app)
    assert "**1 of 2 rounds judged. Next: your final probabilities.**" in words(app)
    assert turns_read(app) == speakers_of(host, 2)
    app.button(key="give-beliefs").click().run()
    assert "need an explanation" in app.error[0].value
    app.text_area[0].set_value("The costs decide.").run()
    app.button(key="give-beliefs").click().run()
    first, last = done(host, acts.BeliefReported)
    assert isinstance(first, acts.BeliefReported)
    assert isinstance(last, acts.BeliefReported)
    assert (first.final, last.final, last.explanation) == (False, True, "The costs decide.")
    assert "You are done judging" in words(app)
    assert not drawings(app, "probs")
    assert "current votes" in words(app)


@pytest.mark.parametrize("page", ["results.py", "record.py"])
def test_a_page_that_names_speakers_waits_for_the_judgement(app: AppTest, host: Host, page: str):
    held = judged()
    looks(app, host, held, JUNE, page)
    assert "opens when your final probabilities are in" in words(app)
    assert "s0" not in words(app)
    assert "Decided" not in words(app)


def test_a_judge_receives_no_seat_lens_or_model_name(app: AppTest, host: Host):
    # R105, R106
    marks = {"persona": "wombat", "model": "numbat", "family": "bilby"}
    seats = [Seat(id=f"quokka_{n}", occupant="scripted").model_copy(update=marks) for n in "xyz"]
    held = Played(room_spec((*EVERYBODY, JOE), seats=seats))
    held.go_on()
    for request in held.requests():
        said = Argument(rationale="No.", claims=(Claim(text="It pays."),))
        held.do(TakeTurn(by=request.seat, request=request.id, content=said))
    held.say(Argument(rationale="As quokka_y.1.1 says, and quokka_z too.", answers=("quokka_y.1.1",), vote="adopt"))
    held.play()
    looks(app, host, held, JUNE)
    shown = ""
    for part in PARTS:
        app.session_state["judge-part"] = part
        app.run()
        shown += words(app) + str(app.main)
        while part == "Probabilities" and not app.button(key=NEXT).disabled:
            app.button(key=NEXT).click().run()
            shown += words(app) + str(app.main)
    assert [word for word in ("quokka", *marks.values()) if word in shown.casefold()] == []
    assert "says, and" in shown
    # A claim has a number, as everywhere; its id would reveal the seat.
    assert {"claim 1", "claim 2", "claim 3"} <= {*re.findall(r"claim \d+", shown)}
    assert re.findall(r"\w\.\d+\.\d+", words(app)) == []


def rubric(app: AppTest, host: Host, held: Played) -> AppTest:
    looks(app, host, held, JUNE)
    app.session_state["judge-part"] = "Rubric"
    return app.run()


def tells_scores(app: AppTest, **scores: str) -> None:
    """Tap scores, such as `evidence_adopt="4"`; the other rows keep theirs."""
    (asked,) = drawings(app, "pick")
    points = [*asked["given"]["points"]]
    rows = [(driver["name"], one["option"]) for driver in asked["drivers"] for one in asked["options"]]
    for name, score in scores.items():
        criterion, option = name.split("_")
        shown = next(words for key, words in CRITERIA.items() if key == criterion)
        points[rows.index((shown, option))] = asked["words"].index(score)
    tells(app, "pick", {"points": points, "abstains": False})


def test_rubric_letters_are_those_of_the_ballot(app: AppTest, host: Host):
    (asked,) = drawings(rubric(app, host, judged()), "pick")
    shown = judge_view.option_order(host.state("d-room"), JUNE.id)
    of_letter = letters(OPTIONS)
    assert [(o["option"], o["letter"]) for o in asked["options"]] == [(o, of_letter[o]) for o in shown]


def test_rubric_of_the_evidence_panel_leaves_out_answers(app: AppTest, host: Host):
    (asked,) = drawings(rubric(app, host, quoted().go_on()), "pick")
    shown = [CRITERIA[name] for name in ("evidence", "facts", "clarity", "feasibility", "risk")]
    assert [driver["name"] for driver in asked["drivers"]] == shown


def test_the_rubric_is_kept_as_it_was_given(app: AppTest, host: Host):
    rubric(app, host, judged())
    app.button(key="give-rubric").click().run()
    assert "the rubric is empty" in app.error[0].value
    assert "Not given yet; your entries are kept." in words(app)
    tells_scores(app, evidence_adopt="4", risk_reject="not enough")
    app.button(key="give-rubric").click().run()
    given = done(host, acts.Judged)[0]
    assert isinstance(given, acts.Judged)
    assert {(r.option, r.criterion, r.score) for r in given.ratings} == {
        ("adopt", "evidence", 4),
        ("reject", "risk", None),
    }
    assert app.button(key="give-rubric").label == "Change my rubric"
    assert "Also: rubric given." in words(app)
    assert sum(point is not None for point in drawings(app, "pick")[0]["given"]["points"]) == 2


def test_the_text_stays_beside_the_rubric(app: AppTest, host: Host):
    held = after_round_1()
    looks(app, host, held, JUNE)
    app.button(key=NEXT).click().run()
    read = app.selectbox[0].options[1]
    assert app.selectbox[0].value == "1"
    app.session_state["judge-part"] = "Rubric"
    app.run()
    assert f"**{read.split(' · ')[1]}**" in words(app)


def test_what_is_changed_begins_with_the_words_that_were_given(app: AppTest, host: Host):
    looks(app, host, after_round_1(), JUNE)
    app.text_area[0].input("The costs decide.").run()
    tells(app, "probs", [34, 33, 33])
    app.button(key="give-beliefs").click().run()
    assert app.text_area[0].value == "The costs decide."
    tells(app, "probs", [60, 20, 20])
    app.button(key="give-beliefs").click().run()
    told = [r.explanation for r in done(host, acts.BeliefReported) if isinstance(r, acts.BeliefReported)]
    assert told == ["The costs decide.", "The costs decide."]
    app.session_state["judge-part"] = "Rubric"
    app.run()
    tells_scores(app, evidence_adopt="4")
    app.text_area[0].input("Figures were missing.").run()
    app.button(key="give-rubric").click().run()
    tells_scores(app, risk_adopt="2")
    app.button(key="give-rubric").click().run()
    last = done(host, acts.Judged)[-1]
    assert isinstance(last, acts.Judged)
    assert (last.comment, len(last.ratings)) == ("Figures were missing.", 2)


def test_pairs_are_read_blind_and_the_next_one_follows(app: AppTest, host: Host):
    held = judged()
    looks(app, host, held, JUNE)
    app.session_state["judge-part"] = "Pairs"
    app.run()
    pair = judge_view.next_pair(held.state, JUNE.id)
    assert pair is not None
    app.text_input(key="d-room/p-june/pair.0:why").set_value("closer to the facts").run()
    again = new_browser()
    again.session_state["judge-part"] = "Pairs"
    looks(again, host, held, JUNE)
    assert again.text_input(key="d-room/p-june/pair.0:why").value == "closer to the facts"
    app.button(key="d-room/p-june/pair.0:is b").click().run()
    given = done(host, acts.Compared)[0]
    assert given == acts.Compared(a=pair[0], b=pair[1], winner="b", reason="closer to the facts")
    assert "You have compared 1 so far" in words(app)
    assert "Also: 1 pair compared." in words(app)
    assert app.text_input(key="d-room/p-june/pair.1:why").value == ""
    assert "s0" not in words(app)


def test_the_facilitator_reveals_and_then_everybody_sees(app: AppTest, host: Host):
    held = judged()
    held.act(JUNE, belief(1, 61, 30, 9))
    held.act(JUNE, belief(2, 77, 13, 10, final=True, explanation="why"))
    held.act(JOE, belief(2, 20, 70, 10, final=True, explanation="no"))
    looks(app, host, held, FAY)
    assert news(held.state) not in words(app)
    assert "77" not in words(app)
    assert app.button(key="reveal-beliefs").label == "Reveal the judges"
    app.button(key="reveal-beliefs").click().run()
    assert done(host, acts.BeliefsRevealed) == [acts.BeliefsRevealed(round=2)]
    assert '"option": "adopt", "has": 48' in words(app)
    # Each judge's moves are on the results.
    assert "defer 30 % → 13 %" not in words(app)
    # Two judges are too few to say anything about agreement.
    assert "whether they agree" not in words(app)


@pytest.mark.parametrize(("is_done", "shows_mean"), [(False, False), (True, True)])
def test_a_blind_judge_reads_the_mean_after_their_own_judgement(
    app: AppTest, host: Host, *, is_done: bool, shows_mean: bool
):
    held = after_round_1()
    held.act(JUNE, belief(1, 61, 30, 9)).act(JOE, belief(1, 20, 70, 10)).act(FAY, acts.BeliefsRevealed(round=1))
    held.to_the_end()
    if is_done:
        held.act(JUNE, belief(2, 77, 13, 10, final=True, explanation="why"))
    looks(app, host, held, JUNE)
    assert ("**Judges, advice**" in words(app)) is shows_mean
    assert ("How likely each option is right, on average, in percent:" in words(app)) is shows_mean


@pytest.mark.parametrize("blind", ["blind", "named"])
def test_resting_judge_reads_the_mean_only_with_named_speakers(app: AppTest, host: Host, blind: str):
    held = after_round_1(room_spec((*EVERYBODY, JOE), blind=blind))
    held.act(JUNE, belief(1, 61, 30, 9)).act(JOE, belief(1, 20, 70, 10)).act(FAY, acts.BeliefsRevealed(round=1))
    held.go_on()
    looks(app, host, held, JUNE)
    assert "Your answer after round 1, in percent" in {fold.label for fold in app.expander}
    assert "adopt 61 %" in words(app)
    assert ("Mean of 2 judges: adopt 40 %" in words(app)) is (blind == "named")


def test_revealing_before_all_are_in_says_so(app: AppTest, host: Host):
    held = after_round_1()
    held.act(JUNE, belief(1))
    looks(app, host, held, FAY)
    assert app.button(key="reveal-beliefs").label == "Reveal now, with 1 of 2"


def test_results_show_judges_rubric_pairs_and_scores(app: AppTest, host: Host):
    held = judged()
    held.act(JUNE, belief(2, 77, 13, 10, final=True, explanation="why"))
    held.act(JUNE, acts.Judged.model_validate({"ratings": [{"option": "adopt", "criterion": "clarity", "score": 5}]}))
    held.act(JUNE, acts.Compared(a="1.opening.s0", b="1.opening.s1", winner="a"))
    held.act(JUNE, acts.Compared(a="1.opening.s1", b="1.opening.s2", winner="a"))
    looks(app, host, held, FAY, "results.py")
    app.session_state["tab-0"] = "Judges"
    assert "1 judge gave something; it is sealed" in words(app.run())
    assert "77" not in words(app)
    host.submit("d-room", Act(by=FAY.id, act=acts.BeliefsRevealed(round=2)))
    host.submit("d-room", Act(by=ABE.id, act=acts.OutcomeRecorded(result="held", option="adopt", reason="it worked")))
    app.run()
    assert not app.exception
    assert {"Judges"} <= {h.value for h in app.header}
    assert any("A reading of the judges, not the decision." in c.value for c in app.caption)
    # One judge is too few to say anything about agreement.
    assert "Agreement needs" not in words(app)
    assert {"How they did", "Rubric", "Turns compared side by side"} <= {h.value for h in app.subheader}
    scores = app.table[0].value
    seen = [str(cell).replace("\\", "").replace("\u200b", "") for cell in (*scores.columns, *scores.to_numpy().ravel())]
    assert seen == ["Who", "Gave it", "Brier", "Log score (bits)", "June", "0.77", "0.0399", "-0.3771"]
    tables = [t.value.to_dict("records") for t in app.dataframe]
    assert [r for t in tables for r in t if "Turn" in r] == [
        {"Turn": "s1 in opening of round 1", "Strength": "1.00", "Interval": "0.04 to 23.41", "Compared": 2}
    ]


LATE = Person(id="p-lou", name="Lou", role="judge")


def revealed_with_a_late_judge(blind_room: str) -> Played:
    held = judged(room_spec((*EVERYBODY, JOE), blind=blind_room))
    held.act(JUNE, belief(2, 91, 5, 4, final=True, explanation="why"))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(LATE, acts.PersonJoined(person=LATE))
    return held


@pytest.mark.parametrize("blind_room", ["blind", "named"])
def test_a_judge_after_the_reveal_reads_no_verdict_first(app: AppTest, host: Host, blind_room: str):
    looks(app, host, revealed_with_a_late_judge(blind_room), LATE)
    assert "After round 1: how likely is each option the right one?" in words(app)
    assert "Round 2 opens when your probabilities for round 1 are in." in words(app)
    for verdict in ("Judges, advice**", "Named people, final vote", '"hero"', "The decision", "91"):
        assert verdict not in words(app), verdict
    assert "You joined after the reveal: what you give is shown with its date" in words(app)
    assert "Everyone can read them once you give them." in words(app)
    tells(app, "probs", [34, 33, 33])
    app.button(key="give-beliefs").click().run()
    app.text_area[0].set_value("a year on").run()
    app.button(key="give-beliefs").click().run()
    assert "You are done judging" in words(app)
    for verdict in ("Judges, advice**", "Named people, final vote", '"hero"'):
        assert verdict in words(app), verdict
    assert [d.by for d in host.state("d-room").room.of(acts.BeliefReported)] == [JUNE.id, LATE.id, LATE.id]


def test_a_reload_does_not_stop_the_clock_of_a_timed_judge(app: AppTest, host: Host):
    looks(app, host, judged(room_spec((*EVERYBODY, JOE), afterwards="timed")), JUNE)
    assert "The clock runs from your first look: 0 minutes so far." in words(app)
    assert "After round 2: how likely is each option the right one?" in words(app)
    assert "Round 2 opens" not in words(app)
    kept = f"d-room/{JUNE.id}/timed"
    began = int(host.drafts.text(kept) or 0)
    host.drafts.save(kept, str(began - 600))
    app.run()
    assert "10 minutes so far" in words(app)
    app.text_area[0].set_value("read it whole").run()
    tells(app, "probs", [34, 33, 33])
    app.button(key="give-beliefs").click().run()
    (given,) = done(host, acts.BeliefReported)
    assert isinstance(given, acts.BeliefReported)
    assert (given.round, given.final) == (2, True)
    assert 600 <= (given.read_s or 0) < 700
