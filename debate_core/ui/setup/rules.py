"""The rules of the debate that is being set up: protocol, rounds, votes needed, limits.

Knows no rules beyond the draft's own; starts nothing.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Literal

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _, said
from debate_core.names import name_key
from debate_core.report.facts.limits_from_use import DebateUse, limits_for
from debate_core.report.phrases.limits import duration_words
from debate_core.report.phrases.limits_from_use import proposed_limits_sentence
from debate_core.spec.escalation import MAX_ADDRESSEE_CHARS, Escalation
from debate_core.spec.output_schema import EXAMPLE, schema_fault
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Protocol
from debate_core.spec.protocol_changes import (
    SOFT_STOPS,
    asks_crux,
    has_premortem,
    soft_stops_of,
    with_crux,
    with_premortem,
    without_crux,
    without_premortem,
)
from debate_core.spec.rules import CountedRule, Threshold, Tournament
from debate_core.spec.tools import ModeratorSearch, moderator_search
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.protocol_words import GROUP_NAMES, GROUPS, ProtocolGroup, group_of, phases_line, title_of
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import LimitsDraft, RoomDraft, SetupDraft, unless_usual, with_sides
from debate_core.ui.setup.fields import select_word
from debate_core.ui.setup.mapping import limits_draft, limits_of, usual_limits
from debate_core.ui.setup.rule_picker import pick_rule

MAX_DEBATES_READ = 300
"""Bound of the debates that one press reads."""
_LIMITS_TOLD = "setup_limits_told"
WAITS = (0, 3_600, 86_400, 3 * 86_400, 7 * 86_400)
"""Timeouts for people in seconds; 0 = none."""
_LIMITS = Words({"usd": "USD", "calls": "Calls", "tokens": "Tokens", "minutes": "Minutes"})
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
"""The protocol for each common need; the others are under *Adjust*."""
VOTES_NEEDED: Words[str] = Words(
    {"plurality": "Most votes", "majority": "More than half", "supermajority": "Two thirds", "unanimity": "All"}
)
"""Rules for the votes of people that need no number; the others are under *Adjust*."""
SOFT_STOP_WORDS: Words[str] = Words(
    {
        "no_progress": "no new claim",
        "nothing_moves": "no new claim and no changed vote",
        "converged": "all positions the same",
        "all_agree": "all votes the same",
        "stable": "no changed vote",
    }
)
"""Words for the names of `SOFT_STOPS`."""
_MATCHES: Words[Literal["alone", "debate"]] = Words(
    {"alone": "one seat reads both options and judges", "debate": "in a short debate with a judge"}
)
_QUOTES: Words[Literal["mark", "refuse"]] = Words({"mark": "can win, and is marked", "refuse": "does not win"})
_CONTRADICTING: Words[Literal["mark", "abstain"]] = Words(
    {"mark": "counts, and is marked", "abstain": "is an abstention"}
)
_SEARCH: Words[ModeratorSearch] = Words({"none": "does not search the sources", "allowed": "may search the sources"})
_VOTES_SHOWN: Words[Literal["hidden", "shown"]] = Words(
    {"hidden": "do not see the votes before theirs", "shown": "see the votes before theirs"}
)


def with_rules(draft: SetupDraft, rules: Protocol) -> SetupDraft:
    """Return the draft with these rules, and the defaults of these rules instead of earlier choices."""
    is_shipped = rules == PROTOCOLS.get(rules.name)
    changed = draft.replace(
        protocol=rules.name,
        own=draft.own if is_shipped else rules,
        limits=None if draft.limits == LimitsDraft() else draft.limits,
        rounds=None,
        threshold=None,
        offices=(),
        decide=None,
        soft_stops=None,
        matches=None,
        unverified_quotes=None,
        contradicting_ballots=None,
        votes_told=None,
        asks_crux=None,
        premortem=None,
        moderator_search=None,
        least_strength=None,
        room=_room_under(draft.room, rules, was_paired=draft.rules().paired),
    )
    if draft.seats is None:
        return changed
    if rules.paired:
        # The evidence panel cannot compare options.
        seats = [seat.replace(who="human") if seat.who == "offline" else seat for seat in draft.seats]
        return changed.replace(seats=tuple(seats))
    return with_sides(changed) if rules.stances else changed


def _room_under(room: RoomDraft, rules: Protocol, *, was_paired: bool) -> RoomDraft:
    """Under a tournament the comparisons of the people decide, without votes beside them, until someone adds these."""
    if rules.paired == was_paired:
        return room
    if rules.paired:
        return room.replace(decides="debaters", pre_vote="none", final_vote="none")
    usual = RoomDraft()
    return room.replace(decides=usual.decides, pre_vote=usual.pre_vote, final_vote=usual.final_vote)


def _draw_segments(label: str, words: Words[str], chosen: str, key: str, take: Callable[[str], None]) -> None:
    """Draw a row of choices, none of them selected if `chosen` is not among them; `take` gets the key after a press."""
    st.segmented_control(
        label,
        list(words),
        default=chosen if chosen in words else None,
        key=key,
        format_func=lambda name: f":gray[{words[name]}]",
        width="stretch",
        wrap=True,
        on_change=take,
        args=(key,),
    )


def edit_need(draft: SetupDraft) -> SetupDraft:
    """Ask for a protocol in everyday words."""
    label = _("What do you need from the seats?")
    _draw_segments(label, NEEDS, draft.protocol, f"setup_need_{draft.protocol}", _take_need)
    if draft.answers_instead():
        st.caption(
            _(
                "The keys on this server lead to models of one family, which share errors: a debate between them costs "
                "more and is weak evidence. So the question is asked three times, and one critic looks for faults. "
                "Choose “A panel” for a debate."
            )
        )
    return draft


def _take_need(key: str) -> None:
    if name := st.session_state[key]:
        rules = PROTOCOLS[name]
        draft_store.keep(with_rules(draft_store.current(), rules))
        # The list of all protocols must show the same choice.
        st.session_state[f"setup_protocol_{group_of(rules)}"] = name


def edit_votes(draft: SetupDraft) -> SetupDraft:
    """Ask for the votes needed: of people if they decide, else of the seats."""
    if not draft.people_decide():
        return _edit_threshold(draft)
    kind = draft.room.vote.kind
    _draw_segments(_("Votes needed"), VOTES_NEEDED, kind, f"setup_votes_needed_{kind}", _take_votes)
    return draft


def _take_votes(key: str) -> None:
    if kind := st.session_state[key]:
        draft = draft_store.current()
        same = {"tie": draft.room.vote.tie, "quorum": draft.room.vote.quorum}
        vote = METHODS[kind].rule.model_copy(update=same)
        draft_store.change(draft, room=draft.room.replace(vote=vote))
        # The list of all rules must show the same choice.
        st.session_state["setup_room_rule"] = kind


def edit_rules(draft: SetupDraft) -> SetupDraft:
    """Ask for the kind of protocol, the protocol, and its parameters."""
    st.markdown(_("**Protocol**"))
    if draft.people_decide():
        draft = edit_need(draft)
    known = PROTOCOLS if draft.own is None else PROTOCOLS | {draft.own.name: draft.own}
    draft = _edit_protocol(draft, known, _pick_group(draft, known))
    phases = st.empty()
    draft = _edit_matches(_edit_rounds(draft))
    if draft.people_decide():
        draft = _edit_threshold(draft)
    draft = _edit_output_schema(_edit_treatment(_edit_decision(_edit_soft_stops(draft))))
    # Filled last, because each choice below may change the phases.
    phases.caption(phases_line(draft.rules(), draft.max_rounds()))
    return draft


def _edit_matches(draft: SetupDraft) -> SetupDraft:
    """Ask how a pair is compared, in a tournament."""
    usual = _matches_of(draft.shipped())
    now = _matches_of(draft.rules())
    if now is None or usual is None:
        return draft
    chosen = st.radio(
        _("How is a pair compared?"),
        list(_MATCHES),
        list(_MATCHES).index(now),
        key=f"setup_matches_{draft.protocol}",
        format_func=_MATCHES.__getitem__,
    )
    if chosen == "debate":
        st.caption(
            _(
                "Two sides argue for one option each and answer each other, and the seat that compares is their judge. "
                "Each short debate takes five calls and has its own record. The forecast includes all of them."
            )
        )
    return draft.replace(matches=unless_usual(chosen, usual))


def _matches_of(rules: Protocol) -> Literal["alone", "debate"] | None:
    """Return the way in which these rules compare a pair; None if they compare none."""
    if not isinstance(rules.decide, Tournament):
        return None
    return rules.decide.matches or "alone"


def _edit_soft_stops(draft: SetupDraft) -> SetupDraft:
    """Ask what ends the rounds before the last one, unless there is only one."""
    if draft.rules().rounds.hard_max == 1:
        return draft
    can_have = soft_stops_of(draft.rules())
    usual = tuple(name for name in can_have if SOFT_STOPS[name] in draft.shipped().stop)
    chosen = st.pills(
        _("End early after a round with"),
        can_have,
        selection_mode="multi",
        default=usual if draft.soft_stops is None else [n for n in can_have if n in draft.soft_stops],
        key=f"setup_soft_stops_{draft.protocol}",
        format_func=SOFT_STOP_WORDS.__getitem__,
    )
    names = tuple(name for name in can_have if name in chosen)
    return draft.replace(soft_stops=unless_usual(names, usual))


def _edit_decision(draft: SetupDraft) -> SetupDraft:
    """Offer every other rule for counting the debaters' ballots."""
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


