"""Sentences in other languages: what is looked up, how figures are written, and that the catalogue is whole."""

import ast
import pickle
import re
from copy import copy, deepcopy
from decimal import Decimal
from inspect import isclass

import pytest

from bench import messages
from debate_core import language
from debate_core.errors import BrokenRecord, DebateError, InvalidSpec, NotAllowed, RuleViolation
from debate_core.language import Words, _, _n, format_number, read_catalogue, said, spoken_list
from debate_core.record import acts, commands
from debate_core.sentence import Sentence
from debate_core.spec import contents
from debate_core.spec.protocol import read

PO = """
msgid ""
msgstr "Language: de\\n"

#. A comment.
msgid "Cast my vote"
msgstr "Stimme abgeben"

msgid ""
"{cast} of "
"{voters} voted."
msgstr "Von {voters} haben {cast} gewählt."

msgid "{n} vote"
msgid_plural "{n} votes"
msgstr[0] "{n} Stimme"
msgstr[1] "{n} Stimmen"

msgid "{seat} has voted already"
msgstr "{seat} hat schon gewählt"

msgid "line {number}: {fault}"
msgstr "Zeile {number}: {fault}"

msgid "{used:,.1f} USD are spent"
msgstr "{used:,.1f} USD sind ausgegeben"

msgid "Not translated"
msgstr ""
"""


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch):
    found = read_catalogue(PO)
    monkeypatch.setattr(language, "_catalogue", lambda of: found if of == "de" else {})
    with language.spoken("de"):
        yield


def test_a_catalogue_skips_its_header_and_empty_entries():
    assert read_catalogue(PO) == {
        ("Cast my vote",): ("Stimme abgeben",),
        ("{cast} of {voters} voted.",): ("Von {voters} haben {cast} gewählt.",),
        ("{n} vote", "{n} votes"): ("{n} Stimme", "{n} Stimmen"),
        ("{seat} has voted already",): ("{seat} hat schon gewählt",),
        ("line {number}: {fault}",): ("Zeile {number}: {fault}",),
        ("{used:,.1f} USD are spent",): ("{used:,.1f} USD sind ausgegeben",),
    }


@pytest.mark.usefixtures("german")
def test_a_sentence_is_translated_or_else_english():
    assert _("Cast my vote") == "Stimme abgeben"
    assert _("{cast} of {voters} voted.", cast=3, voters=4) == "Von 4 haben 3 gewählt."
    assert [_n(n, "{n} vote", "{n} votes") for n in (0, 1, 2)] == ["0 Stimmen", "1 Stimme", "2 Stimmen"]
    assert _("Not translated") == "Not translated"
    assert Words({"cast": "Cast my vote"})["cast"] == "Stimme abgeben"
    with language.spoken("en"):
        assert _("Cast my vote") == "Cast my vote"


@pytest.mark.usefixtures("german")
def test_figures_are_written_as_the_language_does():
    assert _("{money:,.2f} USD", money=1234.5) == "1.234,50 USD"
    assert _("{text} {share:.0%}", text="v1.5", share=0.7) == "v1.5 70\N{NO-BREAK SPACE}%"
    with language.spoken("en"):
        assert _("{money:,.2f} USD", money=1234.5) == "1,234.50 USD"
        assert _("{text} {share:.0%}", text="v1.5", share=0.7) == "v1.5 70\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize(
    ("value", "spec", "english", "german"),
    [
        (2.24, "", "2.24", "2,24"),
        (1234567, ",", "1,234,567", "1.234.567"),
        (Decimal("1234.50"), "", "1234.50", "1234,50"),
        (-0.5, "+.1f", "-0.5", "-0,5"),
        (0.05, ".1%", "5.0\N{NO-BREAK SPACE}%", "5,0\N{NO-BREAK SPACE}%"),
        (3, "", "3", "3"),
    ],
)
def test_format_number_writes_as_the_language_does(value: float, spec: str, english: str, german: str):
    assert format_number(value, spec) == english
    with language.spoken("de"):
        assert format_number(value, spec) == german


READ_BY_PEOPLE = re.compile(r"debate_core/(ui/|report/(phrases|figures|files/(?!csv|otlp|export)))")


@pytest.mark.slow
def test_no_number_is_written_as_in_english():
    """`format_number(share, ".1%")`, never `f"{share:.1%}"`, where people read it."""
    paths = sorted(path for path in messages.seen_files() if READ_BY_PEOPLE.match(path))
    found = [text for path in paths for text in messages.unformatted(messages.parsed(path))]
    # What a field holds is read by the program.
    assert [text for text in found if "bound.seconds / 60" not in text] == []


