"""The rules of the debate that is being set up: who decides, protocol, rounds, votes needed, limits.

Knows no rules beyond the draft's own; starts nothing.
"""

from datetime import UTC, date, datetime
from typing import Literal

import streamlit as st

from debate_core.language import Words, _, said
from debate_core.names import name_key
from debate_core.report.facts.limits_from_use import DebateUse, limits_for
from debate_core.report.phrases.limits import duration_words, proposed_limits_sentence
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.spec.output_schema import EXAMPLE, schema_fault
from debate_core.spec.presets import EXPERT_PANEL, PROTOCOLS
from debate_core.spec.presets.goals import Goal, goal_of, place_of
from debate_core.spec.presets.matches import comparing_by
from debate_core.spec.protocol import Protocol
from debate_core.spec.protocol_changes import (
    SOFT_STOPS,
    asks_crux,
    has_premortem,
    soft_stops_of,
    with_crux,
    with_least_strength,
    with_output_schema,
    with_premortem,
    with_soft_stops,
    with_votes_told,
    without_crux,
    without_premortem,
)
from debate_core.spec.rules import MAX_ADDRESSEE_CHARS, Escalation, Threshold, Tournament
from debate_core.spec.tools import ModeratorSearch, moderator_search, with_moderator_search
from debate_core.text import whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import field_form
from debate_core.ui.kit.protocol_words import short_purpose
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import DraftDecider, LimitsDraft, RoomDraft, SetupDraft, unless_usual, with_sides
from debate_core.ui.setup.fields import select_word
from debate_core.ui.setup.mapping import limits_draft, limits_of, usual_limits
from debate_core.ui.setup.rule_picker import BASES, BASES_OF_SEATS, edit_rule, pick_base, pick_rule

MAX_DEBATES_READ = 300
"""Bound of the debates that one press reads."""
_LIMITS_TOLD = "setup_limits_told"
WAITS = (0, 3_600, 86_400, 3 * 86_400, 7 * 86_400)
"""Timeouts for people in seconds; 0 = none."""
_LIMITS = Words({"usd": "USD", "calls": "Calls", "tokens": "Tokens", "minutes": "Minutes"})
_GOALS_OF_A_TEXT: tuple[Goal, ...] = ("weigh", "answer")
"""Goals whose result is the synthesis; elsewhere it only accompanies a count."""
_BY_ONE = "stance_judge"
"""Protocol that one judge decides, until another one is chosen."""
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


def with_decider(draft: SetupDraft, decider: DraftDecider) -> SetupDraft:
    """Return the draft with this decider, under other rules if its rules let another one decide."""
    room = draft.room
    if decider == "room" or decider == "panel":
        return draft.replace(room=room.replace(on=True, decides=decider))
    # Everyone with a vote compares in a tournament; elsewhere people are no longer needed.
    stays_on = room.on and (draft.rules().paired or not draft.people_decide())
    draft = draft.replace(room=room.replace(on=stays_on, decides="debaters"))
    if draft.decider() == decider:
        return draft
    return with_rules(draft, PROTOCOLS[_BY_ONE] if decider == "judge" else EXPERT_PANEL)


def with_rules(draft: SetupDraft, rules: Protocol) -> SetupDraft:
    """Return the draft with these rules, and the defaults of these rules instead of earlier choices.

    What happens after the debate stays: the addressee of open points, and the schema of the deliverable.
    """
    before = draft.shipped()
    afterwards = {"escalation": before.escalation, "output_schema": before.output_schema}
    own = rules.model_copy(update={name: value for name, value in afterwards.items() if value})
    changed = draft.replace(
        protocol=rules.name,
        own=None if own == PROTOCOLS.get(rules.name) else own,
        limits=None if draft.limits == LimitsDraft() else draft.limits,
        rounds=None,
        offices=(),
        decide=None,
        room=_room_under(draft.room, rules, was_paired=before.paired),
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


def edit_votes(draft: SetupDraft) -> SetupDraft:
    """Ask for the votes needed: of people if they decide, else of the seats."""
    rule = draft.counted_rule()
    if rule is None or (len(draft.panel()) < 2 and not draft.people_decide()):
        return draft
    key = _rule_key(draft)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="setup-votes"):
        chosen = pick_rule(rule, key=key, has_drivers=bool(draft.drivers))
        chosen = pick_base(
            chosen, BASES if draft.people_decide() else BASES_OF_SEATS, key=f"{key.removesuffix('_rule')}_base"
        )
        if isinstance(chosen, Threshold):
            chosen = _edit_threshold(draft, chosen, is_new=not isinstance(rule, Threshold))
    return draft.with_counted_rule(chosen)


