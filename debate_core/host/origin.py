"""Whether a record came from a file: then nobody here knows who held the debate, and when. A note beside the record."""

from debate_core.host.stores import Store

_KIND = "imported"


def keep_imported(store: Store, debate_id: str) -> None:
    """Before the first event is taken in, so that it is never listed as one of ours."""
    store.add_note(_KIND, debate_id, "from a file")


def is_imported(store: Store, debate_id: str) -> bool:
    """True for a record that was taken in from a file."""
    return store.note(_KIND, debate_id) is not None
