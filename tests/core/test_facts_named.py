"""Numbers, dates, addresses and names: exact by tokens, whatever their spelling."""

import calendar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.report.facts.named_entities import copied, missing, telling, vocabulary

SAID = (
    "We measured 40 ms at p95 on PostgreSQL 16.2, for $1,200 a month. Forty-two percent of the users left in March "
    "2024, see https://example.org/a. It was v2.1.0, with 10k requests, and on 2023-05-01 we had two outages.",
)


@pytest.mark.parametrize(
    "line",
    [
        "It took 40 milliseconds.",
        "40ms were measured",
        "42% of the users left",
        "42 per cent left",
        "USD 1200 per month",
        "1,200 dollars",
        "Version 2.1.0 was used",
        "10,000 requests",
        "It came in March 2024",
        "Since 2024-03 they leave",
        "On 1 May 2023 it fell over",
        "Postgres is what they ran",
        "There were 2 outages, that is two of them",
        "See https://example.org/a.",
        "Three seats agreed",
    ],
)
def test_what_was_said_in_another_spelling_is_there(line):
    assert missing(line, SAID) == ()


@pytest.mark.parametrize(
    ("line", "said", "absent"),
    [
        ("It ended in Sept 2022.", "It ended in September 2022.", ()),
        ("It ended in Sept 2022.", "It ended on 2022-09-30.", ()),
        ("It ended in Sept 2022.", "It ended in August 2022.", ("Sept 2022",)),
        # A name may go on, or be cut short, after five letters.
        ("We run Scala.", "They run Scalable.", ()),
        ("We run Scalable.", "They run Scala.", ()),
        ("We run Scal.", "They run Scalable.", ("Scal",)),
        # The s of several is none of the name, but where three letters may be a name with an s.
        ("They use two APIs.", "They use one API.", ()),
        ("We left AWS.", "We left AW.", ("AWS",)),
        ("It ended on the 4th of May 2023.", "It ended on 4 May 2023.", ()),
    ],
)
def test_a_month_and_a_name_may_be_written_shorter(line: str, said: str, absent: tuple[str, ...]):
    assert missing(line, (said,)) == absent


@pytest.mark.parametrize(
    ("line", "absent"),
    [
        ("It gains 40 %.", ("40 %",)),
        ("It takes 40 s", ("40 s",)),
        ("It costs €1200", ("€ 1200",)),
        ("fifty percent left", ("fifty percent",)),
        ("It serves 10 million", ("10 million",)),
        ("It lost -40 ms", ("-40 ms",)),
        ("Version v2.1.1", ("2.1.1",)),
        ("It came in April 2024", ("April 2024",)),
        ("On 2023-05-02 it fell over", ("2023-05-02",)),
        ("We ran Kafka and S3", ("Kafka", "S3")),
        ("AWS is dear", ("AWS",)),
        ("Gartner reported it", ("Gartner",)),
        ("at p99", ("p99",)),
        ("eBay is dear", ("eBay",)),
        ("We took plan B then", ()),
        ("See https://example.org/b", ("https://example.org/b",)),
    ],
)
def test_what_nobody_said_is_named(line, absent):
    assert missing(line, SAID) == absent


def test_shared_question_words_are_no_facts_but_its_numbers_are():
    assert missing("They ask for Kafka", SAID, vocabulary(["Should we adopt Kafka in 6 months?"])) == ()
    assert missing("They ask for it in 6 months", SAID, vocabulary(["in 6 months"])) == ("6 months",)
    # Nor is a sum at the beginning a number of days, nor a name with capitals in it a word that begins a sentence.
    assert missing("$900 it costs.", ["It takes 900 days."]) == ("$ 900",)
    assert missing("PostgreSQL scales.", ["It scales."]) == ("PostgreSQL",)


@pytest.mark.parametrize(
    ("spelt", "figures"),
    [
        ("5k", "5,000"),
        ("5 hundred", "500"),
        ("7 thousand", "7,000"),
        ("5 million", "5,000,000"),
        ("6bn", "6,000,000,000"),
        ("6 billion", "6,000,000,000"),
        ("nineteen", "19"),
        ("twenty", "20"),
        ("ninety", "90"),
        ("thirty-three", "33"),
        ("forty-nine", "49"),
        ("sixty-one", "61"),
    ],
)
def test_a_number_in_words_is_the_same_in_figures(spelt: str, figures: str):
    assert missing(f"They had {figures} rows", [f"They had {spelt} rows"]) == ()
    assert missing(f"They had {figures}", [f"They had {spelt}"]) == ()
    other = figures.replace(figures[0], "7" if figures[0] == "4" else "4", 1)
    assert missing(f"They had {other} rows", [f"They had {spelt} rows"]) != ()


