"""Makes the record of a debate from the transcript of a meeting: over, without a vote, marked as not held here.

Each speaker is a seat and each utterance a turn, in the order of the file. The engine plays them, so that the record
can be verified, read, judged and exported like any other.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime

from debate_core.documents.transcripts import Meeting, Utterance
from debate_core.engine import engine
from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.option_names import named_option
from debate_core.engine.similarity import split_sentences
from debate_core.errors import InvalidSpec
from debate_core.host.imports.accept import ImportedDraft, drafts_of
from debate_core.host.imports.review import FileReview
from debate_core.host.random_ids import new_debate_id
from debate_core.names import is_same_name, looks_like, visible_name
from debate_core.record.commands import Resume, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec, read
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import MAX_TEXT_CHARS, HeldElsewhere, Seat

MAX_SPEAKERS = 50
"""Number of places that a phase can name."""
MAX_TURNS = 500
"""Our own cut: the engine plays them within a second."""
MAX_CLAIMS = 300
"""Number of numbered claims; each is compared with those before it."""
_MAX_CLAIMS_OF_TURN, _MAX_CLAIM_CHARS = 20, 2_000
FACILITATOR = "Facilitator"
"""The name of the person who imports a transcript on the command line."""
_LEADER = "p-1"


def fault_in_record(file: FileReview) -> Sentence | None:
    """The reason why this transcript stays a draft, or None if it becomes a record."""
    try:
        record_spec(file.meeting, drafts_of([file])[0])
    except InvalidSpec as error:
        return error.sentence
    return None


def record_spec(meeting: Meeting, draft: ImportedDraft, *, leader: str = FACILITATOR) -> Spec:
    """The agreement of the record: the draft's question, options and criteria, and the speakers as seats.

    `leader` is the person who imports it and leads its room; a speaker of this name holds a seat, too. InvalidSpec in
    one sentence if the transcript has too few or too many speakers or turns, or if question or options are missing.
    """
    speakers, turns = meeting.speakers, _turns(meeting)
    _refuse_number(len(speakers), Sentence("speakers"), MAX_SPEAKERS)
    _refuse_number(len(turns), Sentence("turns"), MAX_TURNS)
    ids = _seat_ids(speakers)
    starts_s = tuple(turn.start_s for turn in turns)
    order = [speakers.index(turn.speaker) + 1 for turn in turns]
    spec = read(
        Spec,
        {
            "question": draft.question,
            "options": draft.options,
            "seats": [Seat(id=seat, occupant="human") for seat in ids],
            "protocol": _protocol(order),
            "max_rounds": 1,
            "room": Room(
                people=_people(speakers, ids, visible_name(leader)),
                joining="named",
                pre_vote="none",
                final_vote="none",
                hold="none",
                afterwards="timed",
            ),
            "held_elsewhere": HeldElsewhere(file=draft.name[:200] or "?", starts_s=starts_s),
        },
    )
    check(spec)
    return spec


def _refuse_number(n: int, what: Sentence, most: int) -> None:
    if not 2 <= n <= most:
        raise InvalidSpec(
            "it has {n:,} {what}: the record of a debate has {least} to {most:,}",
            n=n,
            what=what,
            least=2,
            most=most,
        )


def _turns(meeting: Meeting) -> list[Utterance]:
    """The utterances, those that are too long for a turn in parts."""
    return [turn._replace(text=part) for turn in meeting.utterances for part in _parts(turn.text)]


def _parts(text: str) -> Iterator[str]:
    while len(text) > MAX_TEXT_CHARS:
        end = text.rfind(" ", 1, MAX_TEXT_CHARS)
        end = MAX_TEXT_CHARS if end < 0 else end
        yield text[:end]
        text = text[end:].lstrip()
    yield text


def _seat_ids(speakers: Sequence[str]) -> list[str]:
    """`Ann Lee` -> `ann_lee`; `speaker_2` for a name without Latin letters, or one that looks like an earlier one."""
    ids: list[str] = []
    for number, speaker in enumerate(speakers, start=1):
        latin = unicodedata.normalize("NFKD", speaker).encode("ascii", "ignore").decode().lower()
        seat = re.sub(r"[^a-z0-9]+", "_", latin).strip("_")[:30]
        is_free = seat and seat not in ids and not looks_like(seat, ids)
        ids.append(seat if is_free else f"speaker_{number}")
    return ids


def _protocol(places: Sequence[int]) -> Protocol:
    """One phase for each turn: judges read the turns of one phase in a drawn order, but these in their own."""
    return Protocol(
        name="transcript",
        purpose="The transcript of a meeting, in its order and without a vote.",
        each_round=tuple(Phase(name=f"turn_{n}", places=(place,)) for n, place in enumerate(places, start=1)),
        stop=(MaxRounds(),),
        decide=Plurality(if_undecided="not counted"),
        rounds=Rounds(default=1),
    )


def _people(speakers: Sequence[str], ids: Sequence[str], leader: str) -> tuple[Person, ...]:
    """The leader, and a person for each speaker with another name."""
    own = tuple(seat for seat, name in zip(ids, speakers, strict=True) if is_same_name(name, leader))
    others = [
        read(Person, {"id": f"p-{n}", "name": name, "role": "debater", "seats": (seat,)})
        for n, (name, seat) in enumerate(zip(speakers, ids, strict=True), start=2)
        if seat not in own
    ]
    return (read(Person, {"id": _LEADER, "name": leader, "role": "facilitator", "seats": own}), *others)


def play(spec: Spec, meeting: Meeting, *, at: datetime, owner: str = "") -> Sequence[Event]:
    """The events of a new debate of a `record_spec`, played to its end.

    InvalidSpec or RuleViolation if the engine refuses a turn.
    """
    holders = {seat: person.id for person in spec.people() for seat in person.seats}
    events = [*engine.open_debate(spec, debate_id=new_debate_id(), at=at, by=_LEADER, owner=owner)]
    more, state = engine.advance(replay(events), Resume(by=_LEADER), at=at)
    events += more
    n_claims = 0
    for turn in _turns(meeting):
        most = min(MAX_CLAIMS - n_claims, _MAX_CLAIMS_OF_TURN)
        sentences = [words for words in split_sentences(turn.text) if len(words) <= _MAX_CLAIM_CHARS]
        claims = [Claim(text=words) for words in sentences if has_marker(words) or named_option(words, spec.options)]
        argument = Argument(rationale=turn.text, claims=tuple(claims[:most]))
        n_claims += len(argument.claims)
        (request,) = engine.requests(state)
        taken = TakeTurn(by=holders[request.seat], request=request.id, content=argument)
        more, state = engine.advance(state, taken, at=at)
        events += more
    return events
