"""Debates in memory, as they stand in the store: state and events, advanced by what is new only, and live texts.

What is here is always a beginning of the record, and can be lost at any moment. Thread-safe. It does not know who
appends.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakValueDictionary

from debate_core.engine.engine import requests
from debate_core.host.stores import Appended, Store
from debate_core.record.events import Event
from debate_core.record.fold import replay

LOOK_S = 0.5
"""How old the picture may be of what other processes append; this process tells by `absorb`."""
SAFETY_LOOK_S = 5.0
"""The same where the store tells of what others append."""
KEPT = 200
"""Debates that stay in memory although nobody watches or runs them: to read one again takes milliseconds."""


class Mirror:
    """One debate. `feed` is a number that grows with everything one can see."""

    def __init__(self, store: Store, debate_id: str, look_s: float = LOOK_S) -> None:
        self._store = store
        self._look_s = look_s
        self._lock = threading.RLock()
        self._looked_s = time.monotonic()
        self._events = list(store.load(debate_id))
        self._live: dict[str, str] = {}
        self._thinking: dict[str, str] = {}
        self.state = replay(self._events)
        self.feed = len(self._events)
        self._asked = {q.id for q in requests(self.state)}

    def events(self) -> tuple[Event, ...]:
        """The record so far."""
        with self._lock:
            return tuple(self._events)

    def live(self) -> dict[str, str]:
        """Request id -> text so far of the turns that are being given."""
        with self._lock:
            return dict(self._live)

    def thinking(self) -> dict[str, str]:
        """Request id -> what the model says that it thinks, before its turn begins; no part of any turn."""
        with self._lock:
            return dict(self._thinking)

    def is_asked(self, request: str) -> bool:
        """True while an answer to this request is waited for, as far as is known here."""
        return request in self._asked

    def refresh(self) -> None:
        """Look into the store if there is news, or may be by now: cheap enough to ask 25 times a second."""
        if time.monotonic() - self._looked_s > self._look_s:
            self.look()

    def has_news(self) -> None:
        """The next time that somebody asks, look into the store."""
        self._looked_s = -math.inf

    def look(self) -> None:
        """Take in everything that the store has."""
        self._looked_s = time.monotonic()
        self.absorb(self._store.load(self.state.debate, self.state.version))

    def absorb(self, events: Sequence[Event]) -> None:
        """Take in events; they may be known already, and a gap before them is filled from the store."""
        with self._lock:
            if events and events[0].seq > self.state.version + 1:
                events = self._store.load(self.state.debate, self.state.version)
            new = [event for event in events if event.seq > self.state.version]
            if not new:
                return
            self.state = replay(new, self.state)
            self._events += new
            self._asked = {q.id for q in requests(self.state)}
            self._live = self._of_asked(self._live)
            self._thinking = self._of_asked(self._thinking)
            self.feed += len(new)

    def _of_asked(self, texts: Mapping[str, str]) -> dict[str, str]:
        return {request: text for request, text in texts.items() if request in self._asked}

    def on_text(self, request: str, text: str, /, thinking: str = "") -> None:
        """Text of a turn being given; what comes after its end is too late."""
        with self._lock:
            if request in self._asked:
                self._live[request] = text
                self._thinking[request] = thinking
                self.feed += 1


class Mirrors:
    """A mirror of each debate of a store that was asked for lately, or that somebody still has.

    `on_first` is told of each when it is made; `on_news` of each to which another process has appended, where the store
    tells of that.
    """

    def __init__(
        self,
        store: Store,
        on_news: Callable[[str], object] = lambda _debate_id: None,
        on_first: Callable[[str], object] = lambda _debate_id: None,
    ) -> None:
        self._store = store
        self._on_news = on_news
        self._on_first = on_first
        self._lock = threading.Lock()
        self._mirrors: WeakValueDictionary[str, Mirror] = WeakValueDictionary()
        """Of a debate there is never more than one: what is being said is in it alone."""
        self._latest: OrderedDict[str, Mirror] = OrderedDict()
        """The KEPT that were asked for last."""
        self.look_s = SAFETY_LOOK_S if store.follow(self._heard) else LOOK_S
        """How often to look for what others append."""

    def _heard(self, news: Appended | None) -> None:
        with self._lock:
            concerned = list(self._mirrors.values()) if news is None else [self._mirrors.get(news.debate)]
        for mirror in concerned:
            # What this process appended, it knows.
            if mirror is not None and (news is None or news.seq > mirror.state.version):
                mirror.has_news()
                self._on_news(mirror.state.debate)

    def known(self, debate_id: str) -> Mirror | None:
        """The mirror of a debate that was asked for already."""
        with self._lock:
            return self._mirrors.get(debate_id)

    def ids(self) -> tuple[str, ...]:
        """The debates that were asked for."""
        with self._lock:
            return tuple(self._mirrors)

    def of(self, debate_id: str) -> Mirror:
        """The mirror of this debate; looks into the store only now and then. UnknownDebate if there is none."""
        with self._lock:
            mirror = self._mirrors.get(debate_id)
        if mirror is None:
            # Without the lock: a long record takes its time, and others are asked for meanwhile.
            fresh = Mirror(self._store, debate_id, self.look_s)
            with self._lock:
                mirror = self._mirrors.setdefault(debate_id, fresh)
            if mirror is fresh:
                self._on_first(debate_id)
        self._keep(debate_id, mirror)
        mirror.refresh()
        return mirror

    def _keep(self, debate_id: str, mirror: Mirror) -> None:
        with self._lock:
            self._latest[debate_id] = mirror
            self._latest.move_to_end(debate_id)
            if len(self._latest) > KEPT:
                self._latest.popitem(last=False)
