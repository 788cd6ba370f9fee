"""Check that new text is plain technical English, against a baseline that may only shrink.

    python -m bench.plain_english            compare with bench/plain_english.json; exit 1 if a file got worse
    python -m bench.plain_english FILE ...   list the findings of these files
    python -m bench.plain_english --lower    write the present counts into the baseline, if no total rises
    python -m bench.plain_english --subject FILE     check the first line of a commit message (the commit-msg hook)

The check reads comments, docstrings, strings, Markdown pages and names of tests. It measures habits that readers
stumbled over; it cannot tell good style.
"""

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "bench" / "plain_english.json"
READ = ("debate_core", "pages", "bench", "tests", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
MAX_TEST_NAME = 60
MAX_SUBJECT = 72
OWN_FILES = {ROOT / "bench" / "plain_english.py", ROOT / "tests" / "core" / "test_plain_english.py"}
"""Files left out, because the check and its test contain the words themselves."""

PRIVATE = re.compile(
    r"\b("
    r"whoever|whatever|wherever|somebody|nobody|anew|beforehand|otherwise than|whom|no more\b|any more\b|"
    r"(?:is|are|was|be) told|told of|at hand|on record|is due|held by|the like|"
    r"stands? (?:there|beside|in|on|at|with|as|for|under)|lies? in|"
    r"go(?:es)? by|comes? of (?:it|them|that)|came of|says so|has to be|"
    r"(?:as it is|as they are)\b|by (?:itself|themselves)|of (?:its|their|one's) own|so (?:wide|long|far) that|"
    r"what (?:is left|was|has|follows|becomes|became)|who (?:may|is)"
    r")\b",
    re.IGNORECASE,
)
"""Words and turns that this project used in a way of its own, such as "goes by the rule" for "follows the rule"."""
QUESTION_WORD = re.compile(r"(what|who|whom|whose|where|when|how|whether|why|that|as|of|with|by)\b", re.IGNORECASE)
AREA = re.compile(r"^[\w./ -]{1,24}: ")
"""An optional area before the verb of a subject, such as "room: "."""
VERBS = """
add allow apply avoid call change check clarify clean compare correct count cover cut delete derive
describe detect disable document draw drop enable encode ensure exclude explain export extend extract
fail fetch find fix forbid format generate give guard handle hide ignore implement import improve include
inline keep let limit list load lock log make mark measure merge move name narrow open order parse pass
pin print protect raise read record reduce refuse register reject release remove rename render replace
report require reset restore return reuse revert rewrite run save send separate serve set share show
simplify skip sort speed split start stop store stream strip support switch take test tidy track
translate trim undo unify update upgrade use validate verify wait warn wrap write
"""
"""Imperative verbs that a commit subject may begin with."""


class Counts(NamedTuple):
    """Findings of one file: lines with a private turn, docstrings that start with a question word, long test names."""

    turns: int
    starts: int
    names: int


Baseline = dict[str, Counts]
NONE = Counts(0, 0, 0)


class Finding(NamedTuple):
    kind: str
    line: int
    text: str


def findings(path: Path) -> list[Finding]:
    """List the findings of one Python or Markdown file, by line."""
    text = path.read_text("utf-8")
    lines = _python_text(text) if path.suffix == ".py" else enumerate(text.splitlines(), 1)
    found = [Finding("turns", number, line.strip()) for number, line in lines if PRIVATE.search(line)]
    if path.suffix == ".py":
        found += _named_findings(ast.parse(text))
    return sorted(found, key=lambda finding: finding.line)


def _python_text(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            for offset, line in enumerate(token.string.splitlines()):
                yield token.start[0] + offset, line


def _named_findings(tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        doc = ast.get_docstring(node) or ""
        name = getattr(node, "name", "")
        line = getattr(node, "lineno", 1)
        if QUESTION_WORD.match(doc):
            yield Finding("starts", line, doc.splitlines()[0])
        if name.startswith("test_") and len(name) > MAX_TEST_NAME:
            yield Finding("names", line, name)


def counted(found: list[Finding]) -> Counts:
    kinds = [finding.kind for finding in found]
    return Counts(kinds.count("turns"), kinds.count("starts"), kinds.count("names"))


def read_files() -> Iterator[Path]:
    for name in READ:
        root = ROOT / name
        paths = sorted(root.rglob("*")) if root.is_dir() else [root]
        yield from (path for path in paths if path.suffix in (".py", ".md") and path not in OWN_FILES)


def subject_faults(subject: str) -> list[str]:
    """List what is wrong with a commit subject: its length, or a first word that is no imperative."""
    faults = []
    if len(subject) > MAX_SUBJECT:
        faults.append(f"it has {len(subject)} characters, {MAX_SUBJECT} are allowed: move the reason into the body")
    first = re.split(r"\W+", AREA.sub("", subject).strip() + " ")[0].lower()
    if first not in VERBS.split():
        faults.append(f"it begins with {first!r}: begin with an imperative verb, such as Add, Fix or Keep")
    return faults


def compare(baseline: Baseline, now: dict[str, list[Finding]]) -> list[str]:
    """List the folders whose totals exceed the baseline, each with its files that have more than before."""
    allowed, totals = _totals(baseline), _totals({name: counted(found) for name, found in now.items()})
    worse = []
    for root, counts in totals.items():
        for kind, count in counts._asdict().items():
            limit = getattr(allowed.get(root, NONE), kind)
            if count > limit:
                worse.append(f"{root}: {count} {kind}, the baseline allows {limit}")
                worse += _listed(root, kind, baseline, now)
    return worse


def _totals(counts: Baseline) -> Baseline:
    """Add up counts by the first part of the path, so that a file may be moved within its folder."""
    totals: Baseline = {}
    for name, count in counts.items():
        root = name.split("/")[0]
        totals[root] = Counts(*map(sum, zip(totals.get(root, NONE), count, strict=True)))
    return totals


def _listed(root: str, kind: str, baseline: Baseline, now: dict[str, list[Finding]]) -> Iterator[str]:
    for name, found in now.items():
        count, before = getattr(counted(found), kind), getattr(baseline.get(name, NONE), kind)
        if name.split("/")[0] == root and count > before:
            yield f"  {name}: {count} {kind}, {before} before (list them: python -m bench.plain_english {name})"


def read_baseline() -> Baseline:
    return {name: Counts(*counts) for name, counts in json.loads(BASELINE.read_text("utf-8")).items()}


def write_baseline(baseline: Baseline) -> None:
    rows = [f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in sorted(baseline.items()) if any(counts)]
    BASELINE.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check that new text is plain English.")
    parser.add_argument("files", nargs="*", type=Path, help="list the findings of these files instead")
    parser.add_argument("--lower", action="store_true", help="write lower counts into the baseline")
    parser.add_argument("--subject", type=Path, help="check the first line of this commit message instead")
    options = parser.parse_args(arguments)
    if options.subject:
        faults = _message_faults(options.subject.read_text("utf-8"))
    elif options.files:
        faults = [f"{path}:{f.line}: {f.kind}: {f.text[:120]}" for path in options.files for f in findings(path)]
    else:
        now = {path.relative_to(ROOT).as_posix(): findings(path) for path in read_files()}
        faults = compare(read_baseline(), now)
        if options.lower and not faults:
            write_baseline({name: counted(found) for name, found in now.items()})
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return bool(faults)


def _message_faults(message: str) -> list[str]:
    subject = message.splitlines()[0] if message else ""
    is_made_by_git = subject.startswith(("Merge ", "Revert ", "fixup! ", "squash! "))
    return [] if is_made_by_git else [f"commit subject: {fault}" for fault in subject_faults(subject)]


if __name__ == "__main__":
    sys.exit(main())
