"""Set-up from a foreign document: question, options, drivers, and nothing else."""

from pathlib import Path

import pytest

from debate_core.documents.decision import MAX_OPTIONS, read_decision
from debate_core.host.uploads import source_from_file
from debate_core.spec.values import Source

ADRS = Path(__file__).resolve().parents[3] / "shared" / "data" / "adr"

MADR = """---
status: proposed
---
# ADR-0012: Where do orders live

## Context and Problem Statement

The primary lags. Which store do we move to first? It has to be known by June.

## Decision Drivers

* Time until it works, because the season begins in June and nobody can wait for a long migration of all tables
  of all our teams
* **Cost** per month
  * what the licence adds

## Considered Options

* [Managed Postgres](https://example.org/a)
* `CockroachDB` (chosen)
* Option 3 - **Keep** what we have

We looked at these in May.

* no option any more

## Decision Outcome

Chosen option: "CockroachDB"
"""
NYGARD = """# 7. Record architecture decisions

Date: 2024-01-02

## Status

Accepted

## Context

We need to record decisions.

## Decision

We will use records.
"""
HEADINGS = """Payment retries
===============

Background
----------
Retries double charges. Should we retry at all, and where?

Options
-------
### Option A: Retry in the client
It is simple.
### Option B: Retry in a queue
It is safe.

Evaluation criteria
-------------------
1. No double charge
2. Effort
"""
PROS_ONLY = """# Message bus
## Pros and Cons of the Options
### 1. Kafka
* Good, because fast
### 2. RabbitMQ
* Good, because known
"""
NUMBERED = """# Filters
## [Option 1] Add a method
### Option 1.1 - With a default
## [Option 2] Add an interface
## Outcome
"""
NOTE = """Design note

Question: Do we split the monolith this year?
Options: split by team; split by data; leave it
Criteria: lead time, cost and risk
"""
PLAIN = """OPTIONS
a) Stay
b) Leave: it costs a year, and nobody knows what the new place will charge us after that
REQUIREMENTS
- Runs offline
"""
Y = """# Sessions
In the context of the web shop, facing slow logins, we decided for server-side sessions and against signed cookies or a
third party, to achieve revocation, accepting a lookup per request.
"""
GERMAN = """# Bestellungen
## Entscheidungsfrage
Wie veröffentlichen wir Bestellungen?
## Betrachtete Optionen
- Ausgangstabelle
- Direkt senden
## Entscheidungstreiber
- Nichts geht verloren
"""
BOLD = """# Cache
**Considered Alternatives:**

1. **Redis**: it is known to all of us, and the platform team runs it already for two other teams
2. **In memory** - nothing to run

**Forces**

- Latency
"""
TEMPLATE = """# {short title of solved problem and solution}
## Context and Problem Statement
{Describe the context. You may articulate the problem as a question.}
## Considered Options
- {title of option 1}
- {title of option 2}
- …
## Decision Drivers
* {driver 1}
"""
FENCED = """# Parser
```
## Considered Options
- not this
- nor this
```
<!--
## Decision Drivers
- nor that
-->
"""
LONG = "# Which one?\n## Options\n" + "".join(f"- way {n}\n" for n in range(1, 12))
MANY_QUESTIONS = """# Storage
## Context
See http://example.org/?q=1. Is it slow? For us, how do we keep v2.0 clients working? We do not know.
"""

CASES = {
    "MADR": (
        MADR,
        "Which store do we move to first?",
        ["Managed Postgres", "CockroachDB", "Keep what we have"],
        ["Time until it works", "Cost per month"],
    ),
    "Nygard": (NYGARD, "Record architecture decisions", [], []),
    "headings with underlines": (
        HEADINGS,
        "Should we retry at all, and where?",
        ["Retry in the client", "Retry in a queue"],
        ["No double charge", "Effort"],
    ),
    "pros and cons alone": (PROS_ONLY, "Message bus", ["Kafka", "RabbitMQ"], []),
    "numbered headings": (NUMBERED, "Filters", ["Add a method", "Add an interface"], []),
    "a note in lines": (
        NOTE,
        "Do we split the monolith this year?",
        ["split by team", "split by data", "leave it"],
        ["lead time", "cost", "risk"],
    ),
    "plain text": (PLAIN, "", ["Stay", "Leave"], ["Runs offline"]),
    "Y-statement": (Y, "Sessions", ["server-side sessions", "signed cookies", "a third party"], []),
    "German": (
        GERMAN,
        "Wie veröffentlichen wir Bestellungen?",
        ["Ausgangstabelle", "Direkt senden"],
        ["Nichts geht verloren"],
    ),
    "bold lines": (BOLD, "Cache", ["Redis", "In memory"], ["Latency"]),
    "a template": (TEMPLATE, "", [], []),
    "code and comments": (FENCED, "Parser", [], []),
    "several questions": (MANY_QUESTIONS, "For us, how do we keep v2.0 clients working?", [], []),
    "one option is no choice": ("# Q\n## Options\n- only this\n", "Q", [], []),
    "a choice that is crossed out": (
        "## Options\n- [x] Keep it ✅\n- [ ] ~~Move~~\n- keep it\n",
        "",
        ["Keep it", "Move"],
        [],
    ),
    "empty items": ("## Alternatives\n- one\n-\n- two\n", "", ["one", "two"], []),
    "prose": ("We met on Monday and talked about options: many. Nothing was said.\n", "", [], []),
}


