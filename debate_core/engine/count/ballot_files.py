"""Ballots from files: ABIF, PrefLib (.soc .soi .toc .toi), and this program's votes.csv.

Text in, a Profile out; every error is one sentence with its line number. Knows no rule.
"""

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from io import StringIO
from itertools import chain
from typing import get_args

from debate_core.csv_text import separated
from debate_core.engine.count.ballots import BallotCounted, profile_of
from debate_core.engine.count.profile import Profile, Vote, by_worth
from debate_core.errors import InvalidSpec
from debate_core.names import name_key
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.values import ABSTAIN, BallotKind, BallotStatus, Given

PREFLIB = (".soc", ".soi", ".toc", ".toi")
MAX_OPTIONS = 500
MAX_VOTES = 10**12


def read_ballots(text: str, *, name: str, poll: str | None = None, agreeing: bool = False) -> Profile:
    """Read the ballots of a file by its extension. InvalidSpec names the allowed formats or the invalid line.

    `poll` selects one count of our own votes.csv. `agreeing` treats ballots that contradict their text as blank.
    """
    _, dot, last = name.lower().rpartition(".")
    ending = dot + last
    if poll is not None and ending != ".csv":
        raise InvalidSpec(f"--poll chooses a count in our own votes.csv; {name} has only one")
    if ending == ".abif":
        return read_abif(text)
    if ending in PREFLIB:
        return read_preflib(text)
    if ending == ".csv":
        return _votes_csv(text, poll=poll, agreeing=agreeing)
    raise InvalidSpec(f"{name}: ballots are read from .abif, {', '.join(PREFLIB)} or our own votes.csv")


def _profile(options: dict[str, None], votes: list[Vote]) -> Profile:
    if not options:
        raise InvalidSpec("no option is named in these ballots")
    if len(options) > MAX_OPTIONS:
        raise InvalidSpec(f"{len(options)} options are more than {MAX_OPTIONS}")
    return Profile(tuple(options), tuple(votes))


# `12`, `2.5`, `1/3`; not `1e999999999`, which would not fit into memory
_NUMBER = re.compile(r"[-+]?[\d./]{1,40}")


def _weight(text: str, line: int) -> Fraction:
    written = text.strip()
    weight = _number(written)
    if weight is None:
        raise InvalidSpec(f"line {line}: {written[:40]!r} is no number of ballots")
    if not 0 <= weight <= MAX_VOTES:
        raise InvalidSpec(f"line {line}: the number of ballots must be 0 to {MAX_VOTES}, not {written}")
    return weight


def _number(written: str) -> Fraction | None:
    if not _NUMBER.fullmatch(written):
        return None
    try:
        return Fraction(written)
    except (ValueError, ZeroDivisionError):
        return None


# A comment begins after a blank, outside of names: `[C#]>F# # by hand`. A `#` within a word is part of the name.
_BEFORE_COMMENT = re.compile(r"(?:\[[^\]]*\]|\"[^\"]*\"|(?<![\s\]\"])#|[^#])*")
# "B#comment" and ">#B" are ambiguous: a name or a comment
_UNCLEAR = re.compile(r"[^\s>=,/#\[\]\":]#[^\s>=,/#\[\]\":]|[>=,]#")


def _without_comment(ballot: str, line: int) -> str:
    before = _BEFORE_COMMENT.match(f" {ballot}")
    kept = before[0][1:] if before else ballot
    bare = re.sub(r"\[[^\]]*\]|\"[^\"]*\"", "", kept)
    if unclear := _UNCLEAR.search(bare):
        raise InvalidSpec(
            f"line {line}: {bare[unclear.start() :].strip()[:40]!r} is a name or a comment: put brackets around a name "
            "with # in it, as in [C#8], and a blank before a comment"
        )
    return kept


# `[a name]`, `"a name"` or a bare one
_TOKEN = re.compile(r"""\s*(?:\[(?P<bracket>[^\]]*)\]|"(?P<quoted>[^"]*)"|(?P<bare>[^\s>=,;/\[\]":]+))\s*""")
# `/5` after an option
_SCORE = re.compile(r"\s*/\s*(\d{1,15}(?:\.\d{1,12})?)\s*")


