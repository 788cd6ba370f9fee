"""Who I am, which debate I look at, and how a page talks to the host: errors come back as one sentence.

The URL keeps what a reload must not lose (`?id=` and `?as=`); session state keeps it when a click in the menu
drops the URL's parameters. Knows no rules.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NoReturn, TypeVar

import streamlit as st

from debate_core.engine import judge_view, rights, stage
from debate_core.engine.engine import requests
from debate_core.errors import DebateError, NotAllowed, StoreError, UnknownDebate
from debate_core.evaluation import practice
from debate_core.host.debate_list import DebateRow
from debate_core.host.door.accounts import UserAccount
from debate_core.host.door.hosting import Caller
from debate_core.host.door.reading import Looker, is_owner
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
"""The name under which somebody practises in this browser session."""


@dataclass(frozen=True, slots=True)
class Me:
    """What the person at this browser says they are. `seats` are human seats of the debate at hand."""

    facilitator: bool
    seats: tuple[str, ...]
    name: str
    stands_in: str = ""
    """A seat of no person for which I give the turn that is asked now, under my own name."""
    person: Person | None = None
    """Who I am in a debate that has a room: by my cookie, never by what the URL says."""

    @property
    def role(self) -> RoomRole:
        """What I am here, where the debate has a room; a stranger only watches."""
        if self.person:
            return self.person.role
        return "observer"

    @property
    def roles(self) -> tuple[str, ...]:
        """Everything held here, as `hold` takes it."""
        if self.facilitator:
            return FACILITATOR, *self.seats
        return self.seats

    @property
    def answers_for(self) -> tuple[str, ...]:
        """Seats whose turns I give: while one of them has to answer, I see what it may see."""
        if self.stands_in:
            return *self.seats, self.stands_in
        return self.seats

    @property
    def has_vote(self) -> bool:
        """True for somebody whose ballots are asked for, in the room or in the panel."""
        return self.person is not None and self.person.electorate is not None

    @property
    def only_watches(self) -> bool:
        """Whether this browser has no part in the debate."""
        return self.person is None and not self.roles

    @property
    def words(self) -> str:
        """How the screen calls this person."""
        if self.person:
            return f"{self.person.name}, {named(self.person.role)}"
        return ", ".join(in_words(r) for r in self.roles) or named("observer")

    @property
    def actor(self) -> str:
        """Who the record names for acts that belong to no seat: with a room, the id of a person."""
        if self.person:
            return self.person.id
        return self.name.strip() or FACILITATOR


def require_launcher() -> None:
    """Stop with one sentence if a browser reached this script without the server parts of `app.py`."""
    if st.context.headers and not is_launched():
        st.error(_("This page needs the live parts of the server: start the app with `streamlit run app.py`."))
        st.stop()


def may_host() -> bool:
    """True for whoever sits at this machine, knows the host code, or is logged in with the organisation."""
    return standing() != "stranger"


def standing() -> Caller:
    """What this browser is to the server as a whole.

    Without a server there is no browser from elsewhere. A browser that has just gone away is nobody.
    """
    if not is_launched():
        return "machine"
    headers = st.context.headers
    if not headers:
        return "stranger"
    # Streamlit says None for an address of this machine.
    address = st.context.ip_address or "127.0.0.1"
    known = host().door.hosting.standing(address, headers, st.context.cookies)
    if known == "stranger" and logged_in.on_page():
        return "host"
    return known


def user_account() -> UserAccount | None:
    """As whom this browser is logged in with the organisation; None where nobody can log in, or it is not."""
    return logged_in.account_on_page(host())


def owner() -> str:
    """To which account a debate belongs that is begun here; empty = to the server."""
    mine = user_account()
    return mine.id if mine else ""


def looker() -> Looker:
    """Who looks at this page, whoever they are in a debate."""
    return Looker(standing(), owner())


def may_take_part(state: State) -> bool:
    """False for who only reads a debate of somebody else in which no people were agreed: no link made them anybody."""
    return state.spec.has_people or owns(state)


def owns(state: State) -> bool:
    """True for the owner of this debate; of one that belongs to the server, for every host."""
    return is_owner(state.ownership, looker())


def client() -> str:
    """The address for which is counted what is begun here; empty for whoever sits at this machine."""
    address = st.context.ip_address or "127.0.0.1"
    if host().door.hosting.is_at_machine(address, st.context.headers):
        return ""
    return client_place(address)


def host() -> Host:
    """The host of this process."""
    return shared_host()


def debate_id() -> str | None:
    """The debate this page shows: from the URL, else the last one looked at (then written back to the URL)."""
    in_address = st.query_params.get("id")
    if in_address:
        # Of a debate that another record stands for, an old address opens that one.
        if (stands := host().stands_for(in_address)) != in_address:
            st.query_params["id"] = in_address = stands
        st.session_state[_DEBATE] = in_address
        return in_address
    last: str | None = st.session_state.get(_DEBATE)
    if last:
        st.query_params["id"] = last
    return last


def debate(*, on_wall: bool = False) -> State:
    """The state of the debate at hand; without one, says what to do and stops the page. `on_wall` as in `look_at`."""
    wanted = debate_id()
    if wanted is None:
        st.info(_("No debate is open here. Choose one on the home page, or start a new one."))
        _ways_out()
    return look_at(wanted, on_wall=on_wall)


def look_at(wanted: str, *, on_wall: bool = False) -> State:
    """The state of a debate that this browser may look at now, or `on_wall` at what the wall shows of it; else says so
    as if there were none, and stops."""
    try:
        state = host().state(host().stands_for(wanted))
        if not may_look(state, on_wall=on_wall):
            raise UnknownDebate(_(failures.NOT_IN))
        return state
    except UnknownDebate:
        # Before the page ends here: a refused act, or where a debate went that was handed over.
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
        _ways_out()


def may_look(state: State, *, on_wall: bool = False) -> bool:
    """True if this browser may look at this debate, or `on_wall` at what the wall shows of it."""
    # Whoever opened the debate here has no cookie before the browser has fetched one.
    if host().may_look(state.debate, st.context.cookies, looker(), on_wall=on_wall):
        return True
    return me(state).person is not None and not state.ownership.replaced_by


def debates() -> tuple[DebateRow, ...]:
    """Every debate that this browser finds in a list, latest opened first."""
    return host().debates_for(st.context.cookies, looker())


def _ways_out() -> NoReturn:
    st.page_link("home.py", label=_("Home"), icon=":material/home:")
    st.page_link("setup.py", label=_("New debate"), icon=":material/add_circle:")
    st.stop()
    raise AssertionError("st.stop ends the script")


def open_page(page: str, wanted: str) -> None:
    """Go to a page (`room.py`) with this debate; who I am goes along where no cookie says it."""
    st.session_state[_DEBATE] = wanted
    st.switch_page(page, query_params=address_of(host().state(wanted)))


def address_of(state: State) -> dict[str, str]:
    """What stands in the address of a page about this debate: its id, and who I am where no cookie says it."""
    roles: list[str] = st.session_state.get(_ROLES, [])
    address = {"id": state.debate}
    if roles and not state.spec.has_people:
        address["as"] = ",".join(roles)
    return address


def open_room_as_facilitator(wanted: str) -> None:
    """Go to the room of a debate I have just started: I hold the procedure, the chair, and the seats that are all mine.

    They are the only seat of a debate, and all that compare options.
    """
    spec = host().state(wanted).spec
    if not spec.has_people:
        mine = [*spec.seats_of("chair")]
        if spec.is_decided_alone() or spec.protocol.paired:
            mine += spec.debaters()
        st.session_state[_ROLES] = [FACILITATOR, *(s.id for s in mine if s.occupant == "human")]
    open_page("room.py", wanted)


def me(state: State, *, again: bool = False) -> Me:
    """Who I am in this debate: with a room by my cookie, else from the URL or this session; else an observer.

    `again`: by what the store holds at this moment, as for a command.
    """
    if state.spec.has_people:
        return _me_in_room(state, again=again)
    if not may_take_part(state):
        return Me(facilitator=False, seats=(), name="")
    if "as" in st.query_params:
        st.session_state[_ROLES] = st.query_params["as"].split(",")
    wanted: list[str] = st.session_state.get(_ROLES, [])
    roles = [role for role in roles_of(state) if role in wanted]
    if roles and st.query_params.get("as") != ",".join(roles):
        st.query_params["as"] = ",".join(roles)
    name = own_name()
    if FACILITATOR not in roles:
        return Me(facilitator=False, seats=tuple(roles), name=name)
    roles.remove(FACILITATOR)
    return Me(facilitator=True, seats=tuple(roles), name=name, stands_in=_stands_in(state))


def _me_in_room(state: State, *, again: bool) -> Me:
    browser = _browser(state.debate)
    person = _practising(state) if state.spec.practice else browser.person(host(), state, again=again)
    if person is None:
        return Me(facilitator=False, seats=(), name="")
    st.session_state[_WAS] = {**st.session_state.get(_WAS, {}), state.debate: person.name}
    return Me(person.role == FACILITATOR, stage.seats_of(state, person.id), person.name, person=person)


def _browser(wanted: str) -> KnownBrowser:
    """The browser that shows this page."""
    opened_as: str = st.session_state.get(_PEOPLE, {}).get(wanted, "")
    return KnownBrowser(st.context.cookies, opened_as, unfetched_link(wanted))


def _practising(state: State) -> Person | None:
    """Whoever practises with this debate under the name of this visit, for the account that owns it."""
    name = st.session_state.get(PRACTISES, "")
    return stage.person(state, practice.judge_of(name).id) if name and owns(state) else None


def may_see_result(state: State, holder: Me) -> bool:
    """False for a judge whose final word is still to come, and for nobody in particular, who may be that judge in a
    private window. Nobody judges a record from a file here."""
    if holder.person is not None:
        return judge_view.may_see_result(state, holder.person.id)
    return not judge_view.still_judging(state) or host().is_imported(state.debate)


def was(wanted: str) -> str:
    """Who this browser session has been in a debate; empty for a stranger from the start."""
    names: dict[str, str] = st.session_state.get(_WAS, {})
    return names.get(wanted, "")


def enter_as(wanted: str, person_id: str, *, link: str) -> None:
    """This browser session is this person of a debate that it opened itself, until the cookie is there.

    `link` is the token of their personal invite: the room page lets the browser fetch the cookie with it.
    """
    st.session_state[_PEOPLE] = {**st.session_state.get(_PEOPLE, {}), wanted: person_id}
    st.session_state[_LINKS] = {**st.session_state.get(_LINKS, {}), wanted: link}


def unfetched_link(wanted: str) -> str:
    """The token with which this browser can fetch its cookie of a debate that it opened; empty if it need not."""
    links: dict[str, str] = st.session_state.get(_LINKS, {})
    return links.get(wanted, "")


def known_name() -> str:
    """The name of whoever has logged in with the organisation, else an empty text."""
    claims = logged_in.on_page()
    return str(claims.get("name") or claims.get("email") or "")[:80]


def may(state: State, holder: Me, kind: type[RoomAct]) -> bool:
    """True if a control for this act is worth drawing for this person; the engine refuses what is not allowed."""
    if not state.spec.has_people:
        return may_take_part(state)
    return holder.person is not None and holder.role in rights.MAY[kind]


def _stands_in(state: State) -> str:
    chosen = st.session_state.get(_STANDS_IN)
    return next((r.seat for r in requests(state) if (state.debate, r.place()) == chosen), "")


def stand_in(state: State, request: Request | None) -> None:
    """I give this one turn for its seat; None = the seat answers by itself again."""
    st.session_state[_STANDS_IN] = request and (state.debate, request.place())


def roles_of(state: State) -> tuple[str, ...]:
    """What a person may be here: the facilitator, or any seat that is kept for a person."""
    return (FACILITATOR, *(s.id for s in state.spec.seats if s.occupant == "human" and s.id != FACILITATOR))


def hold(roles: Sequence[str], name: str) -> None:
    """From now on I am these; kept in the URL, so that a reload keeps it."""
    st.session_state[_ROLES] = list(roles)
    st.session_state[_NAME] = name
    for key, value in (("as", ",".join(roles)), ("name", name)):
        if value:
            st.query_params[key] = value
        else:
            st.query_params.pop(key, None)


def held() -> tuple[str, ...]:
    """What `hold` was told last in this browser session, whatever stands in an address that a browser still sends."""
    return tuple(st.session_state.get(_ROLES, ()))


def own_name() -> str:
    """Under which name acts are recorded here, where the debate has no people of its own."""
    return visible_name(st.query_params.get("name") or st.session_state.get(_NAME, ""))


def take(seat: str) -> None:
    """Take one more seat, beside what is held and under the name that was given until this press."""
    st.session_state[_TAKEN] = times_taken() + 1
    hold([*held(), seat], own_name())


def times_taken() -> int:
    """How often a seat was taken in this browser session."""
    taken: int = st.session_state.get(_TAKEN, 0)
    return taken


def give(wanted: str, drawn: Me, command: Callable[..., AnyCommand | None], *, seat: str = "", name: str = "") -> bool:
    """Carry out a command of the person at this browser, looked up at this moment; the one way in which a page acts.

    False if it was refused; the reason waits for `show_problem`. `drawn`: as whom the page was drawn, and `command`
    lacks `by`. Without people of its own a debate records the `name` that was typed, or for a turn its `seat`. Of a
    debate that is stopped, what its seats were saying is kept.
    """
    try:
        now = _who_acts(wanted, drawn)
        given = command(by=_giver(now, drawn, seat=seat, name=name))
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
    """Check a press that acts while the page is drawn again, which may be without its button.

    False if `give` would refuse the person; the reason waits for `show_problem`.
    """
    return _kept_or_told(partial(_who_acts, wanted, drawn), failures.NOT_RECORDED)


def _who_acts(wanted: str, drawn: Me) -> Me:
    """Who the person at this browser is at this moment. NotAllowed if the page was drawn for somebody else."""
    state = host().state_now(wanted)
    if not may_take_part(state):
        raise NotAllowed(failures.READS_ONLY)
    now = me(state, again=True)
    refuse_other(drawn, now)
    return now


def refuse_other(drawn: Me, now: Me) -> None:
    """NotAllowed if the person for whom a page was drawn has no link now, or another role, or is someone else."""
    if drawn.person is None:
        return
    if now.person is None:
        raise NotAllowed(failures.LINK_GONE)
    if now.person.id != drawn.person.id:
        raise NotAllowed(failures.SOMEONE_ELSE, name=now.person.name)
    if now.role != drawn.role:
        raise NotAllowed(failures.OTHER_ROLE, now=named(now.role), before=named(drawn.role))


def _giver(now: Me, drawn: Me, *, seat: str, name: str) -> str:
    """Whom the record names. A name may have been typed since the page was drawn."""
    if now.person:
        return now.person.id
    if seat and drawn.stands_in != seat:
        return seat
    return visible_name(name) or own_name() or FACILITATOR


def send_on_click(wanted: str, drawn: Me, command: Callable[..., AnyCommand]) -> None:
    """`give` for `on_click` of a button, which wants no answer."""
    give(wanted, drawn, command)


def act(state: State, drawn: Me, fact: RoomAct) -> bool:
    """Something this person does in the room; False if it was refused, as for `give`."""
    return give(state.debate, drawn, partial(Act, act=fact))


def act_on_click(state: State, drawn: Me, fact: RoomAct) -> None:
    """`act` for `on_click` of a button, which wants no answer."""
    act(state, drawn, fact)


def keep(wanted: str, drawn: Me, write: Callable[[], object], *, unsaved: str) -> bool:
    """Write something of this person that is in no record, such as a draft; the same look-up as in `give`.

    False if it was refused or cannot be saved: then `unsaved` waits for `show_problem`, and the page stays.
    """

    def keep_now() -> None:
        _who_acts(wanted, drawn)
        write()

    return _kept_or_told(keep_now, unsaved)


def keep_as_host(write: Callable[[], object], *, unsaved: str) -> bool:
    """The same for what is a host's: a draft of set-up."""
    return _kept_or_told(partial(as_host, write), unsaved)


