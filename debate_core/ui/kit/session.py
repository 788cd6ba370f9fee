"""The browser session: the user's identity, the current debate, and calls of the host with errors as sentences.

The URL (`?id=` and `?as=`) survives a reload; the session state survives a click in the menu, which drops the
parameters of the URL. Knows no rules.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NoReturn, TypeVar

import streamlit as st

from debate_core.engine import judge_view, rights, stage
from debate_core.engine.engine import requests
from debate_core.errors import DebateError, NotAllowed, StoreError, UnknownDebate
from debate_core.evaluation import practice
from debate_core.host.access.accounts import UserAccount
from debate_core.host.access.hosting import Caller
from debate_core.host.access.reading import Looker, is_owner
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host, shared_host
from debate_core.host.network import client_place
from debate_core.language import _, said
from debate_core.names import visible_name
from debate_core.record.acts import RoomAct
from debate_core.record.commands import Act, AnyCommand, Stop
from debate_core.record.state import Request, State
from debate_core.report.facts.terms import named
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.values import in_words
from debate_core.ui.kit import failures, logged_in
from debate_core.ui.kit.known_browser import KnownBrowser
from debate_core.ui.kit.launched import is_launched
from debate_core.ui.kit.text import safe_line, safe_text

T = TypeVar("T")
FACILITATOR = "facilitator"
# Names in the session state.
_DEBATE = "debate_id"
_ROLES = "held_roles"
_NAME = "person_name"
_TAKEN = "seats_taken"
_STANDS_IN = "stands_in"
_PEOPLE = "people_here"
_LINKS = "own_links"
_WAS = "was_in"
_PROBLEM = "problem"
_NOTICE = "told"
PRACTISES = "practises"
"""Session key of the name used for practice debates."""


@dataclass(frozen=True, slots=True)
class Me:
    """The identity of the person at this browser in a debate. `seats` are the human seats they speak for."""

    facilitator: bool
    seats: tuple[str, ...]
    name: str
    stands_in: str = ""
    """A seat without a person for which I give the current turn, under my own name."""
    person: Person | None = None
    """My person in a debate with a room, identified by a cookie, never by the URL."""

    @property
    def role(self) -> RoomRole:
        """My role in a debate with a room; a stranger is an observer."""
        return self.person.role if self.person else "observer"

    @property
    def roles(self) -> tuple[str, ...]:
        """All my roles and seats, in the format of `hold`."""
        return (FACILITATOR, *self.seats) if self.facilitator else self.seats

    @property
    def answers_for(self) -> tuple[str, ...]:
        """The seats whose turns I give; during their turn, I see what they may see."""
        return (*self.seats, self.stands_in) if self.stands_in else self.seats

    @property
    def has_vote(self) -> bool:
        """True for a voter, in the room or in the panel."""
        return self.person is not None and self.person.electorate is not None

    @property
    def only_watches(self) -> bool:
        """True for a browser without a part in the debate."""
        return self.person is None and not self.roles

    @property
    def words(self) -> str:
        """Name and role of this person for the screen."""
        if self.person:
            return f"{self.person.name}, {named(self.person.role)}"
        return ", ".join(in_words(r) for r in self.roles) or named("observer")

    @property
    def actor(self) -> str:
        """The actor in the record for acts without a seat: in a room, the id of a person."""
        if self.person:
            return self.person.id
        return self.name.strip() or FACILITATOR


def require_launcher() -> None:
    """Stop the page with an error if the server was not started by `app.py`."""
    if st.context.headers and not is_launched():
        st.error(_("This page needs the live parts of the server: start the app with `streamlit run app.py`."))
        st.stop()


def may_host() -> bool:
    """Return whether this browser is on this machine, has the host code, or is logged in with the organisation."""
    return standing() != "stranger"


def standing() -> Caller:
    """Return the status of this browser for the whole server.

    Without a server, the browser is on this machine. A browser that has just disconnected is a stranger.
    """
    if not is_launched():
        return "machine"
    headers = st.context.headers
    if not headers:
        return "stranger"
    # Streamlit returns None for an address of this machine.
    address = st.context.ip_address or "127.0.0.1"
    known = host().door.hosting.standing(address, headers, st.context.cookies)
    if known == "stranger" and logged_in.on_page():
        return "host"
    return known


def user_account() -> UserAccount | None:
    """Return the account of this browser, or None without a login."""
    return logged_in.account_on_page(host())


def owner() -> str:
    """Return the id of the account that owns new debates; empty = the server owns them."""
    mine = user_account()
    return mine.id if mine else ""


def looker() -> Looker:
    """Return the viewer of this page, independent of any debate."""
    return Looker(standing(), owner())


def may_take_part(state: State) -> bool:
    """Return whether the viewer may act: in a debate without people, only its owner may, and in a match no one."""
    return state.spec.has_people or (owns(state) and state.spec.match_of is None)


def owns(debate: State | DebateRow) -> bool:
    """Return whether the viewer owns this debate; every host owns the debates of the server."""
    return is_owner(debate.ownership, looker())


def may_be_in(row: DebateRow) -> bool:
    """Return whether this browser may belong to a person of the debate: `me` knows, but reads the record."""
    return row.practice or _browser(row.id).may_be_in((row.id, *row.former))


def client() -> str:
    """Return the address for quotas; empty for this machine."""
    address = st.context.ip_address or "127.0.0.1"
    if host().door.hosting.is_at_machine(address, st.context.headers):
        return ""
    return client_place(address)


def host() -> Host:
    """Return the host of this process."""
    return shared_host()


def debate_id() -> str | None:
    """Return the id of the debate on this page: from the URL, else the last one, which is added to the URL."""
    in_address = st.query_params.get("id")
    if in_address:
        # A debate can be replaced by another record; its old address opens that one.
        if (stands := host().stands_for(in_address)) != in_address:
            st.query_params["id"] = in_address = stands
        st.session_state[_DEBATE] = in_address
        return in_address
    last: str | None = st.session_state.get(_DEBATE)
    if last:
        st.query_params["id"] = last
    return last


def debate(*, on_wall: bool = False) -> State:
    """Return the state of the current debate, or stop the page with a hint. `on_wall` as in `look_at`."""
    wanted = debate_id()
    if wanted is None:
        st.info(_("No debate is open here. Choose one on the home page, or start a new one."))
        _end_with_links()
    return look_at(wanted, on_wall=on_wall)


def look_at(wanted: str, *, on_wall: bool = False) -> State:
    """Return the state of a debate, or stop the page if it does not exist or the viewer has no access.

    With `on_wall`, access to its wall is enough.
    """
    try:
        state = host().state(host().stands_for(wanted))
        if not may_look(state, on_wall=on_wall):
            raise UnknownDebate(_(failures.NOT_IN))
        return state
    except UnknownDebate:
        # The page ends here, so show pending messages now: a refused act, or a debate that was handed over.
        show_problem()
        if not may_host():
            st.info(_(failures.NOT_IN))
            st.link_button(_("Join a debate"), "/join", icon=":material/login:")
            st.stop()
        st.session_state.pop(_DEBATE, None)
        named = safe_line(wanted, max_chars=60)
        st.error(
            _(
                "There is no debate “{named}” here for you. The link may be old, or belong to another server.",
                named=named,
            )
        )
        _end_with_links()


def may_look(state: State, *, on_wall: bool = False) -> bool:
    """Return whether this browser may see this debate, or with `on_wall` its wall."""
    # The person who opened the debate here has no cookie until the browser has fetched it.
    if host().may_look(state.debate, st.context.cookies, looker(), on_wall=on_wall):
        return True
    return me(state).person is not None and not state.ownership.replaced_by


def debates(rows: Iterable[DebateRow] | None = None) -> tuple[DebateRow, ...]:
    """Return every debate listed for this browser, latest first; `rows` as in `DebateReader.debates`."""
    return host().debates_for(st.context.cookies, looker(), rows)


def _end_with_links() -> NoReturn:
    st.page_link("home.py", label=_("Home"), icon=":material/home:")
    st.page_link("setup.py", label=_("New debate"), icon=":material/add_circle:")
    st.stop()
    raise AssertionError("st.stop ends the script")


def open_page(page: str, wanted: str) -> None:
    """Open a page (`room.py`) with this debate and, without a cookie, with my roles."""
    st.session_state[_DEBATE] = wanted
    st.switch_page(page, query_params=address_of(host().state(wanted)))


def address_of(state: State) -> dict[str, str]:
    """Return the address parameters of a page about this debate: its id and, without a cookie, my roles."""
    roles: list[str] = st.session_state.get(_ROLES, [])
    address = {"id": state.debate}
    if roles and not state.spec.has_people:
        address["as"] = ",".join(roles)
    return address


def open_room_as_facilitator(wanted: str) -> None:
    """Open the room of a debate that I have just started, as facilitator and chair.

    I also get the seat of a debate with only one, and all seats that compare options.
    """
    spec = host().state(wanted).spec
    if not spec.has_people:
        mine = [*spec.seats_of("chair")]
        if spec.is_decided_alone() or spec.protocol.paired:
            mine += spec.debaters()
        st.session_state[_ROLES] = [FACILITATOR, *(s.id for s in mine if s.occupant == "human")]
    open_page("room.py", wanted)


def me(state: State, *, again: bool = False) -> Me:
    """Return my identity in this debate: in a room by my cookie, else from the URL or this session.

    With `again`, it is read from the store again, as a command requires.
    """
    if state.spec.has_people:
        return _me_in_room(state, again=again)
    if not may_take_part(state):
        return Me(facilitator=False, seats=(), name="")
    roles = _claimed_roles(state)
    name = own_name()
    if FACILITATOR not in roles:
        return Me(facilitator=False, seats=tuple(roles), name=name)
    roles.remove(FACILITATOR)
    chosen = st.session_state.get(_STANDS_IN)
    stands_in = next((r.seat for r in requests(state) if (state.debate, r.place()) == chosen), "")
    return Me(facilitator=True, seats=tuple(roles), name=name, stands_in=stands_in)


def _claimed_roles(state: State) -> list[str]:
    """Return the possible roles among those in the URL, else in this session; the URL keeps them."""
    if "as" in st.query_params:
        st.session_state[_ROLES] = st.query_params["as"].split(",")
    wanted: list[str] = st.session_state.get(_ROLES, [])
    roles = [role for role in roles_of(state) if role in wanted]
    if roles and st.query_params.get("as") != ",".join(roles):
        st.query_params["as"] = ",".join(roles)
    return roles


def _me_in_room(state: State, *, again: bool) -> Me:
    if state.spec.practice:
        # The name chosen in this session identifies the person, for the account that owns the debate.
        name = st.session_state.get(PRACTISES, "")
        person = stage.person(state, practice.judge_of(name).id) if name and owns(state) else None
    else:
        person = _browser(state.debate).person(host(), state, again=again)
    if person is None:
        return Me(facilitator=False, seats=(), name="")
    st.session_state[_WAS] = {**st.session_state.get(_WAS, {}), state.debate: person.name}
    return Me(person.role == FACILITATOR, stage.seats_of(state, person.id), person.name, person=person)


def _browser(wanted: str) -> KnownBrowser:
    opened_as: str = st.session_state.get(_PEOPLE, {}).get(wanted, "")
    return KnownBrowser(st.context.cookies, opened_as, unfetched_link(wanted))


def may_see_result(state: State, holder: Me) -> bool:
    """Return False for a judge before the final estimate, and meanwhile for strangers, who could be that judge.

    Imported records have no judges here.
    """
    if holder.person is not None:
        return judge_view.may_see_result(state, holder.person.id)
    return not judge_view.still_judging(state) or host().is_imported(state.debate)


def was(wanted: str) -> str:
    """Return the name that this browser session had in a debate; empty for a stranger."""
    return str(st.session_state.get(_WAS, {}).get(wanted, ""))


def enter_as(wanted: str, person_id: str, *, link: str) -> None:
    """Make this browser session a person of the debate that it opened, until the browser has the cookie.

    `link` is the token of the personal invite, with which the room page fetches the cookie.
    """
    st.session_state[_PEOPLE] = {**st.session_state.get(_PEOPLE, {}), wanted: person_id}
    st.session_state[_LINKS] = {**st.session_state.get(_LINKS, {}), wanted: link}


def unfetched_link(wanted: str) -> str:
    """Return the token for fetching the cookie of a debate opened here; empty if none is needed."""
    links: dict[str, str] = st.session_state.get(_LINKS, {})
    return links.get(wanted, "")


def known_name() -> str:
    """Return the name in the login of this browser, or an empty text."""
    claims = logged_in.on_page()
    return str(claims.get("name") or claims.get("email") or "")[:80]


def may(state: State, holder: Me, kind: type[RoomAct]) -> bool:
    """Return whether to draw a control for this act; the engine checks the permission."""
    if not state.spec.has_people:
        return may_take_part(state)
    return holder.person is not None and holder.role in rights.MAY[kind]


def stand_in(state: State, request: Request | None) -> None:
    """Give this one turn for its seat; None = return the turn to the seat."""
    st.session_state[_STANDS_IN] = request and (state.debate, request.place())


def roles_of(state: State) -> tuple[str, ...]:
    """Return the possible roles: facilitator, and every seat reserved for a person."""
    return (FACILITATOR, *(s.id for s in state.spec.seats if s.occupant == "human" and s.id != FACILITATOR))


def hold(roles: Sequence[str], name: str) -> None:
    """Set my roles and name, also in the URL for reloads."""
    st.session_state[_ROLES] = list(roles)
    st.session_state[_NAME] = name
    for key, value in (("as", ",".join(roles)), ("name", name)):
        if value:
            st.query_params[key] = value
        else:
            st.query_params.pop(key, None)


def held() -> tuple[str, ...]:
    """Return the roles of the last `hold`, even if the browser still sends an older address."""
    return tuple(st.session_state.get(_ROLES, ()))


def own_name() -> str:
    """Return the name for the record in a debate without people."""
    return visible_name(st.query_params.get("name") or st.session_state.get(_NAME, ""))


def take(seat: str) -> None:
    """Take one more seat, under the name typed so far."""
    st.session_state[_TAKEN] = times_taken() + 1
    hold([*held(), seat], own_name())


def times_taken() -> int:
    """Return the number of seats taken in this browser session."""
    taken: int = st.session_state.get(_TAKEN, 0)
    return taken


def give(wanted: str, drawn: Me, command: Callable[..., AnyCommand | None], *, seat: str = "", name: str = "") -> bool:
    """Execute a command of the person at this browser, whose identity is looked up again. Pages act only through this.

    Return False if it was refused; `show_problem` shows the reason. `drawn` is the identity for which the page was
    drawn, and `command` lacks `by`. A debate without people records the typed `name`, or the `seat` of a turn. Stopping
    a debate keeps partial texts.
    """
    try:
        now = _confirm_identity(wanted, drawn)
        given = command(by=_actor_for(now, drawn, seat=seat, name=name))
        if isinstance(given, Stop):
            host().stop(wanted, by=given.by, reason=given.reason)
        elif given is not None:
            host().submit(wanted, given)
    except DebateError as error:
        set_problem(error, lost=failures.NOT_RECORDED)
        return False
    st.session_state.pop(_PROBLEM, None)
    return given is not None


def may_still_act(wanted: str, drawn: Me) -> bool:
    """Return False if `give` would refuse this person, for a click handled during a redraw without the button.

    `show_problem` shows the reason.
    """
    return _save_or_report(partial(_confirm_identity, wanted, drawn), failures.NOT_RECORDED)


def _confirm_identity(wanted: str, drawn: Me) -> Me:
    """Return the present identity of this browser. Raise NotAllowed if the page was drawn for someone else."""
    state = host().state_now(wanted)
    if not may_take_part(state):
        raise NotAllowed(failures.READS_ONLY)
    now = me(state, again=True)
    refuse_other(drawn, now)
    return now


def refuse_other(drawn: Me, now: Me) -> None:
    """Raise NotAllowed if the person of the page has lost the link, has another role, or is someone else."""
    if drawn.person is None:
        return
    if now.person is None:
        raise NotAllowed(failures.LINK_GONE)
    if now.person.id != drawn.person.id:
        raise NotAllowed(failures.SOMEONE_ELSE, name=now.person.name)
    if now.role != drawn.role:
        raise NotAllowed(failures.OTHER_ROLE, now=named(now.role), before=named(drawn.role))


def _actor_for(now: Me, drawn: Me, *, seat: str, name: str) -> str:
    """Return the actor for the record. `name` may have been typed since the page was drawn."""
    if now.person:
        return now.person.id
    if seat and drawn.stands_in != seat:
        return seat
    return visible_name(name) or own_name() or FACILITATOR


def send_on_click(wanted: str, drawn: Me, command: Callable[..., AnyCommand]) -> None:
    """Call `give` from `on_click` of a button."""
    give(wanted, drawn, command)


def act(state: State, drawn: Me, fact: RoomAct) -> bool:
    """Submit an act in the room; return False if it was refused, as `give` does."""
    return give(state.debate, drawn, partial(Act, act=fact))


def act_on_click(state: State, drawn: Me, fact: RoomAct) -> None:
    """Call `act` from `on_click` of a button."""
    act(state, drawn, fact)


def keep(wanted: str, drawn: Me, write: Callable[[], object], *, unsaved: str) -> bool:
    """Save data of this person outside the record, such as a draft, after the same check as in `give`.

    Return False if it was refused or cannot be saved; `show_problem` then shows the reason or `unsaved`.
    """

    def keep_now() -> None:
        _confirm_identity(wanted, drawn)
        write()

    return _save_or_report(keep_now, unsaved)


def keep_as_host(write: Callable[[], object], *, unsaved: str) -> bool:
    """Save data of a host, such as a draft of set-up; otherwise like `keep`."""
    return _save_or_report(partial(as_host, write), unsaved)


def _save_or_report(write: Callable[[], object], unsaved: str) -> bool:
    try:
        write()
    except DebateError as error:
        set_problem(error, lost=unsaved)
        return False
    return True


def kept(name: str) -> str | None:
    """Return the draft with this name; None if it is missing or the store cannot be read."""
    with suppress(StoreError):
        return host().drafts.text(name)
    return None


def forget(name: str) -> None:
    """Delete a draft, if the store can be written."""
    with suppress(StoreError):
        host().drafts.drop(name)


def as_host(do: Callable[[], T]) -> T:
    """Run a host's action. Raise NotAllowed if this browser is no host now."""
    if not may_host():
        raise NotAllowed(failures.NO_HOST)
    return do()


