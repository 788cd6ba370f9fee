"""The rules of a debate that is being set up: which protocol, how many rounds, how many votes, within which limits.

Knows no rules beyond the draft's own; starts nothing.
"""

from typing import Literal

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _
from debate_core.report.words.limits import duration_words
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import SOFT_STOPS, Protocol, soft_stops_of
from debate_core.spec.rules import CountedRule, Threshold
from debate_core.text import capitalized
from debate_core.ui.kit.protocol_words import GROUP_NAMES, GROUPS, ProtocolGroup, group_of, phases_line, title_of
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import LimitsDraft, SetupDraft, unless_usual, with_sides
from debate_core.ui.setup.mapping import limits_of, usual_limits
from debate_core.ui.setup.rule_picker import pick_rule

WAITS = (0, 3_600, 86_400, 3 * 86_400, 7 * 86_400)
"""Seconds for which people are waited for; 0 = as long as it takes."""
_LIMITS = Words({"usd": "USD", "calls": "Calls", "tokens": "Tokens", "minutes": "Minutes"})


def choices(draft: SetupDraft) -> dict[str, Protocol]:
    """Name -> rules that can be chosen: the shipped ones, and those that were brought as a file."""
    if draft.own is None:
        return PROTOCOLS
    return PROTOCOLS | {draft.own.name: draft.own}


def with_rules(draft: SetupDraft, rules: Protocol) -> SetupDraft:
    """The draft under these rules; what the rules before suggested is suggested anew."""
    is_shipped = rules == PROTOCOLS.get(rules.name)
    own = draft.own if is_shipped else rules
    if draft.limits == LimitsDraft():
        draft = draft.model_copy(update={"limits": None})
    anew = {"rounds": None, "threshold": None, "offices": (), "decide": None, "soft_stops": None}
    anew |= {"unverified_quotes": None, "contradicting_ballots": None, "votes_told": None, "least_strength": None}
    changed = draft.model_copy(update={"protocol": rules.name, "own": own, **anew})
    if draft.seats is None:
        return changed
    if rules.paired:
        # The evidence panel compares nothing.
        seats = [seat.model_copy(update={"who": "human"}) if seat.who == "offline" else seat for seat in draft.seats]
        return changed.model_copy(update={"seats": tuple(seats)})
    return with_sides(changed) if rules.stances else changed


NEEDS: Words[str] = Words(
    {
        "bounded_vote": "A vote",
        "checked_answers": "Several answers and a critic",
        "expert_panel": "A panel",
        "stance_judge": "A judge",
        "adversary": "A red team",
        "single_call": "A single answer",
    }
)
"""The protocol that is taken for what somebody needs; all others are under *Adjust*."""


def need(draft: SetupDraft) -> SetupDraft:
    """What the seats are asked for, in everyday words; nothing is chosen where another protocol is taken."""
    key = f"setup_need_{draft.protocol}"
    st.segmented_control(
        _("What do you need from the seats?"),
        list(NEEDS),
        default=draft.protocol if draft.protocol in NEEDS else None,
        key=key,
        format_func=lambda name: f":gray[{NEEDS[name]}]",
        width="stretch",
        wrap=True,
        on_change=_take_needed,
        args=(key,),
    )
    if draft.answers_instead():
        st.caption(
            _(
                "The keys on this server lead to models of one family, which share errors: a debate between them costs "
                "more and is weak evidence. So the question is asked three times, and one critic looks for faults. "
                "Choose “A panel” for a debate."
            )
        )
    return draft


def _take_needed(key: str) -> None:
    if name := st.session_state[key]:
        rules = PROTOCOLS[name]
        draft_store.keep(with_rules(draft_store.current(), rules))
        # The list of all protocols shows the same.
        st.session_state[f"setup_protocol_{group_of(rules)}"] = name


def votes(draft: SetupDraft) -> SetupDraft:
    """How many votes decide: those of people where they decide, else those of the seats."""
    if not draft.people_decide():
        return _votes(draft)
    now = draft.room.vote.kind
    key = f"setup_votes_needed_{now}"
    st.segmented_control(
        _("Votes needed"),
        list(VOTES_NEEDED),
        default=now if now in VOTES_NEEDED else None,
        key=key,
        format_func=lambda kind: f":gray[{VOTES_NEEDED[kind]}]",
        width="stretch",
        wrap=True,
        on_change=_take_votes,
        args=(key,),
    )
    return draft


def _take_votes(key: str) -> None:
    if kind := st.session_state[key]:
        draft = draft_store.current()
        same = {"tie": draft.room.vote.tie, "quorum": draft.room.vote.quorum}
        vote = METHODS[kind].rule.model_copy(update=same)
        draft_store.change(draft, room=draft.room.model_copy(update={"vote": vote}))
        # The list of all rules shows the same.
        st.session_state["setup_room_rule"] = kind


VOTES_NEEDED: Words[str] = Words(
    {
        "plurality": "Most votes",
        "majority": "More than half",
        "supermajority": "Two thirds",
        "unanimity": "All",
    }
)
"""Rules of a vote of people that need no further figure; all others are under *Adjust*."""


