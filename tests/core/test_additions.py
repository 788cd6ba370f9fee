"""Rules, a dialect, a file's column, a protocol, a chart, a screen and a language are added as CONTRIBUTING says.

All steps are taken in one copy of the program: first those after which a test or mypy names the others.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.copied import Ran, commands, copy_to, insert, python, run_tests
from tests.model_server import ModelServer

pytestmark = pytest.mark.slow
KIND = '    "dowdall",\n'
FUNCTION = '''
def dowdall(votes: Profile) -> PointsByOption:
    """A place is worth one over its number."""
    points = dict.fromkeys(votes.options, Fraction(0))
    for vote in votes.votes:
        place = 1
        for tier in vote.tiers:
            for option in tier:
                points[option] += vote.weight / place
            place += len(tier)
    return points

'''
METHOD_ROW = """    "dowdall": Method(
        Elected(kind="dowdall"),
        partial(by_points, elections.dowdall),
        wins="a place is worth one over its number, and the option with the most points wins",
        source="Nauru 1971",
        unit="points",
    ),
"""
STOP_RULE = '''class MaxClaims(Value):
    """Ends after the phase in which so many claims of the debate have been made."""

    kind: Literal["max_claims"] = "max_claims"
    claims: Annotated[int, Field(ge=1, le=1_000)]


'''
GOES_BY = """        case MaxClaims():
            return None
"""
HOLDS = """        case rules.MaxClaims():
            return StopCheck("phase", rule.kind, lambda state: len(state.claims) >= rule.claims)
"""
STOP_WORDS = """        case rules.MaxClaims():
            return _n(rule.claims, "after {n} claim", "after {n} claims")
"""
ENDED = """        "max_claims": "as many claims had been made as were agreed",
"""
CASE = """
from debate_core.spec.rules import MaxClaims

def test_so_many_claims_are_enough() -> None:
    played = small(OPEN, n=1, rounds=3, decide=Plurality(), stop=(MaxClaims(claims=2), MaxRounds()))
    for claim in ("It is late.", "It costs a lot."):
        assert played.state.outcome is None
        played.say(Argument(rationale="So.", claims=(Claim(text=claim),), vote="a"))
    assert _ended(played) == ("decided", "a", ("max_claims",), 2)
"""
DIALECT_ROW = """        case "echo":
            return DialectFacts(Sentence("echo · address with /v1"))
"""
ECHO_CLASS = '''"""The dialect of a server that answers at another path."""

from typing import ClassVar

from debate_core.seats.providers.openai import ChatWire


class EchoWire(ChatWire):
    """Chat completions elsewhere."""

    path: ClassVar[str] = "/echo/chat/completions"
'''
ECHO_WIRE = """        case "echo":
            from debate_core.seats.providers.echo import EchoWire

            return EchoWire(line, key, limits, network, transport)
"""
COLUMN = '    "n_words": lambda r: len(r.text.split()),\n'
MEANING = "| `n_words` | Number of words in `text`. |\n"
PURPOSE = "All seats vote once at the same time, and the majority decides; for small questions."
PROTOCOL = f'''SHOW_OF_HANDS = Protocol(
    name="show_of_hands",
    purpose="{PURPOSE}",
    source="our own",
    each_round=(Phase(name="vote", order="at_once"),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=1, warn_above=1, hard_max=2),
)

'''
PROTOCOL_ROW = f"| `show_of_hands` | {PURPOSE} | 1, at most 2 | more than half of all debaters |\n"
CHART = '''"""Chart of the length of each turn, in words."""

from typing import TYPE_CHECKING

from debate_core.language import _, message
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import column, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go


def words_table(account: Account) -> list[FigureRow]:
    """One row per turn."""
    return [{_("turn"): row.turn_id, _("words"): len(row.text.split())} for row in account.turns]


def words_alt(account: Account) -> str:
    """The longest turn in words."""
    longest = max((len(row.text.split()) for row in account.turns), default=0)
    return _("The longest turn has {longest} words.", longest=longest)


def words_chart(account: Account, theme: str) -> "go.Figure":
    """Draw a bar for each turn."""
    from plotly import graph_objects as go

    rows = words_table(account)
    figure = go.Figure(layout=layout_of(palette_of(theme), height=240))
    figure.add_bar(x=column(rows, _("turn")), y=column(rows, _("words")))
    return figure


WORDS = Chart("words", message("Words of each turn"), words_chart, words_alt, words_table)
'''
DRAWN = """    with st.container():
        draw_chart(account, words.WORDS)