def _rule_key(draft: SetupDraft) -> str:
    return "setup_room_rule" if draft.people_decide() else f"setup_decide_{draft.protocol}_rule"


def _edit_threshold(draft: SetupDraft, rule: Threshold, *, is_new: bool) -> Threshold:
    """Draw the number beside the rule, as high as it, so that nothing below moves."""
    if draft.people_decide():
        votes = st.number_input(_("Number of votes"), 1, 500, rule.votes, key="setup_room_votes")
    else:
        all_votes = draft.total_weight()
        now = draft.default_threshold() if is_new else draft.votes()
        label = _("Number of votes, of {all_votes}", all_votes=all_votes)
        votes = st.number_input(label, 1, all_votes, now, key=f"setup_votes_{all_votes}")
    return rule.model_copy(update={"votes": votes})


def edit_counting(draft: SetupDraft) -> SetupDraft:
    """Ask for quorum and tie-break of the rule that decides."""
    rule = draft.counted_rule()
    if rule is None:
        return draft
    key = _rule_key(draft).removesuffix("_rule")
    if draft.people_decide():
        return draft.with_counted_rule(edit_rule(rule, key=key))
    return draft.with_counted_rule(edit_rule(rule, key=key, most=len(draft.panel()), looks_back=True))


def edit_protocol(draft: SetupDraft) -> SetupDraft:
    """Ask for the protocol, say what it is for, and ask how pairs are compared in a tournament."""
    known = PROTOCOLS if draft.own is None else PROTOCOLS | {draft.own.name: draft.own}
    names = [rules.name for rules in sorted(known.values(), key=place_of)]
    key = f"setup_protocol_{draft.protocol}"
    st.selectbox(
        _("Protocol"),
        names,
        names.index(draft.protocol),
        key=key,
        format_func=title_of,
        on_change=_take_protocol,
        args=(key,),
    )
    st.caption(safe_line(short_purpose(draft.shipped())))
    return _edit_matches(draft)


def _take_protocol(key: str) -> None:
    draft = draft_store.current()
    name = st.session_state[key]
    own = draft.own if draft.own and draft.own.name == name else None
    draft_store.keep(with_rules(draft, own or PROTOCOLS[name]))


def _edit_matches(draft: SetupDraft) -> SetupDraft:
    """Ask how a pair is compared, in a tournament."""
    rule = draft.shipped().decide
    if not isinstance(rule, Tournament):
        return draft
    key = f"setup_matches_{draft.protocol}"
    chosen = select_word(_("How is a pair compared?"), _MATCHES, rule.matches or "alone", key=key)
    if chosen == "debate":
        st.caption(
            _(
                "Two sides argue for one option each and answer each other, and the seat that compares is their judge. "
                "Each short debate takes five calls and has its own record. The forecast includes all of them."
            )
        )
    return draft.with_own(comparing_by(draft.shipped(), "debate" if chosen == "debate" else None))


def early_ends(draft: SetupDraft) -> list[str]:
    """Return the agreed reasons to end the rounds before the last one."""
    return [name for name in soft_stops_of(draft.rules()) if SOFT_STOPS[name] in draft.shipped().stop]


def edit_soft_stops(draft: SetupDraft) -> SetupDraft:
    """Ask what ends the rounds before the last one, unless there is only one."""
    if draft.rules().rounds.hard_max == 1:
        return draft
    can_have = soft_stops_of(draft.rules())
    now = early_ends(draft)
    chosen = st.multiselect(
        _("End early after a round with"),
        can_have,
        now,
        key=f"setup_soft_stops_{draft.protocol}",
        format_func=SOFT_STOP_WORDS.__getitem__,
        placeholder=_("nothing: hold all rounds"),
    )
    return draft if set(chosen) == set(now) else draft.with_own(with_soft_stops(draft.shipped(), chosen))


def edit_treatment(draft: SetupDraft) -> SetupDraft:
    """Ask for the treatment of unverified quotes, ballots and weak critiques."""
    rules = draft.shipped()
    refuses = st.checkbox(
        _("An option that rests on unverified quotes cannot win"),
        rules.unverified_quotes == "refuse",
        key=f"setup_quotes_{draft.protocol}",
        help=_(
            "An unverified quote is altered, or its words are missing in its source. An option rests on such quotes if "
            "it has some, and no claim for it is supported in another way. Without a tick it can win, and is marked."
        ),
    )
    # Rules contain nothing where such an option is only marked.
    draft = draft.with_own(rules.model_copy(update={"unverified_quotes": "refuse" if refuses else None}))
    if rules.deciding_role is None:
        draft = _edit_ballots(draft)
    return _edit_least_strength(_edit_search(draft))


