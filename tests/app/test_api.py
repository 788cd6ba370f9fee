"""The read API in one process: who reads which debate, what is withheld, refusals, limits, and files.

Debates have a marker in every place where someone can write; a token reads it where the pages show it to a reader
without a part.
"""

import io
import logging
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from debate_core.api import app as api_app
from debate_core.api import events as api_events
from debate_core.api import openapi
from debate_core.api.answers import BUSY, NO_DEBATE
from debate_core.api.app import IN_ADDRESS, MISSING
from debate_core.api.routes import FORMATS, ROUTES, ZIP
from debate_core.engine.engine import requests
from debate_core.host.access.rate_limit import MAX_REQUESTS, MAX_TRIES, WINDOW_S
from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.access.tokens import EXPIRED, WRONG, Tokens
from debate_core.host.erasure import Wish
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.host.quotas import TOKEN_READS, TOKEN_STREAMS, Cap, Open
from debate_core.host.runner import now
from debate_core.host.withheld import BLIND, HIDDEN, JUDGED
from debate_core.record import acts
from debate_core.record.acts import Shared
from debate_core.record.commands import Act, Resume, Stop, TakeTurn
from debate_core.record.events import parse_record
from debate_core.report.files import export
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from debate_core.ui.kit import accounts
from debate_core.ui.kit.failures import BUSY as PAGES_BUSY
from debate_core.ui.server.api_entry import CLOSED
from tests.app.test_hosting import CODE, client, hosted
from tests.app.test_owners import MARKER, SEATS, made
from tests.app.test_queue import over
from tests.app.visiting import HOLDERS
from tests.logging_in import account_of, organisation
from tests.messaging import signed
from tests.people import ABE, ANN, EVERYBODY, FAY, JUNE, belief, room_spec, whole_workshop
from tests.reading_api import bearer, read_messages, streamed, token_for
from tests.test_house import in_fresh_python

__all__ = ["hosted"]
V1 = "/api/v1"


def get(path: str, token: str = "", method: str = "GET", **headers: str) -> Response:
    answer: Response = client().request(method, path, headers={**(bearer(token) if token else {}), **headers})
    return answer


def error_of(answer: Response) -> str:
    """The sentence of a refusal, which is all that it says."""
    found = answer.json()
    assert list(found) == ["error"]
    assert answer.headers["cache-control"] == "no-store"
    sentence = str(found["error"])
    assert sentence[0].isupper() or not sentence[0].isalpha()
    return sentence


def everything(host: Host, token: str, debate: str) -> str:
    """All that the API answers about this debate with this token, with every format and event."""
    paths = [f"{V1}/debates", f"{V1}/debates/{debate}", *(f"{V1}/debates/{debate}/exports/{name}" for name in FORMATS)]
    answers = [get(path, token) for path in paths]
    assert {answer.status_code for answer in answers} <= {200, 404, 409}
    stream = streamed(f"{V1}/debates/{debate}/events", token, until=host.state(debate).version)
    return "\n".join([*(answer.text for answer in answers), stream])


# --- without a token


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "OPTIONS"])
def test_api_is_closed_without_any_token(hosted: Host, method: str):
    made(hosted, "")
    for path in ("/api", "/api/", "/api/x", V1, *(f"{V1}{route.path}" for route in ROUTES)):
        answer = get(path, method=method)
        assert (answer.status_code, error_of(answer)) == (404, CLOSED)


@pytest.mark.slow
def test_closed_api_loads_nothing_of_it(tmp_path: Path):
    code = (
        "import os, sys\n"
        f"os.environ['DEBATE_DB'] = 'sqlite:///{tmp_path}/d.db'\n"
        "from starlette.applications import Starlette\n"
        "from starlette.testclient import TestClient\n"
        "from debate_core.host.host import reset_shared_host\n"
        "from debate_core.ui.server import launch\n"
        "app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))\n"
        "answer = TestClient(app, base_url='http://localhost').get('/api/v1/debates')\n"
        "reset_shared_host()\n"
        "print(answer.status_code, [name for name in sys.modules if name.startswith('debate_core.api')])"
    )
    assert in_fresh_python(code).strip() == "404 []"