def read_abif(text: str) -> Profile:
    """Aggregated Ballot Information Format: `12:A>B=C`, `5:A/5>B/2`, `7:A/3,B/1`, `=A:[a name]`, `# comment`."""
    options: dict[str, None] = {}
    votes = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip().removeprefix("\ufeff")
        if not line or line.startswith(("#", "{")):
            continue
        if line.startswith("="):
            options[_declared(line, number)] = None
            continue
        count, colon, ballot = line.partition(":")
        if not colon:
            raise InvalidSpec(f"line {number}: {line[:60]!r} is no ballot, as in 12:A>B")
        votes.append(_abif_vote(_weight(count, number), _without_comment(ballot, number), number))
    for vote in votes:
        options |= dict.fromkeys(o for tier in vote.tiers for o in sorted(tier))
    return _profile(options, votes)


def _declared(line: str, number: int) -> str:
    token = _TOKEN.match(line, 1)
    if token is None or not line[token.end() :].startswith(":"):
        raise InvalidSpec(f"line {number}: {line[:60]!r} names no option, as in =A:[a name]")
    return _named(token)


def _named(token: re.Match[str]) -> str:
    return (token["bracket"] or token["quoted"] or token["bare"] or "").strip()


def _abif_vote(weight: Fraction, ballot: str, number: int) -> Vote:
    tiers: list[set[str]] = [set()]
    points: dict[str, Fraction] = {}
    for option, score, sign in _abif_options(ballot, number):
        tiers[-1].add(option)
        if score is not None:
            points[option] = score
        if sign == ">":
            tiers.append(set())
    has_order = len(tiers) > 1
    if points and not has_order:
        # Without an explicit order, points determine the order.
        return Vote(weight, by_worth({option: points.get(option, 0) for option in tiers[0]}), points)
    return Vote(weight, tuple(frozenset(tier) for tier in tiers if tier), points)


def _abif_options(ballot: str, number: int) -> Iterator[tuple[str, Fraction | None, str]]:
    """Each option with its points, if any, and the sign after it; "" at the end."""
    named = set[str]()
    at = 0
    end = len(ballot.rstrip())
    while at < end:
        token = _TOKEN.match(ballot, at)
        if token is None:
            raise InvalidSpec(f"line {number}: {ballot[at:].strip()[:40]!r} names no option")
        option = _named(token)
        if option in named:
            raise InvalidSpec(f"line {number}: {option!r} is named twice on one ballot")
        named.add(option)
        at = token.end()
        points = None
        if score := _SCORE.match(ballot, at):
            points = Fraction(score[1])
            at = score.end()
        sign = ballot[at : at + 1]
        if sign not in ("", ">", "=", ","):
            raise InvalidSpec(f"line {number}: between options stands >, = or a comma, not {sign!r}")
        yield option, points, sign
        at += 1


# `# ALTERNATIVE NAME 1: tea`
_ALTERNATIVE = re.compile(r"# ALTERNATIVE NAME (\d+):\s*(.*)")
# `{1,3}` or `2` of `{1,3},2`
_LEVEL = re.compile(r"\{([^}]*)\}|([^,{}]+)")


def read_preflib(text: str) -> Profile:
    """PrefLib orders: `# ALTERNATIVE NAME 1: a name`, then `12: 1,{2,3},4`."""
    names: dict[str, str] = {}
    votes = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if named := _ALTERNATIVE.match(line):
            name = named[2].strip() or named[1]
            if name in names.values():
                raise InvalidSpec("two alternatives of this file have the same name")
            names[named[1]] = name
        elif line and not line.startswith("#"):
            votes.append(_preflib_vote(line, names, number))
    return _profile(dict.fromkeys(names.values()), votes)


def _preflib_vote(line: str, names: dict[str, str], number: int) -> Vote:
    count, colon, order = line.partition(":")
    if not colon:
        raise InvalidSpec(f"line {number}: {line[:60]!r} is no ballot, as in 12: 1,2,{{3,4}}")
    levels = [_alternatives(level[1] or level[2] or "", names, number) for level in _LEVEL.finditer(order)]
    listed = list(chain.from_iterable(levels))
    if len(listed) != len(set(listed)):
        raise InvalidSpec(f"line {number}: an alternative is named twice on one ballot")
    return Vote(_weight(count, number), tuple(frozenset(level) for level in levels if level))