def edit_output_schema(draft: SetupDraft) -> SetupDraft:
    """Ask for the schema of the deliverable, where the debate is about a text or a schema is there already."""
    before = draft.shipped().output_schema or ""
    writes = any(phase.gives == "synthesis" for phase in draft.rules().phases())
    if not before and not (writes and goal_of(draft.rules()) in _GOALS_OF_A_TEXT):
        return draft
    fold = st.expander(_("A form for other programs"), bool(before), icon=":material/data_object:", key="setup-form")
    with fold:
        typed = st.text_area(
            _("JSON Schema of the form (may stay empty)"),
            before,
            key=f"setup_output_schema_{draft.protocol}",
            placeholder=EXAMPLE,
            height=160,
            help=_(
                "The synthesis also fills in this form, as a file that other programs can read. "
                "A model is asked again once if its reply does not match; then the reply is kept and marked."
            ),
        )
        if (typed or "").strip() and (fault := schema_fault(typed)):
            st.markdown(f":red[:material/block:] {safe_line(whole_sentence(said(fault)))}")
    return draft.with_own(with_output_schema(draft.shipped(), typed))


def _edit_ballots(draft: SetupDraft) -> SetupDraft:
    rules = draft.shipped()
    abstains = st.checkbox(
        _("A ballot whose reason argues for another option counts as an abstention"),
        rules.contradicting_ballots == "abstain",
        key=f"setup_contradicting_{draft.protocol}",
        help=_("The voter is asked first which of the two is meant. Without a tick the ballot counts, and is marked."),
    )
    changed = rules.model_copy(update={"contradicting_ballots": "abstain" if abstains else None})
    if not draft.has_models() and rules.votes_told == "hidden":
        return draft.with_own(changed)
    shown = st.checkbox(
        _("Models see the earlier votes before they vote"),
        rules.votes_told == "shown",
        key=f"setup_votes_told_{draft.protocol}",
        help=_("Seeing the votes of others pulls a vote towards them."),
    )
    votes_told: Literal["hidden", "shown"] = "shown" if shown else "hidden"
    return draft.with_own(changed if votes_told == rules.votes_told else with_votes_told(changed, votes_told))


def edit_questions(draft: SetupDraft) -> SetupDraft:
    """Ask for the two questions beside the vote, where the rules have a place for them and a seat can answer."""
    rules = draft.shipped()
    is_asked_now = asks_crux(rules) or has_premortem(rules)
    if not is_asked_now and all(seat.who == "offline" for seat in draft.panel()):
        return draft
    rules = _edit_crux(draft, _edit_premortem(draft, rules))
    if (asks_crux(rules) or has_premortem(rules)) and all(seat.who == "offline" for seat in draft.panel()):
        st.caption(_("The evidence panel is no model: it writes no premortem and names no claim."))
    return draft.with_own(rules)


def _edit_premortem(draft: SetupDraft, rules: Protocol) -> Protocol:
    plain = without_crux(without_premortem(rules))
    if with_premortem(plain, 1) != plain:
        premortem = st.checkbox(
            _("A premortem of the seats before the last vote"),
            has_premortem(rules),
            key=f"setup_premortem_{draft.protocol}",
            help=_(
                "Each seat writes alone why the decision might be reversed a year later; then all are shown. At "
                "sign-off each reason can become an assumption. One more call for each model. It is left out if the "
                "debate is decided before its last round."
            ),
        )
        if premortem != has_premortem(rules):
            return with_premortem(rules, 1) if premortem else without_premortem(rules)
    return rules


def _edit_crux(draft: SetupDraft, rules: Protocol) -> Protocol:
    plain = without_crux(without_premortem(rules))
    if with_crux(plain) != plain:
        is_asked = st.checkbox(
            _("Ask the seats which claim decided their vote"),
            asks_crux(rules),
            key=f"setup_crux_{draft.protocol}",
            help=_(
                "After the last ballot each seat names the claim that decided it, and then its vote if the most named "
                "claims were false. Two short calls for each model. Advice: it is never counted."
            ),
        )
        return with_crux(rules) if is_asked else without_crux(rules)
    return rules


