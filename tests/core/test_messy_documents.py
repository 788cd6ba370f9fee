"""Documents as people bring them: footnotes, invisible signs, merged cells, numbered headings, minutes of meetings."""

import re

import pytest

from debate_core.documents.decision import DecisionDocument, read_decision
from debate_core.documents.document import read_document, without_number
from debate_core.documents.findings import Findings, decision_findings
from debate_core.documents.transcripts import read_meeting
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.errors import InvalidSpec
from debate_core.host.access.people_list import read_list
from debate_core.host.imports.reading import read_for_import
from debate_core.host.uploads import read_source
from debate_core.spec.values import Source


def decision(text: str) -> DecisionDocument:
    return read_decision(Source(id="E1", title="notes.md", text=text))


def findings(text: str) -> Findings:
    return decision_findings(Source(id="E1", title="notes.md", text=text))


def stated(text: str, field: str) -> list[str]:
    return [value.value for value in findings(text).found if value.field == field]


@pytest.mark.parametrize(
    ("listed", "options"),
    [
        ("- Kafka[^1]\n- NATS\n\n[^1]: LinkedIn\n", ("Kafka", "NATS")),
        ("- Match `[^a-z]` alone\n- NATS\n", ("Match [^a-z] alone", "NATS")),
        ("- PostgreSQL (16) on VMs\n- Stay on 5. x\n", ("PostgreSQL (16) on VMs", "Stay on 5. x")),
        ("- Move A → B\n- 🤔 NATS 🚀\n", ("Move A → B", "NATS")),
        ("- Ka\u00adfka\n- NA\u200bTS\n", ("Kafka", "NATS")),
        ("### 1.1 Kafka\nlog\n### 1.2 NATS\nbus\n", ("Kafka", "NATS")),
        ("- 3.11 LTS\n- 3.12 new\n", ("3.11 LTS", "3.12 new")),
        ("Kafka\n: A log.\n\nNATS\n: A bus.\n", ("Kafka", "NATS")),
        ("- ![Logo](kafka.png) of Kafka\n- NATS\n", ("Logo of Kafka", "NATS")),
        (". Kafka\n. NATS\n", ("Kafka", "NATS")),
        ("| | Option 1: Kafka | Option 2: NATS |\n|-|-|-|\n| Pros | fast | light |\n", ("Kafka", "NATS")),
        ("| | Cost | Speed |\n|-|-|-|\n| Kafka | 3 | 1 |\n| NATS | 2 | 2 |\n", ("Kafka", "NATS")),
    ],
)
def test_options_of_messy_lists_keep_their_words(listed: str, options: tuple[str, ...]):
    assert decision(f"# Which broker?\n\n## Options\n\n{listed}").options.values == options


def test_headings_with_soft_hyphens_are_read():
    read = decision("# Which mes\u00adsage bro\u00adker?\n\n## Consid\u00adered Options\n\n- Kafka\n- NATS\n")
    assert (read.question.values, read.options.values) == (("Which message broker?",), ("Kafka", "NATS"))


def test_drivers_may_have_the_name_of_an_aspect():
    text = "# Which broker?\n\n## Drivers\n\n{}"
    assert decision(text.format("**Cost**\n\nMoney.\n\n**Speed**\n\nTime.\n")).drivers.values == ("Cost", "Speed")
    assert decision(text.format("### Risk\n\nx\n\n### Cost\n\ny\n")).drivers.values == ("Risk", "Cost")


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Move from REST → gRPC", "Move from REST → gRPC"),
        ("🚀 Which broker? 🎉", "Which broker?"),
        ("Besluit 4: A", "A"),
    ],
)
def test_title_loses_only_pictures_at_its_ends(title: str, words: str):
    assert without_number(title) == words


@pytest.mark.parametrize("title", ["Verbale", "Minutes", "Meeting notes", "Compte rendu", "Acta de reunión", "Ata"])
def test_minutes_are_no_question_and_no_option(title: str):
    read = decision(f"# {title}\n\n## Rejected alternatives\n\n- Kafka\n- NATS\n")
    assert (read.question.values, read.options.values) == ((), ("Kafka", "NATS"))


def test_first_line_can_ask_the_question():
    assert decision("Which broker do we use?\n\nOptions\n1) Kafka\n2) NATS\n").question.values == (
        "Which broker do we use?",
    )


@pytest.mark.parametrize(
    "outcome",
    [
        "## Décision\n\nNous retenons Kafka.\n",
        "## Decisión\n\nElegimos Kafka.\n",
        "## Decisão\n\nEscolhemos Kafka.\n",
        "## Decisione\n\nAbbiamo scelto Kafka.\n",
        "## Besluit\n\nWe kiezen Kafka.\n",
        "## Entscheidung\n\nWir haben uns für Kafka entschieden.\n",
        "## Decision\n\nOption 1\n",
        "Decision: Kafka, because we know it.\n",
    ],
)
def test_choice_is_read_in_every_language(outcome: str):
    assert stated(f"# Which broker?\n\n## Options\n\n- Kafka\n- NATS\n\n{outcome}", "chosen") == ["Kafka"]


