"""What if, on the results page: move the bar, take another rule, weigh voters otherwise, leave somebody out.

Asks no model and records nothing; the result that was agreed to count stays on top.
"""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from debate_core.engine.count import counting
from debate_core.engine.count.counting import Cast, Tallied
from debate_core.engine.count.flips import Flip
from debate_core.record.state import State
from debate_core.report.facts.counts import number, unit_of
from debate_core.report.facts.whatif import Otherwise, Votes, counted, flip, rules_for, votes_of
from debate_core.spec.rules import CountedRule, Supermajority, Threshold
from debate_core.spec.values import in_words
from debate_core.text import plural, spoken_list
from debate_core.ui.kit.chart import by_version
from debate_core.ui.kit.text import safe_line

_SHARES = {"2/3": (2, 3), "3/4": (3, 4), "3/5": (3, 5), "9/10": (9, 10)}


def section(state: State) -> None:
    """Nothing while the debate goes on, or where no ballots are counted."""
    found = votes_of(state) if state.outcome else ()
    if not found:
        return
    st.header("What if", anchor=False)
    st.caption("The same ballots, counted otherwise. Nothing is recorded, and what was agreed still holds.")
    names = [votes.name for votes in found]
    decides = f"final vote of the {state.spec.room.decides}" if state.spec.room else ""
    place = names.index(decides) if decides in names else 0
    if len(found) > 1:
        place = st.selectbox("Whose ballots", range(len(found)), place, format_func=names.__getitem__, key="if_whose")
    votes, key = found[place], f"if {place}"
    agreed = counted(votes)
    st.markdown(f":material/lock: Agreed, {_rule_words(votes.rule)} → **{_winners(agreed)}**")
    otherwise = _asked(votes, key)
    again = counted(votes, otherwise)
    near = _flip(state, place, otherwise)
    other = again.winners != agreed.winners
    sign = ":material/change_circle:" if other else ":material/equal:"
    same = "" if other else " (the same)"
    st.markdown(f"{sign} What if, {_rule_words(otherwise.rule or votes.rule)} → **{_winners(again)}**{same}")
    st.caption(_flip_words(near))
    _table(votes, agreed, again, otherwise)


def _asked(votes: Votes, key: str) -> Otherwise:
    """What is to be different, from the widgets."""
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            rule = _rule(votes, key)
        with right:
            gone = _left_out(votes, key)
        weights = _weights(votes, key)
    return Otherwise(rule, weights, gone)


def _rule(votes: Votes, key: str) -> CountedRule:
    rules = rules_for(votes)
    place = st.selectbox(
        "Rule",
        range(len(rules)),
        format_func=lambda i: _rule_name(rules[i]) + (" (agreed)" if i == 0 else ""),
        key=f"{key} rule",
    )
    rule = rules[place]
    total = sum(votes.voters().values())
    if isinstance(rule, Threshold):
        needed = st.slider("Votes needed", 1, max(total, 2), min(rule.votes, max(total, 2)), key=f"{key} bar")
        return rule.model_copy(update={"votes": needed, "allows_two_winners": True})
    if isinstance(rule, Supermajority):
        first = f"{rule.numerator}/{rule.denominator}"
        share = st.select_slider("Share", sorted({first, *_SHARES}, key=_as_number), first, key=f"{key} share")
        above, below = map(int, share.split("/"))
        return rule.model_copy(update={"numerator": above, "denominator": below})
    return rule


def _as_number(share: str) -> float:
    above, below = share.split("/")
    return int(above) / int(below)


def _left_out(votes: Votes, key: str) -> frozenset[str]:
    gone = set(_voters_out(votes, key))
    families = sorted(set(votes.families.values()))
    if families:
        names = st.multiselect("Without these model families", families, key=f"{key} families", placeholder="None")
        gone |= {voter for voter, family in votes.families.items() if family in names}
    return frozenset(gone)


def _voters_out(votes: Votes, key: str) -> list[str]:
    there = list(votes.voters())
    return st.multiselect(
        "Without these voters", there, key=f"{key} without", format_func=in_words, placeholder="Nobody"
    )


def _weights(votes: Votes, key: str) -> Mapping[str, int]:
    """A table to weigh everybody otherwise; only what differs is asked."""
    agreed = votes.voters()
    with st.expander("Weigh the voters otherwise", icon=":material/balance:"):
        said = {c.voter: _said(votes, c) for c in votes.casts}
        rows = pd.DataFrame(
            {
                "Voter": [in_words(v) for v in agreed],
                "Ballot": [said.get(v, "none") for v in agreed],
                "Weight": list(agreed.values()),
            }
        )
        edited = st.data_editor(
            rows,
            key=f"{key} weights",
            hide_index=True,
            disabled=["Voter", "Ballot"],
            column_config={"Weight": st.column_config.NumberColumn(min_value=0, max_value=100, step=1, required=True)},
        )
    now = dict(zip(agreed, edited["Weight"].tolist(), strict=True))
    return {voter: int(weight) for voter, weight in now.items() if int(weight) != agreed[voter]}


def _said(votes: Votes, ballot: Cast) -> str:
    if not ballot.says():
        return "abstained"
    return counting.ballot_words(votes.kind, ballot.given) if ballot.given else ballot.choice or ""


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs={State: by_version, Otherwise: repr})
def _flip(state: State, place: int, otherwise: Otherwise) -> Flip:
    """Searched once for each question: it counts up to some thousand times."""
    return flip(votes_of(state)[place], otherwise)


def _flip_words(found: Flip) -> str:
    if found.ballots is None:
        return f"No other result was found with up to {plural(found.tried, 'ballot')} cast otherwise."
    most = "" if found.exact else f"More than {found.tried} and at most " if found.tried else "At most "
    return f"{most}{plural(found.ballots, 'ballot')} cast otherwise would change this result."


def _rule_name(rule: CountedRule) -> str:
    return {"threshold_vote": "number of votes"}.get(rule.kind, in_words(rule.kind))


def _rule_words(rule: CountedRule) -> str:
    if isinstance(rule, Threshold):
        return f"{plural(rule.votes, 'vote')} needed"
    if isinstance(rule, Supermajority):
        return f"supermajority {rule.numerator}/{rule.denominator}"
    return in_words(rule.kind)


def _winners(found: Tallied) -> str:
    if not found.winners:
        return "nothing decided" if found.quorum_met else "nothing decided, no quorum"
    names = spoken_list([safe_line(w, max_chars=80) for w in found.winners])
    return f"{names} level" if len(found.winners) > 1 else names


def _table(votes: Votes, agreed: Tallied, again: Tallied, otherwise: Otherwise) -> None:
    """Every option as agreed and what if, in the units of the two rules."""
    rule = otherwise.rule or votes.rule
    rows = [
        {
            "Option": option,
            "Agreed": number(agreed.points[option]),
            "What if": number(again.points[option]),
            "Elected": "yes" if again.winners == (option,) else "level" if option in again.winners else "",
        }
        for option in votes.options
    ]
    # Narrow, so that a long option does not push the counts out of sight.
    columns = {"Option": st.column_config.TextColumn(width=140)}
    st.dataframe(rows, hide_index=True, key="if_table", column_config=columns, alt="Every option as agreed and what if")
    needed = "the most win" if again.needed is None else f"{number(again.needed)} needed"
    cast = f"{again.cast} of {again.eligible} ballots, weighing {again.cast_weight} of {again.eligible_weight}"
    units = f"In {unit_of(votes.rule)}" + ("" if unit_of(rule) == unit_of(votes.rule) else f" and {unit_of(rule)}")
    st.caption(f"{units}. What if: {cast}; {needed}.")