def _edit_search(draft: SetupDraft) -> SetupDraft:
    """Ask whether the moderator may search the sources, where one leads the debate."""
    now = moderator_search(draft.shipped())
    if now is None:
        return draft
    may_search = st.checkbox(
        _("The moderator may search your documents"),
        now == "allowed",
        key=f"setup_search_{draft.protocol}",
        help=_("The finds are quoted word for word in the briefing, so that all argue from the same facts."),
    )
    search: ModeratorSearch = "allowed" if may_search else "none"
    return draft if search == now else draft.with_own(with_moderator_search(draft.shipped(), search))


def _edit_least_strength(draft: SetupDraft) -> SetupDraft:
    least = draft.shipped().least_strength
    if least is None:
        return draft
    strength = st.slider(
        _("Minimum strength of a critique"),
        1,
        10,
        least,
        key=f"setup_strength_{draft.protocol}",
        help=_("A critique that rates itself lower is requested once more."),
    )
    return draft.with_own(with_least_strength(draft.shipped(), strength))


def edit_rounds(draft: SetupDraft) -> SetupDraft:
    """Ask for the number of rounds."""
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
        _("Rounds at most (1 to {most})", most=limits.hard_max),
        1,
        limits.hard_max,
        key=key,
        help=_(
            "Usually {usual}; more than {warn_above} rarely add arguments.", usual=usual, warn_above=limits.warn_above
        ),
    )
    return draft.replace(rounds=unless_usual(rounds, usual))


def edit_escalation(draft: SetupDraft) -> SetupDraft:
    """Ask who takes an unresolved outcome, and by when."""
    agreed = draft.shipped().escalation
    left, right = st.columns(2)
    to = left.text_input(
        _("If undecided, the open points go to"),
        agreed.to if agreed else "",
        key=f"setup_escalate_to_{draft.protocol}",
        max_chars=MAX_ADDRESSEE_CHARS,
        placeholder=_("For example: the architecture board"),
    )
    today = datetime.now(UTC).date()
    due = date.fromisoformat(agreed.by) if agreed and agreed.by else None
    shown = due or today
    by = right.date_input(
        _("Due on"),
        due,
        # A date out of the usual range is shown, too: an old draft may have one, and the start refuses past dates.
        min_value=min(today, shown),
        max_value=max(today.replace(year=today.year + 10, day=1), shown),
        key=f"setup_escalate_by_{draft.protocol}",
        format=field_form(),
    )
    escalation = None
    if name_key(to or ""):
        escalation = Escalation(to=to, by=by.isoformat() if isinstance(by, date) else None)
    elif by:
        st.caption(_(":orange[Name who takes the open points: a date alone is not kept.]"))
    return draft.with_own(draft.shipped().model_copy(update={"escalation": escalation}))


def has_limits(draft: SetupDraft) -> bool:
    """Return whether there is something to limit: models take part, or a limit is set."""
    return draft.has_models() or (draft.limits or usual_limits(draft) or LimitsDraft()) != LimitsDraft()


def limits_in_words(draft: SetupDraft) -> str:
    """Return the limits of the draft, else those of its rules: `USD: 0.50, Calls: 40`."""
    limits = draft.limits or usual_limits(draft) or LimitsDraft()
    typed = [f"{words}: {getattr(limits, name)}" for name, words in _LIMITS.items() if getattr(limits, name)]
    return ", ".join(typed) or _("none")


def edit_limits(draft: SetupDraft) -> SetupDraft:
    """Ask for four limits. The fields start with the limits of the rules."""
    usual = usual_limits(draft) or LimitsDraft()
    before = draft.limits or usual
    st.caption(
        _(
            "An empty field is no limit. Before a call could pass one, the debate waits for you: you raise "
            "the limit, or end the debate. Everything said so far is kept."
        )
    )
    limits = _edit_limit_fields(draft, before)
    _offer_limits_from_use(draft.replace(limits=limits))
    return draft.replace(limits=limits) if draft.limits is not None or limits != before else draft


def edit_wait(draft: SetupDraft) -> SetupDraft:
    """Ask for the timeout for people."""
    waits = sorted({*WAITS, draft.max_wait_s or 0})
    max_wait_s = st.selectbox(
        _("If people do not answer"),
        waits,
        waits.index(draft.max_wait_s or 0),
        key="setup_max_wait",
        format_func=wait_words,
    )
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


def wait_words(seconds: int) -> str:
    return _("end undecided after {duration}", duration=duration_words(seconds)) if seconds else _("wait for them")
