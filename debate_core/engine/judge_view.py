"""The view of one judge: aliases instead of seats, a seeded order of turns and options, and hidden verdicts.

Every draw depends on the debate's seed, the judge's id and the place of a seat or option, never on its name, so that
renaming a seat changes no draw. `reads_blind` decides whether aliases are used; `hidden_from` lists turns that a person
may not read yet.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from debate_core.engine.schedule import round_is_complete, stance_of
from debate_core.engine.seat_names import BY_ID, SeatNames, blind_names
from debate_core.engine.seat_view import shuffled
from debate_core.engine.stage import by_people, judges_late, person, present, revealed_round, signature, speaker_name
from debate_core.record.acts import BeliefReported, Compared
from debate_core.record.state import State, Turn
from debate_core.sentence import Sentence
from debate_core.spec.contents import Argument, Content, Directive, Gives

Mode = Literal["live", "stepped", "timed"]
"""Live: reports during the debate. Stepped: reads round by round after the end. Timed: reads everything after the end
and gives final probabilities only; the time taken is recorded."""
NAMES = (
    *("Kite", "Lark", "Wren", "Finch", "Heron", "Tern", "Plover", "Crane", "Linnet", "Dunlin", "Curlew", "Avocet"),
    *("Osprey", "Puffin", "Siskin", "Petrel", "Pipit", "Dipper", "Alder", "Aspen", "Birch", "Cedar", "Larch"),
    *("Linden", "Maple", "Poplar", "Spruce", "Willow", "Hornbeam", "Acacia", "Laurel", "Tamarisk"),
)
"""Birds and trees: neutral names that suggest neither a speaker nor a ranking."""
_VERDICTS: tuple[Gives, ...] = ("verdict", "synthesis")
_SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class BlindTurn:
    """A turn as a judge reads it, with aliases for names. `content` None = struck, skipped or failed."""

    place: str
    phase: str
    speaker: str
    status: str
    content: Content | None
    gives_away: tuple[str, ...] = ()
    """Names of seats and models in its text, from which the reader may guess the speaker."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Id of a claim, as this judge reads it -> its number in the debate."""


def aliases(state: State, person_id: str) -> Mapping[str, Sentence]:
    """Seat id -> the alias for this person: `Speaker Kite`. Each seat keeps its alias for the whole debate.

    Only the first word has a translation: people of two languages in one room call a speaker the same.
    """
    taken = _words(state.spec.options)
    for seat in state.spec.seats:
        taken |= _words((seat.id, seat.stance, seat.persona))
    free = [name for name in NAMES if name.casefold() not in taken]
    drawn = shuffled(free, f"{state.spec.seed}:{person_id}:aliases") or ["No"]
    seats = enumerate(state.spec.seat_ids())
    return {seat: Sentence("Speaker {name}", name=_name_at(place, drawn)) for place, seat in seats}


def _name_at(place: int, names: Sequence[str]) -> str:
    """Each name once, then numbered: `Kite 2`."""
    times, index = divmod(place, len(names))
    return f"{names[index]} {times + 1}" if times else names[index]


def speakers(state: State, person_id: str) -> Mapping[str, str]:
    """Seat id -> its name on a judge's screen: an alias in a blind room, else the seat's name."""
    if state.spec.terms.blind == "blind":
        return aliases(state, person_id)
    return {seat.id: speaker_name(state, seat.id) for seat in state.spec.seats}


def names_under(state: State, alias_of: Mapping[str, str]) -> SeatNames:
    """Names for texts read under aliases: `risk.2.3` becomes `Kite.2.3` where the seat is `Speaker Kite`."""
    names = {seat: alias.removeprefix("Speaker ").replace(" ", "-") for seat, alias in alias_of.items()}
    return SeatNames(names, blind_names(state.spec).unmistakable)


def option_order(state: State, person_id: str) -> tuple[str, ...]:
    """The order of options on every screen where this person judges or votes."""
    return tuple(shuffled(state.spec.options, f"{state.spec.seed}:{person_id}:options"))


def reading_order(state: State, person_id: str, number: int) -> tuple[Turn, ...]:
    """Turns of the ended phases of a round; drawn order for this person within each phase."""
    turns_of: dict[str, list[Turn]] = {}
    for turn in state.turns:
        if turn.round == number and state.phase(turn.phase).gives != "review":
            turns_of.setdefault(turn.phase, []).append(turn)
    order: list[Turn] = []
    for phase, turns in turns_of.items():
        order += shuffled(turns, f"{state.spec.seed}:{person_id}:{number}:{phase}")
    return tuple(order)


def reading(state: State, person_id: str, number: int) -> tuple[BlindTurn, ...]:
    """A round as this judge reads it, without turns that are still hidden from them."""
    hidden = hidden_from(state, person_id)
    turns = [turn for turn in reading_order(state, person_id, number) if turn.place() not in hidden]
    return _blind(state, person_id, turns)