def as_owner(drawn: str, do: Callable[[str], object]) -> None:
    """Run an owner's action. Raise NotAllowed if this browser is not logged in as the account on the page."""
    account = user_account()
    if account is None or account.id != drawn:
        raise NotAllowed(failures.NOT_YOURS)
    do(account.id)


def while_let_in(state: State, make: Callable[[], T]) -> Callable[[], T]:
    """Wrap `make`, which creates a file at download, with a check that this person may still read the debate.

    Streamlit calls it outside a page, where the browser is unknown; so its cookies are stored here.
    """
    drawn, browser, reads = me(state), _browser(state.debate), looker()

    def made() -> T:
        now = host().state_now(state.debate)
        person = browser.person(host(), now, again=True)
        if drawn.person is None:
            if not host().may_look(state.debate, browser.cookies, reads):
                raise NotAllowed(failures.NOT_IN)
        elif person is None or (person.id, person.role) != (drawn.person.id, drawn.role):
            raise NotAllowed(failures.LINK_GONE)
        return make()

    return made


def told(error: DebateError | str) -> str:
    """Return an error in words; only the operator sees details of the store, such as paths."""
    if not _is_private(error):
        return said(error)
    return f"{_(failures.BUSY)} ({said(error)})" if _is_operator() else _(failures.BUSY)


def _is_private(error: DebateError | str) -> bool:
    return isinstance(error, StoreError) and error.is_for_operator


def _is_operator() -> bool:
    return standing() == "machine" and not logged_in.on_page()


def set_problem(error: DebateError | str, *, lost: str = "") -> None:
    """Store an error for the next `show_problem`. `lost` replaces private errors of the store."""
    words = told(error)
    if lost and _is_private(error):
        words = f"{_(lost)} ({said(error)})" if _is_operator() else _(lost)
    st.session_state[_PROBLEM] = words


def tell(words: str) -> None:
    """Store a success message for the next `show_problem`, because callbacks must draw nothing."""
    st.session_state[_NOTICE] = words


def show_problem() -> None:
    """Show the stored messages once, as toasts that are visible at every scroll position."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.toast(safe_text(notice), icon=":material/check:")
    if problem := st.session_state.pop(_PROBLEM, None):
        st.toast(safe_text(problem), icon=":material/error:")
        st.error(safe_text(problem), icon=":material/error:")