def test_unreadable_store_is_said_without_its_path(hosted: Host, tmp_path: Path):
    token = token_for(hosted)
    debate = made(hosted, "")
    with closing(sqlite3.connect(tmp_path / "debates.db")) as database:
        database.execute("ALTER TABLE events RENAME TO gone")
    for path in ("/debates", "/debates/other"):
        answer = get(V1 + path, token)
        assert (answer.status_code, error_of(answer)) == (503, BUSY)
    for file in tmp_path.glob("debates.db*"):
        file.unlink()
    (tmp_path / "debates.db").write_bytes(b"no database " * 1_000)
    # Connections that are open still have the file that is gone.
    hosted._store.close()
    answer = get(f"{V1}/debates/{debate}", token)
    assert (answer.status_code, error_of(answer)) == (503, PAGES_BUSY)


# --- tokens


@pytest.mark.parametrize("how", ["missing", "empty", "basic", "wrong", "changed", "revoked", "expired"])
def test_bad_token_is_refused_with_401(hosted: Host, how: str):
    made(hosted, "")
    good = token_for(hosted)
    header = f"Bearer {good}"
    said: str = WRONG
    match how:
        case "missing":
            header, said = "", MISSING
        case "empty":
            header, said = "Bearer ", MISSING
        case "basic":
            header, said = f"Basic {good}", MISSING
        case "wrong":
            header = "Bearer 12345"
        case "changed":
            header = f"Bearer {good[:20]}{'a' if good[20] != 'a' else 'b'}{good[21:]}"
        case "revoked":
            token_for(hosted)
            hosted.door.tokens.revoke(hosted.door.tokens.find(good, address="").id, OPERATOR)
        case _:
            earlier = Tokens(hosted._store, clock=lambda: now() - timedelta(days=9))
            _token, old = earlier.make("old", OPERATOR, until=now().date() - timedelta(days=1))
            header, said = f"Bearer {old}", EXPIRED
    answer = get(f"{V1}/debates", Authorization=header)
    assert (answer.status_code, error_of(answer)) == (401, said[:1].upper() + said[1:])
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_token_of_another_scope_reads_nothing(hosted: Host):
    debate = made(hosted, "")
    token = token_for(hosted, scopes=("ask",))
    for path in ("/debates", f"/debates/{debate}", f"/debates/{debate}/events", f"/debates/{debate}/exports/md"):
        answer = get(V1 + path, token)
        assert answer.status_code == 403
        assert "does not have the scope 'read'" in error_of(answer)
    assert get(f"{V1}/openapi.json", token).status_code == 200


@pytest.mark.parametrize("where", ["?token={}", "?access_token={}", "?x={}", "/{}", "?page=1&key=other", "?x=%64{}"])
def test_token_in_the_address_is_refused(hosted: Host, where: str):
    token = token_for(hosted)
    path = f"{V1}/debates" + where.format(token if "%64" not in where else token[1:])
    for headers in ({}, bearer(token)):
        answer = get(path, **headers)
        assert answer.status_code == 400
        assert error_of(answer) == IN_ADDRESS[0].upper() + IN_ADDRESS[1:]


def test_token_stays_out_of_the_access_log(caplog: pytest.LogCaptureFixture):
    token = f"drt_{'a' * 10}{'B' * 38}"
    with caplog.at_level(logging.INFO, "uvicorn.access"):
        logging.getLogger("uvicorn.access").info("%s %s", "GET", f"/api/v1/debates?token={token}")
    assert "B" not in caplog.text


def test_many_wrong_tokens_get_429_and_the_right_one_reads(hosted: Host):
    token = token_for(hosted)
    answers = [get(f"{V1}/debates", "drt_guess") for _ in range(MAX_TRIES + 1)]
    assert [answer.status_code for answer in answers] == [401] * MAX_TRIES + [429]
    assert answers[-1].headers["retry-after"] == str(WINDOW_S)
    assert get(f"{V1}/debates", token).status_code == 200