def given(text: str) -> tuple[str, list[str], list[str]]:
    found = read_decision(Source(id="E1", title="t", text=text))
    return "".join(found.question.values), [*found.options.values], [*found.drivers.values]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("case", CASES)
def test_what_a_document_names_is_found_and_nothing_else(case: str, end: str):
    text, *expected = CASES[case]
    assert given(text.replace("\n", end)) == tuple(expected)


@pytest.mark.parametrize(
    ("listed", "options"),
    [
        ("- errors < 1 % and load > 40 %\n- read from A", ["errors < 1 % and load > 40 %", "read from A"]),
        ("- `Set<Key>`\n- `Set<Key?>`\n- Map<Key, Set<Key>>", ["Set<Key>", "Set<Key?>", "Map<Key, Set<Key>>"]),
        ("- <https://a.example>\n- <https://b.example/x>", ["https://a.example", "https://b.example/x"]),
        ("- `__main__.py`\n- setup_all.py\n- C#\n- C", ["__main__.py", "setup_all.py", "C#", "C"]),
        ("| Option | Cost |\n|---|---|\n| **Owl** | 3 |\n| Do nothing | 0 |", ["Owl", "Do nothing"]),
        ("| # | Name |\n|---|---|\n| 1 | Owl |\n| 2 | Kite |", ["Owl", "Kite"]),
        ("| Criterion | Owl | Kite |\n|---|---|---|\n| Cost | 3 | 4 |", ["Owl", "Kite"]),
        ("<table><tr><td>Owl</td></tr></table>\n\n- Kite\n- Jay", ["Kite", "Jay"]),
        ("**Owl**\n\nIt sees.\n\n**Kite**\n\nIt flies.", ["Owl", "Kite"]),
        ("**Owl**: it sees.\n\n**Kite**: it flies.", ["Owl", "Kite"]),
        ("### Owl\n#### Pros\n- fast\n#### Cons\n- big\n### Kite\n**Pros:** slow", ["Owl", "Kite"]),
        ("- None\n- Owl", ["None", "Owl"]),
        ("- Owl\n- (no other option known)", []),
        ("None", []),
        ("### Option: Owl\n### Option: Kite", ["Owl", "Kite"]),
    ],
)
def test_options_of_a_section_are_read_in_each_form(listed: str, options: list[str]):
    assert given(f"# Which bird?\n\n## Considered Options\n\n{listed}\n")[1] == options


@pytest.mark.parametrize(
    "label", ["Option A2: ", "Option 2.1 - ", "[Option 2] ", "Alternative II: ", "Lösung 2: ", "2. "]
)
def test_label_is_left_out_and_a_long_name_is_kept(label: str):
    words = "take away that a source is created by a request on the list of all the sources that we have"
    assert given(f"## Options\n- {label}{words}\n- {label}keep it\n")[1] == [words, "keep it"]


def test_word_that_begins_like_a_label_is_kept():
    assert given("## Options\n- Optional fields\n- Alternatives API\n")[1] == ["Optional fields", "Alternatives API"]


@pytest.mark.parametrize(
    "sentence",
    [
        "We have decided to use the binary form. Although text is simpler, we believe that binary is faster and small.",
        "We decided to keep it, because it is known, and nobody is against it.",
        "We have decided for weekly releases; instead of a plan we keep a list, a board and a date.",
    ],
)
def test_two_sentences_are_no_options(sentence: str):
    assert given(f"# Wire\n\n## Decision\n\n{sentence}\n")[1] == []


