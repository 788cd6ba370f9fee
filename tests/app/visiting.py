"""Pages as a given person sees them, and presses on their controls."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.types import ASGIApp
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from debate_core.engine.engine import requests
from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.invites import Invite
from debate_core.host.host import Host, shared_host
from debate_core.record.acts import RoomAct
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.spec.contents import Argument, Content
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from tests.people import EVERYBODY, FAY, room_spec

ROUTER = Path(__file__).resolve().parents[2] / "pages" / "_router.py"
PAGES = ("room.py", "results.py", "record.py", "screen.py")
SERVER, ELSEWHERE = "192.168.1.5", "192.168.1.9"
"""The server in its network, and another machine there."""
NO_MARKDOWN = {"text_input", "text_area", "code", "arrow_data_frame", "selectbox", "multiselect", "bidi_component"}
HOLDERS = tuple(
    Person(id=f"p-{i}", name=n, role="debater", seats=(i,)) for i, n in (("s0", "Sam"), ("s1", "Sol"), ("s2", "Sue"))
)
PEOPLE = tuple(Seat(id=f"s{i}", occupant="human", stance=s) for i, s in enumerate(("adopt", "defer", "")))


class Browser(AppTest):
    """The app in tests: no two controls of a page may ever have the same name."""

    def _run(self, *given: Any, **more: Any) -> AppTest:
        seen = super()._run(*given, **more)
        repeated = repeated_names(self)
        assert repeated == {}, f"a screen reader tells these controls by their names alone: {repeated}"
        return seen


CONTROLS = (
    *("button", "checkbox", "multiselect", "number_input", "radio", "select_slider", "selectbox", "slider"),
    *("text_area", "text_input", "toggle", "button_group", "file_uploader", "download_button"),
)
"""Elements that people press, choose in or write into."""


def repeated_names(app: AppTest) -> dict[str, int]:
    """Each name that several controls of the page have, or one has that has none, and how many there are."""
    # One walk over the page: `app.get` walks over it for every kind.
    nodes = list(app._tree)
    names = Counter(str(node.proto.label) for node in nodes if node.type in CONTROLS)
    rows = (row for part in _parts(nodes, "list") for row in part["rows"])
    names.update(f"{row['button']}: {row['question']} ({row['nth']})" for row in rows)
    return {name: times for name, times in names.items() if times > 1 or not name}


def count_controls(app: AppTest) -> int:
    """Controls of the page with every drawer open; each answer of a list of buttons counts, and so does a drawer."""
    lists = [*app.get("button_group"), *app.radio]
    others = sum(len(app.get(kind)) for kind in CONTROLS if kind not in ("button_group", "radio"))
    return others + sum(len(one.options) for one in lists) + len(app.expander)


def new_browser() -> AppTest:
    """The app in a browser that has not been here before, which opens the tools of the facilitator.

    A busy machine is no fault of a page, so it may take long.
    """
    return unfolded(Browser(ROUTER, default_timeout=120), "lead-more")


class WebClient(TestClient):
    """A browser on the machine of the server, or at another `address`; it follows no redirects."""

    def __init__(self, app: ASGIApp, address: str = "127.0.0.1", name: str = "localhost") -> None:
        super().__init__(app, base_url=f"http://{name}", client=(address, 50_000), follow_redirects=False)
        self._name = name

    def websocket_connect(self, url: str, subprotocols: Any = None, **more: Any) -> WebSocketTestSession:
        # The host name of starlette's client is no real address, so it would get no cookie.
        kept = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies.jar)
        more["headers"] = {"host": self._name, "cookie": kept, **more.get("headers", {})}
        return super().websocket_connect(url, subprotocols, **more)


def at(app: AppTest, debate: str, who: Person | None = None, page: str = "room.py", **address: str) -> AppTest:
    """The page as this person sees it, with `address` in the URL."""
    for key, value in {"id": debate, **address}.items():
        app.query_params[key] = value
    app.session_state["people_here"] = {debate: who.id} if who else {}
    if "tab" in address:
        app.session_state["tab-0"] = address["tab"]
    app.switch_page(page).run()
    assert not app.exception, app.exception
    return app


def step(app: AppTest, name: str, section: str = "") -> AppTest:
    """Set-up with this step open, and a row of settings in it; `seat` is the first seat."""
    app.segmented_control(key="step").set_value(name).run()
    if section:
        row = "seats" if section == "seat" else section
        if not any(str(b.key) == f"setup_open_{name}_{row}" for b in app.button):
            app.button(key=f"setup_open_{name}_more").click().run()
        if not _is_open(app, row):
            app.button(key=f"setup_open_{name}_{row}").click().run()
    if section == "seat":
        edit_seat(app, app.session_state["setup_draft"].panel()[0].key)
    assert not app.exception, app.exception
    return app


def _is_open(app: AppTest, row: str) -> bool:
    (label,) = (b.proto.icon for b in app.button if str(b.key).endswith(f"_{row}") and "setup_open_" in str(b.key))
    return label == ":material/expand_less:"


def values(app: AppTest) -> dict[str, str]:
    """Return the rows of settings that are closed: title and value."""
    rows = (re.fullmatch(r"\*\*(.+)\*\* :gray\[(.+)\]", b.label) for b in app.button if "setup_open_" in str(b.key))
    return {row[1]: row[2] for row in rows if row}


def edit_seat(app: AppTest, key: str) -> None:
    """Open the details of a seat, unless they are open."""
    if app.session_state["setup_seat"] != key if "setup_seat" in app.session_state else True:
        app.button(key=f"setup_seat_{key}_edit").click().run()


def let_decide(app: AppTest, who: str) -> AppTest:
    """The third step of set-up, where this answers who decides: room, panel, debaters or judge."""
    step(app, "people")
    now = app.session_state["setup_draft"].decider()
    app.segmented_control(key=f"setup_decider_{now}").set_value(who).run()
    assert not app.exception, app.exception
    return app


def take_protocol(app: AppTest, name: str) -> AppTest:
    """The third step of set-up with this protocol."""
    step(app, "people")
    now = app.session_state["setup_draft"].protocol
    app.selectbox(key=f"setup_protocol_{now}").set_value(name).run()
    assert not app.exception, app.exception
    return app


TABS = ("Overview", "Votes", "Evidence", "Transcript", "Judges", "Process", "Files")
"""Of the results page; an address that names one which is not there opens the first."""


def results(app: AppTest, debate: str, tab: str = "Overview", who: Person | None = None) -> AppTest:
    """The results as this person sees them, with this tab open."""
    return at(app, debate, who, "results.py", tab=tab)


def room(app: AppTest, debate: str, roles: str = "") -> AppTest:
    """The room of a debate without people, for a viewer who holds these seats."""
    return at(app, debate, None, "room.py", **({"as": roles} if roles else {}))


def press(app: AppTest, key: str) -> None:
    """The button of this key."""
    app.button(key=key).click().run()
    assert not app.exception


def press_label(app: AppTest, label: str) -> AppTest:
    """Press the first button with this label; the page after it."""
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception
    return app


def lists(app: AppTest) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each list by its label, as they are drawn."""
    return {one["label"]: one["rows"] for one in parts_of(app, "list")}