def find(state: State, person_id: str, where: str) -> BlindTurn:
    """One turn as this judge reads it, by its place."""
    return _blind(state, person_id, [turn for turn in state.turns if turn.place() == where])[0]


def _blind(state: State, person_id: str, turns: Iterable[Turn]) -> tuple[BlindTurn, ...]:
    called = speakers(state, person_id)
    giving_away = names_of(state)
    names = names_under(state, called) if state.spec.terms.blind == "blind" else BY_ID
    numbers = {names.shown(claim): number for claim, number in state.claim_numbers().items()}
    read = []
    for turn in turns:
        content = names.shown(turn.content) if turn.status == "ok" else None
        mentioned = self_identification(spoken(content), giving_away) if content else ()
        read.append(BlindTurn(turn.place(), turn.phase, called[turn.seat], turn.status, content, mentioned, numbers))
    return tuple(read)


def spoken(content: Content) -> str:
    """The text of a turn without its speaker, side and vote."""
    if not isinstance(content, Directive):
        return content.words
    parts = [part for part in (content.briefing, content.new_angle) if part]
    return "\n".join(parts) or content.reason


def names_of(state: State) -> tuple[str, ...]:
    """Words that identify a speaker: ids of seats, one-word stances, models, families. Options are excluded."""
    texts: list[str | None] = []
    for seat in state.spec.seats:
        texts += [seat.id, seat.model, seat.family, stance_of(state, seat.id)]
        line = state.spec.line(seat)
        if line is not None:
            texts += [line.model, line.family]
    options = {option.casefold() for option in state.spec.options}
    names = [text for text in texts if text and _is_name(text)]
    return tuple(dict.fromkeys(name for name in names if name.casefold() not in options))


def _is_name(text: str) -> bool:
    """True for a single word of at least two characters."""
    return len(text) >= _SHORTEST_NAME and len(text.split()) == 1