def test_alternatives_begin_with_the_proposal():
    decided = "# {title}\n\n## Decision\n\n{decision}\n\n## {heading}\n\n- Kite: nobody has run it\n- Leave it\n"
    for title, decision, heading, first, where in (
        ("Run jobs on Owl", "We will run them on Owl.", "Alternatives", "Run jobs on Owl", "its title"),
        ("Batch jobs", "Chosen option: Owl, because it is fast.", "Alternatives considered", "Owl", "its decision"),
        ("Jobs auf Eule", "Wir nehmen Eule.", "Verworfene Optionen", "Jobs auf Eule", "its title"),
        ("Faster jobs", "", "Rejected ideas", "Faster jobs", "its title"),
        ("Ejecutar en Owl", "Usamos Owl.", "Alternativas descartadas", "Ejecutar en Owl", "its title"),
    ):
        text = decided.format(title=title, decision=decision, heading=heading)
        options = read_decision(Source(id="E1", title="t", text=text)).options
        assert (options.values[0], options.proposal_from) == (first, where)
        assert options.values[-1] == "Leave it"


def test_alternatives_that_name_the_choice_are_all():
    text = "# Which bird?\n\n## Decision\n\nWe will use Kite.\n\n## Alternatives\n\n- Kite\n- Owl\n"
    options = read_decision(Source(id="E1", title="t", text=text)).options
    assert (options.values, options.proposal_from) == (("Kite", "Owl"), "")


@pytest.mark.parametrize(
    ("text", "decisions"),
    [
        (
            "# 9. Decisions\n## 9.1 Bus\n### Options\n- Owl\n- Kite\n## 9.2 Store\n### Options\n- one\n- two\n",
            ("Bus", "Store"),
        ),
        ("# Bus\n## Options\n- Owl\n- Kite\n# Store\n## Options\n- one\n- two\n", ("Bus", "Store")),
        (
            "# Names\n## Scope considered options\n- all\n- some\n## Sorting considered options\n- up\n- down\n",
            ("Scope", "Sorting"),
        ),
        (
            "# All\n## Questions\n### Bus\n#### Option 1: Owl\n#### Option 2: Kite\n"
            "### Store\n#### Option 1: one\n#### Option 2: two\n### Option 3: three\n### Option 4: four\n",
            ("Bus", "Store"),
        ),
    ],
)
def test_several_decisions_are_named_and_not_mixed(text: str, decisions: tuple[str, ...]):
    found = read_decision(Source(id="E1", title="t", text=text))
    assert (found.decisions, found.options.values) == (decisions, ())


@pytest.mark.parametrize(
    ("options", "drivers"),
    [
        ("Considered Options", "Decision Drivers"),
        ("Betrachtete Optionen", "Entscheidungstreiber"),
        ("Opciones consideradas", "Criterios de decisión"),
        ("Options envisagées", "Critères de décision"),
        ("Opções consideradas", "Critérios de decisão"),
        ("Opzioni considerate", "Criteri di decisione"),
        ("Overwogen opties", "Beslissingscriteria"),
    ],
)
def test_headings_are_read_in_seven_languages(options: str, drivers: str):
    text = f"# Bird\n\n## {options}\n\n- Owl\n- Kite\n\n## {drivers}\n\n- Cost\n"
    for form in (text, text.replace(" ", "\u00a0"), text.replace("## ", "**").replace("\n\n-", "**\n\n-")):
        assert given(form)[1:] == (["Owl", "Kite"], ["Cost"])


def test_title_in_front_matter_that_asks_beats_a_heading():
    text = "---\ntitle: Where do sessions live?\n---\n# Session store\n\nText."
    assert read_decision(Source(id="E1", title="t", text=text)).question.values == ("Where do sessions live?",)
    answered = text.replace("live?", "live")
    assert read_decision(Source(id="E1", title="t", text=answered)).question.values == ("Session store",)


def test_it_is_said_where_it_stands_and_what_is_too_much():
    found = read_decision(Source(id="E1", title="t", text=MADR))
    assert (found.question.heading, found.options.heading) == ("Context and Problem Statement", "Considered Options")
    many = read_decision(Source(id="E1", title="t", text=LONG)).options
    assert (len(many.values), many.n_left) == (MAX_OPTIONS, 3)


def test_what_is_too_long_ends_at_a_word():
    options = ["x" * 60 + " " + "word " * 60, "short"]
    found = given("## Options\n" + "".join(f"- {option}\n" for option in options))[1]
    assert len(found[0]) <= 200
    assert found[0].endswith("word…")


def test_real_decision_records_give_what_they_name():
    """Measured by hand: of these records 14 name the options of one decision, and three hold several decisions."""
    if not ADRS.exists():
        pytest.skip("the real decision records are not here")
    read = [read_decision(source_from_file(path, source_id="E1")) for path in sorted(ADRS.glob("0*.md"))]
    assert len(read) == 26
    assert all(record.question.values for record in read)
    assert sum(bool(record.options.values) for record in read) == 14
    assert sum(bool(record.decisions) for record in read) == 3
    assert sum(bool(record.drivers.values) for record in read) >= 19