def parts_of(app: AppTest, part: str) -> list[dict[str, Any]]:
    """Return the components with this name."""
    return _parts(app.get("bidi_component"), part)


def _parts(nodes: Sequence[Node], part: str) -> list[dict[str, Any]]:
    drawn = [json.loads(e.proto.json) for e in nodes if e.type == "bidi_component" and e.proto.json]
    return [one for one in drawn if one.get("part") == part]


def press_row(app: AppTest, name: str) -> None:
    """The button of this row in any list, as a message of the browser."""
    shown = next(e for e in app.get("bidi_component") if any(r["name"] == name for r in _rows_in(e)))
    _trigger(app, shown, "open", name)


def press_part(app: AppTest, part: str, event: str, value: str) -> None:
    """A press in a part, told as this event."""
    shown = next(e for e in app.get("bidi_component") if json.loads(e.proto.json or "{}").get("part") == part)
    _trigger(app, shown, event, value)


def _trigger(app: AppTest, shown: Any, event: str, value: str) -> None:
    states = app._tree.get_widget_states()
    events = json.dumps([{"event": event, "value": value}])
    states.widgets.add(id=_make_trigger_id(shown.proto.id, "events"), json_trigger_value=events)
    app._run(states)
    assert not app.exception, app.exception


def tells(app: AppTest, part: str, said: object) -> str:
    """Return the browser's message for a press or change in a component, and the id that it belongs to."""
    shown = next(e for e in app.get("bidi_component") if json.loads(e.proto.json or "{}").get("part") == part)
    tells_at(app, shown.proto.id, said)
    return str(shown.proto.id)


def tells_at(app: AppTest, widget_id: str, said: object) -> None:
    """The same under an id that it had: a browser tells it again until it has heard that the part is gone."""
    states = app._tree.get_widget_states()
    states.widgets.add(id=widget_id, json_value=json.dumps({"said": said}))
    app._run(states)
    assert not app.exception, app.exception


def _rows_in(element: Any) -> list[dict[str, Any]]:
    told = json.loads(element.proto.json or "{}")
    return told["rows"] if told.get("part") == "list" else []


def unfolded(app: AppTest, key: str, value: object = True) -> AppTest:
    """The app with something open, or a value chosen, for its next run: a popover, an expander, pills."""
    app.session_state[key] = value
    return app


