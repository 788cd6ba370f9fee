"""Rows of settings: each has a title and its present value in words, and opens its fields below itself.

One row of a step is open at a time. Knows the fields of none of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from debate_core.language import Words, _, _n, spoken_list
from debate_core.report.phrases.base_rates import KINDS
from debate_core.report.phrases.rules import STEPS
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup import people, people_rows, rules, seats
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.fields import name_of

Edit = Callable[[SetupDraft], SetupDraft]
TITLES: Words[str] = Words(
    {
        "drivers": "Criteria (drivers)",
        "kind": "Kind of decision",
        "method": "Is a debate the right method?",
        "readers": "First round and readers",
        "people": "People",
        "seats": "Seats",
        "course": "Rounds and steps",
        "time": "Time",
        "more": "More settings",
        "counting": "Counting",
        "polls": "Votes of people",
        "undecided": "If undecided",
        "protocol": "Protocol details",
        "roles": "Roles and readers",
        "limits": "Limits",
    }
)
"""Titles of the rows."""
_MORE = "more"
_MAX_VALUE_CHARS = 90
_ROWS = """<style>
[class*="st-key-setup_open_"] button { justify-content: flex-start; border-radius: 0; padding: 0.55rem 0.25rem;
  min-height: 2.75rem; border: 0; border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
[class*="st-key-setup_open_"] button :has([data-testid=stMarkdownContainer]) { width: 100%; justify-content: start }
[class*="st-key-setup_open_"] button [data-testid=stMarkdownContainer] { flex: 1; text-align: start; }
[class*="st-key-setup_open_"] button p { display: flex; gap: 0 1rem; white-space: normal; }
[class*="st-key-setup_open_"] button strong:not(:only-child) { flex: none; width: 10.5rem; }
[class*="st-key-setup_part_"]:not(:empty) { padding: 0.25rem 0 1.25rem; }
[class*="st-key-setup_adjust_"] [data-testid=stCaptionContainer] { padding: 1.25rem 0.25rem 0.25rem; }
[class*="st-key-setup_adjust_"] [class*="st-key-setup_part_"] [data-testid=stCaptionContainer] { padding: 0; }
@media (max-width: 640px) {
  [class*="st-key-setup_open_"] button { padding-block: 0.75rem }
  [class*="st-key-setup_open_"] button p { display: block }
  [class*="st-key-setup_open_"] button strong { display: block }
}
</style>"""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a step: those under *More settings* follow the first ones.

    Where there are first ones, *More settings* is a row too, and opens the others.
    """

    step: str
    first: Mapping[str, Edit]
    more: Mapping[str, Edit]
    opens: str = ""
    """The row that is open before one is pressed; "" = none."""

    def edits(self) -> dict[str, Edit]:
        return {**self.first, **self.more}

    def chosen(self) -> str:
        """Return the open row; "" = none."""
        return self._pressed() if self._pressed() in self.edits() else ""

    def shows_more(self) -> bool:
        """Return whether the rows under *More settings* are in sight."""
        return not self.first or self._pressed() == _MORE or self.chosen() in self.more

    def _pressed(self) -> str:
        pressed: str = st.session_state.get(_key(self.step), self.opens)
        return pressed


def _key(step: str) -> str:
    return f"setup_section_{step}"


def open_section(step: str, name: str) -> None:
    """Open a row, in a callback; "" closes all."""
    st.session_state[_key(step)] = name


def edit_rows(draft: SetupDraft, rows: Rows, edit_open: Edit) -> SetupDraft:
    """Draw every row, and below the open one its fields by `edit_open`; return the updated draft."""
    chosen = rows.chosen()
    with st.container(key=f"setup_adjust_{rows.step}", gap=None):
        st.html(_ROWS)
        heads, bodies = {}, {}
        shown = [*rows.first]
        if rows.first and rows.more:
            shown.append(_MORE)
        elif rows.more:
            st.caption(TITLES[_MORE])
        if rows.shows_more():
            shown += rows.more
        for name in shown:
            heads[name] = st.container(gap=None)
            bodies[name] = st.container(key=f"setup_part_{name}") if name == chosen else None
        with bodies.get(chosen) or st.container():
            draft = edit_open(draft)
        # Filled last, because the open fields may change the values of all rows.
        for name, head in heads.items():
            with head:
                if name == st.session_state.get(_key(rows.step)):
                    # The row above that closes takes the page with it, and a long row needs the whole window.
                    parts.scroll_here(key=f"setup_here_{rows.step}_{name}", block="start")
                _draw_head(draft, rows, name)
    return draft


def _draw_head(draft: SetupDraft, rows: Rows, name: str) -> None:
    is_open = rows.shows_more() if name == _MORE else name == rows.chosen()
    label = f"**{TITLES[name]}**"
    if not is_open:
        value = " · ".join(TITLES[row] for row in rows.more) if name == _MORE else _VALUES[name](draft)
        label += f" :gray[{safe_label(value, max_chars=_MAX_VALUE_CHARS)}]" if value else ""
    # A row under More settings closes alone.
    above = _MORE if rows.first and name in rows.more else ""
    st.button(
        label,
        key=f"setup_open_{rows.step}_{name}",
        icon=":material/expand_less:" if is_open else ":material/expand_more:",
        icon_position="right",
        type="tertiary",
        width="stretch",
        on_click=open_section,
        args=(rows.step, above if is_open else name),
    )


def _drivers(draft: SetupDraft) -> str:
    return spoken_list([driver.name for driver in draft.drivers if driver.name.strip()]) or _("none")


def _readers(draft: SetupDraft) -> str:
    held_back = any(source.only_for or source.from_round > 1 for source in draft.sources)
    return _("not the same for every document") if held_back else _("all seats read everything from round 1")


def _people(draft: SetupDraft) -> str:
    room = draft.room
    if not room.on:
        return _("no one joins; the debate runs on this screen")
    joins = people.JOINING[room.joining]
    listed = people_rows.n_listed(room)
    return f"{joins} · {_n(listed, '{n} listed', '{n} listed')}" if listed else joins


def _seats(draft: SetupDraft) -> str:
    return spoken_list([name_of(seat.id) or _("unnamed") for seat in draft.panel()])


def _course(draft: SetupDraft) -> str:
    """Return the number of rounds, whether they may end early, and the silent steps of people."""
    early = _("may end early") if rules.early_ends(draft) else _("all rounds are held")
    rounds = _n(draft.max_rounds(), "at most {n} round", "at most {n} rounds")
    return ", ".join((rounds, early, *people.silent_steps(draft.room)))


def _time(draft: SetupDraft) -> str:
    """Return the time of a debate, and what ends the wait for people."""
    time = people.time_words(draft)
    return f"{time}, {rules.wait_words(draft.max_wait_s)}" if draft.max_wait_s else time


def _counting(draft: SetupDraft) -> str:
    rule = draft.counted_rule()
    if rule is None:
        return _("no votes are counted")
    if rule.tie:
        return _("tie-break: {steps}", steps=_(", then ").join(STEPS[step] for step in rule.tie))
    return _("a tie stays undecided")


def _undecided(draft: SetupDraft) -> str:
    agreed = draft.shipped().escalation
    return _("open points go to {to}", to=agreed.to) if agreed else _("open points go to no one")


def _protocol(draft: SetupDraft) -> str:
    """Return who marks quotes, and the stricter treatment of quotes and ballots, where it is agreed."""
    rules = draft.shipped()
    words = []
    if draft.can_be_marked():
        words.append(_("a person marks the quotes") if draft.chair else _("no one marks the quotes"))
    if rules.unverified_quotes == "refuse":
        words.append(_("unverified quotes cannot win"))
    if rules.contradicting_ballots == "abstain":
        words.append(_("contradicting ballots abstain"))
    return ", ".join(words) or _("as usual")


def _times_of_votes(draft: SetupDraft) -> str:
    """Return when people vote."""
    match draft.room.pre_vote != "none", draft.room.final_vote == "asked":
        case True, True:
            return _("people vote before and after")
        case True, False:
            return _("people vote before the debate only")
        case False, True:
            return _("people vote after the debate")
        case _:
            return _("people do not vote")


def _roles(draft: SetupDraft) -> str:
    if not draft.room.on:
        return seats.roles_in_words(draft)
    judges = people_rows.n_judges(draft.room)
    readers = people.reader_words(draft.room.readers)
    return f"{readers} · {_n(judges, '{n} judge', '{n} judges')}" if judges else readers


_VALUES: Mapping[str, Callable[[SetupDraft], str]] = {
    "drivers": _drivers,
    "kind": lambda draft: KINDS[draft.triage.task],
    "method": lambda _draft: "",
    "readers": _readers,
    "people": _people,
    "seats": _seats,
    "course": _course,
    "time": _time,
    "counting": _counting,
    "polls": lambda draft: _times_of_votes(draft),
    "undecided": _undecided,
    "protocol": _protocol,
    "roles": _roles,
    "limits": rules.limits_in_words,
}
