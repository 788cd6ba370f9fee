"""Ballots, the floor, and what is sealed, on the pages: for each role, by the cookie's person."""

import re

import pytest
from pandas import DataFrame
from streamlit.testing.v1 import AppTest

from debate_core.engine.judge_view import option_order
from debate_core.engine.stage import receipt
from debate_core.host.host import Host
from debate_core.record.acts import (
    Asked,
    Assumption,
    BallotCast,
    Intervened,
    PollClosed,
    PollOpened,
    PollRevealed,
    Signed,
    Upvoted,
)
from debate_core.record.events import dump_record
from debate_core.spec.people import Person
from debate_core.spec.rules import CountedRule, Elected, Plurality
from debate_core.spec.values import Given
from debate_core.ui.room.live import component
from tests.app import visiting
from tests.app.visiting import TABS, at, did, drawings, on_the_wall, tells, unfolded
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, GUS, JUNE, MO, OLA, room_spec
from tests.playing import Played

MARKER = "xylophone"
SURE = re.compile(r"(?<![\w:.+-])37(?![\w:.+-])")
"""How sure the sealed ballot is, and no part of an id, a hash or a time of day."""
ROOM = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room") for n in range(5))


def opened(host: Host, *, vote: CountedRule | None = None, pre_vote: str = "shown_at_close") -> str:
    spec = room_spec(vote=vote or Plurality(), pre_vote=pre_vote).model_copy(
        update={"options": ("adopt", "defer", "no")}
    )
    seats = tuple(s.model_copy(update={"occupant": "human"}) for s in spec.seats)
    return host.create(spec.model_copy(update={"seats": seats}), by="p-fay")


def words(app: AppTest) -> str:
    """Everything that a page says in text, tables and fields."""
    fields = [str(f.value) for f in (*app.text_input, *app.text_area, *app.code)]
    return "\n".join([visiting.words(app), *(f.value.to_string() for f in app.dataframe), *fields])


def key(debate: str, who: Person, name: str, poll: str = "pre") -> str:
    return f"{debate}/{who.id}/poll-{poll}:{name}"


def test_a_voter_casts_changes_and_keeps_the_code(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, ANN)
    assert "Keep this page open: your ballot will appear here." in words(app)
    did(host, debate, FAY, PollOpened(poll="pre"))
    app.run()
    assert "named people: 0 of 2 ballots in, room: 0 of 1 ballot in" in words(app)
    assert "It shows what people think now and decides nothing." in words(app)
    # What matters most for an honest vote comes before the options, and the rest in a fold below them.
    first = "This vote decides nothing. Secret until the reveal. You can change it until the vote closes."
    assert first in [each.value for each in app.caption]
    (counts,) = [each for each in app.expander if each.label == "How it counts"]
    secret = "- Secret until the reveal. Afterwards everyone in this debate and the hosts of this server can read"
    assert any(each.value.startswith(secret) for each in counts.markdown)
    assert "The vote of the" not in words(app)
    app.button(key(debate, ANN, "cast")).click().run()
    assert "choose a vote" in app.error[0].value
    marked = {o.split()[-1]: o.split()[0] for o in app.radio(key(debate, ANN, "vote")).options if "badge" in o}
    assert marked == {"adopt": ":blue-badge[A]", "defer": ":orange-badge[B]", "no": ":green-badge[C]"}
    app.radio(key(debate, ANN, "vote")).set_value("defer").run()
    app.text_input(key(debate, ANN, "why")).set_value(MARKER).run()
    app.pills(key(debate, ANN, "confidence")).set_value("70 %").run()
    app.button(key(debate, ANN, "cast")).click().run()
    mine = host.state(debate).room.polls["pre"].ballots["p-ann"]
    assert (mine.fact.choice, mine.fact.confidence, mine.fact.reason) == ("defer", 70, MARKER)
    assert "### Your vote is in" in words(app)
    assert [t.value for t in app.toast] == ["Your vote is in"]
    assert "**:orange-badge[B] defer**  \nReceipt: **" in words(app)
    assert receipt(mine.hash) in words(app)
    # A new field, which starts with the ballot that was cast.
    assert app.radio(key(debate, ANN, "vote~1")).value == "defer"
    assert app.pills(key(debate, ANN, "confidence~1")).value == "70 %"
    # The second press of a double click: no second ballot.
    app.button(key(debate, ANN, "cast")).click().run()
    assert host.state(debate).room.polls["pre"].cast_times["p-ann"] == 1
    assert not app.error
    app.radio(key(debate, ANN, "vote~2")).set_value("abstain").run()
    app.button(key(debate, ANN, "cast")).click().run()
    poll = host.state(debate).room.polls["pre"]
    assert (poll.ballots["p-ann"].fact.choice, poll.cast_times["p-ann"]) == ("abstain", 2)
    did(host, debate, FAY, PollClosed(poll="pre"))
    app.run()
    code = receipt(poll.ballots["p-ann"].hash)
    kept = f"Pre-vote: **abstain**  \n:small[:gray[receipt {code} · sealed until the reveal]]"
    assert f"{kept}  \n:small[:gray[named people: 1 of 2 ballots in" in words(app)
    assert "Pre-vote: you cast no vote." in words(at(app, debate, BEN))
    assert "Pre-vote:" not in words(at(app, debate, OLA))
    did(host, debate, FAY, PollRevealed(poll="pre"))
    assert "Your vote: **abstain**" in words(at(app, debate, ANN))
    assert "Your vote: **none**" in words(at(app, debate, BEN))
    assert "Your vote" not in words(at(app, debate, OLA))