def _edit_treatment(draft: SetupDraft) -> SetupDraft:
    """Ask for the treatment of unverified quotes, ballots and weak critiques."""
    usual = draft.shipped().unverified_quotes or "mark"
    with st.expander(_("Quotes, ballots and critiques"), icon=":material/fact_check:", key="adjust-rules"):
        quotes = select_word(
            _("An option supported only by unverified quotes"),
            _QUOTES,
            draft.unverified_quotes or usual,
            key=f"setup_quotes_{draft.protocol}",
            help=_("Quotes that are altered, or not in their source."),
        )
        draft = draft.replace(unverified_quotes=unless_usual(quotes, usual))
        if draft.rules().deciding_role is None:
            draft = _edit_ballots(draft)
        return _edit_least_strength(_edit_search(_edit_questions(draft)))


def _edit_output_schema(draft: SetupDraft) -> SetupDraft:
    """Ask for the schema of the deliverable, where a seat writes a synthesis or a schema is there already."""
    usual = draft.shipped().output_schema or ""
    before = usual if draft.output_schema is None else draft.output_schema
    if not before and all(phase.gives != "synthesis" for phase in draft.rules().phases()):
        return draft
    with st.expander(_("Deliverable"), icon=":material/data_object:", expanded=bool(before), key="setup-deliverable"):
        st.caption(
            _(
                "With a JSON Schema the synthesis also fills in this form, as a file that other programs can read. "
                "A model is asked again once if its reply does not match; then the reply is kept and marked."
            )
        )
        typed = st.text_area(
            _("JSON Schema of the deliverable (may stay empty)"),
            before,
            key=f"setup_output_schema_{draft.protocol}",
            placeholder=EXAMPLE,
            height=160,
        )
        schema = (typed or "").strip()
        if schema and (fault := schema_fault(schema)):
            st.markdown(f":red[:material/block:] {safe_line(whole_sentence(said(fault)))}")
    return draft.replace(output_schema=unless_usual(schema, usual))


