"""Tokens of programs: their form, their end, the limits of tries and requests, and the notes that remain of them."""

import re
from contextlib import suppress
from datetime import date, timedelta

import pytest
from hypothesis import given, strategies

from debate_core.errors import InvalidSpec, NotAllowed, TooMany, TooManyTries
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.door import Door
from debate_core.host.access.rate_limit import MAX_REQUESTS, MAX_TRIES
from debate_core.host.access.reading import OPERATOR, STRANGER, Looker
from debate_core.host.access.tokens import EXPIRED, MANY_WRONG, MAX_DAYS, MAX_TOKENS, WRONG, ApiToken, Tokens
from debate_core.host.stores.memory import MemoryStore
from tests.core.test_invites import SECRET, Clock

TODAY = date(2026, 5, 4)
HOST = Looker("host")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def tokens(store: MemoryStore, clock: Clock) -> Tokens:
    return Tokens(store, clock=clock)


def made(tokens: Tokens, maker: Looker = OPERATOR, until: date = TODAY) -> tuple[ApiToken, str]:
    return tokens.make("archive", maker, until=until)


def is_found(tokens: Tokens, text: str) -> bool:
    try:
        tokens.find(text, address="10.0.0.1")
    except NotAllowed:
        return False
    return True


def test_token_is_found_by_its_text_alone(tokens: Tokens):
    token, text = made(tokens)
    assert tokens.find(text, address="") == token
    assert re.fullmatch("drt_[a-z2-7]{10}[0-9A-Za-z]{38}", text)
    assert Tokens.are_in(f"TOKEN={text};")
    assert not is_found(tokens, token.hash)


def test_store_keeps_a_hash_and_no_text(tokens: Tokens, store: MemoryStore):
    _token, text = made(tokens)
    tokens.find(text, address="")
    kept = " ".join(note.text for note in store.all_notes())
    assert text not in kept
    assert text[14:] not in kept


@given(strategies.text(max_size=80), strategies.integers(0, 51))
def test_changed_text_is_no_token(noise: str, place: int):
    tokens = Tokens(MemoryStore(), clock=Clock())
    _token, text = made(tokens)
    changed = text[:place] + noise + text[place + 1 :]
    assert is_found(tokens, changed) is (changed == text)


def test_well_formed_text_of_another_server_is_refused(tokens: Tokens, clock: Clock):
    _token, foreign = made(Tokens(MemoryStore(), clock=clock))
    with pytest.raises(NotAllowed, match="not valid here"):
        tokens.find(foreign, address="")


def test_token_ends_after_its_last_day(tokens: Tokens, clock: Clock):
    token, text = made(tokens)
    assert token.last_day == TODAY
    clock.wait(hours=14, minutes=59)
    assert tokens.is_valid(token)
    assert is_found(tokens, text)
    clock.wait(minutes=1)
    assert not tokens.is_valid(token)
    with pytest.raises(NotAllowed) as error:
        tokens.find(text, address="")
    assert str(error.value) == EXPIRED
    assert [listed.expired for listed in tokens.of(OPERATOR)] == [True]


def test_revoked_token_is_void_and_leaves_no_note(tokens: Tokens, store: MemoryStore):
    token, text = made(tokens)
    assert is_found(tokens, text)
    assert tokens.revoke(token.id, OPERATOR) == token
    assert not is_found(tokens, text)
    assert not tokens.is_valid(token)
    assert store.all_notes() == ()
    assert not tokens.exist()


def test_last_use_is_kept_once_a_minute(tokens: Tokens, clock: Clock):
    _token, text = made(tokens)
    uses = []
    for seconds in (0, 30, 40):
        clock.wait(seconds=seconds)
        tokens.find(text, address="")
        uses += [listed.used_at[11:19] for listed in tokens.of(OPERATOR)]
    assert uses == ["09:00:00", "09:00:00", "09:01:10"]


