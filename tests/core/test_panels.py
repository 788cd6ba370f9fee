"""Panel files are read or refused in one sentence; seats get their models the same way every time."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.errors import InvalidSpec
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.spec import presets
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.panels import (
    Panel,
    PanelFile,
    adhoc_line,
    calls_at_once,
    check_base_url,
    family_of,
    is_loopback,
    panel_of,
    read_panels,
    seat_panel,
    url_warning,
)
from debate_core.spec.values import Seat

GOOD = """\
[lines.one]
provider = "acme"
family = "acme"
model = "acme-1"
dialect = "chat"
base_url = "https://acme.test/v1/"
price = { input = 0.10, output = "2" }

[lines.two]
provider = "anthropic"
dialect = "messages"

[panels.pair]
title = "A pair"
debaters = ["one", "two"]
synthesiser = "two"

[families]
Acme = "acme"
"""


def shipped() -> PanelFile:
    return read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))


def seats(*roles: str, occupant: str = "model") -> tuple[Seat, ...]:
    named = [r.partition("=") for r in roles]
    return tuple(Seat.model_validate({"id": i, "role": r or "debater", "occupant": occupant}) for i, _, r in named)


def test_a_panel_file_is_what_it_says():
    assert read_panels(GOOD, where="p.toml") == PanelFile(
        lines=(
            ModelLine(
                id="one",
                model="acme-1",
                provider="acme",
                family="acme",
                dialect="chat",
                base_url="https://acme.test/v1",
                price=Price(input="0.10", output="2"),
            ),
            ModelLine(id="two", provider="anthropic", dialect="messages"),
        ),
        panels=(Panel(name="pair", title="A pair", debaters=("one", "two"), synthesiser="two"),),
        families={"acme": "acme"},
    )


def test_a_line_says_how_its_server_is_asked():
    more = "deadline_s = 900\nparallel = 2\ntokens_per_minute = 90000\ntemperature = 0\nseed = 7\n"
    more += 'extra = { top_p = 0.9, stop = ["##"], n = { k = 1 } }\n'
    one = read_panels(GOOD.replace("[lines.two]", f"{more}\n[lines.two]"), where="p").line("one")
    assert (one.deadline_s, one.parallel, one.temperature, one.seed) == (900, 2, "0", 7)
    assert one.tokens_per_minute == 90_000
    # As text: a record holds no fractions.
    assert one.extra == '{"n": {"k": 1}, "stop": ["##"], "top_p": 0.9}'


@pytest.mark.parametrize(
    ("base_url", "parallel", "at_once"),
    [("http://127.0.0.1:8080/v1", None, 1), ("http://localhost/v1", 4, 4), ("", None, 256), ("http://gpu/v1", 2, 2)],
)
def test_a_local_server_answers_one_call_at_a_time_by_default(base_url, parallel, at_once):
    line = ModelLine(id="a", provider="b", dialect="chat", base_url=base_url, parallel=parallel)
    assert calls_at_once(line) == at_once


def test_a_file_with_a_byte_order_mark_and_windows_lines_is_read():
    assert read_panels("\ufeff" + GOOD.replace("\n", "\r\n"), where="p.toml") == read_panels(GOOD, where="p.toml")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[lines.two]", "[lines.two", "line 9: not readable TOML: expected ']' at the end of a table declaration"),
        ("[lines.two]", "[lines.one]", "line 9: not readable TOML: cannot declare ('lines', 'one') twice"),
        ("[lines.one]", 'as_of = "soon"\n[lines.one]', "line 1: as_of: must be a day, as in 2026-11-22"),
        (
            "[families]",
            "[familes]",
            "line 18: familes: there is no such field; allowed are as_of, lines, panels, families",
        ),
        ('dialect = "messages"', 'dialekt = "messages"', "line 11: lines.two.dialekt: there is no such field; allowed"),
        ('dialect = "messages"', "", "line 9: lines.two: dialect is missing"),
        (
            'dialect = "messages"',
            'dialect = "smoke"',
            "line 11: lines.two.dialect: input should be 'chat', 'responses'",
        ),
        ('dialect = "messages"', 'dialect = "chat"', "line 9: lines.two: base_url is missing: only anthropic"),
        ('model = "acme-1"', "model = 7", "line 4: lines.one.model: input should be a valid string, not 7"),
        ('model = "acme-1"', 'max_tokens = "9000"', "line 4: lines.one.max_tokens: input should be a valid integer"),
        (
            'model = "acme-1"',
            "max_tokens = 1",
            "line 4: lines.one.max_tokens: input should be greater than or equal to 64",
        ),
        ('model = "acme-1"', "extra = { stream = false }", "line 4: lines.one.extra: stream is said by the program"),
        ('model = "acme-1"', 'extra = "top_p"', "line 4: lines.one.extra: must be a table of fields"),
        ('model = "acme-1"', "extra = { a = 2026-01-02 }", "line 4: lines.one.extra: must hold texts, numbers"),
        ('model = "acme-1"', 'temperature = "warm"', "line 4: lines.one.temperature: string should match pattern"),
        ('model = "acme-1"', "parallel = 0", "line 4: lines.one.parallel: input should be greater than or equal to 1"),
        (
            'model = "acme-1"',
            "tokens_per_minute = 0",
            "line 4: lines.one.tokens_per_minute: input should be greater than or equal to 1, not 0",
        ),
        ('model = "acme-1"', "tokens_per_minute = -5", "line 4: lines.one.tokens_per_minute: input should be greater"),
        (
            'model = "acme-1"',
            'tokens_per_minute = "many"',
            "line 4: lines.one.tokens_per_minute: input should be a valid integer",
        ),
        (
            'model = "acme-1"',
            "tokens_per_minute = 4000",
            "line 4: lines.one.tokens_per_minute: must be more than max_tokens, which is 4000: a call has to",
        ),
        ('model = "acme-1"', "max_tokens = 900.5", "line 4: lines.one.max_tokens: input should be a valid integer"),
        ('model = "acme-1"', "model = 2026-01-02", "line 4: lines.one.model: input should be a valid string"),
        ('model = "acme-1"', 'key_env = "my key"', "line 4: lines.one.key_env: string should match pattern"),
        ('output = "2"', 'output = "two"', "line 7: lines.one.price.output: string should match pattern"),
        ('output = "2"', 'out = "2"', "line 7: lines.one.price: output is missing"),
        (
            "https://acme.test/v1/",
            "ftp://acme.test",
            "line 6: lines.one.base_url: the address 'ftp://acme.test' must be",
        ),
        (
            '"one", "two"]',
            '"one", "six"]',
            "line 15: panels.pair.debaters: there is no line 'six'; allowed are one, two",
        ),
        ('["one", "two"]', "[]", "line 15: panels.pair.debaters: "),
        ('["one", "two"]', '"one"', "line 15: panels.pair.debaters: "),
        ('synthesiser = "two"', 'synthesiser = "six"', "line 16: panels.pair.synthesiser: there is no line 'six'"),
        ('debaters = ["one", "two"]', "", "line 13: panels.pair: debaters is missing"),
        ("[lines.one]", '[lines."o ne"]', "line 1: lines.o ne: a name has 1 to 40 letters, digits, - and _"),
        ('Acme = "acme"', "Acme = 3", "line 19: families.Acme: must be the name of a family"),
        ("[panels.pair]", "[[panels.pair]]", "line 13: panels.pair: must be a table [panels.pair]"),
    ],
)
def test_an_error_names_file_line_and_field(old: str, new: str, said: str):
    assert GOOD.count(old) == 1
    with pytest.raises(InvalidSpec) as refused:
        read_panels(GOOD.replace(old, new), where="p.toml")
    assert str(refused.value).startswith(f"p.toml, {said}")
    assert "\n" not in str(refused.value)


def test_an_error_in_another_spelling_of_a_table_is_found_too():
    text = 'lines.one.provider = "acme"\nlines.one.dialect = "chat"\n\nlines.one.base_url = "acme"\n'
    with pytest.raises(InvalidSpec, match=r"^p, line 4: lines\.one\.base_url: the address 'acme' must be http://"):
        read_panels(text, where="p")
    with pytest.raises(InvalidSpec, match=r"^p, line 1: lines\.one: base_url is missing"):
        read_panels('lines = { one = { provider = "acme", dialect = "chat" } }', where="p")


@pytest.mark.parametrize("text", ["", "# nothing\n", "[families]\n"])
def test_a_file_without_a_model_is_refused(text: str):
    with pytest.raises(InvalidSpec, match=r"^p, line 1: lines: there is no model: give at least one table"):
        read_panels(text, where="p")


@given(st.text(max_size=200) | st.text(alphabet='[]{}="lines.panels\n1 ', max_size=60))
def test_any_text_is_read_or_refused(text: str):
    with suppress(InvalidSpec):
        read_panels(text, where="p")


def test_every_shipped_panel_can_be_seated():
    file = shipped()
    for panel in file.panels:
        models = {line.id: "some-model" for line in file.lines if not line.model}
        seated, lines = seat_panel((*seats("a", "b", "c"), presets.synthesiser("model")), panel, file, models)
        assert all(s.model in {line.id for line in lines} for s in seated)
        assert all(line.price for line in lines if is_loopback(line.base_url))
        assert [url_warning(line) for line in lines] == [""] * len(lines)


def test_unknown_names_list_the_known_ones():
    file = read_panels(GOOD, where="p")
    with pytest.raises(InvalidSpec, match=r"^unknown panel 'trio': choose one of pair$"):
        file.panel("trio")
    with pytest.raises(InvalidSpec, match=r"^unknown model line 'six': choose one of one, two$"):
        file.line("six")


@pytest.mark.parametrize(
    ("given_url", "kept"),
    [
        ("https://api.acme.test/v1/", "https://api.acme.test/v1"),
        ("HTTP://LocalHost:8080/V1", "http://localhost:8080/V1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_has_one_spelling(given_url: str, kept: str):
    assert check_base_url(given_url) == kept
    assert check_base_url(kept) == kept


@pytest.mark.parametrize(
    "url",
    [
        "",
        "acme.test/v1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///v1",
        "https://:80/v1",
        "https://acme.test:port/v1",
        "https://acme.test:99999/v1",
        "https://[::1/v1",
        "https://user:secret@acme.test/v1",
        "https://@acme.test/v1",
        "https://acme.test/v1?key=1",
        "https://acme.test/v1?",
        "https://acme.test/v1#top",
        "https://acme.test\\@evil.test/v1",
        "https://acme.test/v1 ",
        "https://acme.test/\nv1",
        "https://ácme.test/v1",
        "https://acme.test/" + "v" * 300,
    ],
)
def test_what_is_no_address_of_a_server_is_refused(url: str):
    with pytest.raises(InvalidSpec) as refused:
        check_base_url(url)
    assert "secret" not in str(refused.value)
    assert "address" in str(refused.value)


def test_loopback_is_this_machine_and_nothing_that_looks_like_it():
    here = ("http://127.0.0.1:1", "http://127.9.9.9", "http://localhost/v1", "http://[::1]", "http://a.localhost")
    away = (
        "",
        "http://127.0.0.1.evil.test",
        "http://localhost.evil.test",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://[",
    )
    assert [is_loopback(url) for url in here] == [True] * len(here)
    assert [is_loopback(url) for url in away] == [False] * len(away)


def test_an_address_for_another_dialect_is_warned_of():
    def warned(dialect: str, url: str, key_env: str = "") -> str:
        return url_warning(adhoc_line("m", PanelFile(), base_url=url, dialect=dialect, key_env=key_env))

    assert "leave /v1 out of https://acme.test/v1" in warned("messages", "https://acme.test/v1/")
    assert "as in https://acme.test/v1" in warned("chat", "https://acme.test")
    assert "in the clear: use https" in warned("chat", "http://acme.test/v1", "ACME_KEY")
    assert warned("chat", "http://127.0.0.1:8080/v1", "ACME_KEY") == ""
    assert warned("messages", "https://acme.test") == ""
    assert warned("chat", "") == ""


def test_debaters_rotate_models_and_the_synthesiser_has_its_own():
    # R163, R169
    file = shipped()
    seated, lines = seat_panel((*seats("a", "b"), presets.synthesiser("model")), file.panel("balanced"), file)
    assert [(s.model, s.family) for s in seated] == [
        ("claude_sonnet", "anthropic"),
        ("gpt_terra", "openai"),
        ("gemini_flash", "google"),
    ]
    assert [line.id for line in lines] == ["claude_sonnet", "gpt_terra", "gemini_flash"]
    five = seat_panel(seats("a", "b", "c", "d", "e"), file.panel("two_families"), file)[0]
    assert [s.model for s in five] == ["claude_sonnet", "gpt_terra", "claude_sonnet", "gpt_terra", "claude_sonnet"]


def test_the_synthesiser_is_found_wherever_it_is_declared():
    file = shipped()
    declared_first = (presets.synthesiser("model"), *seats("a", "b"))
    seated = seat_panel(declared_first, file.panel("balanced"), file)[0]
    assert [s.model for s in seated] == ["gemini_flash", "claude_sonnet", "gpt_terra"]


def test_a_named_synthesiser_is_taken():
    file = shipped()
    seated = seat_panel((*seats("a"), presets.synthesiser("model")), file.panel("one_family"), file)[0]
    assert seated[-1].model == "claude_fable"


def test_a_seat_keeps_its_line_and_people_keep_their_seats():
    file = shipped()
    person = Seat(id="p", occupant="human")
    kept = Seat(id="k", model="claude_sonnet")
    seated, lines = seat_panel((person, *seats("a", "b"), kept), file.panel("balanced"), file)
    assert seated[0] == person
    assert [s.model for s in seated[1:]] == ["gpt_terra", "gemini_flash", "claude_sonnet"]
    assert seated[-1].family == "anthropic"
    assert [line.id for line in lines] == ["gpt_terra", "gemini_flash", "claude_sonnet"]
    with pytest.raises(InvalidSpec, match=r"^unknown model line 'gone': choose one of claude_fable, "):
        seat_panel((Seat(id="x", model="gone"),), file.panel("balanced"), file)


def test_a_line_without_a_model_needs_one_to_be_chosen():
    file = shipped()
    with pytest.raises(InvalidSpec, match=r"^line ollama has no model: choose one of the server's list$"):
        seat_panel(seats("a"), file.panel("local_ollama"), file)
    seated, lines = seat_panel(seats("a"), file.panel("local_ollama"), file, {"ollama": "qwen3:8b"})
    assert (lines[0].model, lines[0].family, seated[0].family) == ("qwen3:8b", "alibaba", "alibaba")


def test_a_model_named_on_the_spot():
    file = shipped()
    own = adhoc_line("acme/Llama-3.2:1b", file, base_url="http://127.0.0.1:8080/v1/", dialect="chat", key_env=None)
    assert own == ModelLine(
        id="acme-Llama-3-2-1b",
        model="acme/Llama-3.2:1b",
        provider="127.0.0.1",
        family="meta",
        dialect="chat",
        base_url="http://127.0.0.1:8080/v1",
    )
    assert panel_of(own).panels == (Panel(name=own.id, title=own.model, debaters=(own.id,)),)
    hosted = adhoc_line("claude-x", file, base_url="", dialect="messages", key_env=None)
    assert (hosted.provider, hosted.family, hosted.key_env) == ("anthropic", "anthropic", "ANTHROPIC_API_KEY")
    other = adhoc_line("new-model", file, base_url="", dialect="responses", key_env="MY_KEY")
    assert (other.provider, other.family, other.key_env) == ("openai", "openai", "MY_KEY")


def test_a_key_of_a_vendor_is_not_sent_to_another_address():
    for dialect in ("chat", "responses", "messages"):
        line = adhoc_line("claude-x", shipped(), base_url="https://acme.test", dialect=dialect, key_env=None)
        assert line.key_env == ""


@pytest.mark.parametrize(
    ("model", "dialect", "said"),
    [
        ("m", "smoke", "^unknown dialect 'smoke': choose one of chat, responses, messages$"),
        (" ", "chat", "^the name of the model is empty"),
        ("m" * 201, "chat", "^model: string should have at most 200 characters"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused(model: str, dialect: str, said: str):
    with pytest.raises(InvalidSpec, match=said):
        adhoc_line(model, PanelFile(), base_url="", dialect=dialect, key_env=None)


def test_the_family_is_the_longest_beginning_that_fits():
    file = PanelFile(families={"mis": "wind", "mistral": "mistral"})
    assert [family_of(m, file) for m in ("Mistral-9", "x/misty", "other")] == ["mistral", "wind", ""]


def test_no_model_of_a_vendor_is_named_in_code():
    names = {line.model for line in shipped().lines if line.model}
    code = "\n".join(p.read_text("utf-8") for p in (Path(__file__).parents[2] / "debate_core").rglob("*.py"))
    assert [name for name in names if name in code] == []