def test_many_requests_with_one_token_get_429(hosted: Host):
    token, other = token_for(hosted), token_for(hosted)
    token_id = hosted.door.tokens.find(token, address="").id
    for _ in range(MAX_REQUESTS):
        hosted.door.tokens.requests.one_more(token_id)
    answer = get(f"{V1}/debates", token)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, str(WINDOW_S))
    assert "wait a minute" in error_of(answer)
    assert get(f"{V1}/debates", other).status_code == 200


@pytest.mark.parametrize(("place", "cap"), [("api", TOKEN_READS), ("events", TOKEN_STREAMS)])
def test_too_much_at_once_gets_429(hosted: Host, monkeypatch: pytest.MonkeyPatch, place: str, cap: Cap):
    debate, token = made(hosted, ""), token_for(hosted)
    full = Open(Cap(0, 0, cap.said))
    module, name, path = (api_app, "_answered", "") if place == "api" else (api_events, "_open", "/events")
    monkeypatch.setattr(module, name, full)
    answer = get(f"{V1}/debates/{debate}{path}", token)
    assert (answer.status_code, error_of(answer)) == (429, str(cap.said))


# --- refusals of a good token


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("", 404, "There is nothing at this address"),
        ("/debates/", 404, "There is nothing at this address"),
        ("/debates/ID/votes", 404, "There is nothing at this address"),
        ("/debates/none", 404, "There is no such debate"),
        ("/debates/a%20b", 404, "'a b' is no debate_id"),
        (f"/debates/{'x' * 5000}", 404, "is no debate_id"),
        ("/debates/ID/exports/pdf", 404, "'pdf' is no format: write one of json, jsonl"),
        ("/debates/ID/exports/deliverable", 409, "has no deliverable.json"),
        ("/debates/ID/exports/pairwise.csv", 409, "has no pairwise.csv"),
        ("/debates?page=0", 400, "'0' is no page: write a whole number from 1 to 100000"),
        ("/debates?page=-1", 400, "'-1' is no page"),
        ("/debates?page=%D9%A1", 400, "is no page"),
        ("/debates?page=" + "9" * 400, 400, "is no page"),
        ("/debates?page=2", 404, "There is no page 2: the last one is 1"),
        ("/debates?page=1&page=1", 400, "The parameter page was given twice"),
        ("/debates?per_page=101", 400, "from 1 to 100"),
        ("/debates?q=x", 400, "This route has no parameter 'q': it has page, per_page"),
        ("/debates?page=%00", 400, r"'\x00' is no page"),
        ("/debates/ID?page=1", 400, "This route has no parameter 'page': it has none"),
    ],
)
def test_unfit_request_is_refused_in_one_sentence(hosted: Host, path: str, status: int, words: str):
    debate = made(hosted, "")
    answer = get(V1 + path.replace("ID", debate), token_for(hosted))
    assert answer.status_code == status
    assert words in error_of(answer)
    assert len(answer.content) < 1_000


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "9" * 30])
def test_unfit_last_event_id_is_refused(hosted: Host, number: str):
    debate = made(hosted, "")
    answer = get(f"{V1}/debates/{debate}/events", token_for(hosted), **{"Last-Event-ID": number})
    assert answer.status_code == 400
    assert "is no Last-Event-ID" in error_of(answer)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_are_refused_with_405(hosted: Host, method: str):
    token = token_for(hosted)
    answer = get(f"{V1}/debates", token, method)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert error_of(answer) == "This API only reads: use GET or HEAD"
    assert "access-control-allow-origin" not in answer.headers


def test_head_answers_as_get_without_a_body(hosted: Host):
    debate, token = made(hosted, ""), token_for(hosted)
    for path in ("/debates", f"/debates/{debate}", f"/debates/{debate}/exports/md", f"/debates/{debate}/events"):
        answer = get(V1 + path, token, "HEAD")
        assert answer.status_code == 200
        assert "text/html" not in answer.headers["content-type"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]