"""
SCREEN = '''"""About: what this program is."""

import streamlit as st

from debate_core.language import _

st.title(_("About"), anchor=False)
'''
PAGE = '    ("about", _("About"), ":material/info:", "menu"),\n'
FRENCH = '    "fr": LanguageFacts("Français", _Figures()),\n'
CASES = """
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.language import _, spoken
from debate_core.ui.kit.browser_language import others_html
from debate_core.ui.setup.servers import DIALECTS, dialect_title
from tests.app.test_results import VOTES, opened, page, say
from tests.app.visiting import unfolded


def test_chart(app: AppTest, host: Host) -> None:
    debate = opened(host)
    say(host, debate, *VOTES)
    page(unfolded(app, "words-as-table"), "results.py", debate, tab="Process")
    (chart,) = app.get("plotly_chart")
    assert "The longest turn has 7 words." in str(chart.proto)
    (words,) = (table.value["words"] for table in app.dataframe if "words" in table.value)
    assert list(words) == [7, 7, 7]


def test_screen(app: AppTest) -> None:
    app.run().switch_page("about.py").run()
    assert [title.value for title in app.title] == ["About"]


def test_dialect() -> None:
    assert "echo · address with /v1" in map(dialect_title, DIALECTS)


def test_language() -> None:
    assert "Français" in others_html()
    with spoken("fr"):
        assert (_("Debates"), _("Protocols")) == ("Débats", "Protocols")
"""
MODULES = (
    "debate_core/engine/stopping.py",
    "debate_core/report/phrases/ending.py",
    "debate_core/spec/panels",
    "debate_core/seats/providers/dialects.py",
    "debate_core/seats/probe.py",
)
UNFOLLOWED = """
[[tool.mypy.overrides]]
module = ["anthropic.*", "openai.*"]
follow_imports = "skip"
"""
"""The vendors' packages have most of the modules that mypy would read."""
FILES = (
    "tests/core/test_elections.py",
    "tests/core/test_counting.py",
    "tests/core/test_stopping.py",
    "tests/test_docs_files.py",
    "tests/core/test_presets_played.py",
)
OF_FIRST_STEPS = "row or clause or explains or show_of_hands or page or purpose or twenty"
OF_ALL_STEPS = f"{OF_FIRST_STEPS} or names or voters or weight or tie or mirrored or blank or enough or added"
BALLOTS = "3: A > B > C\n2: B > C > A\n2: C > B > A\n"