def test_quotation_marks_are_those_of_the_language():
    """`quoted(words)`, never `f"“{words}”"`, where people read it."""
    with language.spoken("de"):
        assert language.quoted("adopt") == "„adopt“"
    texts = [
        node.values[0].value
        for path in sorted(messages.seen_files())
        if READ_BY_PEOPLE.match(path)
        for node in ast.walk(messages.parsed(path))
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    ]
    assert [text for text in texts if "“" in str(text)] == []


PROPER_NAMES = {"Elo", "Brier"}
"""Headings that are the same in every language."""


@pytest.mark.slow
def test_row_of_a_table_has_marked_headings_that_stay_apart():
    """A row with one marked heading has no bare one, and no two that a language calls alike."""
    bare, alike = {}, {}
    for path in sorted(messages.seen_files()):
        for node, marked, others in messages.headings(messages.parsed(path)):
            place = f"{path}:{node.lineno}"
            if marked and any(word not in PROPER_NAMES for word in others if word):
                bare[place] = others
            german = [GERMAN[(heading,)] for heading in marked]
            if len({*german}) < len(german):
                alike[place] = german
    assert (bare, alike) == ({}, {})


def test_what_people_wrote_is_no_place_for_values():
    assert _("{said}", said="{x} of {y}") == "{x} of {y}"
    assert _("No values: {x}") == "No values: {x}"


VOTED = Sentence("{seat} has voted already", seat="{Cast my vote}")
MADE: list[tuple[str | DebateError, str, str]] = [
    (VOTED, "{Cast my vote} has voted already", "{Cast my vote} hat schon gewählt"),
    (RuleViolation("{seat} has voted already", seat="risk"), "risk has voted already", "risk hat schon gewählt"),
    (
        BrokenRecord("line {number}: {fault}", 3, number=3, fault="Cast my vote"),
        "line 3: Cast my vote",
        "Zeile 3: Cast my vote",
    ),
    (
        InvalidSpec("line {number}: {fault}", number=3, fault=VOTED),
        "line 3: {Cast my vote} has voted already",
        "Zeile 3: {Cast my vote} hat schon gewählt",
    ),
    (NotAllowed("Cast my vote"), "Cast my vote", "Stimme abgeben"),
    (RuleViolation(str(VOTED)), str(VOTED), str(VOTED)),
    (InvalidSpec("{used:,.1f} USD are spent", used=1234.5), "1,234.5 USD are spent", "1.234,5 USD sind ausgegeben"),
    (Sentence.counted(1, "{n} vote", "{n} votes"), "1 vote", "1 Stimme"),
    (Sentence.counted(2, "{n} vote", "{n} votes"), "2 votes", "2 Stimmen"),
    (
        Sentence.joined([VOTED, Sentence("Cast my vote")], "; "),
        "{Cast my vote} has voted already; Cast my vote",
        "{Cast my vote} hat schon gewählt; Stimme abgeben",
    ),
]


