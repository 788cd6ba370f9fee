"""Detection of changed records: `bench/tampering.py` with few tries, and the limits of a signature."""

import json

import pytest

from bench.tampering import exported, notices, script_notices, table
from debate_core.host.signatures import SIGNED, check_signatures
from debate_core.record.events import dump_record, parse_record
from tests.people import whole_workshop

TRIES = 6


@pytest.mark.slow
def test_whatever_is_changed_does_not_pass_a_signed_head():
    found = table(TRIES, seed=2)
    assert len(found) >= 8
    for kind, counts in found.items():
        # The signature of the head notices everything, for the program and for the script without it.
        assert (counts["signed"], counts["signed_script"]) == (TRIES, TRIES), kind
        # Without a key both notice what was changed without making the hashes anew.
        assert (counts["edited"], counts["edited_script"]) == (TRIES, TRIES), kind


def test_a_record_as_it_was_exported_passes():
    whole = exported(whole_workshop().events)
    assert not notices(whole.record, whole.signatures, whole.key)
    assert not script_notices(whole.record, whole.signatures, whole.key)


def test_a_record_continued_after_signing_is_not_vouched_for():
    events = whole_workshop().events
    before = exported(events[:-1])
    now = dump_record(events).encode()
    assert notices(now, before.signatures, before.key)
    assert script_notices(now, before.signatures, before.key)
    assert notices(now, "[]", before.key)
    assert script_notices(now, "[]", before.key)


def test_an_older_signed_state_is_genuine_and_dated():
    # What a signature cannot say: that nothing came after it. For that somebody keeps the last head.
    whole = exported(whole_workshop().events)
    events = parse_record(whole.record)
    end = next(event.seq for event in events if event.kind == "poll_closed" and event.kind in SIGNED)
    kept = [signed for signed in json.loads(whole.signatures) if signed["statement"]["seq"] <= end]
    older = dump_record(events[:end]).encode()
    assert check_signatures(events[:end], json.dumps(kept), whole.key) == events[end - 1].at
    assert not script_notices(older, json.dumps(kept), whole.key)