@dataclass(frozen=True)
class Added:
    """A copy of the program with every addition, and the outputs on the way."""

    path: Path
    first_tests: str
    """The output of the tests after the first steps."""
    faulty: list[str]
    """The modules at which mypy points then."""
    messages: str
    """The sentences to translate after all steps."""
    tests: str
    """The output of the tests after all steps."""


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Added:
    copy = copy_to(tmp_path_factory.mktemp("copy"))
    with (copy / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write(UNFOLLOWED)
    take_first_steps(copy)
    first_tests = run_tests(copy, "-k", OF_FIRST_STEPS, *FILES)
    assert first_tests.returncode == 1, first_tests.stdout
    dialects = 'Dialect = Literal["chat", "responses", "messages"'
    change(copy / "debate_core" / "spec" / "models.py", dialects, f'{dialects}, "echo"')
    faults = [line for line in check_types(copy).stdout.splitlines() if ": error:" in line]
    faulty = sorted({line.partition(":")[0].removeprefix("debate_core/") for line in faults})

    take_other_steps(copy)
    messages = python(copy, "-m", "bench.messages").stdout
    catalogue = copy / "debate_core" / "locale" / "fr" / "LC_MESSAGES" / "debate.po"
    change(catalogue, 'msgid "Debates"\nmsgstr ""', 'msgid "Debates"\nmsgstr "Débats"')
    tests = run_tests(copy, "-rA", "-k", OF_ALL_STEPS, *FILES, "tests/app/test_added.py")
    for checked in (check_types(copy), tests):
        assert checked.returncode == 0, checked.stdout
    return Added(copy, first_tests.stdout, faulty, messages, tests.stdout)


def change(path: Path, old: str, new: str) -> None:
    """Replace text that is in a file once."""
    insert(path, new, before=old)
    path.write_text(path.read_text("utf-8").replace(new + old, new), "utf-8")


def check_types(copy: Path) -> Ran:
    """Check the types of the modules that read rules and dialects, and of all that they import."""
    return python(copy, "-m", "mypy", *MODULES)


def take_first_steps(copy: Path) -> None:
    """The first steps for a rule, a stop rule, a column and a protocol."""
    core = copy / "debate_core"
    insert(core / "spec" / "rules.py", KIND, before='    "anti_plurality",\n')
    insert(core / "spec" / "rules.py", STOP_RULE, before="class FromRound(Value):")
    insert(core / "spec" / "rules.py", "    | MaxClaims\n", before="    | TopSettled\n)")
    insert(core / "report" / "files" / "csv.py", COLUMN, before="}\n\nUSAGE:")
    seeds = core / "spec" / "presets" / "seeds.py"
    insert(seeds, PROTOCOL, before="PRESETS = (")
    change(seeds, "    ADVERSARY,\n)", "    ADVERSARY,\n    SHOW_OF_HANDS,\n)")


def take_other_steps(copy: Path) -> None:
    """The other steps, and all steps for a chart, a screen and a language."""
    core = copy / "debate_core"
    insert(core / "engine" / "count" / "elections.py", FUNCTION, before="\ndef anti_plurality(")
    insert(core / "engine" / "count" / "methods.py", METHOD_ROW, before='    "copeland": Method(')

    before = "        case rules.FromRound():\n"
    insert(core / "spec" / "rules.py", GOES_BY, before="        case NoFurtherRound():\n")
    insert(core / "engine" / "stopping.py", HOLDS, before=before)
    insert(core / "report" / "phrases" / "ending.py", STOP_WORDS, before=before)
    insert(core / "report" / "phrases" / "ending.py", ENDED, before='        "from_round":')
    with (copy / "tests" / "core" / "test_stopping.py").open("a", encoding="utf-8") as cases:
        cases.write(CASE)

    dialects = core / "seats" / "providers" / "dialects.py"
    unknown = "        case _:\n            assert_never("
    insert(core / "spec" / "dialects.py", DIALECT_ROW, before=f"{unknown}dialect)")
    insert(dialects, ECHO_WIRE, before=f"{unknown}line.")
    (core / "seats" / "providers" / "echo.py").write_text(ECHO_CLASS, "utf-8")

    played = copy / "tests" / "core" / "test_presets_played.py"
    insert(copy / "docs" / "files.md", MEANING, before="\n## claims.csv\n")
    insert(copy / "docs" / "protocols.md", PROTOCOL_ROW, before="\nA protocol is data:")
    insert(played, '    "show_of_hands": 3,\n', before='    "single_call": 1,\n')

    results = core / "ui" / "pages" / "results.py"
    (core / "report" / "figures" / "words.py").write_text(CHART, "utf-8")
    insert(results, DRAWN, before="    in_places((offices.participation, offices.steering), account)\n")
    change(results, "import ranking, votes", "import ranking, votes, words")

    (copy / "pages" / "about.py").write_text(SCREEN, "utf-8")
    insert(copy / "pages" / "_router.py", PAGE, before='    ("room", _("Room")')

    language = core / "language.py"
    change(language, 'Literal["en", "de"]', 'Literal["en", "de", "fr"]')
    insert(language, FRENCH, before="}\n\n\ndef format_number(")
    (copy / "tests" / "app" / "test_added.py").write_text(CASES, "utf-8")


@pytest.fixture(scope="module")
def ran(added: Added) -> dict[str, Ran]:
    """Outputs of the commands, which one process runs."""
    (added.path / "ballots.abif").write_text(BALLOTS, "utf-8")
    record = "tests/records/format1_split.jsonl"
    asked = ["run", "Adopt it?", "--model", "m", "--dialect", "echo", "--rounds", "1", "--out", "d.jsonl"]
    with ModelServer(votes=["adopt"]) as server:
        given = {
            "count": ["count", "ballots.abif", "--rule", "dowdall", "--json"],
            "export": ["export", record, "--format", "csv", "--to", "files"],
            "protocols": ["protocols"],
            "show of hands": ["run", "Adopt it?", "--protocol", "show_of_hands", "--offline", "--json"],
            "echo": [*asked, "--base-url", f"{server.url}/v1"],
            "nowhere": asked,
        }
        held = dict(zip(given, commands(added.path, *given.values()), strict=True))
        assert {call.path for call in server.log} == {"/v1/echo/chat/completions"}
    return held


def test_a_rule_is_a_kind_how_it_elects_and_a_row(added: Added, ran: dict[str, Ran]) -> None:
    assert "dowdall" in added.first_tests
    # A has 3 + 4/3, B has 3/2 + 2 + 1, C has 1 + 1 + 2.
    assert json.loads(ran["count"].stdout)["winners"] == ["B"]
    german = added.messages.partition("fr: ")[0].splitlines()
    assert [line.strip() for line in german if "dowdall" in line or "its number" in line] == [
        "dowdall",
        "a place is worth one over its number, and the option with the most points wins",
    ]


def test_a_stop_rule_is_a_class_when_it_holds_and_two_clauses(added: Added) -> None:
    assert "MaxClaims: why a debate ended" in added.first_tests


def test_types_point_at_each_place_of_a_stop_rule_and_a_dialect(added: Added) -> None:
    stop_rule = ("engine/stopping.py", "spec/rules.py", "report/phrases/ending.py")
    dialect = ("seats/providers/dialects.py", "spec/dialects.py")
    assert added.faulty == sorted((*stop_rule, *dialect))


def test_a_dialect_is_a_name_a_row_and_a_wire(added: Added, ran: dict[str, Ran]) -> None:
    assert "PASSED tests/app/test_added.py::test_dialect" in added.tests
    assert ran["echo"].returncode == 0, ran["echo"].stderr
    assert (ran["nowhere"].returncode, ran["nowhere"].stderr) == (
        2,
        "debate_core: the dialect echo has no vendor: name the address of the server (--base-url)\n",
    )


def test_a_column_is_a_row_of_its_table_and_a_meaning(added: Added, ran: dict[str, Ran]) -> None:
    assert "n_words" in added.first_tests
    assert ran["export"].returncode == 0, ran["export"].stderr
    with (added.path / "files" / "turns.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["n_words"] for row in rows] == [str(len(row["text"].split())) for row in rows]
    assert int(rows[0]["n_words"]) > 0


def test_a_protocol_is_a_value_a_row_and_a_number(added: Added, ran: dict[str, Ran]) -> None:
    assert "KeyError: 'show_of_hands'" in added.first_tests
    assert "assert ['show_of_hands'] == []" in added.first_tests
    assert any("show_of_hands" in line for line in ran["protocols"].stdout.splitlines())
    held = ran["show of hands"]
    # Code abstains in every seat, so the debate ends undecided.
    assert held.returncode == 3, held.stderr
    assert json.loads(held.stdout)["protocol"] == "show_of_hands"


def test_a_chart_is_a_value_that_a_page_draws_with_its_table(added: Added) -> None:
    assert "Words of each turn" in added.messages
    assert "PASSED tests/app/test_added.py::test_chart" in added.tests


def test_a_screen_is_a_script_and_a_row_of_the_menu(added: Added) -> None:
    assert "About" in added.messages
    assert "PASSED tests/app/test_added.py::test_screen" in added.tests


def test_a_language_is_a_row_and_a_catalogue(added: Added) -> None:
    assert "fr: 0 translated" in added.messages
    assert "PASSED tests/app/test_added.py::test_language" in added.tests