def rules(draft: SetupDraft) -> SetupDraft:
    """How the debate is held and what decides it: first what it is for, then one of that kind."""
    st.markdown(_("**Protocol**"))
    if draft.people_decide():
        draft = need(draft)
    known = choices(draft)
    draft = _protocol(draft, known, _group(draft, known))
    st.caption(phases_line(draft.rules(), draft.max_rounds()))
    draft = _rounds(draft)
    if draft.people_decide():
        draft = _votes(draft)
    return _adjust(_another_rule(_soft_stops(draft)))


SOFT_STOP_WORDS: Words[str] = Words(
    {
        "no_progress": "no new claim",
        "nothing_moves": "no new claim and no changed vote",
        "converged": "all hold the same option",
        "all_agree": "all vote for the same option",
        "stable": "no changed vote",
    }
)
"""By the names of `SOFT_STOPS`: what a round brought or left that ends the debate."""


def _soft_stops(draft: SetupDraft) -> SetupDraft:
    """What ends the rounds before the last one; nothing to choose where there is one round."""
    can_have = soft_stops_of(draft.rules())
    usual = tuple(name for name in can_have if SOFT_STOPS[name] in draft.shipped().stop)
    if draft.rules().rounds.hard_max == 1:
        return draft
    chosen = st.pills(
        _("Ends before the last round when a round leaves"),
        can_have,
        selection_mode="multi",
        default=usual if draft.soft_stops is None else [n for n in can_have if n in draft.soft_stops],
        key=f"setup_soft_stops_{draft.protocol}",
        format_func=SOFT_STOP_WORDS.__getitem__,
    )
    names = tuple(name for name in can_have if name in chosen)
    return draft.model_copy(update={"soft_stops": unless_usual(names, usual)})


def _another_rule(draft: SetupDraft) -> SetupDraft:
    """Any other way of counting the debaters' ballots than that of the protocol."""
    usual = draft.usual().decide
    now = draft.rules().decide
    voters = len(draft.panel())
    if not isinstance(usual, CountedRule) or not isinstance(now, CountedRule) or voters < 2:
        return draft
    with st.expander(_("Another decision rule"), expanded=draft.decide is not None, key="another-rule"):
        chosen = pick_rule(
            now,
            key=f"setup_decide_{draft.protocol}",
            label=_("What decides"),
            most=voters,
            asks_votes=False,
            has_drivers=bool(draft.drivers),
            looks_back=True,
        )
    if chosen == now:
        return draft
    draft_store.change(draft, decide=unless_usual(chosen, usual), threshold=None)
    st.rerun()


_QUOTES: Words[Literal["mark", "refuse"]] = Words({"mark": "can win, and is marked", "refuse": "does not win"})


_CONTRADICTING: Words[Literal["mark", "abstain"]] = Words(
    {
        "mark": "counts, and is marked",
        "abstain": "is an abstention",
    }
)


_VOTES_TOLD: Words[Literal["hidden", "shown"]] = Words(
    {
        "hidden": "are not told the votes before theirs",
        "shown": "are told the votes before theirs",
    }
)


def _adjust(draft: SetupDraft) -> SetupDraft:
    """What becomes of invented quotes and of ballots that contradict their text, who hears votes, how strong a critique
    has to be."""
    usual = draft.shipped().unverified_quotes or "mark"
    with st.expander(_("Quotes, ballots and critiques"), icon=":material/fact_check:", key="adjust-rules"):
        quotes = st.selectbox(
            _("An option that rests on unverified quotes alone"),
            tuple(_QUOTES),
            tuple(_QUOTES).index(draft.unverified_quotes or usual),
            key=f"setup_quotes_{draft.protocol}",
            format_func=_QUOTES.__getitem__,
            help=_("Quotes that are altered, or not in their source."),
        )
        draft = draft.model_copy(update={"unverified_quotes": unless_usual(quotes, usual)})
        if draft.rules().deciding_role is None:
            draft = _ballots(draft)
        return _least_strength(draft)


def _ballots(draft: SetupDraft) -> SetupDraft:
    shipped = draft.shipped()
    usual = shipped.contradicting_ballots or "mark"
    contradicting = st.selectbox(
        _("A ballot whose own text argues for another option"),
        tuple(_CONTRADICTING),
        tuple(_CONTRADICTING).index(draft.contradicting_ballots or usual),
        key=f"setup_contradicting_{draft.protocol}",
        format_func=_CONTRADICTING.__getitem__,
        help=_("Whoever gives it is asked first which of the two they hold."),
    )
    told = st.selectbox(
        _("Models that vote"),
        tuple(_VOTES_TOLD),
        tuple(_VOTES_TOLD).index(draft.votes_told or shipped.votes_told),
        key=f"setup_votes_told_{draft.protocol}",
        format_func=_VOTES_TOLD.__getitem__,
        help=_("Numbers that others gave pull one's own towards them."),
    )
    changed = {
        "contradicting_ballots": unless_usual(contradicting, usual),
        "votes_told": unless_usual(told, shipped.votes_told),
    }
    return draft.model_copy(update=changed)


