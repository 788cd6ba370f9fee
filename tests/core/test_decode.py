"""Files that parsers read and nothing else survives: numbers of thousands of digits, and nesting without an end."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from debate_core.engine.count.ballot_files import read_abif, read_preflib
from debate_core.errors import DebateError
from debate_core.evaluation import labelled
from debate_core.evaluation.practice import read_case
from debate_core.evaluation.practice_files import is_practice_file, read_practice_file
from debate_core.host.access.people_list import read_list
from debate_core.host.settings import read_settings
from debate_core.host.signatures import check_signatures
from debate_core.record.events import parse_record, read_body
from debate_core.report.facts.synthesis_checks import without_references
from debate_core.seats.reply import read_reply
from debate_core.seats.scripted import read_script
from debate_core.spec.decode import MAX_DEPTH, Undecodable, decode_json, decode_toml
from debate_core.spec.panels import read_panels
from debate_core.spec.protocol_files import protocol_from_toml

LONG = "1" + "0" * 5_000
HEX = "0x" + "f" * 5_000

READERS: dict[str, Callable[[str], object]] = {
    "protocol": lambda text: protocol_from_toml(text, where="p.toml"),
    "panels": lambda text: read_panels(text, where="panels.toml"),
    "script": read_script,
    "record": lambda text: parse_record(f"{text}\n".encode()),
    "opened": lambda text: read_body("debate_opened", text),
    "practice": read_case,
    "practice file": lambda text: read_practice_file("a.json", text.encode()),
    "recorded practice": lambda text: read_practice_file("a.jsonl", text.encode()),
    "is practice": lambda text: is_practice_file("a.json", text.encode()),
    "people": read_list,
    "abif": read_abif,
    "preflib": read_preflib,
    "signatures": lambda text: check_signatures((), text, "0" * 64),
    "reply": read_reply,
}
TEXTS = {
    "a decimal number": f"name = {LONG}",
    "a hexadecimal number": f"name = {HEX}",
    "a number in a table": f"[rounds]\ndefault = {HEX}",
    "a number in a line": f"[lines.a]\nmax_tokens = {LONG}",
    "a number in a panel": f"[panels.a]\ndebaters = {HEX}",
    "a number in fields of a call": f"[lines.a]\nprovider = 'x'\nextra = {{ a = {HEX} }}",
    "tables in each other": "a" + ".a" * 2_000 + " = 1",
    "lists in each other": "a = " + "[" * 100_000,
    "a number as JSON": LONG,
    "a number in an object": f'{{"question": {LONG}, "question": {LONG}}}',
    "a number in a list": f'[{{"a": {LONG}}}]',
    "objects in each other": '{"a":' * 100_000,
    "a number of ballots": f"{LONG}: A > B",
    "a number of points": f"1: A/{LONG}, B/2",
    "a number of an option": f"# ALTERNATIVE NAME {LONG}: tea\n1: {LONG}",
    "a weight": f"Ann, voter, {LONG}",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
def test_reader_given_unusable_numbers_raises_only_ours(reader: Callable[[str], object], text: str):
    with suppress(DebateError):
        reader(text)


@pytest.mark.parametrize("name", ["a decimal number", "a hexadecimal number", "tables in each other"])
def test_protocol_file_with_unusable_number_is_refused(name: str):
    with pytest.raises(DebateError, match="not readable TOML"):
        protocol_from_toml(TEXTS[name], where="p.toml")
    with pytest.raises(DebateError, match="not readable TOML"):
        read_panels(TEXTS[name], where="panels.toml")


@pytest.mark.parametrize("text", [f"a = {LONG}", "a = " + "[" * 100_000])
def test_settings_file_with_unusable_number_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "secrets.toml"
    path.write_text(text)
    with pytest.raises(DebateError, match="cannot be read"):
        read_settings(environ={}, secrets=path)


def test_labelled_file_with_deep_nesting_is_refused(tmp_path: Path):
    (tmp_path / "rows.jsonl").write_text("[" * 100_000)
    with pytest.raises(DebateError, match="is no JSON"):
        labelled.rows(tmp_path, "*.jsonl", ())


@pytest.mark.parametrize("given", ["half", LONG + "x", 10**400, None, [1]])
def test_labelled_row_without_a_number_is_refused(given: object):
    with pytest.raises(DebateError, match="p_a must be a number"):
        labelled.number({"p_a": given}, "p_a")


@pytest.mark.parametrize(
    "text", [f"claim {LONG}", f"claims 1 and {LONG}", f"({LONG})", f"{LONG} of {LONG}", f"{LONG} claims", f"2.{LONG}"]
)
def test_turn_that_points_at_a_long_number_is_kept_as_text(text: str):
    assert without_references(text, {"risk.1.1"}, 3) == text


def test_toml_keeps_what_64_bits_hold():
    assert decode_toml(f"a = {2**63 - 1}\nb = -{2**63}\nc = 0xff") == {"a": 2**63 - 1, "b": -(2**63), "c": 255}
    with pytest.raises(Undecodable, match="64 bits"):
        decode_toml(f"a = {2**63}")


def test_toml_nested_as_deep_as_allowed_is_read():
    assert decode_toml("a" + ".a" * (MAX_DEPTH - 2) + " = 1")
    with pytest.raises(Undecodable, match="in each other"):
        decode_toml("a" + ".a" * MAX_DEPTH + " = 1")


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_json_refuses_what_is_no_number(text: str):
    with pytest.raises(Undecodable, match="no number in JSON"):
        decode_json(text)


def test_json_with_a_byte_order_mark_is_read():
    assert decode_json("\ufeff[1]") == [1]


def test_an_object_that_gives_a_name_twice_is_refused():
    assert decode_json('{"a": {"b": 1}, "c": [{"b": 1}, {"b": 2}]}') == {"a": {"b": 1}, "c": [{"b": 1}, {"b": 2}]}
    for text in ('{"a": 1, "a": 1}', '[{"c": {"a": 1, "b": 2, "a": 3}}]'):
        with pytest.raises(Undecodable, match="'a' is given twice"):
            decode_json(text)
    with pytest.raises(DebateError, match="'question' is given twice"):
        read_script('{"question": "A?", "question": "B?"}')