def _edit_ballots(draft: SetupDraft) -> SetupDraft:
    shipped = draft.shipped()
    usual = shipped.contradicting_ballots or "mark"
    contradicting = select_word(
        _("A ballot whose own text argues for another option"),
        _CONTRADICTING,
        draft.contradicting_ballots or usual,
        key=f"setup_contradicting_{draft.protocol}",
        help=_("The voter is asked first which of the two is meant."),
    )
    votes_told = select_word(
        _("Models that vote"),
        _VOTES_SHOWN,
        draft.votes_told or shipped.votes_told,
        key=f"setup_votes_told_{draft.protocol}",
        help=_("Seeing the votes of others pulls a vote towards them."),
    )
    return draft.replace(
        contradicting_ballots=unless_usual(contradicting, usual),
        votes_told=unless_usual(votes_told, shipped.votes_told),
    )


def _edit_questions(draft: SetupDraft) -> SetupDraft:
    """Ask for the two questions beside the vote, where the rules have a place for them."""
    shipped = draft.shipped()
    plain = without_crux(without_premortem(shipped))
    if with_premortem(plain, 1) != plain:
        premortem = _tick(
            _("A premortem of the seats before the last vote"),
            _(
                "Each seat writes alone why the decision might be reversed a year later; then all are shown. At "
                "sign-off each reason can become an assumption. One more call for each model. It is left out if the "
                "debate is decided before its last round."
            ),
            f"setup_premortem_{draft.protocol}",
            kept=draft.premortem,
            usual=has_premortem(shipped),
        )
        draft = draft.replace(premortem=premortem)
    if with_crux(plain) != plain:
        is_asked = _tick(
            _("Ask the seats which claim decided their vote"),
            _(
                "After the last ballot each seat names the claim that decided it, and then its vote if the most named "
                "claims were false. Two short calls for each model. Advice: it is never counted."
            ),
            f"setup_crux_{draft.protocol}",
            kept=draft.asks_crux,
            usual=asks_crux(shipped),
        )
        draft = draft.replace(asks_crux=is_asked)
    rules = draft.rules()
    if (asks_crux(rules) or has_premortem(rules)) and all(seat.who == "offline" for seat in draft.panel()):
        st.caption(_("The evidence panel is no model: it writes no premortem and names no claim."))
    return draft