def keys(app: AppTest) -> set[str]:
    """Every button that is there."""
    return {str(b.key) for b in app.button}


def words(app: AppTest) -> str:
    """Return the text of the page without its news mark: 16 random digits, which may be any number."""
    told = [*app.markdown, *app.caption, *app.error, *app.info, *app.success, *app.warning]
    told_by_parts = (e.proto.json for e in app.get("bidi_component"))
    # Also without the milliseconds by which a clock begins.
    own = [re.sub(r"\b1[0-9]{12}\b", "", re.sub(r'"news": "[0-9a-f]{16}"', '"news": ""', t)) for t in told_by_parts]
    return "\n".join([*(str(e.value) for e in (*told, *app.header, *app.subheader)), *own])


def on_the_wall(app: AppTest) -> Any:
    """Return the wall's values: `frame` and `shown`, in the shapes of `debate_core/ui/kit/components/wall.py`."""
    (wall,) = drawings(app, "wall")
    return wall


def drawings(app: AppTest, part: str) -> list[Any]:
    """Return the values of this component, in the shapes of `debate_core/ui/kit/components/parts.py`."""
    return [found for found in components(app) if found.get("part") == part]


def components(app: AppTest) -> list[Any]:
    """Return the data of all components on the page."""
    parts = [json.loads(element.proto.json or "{}") for element in app.get("bidi_component")]
    return [found for found in parts if found]


def did(host: Host, debate: str, by: Person, act: RoomAct) -> None:
    """One act of a person."""
    host.submit(debate, Act(by=by.id, act=act))


def opened(host: Host, **agreed: Any) -> str:
    """A debate in its lobby whose three seats are held by people."""
    return host.create(room_spec((*EVERYBODY, *HOLDERS), seats=PEOPLE, **agreed), by=FAY.id)


def begun(host: Host, **agreed: Any) -> str:
    """The same in its first round."""
    debate = opened(host, **agreed)
    host.submit(debate, Resume(by=FAY.id))
    return debate


def gives(host: Host, debate: str, content: Content | None = None) -> None:
    """The next seat that is asked gives its turn."""
    asked = requests(host.state(debate))[0]
    said = content or Argument(rationale="why", vote="adopt")
    host.submit(debate, TakeTurn(by=f"p-{asked.seat}", request=asked.id, content=said))


def invite_of(host: Host, debate: str, who: Person) -> Invite:
    return host.door.invitations.make(debate, who.role, name=who.name, person=who.id, electorate=who.electorate)


def viewer_of(cookies: Mapping[str, str], debate: str) -> Person | None:
    """Return the person whose browser sends these cookies to the server."""
    return shared_host().viewer(debate, cookies)


def cookie_of(host: Host, debate: str, who: Person) -> str:
    """The cookie that this person's browser has after they came in by their link."""
    return host.door.cookies.of(invite_of(host, debate, who), who.id)


def brings(monkeypatch: pytest.MonkeyPatch, debate: str, cookie: str) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(debate): cookie})


def nodes(block: Block) -> Iterator[Node]:
    for node in block.children.values():
        yield node
        if isinstance(node, Block):
            yield from nodes(node)


def strings(message: object) -> Iterator[str]:
    """Every text field of a protobuf message, however deep."""
    for field, value in message.ListFields():  # type: ignore[attr-defined]
        if field.name in ("id", "url", "form_id", "element_id", "key"):
            continue
        repeated = value if not isinstance(value, (str, bytes)) and hasattr(value, "__iter__") else [value]
        for one in repeated:
            if isinstance(one, str):
                yield one
            elif hasattr(one, "ListFields"):
                yield from strings(one)


def drawn(app: AppTest, *, but: Collection[str] = NO_MARKDOWN) -> list[str]:
    """Return everything that the browser shows as Markdown or text: bodies, labels, choices, tooltips."""
    found: list[str] = []
    for root in app._tree.children.values():
        if not isinstance(root, Block):
            continue
        for node in nodes(root):
            if node.type not in but and (proto := getattr(node, "proto", None)) is not None:
                found += strings(proto)
    return found


def told(app: AppTest) -> str:
    return "\n".join([*drawn(app), *shared_texts(app)]).replace("\\", "")


def shared_texts(app: AppTest) -> list[str]:
    """Return the texts of the shared parts of a room's panel."""

    def texts_of(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from (text for name, part in value.items() if name not in ("part", "live") for text in texts_of(part))
        elif isinstance(value, list):
            yield from (text for part in value for text in texts_of(part))

    shown = [json.loads(e.proto.json or "{}") for e in app.get("bidi_component")]
    return [text for part in shown if "live" in part for text in texts_of(part)]
