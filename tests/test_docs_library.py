"""The page for programs: every block runs from top to bottom and prints what the page shows below it."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import debate_core as dc
from debate_core.__main__ import main
from tests.holding import NINE_LINES
from tests.model_server import ModelServer

PAGE = Path(__file__).resolve().parent.parent / "docs" / "library.md"
pytestmark = pytest.mark.slow
BLOCK = re.compile(r"^```(python|text|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FIELDS = {"debater", "judge", "moderator", "synthesiser", "synthesis", "option", "sees", "stop"}
FIELDS |= {"max_rounds", "warn_above", "anonymizeTranscript", "shuffleForJudge"}
"""Names in the column `here` that are fields, roles, or names of the source."""
ADDRESS = "http://127.0.0.1:8080/v1"


def printed_by_commands(lines: list[str]) -> str:
    """The output of the last command; the page shows none of the others."""
    for line in lines:
        program, *argv = shlex.split(line.removeprefix("$ python -m "))
        assert program == "debate_core"
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            main(argv)
    return out.getvalue()


def run_page(text: str, **given: object) -> "PageRun":
    """(shown, printed) of each block with output, and the names that the page has defined."""
    names: dict[str, Any] = {"__name__": "page", **given}
    results = []
    printed = ""
    for language, code in BLOCK.findall(text):
        match language:
            case "text":
                results.append((code, printed))
                printed = ""
            case "console":
                commands = [line for line in code.splitlines() if line.startswith("$ ")]
                shown = "".join(f"{line}\n" for line in code.splitlines() if not line.startswith("$ "))
                results.append((shown, printed_by_commands(commands)))
            case _:
                assert printed == "", f"the page does not show what is printed before: {code[:60]}"
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    exec(compile(code, PAGE.name, "exec"), names)
                printed = out.getvalue()
    assert printed == ""
    return results, names


PageRun = tuple[list[tuple[str, str]], dict[str, Any]]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The text of the page, with the address of a server, in an empty working folder."""
    with ModelServer() as server, contextlib.chdir(tmp_path_factory.mktemp("library")):
        yield PAGE.read_text("utf-8").replace(ADDRESS, server.base_url("chat"))


@pytest.fixture(scope="module")
def played(page: str) -> PageRun:
    return run_page(page)


def test_every_block_prints_what_the_page_shows(played: PageRun):
    results, _ = played
    assert len(results) > 8
    assert [shown for shown, _ in results] == [printed for _, printed in results]
    assert results[0][1] == f"{NINE_LINES}\n"


def test_examples_of_sources_run_from_protocol_files(page: str, played: PageRun):
    loaded = []

    def from_file(name: str) -> dc.Protocol:
        path = Path(f"{name}.toml")
        path.write_text(dc.protocol_to_toml(dc.PROTOCOLS[name]), "utf-8")
        loaded.append(name)
        return dc.protocol_from_toml(path.read_text("utf-8"), where=path.name)

    from_file("expert_panel")
    text = re.sub(r"dc\.PROTOCOLS\[(.+?)\]", r"from_file(\1)", page.replace("debates.db", "debates-2.db"))
    text = text.replace("--script mock.json", "--script mock.json --protocol expert_panel.toml")
    results, _ = run_page(text, from_file=from_file)
    assert results == played[0]
    used = {
        "bounded_vote",
        "stance_judge",
        "moderated_judge",
        "deliberation",
        "expert_panel",
        "proposer_critic",
        "tournament",
    }
    assert set(loaded) == used


def test_round_record_of_the_page_meets_its_schema(played: PageRun):
    _, names = played
    validator = Draft202012Validator(names["schema"])
    assert [error.message for error in validator.iter_errors(names["record"])] == []
    broken = {**names["record"], "roundNumber": 4, "criticPosition": {"kind": "critique", "strength": 7}}
    found = sorted(error.message for error in validator.iter_errors(broken))
    assert found == ["'rationale' is a required property", "4 is greater than the maximum of 3"]


def test_every_public_name_on_the_page_exists():
    # R125
    table = PAGE.read_text("utf-8").split("| there | here |")[1].split("```")[0]
    here = " ".join(row.split(" | ")[1] for row in table.splitlines() if " | " in row)
    named = set(re.findall(r"`([A-Za-z_]+)[(.\[`]", here))
    assert named - FIELDS <= set(dc.__all__)