@pytest.mark.parametrize("other", ["20", "5", "30", "26"])
def test_two_words_for_a_number_are_one_number(other: str):
    assert missing(f"They had {other} rows", ["They had twenty-five rows"]) == (other,)
    # Ten and nought are counted by themselves.
    assert missing("They had 30 rows", ["They had twenty, ten of them rows"]) == ("30",)


MONTHS = calendar.month_name[1:]


@pytest.mark.parametrize(("number", "month"), [*enumerate(MONTHS, start=1)])
def test_a_month_is_its_number(number: int, month: str):
    for spelt in (month, month[:3]):
        assert missing(f"Since 2024-{number:02} they leave", [f"They began in {spelt} 2024"]) == ()
    assert missing(f"Since 2024-{number % 12 + 1:02} they leave", [f"They began in {month} 2024"]) != ()


def test_telling_words_are_not_those_of_every_debate():
    assert telling("The other side says that migration is really dangerous") == {"migration", "dangerou"}
    assert telling("Buy the tape; ICE MORE") == {"tape"}
    assert telling("") == frozenset()


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=200)
lively = st.lists(
    st.sampled_from(
        [
            "40",
            "%",
            "$",
            "5",
            "ms",
            "Kafka",
            "p95",
            "2024-05-01",
            "v2.1",
            "10k",
            "not",
            "€",
            "two",
            "percent",
            "March",
            "7",
            "1,000",
            "…",
            "\n",
        ]
    )
    | st.text(max_size=6),
    min_size=1,
    max_size=30,
).map(" ".join)


@given(lively | texts, st.data())
def test_an_exact_copy_of_what_was_said_has_everything(said, data):
    tokens = said.split(" ")
    first = data.draw(st.integers(0, len(tokens) - 1))
    part = " ".join(tokens[first : data.draw(st.integers(first + 1, len(tokens)))])
    assert copied(part, [said]) or missing(part, [said]) == ()


NUMBERS = st.integers(0, 10**7).map(str) | st.decimals("0.01", "999", places=2).map(str)
UNITS = st.sampled_from(["%", "percent", "ms", "hours", "GB", "x", "$", "years", "rps"])


@given(lively, NUMBERS, UNITS, st.sampled_from(["It gains {} on the whole", "{} more", "so much as ({})", "up to {}."]))
def test_a_planted_number_that_was_not_said_is_always_named(said, number, unit, around):
    """Acceptance: 100 %. `marked` takes every digit away from what was said, so that the number cannot stand there."""
    marked = "".join(c for c in said if not c.isnumeric())
    for word in ("two", "k"):
        marked = marked.replace(word, "")
    assert missing(around.format(f"{number} {unit}"), [marked]) != ()
    # The same number in another unit is not what was said either.
    other = "kb" if unit != "GB" else "mb"
    assert missing(around.format(f"{number} {unit}"), [f"{marked} and {number} {other}"]) != ()


@pytest.mark.parametrize(
    ("line", "absent"),
    [
        ("We asked Kubernetes and then nobody did anything else for many days", ("Kubernetes",)),
        ("Nobody did anything for many days. Kubernetes alone went on and on then", ()),
        ("Nobody did anything for many days, and Kubernetes alone went on then", ("Kubernetes",)),
        ("Nobody did anything for many days. Gartner reported that it went on", ("Gartner",)),
        ("Nobody did anything for many days. Costings reported that it went on", ()),
        ("Nobody did anything for many days: “Kubernetes alone went on and on”", ()),
        # How far back a sentence may begin.
        (f"Nobody did.{' ' * 39}Kubernetes went on", ()),
        (f"Nobody did.{' ' * 40}Kubernetes went on", ("Kubernetes",)),
        ("It costs 1.50 USD and 40.0 ms", ("1.50 usd",)),
        ("It costs 1200.00 USD", ()),
        ("It costs 1,200.50 USD", ("1200.50 usd",)),
    ],
)
def test_where_a_sentence_begins_a_capital_makes_no_name(line, absent):
    said = (*SAID, "It costs 1200 USD.")
    assert missing(line, said) == absent


def test_what_was_copied_word_by_word_has_nothing_missing():
    assert copied("forty two percent of the users left", ("Forty-two percent of the users left in Kiel",))
    assert not copied("", ("anything",))
    # Though five percent are not what was said.
    assert missing("five percent of the users left", ("Forty-five percent of the users left",)) == ()
    assert missing("five percent of them left", ("Forty-five percent of the users left",)) == ("five percent",)
    assert missing("They left Kiel for Bonn", ("They left Kiel for Bonn and came back",)) == ()
    assert missing("They left Kiel for Bonn", ("They left Bonn",)) == ("Kiel",)