def _tick(label: str, help_text: str, key: str, *, kept: bool | None, usual: bool) -> bool | None:
    """Draw a checkbox; return the choice as a draft stores it."""
    return unless_usual(st.checkbox(label, usual if kept is None else kept, key=key, help=help_text), usual)


def _edit_search(draft: SetupDraft) -> SetupDraft:
    """Ask whether the moderator may search the sources, where one leads the debate."""
    usual = moderator_search(draft.shipped())
    if usual is None:
        return draft.replace(moderator_search=None)
    search = select_word(
        _("The moderator"),
        _SEARCH,
        draft.moderator_search or usual,
        key=f"setup_search_{draft.protocol}",
        help=_("What the search finds goes into the briefing, word for word, so that all argue from the same facts."),
    )
    return draft.replace(moderator_search=unless_usual(search, usual))


def _edit_least_strength(draft: SetupDraft) -> SetupDraft:
    least = draft.shipped().least_strength
    if least is None:
        return draft.replace(least_strength=None)
    strength = st.slider(
        _("Minimum strength of a critique"),
        1,
        10,
        draft.least_strength or least,
        key=f"setup_strength_{draft.protocol}",
        help=_("A critique that rates itself lower is requested once more."),
    )
    return draft.replace(least_strength=unless_usual(strength, least))


def _pick_group(draft: SetupDraft, known: dict[str, Protocol]) -> ProtocolGroup:
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


