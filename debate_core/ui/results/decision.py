"""The decision on the results page: as arithmetic first, then the same desk as in the room.

Where a vote of people decides, theirs stands on top and the count of the debaters below it.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import RuleResult, what_if
from debate_core.report.facts.decision import Decision, decision_of
from debate_core.report.facts.health import FLAGS, findings, flags
from debate_core.report.facts.repetition import Finding
from debate_core.report.files.adr import PROFILES, Adr, Profile, decision_record
from debate_core.report.words.counts import flip_words, robustness_sentence
from debate_core.report.words.decision import arithmetic
from debate_core.report.words.outcome import agreement_words, outcome_lines, outcome_sentence
from debate_core.report.words.rules import agreed_words, chance_sentence, drivers_sentence
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import by_version
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.results import sign_off
from debate_core.ui.results.sections import hides_something, sealed_here

FOLLOW_S = 3.0


def outcome(state: State) -> None:
    """The outcome in words and numbers, and the rule it was reached by."""
    told = account(state)
    headline, counted = outcome_lines(told)
    found = decision_of(state)
    if state.outcome and found.counted_by != "debaters":
        headline, counted = _by_people(found), f"{arithmetic(told)}\n\n{outcome_sentence(told)}"
    spec = state.spec
    chance = chance_sentence(
        spec.protocol.decide, len(spec.debaters()), len(spec.options), weight=sum(s.weight for s in spec.debaters())
    )
    small = [f"Agreed before the start: {agreed_words(spec)}", chance, drivers_sentence(spec.drivers)]
    if state.outcome:
        small.append(f"Agreement, by code alone: {agreement_words(told)}.")
    with st.container(border=True):
        st.header(safe_line(headline), anchor=False)
        st.markdown(safe_text(counted))
        st.caption("  \n".join(safe_line(text) for text in small if text))
    if state.outcome is None and st.button("Go to the room", icon=":material/forum:"):
        session.open_page("room.py", state.debate)


def _by_people(found: Decision) -> str:
    """What the final vote of the panel or of the room says."""
    if found.pending:
        return f"Not decided yet: the final vote of the {found.counted_by} decides"
    return f"Decided by the {found.counted_by}: {found.counted}" if found.counted else "Nothing was decided"


def section(state: State) -> None:
    """Nothing while the debate goes on."""
    if state.outcome is None:
        return
    st.header("Decision and signature", anchor=False)
    if state.spec.rehearsal:
        st.caption("A rehearsal: a signature here is practice, and the decision record says so.")
    sign_off.show(state, session.me(state))


@st.fragment(run_every=FOLLOW_S)
def look_again(debate_id: str, version: int) -> None:
    """Whoever waits here for a signature sees it when it is there."""
    if session.host().state(debate_id).version != version:
        st.rerun()


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _noticed(state: State) -> tuple[Finding, ...]:
    """Once per version: comparing every turn with every other takes up to half a second."""
    return findings(state)


def health(state: State) -> None:
    """Flags and findings, each with its reason and the turns it is about."""
    noticed = _noticed(state)
    held = flags(state)
    if not noticed and not held:
        st.caption("Code noticed nothing that should make you careful. That is no proof of quality.")
        return
    for name in held:
        st.markdown(f":material/flag: {safe_text(FLAGS[name])}")
    for one in noticed:
        turns = f" :gray[({', '.join(map(safe_line, one.turns))})]" if one.turns else ""
        st.markdown(f":material/search: {safe_text(one.sentence)}{turns}")
    st.caption("Found by code from words and votes; a person has to judge what they mean. They change no count.")


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _robust(state: State) -> tuple[tuple[RuleResult, ...], str]:
    """Once per version: the search for the fewest ballots counts some thousand times."""
    return what_if(state), robustness_sentence(state)


def other_rules(state: State) -> None:
    """The agreed rule and every other one that these ballots can feed."""
    rows, sentence = _robust(state)
    if not rows:
        return
    st.markdown(safe_text(sentence))
    st.dataframe(
        [
            {
                "Rule": in_words(row.rule) + (" (agreed)" if row.agreed else ""),
                "Votes needed": "the most" if row.needed is None else str(row.needed),
                "Result": ", ".join(row.winners) + (" (tie)" if len(row.winners) > 1 else "") or "undecided",
                "Ballots from flipping": flip_words(row.flip),
            }
            for row in rows
        ],
        hide_index=True,
        key="what_if",
        alt="What other rules would have said of the same ballots",
    )


# The name of the file is one long word to a phone.
_WRAPPED = "<style>.st-key-adr-take button p { white-space: normal; overflow-wrap: anywhere }</style>"


def decision_file(state: State) -> None:
    """Nothing while the debate goes on or something is sealed: the files say so."""
    if state.outcome is None or sealed_here(state) or hides_something(state):
        return
    st.subheader("Decision record", anchor=False)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    profile: Profile = left.selectbox("Form", tuple(PROFILES), format_func=_title, key="adr_profile")
    anonymous = right.toggle("Roles instead of names", key="adr_anonymous", help="Of people and of seats.")
    number = int(left.number_input("Number in your folder", 1, 9_999, key="adr_number"))
    made = _made(state, profile, number, anonymous=bool(anonymous))
    taking = right.container(key="adr-take")
    taking.html(_WRAPPED)
    taking.download_button(
        f"Take {made.name}",
        made.text.encode(),
        made.name,
        "text/markdown",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
    )
    with st.container(height=420, key="adr-preview"):
        st.code(made.text, language="markdown", wrap_lines=True)
    st.caption(f"Not in this file, but in the record: {safe_line('; '.join(made.left_out))}.")
    st.caption(f"Checksum of the record: `{state.head}`, {state.version} events.")


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _made(state: State, profile: Profile, number: int, *, anonymous: bool) -> Adr:
    """Once per version: it reads the whole record."""
    events = session.host().events(state.debate)
    return decision_record(account(state, events), profile=profile, anonymous=anonymous, number=number)


def _title(profile: Profile) -> str:
    return PROFILES[profile]
