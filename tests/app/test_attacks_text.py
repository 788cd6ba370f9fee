"""Text of people that tries to be code stays text on every page and in every file."""

import csv
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Act, Pause, Resume
from debate_core.record.events import dump_record
from debate_core.report.facts.account import account
from debate_core.report.files.export import csv_files
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.values import Seat, Value
from debate_core.ui import kit
from debate_core.ui.room.live.channel import Moment
from debate_core.ui.room.live.visibility import Sight, sight_of
from tests.app.visiting import PAGES, at, brings, cookie_of, drawn, told
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, GUS, JUNE, MO, OLA, OPTIONS, room_spec
from tests.playing import Played

NASTY = (
    '=HYPERLINK("http://evil.test","x")',
    "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "**bold** _it_ `code` # head [link](http://evil.test) ![pic](http://evil.test/p.png) :red[evil] :smile:",
    "$x^2$ and $$y$$ \\(z\\)",
    "\u202egnirts desrever\u202c \u2066isolate\u2069 \u200f5 > 3\u200e\u061c",
    "+1\n-2\n@SUM(A1)\n\t=3\r\n=4",
    "www.evil.test mail@evil.test https://evil.test",
)
ACTIVE = re.compile(
    r"(?<!\\)(<img|<script|\*\*bold|_it_|`code`|\[link|!\[pic|:red\[evil|\$x|\$\$y|:smile:)"
    r"|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|https?://evil|www\.evil|mail@evil"
)
LONG = "long " * 2_000


def text(many: int) -> str:
    """All of it on as many lines as there is room for."""
    return "\n".join(NASTY)[:many]


def nasty_people() -> list[Person]:
    """Everybody, under such a name and with such an interest."""
    names = [f"{NASTY[n % len(NASTY)][:78]} {n}" for n in range(len(EVERYBODY))]
    return [p.model_copy(update={"name": n, "interest": text(300)}) for p, n in zip(EVERYBODY, names, strict=True)]


def nasty_room() -> Played:
    """A finished debate with such text in every field."""
    people = nasty_people()
    held = Played(room_spec(people, pre_vote="shown_at_close"))
    for kind in ("question", "concern"):
        held.act(GUS, acts.Asked(kind=kind, text=text(1_000)))
    held.act(FAY, acts.Intervened(kind="briefing", text=text(4_000)))
    held.act(FAY, acts.PollOpened(poll="pre"))
    for who in (ANN, BEN, GUS):
        held.ballot(who, "pre", "adopt", reason=text(200))
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    held.go_on()
    held.act(FAY, acts.SeatTaken(seat="s1", reason=text(500)))
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        seat = requests(held.state)[0].seat
        said = Argument(rationale=text(2_000), claims=tuple(Claim(text=n) for n in NASTY), vote="adopt")
        held.say(said, by=FAY.id if seat == "s1" else "")
    held.act(FAY, acts.Struck(turn="1.opening.s0", reason=text(500)))
    claim = next(iter(held.state.claims))
    held.act(MO, acts.Noted(claim_id=claim, resolved=True, reason=text(500)))
    judge(held)
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "defer", reason=text(200))
    held.ballot(GUS, "final", "adopt", reason=text(200))
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(BEN, acts.Dissented(text=text(2_000)))
    held.act(BEN, acts.Dissented(kind="objection", text=text(2_000), named=False))
    lines = {"reason": text(300), "owner": NASTY[1], "revisit": NASTY[3], "confirmation": text(1_000)}
    informed = tuple(" ".join(n.split()) for n in NASTY)
    assumed = [acts.Assumption(text=name, watched_by=name, claim_id=claim) for name in informed if name]
    word = acts.Signed.model_validate(
        {"verdict": "accept_with_changes", "option": "adopt", "changes": text(1_000), "informed": informed, **lines}
    )
    held.act(ABE, word.model_copy(update={"affects": informed, "assumptions": tuple(assumed)}))
    held.act(ABE, acts.OutcomeRecorded(result="held", option="adopt", reason=text(500)))
    held.act(FAY, acts.PersonLeft(person=OLA.id, reason=text(200)))
    return held


def judge(played: Played) -> None:
    """Everything that a judge gives, revealed."""
    even = [(o, p) for o, p in zip(OPTIONS, (34, 33, 33), strict=True)]
    beliefs = tuple(acts.Believed(option=o, percent=p) for o, p in even)
    played.act(
        JUNE, acts.Judged(ratings=(acts.Rated(option="adopt", criterion="clarity", score=5),), comment=text(2_000))
    )
    played.act(JUNE, acts.Compared(a="1.opening.s1", b="1.opening.s2", winner="tie", reason=text(300)))
    played.act(JUNE, acts.BeliefReported(round=2, beliefs=beliefs, explanation=text(2_000), final=True))
    played.act(FAY, acts.BeliefsRevealed(round=2))