def _edit_protocol(draft: SetupDraft, known: dict[str, Protocol], group: ProtocolGroup) -> SetupDraft:
    names = [name for name, p in known.items() if group_of(p) == group]
    key = f"setup_protocol_{group}"
    now = names.index(draft.protocol) if draft.protocol in names else None
    chosen = st.radio(
        _("How is it debated?"),
        names,
        # The choice of a need may have set the field already.
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


def _edit_rounds(draft: SetupDraft) -> SetupDraft:
    limits = draft.rules().rounds
    usual = draft.default_rounds()
    if limits.hard_max == 1:
        st.caption(_("Rounds"))
        st.markdown(_("One round, by these rules."))
        return draft
    # Set in the session state because a workshop format sets it there, too.
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
    return draft.replace(rounds=unless_usual(rounds, usual))


def _edit_threshold(draft: SetupDraft) -> SetupDraft:
    if not isinstance(draft.rules().decide, Threshold) or len(draft.panel()) < 2:
        return draft
    all_votes = draft.total_weight()
    key = f"setup_votes_{all_votes}"
    votes = st.slider(_("Votes needed"), 1, all_votes, draft.votes(), key=key, format=f"%d of {all_votes}")
    return draft.replace(threshold=unless_usual(votes, draft.default_threshold()))


def _addressee_and_date(escalation: Escalation | None) -> tuple[str, str]:
    return (escalation.to, escalation.by or "") if escalation else ("", "")


def edit_escalation(draft: SetupDraft) -> SetupDraft:
    """Ask who takes an unresolved outcome, and by when."""
    addressee, day = _addressee_and_date(draft.escalation())
    with st.expander(_("Without a decision"), icon=":material/forward:", key="setup-escalation"):
        st.caption(_("If nothing is decided, the open points go to this person or role."))
        left, right = st.columns(2)
        to = left.text_input(
            _("The open points go to"),
            addressee,
            key=f"setup_escalate_to_{draft.protocol}",
            max_chars=MAX_ADDRESSEE_CHARS,
            placeholder=_("Architecture board"),
        )
        today = datetime.now(UTC).date()
        due = date.fromisoformat(day) if day else None
        shown = due or today
        by = right.date_input(
            _("Due on"),
            due,
            # A date out of the usual range is shown, too: an old draft may have one, and the start refuses past dates.
            min_value=min(today, shown),
            max_value=max(today.replace(year=today.year + 10, day=1), shown),
            key=f"setup_escalate_by_{draft.protocol}",
            format="YYYY-MM-DD",
        )
        name = to if name_key(to or "") else ""
        if by and not name:
            st.caption(_(":orange[Name who takes the open points: a date alone is not kept.]"))
    day = by.isoformat() if isinstance(by, date) else ""
    usual_name, usual_day = _addressee_and_date(draft.shipped().escalation)
    return draft.replace(
        escalate_to=unless_usual(name, usual_name),
        escalate_by=unless_usual(day, usual_day),
    )


def edit_limits(draft: SetupDraft) -> SetupDraft:
    """Ask for four limits and the timeout for people. The fields start with the limits of the rules."""
    usual = usual_limits(draft) or LimitsDraft()
    before = draft.limits or usual
    with st.expander(_("Limits"), icon=":material/speed:", key="setup-limits"):
        st.caption(
            _(
                "An empty field is no limit. Before a call could pass one, the debate waits for you: you raise "
                "the limit, or end the debate. Everything said so far is kept."
            )
        )
        limits = _edit_limit_fields(draft, before)
        _offer_limits_from_use(draft.replace(limits=limits))
        waits = sorted({*WAITS, draft.max_wait_s or 0})
        max_wait_s = st.selectbox(
            _("Wait for people"),
            waits,
            waits.index(draft.max_wait_s or 0),
            key="setup_max_wait",
            format_func=_wait_words,
            help=_("After the start. When the time is over, the debate ends without a decision."),
        )
    if draft.limits is not None or limits != before:
        draft = draft.replace(limits=limits)
    return draft.replace(max_wait_s=max_wait_s or None)


def _edit_limit_fields(draft: SetupDraft, before: LimitsDraft) -> LimitsDraft:
    grid = st.grid(4, min_column_width=130)
    typed = {}
    for name, words in _LIMITS.items():
        now = getattr(before, name)
        typed[name] = grid.text_input(words, now, key=_limit_key(draft, name), placeholder=_("none")) or ""
    return LimitsDraft(**typed)


def _limit_key(draft: SetupDraft, name: str) -> str:
    # Rules with limits have fields with other keys, because an existing field would keep its old value.
    own = "" if limits_of(draft.shipped()) is None else f"_{draft.protocol}"
    return f"setup_limit_{name}{own}"


def _offer_limits_from_use(draft: SetupDraft) -> None:
    """Draw the button that takes over limits from earlier debates under these rules, for debates with models."""
    if not draft.has_models():
        return
    st.button(
        _("Take over limits from earlier debates"),
        icon=":material/history:",
        type="tertiary",
        key="setup_limits_from_use",
        on_click=_take_limits_from_use,
        args=(draft,),
    )
    if told := st.session_state.get(_LIMITS_TOLD):
        st.caption(safe_line(told))


def _take_limits_from_use(draft: SetupDraft) -> None:
    """Fill calls, tokens and minutes, and keep the sentence with their origin. The limit of money stays."""
    task = "" if draft.triage.task == "unknown" else draft.triage.task
    row = limits_for(_use_of_debates(draft.protocol), draft.protocol, task)
    st.session_state[_LIMITS_TOLD] = proposed_limits_sentence(row)
    proposed = limits_draft(row.ceiling) if row.ceiling else None
    if proposed is None:
        return
    limits = proposed.replace(usd=(draft.limits or LimitsDraft()).usd)
    for name in _LIMITS:
        st.session_state[_limit_key(draft, name)] = getattr(limits, name)
    draft_store.change(draft_store.current(), limits=limits)


def _use_of_debates(protocol: str) -> list[DebateUse]:
    """Return the use of the latest real debates under these rules that this person finds in a list."""
    real = [row for row in session.debates() if not (row.rehearsal or row.practice or row.origin_unknown)]
    latest = [row for row in real if row.protocol == protocol][:MAX_DEBATES_READ]
    return [figures.use for figures in session.host().figures(latest).values() if figures.use]


def _wait_words(seconds: int) -> str:
    return _("{duration} at most", duration=duration_words(seconds)) if seconds else _("as long as it takes")
