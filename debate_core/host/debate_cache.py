"""Caches debates in memory: state and events, advanced by new events only, and live texts.

The cached events are a prefix of the record and can be lost at any time. Thread-safe. It does not know who appends.
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
"""Maximum age of the cache where the store sends no notifications."""
SAFETY_LOOK_S = 5.0
"""The same where the store sends notifications."""
KEPT = 200
"""Debates kept in memory without a viewer or run: loading one takes milliseconds."""


class DebateCache:
    """One debate. `feed` grows with every visible change."""

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
        """Texts of the turns being given, by request id."""
        with self._lock:
            return dict(self._live)

    def thinking(self) -> dict[str, str]:
        """The reasoning that models show before their turns, by request id; not part of a turn."""
        with self._lock:
            return dict(self._thinking)

    def is_asked(self, request: str) -> bool:
        """True if this request is pending, according to the cache."""
        return request in self._asked

    def refresh(self) -> None:
        """Check the store if there is or may be news; cheap enough for 25 calls a second."""
        if time.monotonic() - self._looked_s > self._look_s:
            self.look()

    def has_news(self) -> None:
        """Make the next `refresh` check the store."""
        self._looked_s = -math.inf

    def look(self) -> None:
        """Read all new events from the store."""
        self._looked_s = time.monotonic()
        self.absorb(self._store.load(self.state.debate, self.state.version))

    def absorb(self, events: Sequence[Event]) -> None:
        """Add events; known ones are skipped, and a gap before them is filled from the store."""
        with self._lock:
            if events and events[0].seq > self.state.version + 1:
                events = self._store.load(self.state.debate, self.state.version)
            new = [event for event in events if event.seq > self.state.version]
            if not new:
                return
            self.state = replay(new, self.state)
            self._events += new
            self._asked = {q.id for q in requests(self.state)}
            self._live = self._keep_asked(self._live)
            self._thinking = self._keep_asked(self._thinking)
            self.feed += len(new)

    def _keep_asked(self, texts: Mapping[str, str]) -> dict[str, str]:
        return {request: text for request, text in texts.items() if request in self._asked}

    def on_text(self, request: str, text: str, /, thinking: str = "") -> None:
        """Store the partial text of a turn; ignored after its end."""
        with self._lock:
            if request in self._asked:
                self._live[request] = text
                self._thinking[request] = thinking
                self.feed += 1


class DebateCaches:
    """The caches of the debates of a store that are in use or were requested lately.

    `on_first` is called with each new one; `on_news` with each to which another process appended, if the store sends
    notifications.
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
        self._caches: WeakValueDictionary[str, DebateCache] = WeakValueDictionary()
        """Never more than one per debate: only this one has the live texts."""
        self._latest: OrderedDict[str, DebateCache] = OrderedDict()
        """The KEPT latest requested."""
        self.look_s = SAFETY_LOOK_S if store.follow(self._heard) else LOOK_S
        """Interval of checks for events of other processes."""

    def _heard(self, news: Appended | None) -> None:
        with self._lock:
            concerned = list(self._caches.values()) if news is None else [self._caches.get(news.debate)]
        for cache in concerned:
            # This process knows its own events.
            if cache is not None and (news is None or news.seq > cache.state.version):
                cache.has_news()
                self._on_news(cache.state.debate)

    def known(self, debate_id: str) -> DebateCache | None:
        """The cache of a debate if there is one."""
        with self._lock:
            return self._caches.get(debate_id)

    def ids(self) -> tuple[str, ...]:
        """Ids of the cached debates."""
        with self._lock:
            return tuple(self._caches)

    def of(self, debate_id: str) -> DebateCache:
        """The cache of this debate; checks the store only now and then. UnknownDebate if there is none."""
        with self._lock:
            cache = self._caches.get(debate_id)
        if cache is None:
            # Load without the lock: a long record takes time, and other requests go on.
            fresh = DebateCache(self._store, debate_id, self.look_s)
            with self._lock:
                cache = self._caches.setdefault(debate_id, fresh)
            if cache is fresh:
                self._on_first(debate_id)
        with self._lock:
            self._latest[debate_id] = cache
            self._latest.move_to_end(debate_id)
            if len(self._latest) > KEPT:
                self._latest.popitem(last=False)
        cache.refresh()
        return cache