def _least_strength(draft: SetupDraft) -> SetupDraft:
    least = draft.shipped().least_strength
    if least is None:
        return draft.model_copy(update={"least_strength": None})
    strength = st.slider(
        _("Least strength of a critique"),
        1,
        10,
        draft.least_strength or least,
        key=f"setup_strength_{draft.protocol}",
        help=_("One that rates itself lower is asked for once more."),
    )
    return draft.model_copy(update={"least_strength": unless_usual(strength, least)})


def _group(draft: SetupDraft, known: dict[str, Protocol]) -> ProtocolGroup:
    of_known = {group_of(rules) for rules in known.values()}
    group = st.segmented_control(
        _("What should decide?"),
        [group for group in GROUPS if group in of_known],
        default=group_of(draft.rules()),
        key=f"setup_group_{draft.protocol}",
        format_func=lambda group: capitalized(GROUP_NAMES[group]),
        required=True,
    )
    st.caption(GROUPS[group])
    return group


def _protocol(draft: SetupDraft, known: dict[str, Protocol], group: ProtocolGroup) -> SetupDraft:
    names = [name for name, p in known.items() if group_of(p) == group]
    key = f"setup_protocol_{group}"
    now = names.index(draft.protocol) if draft.protocol in names else None
    chosen = st.radio(
        _("How is it debated?"),
        names,
        # What was put into the field by the choice of a need stands there already.
        index=0 if key in st.session_state else now,
        key=key,
        format_func=title_of,
        captions=[safe_line(_(known[name].purpose)) for name in names],
    )
    if chosen is None:
        st.caption(_("So far: {protocol}. Choose one of these to change it.", protocol=title_of(draft.protocol)))
        return draft
    if chosen == draft.protocol:
        return draft
    draft_store.keep(with_rules(draft, known[chosen]))
    st.rerun()


def _rounds(draft: SetupDraft) -> SetupDraft:
    limits = draft.rules().rounds
    usual = draft.default_rounds()
    if limits.hard_max == 1:
        st.caption(_("Rounds"))
        st.markdown(_("One round, by these rules."))
        return draft
    # In the state, not as a default: a workshop format fills it in, too.
    key = f"setup_rounds_{draft.protocol}_{usual}"
    st.session_state.setdefault(key, draft.max_rounds())
    rounds = st.slider(
        _("Rounds at most"),
        1,
        limits.hard_max,
        key=key,
        help=_(
            "Usually {usual}; more than {warn_above} rarely add arguments.", usual=usual, warn_above=limits.warn_above
        ),
    )
    if draft.usual() != draft.shipped():
        st.caption(_("With the evidence panel one ballot is enough: its seats abstain until passages are marked."))
    return draft.model_copy(update={"rounds": unless_usual(rounds, usual)})


def _votes(draft: SetupDraft) -> SetupDraft:
    if not isinstance(draft.rules().decide, Threshold) or len(draft.panel()) < 2:
        return draft
    all_votes = draft.total_weight()
    key = f"setup_votes_{all_votes}"
    votes = st.slider(_("Votes needed"), 1, all_votes, draft.votes(), key=key, format=f"%d of {all_votes}")
    return draft.model_copy(update={"threshold": unless_usual(votes, draft.default_threshold())})


def limits(draft: SetupDraft) -> SetupDraft:
    """Four fields; an empty one is no limit. They begin with the limits of the rules, which hold until one is typed."""
    usual = usual_limits(draft) or LimitsDraft()
    before = draft.limits or usual
    with st.expander(_("Limits"), icon=":material/speed:", key="setup-limits"):
        st.caption(
            _(
                "An empty field is no limit. Before a call could pass one, the debate waits for you: you raise "
                "the limit, or end the debate. What was said is kept."
            )
        )
        limits = _limit_fields(draft, before)
        waits = sorted({*WAITS, draft.max_wait_s or 0})
        max_wait_s = st.selectbox(
            _("People are waited for"),
            waits,
            waits.index(draft.max_wait_s or 0),
            key="setup_max_wait",
            format_func=_wait_words,
            help=_("Once the debate has begun. When the time is over, it ends without a decision."),
        )
    if draft.limits is not None or limits != before:
        draft = draft.model_copy(update={"limits": limits})
    return draft.model_copy(update={"max_wait_s": max_wait_s or None})


def _limit_fields(draft: SetupDraft, before: LimitsDraft) -> LimitsDraft:
    # Of rules with a limit of their own the fields are others: what a field holds would beat the value given.
    own = "" if limits_of(draft.shipped()) is None else f"_{draft.protocol}"
    grid = st.grid(4, min_column_width=130)
    typed = {}
    for name, words in _LIMITS.items():
        now = getattr(before, name)
        typed[name] = grid.text_input(words, now, key=f"setup_limit_{name}{own}", placeholder=_("none")) or ""
    return LimitsDraft(**typed)


def _wait_words(seconds: int) -> str:
    if not seconds:
        return _("as long as it takes")
    return _("{duration} at most", duration=duration_words(seconds))
