"""Checks of assumptions: set from text, refused when set, evaluated in a folder."""

import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.repository_histories import play
from debate_core.errors import InvalidSpec
from debate_core.spec.tripwires import FORMS, check_text, read_check
from debate_core.watch import checkout
from debate_core.watch.checkout import Checkout
from debate_core.watch.evaluate import CheckVerdict, Evaluator
from debate_core.watch.lock_files import version_key
from debate_core.watch.patterns import MAX_GAP, has_pattern, squeezed, without_comments

TODAY = date(2026, 11, 2)


def evaluated(folder: Path, text: str) -> CheckVerdict:
    return Evaluator(Checkout(folder), TODAY).evaluate(read_check(text))


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")


@pytest.mark.parametrize("text", [*FORMS, "number a.json a.0 over -3.5", "version x at least 3.1rc1 in a/**"])
def test_check_reads_as_it_was_written(text: str):
    assert check_text(read_check(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("files src/** has (a+)+b", "belongs to a regular expression"),
        (r"files src/** has \d+", "belongs to a regular expression"),
        ("files src/** has *", "some fixed text"),
        (f"files src/** has {'a*' * 9}", "at most 8 wildcards"),
        ("files ../x has a", "inside the folder"),
        ("files /etc/passwd has root", "inside the folder"),
        ("number a.csv load under many", "bound"),
        ("version x below latest", "version"),
        ("date 2027-02-30", "is no date"),
        ("run rm -rf /", "is no check"),
        (f"number f {' of' * 2_000} under", "is no check"),
    ],
)
def test_unusable_check_is_refused_when_set(text: str, said: str):
    with pytest.raises(InvalidSpec, match=said):
        read_check(text)


def by_hand(text: str, pieces: list[str], at: int, *, is_first: bool = True) -> bool:
    """Match the pieces from here by trying everything."""
    if not pieces:
        return True
    last = at if is_first else at + MAX_GAP
    starts = range(at, min(last, len(text)) + 1)
    return any(
        text.startswith(pieces[0], start) and by_hand(text, pieces[1:], start + len(pieces[0]), is_first=False)
        for start in starts
    )


@given(st.text("(.-", max_size=300), st.lists(st.text("(.-", min_size=1, max_size=3), min_size=1, max_size=4))
def test_pattern_search_equals_brute_force(text: str, pieces: list[str]):
    wanted = any(by_hand(text, pieces, start) for start in range(len(text)))
    assert has_pattern(text, "*".join(pieces)) == wanted


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("x = redisson()", "redis", False),
        ("x = redis()", "redis", True),
        ("call( a,\n  b )", "call(a, b)", True),
        ("say('x')", 'say("x")', True),
        (f"begin {'.' * 300} end", "begin*end", False),
    ],
)
def test_pattern_ignores_layout_and_longer_words(text: str, pattern: str, found: bool):
    assert has_pattern(squeezed(text), pattern) == found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", 'x="http://a";' * 100_000),
        ("a.ts", "a/*b" * 200_000 + "*/"),
        ("go.mod", "\n" * 200_000),
        ("pom.xml", "<dependency><version>" + " " * 200_000),
        ("pnpm-lock.yaml", "  a" + "/1" * 100_000),
    ],
)
def test_no_file_takes_for_ever(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text, "utf-8")
    began_s = time.process_time()
    assert evaluated(tmp_path, f"files {name} lacks zebra").result == "holds"
    assert evaluated(tmp_path, f"version zebra below 4 in {name}").result == "unknown"
    # Quadratic time took minutes.
    assert time.process_time() - began_s <= 5


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("a.js", "a('//b'); c('//d') // it's\ne", "a('//b'); c('//d') \ne"),
        ("a.js", "/* a */ b /* c /* d */ e 'src/**' f */", "  b   e 'src/**' f */"),
        ("a.py", "a = '#' # b\n# c", "a = '#' \n"),
    ],
)
def test_comments_are_left_out(name: str, text: str, left: str):
    assert without_comments(name, text) == left


def test_versions_are_ordered_by_their_numbers():
    ordered = ["v0.9", "1.0rc1", "1", "1.9", "1.10", "2.0.0-beta.1", "2.0.1"]
    assert sorted(ordered, key=version_key) == ordered
    assert version_key("2.0.0") == version_key("2")


def test_checks_that_cannot_be_evaluated_are_unknown(tmp_path: Path):
    put(tmp_path, load__csv="day,orders\n1,5\n", a__json="[1", b__json='{"n": NaN, "t": true}', ruby__lock="x 1.0")
    put(tmp_path, c__json='{"n": 1, "n": 9}', comma__csv="orders\n2,110\n", twice__csv="orders,orders\n1,9\n")
    put(tmp_path, short__csv="day,orders\n2026-01-01,5\n2026-01-02\n", german__csv="day;orders\n1;2.110\n")
    (tmp_path / "logo.png").write_bytes(b"\0\0")
    for text, said in {
        "number gone.csv load under 5": "there is no file gone.csv",
        "number load.csv load under 5": "load.csv has no column load, but day, orders",
        "number load.csv orders of 7 under 5": "load.csv has no row 7",
        "number a.json a under 5": "a.json is no JSON",
        "number b.json n under 5": "b.json: n is 'nan', no number",
        "number b.json t under 5": "b.json: t is 'True', no number",
        "number c.json n under 5": "c.json: 'n' is given twice",
        "number comma.csv orders under 5": "comma.csv: its row 2 has more cells than the header",
        "number twice.csv orders under 5": "twice.csv has the column orders twice",
        "number short.csv orders under 5": "short.csv: its row 2026-01-02 has no cell for orders",
        "number german.csv orders under 5": "german.csv: orders is 2.110, which may be thousands",
        "version x below 4": "there is no lock file that is known here",
        "files logo.png has x": "logo.png is no text",
        "quote gone.md nine of ten": "there is no file gone.md",
    }.items():
        assert evaluated(tmp_path, text) == CheckVerdict("unknown", said)


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    put(outside, secret__txt="key")
    (inside / "link.txt").symlink_to(outside / "secret.txt")
    (inside / "folder").symlink_to(outside)
    put(inside, own__txt="no")
    assert evaluated(inside, "files link.txt has key").result == "unknown"
    assert evaluated(inside, "files ** lacks key").result == "holds"


def test_folder_with_too_many_files_proves_no_absence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path, a__txt="x", b__txt="x", c__txt="x")
    monkeypatch.setattr(checkout, "MAX_FILES", 2)
    assert evaluated(tmp_path, "files *.txt has x").result == "holds"
    assert evaluated(tmp_path, "files *.txt lacks y").result == "unknown"


def test_huge_files_are_skipped_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path, a__txt="x" * 50)
    monkeypatch.setattr(checkout, "MAX_BYTES", 40)
    assert "a.txt is larger than" in evaluated(tmp_path, "files *.txt lacks y").reason


@pytest.mark.slow
def test_planted_changes_are_found_and_harmless_ones_ignored():
    for seed in range(8):
        counts, wrong = play(seed, n_planted=6, n_harmless=26)
        assert (counts["found"], counts["false alarms"], counts["lost"]) == (6, 0, 0), wrong