def _kept_or_told(write: Callable[[], object], unsaved: str) -> bool:
    try:
        write()
    except DebateError as error:
        set_problem(error, lost=unsaved)
        return False
    return True


def kept(name: str) -> str | None:
    """The draft of this name; None also while the store cannot be read."""
    with suppress(StoreError):
        return host().drafts.text(name)
    return None


def forget(name: str) -> None:
    """Drop a draft that was handed in or given up. While the store cannot be written it stays."""
    with suppress(StoreError):
        host().drafts.drop(name)


def as_host(do: Callable[[], T]) -> T:
    """Do what is for hosts, if this browser is one at this moment. NotAllowed if it is not."""
    if not may_host():
        raise NotAllowed(failures.NO_HOST)
    return do()


def as_owner(drawn: str, do: Callable[[str], object]) -> None:
    """Do what is for the owner of a debate, if this browser is still logged in as the account that was drawn."""
    account = user_account()
    if account is None or account.id != drawn:
        raise NotAllowed(failures.NOT_YOURS)
    do(account.id)


def while_let_in(state: State, make: Callable[[], T]) -> Callable[[], T]:
    """`make`, for a file that is made when it is asked for: only for who may still read the debate as who they were.

    Streamlit asks beside any page, where nobody knows whose browser it is: what it brought is kept until then.
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
    """An error in words for this reader: what a store says of itself, such as a path, is for the operator."""
    if not _is_private(error):
        return said(error)
    return f"{_(failures.BUSY)} ({said(error)})" if _is_operator() else _(failures.BUSY)


def _is_private(error: DebateError | str) -> bool:
    return isinstance(error, StoreError) and error.is_for_operator


def _is_operator() -> bool:
    return standing() == "machine" and not logged_in.on_page()


def set_problem(error: DebateError | str, *, lost: str = "") -> None:
    """Keep one sentence for the next `show_problem`. `lost` says what is missing where the store is at fault."""
    words = told(error)
    if lost and _is_private(error):
        words = f"{_(lost)} ({said(error)})" if _is_operator() else _(lost)
    st.session_state[_PROBLEM] = words


def tell(words: str) -> None:
    """Keep one sentence on what went well for the next `show_problem`: a callback itself must draw nothing."""
    st.session_state[_NOTICE] = words


def show_problem() -> None:
    """What was refused or done last, in words; shown once, and where it is seen however far the page is scrolled."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.toast(safe_text(notice), icon=":material/check:")
    if problem := st.session_state.pop(_PROBLEM, None):
        st.toast(safe_text(problem), icon=":material/error:")
        st.error(safe_text(problem), icon=":material/error:")