# --- who reads what


@pytest.fixture
def with_login(hosted: Host, tmp_path: Path) -> Iterator[Host]:
    """The host of a server of an organisation."""
    with organisation(tmp_path):
        yield hosted


def test_token_reads_no_more_than_its_account(with_login: Host):
    host = with_login
    ola, una = account_of(host, "Ola"), account_of(host, "Una")
    private, shared = made(host, ola), made(host, ola, shared=True)
    mine, others = (token_for(host, Looker("host", account)) for account in (ola, una))
    for debate in (private, shared):
        assert MARKER in everything(host, mine, debate)
    assert MARKER in everything(host, others, shared)
    listed = get(f"{V1}/debates", others).json()
    assert [row["id"] for row in listed["debates"]] == [shared]
    for path in ("", "/events", "/exports/md"):
        answer, missing = (get(f"{V1}/debates/{one}{path}", others) for one in (private, "no-such-debate"))
        assert (
            (answer.status_code, answer.json()) == (missing.status_code, missing.json()) == (404, {"error": NO_DEBATE})
        )
    host.submit(private, Act(by=ola, act=Shared(reason="all decide")))
    assert MARKER in get(f"{V1}/debates/{private}", others).text


def test_token_of_a_host_reads_what_hosts_find(hosted: Host):
    for_hosts = made(hosted, "", shared=True, people=True)
    for_people = made(hosted, "", people=True)
    host_token, operator_token = token_for(hosted, Looker("host")), token_for(hosted)
    for token, expected in ((host_token, {for_hosts}), (operator_token, {for_hosts, for_people})):
        found = {row["id"] for row in get(f"{V1}/debates", token).json()["debates"]}
        assert found == {one for one in (for_hosts, for_people) if get(f"{V1}/debates/{one}", token).status_code == 200}
        assert found == expected


def test_token_for_one_debate_reads_no_other(hosted: Host):
    first, second = made(hosted, ""), made(hosted, "")
    token = token_for(hosted, debates=(first,))
    listed = get(f"{V1}/debates", token).json()
    assert ([row["id"] for row in listed["debates"]], listed["total"]) == ([first], 1)
    assert MARKER in everything(hosted, token, first)
    assert get(f"{V1}/debates/{second}/exports/md", token).status_code == 404


def test_token_follows_a_debate_to_its_new_record(with_login: Host):
    host = with_login
    ola = account_of(host, "Ola")
    former = made(host, ola, people=True)
    host.submit(former, Act(by=FAY.id, act=acts.PollOpened(poll="final")))
    host.submit(former, Act(by=FAY.id, act=acts.PollClosed(poll="final")))
    host.submit(former, Act(by=FAY.id, act=acts.PollRevealed(poll="final")))
    token = token_for(host, Looker("host", ola), debates=(former,))
    assert "Max" in get(f"{V1}/debates/{former}/exports/jsonl", token).text
    host.erase_name(former, Wish(f"Max {MARKER}", ola, "he asked for it"))
    answer = get(f"{V1}/debates/{former}", token).json()
    assert answer["id"] == host.stands_for(former) != former
    assert "Max" not in get(f"{V1}/debates/{former}/exports/jsonl", token).text


def test_token_by_host_code_ends_with_the_code(hosted: Host, monkeypatch: pytest.MonkeyPatch):
    token = token_for(hosted, Looker("host"))
    assert get(f"{V1}/debates", token).status_code == 200
    monkeypatch.setenv("DEBATE_HOST_CODE", f"{CODE}!")
    reset_shared_host()
    assert shared_host().door.tokens.exist()
    assert get(f"{V1}/debates", token).status_code == 401


# --- what is withheld

WORD = "quagga"


