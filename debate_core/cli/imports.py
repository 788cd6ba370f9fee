"""`import`: a record, a script or practice debates at once; every other file or folder after a review.

The review shows each value beside its line in the source, and everything that was not understood.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from debate_core.cli.files import checked_signatures, read_bytes, read_record, read_text
from debate_core.cli.flags import PROGRAM
from debate_core.cli.terminal import answer, say
from debate_core.documents.findings import FoundValue, TextPlace
from debate_core.errors import InvalidSpec
from debate_core.evaluation.practice_files import is_practice_file, keep, read_practice_file
from debate_core.host import origin
from debate_core.host.drafts import Drafts
from debate_core.host.imports.accept import drafts_of, review_path
from debate_core.host.imports.review import FileReview, ImportReview, review_json, with_stated
from debate_core.host.imports.transcript_record import FACILITATOR, fault_in_record, play, record_spec
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.fold import replay
from debate_core.record.page import RECORD_FILES, holds_record
from debate_core.report.files.export import dumps
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Json
from debate_core.spec.warnings import warnings
from debate_core.text import line, plural

IMPORTED = 0
_AT_ONCE = {".jsonl": "record", ".json": "script"}
"""Files of this program, which it checks completely: they need no review."""


def import_file(flags: Namespace, settings: Settings) -> int:
    """Import a record as a debate, a script as a set-up, debates to practise on, or other files as drafts."""
    if not flags.file:
        raise InvalidSpec("import names no file and no folder")
    path = Path(flags.file)
    if path.is_dir() and (path / "events.jsonl").is_file():
        path /= "events.jsonl"
        flags.file = str(path)
    kind = None if path.is_dir() else _kind_at_once(path)
    if kind is None:
        return _import_reviewed(flags, path, settings)
    data = read_bytes(flags.file, kind)
    if is_practice_file(flags.file, data):
        return _import_practice(flags, settings, data)
    imported = _import_record(flags, settings) if kind == "record" else _import_script(flags, settings)
    answer(flags, imported, f"{kind} imported: {line(str(imported['question']))}\n")
    return IMPORTED


def _kind_at_once(path: Path) -> str | None:
    """The kind of a file of this program; None for every other file. A page of a debate has its record in it."""
    suffix = path.suffix.lower()
    if suffix in RECORD_FILES and path.is_file() and suffix not in _AT_ONCE:
        return "record" if holds_record(path.name, path.read_bytes()) else None
    return _AT_ONCE.get(suffix)


# --- with a review


def _import_reviewed(flags: Namespace, path: Path, settings: Settings) -> int:
    """Print the review; keep a record or a draft for each file if a person accepts it, or --yes does."""
    _refuse_signatures(flags, "no record")
    review = _with_flags(flags, review_path(path, rule=flags.rule, poll=flags.poll))
    drafts_why = [_why_draft(file) for file in review.files]
    if not flags.json:
        print("\n".join(_review_lines(review, drafts_why)))
    what = _becomes(drafts_why)
    accepted = _is_accepted(flags, what)
    records: list[str] = []
    if accepted:
        with closing(open_store(settings.database_url)) as store:
            folder = f"{review.name}/" if path.is_dir() else ""
            records = _keep(store, review, drafts_why, folder=folder, leader=flags.facilitator or FACILITATOR)
    if flags.json:
        becomes = [*map(_kind_kept, drafts_why)]
        result: Json = {**review_json(review), "becomes": becomes, "imported": accepted, "records": records}
        print(dumps(result), end="")
    if not accepted:
        say(_NOT_IMPORTED)
        return IMPORTED
    say(f"{what} imported: open {'it' if len(review.files) == 1 else 'them'} in the app, on the page of debates")
    for debate_id in records:
        say(f"{debate_id} was not held here, and can be judged: {PROGRAM} link {debate_id} lets its facilitator in")
    return IMPORTED


def _with_flags(flags: Namespace, review: ImportReview) -> ImportReview:
    """The review with the question and options of the flags, which are for one transcript."""
    options = tuple(filter(None, map(str.strip, (flags.options or "").split(","))))
    if not (flags.question or options or flags.facilitator):
        return review
    if [file.kind for file in review.files] != ["transcript"]:
        raise InvalidSpec(f"{flags.file} is not one transcript: --question, --options and --facilitator are for one")
    return replace(review, files=(with_stated(review.files[0], question=flags.question or "", options=options),))


def _why_draft(file: FileReview) -> str | None:
    """The reason why a file becomes a draft; None for a transcript that becomes a record, empty for other files."""
    if file.kind != "transcript":
        return ""
    why = fault_in_record(file)
    return None if why is None else str(why)


def _keep(
    store: Store, review: ImportReview, drafts_why: Sequence[str | None], *, folder: str, leader: str
) -> list[str]:
    """Keep a record or a draft for each file; returns the ids of the records."""
    drafts = drafts_of(review.files)
    reviewed = list(zip(review.files, drafts, drafts_why, strict=True))
    # All are played before the first is kept.
    records = [
        play(record_spec(file.meeting, draft, leader=leader), file.meeting, at=now())
        for file, draft, why in reviewed
        if why is None
    ]
    for events in records:
        origin.keep_own(store, events[0].debate)
        store.append(events[0].debate, events, after=0)
    for _file, draft, why in reviewed:
        if why is not None:
            Drafts(store).keep_imported(f"{folder}{draft.name}", draft.model_dump_json())
    return [events[0].debate for events in records]


def _kind_kept(draft_why: str | None) -> str:
    return "record" if draft_why is None else "draft"


def _becomes(drafts_why: Sequence[str | None]) -> str:
    """`1 record and 2 drafts`."""
    numbers = Counter(map(_kind_kept, drafts_why))
    return " and ".join(plural(numbers[kind], kind) for kind in sorted(numbers, reverse=True))


_NOT_IMPORTED = "nothing is imported yet: --yes accepts this review"


def _is_accepted(flags: Namespace, what: str) -> bool:
    """True with --yes, or if a person says yes on the terminal; False with --json alone. InvalidSpec otherwise."""
    if flags.yes or flags.json:
        return bool(flags.yes)
    if not sys.stdin.isatty():
        raise InvalidSpec(_NOT_IMPORTED)
    print(f"Import {what}? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise InvalidSpec("nothing is imported")
    return True


_KINDS = {
    "decision": "a decision record",
    "ballots": "ballots",
    "options": "a table of options",
    "transcript": "a transcript",
    "document": "a document",
}


def _review_lines(review: ImportReview, drafts_why: Sequence[str | None]) -> Iterator[str]:
    """Every value with its line in the source, as `option  Redis  | 12: * Redis`."""
    for file, why in zip(review.files, drafts_why, strict=True):
        yield f"{file.name}: {_KINDS[file.kind]}"
        yield from _file_lines(file)
        if file.meeting.utterances:
            turns = plural(len(file.meeting.utterances), "turn")
            yield f"  becomes    a {'record that was not held here' if why is None else 'draft'}, {turns}"
        if why:
            yield f"  no record: {line(why)}; --question and --options state what the file does not"
    for left_out in review.left_out:
        yield f"left out: {left_out.name}: {line(left_out.reason)}"


def _file_lines(file: FileReview) -> Iterator[str]:
    shown = [_shortened(_value_words(value), 60) for value in file.found]
    width = max(map(len, shown), default=0)
    for value, words in zip(file.found, shown, strict=True):
        yield f"  {value.field.replace('_', ' '):10} {words:{width}}{_place_words(value.place)}".rstrip()
    for part in file.missed:
        yield f"  not taken: {line(part.sentence)}{_place_words(part.place)}"


def _value_words(value: FoundValue) -> str:
    if value.number is None:
        return value.value
    number = plural(value.number, "turn") if value.field == "speaker" else f"weight {value.number}"
    return f"{value.value}, {number}"


def _place_words(place: TextPlace | None) -> str:
    return f" | {place.line}: {_shortened(place.quote, 80)}" if place else ""


def _shortened(text: str, most: int) -> str:
    words = line(text)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


# --- files of this program


def _import_record(flags: Namespace, settings: Settings) -> Mapping[str, Json]:
    events = read_record(flags.file)
    state = replay(events)
    is_signed = bool(checked_signatures(events, flags))
    with closing(open_store(settings.database_url)) as store:
        if origin.is_new(store, events):
            origin.take_in(store, events, at=now())
        if is_signed:
            origin.keep_vouched(store, state.debate, flags.key)
    return _imported_json("record", state.debate, state.spec)


def _import_script(flags: Namespace, settings: Settings) -> Mapping[str, Json]:
    _refuse_signatures(flags, "a script")
    text = read_text(flags.file, "script")
    script = read_script(text)
    spec = spec_of(script)
    with closing(open_store(settings.database_url)) as store:
        store.put_note("setup", script.title or Path(flags.file).stem, text)
    return _imported_json("script", None, spec)


def _import_practice(flags: Namespace, settings: Settings, data: bytes) -> int:
    _refuse_signatures(flags, "a file of practice debates")
    practice = read_practice_file(flags.file, data)
    with closing(open_store(settings.database_url)) as store:
        keep(Drafts(store), practice)
    words = f"{plural(len(practice.cases), 'practice debate')} imported"
    if practice.left_out:
        words += f"; {practice.left_out} left out, because they are not debates between two sides"
    result: Json = {"kind": "practice", "debates": list(practice.cases), "left_out": practice.left_out}
    answer(flags, result, f"{words}\n")
    return IMPORTED


def _refuse_signatures(flags: Namespace, what: str) -> None:
    """Raise InvalidSpec for flags that would suggest a check of signatures."""
    if flags.key is not None or flags.signatures is not None:
        raise InvalidSpec(f"{flags.file} is {what}: --signatures and --key are for a record")


def _imported_json(kind: str, debate_id: str | None, spec: Spec) -> Mapping[str, Json]:
    return {
        "kind": kind,
        "debate_id": debate_id,
        "question": spec.question,
        "options": spec.options,
        "sources": [{"id": s.id, "title": s.title, "chars": len(s.text)} for s in spec.sources],
        "warnings": warnings(spec),
    }