@pytest.fixture(scope="module")
def nasty() -> Played:
    return nasty_room()


@pytest.mark.parametrize("who", [FAY, ABE, GUS, JUNE, None])
@pytest.mark.parametrize("page", PAGES)
def test_what_people_write_is_text_on_every_page(
    app: AppTest, host: Host, nasty: Played, who: Person | None, page: str, monkeypatch: pytest.MonkeyPatch
):
    debate = host.import_record(dump_record(nasty.events).encode())
    if who is not None:
        brings(monkeypatch, debate, cookie_of(host, debate, who))
    at(app, debate, None, page)
    found = {f"{m.group()} in {text[:300]!r}" for text in drawn(app) for m in ACTIVE.finditer(text)}
    assert found == set()
    assert "evil" in told(app) or page in ("screen.py", "record.py")


@pytest.mark.parametrize("who", [FAY, GUS, None])
def test_what_people_write_is_text_while_it_is_going_on(
    app: AppTest, host: Host, who: Person | None, monkeypatch: pytest.MonkeyPatch
):
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    people = nasty_people()
    debate = host.create(room_spec(people, seats=seats), by=FAY.id)
    host.submit(debate, Act(by=GUS.id, act=acts.Asked(text=text(1_000))))
    host.submit(debate, Act(by=BEN.id, act=acts.Asked(kind="concern", text=text(1_000))))
    if who is not None:
        brings(monkeypatch, debate, cookie_of(host, debate, who))
    for step in (None, Resume(by=FAY.id), Pause(by=FAY.id, reason=text(500))):
        if step is not None:
            host.submit(debate, step)
        at(app, debate)
        found = {f"{m.group()} in {text[:300]!r}" for text in drawn(app) for m in ACTIVE.finditer(text)}
        assert found == set()


@pytest.mark.parametrize("who", [FAY, GUS, JUNE])
def test_no_frame_of_the_transcript_turns_the_direction(nasty: Played, who: Person):
    frame = Moment(nasty.state, {}, {}, 1).frame(sight_of(nasty.state, who))
    written = frame.since(None)
    assert "gnirts desrever" in written
    assert re.findall("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", written) == []


def test_text_that_streams_keeps_its_places_without_directions():
    texts = ("\u202eab", "\u202eabc\u2066d")
    state = Played(room_spec()).go_on().state
    request = requests(state)[0].id
    before: Moment | None = None
    told_so_far = ""
    for said in texts:
        now = Moment(state, {request: said}, {}, 1, before)
        sent = json.loads(now.frame(Sight()).since(before.frame(Sight()) if before else None))
        told_so_far = _heard(sent, told_so_far)
        before = now
    assert told_so_far == "abcd"


def _heard(sent: list[list[Any]], so_far: str) -> str:
    """Text that streams, as a browser has it."""
    for kind, news in sent:
        if kind == "text":
            assert news[1] == len(so_far)
            return so_far + str(news[2])
        if kind == "item":
            return str(news["text"])
        if kind == "snapshot":
            return next((str(item["text"]) for item in news["items"] if item["text"]), "")
    return so_far


def test_only_draw_table_draws_tables():
    """It removes the characters that change the writing direction, which a cell would otherwise keep."""
    folder = Path(kit.__path__[0]).parent
    users = [path.relative_to(folder) for path in folder.rglob("*.py") if "st.dataframe(" in path.read_text("utf-8")]
    assert users == [Path("kit/tables.py")]


def test_no_cell_of_any_table_runs_in_a_spreadsheet(nasty: Played):
    files = csv_files(account(nasty.state, nasty.events))
    cells = [(name, cell) for name, body in files.items() for row in csv.reader(StringIO(body)) for cell in row]
    runs = [(n, c[:60]) for n, c in cells if c[:1] in "=+-@\t\r" and c and not re.fullmatch(r"-?\d+(\.\d+)?", c)]
    assert runs == []
    assert any("HYPERLINK" in c for _, c in cells)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (acts.Asked, {"text": LONG}),
        (acts.Intervened, {"text": LONG}),
        (acts.Dissented, {"text": LONG}),
        (acts.Struck, {"turn": "1.opening.s0", "reason": LONG}),
        (Person, {"id": "p-x", "name": LONG}),
    ],
    ids=["asked", "intervened", "dissented", "struck", "person"],
)
def test_a_field_refuses_ten_thousand_characters(kind: type[Value], fields: dict[str, str]):
    with pytest.raises(ValidationError, match="at most"):
        kind.model_validate(fields)
