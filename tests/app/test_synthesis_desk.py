"""The synthesiser's desk, the flags of the room and the results, each as a person's browser shows them."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.acts import Flagged, OwnWords, SynthesisRevised
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.report.facts.synthesis import flag_rows, standing, versions
from debate_core.spec.contents import Argument, Claim, Linked, Strongest, Synthesis
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Occupant, Seat
from tests.app.visiting import at, new_browser
from tests.people import EVERYBODY, FAY, GUS, OLA, SYD
from tests.waiting import until

OPTIONS = ("adopt", "reject")
FAST = "The new queue handled 4,000 messages per second in our load test."
DEAR = "Running it costs $900 a month and needs a second operator."
DRAFT = Synthesis(
    answer="The queue is fast enough.",
    strongest=tuple(Strongest(option=o, text=FAST, links=("s0.1.1",)) for o in OPTIONS),
    established=(Linked(text=FAST, links=("s0.1.1",)),),
    contested=(Linked(text="It saves 40 % of the cost.", links=("s1.1.1",)),),
)


def opened(host: Host, *, until: str = "", syn: Occupant = "human", schema: str | None = None) -> str:
    """One round of two seats and a synthesis; `until` = the seat that is asked then, empty = to the end."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening"),),
        after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
        output_schema=schema,
    )
    seats = tuple(Seat(id=f"s{i}", occupant="human") for i in range(2))
    seats += (Seat(id="syn", role="synthesiser", occupant=syn),)
    speakers = FAY.model_copy(update={"seats": ("s0", "s1")})
    holder = SYD.model_copy(update={"seats": ("syn",) if syn == "human" else ()})
    room = Room(people=(speakers, holder, *(p for p in EVERYBODY if p.id not in (FAY.id, SYD.id))))
    spec = Spec(question="Which?", options=OPTIONS, seats=seats, protocol=protocol, max_rounds=1, room=room)
    debate = host.create(spec, by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    while (asked := requests(host.state(debate))) and asked[0].seat != until:
        said = FAST if asked[0].seat == "s0" else DEAR
        argument = Argument(rationale=said, claims=(Claim(text=said),), vote="adopt")
        content = DRAFT if asked[0].gives == "synthesis" else argument
        by = SYD.id if asked[0].gives == "synthesis" else FAY.id
        host.submit(debate, TakeTurn(by=by, request=asked[0].id, content=content))
    return debate


def words(app: AppTest) -> str:
    told = [*app.markdown, *app.caption, *app.error, *app.info, *app.header, *app.subheader]
    return "\n".join(str(e.value) for e in told).replace("\\", "")


def test_a_version_is_checked_by_line_and_shown_beside_the_first(app: AppTest, host: Host):
    # R159, R194
    debate = opened(host)
    desk = f"{debate}/{SYD.id}/synthesis"
    at(app, debate, SYD)
    # It begins with what stands, and every line is checked at once.
    assert app.text_area(key=f"{desk}:contested0").value == "It saves 40 % of the cost."
    assert "Not supported:**] not said by anyone: 40 %" in words(app)
    assert " lines: 1 not supported" in words(app)
    app.button(key=f"{desk}:send").click().run()
    assert "“It saves 40 % of the cost.”: not said by anyone: 40 %. Change the line" in words(app)
    assert len(versions(host.state(debate))) == 1
    # Said by a seat, but not where the line links.
    app.text_area(key=f"{desk}:contested0").input("It costs $900 a month.").run()
    app.multiselect(key=f"{desk}:contested0.links").set_value(["A1.1"]).run()
    assert app.multiselect(key=f"{desk}:contested0.links~1").value == ["s0.1.1"]
    assert "said, but not in the linked turns: $ 900" in words(app)
    app.multiselect(key=f"{desk}:contested0.links~1").set_value(["1.opening.s1"]).run()
    assert "Not supported" not in words(app)
    app.text_area(key=f"{desk}:established0").input("It costs 12 hours of training.").run()
    app.text_input(key=f"{desk}:established0.why").input("I asked the vendor.").run()
    app.text_area(key=f"{desk}:reason").input("after the break").run()
    app.button(key=f"{desk}:send").click().run()
    assert not app.exception
    now = standing(host.state(debate))
    assert now is not None
    assert (now.by, now.reason) == ("Syd", "after the break")
    assert now.own_words == (OwnWords(line="It costs 12 hours of training.", reason="I asked the vendor."),)
    assert [line.links for line in now.content.contested] == [("1.opening.s1",)]
    assert versions(host.state(debate))[0].content == DRAFT


def test_what_is_typed_survives_a_reload_and_can_be_thrown_away(app: AppTest, host: Host):
    debate = opened(host)
    desk = f"{debate}/{SYD.id}/synthesis"
    at(app, debate, SYD).text_area(key=f"{desk}:answer").input("Half written").run()
    cold = new_browser()
    assert at(cold, debate, SYD).text_area(key=f"{desk}:answer").value == "Half written"
    cold.button(key=f"{desk}:again").click().run()
    assert cold.text_area(key=f"{desk}:answer~1").value == DRAFT.answer


@pytest.mark.parametrize("typed", ["A1.1", "Claim 1"])
def test_a_link_that_means_nothing_stays_and_says_so(app: AppTest, host: Host, typed: str):
    debate = opened(host)
    links = f"{debate}/{SYD.id}/synthesis:contested0.links"
    at(app, debate, SYD).multiselect(key=links).set_value(["nowhere"]).run()
    # One of the two is rewritten, so that a new field appears.
    app.multiselect(key=links).set_value([typed, "nowhere"]).run()
    assert not app.exception
    assert app.multiselect(key=f"{links}~1").value == ["s0.1.1", "nowhere"]
    assert "links an unknown claim or turn: nowhere" in words(app)
    cold = new_browser()
    assert at(cold, debate, SYD).multiselect(key=links).value == ["s0.1.1", "nowhere"]
    cold.multiselect(key=links).set_value([]).run()
    assert not cold.exception
    assert cold.multiselect(key=links).value == []


def test_code_drafts_the_lines_and_names_no_option(app: AppTest, host: Host):
    debate = opened(host)
    desk = f"{debate}/{SYD.id}/synthesis"
    at(app, debate, SYD).button(key=f"{desk}:code").click().run()
    assert not app.exception
    # Nothing was conceded, attacked or marked: there is nothing to link, and both options want an argument.
    assert app.text_area(key=f"{desk}:strongest0~1").value == ""
    app.button(key=f"{desk}:send").click().run()
    assert "adopt has no strongest argument: write one, or choose “No one argued for adopt” (1 more)" in words(app)
    for number in range(2):
        app.checkbox(key=f"{desk}:strongest{number}.none").set_value(True).run()
    app.button(key=f"{desk}:send").click().run()
    now = standing(host.state(debate))
    assert now is not None
    assert [s.text for s in now.content.strongest] == ["Nobody argued for this option."] * 2


def test_the_turn_form_of_a_synthesiser_has_the_same_checks(app: AppTest, host: Host):
    debate = opened(host, until="syn")
    slot = f"{debate}/syn/1.synthesis.{SYD.id}"
    at(app, debate, SYD)
    assert not [a for a in app.text_area if a.key and a.key.startswith(f"{debate}/{SYD.id}/")]
    app.text_area(key=f"{slot}:answer").input("It saves 40 % of the cost.").run()
    assert "“It saves 40 % of the cost.” not said by anyone: 40 %" in words(app)
    for number in range(2):
        app.checkbox(key=f"{slot}:strongest{number}.none").set_value(True).run()
    app.button(key=f"{slot}:send").click().run()
    assert requests(host.state(debate)) != ()
    app.text_input(key=f"{slot}:answer.why").input("by my own reckoning").run()
    app.button(key=f"{slot}:send").click().run()
    held = versions(host.state(debate))
    assert [v.own_words for v in held] == [
        (),
        (
            OwnWords(line="It saves 40 % of the cost.", reason="by my own reckoning"),
            OwnWords(line="Nobody argued for this option.", reason="no turn argues for it"),
        ),
    ]
    assert held[0].content == held[1].content


def test_a_draft_by_no_person_is_labelled_and_leaves_the_answer(app: AppTest, host: Host):
    debate = opened(host, until="syn", syn="offline")
    until(lambda: host.state(debate).outcome)
    at(app, debate, SYD)
    assert "Code wrote the first draft" in words(app)
    assert "first given by syn" not in words(app)
    assert app.text_area(key=f"{debate}/{SYD.id}/synthesis:answer").value == ""


@pytest.mark.parametrize(
    ("syn", "told"),
    [
        ("human", "You write the synthesis here after the last round."),
        ("offline", "You can write your version here once the synthesis is given"),
    ],
)
def test_synthesis_desk_before_a_synthesis_says_when_it_comes(app: AppTest, host: Host, syn: Occupant, told: str):
    assert told in words(at(app, opened(host, until="s1", syn=syn), SYD))


def test_synthesis_form_counts_the_needed_parts(app: AppTest, host: Host):
    debate = opened(host, until="syn")
    at(app, debate, SYD)
    assert "0 of 3 written." in words(app)
    next(area for area in app.text_area if str(area.key).endswith(":answer")).input("It is faster.").run()
    next(tick for tick in app.checkbox if str(tick.key).endswith(":strongest0.none")).check().run()
    assert "2 of 3 written." in words(app)


@pytest.mark.parametrize("who", [GUS, OLA, FAY])
def test_the_desk_is_for_the_synthesiser_alone(app: AppTest, host: Host, who: Person):
    at(app, opened(host), who)
    assert not [a for a in app.text_area if a.key and "/synthesis:" in a.key]


def test_the_floor_flags_a_line_and_the_synthesiser_settles_it(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, GUS)
    app.button(key=f"flag-send-{debate}").click().run()
    assert "choose the line that you flag" in words(app)
    line = app.selectbox(key=f"flag-line-{debate}")
    line.set_value(line.options.index("It saves 40 % of the cost.")).run()
    app.text_input(key=f"flag-why-{debate}").input("nobody said so").run()
    app.button(key=f"flag-send-{debate}").click().run()
    flag = flag_rows(host.state(debate))[0]
    assert (flag.line, flag.by, flag.reason) == ("It saves 40 % of the cost.", "Gus", "nobody said so")
    assert not [b for b in app.button if "Settle" in b.label]
    settling = at(new_browser(), debate, SYD)
    reason = f"flag-reason-{debate}-{flag.flag}"
    settling.button(key=f"{reason}-send").click().run()
    assert "write how the flag was settled" in words(settling)
    settling.text_input(key=reason).input("It will be rewritten.").run()
    settling.button(key=f"{reason}-send").click().run()
    assert flag_rows(host.state(debate))[0].resolved == "It will be rewritten."
    # An observer reads flags and raises none.
    watching = at(new_browser(), debate, OLA)
    assert "It will be rewritten." in words(watching)
    assert not [s for s in watching.selectbox if s.key == f"flag-line-{debate}"]


def test_results_show_the_current_synthesis_its_flags_and_others(app: AppTest, host: Host):
    debate = opened(host)
    version = DRAFT.model_copy(update={"contested": (Linked(text="It saves 50 % of it.", links=("s1.1.1",)),)})
    own = OwnWords(line="It saves 50 % of it.", reason="My own reckoning.")
    host.submit(debate, Act(by=GUS.id, act=Flagged(line=FAST, reason="which queue?")))
    host.submit(debate, Act(by=SYD.id, act=SynthesisRevised(content=version, own_words=(own,))))
    told = words(at(app, debate, OLA, "results.py", tab="Evidence"))
    for said in (
        "Version 2 of 2, by Syd; first given by Syd. All are kept.",
        "names something no one said",
        "the synthesiser's own judgement",
        "Reason: My own reckoning.",
        "flagged by the room",
        "which queue?",
        "taken out:] It saves 40 % of the cost.",
        "put in:] It saves 50 % of it.",
    ):
        assert said in told, said


def test_an_anonymous_synthesis_uses_other_claim_ids(app: AppTest, host: Host):
    # R105
    debate = opened(host, until="syn")
    at(app, debate, SYD)
    form = f"{debate}/syn/1.synthesis.p-syd"
    app.text_area(key=f"{form}:answer").input("The queue is fast enough.").run()
    app.button(key=f"{form}:code").click().run()
    app.button(key=f"{form}:established+").click().run()
    app.text_area(key=f"{form}:established0").input(FAST).run()
    links = app.multiselect(key=f"{form}:established0.links")
    assert [label for label in links.options if "s0." in label or "s1." in label or ".s0" in label] == []
    assert any(label.startswith("claim 1: ") for label in links.options)
    links.set_value(["seat_a.1.1"]).run()
    for number in range(len(OPTIONS)):
        app.checkbox(key=f"{form}:strongest{number}.none").check().run()
    app.button(key=f"{form}:send").click().run()
    assert [e.value for e in app.error] == []
    version = standing(host.state(debate))
    assert version is not None
    given = version.content
    assert given.established == (Linked(text=FAST, links=("s0.1.1",)),)