def in_lobby(host: Host) -> tuple[str, Callable[[], object]]:
    """A sealed vote before the debate."""
    seats = [Seat(id=one, occupant="human") for one in ("ana", "bo", "cid")]
    people = tuple(person for person in EVERYBODY if person is not JUNE)
    debate = host.create(room_spec(people, seats=seats, blind="named", pre_vote="shown_at_close"), by=FAY.id)
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    host.submit(debate, Act(by=ANN.id, act=acts.BallotCast(poll="pre", choice="adopt", reason=WORD)))

    def reveal() -> None:
        host.submit(debate, Act(by=FAY.id, act=acts.PollClosed(poll="pre")))
        host.submit(debate, Act(by=FAY.id, act=acts.PollRevealed(poll="pre")))

    return debate, reveal


def speaks(host: Host, debate: str, by: str = "") -> None:
    asked = requests(host.state(debate))[0]
    said = Argument(rationale=f"the {WORD} decides", vote="adopt")
    host.submit(debate, TakeTurn(by=by or f"p-{asked.seat}", request=asked.id, content=said))


def being_judged(host: Host) -> tuple[str, Callable[[], object]]:
    """A debate that is over, and whose judge is still at work."""
    spec = room_spec((*EVERYBODY, *HOLDERS), seats=SEATS, hold="none", pre_vote="none", rounds=1, blind="named")
    debate = host.create(spec, by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    while requests(host.state(debate)):
        speaks(host, debate)

    def judge() -> None:
        host.submit(debate, Act(by=JUNE.id, act=belief(1, final=True, explanation="it holds")))
        host.submit(debate, Act(by=FAY.id, act=acts.BeliefsRevealed(round=1)))

    return debate, judge


def in_blind_room(host: Host) -> tuple[str, Callable[[], object]]:
    """A running debate whose audience does not know the speakers."""
    people = tuple(person for person in (*EVERYBODY, *HOLDERS) if person is not JUNE)
    debate = host.create(room_spec(people, seats=SEATS, hold="none", pre_vote="none", rounds=1), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    speaks(host, debate)
    return debate, lambda: host.submit(debate, Stop(by=FAY.id, reason="enough"))


def in_sealed_phase(host: Host) -> tuple[str, Callable[[], object]]:
    """A debate without people in an open sealed phase."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening", order="at_once", sealed=True),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    spec = room_spec(seats=SEATS, rounds=1).model_copy(update={"protocol": protocol, "room": None})
    debate = host.create(spec, by="facilitator")
    speaks(host, debate, by="s0")

    def end() -> None:
        while asked := requests(host.state(debate)):
            speaks(host, debate, by=asked[0].seat)

    return debate, end


@pytest.mark.parametrize(
    ("begin", "why"),
    [
        (in_lobby, "Sealed until revealed: the pre-vote cannot be read yet"),
        (being_judged, JUDGED),
        (in_blind_room, BLIND),
        (in_sealed_phase, HIDDEN),
    ],
)
def test_hidden_words_are_read_only_after_the_reveal(hosted: Host, begin: Any, why: str):
    debate, reveal = begin(hosted)
    token = token_for(hosted)
    before = everything(hosted, token, debate)
    assert WORD not in before
    detail = get(f"{V1}/debates/{debate}", token).json()
    assert why in detail["withheld"]
    assert (detail["head"], detail["outcome"], detail["decision"]) == (None, None, None)
    refused = get(f"{V1}/debates/{debate}/exports/json", token)
    assert refused.status_code == 409
    assert why in error_of(refused)
    stream = streamed(f"{V1}/debates/{debate}/events", token, until=hosted.state(debate).version)
    assert {frozenset(data) for _, data in read_messages(stream)} == {
        frozenset({"debate", "seq", "at", "kind", "withheld"})
    }
    reveal()
    assert get(f"{V1}/debates/{debate}", token).json()["withheld"] is None
    assert WORD in everything(hosted, token, debate)


# --- answers


def test_list_has_pages_latest_first(hosted: Host):
    ids = [made(hosted, "", name=f"one {n}") for n in range(5)][::-1]
    token = token_for(hosted)
    pages = [get(f"{V1}/debates?per_page=2&page={n}", token).json() for n in (1, 2, 3)]
    assert [[row["id"] for row in page["debates"]] for page in pages] == [ids[:2], ids[2:4], ids[4:]]
    assert {(page["pages"], page["total"]) for page in pages} == {(3, 5)}


def test_detail_names_outcome_and_fingerprint(hosted: Host):
    debate = made(hosted, "")
    found = get(f"{V1}/debates/{debate}", token_for(hosted)).json()
    state = hosted.state(debate)
    assert (found["head"], found["events"], found["decision"]) == (state.head, state.version, "adopt")
    assert found["outcome"] == "Decided by the seats: adopt. Not signed."
    assert found["options"] == list(state.spec.options)


@pytest.mark.parametrize(
    ("act", "found"),
    [
        (acts.OutcomeRecorded(result="reversed", reason="it broke"), ("adopt", "accepted", "reversed")),
        (acts.Signed(verdict="accept", option="defer", reason="cheaper"), ("defer", "overridden", "")),
        (acts.Signed(verdict="accept_with_changes", option="adopt", changes="in steps"), (None, "changes", "")),
        (acts.Signed(verdict="reject", reason="too dear"), (None, "rejected", "")),
        (acts.Signed(verdict="escalate", reason="too large"), (None, "escalated", "")),
    ],
)
def test_decision_is_the_option_in_force(hosted: Host, act: Any, found: tuple[str | None, str, str]):
    hosted._store.append("d-room", whole_workshop().events, after=0)
    assert decision_of(hosted, "d-room") == ("adopt", "accepted", "", None)
    hosted.submit("d-room", Act(by=ABE.id, act=act))
    assert decision_of(hosted, "d-room") == (*found, None)


def test_undecided_debate_has_no_decision(hosted: Host):
    debate = in_sealed_phase(hosted)[0]
    assert decision_of(hosted, debate) == (None, "open", "", None)
    hosted.submit(debate, Stop(by="facilitator", reason="enough"))
    assert hosted.row(debate).decision == "escalate"
    assert decision_of(hosted, debate) == (None, "stopped", "", "escalate")


def test_decision_is_hidden_while_judges_are_at_work(hosted: Host):
    hosted._store.append("d-room", over(decides="panel").events, after=0)
    assert hosted.row("d-room").awaits_judges
    assert decision_of(hosted, "d-room") == (None, "open", "", None)


def decision_of(host: Host, debate: str) -> tuple[str | None, ...]:
    """Option in force, its standing, its fate and the step without one, the same in the list and in the detail."""
    lists = get(f"{V1}/debates", token_for(host)).json()["debates"]
    detail = get(f"{V1}/debates/{debate}", token_for(host)).json()
    assert any(row.items() <= detail.items() for row in lists if row["id"] == debate)
    return tuple(detail[name] for name in ("decision", "standing", "since", "step_if_undecided"))


def test_files_are_those_of_the_pages(hosted: Host):
    debate, token = made(hosted, "", people=True), token_for(hosted)
    path = f"{V1}/debates/{debate}/exports"
    page = accounts.public(accounts.of_reader(hosted, hosted.state(debate), ()))
    record = get(f"{path}/jsonl", token)
    assert parse_record(record.content) == hosted.events(debate)
    assert record.headers["content-disposition"] == f'attachment; filename="debate-{debate}.jsonl"'
    tables = export.csv_files(page)
    for name, text in tables.items():
        assert get(f"{path}/{name}", token).content == text.encode("utf-8-sig")
    answers = {name: get(f"{path}/{name}", token) for name in FORMATS}
    empty = {name for name, answer in answers.items() if answer.status_code == 409}
    tables_without_rows = {name for name in FORMATS if name.endswith(".csv")} - tables.keys()
    assert empty == tables_without_rows | {"calendar", "deliverable", "follow-up"}
    for name, answer in answers.items():
        expected = FORMATS[name].media_type if name not in empty else "application/json"
        assert answer.headers["content-type"].partition(";")[0] == expected


@pytest.mark.parametrize("name", export.FORMATS)
def test_every_format_of_export_is_answered(hosted: Host, name: str):
    """The API gives a later format as a zip file, without a change."""
    hosted._store.append("d-room", signed(revisit="2027-02-28").events, after=0)
    answer = get(f"{V1}/debates/d-room/exports/{name}", token_for(hosted))
    if name in ("deliverable", "follow-up"):
        assert answer.status_code == 409
        return
    reader = accounts.public(accounts.of_reader(hosted, hosted.state("d-room"), ()))
    files = export.export_files(reader, name, signing_key=hosted.signing_key("d-room"))
    assert files
    if FORMATS[name].media_type == ZIP:
        with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
            assert {file: pack.read(file) for file in pack.namelist()} == files
            assert {entry.external_attr >> 16 for entry in pack.infolist()} == {0o644}
    else:
        assert answer.content in files.values()


def test_decision_record_of_the_api_names_the_signing_key(hosted: Host):
    debate, token = made(hosted, ""), token_for(hosted)
    for name in ("adr", "madr"):
        assert hosted.signatures.public_key in get(f"{V1}/debates/{debate}/exports/{name}", token).text


def test_running_debate_has_files_but_no_decision_record(hosted: Host):
    debate, token = made(hosted, "", over=False), token_for(hosted)
    answers = {name: get(f"{V1}/debates/{debate}/exports/{name}", token) for name in ("md", "jsonl", "madr")}
    assert [answer.status_code for answer in answers.values()] == [200, 200, 409]
    assert "still running" in error_of(answers["madr"])


def test_document_describes_the_routes_and_no_other(hosted: Host):
    document = get(f"{V1}/openapi.json", token_for(hosted)).json()
    assert document == openapi.document(ROUTES)
    assert set(document["paths"]) == {route.path for route in ROUTES}
    for route in ROUTES:
        described = document["paths"][route.path]["get"]
        assert [one["name"] for one in described["parameters"]] == [one.name for one in route.parameters]
        in_path = {part.strip("{}") for part in route.path.split("/") if part.startswith("{")}
        assert in_path == {one["name"] for one in described["parameters"] if one["in"] == "path"}
        assert (f"Scope of the token: {route.scope}." in described["description"]) is (route.scope is not None)
        errors = {str(status.value) for status in (*openapi.OF_ALL, *route.refusals)}
        assert set(described["responses"]) == {"200"} | errors | ({"403"} if route.scope else set())


# --- the stream


def test_stream_resumes_after_the_last_event(hosted: Host):
    debate, token = made(hosted, ""), token_for(hosted)
    events = hosted.events(debate)
    path = f"{V1}/debates/{debate}/events"
    whole = read_messages(streamed(path, token, until=len(events)))
    assert [number for number, _ in whole] == [event.seq for event in events]
    assert [data["hash"] for _, data in whole] == [event.hash for event in events]
    rest = read_messages(streamed(path, token, until=2, headers={"Last-Event-ID": str(len(events) - 2)}))
    assert rest == whole[-2:]


def test_quiet_stream_sends_comments(hosted: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(api_events, "HEARTBEAT_S", 0.0)
    debate, token = made(hosted, ""), token_for(hosted)
    monkeypatch.setattr("tests.reading_api.LINES_S", 1.0)
    text = streamed(f"{V1}/debates/{debate}/events", token, until=10_000, headers={"Last-Event-ID": "9000"})
    assert text.startswith("retry: 3000\n\n:\n\n")
    assert read_messages(text) == []


def test_stream_as_a_page_is_not_collected(hosted: Host):
    debate, token = made(hosted, ""), token_for(hosted)
    found = streamed(f"{V1}/debates/{debate}/events", token, until=1, headers={"Accept": "text/html"})
    assert read_messages(found)
