"""Descriptions of a protocol for screens: its kind, its phases, its end, its decision rule.

Pure: uses only the data of the protocol, so an uploaded protocol reads like a shipped one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.report.facts.terms import named
from debate_core.report.phrases.ending import stop_words
from debate_core.report.phrases.rules import clause_words, rule_sentence
from debate_core.spec import rules
from debate_core.spec.contents import Gives
from debate_core.spec.protocol import Phase, Protocol, asks_ballot
from debate_core.spec.values import SEARCH_SOURCES


@dataclass(frozen=True, slots=True)
class PhaseWords:
    """The description of a phase."""

    section: str
    name: str
    speaks: str
    order: str
    sees: str
    gives: str
    counted: bool
    notes: tuple[str, ...]


SECTIONS = (message("Before the first round"), message("Each round"), message("At the end"))
GIVES_WORDS: Words[Gives] = Words(
    {
        "argument": "an argument",
        "critique": "a critique",
        "rebuttal": "a rebuttal",
        "synthesis": "a synthesis",
        "review": "marks on quoted passages",
        "framing": "what the debate is about",
        "positions": "a side for every seat without one",
        "candidates": "candidates to compare",
        "screening": "a list of excluded candidates",
        "directive": "instructions: who speaks, what all should know, where to look",
        "evaluation": "an evaluation, no winner",
        "verdict": "a verdict",
        "decisive_claim": "the claim that decided its vote",
        "suppositions": "its vote if decisive claims were false",
        "premortem": "why the decision might be reversed a year later",
    }
)
_STEPS = Words(
    {
        "answer": "answer alone",
        "argument": "argue",
        "assessment": "compare the answers",
        "audit": "check how they argued",
        "case": "make a case",
        "closing": "conclude",
        "comparison": "compare two options",
        "consensus": "seek agreement",
        "contribution": "improve the answer",
        "critique": "criticise",
        "evaluation": "score the arguments",
        "marking": "mark quotes",
        "opening": "argue",
        "proposal": "propose",
        "rebuttal": "reply",
        "recommendation": "recommend",
        "revision": "revise",
        "summary": "sum up",
        "synthesis": "sum up",
        "verdict": "give a verdict",
    }
)
"""Usual phases by what is done in them; any other phase has its name."""
WHEN_WORDS = Words(
    {
        "every": "",
        "first": "only in the first round",
        "after_first": "from the second round on",
        "middle": "in the rounds between the first and the last",
        "last": "only in the last round, if there are two or more",
    }
)
_STARTS = Words(
    {"declared": "", "rotate": "the first speaker changes each round", "drawn": "the order is drawn by lot"}
)
_SEES = Words(
    {
        "all": "everything said so far",
        "earlier_phases": "everything said in earlier phases",
        "earlier_rounds": "everything said in earlier rounds",
        "last_round": "the last round, and its own turns",
        "neighbours": "the last turns of the two seats beside it",
        "previous": "the turn just before, and its own turns",
        "own": "only its own turns",
    }
)


def phases_of(protocol: Protocol) -> tuple[PhaseWords, ...]:
    """Describe every phase, in order."""
    sections = zip(SECTIONS, (protocol.before, protocol.each_round, protocol.after), strict=True)
    return tuple(_describe_phase(protocol, section, phase) for section, phases in sections for phase in phases)


def _describe_phase(protocol: Protocol, section: str, phase: Phase) -> PhaseWords:
    votes = asks_ballot(protocol, phase)
    order = _("side by side") if phase.order == "at_once" else _("in turn")
    if phase.role != "debater" or len(phase.places) == 1:
        order = _("alone")
    return PhaseWords(
        section=section,
        name=named(phase.name),
        speaks=who_speaks(phase),
        order=order,
        sees=_describe_view(phase),
        gives=GIVES_WORDS[phase.gives] + (_(" and a vote") if votes else ""),
        counted=votes and protocol.check_after == "phase",
        notes=_describe_conditions(phase),
    )


def _describe_view(phase: Phase) -> str:
    sees = phase.sees
    words = [_SEES[sees.turns]]
    if sees.turns != "own":
        words.append(_("without names") if phase.hides_names else _("with names"))
    if sees.shuffle:
        words.append(_("in a shuffled order"))
    if sees.votes == "shown":
        words.append(_("with the votes so far"))
    return ", ".join(words)


def who_speaks(phase: Phase) -> str:
    """Return `every debater`, `debaters 2 and 3` or `the judge`."""
    if phase.places:
        places = spoken_list([*map(str, phase.places)])
        return _n(len(phase.places), "debater {places}", "debaters {places}", places=places)
    return _("every debater") if phase.role == "debater" else _("the {role}", role=named(phase.role))


def _describe_conditions(phase: Phase) -> tuple[str, ...]:
    notes = [WHEN_WORDS[phase.when], _STARTS[phase.starts]]
    if phase.directed:
        notes.append(_("the moderator says who speaks"))
    if phase.min_strength:
        notes.append(
            _("asked once more if it rates itself below {min_strength} of 10", min_strength=phase.min_strength)
        )
    if phase.after_redo:
        notes.append(_("only if the chair sends the directive back"))
    if phase.unless_decided:
        notes.append(_("skipped after a decision"))
    if phase.sees.mirrors:
        notes.append(_("as in {mirrors}, read in the reverse order", mirrors=named(phase.sees.mirrors)))
    if phase.tools:
        notes.append(_describe_tools(phase.tools, phase.max_look_ups))
    if phase.sealed:
        notes.append(_("sealed: no one reads a turn before all are in"))
    notes += _describe_visibility(phase)
    return tuple(note for note in notes if note)


def _describe_tools(tools: Sequence[str], most: int) -> str:
    if tools == (SEARCH_SOURCES,):
        return _n(most, "may search the sources once first", "may search the sources up to {n} times first")
    words = spoken_list(tools)
    return _n(most, "may call {tools} once first", "may call {tools} up to {n} times first", tools=words)


def _describe_visibility(phase: Phase) -> list[str]:
    notes = []
    if phase.live_for is not None:
        readers = spoken_list([named(role) for role in phase.live_for]) or _("no one")
        notes.append(_("read live by {readers} only", readers=readers))
    if phase.history is False:
        notes.append(_("left out of later prompts"))
    return notes


def who_decides(protocol: Protocol) -> str:
    """Return the decider in a few words: `the judge`, `comparisons in pairs`, `more than half of all the seats`."""
    rule = protocol.decide
    if isinstance(rule, rules.BySeat):
        return _("the seat that sums up") if rule.role == "synthesiser" else _("the {role}", role=named(rule.role))
    if isinstance(rule, rules.Tournament):
        return _("comparisons in pairs")
    if isinstance(rule, rules.Threshold):
        # Without the option it reads as the number of times that they vote.
        return _n(rule.votes, "{n} vote for one option", "{n} votes for one option")
    return clause_words(rule, eligible=_("all the seats"))


def rounds_words(protocol: Protocol) -> str:
    """Return `usually 2 rounds, at most 8`."""
    rounds = protocol.rounds
    if rounds.hard_max == 1:
        return _("1 round")
    return _n(
        rounds.default,
        "usually {n} round, at most {hard_max}",
        "usually {n} rounds, at most {hard_max}",
        hard_max=rounds.hard_max,
    )


RANKED_BY = Words(
    {
        "scores": "a ranking of the options by the evaluator's scores, which decides nothing",
        "ballots": "a ranking of the options by the ranked ballots, which decides nothing",
    }
)


def parameters_of(protocol: Protocol, debaters: int) -> list[dict[str, str]]:
    """Return the parameters with their usual values and bounds, as rows of a table."""
    rounds = protocol.rounds
    bounds = _("1 to {hard_max}; warning above {warn_above}", hard_max=rounds.hard_max, warn_above=rounds.warn_above)
    rows = [
        (_("Rounds"), str(rounds.default), bounds),
        (_("Attempts at a turn"), str(protocol.attempts), _("fixed by the rules")),
        (_("Debaters"), str(debaters), _("as many as you seat")),
    ]
    if isinstance(protocol.decide, rules.Threshold):
        rows.append((_("Votes needed"), str(protocol.decide.votes), _("1 to the number of debaters")))
    for phase in protocol.phases():
        if phase.min_strength is not None:
            rows.append((_("Strength of a {name}", name=named(phase.name)), str(phase.min_strength), _("1 to 10")))
    quotes = _("does not win") if protocol.unverified_quotes == "refuse" else _("can win, and is marked")
    support = _("an option with no other support {quotes}", quotes=quotes)
    rows.append((_("Unverified quotes"), support, _("as you choose")))
    abstain = protocol.contradicting_ballots == "abstain"
    contradicting = _("abstain") if abstain else _("count, and are marked")
    rows.append((_("Ballots that contradict their own text"), contradicting, _("as you choose")))
    rows.append(
        (_("Checked after"), _("every {check_after}", check_after=named(protocol.check_after)), _("fixed by the rules"))
    )
    if protocol.rotate_models:
        rows.append((_("Models of debaters"), _("move on by one seat after every round"), _("as you choose")))
    rows.append((_("Decided by"), rule_sentence(protocol, debaters), ""))
    if protocol.ranked_by:
        rows.append((_("Ends with"), RANKED_BY[protocol.ranked_by], _("fixed by the rules")))
    rows += [(_("Ends"), stop_words(rule), _("whichever comes first")) for rule in protocol.stop]
    return [{_("Parameter"): name, _("Usual value"): value, _("Bounds"): bound} for name, value, bound in rows]


MAX_SHORT = 130
"""Longest purpose of several clauses on a card, in characters: four lines."""
MIN_SHORT = 60
"""Shortest clause that says enough without the others, in characters."""


def short_purpose(protocol: Protocol) -> str:
    """The purpose; a long one up to its first semicolon, if that clause says enough."""
    purpose = _(protocol.purpose)
    clause, more, _rest = purpose.partition(";")
    return f"{clause}." if more and len(purpose) > MAX_SHORT and len(clause) >= MIN_SHORT else purpose


def phases_line(protocol: Protocol, rounds: int) -> str:
    """Return the sequence of phases as one line."""
    parts = [_names(protocol.before), *_parts_of_rounds(protocol.each_round, rounds)]
    if protocol.after:
        parts.append(_("At the end: {names}", names=_names(protocol.after)))
    return " · ".join(part for part in parts if part)


def phase_boxes(protocol: Protocol, rounds: int) -> list[tuple[str, str]]:
    """Return the parts of that line as pairs: `Round 1` and `opening`; "" for steps before the rounds."""
    split = [part.rpartition(": ") for part in phases_line(protocol, rounds).split(" · ")]
    return [(when, names) for when, _colon, names in split]


def _parts_of_rounds(phases: Sequence[Phase], rounds: int) -> list[str]:
    first = _held_in(phases, "first", number=1)
    middle = _held_in(phases, "after_first", "middle", number=2)
    last = _held_in(phases, "after_first", "last", number=rounds)
    has_middle = rounds > 2
    if first == last and (first == middle or not has_middle):
        return [_("Each round: {names}", names=_names(first))]
    parts = [_("Round 1: {names}", names=_names(first))]
    if has_middle and middle == last:
        return [*parts, f"{_from_second_to(rounds)}: {_names(last)}"]
    if has_middle:
        parts.append(f"{_from_second_to(rounds - 1)}: {_names(middle)}")
    if rounds > 1:
        parts.append(_("Round {rounds}: {names}", rounds=rounds, names=_names(last)))
    return parts


def _held_in(phases: Sequence[Phase], *rounds: str, number: int) -> list[Phase]:
    """Return the phases of these rounds and of every round; `number`: the round, for phases of some rounds only."""
    in_rounds = [phase for phase in phases if phase.when in ("every", *rounds)]
    return [phase for phase in in_rounds if not phase.only_in or number in phase.only_in]


def _from_second_to(last: int) -> str:
    return _("Round {first}", first=2) if last == 2 else _("Rounds {first} to {last}", first=2, last=last)


def _names(phases: Sequence[Phase]) -> str:
    return " → ".join(map(step_words, phases))


def step_words(phase: Phase) -> str:
    """Return what is done in a phase: `sum up`."""
    return _STEPS.get(phase.name) or named(phase.name)