@pytest.mark.parametrize(("made", "english", "german"), MADE, ids=[repr(made) for made, *_others in MADE])
def test_what_is_refused_in_english_is_said_in_another_language(
    made: str | DebateError, english: str, german: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(language, "_catalogue", lambda of: read_catalogue(PO) if of == "de" else {})
    assert (str(made), said(made), f"{_('{made}', made=made)}") == (english, english, english)
    with language.spoken("de"):
        assert (str(made), said(made), _("{made}", made=made)) == (english, german, german)


@pytest.mark.parametrize(
    ("kind", "value", "english", "german"),
    [
        (
            acts.BeliefReported,
            {"round": 1, "beliefs": [{"option": o, "percent": 45} for o in "ab"]},
            "the value: value error, the probabilities must add up to 100, not 90, not {'round",
            "der Wert: die Wahrscheinlichkeiten müssen zusammen 100 ergeben, nicht 90, nicht {'round",
        ),
        (
            acts.BeliefReported,
            {"beliefs": [{"option": o, "percent": 50} for o in "ab"]},
            "round: field required, not {'beliefs",
            "round: das Feld fehlt, nicht {'beliefs",
        ),
    ],
)
def test_what_is_wrong_with_a_value_is_said_in_another_language(kind: type, value: object, english: str, german: str):
    with pytest.raises(InvalidSpec) as refused:
        read(kind, value)
    assert str(refused.value)[: len(english)] == english
    with language.spoken("de"):
        assert said(refused.value)[: len(german)] == german


def test_a_copy_of_a_sentence_can_still_be_translated():
    # What Streamlit caches is pickled.
    for copied in (copy(VOTED), deepcopy(VOTED), pickle.loads(pickle.dumps(VOTED))):
        assert (copied, copied.forms, copied.values) == (VOTED, VOTED.forms, VOTED.values)


@pytest.mark.parametrize(
    ("wishes", "spoken"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.5,en;q=0.3", "de"),
        ("en;q=0.2, de;q=0.7", "de"),
        ("fr", "en"),
        ("", "en"),
        (";q=x,,de", "de"),
        ("fr, de;q=0", "en"),
        ("den, de ;q=0.5", "de"),
        ("den", "en"),
    ],
)
def test_the_first_language_of_ours_that_a_browser_wants(wishes: str, spoken: str):
    assert language.preferred(wishes) == spoken


def test_a_list_is_spoken():
    assert [spoken_list(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_the_reader_sets_the_language_until_changed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(language, "_asked", [])
    assert language.current() == "en"
    language.ask(lambda: "de")
    assert language.current() == "de"
    with language.spoken("en"):
        assert language.current() == "en"


GERMAN = read_catalogue(messages.path_of("de").read_text("utf-8"))


@pytest.mark.slow
def test_every_sentence_of_the_code_has_a_german_one():
    path = messages.path_of("de").relative_to(messages.ROOT)
    wanted = [f'{where}: msgid "{" | ".join(e)}"' for e, where in messages.messages().items() if e not in GERMAN]
    assert not wanted, "\n".join(
        [
            f"{len(wanted)} sentences have no German. Run `python -m bench.messages`, which puts them into",
            f"{path}, and write the German of each into its empty msgstr, with the same {{places}}:",
            *wanted,
        ]
    )


def test_a_translation_has_the_placeholders_of_its_sentence():
    def shape(text: str) -> tuple[list[str], bool, bool]:
        return sorted(set(messages.places(text))), text[:1] == " " and not text.startswith(" ("), text.endswith(" ")

    wrong = [
        (one, other)
        for english, german in GERMAN.items()
        for one, other in zip(english, german, strict=True)
        if shape(one)[0] != shape(other)[0] or shape(one)[2] != shape(other)[2] or one.count("**") != other.count("**")
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("term", "other_word"),
    [
        ("claim", "Behauptung"),
        ("script", "Skript"),
        ("advice", "Rat "),
        ("decision record", "Entscheidungsprotokoll"),
        ("forecast", "Schätzung"),
        ("phone", "Telefon"),
        ("protocol", "Protokoll"),
        ("review", "Überprüfung"),
        ("seat", "Sitz"),
        ("sign", "nterschr(ie|ei)b"),
        ("transcript", "Mitschrift"),
        ("wall", "Wand "),
    ],
)
def test_a_term_has_one_german_word(term: str, other_word: str):
    """A claim is an `Aussage` and a script is a `Drehbuch`, in every sentence."""
    sentences = [
        german for english, german in GERMAN.items() if re.search(rf"\b{term}", " ".join(english), re.IGNORECASE)
    ]
    assert sentences
    assert [german for german in sentences if re.search(other_word, " ".join(german))] == []


def test_the_catalogue_is_as_the_tool_writes_it():
    """So that what nobody says any more leaves, and two people who add sentences rarely meet."""
    assert messages.written(GERMAN, "de") == messages.path_of("de").read_text("utf-8")


@pytest.mark.parametrize("path", sorted(messages.translated_files()), ids=str)
def test_no_sentence_is_drawn_unmarked(path: str):
    assert messages.unmarked(messages.parsed(path)) == []


@pytest.mark.slow
def test_no_refusal_is_glued_together():
    """Write `RuleViolation("there is no seat {seat!r}", seat=given)`: an f-string cannot be translated."""
    assert {path: found for path in messages.seen_files() if (found := messages.glued(messages.parsed(path)))} == {}


@pytest.mark.slow
def test_what_a_sentence_is_given_is_in_its_language():
    """`_("none")`, never `"none"`, in the place of a name that is not there."""
    assert {
        path: found for path in messages.seen_files() if (found := messages.english_values(messages.parsed(path)))
    } == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('_("to speak: {seats}", seats=seats or "nobody")', ["line 1: 'nobody'"]),
        ('_n(n, "{n} vote {how}", "{n} votes {how}", how="once" if n == 1 else "")', ["line 1: 'once'"]),
        ('_("it lacks {lacks}", lacks=" and ".join(lacks))', ["line 1: ' and '"]),
        ('_("to speak: {seats}", seats=seats or _("nobody"))', []),
        ('_("until {time}", time="{time}")', []),
        ('_("{names}", names=", ".join(names))', []),
    ],
)
def test_an_english_word_in_a_sentence_is_seen(code: str, found: list[str]):
    assert messages.english_values(ast.parse(code)) == found


def test_refusals_are_in_the_readers_language():
    """`said(error)`, never `str(error)`, but where only programs or whoever starts the server read."""
    for_programs = {"room/live/socket.py", "server/health_routes.py", "server/launch.py"}
    paths = {*messages.translated_files()} - {f"debate_core/ui/{path}" for path in for_programs}
    shown = {path: found for path in paths if (found := messages.shown_in_english(messages.parsed(path)))}
    assert shown == {}


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("try: read()\nexcept InvalidSpec as error: st.error(str(error))", 1),
        ("try: read()\nexcept InvalidSpec as error: st.error(f'{name}: {error}')", 1),
        ("try: read()\nexcept InvalidSpec as error: st.error(said(error))", 0),
        ("try: read()\nexcept InvalidSpec as error: st.error(f'{name}: {said(error)}')", 0),
    ],
)
def test_an_error_that_is_shown_in_english_is_found(code: str, shown: int):
    assert len(messages.shown_in_english(ast.parse(code))) == shown


