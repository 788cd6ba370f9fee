"""A decision rule, a stop rule and a dialect are added to a copy of the program, step by step as CONTRIBUTING says."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.copied import copy_to, insert, python, run_tests
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
ROW = """    "dowdall": Method(
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
MODULES = (
    "debate_core/engine/stopping.py",
    "debate_core/ui/kit/protocol_words.py",
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
RULES = ("tests/core/test_elections.py", "tests/core/test_counting.py")
STOPPING = "tests/core/test_stopping.py"
OF_RULES = "row or names or voters or weight or tie or mirrored or blank"
OF_STOPPING = "clause or enough"
BALLOTS = "3: A > B > C\n2: B > C > A\n2: C > B > A\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program and its tests, to be changed."""
    copied = copy_to(tmp_path_factory.mktemp("copy"))
    with (copied / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write(UNFOLLOWED)
    return copied


def check_types(copy: Path) -> subprocess.CompletedProcess[str]:
    """Check the types of the modules that read rules and dialects, and of all that they import."""
    return python(copy, "-m", "mypy", *MODULES)


@pytest.fixture(scope="module")
def incomplete(copy: Path) -> tuple[str, str]:
    """The output of the tests after the first steps of the rules, and the modules at which mypy points after all."""
    core = copy / "debate_core"
    insert(core / "spec" / "rules.py", KIND, before='    "anti_plurality",\n')
    insert(core / "spec" / "rules.py", STOP_RULE, before="class FromRound(Value):")
    insert(core / "spec" / "rules.py", "    | MaxClaims\n", before="    | TopSettled\n)")
    tests = run_tests(copy, "-k", "row or clause", *RULES, STOPPING)
    assert tests.returncode == 1, tests.stdout

    models = core / "spec" / "models.py"
    names = 'Dialect = Literal["chat", "responses", "messages"'
    assert names in models.read_text("utf-8")
    models.write_text(models.read_text("utf-8").replace(names, f'{names}, "echo"'), "utf-8")
    faults = [line for line in check_types(copy).stdout.splitlines() if ": error:" in line]
    return tests.stdout, " ".join(sorted({line.partition(":")[0].removeprefix("debate_core/") for line in faults}))


@pytest.fixture(scope="module")
def complete(copy: Path, incomplete: tuple[str, str]) -> tuple[str, str]:
    """The same, after which the other steps are taken, and tests and types pass."""
    core = copy / "debate_core"
    insert(core / "engine" / "count" / "elections.py", FUNCTION, before="\ndef anti_plurality(")
    insert(core / "engine" / "count" / "methods.py", ROW, before='    "copeland": Method(')

    before = "        case rules.FromRound():\n"
    insert(core / "spec" / "rules.py", GOES_BY, before="        case NoFurtherRound():\n")
    insert(core / "engine" / "stopping.py", HOLDS, before=before)
    insert(core / "ui" / "kit" / "protocol_words.py", STOP_WORDS, before=before)
    insert(core / "report" / "phrases" / "ending.py", ENDED, before='        "from_round":')
    with (copy / STOPPING).open("a", encoding="utf-8") as cases:
        cases.write(CASE)

    dialects = core / "seats" / "providers" / "dialects.py"
    unknown = "        case _:\n            assert_never("
    insert(core / "spec" / "dialects.py", DIALECT_ROW, before=f"{unknown}dialect)")
    insert(dialects, ECHO_WIRE, before=f"{unknown}line.")
    (core / "seats" / "providers" / "echo.py").write_text(ECHO_CLASS, "utf-8")
    tests = run_tests(copy, "-k", f"{OF_RULES} or {OF_STOPPING}", *RULES, STOPPING)
    for checked in (check_types(copy), tests):
        assert checked.returncode == 0, checked.stdout
    return incomplete


def test_a_rule_is_a_kind_how_it_elects_and_a_row(copy: Path, complete: tuple[str, str]) -> None:
    assert "dowdall" in complete[0]
    (copy / "ballots.abif").write_text(BALLOTS, "utf-8")
    count = python(copy, "-m", "debate_core", "count", "ballots.abif", "--rule", "dowdall", "--json")
    # A has 3 + 4/3, B has 3/2 + 2 + 1, C has 1 + 1 + 2.
    assert json.loads(count.stdout)["winners"] == ["B"]

    language = python(copy, "-m", "bench.messages")
    assert [line.strip() for line in language.stdout.splitlines() if "dowdall" in line or "its number" in line] == [
        "dowdall",
        "a place is worth one over its number, and the option with the most points wins",
    ]


def test_a_stop_rule_is_a_class_when_it_holds_and_two_clauses(complete: tuple[str, str]) -> None:
    assert "MaxClaims: why a debate ended" in complete[0]


def test_types_point_at_each_place_of_a_stop_rule_and_a_dialect(complete: tuple[str, str]) -> None:
    stop_rule = ("engine/stopping.py", "spec/rules.py", "ui/kit/protocol_words.py")
    dialect = ("seats/providers/dialects.py", "spec/dialects.py")
    assert complete[1].split() == sorted((*stop_rule, *dialect))


@pytest.mark.usefixtures("complete")
def test_a_dialect_is_a_name_a_row_and_a_wire(copy: Path) -> None:
    titles = "from debate_core.ui.setup.servers import DIALECTS, dialect_title; print(*map(dialect_title, DIALECTS))"
    assert "echo · address with /v1" in python(copy, "-c", titles).stdout
    asked = ["run", "Adopt it?", "--model", "m", "--dialect", "echo", "--rounds", "1", "--out", "d.jsonl"]
    with ModelServer(votes=["adopt"]) as server:
        held = python(copy, "-m", "debate_core", *asked, "--base-url", f"{server.url}/v1")
        assert held.returncode == 0, held.stderr
        assert {call.path for call in server.log} == {"/v1/echo/chat/completions"}
    nowhere = python(copy, "-m", "debate_core", *asked)
    assert (nowhere.returncode, nowhere.stderr) == (
        2,
        "debate_core: the dialect echo has no vendor: name the address of the server (--base-url)\n",
    )
