"""German, chosen in a browser or asked for by it: the screens, the pages beside them, and what stays English."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core import language
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.access.people_list import ROLES, read_list
from debate_core.host.host import Host
from debate_core.record.acts import Asked, BallotCast, Noted, PersonLeft, PollClosed, PollOpened, RoomAct
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.record.events import dump_record
from debate_core.report.facts.account import account
from debate_core.report.facts.terms import named, recorded
from debate_core.report.figures.polls import pair_table
from debate_core.report.files.export import csv_files
from debate_core.spec.candidates import read_candidates
from debate_core.spec.contents import Argument, Claim, Mark, Position
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import read
from debate_core.spec.protocol_files import protocol_from_toml
from debate_core.spec.rules import Elected
from debate_core.spec.values import Seat, Source
from debate_core.ui.kit import fetched
from debate_core.ui.kit.words import event_line
from debate_core.ui.setup.draft import LimitsDraft, RoomDraft
from debate_core.ui.setup.mapping import ceiling_from
from debate_core.ui.setup.people_mapping import room_from
from tests.app.test_gate import GIVEN
from tests.app.test_gate import opened as chaired
from tests.app.visiting import (
    HOLDERS,
    WebClient,
    at,
    begun,
    did,
    drawings,
    gives,
    new_browser,
    opened,
    parts_of,
    results,
    room,
    step,
    tells,
    told,
)
from tests.people import ANN, FAY, OLA

ROOT = Path(__file__).resolve().parents[2]
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.8"}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {"language": "de"})


@pytest.mark.usefixtures("german")
def test_a_german_room_keeps_what_people_wrote(host: Host):
    debate = opened(host)
    page = told(at(new_browser(), debate, FAY))
    assert "So kommen alle herein" in page
    assert "How people join" not in page
    assert host.state(debate).spec.question in page


@pytest.mark.usefixtures("host", "german")
def test_what_a_protocol_is_for_is_said_in_german():
    page = new_browser().switch_page("protocols.py").run()
    (drawn,) = drawings(page, "protocols")
    purposes = {card["name"]: card["purpose"] for group in drawn["groups"] for card in group["cards"]}
    assert purposes["bounded_vote"].startswith("Nach jeder von vier kurzen Phasen wird abgestimmt")
    # The test looks for the label in its own language.
    with language.spoken("de"):
        page.selectbox(key="protocol_chosen").set_value("bounded_vote").run()
    assert "Begrenzte Abstimmung" in told(page)
    assert "Nach jeder von vier kurzen Phasen wird abgestimmt" in told(page)


@pytest.mark.usefixtures("host", "german")
def test_an_empty_setup_names_in_german_what_is_missing():
    visitor = new_browser().switch_page("setup.py").run()
    page = told(visitor)
    assert "Drei Schritte zur Debatte" in page
    assert "1. Die Frage und die Optionen schreiben." in page
    visitor.text_input(key="setup_option_o1").set_value("Umziehen").run()
    assert "Die Frage ist leer" in told(visitor)


def test_headings_of_tables_are_german_and_options_stay():
    with language.spoken("de"):
        (row,) = pair_table((), ("keep it",))
    assert [*row] == ["Über ↓ unter →", "keep it"]


@pytest.mark.usefixtures("german")
def test_a_debate_held_in_german_has_an_english_record(host: Host):
    debate = begun(host)
    told(at(new_browser(), debate, FAY))
    with language.spoken("de"):
        spoken_german = dump_record(host.events(debate))
        told_german = [event_line(event) for event in host.events(debate)]
    assert "Das Programm hat die Debatte angehalten, weil: die Lobby ist offen" in "\n".join(told_german)
    assert spoken_german == dump_record(host.events(debate))
    assert "Runde" not in spoken_german


REFUSED: tuple[tuple[Person, RoomAct, str], ...] = (
    (FAY, PollOpened(poll="pre"), "die Vorabstimmung wurde schon geöffnet"),
    (ANN, PollClosed(poll="pre", results=()), "(Schließen einer Abstimmung) ist für: Leitung; Ann "),
    (
        ANN,
        BallotCast(poll="pre", choice="burn it"),
        "die Stimme „burn it“ ist keine der Optionen: adopt, defer, reject",
    ),
    (FAY, PersonLeft(person=ANN.id, withdrawn=True), "warum die Person samt Stimmzetteln entfernt wird"),
    (OLA, Asked(text="Why?"), "Ola hat hier die Rolle: zuschauend"),
    (FAY, PersonLeft(person=FAY.id), "der Raum braucht eine Leitung: bitte zuerst eine andere benennen"),
)


@pytest.mark.usefixtures("german")
def test_engine_refusals_are_german_and_keep_names(host: Host):
    debate = opened(host)
    did(host, debate, FAY, PollOpened(poll="pre"))
    with language.spoken("de"):
        for who, act, german in REFUSED:
            with pytest.raises(RuleViolation) as refused:
                did(host, debate, who, act)
            assert german in language.said(refused.value)
            assert german not in str(refused.value)


@pytest.mark.usefixtures("german")
def test_what_comes_next_is_german_on_the_desk_of_who_leads(host: Host):
    debate = opened(host)
    with language.spoken("de"):
        page = at(new_browser(), debate, FAY)
        assert "Die Vorabstimmung öffnen" in {button.label for button in page.button}
        did(host, debate, FAY, PollOpened(poll="pre"))
        page.run()
        assert "Schließen, später beginnen" in {button.label for button in page.button}


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("most points", "die meisten Punkte"),
        ("drawn with seed 7: the lowest SHA-256 of seed:place has place 2", "gelost mit Startwert 7: Der niedrigste"),
        ("round 2 is ready: the facilitator lets it begin", "Runde 2 ist bereit"),
        ("risk could not be reached: no answer", "nicht erreichbar: risk (no answer)"),
        ("somebody's own words", "somebody's own words"),
    ],
)
def test_english_program_text_in_a_record_is_shown_in_german(english: str, german: str):
    assert recorded(english) == english
    with language.spoken("de"):
        assert recorded(english).startswith(german)


@pytest.mark.usefixtures("german")
def test_an_uncountable_ballot_is_refused_in_german(host: Host):
    debate = opened(host, vote=Elected(kind="cumulative"))
    did(host, debate, FAY, PollOpened(poll="pre"))
    with language.spoken("de"):
        page, cast = at(new_browser(), debate, ANN), f"{debate}/{ANN.id}/poll-pre:cast"
        page.button(cast).click().run()
        assert "die Stimme ist leer: bitte die Punkte auf die Optionen verteilen" in refusals(page)
        tells(page, "pick", {"points": [4, 3, None], "abstains": False})
        page.button(cast).click().run()
        assert refusals(page) == "der Stimmzettel vergibt 7 Punkte: Zu vergeben sind 1 bis 5"


@pytest.mark.usefixtures("german")
def test_who_moderates_in_german_corrects_a_row_of_the_evidence(host: Host):
    debate = begun(host)
    gives(host, debate, Argument(rationale="why", vote="adopt", claims=(Claim(text="It pays."),)))
    with language.spoken("de"):
        page = at(new_browser(), debate, FAY)
        page.selectbox(key="claim").set_value("s0.1.1").run()
        assert not page.exception
        page.segmented_control(key="flag s0.1.1").set_value("has some").run()
        page.text_input(key="reason-correct").input("der Anhang").run()
        page.button(key="correct-claim").click().run()
    (note,) = host.state(debate).room.of(Noted)
    assert (note.fact.has_evidence, note.fact.resolved) == (True, None)


@pytest.mark.usefixtures("german")
def test_the_evidence_table_is_german_with_quotes_and_marks(host: Host):
    source = Source(id="E1", title="Bill", text="It costs 90 USD.")
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose("Which?", ["buy", "wait"], protocol("bounded_vote"), seats, sources=[source])
    debate = host.create(spec, by="ana")
    quoting = Claim(text="It is dear.", source_id="E1", quote="It costs 90 USD.")
    said = Argument(rationale="why", vote="buy", claims=(quoting,))
    host.submit(debate, TakeTurn(by="ana", request="1.proposal.ana.1", content=said))
    host.submit(debate, SetMark(by="ana", mark=Mark(claim_id="ana.1.1", reading="against", option="buy")))
    (shown,) = parts_of(results(new_browser(), debate, "Belege"), "evidence")
    assert [(claim["mark"], claim["verdict"], claim["when"]) for claim in shown["claims"]] == [
        ("gegen buy", "wortgetreu", "Runde 1")
    ]
    (script,) = (text for address, text in fetched.FILES.items() if "debate_face" in address)
    assert '"Quote check": "Zitatprüfung"' in script
    (room_script,) = (text for address, text in fetched.FILES.items() if "debate_transcript" in address)
    assert '"Jump to latest": "Zum Neuesten"' in room_script


def test_html_of_drawings_has_no_words_that_stay_english():
    pages = [path.read_text("utf-8") for path in (ROOT / "debate_core" / "ui").rglob("*.py")]
    drawn = [html for page in pages for html in re.findall(r'_HTML = (?:"{3}(.*?)"{3}|([^\n]*))', page, re.DOTALL)]
    # Names in braces are filled in with translated words.
    assert len(drawn) >= 3
    assert [text for html in drawn for text in re.findall(r">([^<>{}]*[A-Za-z][^<>{}]*)<", "".join(html))] == []


@pytest.mark.usefixtures("german")
def test_turns_of_german_speakers_leave_an_english_record(host: Host):
    gate = chaired(host, "moderated_judge", ("migrate", "stay"), GIVEN)
    page = room(new_browser(), gate, "chair")
    page.button(key=f"{gate}/chair/1.gate:approve").click().run()
    assert host.state(gate).turns[-1].message == "approved as it stands"
    debate = begun(host)
    page, field = at(new_browser(), debate, HOLDERS[0]), f"{debate}/s0/1.opening.p-s0"
    page.text_area(key=f"{field}:rationale").input("Ich lag falsch").run()
    page.radio(key=f"{field}:vote").set_value("reject").run()
    page.checkbox(key=f"{field}:holds reject").check().run()
    page.button(key=f"{field}:send").click().run()
    (turn,) = host.state(debate).all_turns()
    assert isinstance(turn.content, Argument)
    assert turn.content.stance == "I now hold reject"


@pytest.mark.usefixtures("host", "german")
def test_files_that_cannot_be_read_are_refused_in_german():
    with language.spoken("de"):
        page = step(new_browser().switch_page("setup.py").run(), "material")
        page.file_uploader(key="setup_files_0").set_value([("bad.txt", b"na\xefve", "text/plain")]).run()
        assert "Quelle bad.txt ist kein UTF-8-Text (Byte 3)" in refusals(page)


def refusals(page: AppTest) -> str:
    """Return the refusals that the page shows."""
    return " ".join(error.value.replace("\\", "") for error in page.error)


def test_every_role_of_a_list_is_read_by_its_german_name():
    with language.spoken("de"):
        lines = [f"Ana {number}, {named(role)}" for number, role in enumerate(ROLES)]
    assert [person.role for person in read_list("\n".join(lines))] == [*ROLES]


@pytest.mark.parametrize(
    ("make", "german"),
    [
        (
            lambda: read_candidates("option\nadopt\nadopt\n", where="list.csv"),
            "list.csv nennt „adopt“ in den Zeilen 2 und 3",
        ),
        (lambda: read_candidates("adopt", where="list.csv"), "list.csv hat 1 Kandidat: Ein Turnier braucht 2 bis"),
        (lambda: read_list("Ana, kaiser"), "Zeile 1: „kaiser“ ist keine Rolle: möglich sind Leitung, Moderation"),
        (lambda: read(Position, {"name": "x" * 999, "claim": "", "because": ""}), "der Text darf höchstens"),
        (lambda: protocol_from_toml("name = 3", where="own.toml"), "Verfahren own.toml: "),
        (lambda: protocol("none of ours"), "unbekanntes Verfahren „none of ours“"),
        (lambda: ceiling_from(LimitsDraft(calls="many")), "das Limit (Aufrufe) ist „many“"),
        (
            lambda: room_from(RoomDraft(on=True, name="Ana", judges="Bo", approver="Bo"), ()),
            "Bo ist als Jury und als Freigabe genannt",
        ),
    ],
)
def test_what_files_and_fields_are_refused_for_is_said_in_german(make: Callable[[], object], german: str):
    with pytest.raises(InvalidSpec) as refused, language.spoken("de"):
        make()
    with language.spoken("de"):
        assert german in language.said(refused.value)


def test_a_wrong_code_is_refused_in_german(browser: Callable[[], WebClient]):
    assert "Zu diesem Code gibt es jetzt keine Debatte" in browser().get("/join?code=WRONG1", headers=GERMAN).text


def test_the_browser_language_applies_until_one_is_chosen(browser: Callable[[], WebClient]):
    here = browser()
    assert '<html lang="de">' in here.get("/join", headers=GERMAN).text
    assert '<html lang="en">' in here.get("/join").text
    chosen = here.get("/language/de", headers={"referer": "http://localhost/room?id=d-1"})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/room?id=d-1")
    assert '<html lang="de">' in here.get("/join").text
    here.get("/language/en")
    assert '<html lang="en">' in here.get("/join", headers=GERMAN).text


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://localhost/join", "/join"),
        ("http://elsewhere.example/room", "/"),
        ("http://localhost//elsewhere.example", "/elsewhere.example"),
        ("http://localhost/language/en", "/"),
        ("", "/"),
    ],
)
def test_the_choice_leads_back_to_a_page_of_this_server_only(
    came_from: str, back: str, browser: Callable[[], WebClient]
):
    assert browser().get("/language/de", headers={"referer": came_from}).headers["location"] == back


def test_a_language_that_is_none_of_ours_changes_nothing(browser: Callable[[], WebClient]):
    assert "set-cookie" not in browser().get("/language/xx").headers


def test_tables_are_english_whoever_takes_them(host: Host):
    debate = begun(host)
    state, events = host.state(debate), host.events(debate)
    english = csv_files(account(state, events))
    made = language.later("en", lambda: csv_files(account(state, events)))
    with language.spoken("de"):
        assert made() == english
