"""Promises of the documents to contributors: existing paths, true diagrams, and tested steps.

Knows nothing of the wording.
"""

import re
from pathlib import Path
from typing import get_args

import pytest

from bench import draw
from debate_core.engine.rights import MAY
from debate_core.record.acts import ROOM_KINDS
from debate_core.record.events import KINDS, Body
from debate_core.seats.forecast import ANSWER_TOKENS
from debate_core.seats.prompts.blocks import _LABELS
from debate_core.spec.contents import Content, Gives, LineSection
from debate_core.spec.panels import read_panels, url_warning
from debate_core.ui.kit.protocol_words import GIVES_WORDS
from debate_core.ui.turn.form import FORMS

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))))
SOURCE_NAME = re.compile(r"\w\.(py|js|css|toml|yml|md|txt)$")
"""`debate.json`, `events.jsonl` and `votes.csv` are no such names: they are files that a debate is exported as."""
USERS_OWN = {"panels.toml", "FILE.toml", ".streamlit/secrets.toml", ".venv/bin/python", "docs/decisions", "serve.py"}
USERS_OWN |= {"deploy/secrets/", "app.toml", "owner.toml", "tls/fullchain.pem", "tls/privkey.pem"}
"""What is made by whoever runs the program, or is an example in a command."""

NETWORK_SETTINGS = ("DEBATE_HTTPS_PROXY", "DEBATE_NO_PROXY", "DEBATE_CA_FILE", "DEBATE_TRUST_ENV")
TEXTS = {".py", ".md", ".js", ".css", ".toml", ".po", ".conf", ".yml", ".service"}
LEADS_NOWHERE = re.compile(r"\bR\d{3}\b|\b[Ss]eeds? 0\d\d\b|\bMechanism \d|\bSCIENCE\b|\bclash \d")
"""`R037`, `seed 004`, `SCIENCE 3`: rows and chapters of lists that are not in the repository."""


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def paths_in(text: str) -> set[str]:
    """Return texts that look like a path of the repository: in a link, or as code with a slash or a source suffix."""
    linked = {target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target}
    words = {word for code in re.findall(r"`([^`\n]+)`", text) for word in code.split()}
    named = {word for word in words if re.fullmatch(r"[.\w-]+(/[\w.-]+)*/?", word)}
    return linked | {word for word in named if "/" in word or SOURCE_NAME.search(word)}


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_exists(page: str) -> None:
    places = (ROOT, (ROOT / page).parent)
    lost = [p for p in paths_in(text_of(page)) - USERS_OWN if not any((place / p).exists() for place in places)]
    assert lost == []


def test_no_file_refers_to_a_list_outside_the_repository() -> None:
    """A reason is said in words or by where it is published; only tests have numbers of requirements."""
    folders = [ROOT / name for name in ("debate_core", "pages", "bench", "deploy", "docs")]
    read = [path for folder in folders for path in folder.rglob("*") if path.suffix in TEXTS]
    lost = [path.name for path in read if LEADS_NOWHERE.search(path.read_text("utf-8"))]
    assert len(read) > 300
    assert lost == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_what_a_page_finds_in_a_module_is_there(page: str) -> None:
    """`sealed` in `debate_core/engine/stage.py`, `Dialect` (`…`), and the rows of a table."""
    pairs = re.findall(r"`([\w.]+)(?:\([^`]*\))?`(?: in |\s*\(| \| )`([\w/]+\.py)`", " ".join(text_of(page).split()))
    assert len(pairs) > 8
    lost = [
        f"{name} in {path}"
        for name, path in pairs
        if not re.search(rf"^(\s*(async )?def|class)? ?{name.split('.')[-1]}\b", text_of(path), re.MULTILINE)
    ]
    assert lost == []


@pytest.mark.parametrize("page", PAGES)
def test_every_target_of_make_that_a_page_names_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", text_of(page))) <= targets


def test_the_diagrams_are_what_holds() -> None:
    page = text_of("docs/architecture.md")
    assert draw.drawn(page) == page


def test_the_map_has_every_room() -> None:
    rooms = {p.parent.relative_to(ROOT).as_posix() + "/" for p in (ROOT / "debate_core").rglob("__init__.py")}
    on_the_map = set(re.findall(r"^\| `(debate_core/[\w/]+/)` \|", text_of("docs/architecture.md"), re.MULTILINE))
    assert on_the_map == rooms - {"debate_core/"}


def test_a_new_content_kind_is_demanded_beyond_types() -> None:
    kinds = set(get_args(Gives))
    assert {
        kind for c in get_args(get_args(Content)[0]) for kind in get_args(c.model_fields["kind"].annotation)
    } == kinds
    assert set(GIVES_WORDS) == kinds
    assert set(FORMS) == kinds
    assert set(ANSWER_TOKENS) == kinds


def test_a_new_line_of_a_content_has_its_label_in_prompts() -> None:
    prose = {content.PROSE_FIELD for content in get_args(get_args(Content)[0])}
    written_otherwise = {"claim", "key_source", "option", "confidence"}
    assert set(_LABELS) == set(get_args(LineSection)) - prose - written_otherwise


def test_a_new_act_or_event_is_demanded_beyond_types() -> None:
    assert set(KINDS.values()) == set(get_args(Body))
    assert set(MAY) == set(ROOM_KINDS.values())


def test_every_test_that_the_security_page_names_is_there():
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    named = set(re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", page))
    assert len([test for _, test in named if test]) >= 30
    gone = [
        f"{path}::{test}"
        for path, test in sorted(named)
        if not (ROOT / path).is_file() or (test and f"def {test}(" not in (ROOT / path).read_text("utf-8"))
    ]
    assert gone == []


def test_each_line_for_a_service_is_a_line_of_a_panel_file() -> None:
    lines = re.findall(r"`(lines\.\w+ = \{.*?\})`", text_of("docs/models.md"))
    file = read_panels("\n".join(lines), where="docs/models.md")
    services = {
        "azure",
        "bedrock",
        "vertex",
        "gemini",
        "lm_studio",
        "ollama",
        "llama_cpp",
        "vllm",
        "openrouter",
        "mistral",
    }
    assert services <= {line.id for line in file.lines}
    assert [url_warning(line) for line in file.lines if url_warning(line)] == []


def test_every_setting_of_the_network_is_explained() -> None:
    for page in ("docs/models.md", "docs/operating.md"):
        told = text_of(page)
        assert [name for name in NETWORK_SETTINGS if f"`{name}`" not in told] == []