@pytest.mark.parametrize(
    ("code", "found", "glued"),
    [
        ('raise InvalidSpec("it is empty")', [("it is empty",)], 0),
        ('raise BrokenRecord("line {n}: cut", 3, n=3)', [("line {n}: cut",)], 0),
        ('return Sentence("a vote") if one else Sentence("votes")', [("a vote",), ("votes",)], 0),
        ('Sentence.counted(n, "{n} vote", "{n} votes")', [("{n} vote", "{n} votes")], 0),
        ('raise RuleViolation(f"{seat} is empty")', [], 1),
        ('raise RuleViolation("the seat " + seat)', [], 1),
        ("raise RuleViolation(why)", [], 0),
        ('raise ValueError(f"{seat} is empty")', [], 0),
    ],
)
def test_what_code_without_a_language_refuses_is_found(code: str, found: list[tuple[str, ...]], glued: int):
    assert sorted(messages.refused(ast.parse(code))) == found
    assert len(messages.glued(ast.parse(code))) == glued


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('st.caption("Nobody has voted yet.")', ["Nobody has voted yet."]),
        ('st.caption(f"{n} people are here")', [" people are here"]),
        ('left.button(label, help="Say why")', ["Say why"]),
        ('st.caption("Nobody." if none else told)', ["Nobody."]),
        ('_("Sees {who}.", who=", ".join(names) or "nobody")', ["nobody"]),
        ('_("Sees {who}.", who=named(name) if name else _("nobody"))', []),
        ('st.caption(_("Nobody has voted yet."))', []),
        ('st.markdown(f"**{_(name)}** · {n}")', []),
        ('st.button(label, key="of the room", icon=":material/add:")', []),
        ('host.tell("of the room")', []),
    ],
)
def test_an_unmarked_sentence_is_seen(code: str, found: list[str]):
    assert messages.unmarked(ast.parse(code)) == found


def test_nothing_that_goes_on_record_is_translated():
    """A record is English, whoever pressed the button."""
    facts = {name for module in (acts, commands, contents) for name, kind in vars(module).items() if isclass(kind)}
    translated = [
        f"{path}:{call.lineno}"
        for path in messages.translated_files()
        for call in ast.walk(messages.parsed(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute)
        if (call.func.id if isinstance(call.func, ast.Name) else call.func.attr) in facts
        for given in (*call.args, *(keyword.value for keyword in call.keywords))
        for part in ast.walk(given)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("_", "_n")
    ]
    assert translated == []


@pytest.mark.slow
def test_no_place_of_a_function_hides_the_mark():
    """`for a, _ in pairs` would make `_` a value within the whole function."""
    hidden = [
        f"{path}:{node.lineno}"
        for path in messages.translated_files()
        for function in ast.walk(messages.parsed(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in assigned(function)
        if node.id == "_"
    ]
    assert hidden == []


def assigned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.Name]:
    """Names to which a function gives a value, but for those of its comprehensions, which have places of their own."""
    own = {
        id(name) for node in ast.walk(function) if isinstance(node, ast.comprehension) for name in ast.walk(node.target)
    }
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return [name for name in names if id(name) not in own]
