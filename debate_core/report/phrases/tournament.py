"""Progress and result of a tournament in sentences."""

from collections.abc import Sequence

from debate_core.engine import comparisons, stage
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.proposals import Became
from debate_core.report.facts.tournament import progress
from debate_core.spec.values import in_words
from debate_core.text import line

SHOWN = 3
"""Number of the best options that a sentence names."""


def compared_words(state: State) -> str:
    """`40 comparisons of 30 options`."""
    number = len(comparisons.contests(state))
    return _n(number, "{n} comparison of {of} options", "{n} comparisons of {of} options", of=len(state.spec.options))


def ranking_words(account: Account) -> str:
    """`40 comparisons of 30 options; the strongest: A, B and C`; an unsettled order is marked as such."""
    best = [line(row.option) for row in account.ranking if row.strength is not None][:SHOWN]
    compared = compared_words(account.state)
    if not best:
        return compared
    if comparisons.top_settled(account.state) or comparisons.strongest(account.state):
        return _("{compared}; the strongest: {best}", compared=compared, best=spoken_list(best))
    return _("{compared}; ahead, but not settled: {best}", compared=compared, best=spoken_list(best))


def progress_words(state: State) -> str:
    """`157 of at most 360 comparisons are done`; the maximum is unknown while candidates may be added."""
    if state.outcome is not None:
        return compared_words(state)
    so_far = progress(state)
    if so_far.most is None:
        return _n(so_far.given, "{n} comparison is done", "{n} comparisons are done")
    return _("{given} of at most {most} comparisons are done", given=so_far.given, most=so_far.most)


def comparing_words(state: State) -> str:
    """`7 people with a vote compare: 5 pairs left in this round`; empty unless everyone with a vote compares."""
    missing = state.open.missing() if state.open else ()
    for_all = [turn.seat for turn in missing if stage.compared_by_all(state, turn.seat)]
    if not for_all:
        return ""
    pairs = _n(len(for_all), "{n} pair left in this round", "{n} pairs left in this round")
    people = len(stage.speaks_for(state, for_all[0]))
    if not people:
        return _("Waiting for someone with a vote: {pairs}", pairs=pairs)
    who = _n(people, "{n} person with a vote compares", "{n} people with a vote compare")
    return f"{who}: {pairs}"


def next_words(state: State) -> str:
    """The people who compare now, else the pair under comparison; empty without one."""
    if words := comparing_words(state):
        return words
    so_far = progress(state)
    if so_far.next_pair is None:
        return ""
    first, second = map(line, so_far.next_pair)
    if not so_far.beside:
        return _("Compared now: {first} and {second}", first=first, second=second)
    return _n(
        so_far.beside,
        "Compared now: {first} and {second}, and {n} other pair",
        "Compared now: {first} and {second}, and {n} other pairs",
        first=first,
        second=second,
    )


def settled_words(account: Account) -> str:
    """State of the search for the best few; only the rule names a winner."""
    state = account.state
    top = comparisons.looked_for(account.state)
    if top is None:
        return _("All are ranked; the intervals show which differences are significant")
    if comparisons.top_settled(state):
        return _n(top, "The best one is clearly ahead of the rest", "The best {n} are clearly ahead of the rest")
    if state.outcome is None:
        return _n(top, "The best one is not settled yet", "The best {n} are not settled yet")
    open_still = _n(top, "The best one was not settled", "The best {n} were not settled")
    last, level = comparisons.level_with_last(state)
    if not level:
        return open_still
    return _(
        "{open_still}: {last} is not clearly ahead of {others}",
        open_still=open_still,
        last=line(last),
        others=_list_some(level),
    )


def _list_some(options: Sequence[str]) -> str:
    """`A, B and C`, `A, B and 7 others`."""
    if len(options) <= SHOWN:
        return spoken_list([*map(line, options)])
    others = len(options) - SHOWN + 1
    more = _n(others, "{n} other", "{n} others")
    return spoken_list([*map(line, options[: SHOWN - 1]), more])


def why_words(account: Account) -> str:
    """Lead of the strongest option over the next, or the missing quorum, without the last full stop."""
    state = account.state
    found = comparisons.ranking(state).strengths
    if not comparisons.quorum_met(state):
        given = len(comparisons.contests(state))
        asked = len(state.compared)
        return _("Only {given} of {asked} requested comparisons were given", given=given, asked=asked)
    first = line(found[0][0])
    second = line(found[1][0])
    if comparisons.strongest(state):
        return _("{first} is clearly ahead of {second}, the next one", first=first, second=second)
    return _("{first} leads {second} too narrowly to decide", first=first, second=second)


def lead_sentence(account: Account) -> str:
    """Lead of the option that the comparisons decided on; the sentence begins after its name."""
    second = line(comparisons.ranking(account.state).strengths[1][0])
    compared = compared_words(account.state)
    return _("It is clearly ahead of {second}, the next one ({compared}).", second=second, compared=compared)


def compared_sentence(account: Account, ended: str) -> str:
    """Result, comparisons and reason for the end."""
    return _(
        "{why}. There were {ranking}. The rounds ended because {ended}.",
        why=found_words(account),
        ranking=ranking_words(account),
        ended=ended,
    )


def found_words(account: Account) -> str:
    """Result for the strongest option and for the best few, without the last full stop."""
    why = why_words(account)
    if comparisons.looked_for(account.state) is None or not comparisons.quorum_met(account.state):
        return why
    return f"{why}. {settled_words(account)}"


_BECAME: Words[Became] = Words(
    {
        "compared": "compared",
        "struck": "struck",
        "named before": "named before",
        "not compared": "not compared",
    }
)


def matches_table(account: Account) -> list[dict[str, object]]:
    """The comparisons that were short debates, each with the id of its record; empty without any."""
    return [
        {
            _("Round"): row.round,
            _("First option"): row.first,
            _("Second option"): row.second,
            _("Better"): row.preferred or _("neither"),
            _("Record of the short debate"): row.match,
        }
        for row in account.matches
    ]


def proposals_table(account: Account) -> list[dict[str, object]]:
    """Candidates proposed in the debate, with their proposers and results; empty without any."""
    return [
        {
            _("Round"): row.round,
            _("Proposed by"): in_words(stage.name_of(account.state, row.by)),
            _("Candidate"): row.name,
            _("Builds on"): ", ".join(row.builds_on),
            _("Became"): f"{_BECAME[row.became]}{f': {row.why}' if row.why else ''}",
        }
        for row in account.proposals
    ]