def _alternatives(text: str, names: dict[str, str], line: int) -> list[str]:
    alternatives = []
    for part in text.split(","):
        number = part.strip()
        if not number:
            continue
        if number not in names:
            raise InvalidSpec(f"line {line}: there is no alternative {number[:40]!r}")
        alternatives.append(names[number])
    return alternatives


def contradicting_in(text: str, *, name: str, poll: str | None = None) -> int:
    """Number of counted ballots that contradict their own text, according to our votes.csv; 0 for other files."""
    if not name.lower().endswith(".csv"):
        return 0
    return sum(bool(row.get("argues_for")) for row in _last_of_each(_rows(text, poll)) if row["status"] == "cast")


def _votes_csv(text: str, *, poll: str | None, agreeing: bool) -> Profile:
    """Our own votes.csv: the last ballot of every debater with its weight; blank if it was not cast.

    The same table holds the ballots of people in polls; `poll` selects one of these counts (`final.room`). Without it
    they are counted only if there are no debaters' ballots and a single count.
    """
    rows = _rows(text, poll)
    kind = _kind(_last_of_each(rows))
    if kind == "criteria":
        raise InvalidSpec(
            "votes.csv: weighted_criteria needs the weights of the drivers, which no table of ballots has"
        )
    options = dict.fromkeys(_listed(rows[0].get("options") or "[]"))
    _take_apostrophes_off(rows, options)
    ballots = [_own_ballot(row, kind, agreeing=agreeing) for row in _last_of_each(rows)]
    options |= dict.fromkeys(row["choice"] for row in rows if row["choice"] not in ("", ABSTAIN))
    options |= dict.fromkeys(given.option for ballot in ballots for given in ballot.given)
    _check_names(options)
    votes = profile_of(kind, tuple(options), ballots).votes
    return _profile(options, list(votes))


def _check_names(options: Iterable[str]) -> None:
    """InvalidSpec for two spellings of one name, whose ballots would be counted apart."""
    first_of: dict[str, str] = {}
    for option in options:
        first = first_of.setdefault(name_key(option), option)
        if first != option:
            raise InvalidSpec(f"votes.csv: {first[:40]!r} and {option[:40]!r} are the same option: keep one spelling")


def _take_apostrophes_off(rows: Iterable[dict[str, str]], options: Collection[str]) -> None:
    """Remove the apostrophe that stops spreadsheets from reading a name as a formula."""
    for row in rows:
        bare = row["choice"].removeprefix("'")
        if bare in options:
            row["choice"] = bare


def _rows(text: str, poll: str | None) -> list[dict[str, str]]:
    """The ballots of one count in our own votes.csv."""
    table, separator = separated(text, NEEDED)
    reader = csv.DictReader(StringIO(table), delimiter=separator)
    rows: list[dict[str, str]] = []
    try:
        while reader.fieldnames is not None and not any(reader.fieldnames):
            reader.fieldnames = None  # an empty line above the head
        columns = [column.strip().casefold() for column in reader.fieldnames or ()]
        if repeated := next((column for column in columns if column and columns.count(column) > 1), ""):
            raise InvalidSpec(f"votes.csv has the column {repeated[:40]!r} twice")
        reader.fieldnames = columns
        for row in reader:
            if any(row.pop(None, ())):
                raise InvalidSpec(f"votes.csv, line {reader.line_num}: the row has more cells than the first line")
            if not any(row.values()):
                continue  # spreadsheets also save the empty lines below a table
            if any(row.get(column, "") is None for column in NEEDED):
                raise InvalidSpec(f"votes.csv, line {reader.line_num}: the row ends before {', '.join(NEEDED)}")
            rows.append(_without_blanks(row, reader.line_num))
    except csv.Error as error:
        raise InvalidSpec(f"votes.csv, line {reader.line_num}: {error}") from None
    if not rows or not set(NEEDED) <= set(rows[0]):
        raise InvalidSpec(f"this table has no ballots: votes.csv has the columns {', '.join(NEEDED)}")
    standing = _of_poll(rows, poll)
    if not standing:
        raise InvalidSpec("votes.csv: each ballot of this count was replaced by one that is not in the table")
    return standing