def self_identification(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that the text contains as whole words; `cost_hawk` also matches "Cost hawk"."""
    flat_text = _flat(text)
    mentioned = []
    for name in names:
        flat_name = _flat(name)
        if flat_name.strip() and flat_name in flat_text:
            mentioned.append(name)
    return tuple(mentioned)


def _flat(text: str) -> str:
    """The words of a text, each between single spaces."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _flat(text).split()}


def is_judge(state: State, person_id: str) -> bool:
    """True for a person who judges now."""
    who = person(state, person_id)
    return who is not None and who.role == "judge"


def reports(state: State, person_id: str) -> Mapping[int, BeliefReported]:
    """The probabilities that this judge gave: round -> the latest report."""
    latest = {report.round: report for report in state.room.done_by(person_id, BeliefReported)}
    return dict(sorted(latest.items()))


def done_judging(state: State, person_id: str) -> bool:
    """True once their final probabilities are recorded, or none are accepted anymore."""
    if any(report.final for report in reports(state, person_id).values()):
        return True
    return state.outcome is not None and _told(state, person_id) >= state.current_round()


def is_judging_closed(state: State, person_id: str) -> bool:
    """True for a judge who can give nothing more: the last round is revealed, and they joined before that."""
    return (
        state.outcome is not None
        and revealed_round(state) >= state.current_round()
        and not judges_late(state, person_id)
    )


def still_judging(state: State) -> tuple[str, ...]:
    """Judges whose final probabilities are missing; () once the decision is signed."""
    if signature(state) is not None:
        return ()
    judges = [person.id for person in present(state) if person.role == "judge"]
    return tuple(judge for judge in judges if not done_judging(state, judge))


def _told(state: State, person_id: str) -> int:
    """The last round that is closed for this judge by a reveal; below 1 = none."""
    if judges_late(state, person_id):
        return 0
    return revealed_round(state)


def reads_blind(state: State, person_id: str) -> bool:
    """True for a judge in a blind room until their judgement is given, since names would bias it."""
    agreed = state.spec.terms.blind == "blind"
    return agreed and is_judge(state, person_id) and not done_judging(state, person_id)


def is_read_blind(state: State) -> bool:
    """True while a judge reads blind. Readers of aliases see no seat's vote then: judges may look at their screens."""
    return any(reads_blind(state, who.id) for who in present(state))


def mode_of(state: State, person_id: str) -> Mode:
    """The reading mode of this judge. Judges without a report during the debate read afterwards, as agreed."""
    if state.outcome is None or any(
        done.by == person_id and done.at < state.closed_at for done in state.room.of(BeliefReported)
    ):
        return "live"
    if state.spec.terms.afterwards == "timed":
        return "timed"
        # A single round cannot be stepped through.
    return "stepped" if state.current_round() > 1 else "live"


def complete_rounds(state: State) -> int:
    """Number of rounds that are over, for which probabilities can be given."""
    number = state.current_round()
    if state.outcome is not None or (state.position >= 0 and state.slots[state.position].section == "after"):
        return number
    if state.open is None and round_is_complete(state):
        return number
    return max(number - 1, 0)


def last_readable(state: State, person_id: str) -> int:
    """The last round that this judge may read; in stepped mode one more than the last they judged."""
    if mode_of(state, person_id) != "stepped" or done_judging(state, person_id):
        return state.current_round()
    last_judged = max(0, _told(state, person_id), *reports(state, person_id))
    return min(last_judged + 1, state.current_round())


def round_to_judge(state: State, person_id: str) -> int | None:
    """The round for which this judge can give or revise probabilities now; None = none.

    After the end the last round comes last, and its report is final.
    """
    if done_judging(state, person_id):
        return None
    stepped = mode_of(state, person_id) == "stepped"
    number = last_readable(state, person_id) if stepped else complete_rounds(state)
    return number if number > max(_told(state, person_id), 0) else None


def is_asked_to_judge(state: State, person_id: str) -> bool:
    """True for a judge who can give or revise probabilities now."""
    return is_judge(state, person_id) and round_to_judge(state, person_id) is not None


def is_final(state: State, number: int) -> bool:
    """True if this is the last round of a debate that is over."""
    return state.outcome is not None and number == state.current_round()


def hidden_verdicts(state: State, person_id: str) -> frozenset[str]:
    """Places of verdicts and syntheses by models and code, given or pending, that this judge may not read yet.

    People judge first, so that they judge independently.
    """
    if not is_judge(state, person_id) or done_judging(state, person_id):
        return frozenset()
    verdicts = [turn for turn in state.all_turns() if state.phase(turn.phase).gives in _VERDICTS]
    # The author of a given turn is recorded; a person who takes the seat later did not write it.
    by_code = frozenset(turn.place() for turn in verdicts if turn.by not in state.room.people)
    return by_code | _verdicts_to_come(state)


def _verdicts_to_come(state: State) -> frozenset[str]:
    """Places of pending verdicts and syntheses of models and code."""
    open_phase = state.open
    if open_phase is None or open_phase.slot.phase.gives not in _VERDICTS:
        return frozenset()
    return frozenset(str(turn) for turn in open_phase.missing() if not by_people(state, turn.seat))


def hidden_from(state: State, person_id: str) -> frozenset[str]:
    """Places of turns hidden from this person: verdicts, and later rounds in stepped mode.

    Empty for people who do not judge.
    """
    if not is_judge(state, person_id):
        return frozenset()
    last = last_readable(state, person_id)
    later = (t.place() for t in state.all_turns() if t.round > last)
    return hidden_verdicts(state, person_id) | frozenset(later)


def may_see_result(state: State, person_id: str) -> bool:
    """False for a judge whose final probabilities are missing: any count, even the debaters' votes, is a verdict."""
    return not is_judge(state, person_id) or done_judging(state, person_id)


def next_pair(state: State, person_id: str) -> tuple[str, str] | None:
    """Two turns of different debaters that this judge has not compared, the least compared by all judges first.

    Pairs within a phase come before pairs across phases; None when every pair was compared.
    """
    mine = {frozenset((own.a, own.b)) for own in state.room.done_by(person_id, Compared)}
    left = [pair for pair in _pairs(_comparable(state, person_id)) if _places(pair) not in mine]
    if not left:
        return None
    times = Counter(place for compared in state.room.facts(Compared) for place in (compared.a, compared.b))
    drawn = shuffled(left, f"{state.spec.seed}:{person_id}:pairs")
    a, b = min(drawn, key=lambda pair: (sum(times[place] for place in _places(pair)), _apart(*pair)))
    first, second = shuffled([a.place(), b.place()], f"{state.spec.seed}:{person_id}:{len(mine)}:sides")
    return first, second


def _places(pair: tuple[Turn, Turn]) -> frozenset[str]:
    return frozenset(turn.place() for turn in pair)


def _comparable(state: State, person_id: str) -> list[Turn]:
    """Arguments with substance that this judge may read."""
    hidden = hidden_from(state, person_id)
    panel = {seat.id for seat in state.spec.evidence_panel()}
    arguments = [turn for turn in state.turns if turn.status == "ok" and isinstance(turn.content, Argument)]
    return [
        turn for turn in arguments if turn.place() not in hidden and _has_substance(turn, quotes=turn.seat in panel)
    ]


def _has_substance(turn: Turn, *, quotes: bool) -> bool:
    """True for a turn with claims or with prose; the evidence panel's lines around its quotes are not prose."""
    return bool(turn.claims) or (not quotes and turn.content is not None and bool(turn.content.words.strip()))


def _apart(a: Turn, b: Turn) -> bool:
    return (a.round, a.phase) != (b.round, b.phase)


def _pairs(turns: Sequence[Turn]) -> list[tuple[Turn, Turn]]:
    """All pairs of these turns with different seats, in order."""
    return [(a, b) for a, b in combinations(turns, 2) if a.seat != b.seat]