@pytest.mark.parametrize("outcome", ["Nous ne retenons pas Kafka.", "We kiezen Kafka niet."])
def test_denied_choice_is_none(outcome: str):
    assert stated(f"# Which broker?\n\n## Options\n\n- Kafka\n- NATS\n\n## Decision\n\n{outcome}\n", "chosen") == []


def test_y_statement_names_the_chosen_option():
    text = "# Sessions\n\nFor the shop, we decided for Redis and against PostgreSQL and cookies, to achieve speed.\n"
    assert stated(text, "option") == ["Redis", "PostgreSQL", "cookies"]
    assert stated(text, "chosen") == ["Redis"]


def test_title_is_no_proposal_beside_the_chosen_alternative():
    read = decision("# Message broker\n\n## Considered alternatives\n\n- Kafka\n- NATS\n\n## Decision\n\nKafka\n")
    assert (read.options.values, read.options.proposal_from) == (("Kafka", "NATS"), "")


def test_table_of_metadata_gives_fields():
    table = "| Status | Accepted |\n|-|-|\n| Date | 2024-02-03 |\n| Deciders | [Ana](mailto:ana@example.org), Bo |\n"
    text = f"# Use Kafka\n\n{table}"
    assert [stated(text, field) for field in ("status", "date", "decided_by")] == [
        ["Accepted"],
        ["2024-02-03"],
        ["Ana, Bo"],
    ]
    assert read_document("# Use Kafka\n\n| Title | Author |\n|-|-|\n| A | B |\n").fields == ()


def test_comment_of_a_template_is_no_decider():
    assert stated("# Use Kafka\n\n* Deciders: Ana <!-- optional -->\n", "decided_by") == ["Ana"]


def test_merged_cells_of_a_page_keep_their_column():
    page = (
        "<h1>Which log store?</h1><h2>Options</h2><table><tr><th>Option</th><th>Aspect</th><th>Mark</th></tr>"
        "<tr><td rowspan=2>Loki</td><td>price</td><td>5</td></tr><tr><td>speed</td><td>3</td></tr>"
        "<tr><td colspan='2'>Elastic</td><td>2</td></tr></table>"
    )
    source = read_source("page.html", page.encode(), source_id="E1")
    assert source.text.splitlines()[-4:] == [
        "|---|---|---|",
        "| Loki | price | 5 |",
        "|  | speed | 3 |",
        "| Elastic |  | 2 |",
    ]
    assert read_decision(source).options.values == ("Loki", "Elastic")


def test_two_speakers_of_one_cue_are_told_apart():
    cues = "1\n00:00:01,000 --> 00:00:02,000\nANN: Keep it?\n\n2\n00:00:02,000 --> 00:00:03,000\nBO: Yes.\n\n"
    meeting = read_meeting(f"{cues}3\n00:00:03,000 --> 00:00:04,000\n- ANN: Good,\nit works.\n- BO: Fine.\n")
    assert [(one.speaker, one.text) for one in meeting.utterances] == [
        ("ANN", "Keep it?"),
        ("BO", "Yes."),
        ("ANN", "Good, it works."),
        ("BO", "Fine."),
    ]


def test_long_names_and_names_without_capitals_are_speakers():
    lines = ("Ann Lee: Keep it?", "JOSÉ ÁLVAREZ DE LA CRUZ: No.", "Ann Lee: Why?", "李雷: 好的")
    meeting = read_meeting("\n".join(lines))
    assert meeting.speakers == ("Ann Lee", "JOSÉ ÁLVAREZ DE LA CRUZ", "李雷")


def test_table_with_old_line_ends_or_a_hint_keeps_its_lines():
    for table, line in (("Option,Cost\rKafka,3\rNATS,2\r", 2), ("sep=;\r\nOption;Cost\r\nKafka;3\r\nNATS;2\r\n", 3)):
        found = read_for_import("options.csv", table.encode()).found
        places = [(value.value, value.place and value.place.line) for value in found if value.field == "option"]
        assert places == [("Kafka", line), ("NATS", line + 1)]


def test_ballots_below_an_empty_line_are_read():
    votes = read_ballots("\r\n;;\r\nvoter_alias;status;choice\r\nV1;cast;queue\r\nV2;cast;calls\r\n", name="votes.csv")
    assert votes.options == ("queue", "calls")


def test_ballots_by_hand_may_differ_in_case_and_blanks():
    votes = read_ballots(" Voter_Alias, Status ,CHOICE\nV1, Cast ,queue\nV2,CAST, queue\n", name="votes.csv")
    assert votes.options == ("queue",)
    assert votes.naming() == 2


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("V1,maybe,queue", "line 2: 'maybe' is no status of a ballot: cast, abstained"),
        (",cast,queue", "line 2: voter_alias is empty"),
    ],
)
def test_no_ballot_is_lost_silently(row: str, fault: str):
    with pytest.raises(InvalidSpec, match=re.escape(fault)):
        read_ballots(f"voter_alias,status,choice\n{row}\n", name="votes.csv")


def test_people_of_a_list_lose_its_marks():
    text = "sep=;\nTo: Ana Ruiz <ana@example.org>\n- Bo Ng\n2) Cy\n* [x] Di\n• Ed, judge\n"
    assert [person.name for person in read_list(text)] == ["Ana Ruiz", "Bo Ng", "Cy", "Di", "Ed"]
