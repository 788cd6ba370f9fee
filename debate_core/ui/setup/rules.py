"""The rules of a debate that is being set up: which protocol, how many rounds, how many votes.

Knows no rules beyond the draft's own; starts nothing.
"""

import streamlit as st

from debate_core.report.words.rules import rule_sentence
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Protocol
from debate_core.spec.rules import BySeat, Threshold
from debate_core.ui.kit.protocol_words import GROUPS, Group, group_of, phases_line, title_of
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup import question, vote
from debate_core.ui.setup.draft import Draft

_GROUP = "setup_group"


def choices(draft: Draft) -> dict[str, Protocol]:
    """Name -> rules that can be chosen: the shipped ones, and those that were brought as a file."""
    own = {draft.own.name: draft.own} if draft.own else {}
    return PROTOCOLS | own


def with_rules(draft: Draft, rules: Protocol) -> Draft:
    """The draft under these rules; what the rules before suggested is suggested anew."""
    brought = rules if rules != PROTOCOLS.get(rules.name) else draft.own
    offered = {"protocol": rules.name, "own": brought, "rounds": None, "threshold": None, "offices": (), "decide": None}
    return draft.model_copy(update=offered)


def rules(draft: Draft) -> Draft:
    """How the debate is held and what decides it: first what it is for, then one of that kind."""
    known = choices(draft)
    draft = _chosen(draft, known, _group(draft, known))
    st.caption(f"{phases_line(draft.rules(), draft.max_rounds())}")
    left, right = st.columns(2)
    with left:
        draft = _rounds(draft)
    with right:
        draft = _votes(draft)
    return _another_rule(draft)


def _another_rule(draft: Draft) -> Draft:
    """Any other way of counting the debaters' ballots than that of the protocol."""
    usual, now, n = draft.shipped().decide, draft.rules().decide, len(draft.panel())
    if isinstance(usual, BySeat) or isinstance(now, BySeat) or n < 2:
        return draft
    with st.expander("Another decision rule", expanded=draft.decide is not None):
        key = f"setup_decide_{draft.protocol}"
        made = vote.picker(now, key=key, label="What decides", most=n, asks_votes=False, drivers=bool(draft.drivers))
    if made == now:
        return draft
    question.keep(draft.model_copy(update={"decide": None if made == usual else made, "threshold": None}))
    st.rerun()


def _group(draft: Draft, known: dict[str, Protocol]) -> Group:
    there = {group_of(p) for p in known.values()}
    offered = [g for g in GROUPS if g in there]
    now = group_of(draft.rules())
    key = f"{_GROUP}_{draft.protocol}"
    group = st.segmented_control(
        "What should decide?", offered, default=now, key=key, format_func=str.capitalize, required=True
    )
    st.caption(GROUPS[group])
    return group


def _chosen(draft: Draft, known: dict[str, Protocol], group: Group) -> Draft:
    names = [name for name, p in known.items() if group_of(p) == group]
    now = draft.protocol if draft.protocol in names else None
    chosen = st.radio(
        "How is it debated?",
        names,
        index=None if now is None else names.index(now),
        key=f"setup_protocol_{group}",
        format_func=title_of,
        captions=[safe_line(known[name].purpose) for name in names],
    )
    if chosen is None:
        st.caption(f"So far: {title_of(draft.protocol)}. Choose one of these to change it.")
        return draft
    if chosen == draft.protocol:
        return draft
    question.keep(with_rules(draft, known[chosen]))
    st.rerun()


def _rounds(draft: Draft) -> Draft:
    limits, usual = draft.rules().rounds, draft.default_rounds()
    if limits.hard_max == 1:
        st.caption("Rounds")
        st.markdown("One round, by these rules.")
        return draft
    # In the state, not as a default: a workshop format fills it in, too.
    key = f"setup_rounds_{draft.protocol}_{usual}"
    st.session_state.setdefault(key, draft.max_rounds())
    rounds = st.slider(
        "Rounds at most",
        1,
        limits.hard_max,
        key=key,
        help=f"Usually {usual}; more than {limits.warn_above} rarely add arguments.",
    )
    if usual > limits.default:
        st.caption(
            f"{usual}, because the evidence panel abstains in its openings and a majority must hold on two ballots."
        )
    return draft.model_copy(update={"rounds": None if rounds == usual else rounds})


def _votes(draft: Draft) -> Draft:
    n, rule = len(draft.panel()), draft.rules().decide
    if not isinstance(rule, Threshold) or n < 2:
        st.caption("What decides")
        st.markdown(safe_text(rule_sentence(draft.rules(), n, weight=draft.total_weight())))
        return draft
    all_votes = draft.total_weight()
    key, format_ = f"setup_votes_{all_votes}", f"%d of {all_votes}"
    votes = st.slider("Votes needed", 1, all_votes, draft.votes(), key=key, format=format_)
    return draft.model_copy(update={"threshold": None if votes == draft.default_threshold() else votes})