@pytest.mark.parametrize(
    ("name", "until", "words"),
    [
        ("", TODAY, "needs a name"),
        (" \u200b ", TODAY, "needs a name"),
        ("x" * 81, TODAY, "of 1 to 80 characters"),
        ("x", TODAY - timedelta(days=1), "from 2026-05-04 to 2027-05-05, not 2026-05-03"),
        ("x", TODAY + timedelta(days=MAX_DAYS + 1), "not 2027-05-06"),
    ],
)
def test_unfit_token_is_refused_in_one_sentence(tokens: Tokens, name: str, until: date, words: str):
    with pytest.raises(InvalidSpec, match=words):
        tokens.make(name, OPERATOR, until=until)
    assert not tokens.exist()


def test_token_names_at_most_fifty_debates(tokens: Tokens):
    tokens.make("x", OPERATOR, until=TODAY, debates=[f"d-{n}" for n in range(50)])
    with pytest.raises(InvalidSpec, match="at most 50 debates"):
        tokens.make("x", OPERATOR, until=TODAY, debates=[f"d-{n}" for n in range(51)])


def test_stranger_makes_no_token(tokens: Tokens):
    with pytest.raises(NotAllowed, match="only hosts make tokens"):
        made(tokens, STRANGER)


def test_one_maker_has_at_most_fifty_tokens(tokens: Tokens):
    for _ in range(MAX_TOKENS):
        made(tokens, HOST)
    with pytest.raises(InvalidSpec, match="revoke one first"):
        made(tokens, HOST)
    made(tokens)


def test_makers_see_and_revoke_their_own_tokens(tokens: Tokens, store: MemoryStore):
    makers = [Looker("host", account) for account in ("u-ola", "u-una")] + [HOST, OPERATOR]
    mine = {maker: made(tokens, maker)[0] for maker in makers}
    for maker, token in mine.items():
        seen = [listed.token for listed in tokens.of(maker)]
        assert seen == ([*mine.values()][::-1] if maker == OPERATOR else [token])
        for other in set(mine.values()) - set(seen):
            with pytest.raises(InvalidSpec, match="or it is of someone else"):
                tokens.revoke(other.id, maker)
    assert len(tokens.of(OPERATOR)) == len(makers)


def test_account_sees_its_tokens_at_the_machine_and_elsewhere(tokens: Tokens):
    made_here, _text = made(tokens, Looker("machine", "u-ola"))
    made_elsewhere, _text = made(tokens, Looker("host", "u-ola"))
    for standing in ("machine", "host"):
        assert {listed.token for listed in tokens.of(Looker(standing, "u-ola"))} == {made_here, made_elsewhere}


def test_token_ends_with_the_account_of_its_maker(tokens: Tokens, store: MemoryStore):
    account = Accounts(store).of_login({"iss": "i", "sub": "s", "name": "Una"})
    assert account
    token, text = made(tokens, Looker("host", account.id))
    assert is_found(tokens, text)
    store.drop_note("account", account.id)
    assert not is_found(tokens, text)
    assert not tokens.is_valid(token)


def test_token_made_by_host_code_ends_with_the_code(clock: Clock):
    store = MemoryStore()
    doors = [Door(store, clock=clock, secret=SECRET, host_code=code) for code in ("the first code", "another code")]
    _by_code, text = made(doors[0].tokens, HOST)
    _by_operator, other = made(doors[0].tokens)
    assert [is_found(door.tokens, text) for door in doors] == [True, False]
    assert [is_found(door.tokens, other) for door in doors] == [True, True]


def test_wrong_tokens_are_slowed_and_the_right_one_is_not(tokens: Tokens):
    _token, text = made(tokens)
    said = []
    for n in range(MAX_TRIES + 1):
        with pytest.raises(NotAllowed) as error:
            tokens.find(f"{text}{n}", address="10.0.0.1")
        said.append((str(error.value), isinstance(error.value, TooManyTries)))
    assert said == [(WRONG, False)] * MAX_TRIES + [(MANY_WRONG, True)]
    assert is_found(tokens, text)


def test_requests_of_one_token_are_limited_by_minute(tokens: Tokens, clock: Clock):
    answered = 0
    for _ in range(MAX_REQUESTS + 5):
        with suppress(TooMany):
            tokens.requests.one_more("t-a")
            answered += 1
    assert answered == MAX_REQUESTS
    tokens.requests.one_more("t-b")
    clock.wait(seconds=60)
    tokens.requests.one_more("t-a")
