"""The decision in full on the results page: the count, caveats, other rules, the decision record."""

from collections.abc import Iterator
from itertools import takewhile

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.errors import InvalidSpec, NotAllowed
from debate_core.host.git.decision_branch import BranchRequest
from debate_core.host.git.export import GitExport, export_decision
from debate_core.host.git.repository import without_login
from debate_core.host.signatures import file_of
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.profiles import PROFILES, ProfileName
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.document import Document, Heading
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.outcome import agreed_lines, agreement_words, outcome_sentence
from debate_core.report.phrases.polls import deciding_words
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.text import whole_sentence
from debate_core.ui.kit import accounts, rendered, session
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.results.sections import draw_card, page_button, sealed_here

FOLLOW_S = 3.0


def in_full(account: Account) -> None:
    """Draw the decider, the outcome in sentences, the rule, and the count that was agreed to decide."""
    state = account.state
    st.markdown(f"**{safe_line(decided_sentence(account))}**")
    if account.decision.counted_by != "debaters":
        st.markdown(safe_text(arithmetic(account)))
    st.markdown(safe_text(outcome_sentence(account)))
    st.markdown("  \n".join(map(safe_line, _agreed_lines(account))))
    if words := deciding_words(state):
        st.markdown(safe_line(words))


def _agreed_lines(account: Account) -> Iterator[str]:
    rule, *beside = agreed_lines(account)
    yield _("Protocol: {title}.", title=title_of(account.state.spec.protocol.name))
    yield _("Agreed before the start: {rule}", rule=rule)
    yield from beside
    if account.state.outcome:
        yield _("Agreement, by code alone: {agreement}.", agreement=agreement_words(account))


@st.fragment(run_every=FOLLOW_S)
def look_again(debate_id: str, version: int) -> None:
    """Redraw the page when the record has grown, for example by a signature."""
    if session.host().state(debate_id).version != version:
        st.rerun()


def has_file(account: Account) -> bool:
    """True once the decision can be taken along: after the end, and while nothing is sealed."""
    return not (account.state.outcome is None or sealed_here(account) or account.hides_turns)


def decision_file(account: Account, page: DeltaGenerator, repository: DeltaGenerator) -> None:
    """Draw the decision to take along, as a page and as a file for a repository, and its first page."""
    state = account.state
    st.header(_("Decision record"), anchor=False)
    shown = st.container(border=True, key="adr-preview")
    whole = st.expander(_("Reasons and the whole record"), icon=":material/article:", key="adr-whole")
    of_file = st.expander(_("The .md file: form, number, names and text"), icon=":material/code:", key="adr-form")
    with of_file:
        profile, number, anonymous = _ask_form()
    record = decision_record(
        accounts.public(account),
        profile=profile,
        anonymous=anonymous,
        number=number,
        signing_key=session.host().signing_key(state.debate),
    )
    with draw_card(page, _("To read and send"), _("The decision with its votes and reasons.")):
        page_button(account, _("Download the decision as a page"), primary=True)
    form = _("A file beside your code: {form}.", form=_(PROFILES[profile].title))
    with draw_card(repository, _("For your repository"), form):
        st.download_button(
            _("Download the .md file"),
            record.text.encode(),
            record.name,
            "text/markdown",
            icon=":material/download:",
            on_click="ignore",
        )
        if session.host().git.repository and session.may_host():
            _git_button(account, profile)
    with shown:
        # Without the front matter, which names the same people and the same date again.
        rendered.document(_cut_sections(record.document))
    with whole:
        rendered.document(record.document)
        left_out = safe_line("; ".join(record.left_out))
        st.caption(_("Not in this file, but in the record: {left_out}.", left_out=left_out))
    with of_file:
        st.code(record.text, language="markdown", wrap_lines=True)
        st.caption(_("Checksum of the record: `{head}`, {version} events.", head=state.head, version=state.version))


def _ask_form() -> tuple[ProfileName, RecordNumber, bool]:
    """Let the user choose form and number of the file, and whether it has roles instead of names."""
    profile: ProfileName = st.selectbox(
        _("Form"), tuple(PROFILES), format_func=lambda name: _(PROFILES[name].title), key="adr_profile"
    )
    number = int(st.number_input(_("ADR number"), 1, 9_999, key="adr_number"))
    anonymous = st.toggle(_("Roles instead of names"), key="adr_anonymous", help=_("Of people and of seats."))
    return profile, RecordNumber(number), bool(anonymous)


def _git_button(account: Account, profile: ProfileName) -> None:
    """Draw the button that puts the decision into the operator's repository, and its result."""
    repository = without_login(session.host().git.repository)
    pressed = st.button(
        _("Add to the repository"),
        key="adr-git",
        icon=":material/commit:",
        help=_(
            "Writes a branch of {repository}: this form, the record with all names, signatures.",
            repository=repository,
        ),
    )
    if not pressed:
        return
    try:
        with st.spinner(_("git is writing the branch")):
            done = session.as_host(lambda: _export_to_git(account, profile))
    except (InvalidSpec, NotAllowed) as error:
        st.error(safe_text(whole_sentence(session.told(error))))
        return
    file, branch = safe_line(done.branch.file), safe_line(done.branch.name)
    st.success(_("{file} is on the branch {branch}.", file=file, branch=branch))
    if done.request_url:
        st.link_button(_("Open the pull request"), done.request_url, icon=":material/open_in_new:")


def _export_to_git(account: Account, profile: ProfileName) -> GitExport:
    """Export the debate with all names, as an export of the record has them."""
    host = session.host()
    whole = accounts.public(account)
    signed = host.signed(whole.state.debate)
    return export_decision(
        whole,
        file_of(signed) if signed else "",
        host.git,
        BranchRequest(profile=profile),
        pull_request=bool(host.git.token),
    )


def _cut_sections(record: Document) -> Document:
    """The document up to its first section, without the front matter."""
    title, *rest = record.blocks
    return Document((title, *takewhile(lambda block: not isinstance(block, Heading), rest)))