def test_an_older_form_of_another_window_casts_nothing(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    did(host, debate, ANN, BallotCast(poll="pre", choice="defer", confidence=70))
    at(app, debate, ANN)
    did(host, debate, ANN, BallotCast(poll="pre", choice="adopt", confidence=70))
    app.button(key(debate, ANN, "cast")).click().run()
    poll = host.state(debate).room.polls["pre"]
    assert (poll.ballots["p-ann"].fact.choice, poll.cast_times["p-ann"]) == ("adopt", 2)
    assert "changed in another window" in app.error[0].value
    assert app.radio(key(debate, ANN, "vote~1")).value == "adopt"
    app.pills(key(debate, ANN, "confidence~1")).set_value("80 %").run()
    app.button(key(debate, ANN, "cast")).click().run()
    ballot = host.state(debate).room.polls["pre"].ballots["p-ann"].fact
    assert (ballot.choice, ballot.confidence) == ("adopt", 80)


def test_a_changed_vote_keeps_a_confidence_between_tens(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    did(host, debate, ANN, BallotCast(poll="pre", choice="defer", confidence=85))
    at(app, debate, ANN)
    sure = app.pills(key(debate, ANN, "confidence"))
    assert (sure.value, sure.options[8:11]) == ("85 %", ["80 %", "85 %", "90 %"])
    app.radio(key(debate, ANN, "vote")).set_value("adopt").run()
    app.button(key(debate, ANN, "cast")).click().run()
    ballot = host.state(debate).room.polls["pre"].ballots["p-ann"].fact
    assert (ballot.choice, ballot.confidence) == ("adopt", 85)


@pytest.mark.parametrize(
    ("kind", "typed", "given"),
    [
        ("approval", {"adopt": 1, "no": 1}, {"adopt": 1, "no": 1}),
        ("irv", {"adopt": 1, "no": 2}, {"adopt": 1, "no": 2}),
        ("score", {"adopt": 5, "defer": 0}, {"adopt": 5, "defer": 0}),
        ("cumulative", {"adopt": 3, "defer": 2}, {"adopt": 3, "defer": 2}),
        ("consent", {"adopt": 0, "no": 2}, {"adopt": 0, "no": 2}),
    ],
)
def test_every_kind_of_ballot_is_cast_with_its_own_fields(app: AppTest, host: Host, kind, typed, given):
    debate = opened(host, vote=Elected(kind=kind))
    did(host, debate, FAY, PollOpened(poll="pre"))
    at(app, debate, GUS)
    order = option_order(host.state(debate), "p-gus")
    tells(app, "pick", {"points": [typed.get(option) for option in order], "abstains": False})
    if kind == "consent":
        app.button(key(debate, GUS, "cast")).click().run()
        assert "an objection needs its reason" in app.error[0].value
        app.text_area(key(debate, GUS, f"reason{order.index('no')}")).set_value("no rollback").run()
    app.button(key(debate, GUS, "cast")).click().run()
    if kind in ("score", "consent"):
        missing = next(option for option in order if option not in typed)
        assert f"1 of 3 rows has no answer: {missing}." in app.warning[0].value.replace("\\", "")
        app.button(key(debate, GUS, "anyway")).click().run()
    mine = host.state(debate).room.polls["pre"].ballots["p-gus"].fact
    assert {g.option: g.points for g in mine.given} == given
    assert mine.choice is None


def test_seat_count_is_hidden_until_the_vote_closes(app: AppTest, host: Host):
    held = Played(room_spec((FAY, ABE, OLA, *ROOM), decides="room", rounds=1, pre_vote="none")).to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    debate = held.events[0].debate
    host._store.append(debate, held.events, after=0)

    def counted_for(person: Person) -> bool:
        at(app, debate, person)
        (status,) = drawings(app, "status")
        return bool(status["count"]["options"])

    assert [counted_for(person) for person in (FAY, OLA, ROOM[1], ROOM[0])] == [False] * 4
    # Nothing is decided that a voter could read about.
    assert "The decision" not in words(app)
    assert not [button for button in app.button if button.key in ("see-results", "check-record")]
    app.radio(key(debate, ROOM[0], "vote", poll="final")).set_value("adopt").run()
    app.button(key(debate, ROOM[0], "cast", poll="final")).click().run()
    assert [counted_for(person) for person in (ROOM[0], FAY, OLA)] == [False] * 3


@pytest.mark.parametrize("narrow", [True, False])
def test_a_phone_asks_above_the_debate(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, narrow: bool):
    monkeypatch.setattr(component, "is_narrow", lambda _: narrow)
    held = Played(room_spec((FAY, *ROOM), decides="room", pre_vote="none")).go_on()
    host._store.append(held.events[0].debate, held.events, after=0)
    at(app, held.events[0].debate, ROOM[0])
    assert "**Listen**, or ask the seats a question. Next for you: the final vote." in words(app)
    drawn = ["own_news" if "own_news" in str(one.proto) else getattr(one, "label", "") for one in app.main]
    assert drawn.count("Ask, or raise a concern") == 1
    assert (drawn.index("Ask, or raise a concern") < drawn.index("own_news")) is narrow
    (status,) = drawings(app, "status")
    assert status["next"] == "Then: Round 2 → Final vote → Sign"


def test_ballots_of_a_closed_final_vote_are_counted_once(app: AppTest, host: Host):
    spec = room_spec((FAY, *ROOM), decides="room", rounds=1, pre_vote="none", vote=Plurality())
    held = Played(spec).to_the_end().act(FAY, PollOpened(poll="final"))
    held.ballot(ROOM[3], "final", "adopt").act(FAY, PollClosed(poll="final"))
    debate = held.events[0].debate
    host._store.append(debate, held.events, after=0)
    (status,) = drawings(at(app, debate, ROOM[3]), "status")
    assert "1 of 5 ballots in" in str(status)
    (vote,) = [text.value for text in app.markdown if "Final vote: **adopt**" in text.value]
    assert ("sealed until the reveal" in vote, "ballots in" in vote) == (True, False)


def test_signed_decision_names_signer_and_day_once_on_a_phone(app: AppTest, host: Host):
    spec = room_spec((FAY, ABE, OLA, *ROOM), decides="room", rounds=1, pre_vote="none", vote=Plurality())
    held = Played(spec).to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    for voter in ROOM:
        held.ballot(voter, "final", "adopt")
    held.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    holds = (Assumption(text="The relay stays fast"),)
    held.act(ABE, Signed(verdict="accept", option="adopt", reason="It pays off", owner="Mia", assumptions=holds))
    debate = held.events[0].debate
    host._store.append(debate, held.events, after=0)
    (hero,) = drawings(at(app, debate, ROOM[3]), "hero")
    (signed,) = [fact for fact in hero["facts"] if fact[0] == "Accepted by"]
    assert signed[1] == "Abe"
    assert signed[2].endswith(" UTC")
    assert ["Owner", "Mia", ""] in hero["facts"]
    # The status above has the word.
    assert (hero["status"], "It pays off" in words(app)) == ("", True)
    assert ["Holds as long as", "The relay stays fast"] in hero["reasons"]
    assert words(app).count("The relay stays fast") == 1
    assert "The decision" not in words(app)
    assert "**Abe** accepted" not in words(app)
    (status,) = drawings(app, "status")
    assert (status["words"], status["line"]) == ("Decided and signed", "signed by Abe")


def test_whoever_has_no_vote_sees_how_many_are_in(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    did(host, debate, ANN, BallotCast(poll="pre", choice="adopt", reason=MARKER))
    at(app, debate, OLA)
    assert "named people: 1 of 2 ballots in, room: 0 of 1 ballot in" in words(app)
    assert not [b for b in app.button if str(b.key).endswith(":cast")]


def test_a_result_is_said_once_it_is_revealed(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    did(host, debate, ANN, BallotCast(poll="pre", choice="adopt", reason=MARKER))
    did(host, debate, FAY, PollClosed(poll="pre"))
    at(app, debate, BEN)
    assert "Elected" not in words(app)
    did(host, debate, FAY, PollRevealed(poll="pre"))
    app.run()
    assert "Votes: adopt 1" in words(app).replace("\\", "")
    votes = {vote["title"]: [bar["has"] for bar in vote["bars"]] for vote in drawings(app, "votes")}
    assert votes["Named people, pre-vote"] == [1, 0, 0]


def test_after_the_reveal_a_voter_sees_decision_and_own_votes(app: AppTest, over: str, host: Host):
    (hero,) = drawings(at(app, over, ROOM[3]), "hero")
    assert (hero["headline"], hero["line"]) == ("adopt", "3 of 5 voters chose it. The most votes win.")
    advice = ["Seats, advice", "adopt", "3 of 3"]
    polls = host.state(over).room.polls
    pre, final = (f"receipt {receipt(polls[poll].ballots[ROOM[3].id].hash)}" for poll in ("pre", "final"))
    own = [["Your vote", "reject", final], ["Your vote before", "defer", pre]]
    advised = [advice, ["Named people, advice", "defer", "1 of 1"]]
    assert hero["facts"] == [["Decided by", "The room", "5"], *own, *advised]
    assert [(bar["before"], bar["has"]) for bar in hero["votes"]["bars"]] == [(3, 3), (1, 0), (1, 2)]
    # A person without a vote reads the same decision, and no vote of anybody.
    (seen,) = drawings(at(app, over, OLA), "hero")
    assert (seen["headline"], seen["facts"]) == ("adopt", [["Decided by", "The room", "5"], *advised])


def test_room_news_keeps_choices_on_a_ballot_just_drawn(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    at(app, debate, ANN)
    # Redrawn at once, as after news: a value set by the server would override a choice made in between.
    app.run()
    assert [r.proto.set_value for r in app.radio if r.label == "Your vote"] == [False]


# --- the floor


def test_questions_rise_by_support_and_one_is_put_to_all_seats(app: AppTest, host: Host):
    debate = opened(host)
    for n in range(4):
        did(host, debate, GUS, Asked(text=f"Question {n}?"))
    did(host, debate, JUNE, Asked(kind="concern", text="**bold** $x$ <b>"))
    asked = [d.seq for d in host.state(debate).room.of(Asked)]
    did(host, debate, BEN, Upvoted(question=asked[3]))
    at(app, debate, ANN)
    assert f"put {asked[3]}" not in {b.key for b in app.button}
    app.button(f"up {asked[3]}").click().run()
    assert [d.by for d in host.state(debate).room.of(Upvoted)] == ["p-ben", "p-ann"]
    assert f"up {asked[3]}" not in {b.key for b in app.button}
    assert "Question · 3 people" in words(app)
    assert "\\*\\*bold\\*\\* \\$x\\$ \\<b\\>" in words(app)
    unfolded(app, "floor-ask").run()
    app.text_area(f"floor_text {debate}").set_value("Who pays?")
    unfolded(app, "floor-ask").run()
    app.button("floor_send").click().run()
    assert host.state(debate).room.of(Asked)[-1].fact == Asked(text="Who pays?")
    # What it is and the press come together.
    app.text_area(f"floor_text {debate}").set_value("No one pays")
    app.segmented_control(f"floor_text {debate} kind").set_value("concern")
    unfolded(app, "floor-ask").button("floor_send").click().run()
    assert host.state(debate).room.of(Asked)[-1].fact == Asked(kind="concern", text="No one pays")


def test_question_asked_again_counts_as_support(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, GUS, Asked(text="Who pays?"))
    for who, text in ((ANN, "who  pays"), (ANN, "Who pays?"), (GUS, "Who pays?"), (BEN, "Who pays for it?")):
        at(app, debate, who)
        unfolded(app, "floor-ask").run()
        app.text_area(f"floor_text {debate}").set_value(text)
        unfolded(app, "floor-ask").button("floor_send").click().run()
        assert not app.exception
    assert [done.fact.text for done in host.state(debate).room.of(Asked)] == ["Who pays?", "Who pays for it?"]
    assert [done.by for done in host.state(debate).room.of(Upvoted)] == ["p-ann"]


def test_who_moderates_puts_a_question_to_all_seats(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, GUS, Asked(text="Who pays?"))
    asked = host.state(debate).room.of(Asked)[0].seq
    at(app, debate, MO)
    app.button(f"put {asked}").click().run()
    assert host.state(debate).room.of(Intervened)[0].fact == Intervened(kind="question", text="Who pays?")
    assert "put to all seats ✓ · Gus" in words(app)


# --- sealed


@pytest.fixture
def sealed(host: Host) -> str:
    """A debate whose votes contain a word that no one may read."""
    debate = opened(host, pre_vote="shown_at_end", vote=Elected(kind="consent"))
    did(host, debate, FAY, PollOpened(poll="pre"))
    why = (Given(option="no", points=2, reason=f"{MARKER} objection"),)
    did(host, debate, ANN, BallotCast(poll="pre", given=why, reason=MARKER, confidence=37))
    did(host, debate, BEN, BallotCast(poll="pre", choice="abstain", reason=MARKER, confidence=37))
    did(host, debate, FAY, PollClosed(poll="pre"))
    return debate


@pytest.mark.parametrize("who", [*(p for p in EVERYBODY if p is not ANN and p is not BEN), None])
@pytest.mark.parametrize("page", ["room.py", "results.py", "record.py"])
def test_nothing_sealed_is_read_by_any_role_on_any_page(app: AppTest, host: Host, sealed: str, who, page):
    told = ""
    for tab in TABS if page == "results.py" else TABS[:1]:
        told += words(at(app, sealed, who, page, tab=tab))
        assert not app.get("download_button")
    assert MARKER not in told
    assert not SURE.search(told)
    # Judges and readers of aliases have no access to these pages yet.
    if page != "room.py" and who is not None and who.role not in ("judge", "voter", "observer"):
        assert "Sealed until revealed: the pre-vote" in told.replace("\\", "")


@pytest.mark.parametrize("who", [FAY, JUNE, ABE, OLA, None])
@pytest.mark.parametrize("page", ["room.py", "results.py", "record.py"])
def test_nothing_is_read_of_a_final_vote_before_its_reveal(app: AppTest, host: Host, who, page):
    held = Played(room_spec(EVERYBODY, pre_vote="none", decides="panel"))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    held.ballot(ANN, "final", "reject", reason=MARKER, confidence=37)
    held.act(FAY, PollClosed(poll="final"))
    debate, told, files = host.import_record(dump_record(held.events).encode()), "", set[str]()
    for tab in TABS if page == "results.py" else TABS[:1]:
        told += words(at(app, debate, who, page, tab=tab))
        files |= {getattr(b, "label", "") for b in app.get("download_button")}
    assert MARKER not in told
    assert "reject 1" not in told
    assert not {
        f
        for f in files
        if f.endswith(("(CSV)", "(zip)", "(Markdown)", "(every event, for checking)", "(events.jsonl)"))
    }


# --- results


@pytest.fixture
def over(host: Host) -> str:
    """A debate that is over, with both votes revealed; the room swung one way and elected another."""
    held = Played(room_spec(decides="room", people=(FAY, ANN, *ROOM)))
    for poll, choices in (("pre", "aaadr"), ("final", "aaarr")):
        held.act(FAY, PollOpened(poll=poll))
        for person, letter in zip(ROOM, choices, strict=True):
            held.ballot(person, poll, {"a": "adopt", "d": "defer", "r": "reject"}[letter], confidence=50, reason=MARKER)
        held.ballot(ANN, poll, "defer")
        held.act(FAY, PollClosed(poll=poll))
        held.to_the_end()
    held.act(FAY, PollRevealed(poll="final"))
    held.act(FAY, PollRevealed(poll="pre"))
    return host.import_record(dump_record(held.events).encode())


def table(app: AppTest, column: str, place: int = 0) -> DataFrame:
    """The table with this column, the first one that is drawn or a later one."""
    return [t.value for t in app.dataframe if column in t.value.columns][place]


def test_what_only_advised_is_drawn_beside_the_reveal(app: AppTest, over: str):
    advice = {a["title"]: a for a in on_the_wall(at(app, over, FAY, "screen.py"))["shown"]["advice"]}
    assert {title: (a["needed"], a["advice"]) for title, a in advice.items()} == {
        "Named people, advice": (None, True),
        "Seats, advice": (None, True),
    }
    of_seats = [bar["has"] for bar in advice["Seats, advice"]["bars"]]
    assert sum(of_seats) == 3


def test_the_count_of_seats_that_advise_is_no_verdict(app: AppTest, over: str):
    at(app, over, OLA)
    # The decision names the advice: no second count beside it.
    assert not drawings(app, "count")
    told = words(app).replace("\\", "")
    assert not [claim for claim in ("is decided with", "consensus", "rule elects", "carried by") if claim in told]


def test_the_results_show_swing_moves_and_what_decides(app: AppTest, over: str):
    told = words(at(app, over, OLA, "results.py")).replace("\\", "")
    # The decision is on top, the advisory votes below it.
    assert "**Decided by the room: adopt. Not signed.**" in told
    assert "The final vote of the room decides; the count of the seats is advice. Among them: an option" in told
    assert "Agreed before the start: the final vote of the room decides; it says adopt." in told
    unfolded(unfolded(app, "vote-detail", "moves"), "moves-room-as-table")
    told = words(at(app, over, OLA, "results.py", tab="Votes")).replace("\\", "")
    assert "Swing of the room: reject gained most (+20.0 percentage points); the final vote elects adopt." in told
    assert "**Pre-vote**: 5 of 5 voters cast a ballot. Votes: adopt 3, defer 1, reject 1." in told
    assert "pre-vote 50 %, from 50 to 50 (5 of 5 answered), final vote 50 %, from 50 to 50" in told
    assert [*table(app, "voters")["voters"]] == [3, 1, 1]
    moved = table(app, "Had read, after")
    assert moved[["From", "To", "Had read, before", "Had read, after"]].values.tolist() == [
        ["defer", "reject", "no turn", "s2 in reply of round 2"]
    ]
    # The flows, and the vote as bars once they are asked for; advice is drawn once it is open.
    assert len(app.get("plotly_chart")) == 1
    unfolded(app, "bars-room").run()
    assert len(app.get("plotly_chart")) == 2
    at(unfolded(app, "vote-detail", "advice-people"), over, OLA, "results.py", tab="Votes")
    assert len(app.get("plotly_chart")) == 3
    unfolded(app, "moves-panel-as-table").run()
    assert [*table(app, "voters", 1)["voters"]] == [1]
    at(unfolded(app, "vote-detail", "what-if"), over, OLA, "results.py", tab="Votes")
    assert app.selectbox("if_whose").value == 4
    elected = table(app, "Votes needed").set_index("Rule")["Result"]
    assert elected[["plurality (agreed)", "unanimity"]].to_list() == ["adopt", "nothing decided"]
    assert [n for n in ("Voter 0", "p-v0") if n in told] == []


def test_a_contested_count_is_checked_on_screen(app: AppTest, over: str):
    at(unfolded(app, "vote-detail", "recount"), over, OLA, "results.py", tab="Votes")
    assert "counted again, including abstentions: same result as recorded" in app.success[0].value
    app.selectbox("recount").set_value("final.room").run()
    ballots = table(app, "Receipt")
    assert sorted(ballots["→ adopt"][:-1]) == [0, 0, 1, 1, 1]
    assert ballots["→ adopt"].tolist()[-1] == 3
    assert ballots["Receipt"].tolist()[-1] == "all, as recorded"
    assert "Ballots (CSV)" in {getattr(b, "label", "") for b in app.get("download_button")}
    assert "Sealed" not in words(app)


def test_before_anybody_voted_the_results_say_so(app: AppTest, host: Host):
    debate = opened(host)
    at(unfolded(app, "vote-detail", "advice-people"), debate, FAY, "results.py", tab="Votes")
    assert "No vote has been called yet." in words(app)
