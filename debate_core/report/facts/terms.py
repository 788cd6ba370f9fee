"""The terms of the program: phases, rules, roles, statuses, units and polls, as people read them in their language.

A seat is called by its id, which somebody chose: it is no term.
"""

import re
from functools import cache

from debate_core.language import _, message, said
from debate_core.sentence import Sentence

TERMS = (
    message("answer"),
    message("answers"),
    message("argument"),
    message("assessment"),
    message("audit"),
    message("baseline"),
    message("candidates"),
    message("case"),
    message("closing"),
    message("comparison"),
    message("confirmation"),
    message("consensus"),
    message("contribution"),
    message("critique"),
    message("direction"),
    message("draft"),
    message("evaluation"),
    message("evolution"),
    message("first exchange"),
    message("first reading"),
    message("first statement"),
    message("framing"),
    message("framing confirmed"),
    message("gate"),
    message("generation"),
    message("handoff"),
    message("hub"),
    message("marking"),
    message("mediation"),
    message("meta review"),
    message("message"),
    message("opening"),
    message("positions"),
    message("proposal"),
    message("reading"),
    message("rebuttal"),
    message("recommendation"),
    message("redirection"),
    message("reflection"),
    message("report"),
    message("revision"),
    message("second exchange"),
    message("second gate"),
    message("second reading"),
    message("second reflection"),
    message("second selection"),
    message("second statement"),
    message("selection"),
    message("summary"),
    message("synthesis"),
    message("verdict"),
    message("anti plurality"),
    message("approval"),
    message("borda"),
    message("bucklin"),
    message("consent"),
    message("coombs"),
    message("copeland"),
    message("cumulative"),
    message("irv"),
    message("irv put"),
    message("majority"),
    message("minimax"),
    message("plurality"),
    message("ranked pairs"),
    message("schulze"),
    message("score"),
    message("star"),
    message("supermajority"),
    message("three quarters"),
    message("threshold vote"),
    message("unanimity"),
    message("weighted criteria"),
    message("debater"),
    message("moderator"),
    message("referee"),
    message("evaluator"),
    message("judge"),
    message("synthesiser"),
    message("framer"),
    message("assigner"),
    message("generator"),
    message("chair"),
    message("facilitator"),
    message("approver"),
    message("voter"),
    message("observer"),
    message("model"),
    message("human"),
    message("offline"),
    message("scripted"),
    message("room"),
    message("panel"),
    message("debaters"),
    message("decided"),
    message("undecided"),
    message("truncated"),
    message("aborted"),
    message("verbatim"),
    message("not found"),
    message("no source"),
    message("near"),
    message("altered"),
    message("votes"),
    message("approvals"),
    message("points"),
    message("pairs won"),
    message("votes in the worst pair"),
    message("pairs not lost"),
    message("orders won"),
    message("first places"),
    message("votes for its upper places"),
    message("last places, taken off"),
    message("dots"),
    message("consents"),
    message("weighted points"),
    message("the count"),
    message("pairwise"),
    message("second"),
    message("lot"),
    message("cast"),
    message("escalate"),
    message("the lobby is open: people join, and the facilitator begins"),
    message("the question is empty: write the decision to be made as one question"),
    message("left to the approver"),
    message("these ballots do not compare options pair by pair"),
    message("most pairs won among the level options"),
    message("these ballots have no second preferences"),
    message("most points"),
    message("most first and second places"),
    message("the option with the most votes wins"),
    message("more than half"),
    message("at least two thirds, or another share"),
    message("at least three quarters"),
    message("all votes, or all but a few"),
    message("a number of votes"),
    message("the option with the most approvals wins"),
    message("the option with the most points wins"),
    message("of the two options with the most points, the one that more ballots put higher wins"),
    message("a place is worth a point for each option below it, and the option with the most points wins"),
    message("the option that wins the most comparisons with another one, pair by pair, wins"),
    message("the option whose worst comparison with another one is the least bad wins"),
    message("the option that no other one beats more strongly, directly or over a chain of pairs, wins"),
    message("pairs are locked in from the clearest on, and the option that nothing stands above wins"),
    message("the option with the fewest first places goes out, round by round, until one has more than half"),
    message("as in an instant run-off, and level options at the bottom go out in every way there is"),
    message("second places are added to the first ones, and so on, until an option has more than half"),
    message("the option with the most last places goes out, round by round, until one has more than half"),
    message("the option with the fewest last places wins"),
    message("the option with the most dots wins"),
    message("of the options that somebody consents to and nobody objects to, the one with the fewest concerns wins"),
    message("the mean points under each driver are weighed and added, and the option with the most wins"),
)

RECORDED = (
    message("round {number} is ready: the facilitator lets it begin"),
    message("{seats} could not be reached: {why}"),
    message("{seats} gave no whole reply: {why}"),
    message("drawn with seed {seed}: the lowest SHA-256 of seed:place has place {place}"),
)
"""Sentences of the program that a record holds with their values filled in: why it waits, and how a lot was drawn."""


def named(term: str) -> str:
    """`threshold_vote` -> `threshold vote`; what is not among TERMS, such as a phase of somebody's own, stays."""
    if isinstance(term, Sentence):
        return said(term)
    return _(term.replace("_", " "))


def recorded(english: str) -> str:
    """What the program put on record in English, in the language of now; what people wrote stays."""
    for template in RECORDED:
        if found := _pattern(template).fullmatch(english):
            return _(template, **found.groupdict())
    return _(english)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """`round {number} is ready` as an expression that finds the number."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))