def _without_blanks(row: dict[str, str], line: int) -> dict[str, str]:
    """The row without blanks around its needed cells. InvalidSpec without a voter, or for an unknown status."""
    if not row.keys() >= set(NEEDED):
        return row
    row = row | {column: row[column].strip() for column in NEEDED}
    if not row[VOTER]:
        raise InvalidSpec(f"votes.csv, line {line}: {VOTER} is empty")
    status = row["status"].casefold()
    if status not in _STATUSES:
        raise InvalidSpec(
            f"votes.csv, line {line}: {row['status'][:40]!r} is no status of a ballot: {', '.join(_STATUSES)}"
        )
    return row | {"status": status}


def _last_of_each(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return list({row[VOTER]: row for row in rows}.values())


def _of_poll(rows: list[dict[str, str]], poll: str | None) -> list[dict[str, str]]:
    """The ballots of one count; for people only those that were not replaced."""
    if poll is None:
        return _of_one_count(rows)
    polls = _polls(rows)
    if poll not in polls:
        raise InvalidSpec(f"--poll {poll[:80]}: there is no such count in this table: {', '.join(polls)}")
    return [row for row in rows if row.get("poll_id") == poll and _stands(row)]


def _of_one_count(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The debaters' ballots, or people's if there is a single count."""
    debaters = [row for row in rows if row.get("stage") == "debater"]
    if debaters:
        return debaters
    polls = _polls(rows)
    if len(polls) > 1:
        raise InvalidSpec(f"these are ballots of several counts: choose one with --poll: {', '.join(polls)}")
    return [row for row in rows if _stands(row)]


def _polls(rows: list[dict[str, str]]) -> list[str]:
    return list(dict.fromkeys(row["poll_id"] for row in rows if row.get("poll_id")))


def _stands(row: Mapping[str, str]) -> bool:
    return row.get("stage") == "debater" or not row.get("replaced_by")


VOTER = "voter_alias"
NEEDED = (VOTER, "status", "choice")
"""Required columns of a ballot row."""
CHOOSE_ONE = "choose_one"
_STATUSES: tuple[BallotStatus, ...] = get_args(BallotStatus)
_KINDS: tuple[BallotKind, ...] = get_args(BallotKind)


def _kind(ballots: list[dict[str, str]]) -> BallotKind:
    """The kind of these ballots. InvalidSpec for an unknown kind, or for several: some would be left out."""
    cast = [row for row in ballots if row["status"] == "cast"] or ballots[:1]
    word, *others = dict.fromkeys(row.get("kind") or CHOOSE_ONE for row in cast)
    if others:
        raise InvalidSpec(f"votes.csv: this count has ballots of several kinds: {', '.join((word, *others))[:80]}")
    if word == CHOOSE_ONE:
        return "one"
    for kind in _KINDS:
        if kind == word:
            return kind
    known = ", ".join((CHOOSE_ONE, *_KINDS[1:]))
    raise InvalidSpec(f"votes.csv: there is no kind of ballot {word[:40]!r}: {known}")


def _own_ballot(row: Mapping[str, str], kind: BallotKind, *, agreeing: bool) -> BallotCounted:
    voter = row[VOTER]
    weight = _own_weight(row)
    is_left_out = agreeing and bool(row.get("argues_for"))
    if row["status"] != "cast" or is_left_out:
        return BallotCounted(voter, weight=weight)
    if kind != "one":
        return BallotCounted(voter, given=_own_points(row), weight=weight)
    if row["choice"] in ("", ABSTAIN):
        return BallotCounted(voter, weight=weight)
    return BallotCounted(voter, row["choice"], weight=weight)


def _own_weight(row: Mapping[str, str]) -> int:
    weight = row.get("weight") or "1"
    if not (weight.isascii() and weight.isdecimal() and len(weight) <= 12):
        raise InvalidSpec(f"votes.csv: the weight of {row[VOTER][:40]!r} is no whole number: {weight[:40]!r}")
    return int(weight)


def _own_points(row: Mapping[str, str]) -> tuple[Given, ...]:
    try:
        points = decode_json(row.get("scores_json") or "{}").items()
        return tuple(Given(option=option, points=p) for option, p in points)
    except Undecodable as error:
        raise InvalidSpec(f"votes.csv: scores_json of {row[VOTER][:40]!r}: {error}") from None
    except (ValueError, AttributeError):
        raise InvalidSpec(
            f"votes.csv: scores_json of {row[VOTER][:40]!r} is no object of whole numbers by option"
        ) from None


def _listed(text: str) -> list[str]:
    try:
        names = decode_json(text)
    except Undecodable:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidSpec("votes.csv: options is no list of names")
    return names
