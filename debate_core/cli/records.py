"""Commands for existing records and protocols: verify (also of a signed answer), report, export, protocols.

They refuse records that `verify` would refuse.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from debate_core.cli.files import (
    cannot_write,
    checked_signatures,
    read_account,
    read_bytes,
    write_record,
    write_whole,
)
from debate_core.cli.plan import read_protocol
from debate_core.cli.terminal import answer, say
from debate_core.engine import audit
from debate_core.errors import BrokenRecord, InvalidSpec
from debate_core.host.agents.answers import AnswerStatement, Expected, check_answer, is_answer
from debate_core.host.git.decision_branch import BranchRequest
from debate_core.host.git.export import export_decision
from debate_core.host.git.repository import GitTarget
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.signatures import VERIFIER, key_in
from debate_core.record.events import Event, Predecessor, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.profiles import profile_named
from debate_core.report.files.adr.record_number import is_numbered, next_number
from debate_core.report.files.export import dumps, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.foreword import held_elsewhere_words, origin_words, predecessor_sentence
from debate_core.report.phrases.look_ups import server_note
from debate_core.report.phrases.outcome import summary_report
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.spec import presets
from debate_core.spec.protocol import Protocol
from debate_core.spec.values import Json
from debate_core.text import line, plural

HOLDS, FOUND = 0, 6
_OTHER_MEASURES = "another version measured its texts: new claims and matching quotes are as recorded"


def verify(flags: Namespace) -> int:
    """Check a record, or the signed answer of a debate. 6 and the first faulty place, if there is one."""
    data = read_bytes(flags.record, "record")
    if is_answer(data):
        return HOLDS if verify_answer(flags, data) else FOUND
    refuse_answer_flags(flags)
    events, findings = _verify_data(data)
    signed_events = _count_signed(events, flags, findings)
    result: dict[str, Json] = {
        "ok": not findings,
        "record": flags.record,
        "debate_id": events[0].debate if events else None,
        "events": len(events),
        "head": events[-1].hash if events else None,
        "findings": findings,
    }
    lines = []
    if not findings:
        made_from = replay(events).predecessor
        lines = [*_describe_valid(flags, events, made_from), ""]
        if made_from:
            result["successor_of"] = made_from.model_dump(mode="json")
    if flags.key:
        result["signed_events"] = signed_events
    answer(flags, result, "\n".join(lines))
    for finding in findings:
        say(f"{flags.record}: {finding['message']}")
    return FOUND if findings else HOLDS


def _verify_data(data: bytes) -> tuple[tuple[Event, ...], list[dict[str, Json]]]:
    """The events of a record, as far as readable, and its faults."""
    events: tuple[Event, ...] = ()
    try:
        events = parse_record(data)
        return events, [_finding(finding.seq, finding.message) for finding in audit.verify(events)]
    except BrokenRecord as error:
        return events, [_finding(error.line, str(error))]


def _count_signed(events: Sequence[Event], flags: Namespace, findings: list[dict[str, Json]]) -> int:
    """The number of events with a good signature; adds a bad one to the findings."""
    try:
        return len(events) if checked_signatures(events, flags) else 0
    except BrokenRecord as error:
        findings.append(_finding(error.line, str(error)))
        return 0


def _finding(number: int | None, message: str) -> dict[str, Json]:
    """A fault; line n of a record is event n."""
    return {"line": number, "event": number, "message": message}


def _describe_valid(flags: Namespace, events: Sequence[Event], made_from: Predecessor | None) -> Iterator[str]:
    """The output for a valid record."""
    n_events = plural(len(events), "event")
    yield f"{flags.record} is valid: {n_events}, counted again, head {events[-1].hash}"
    if words := held_elsewhere_words(replay(events).spec.held_elsewhere):
        yield words
    if made_from:
        yield line(predecessor_sentence(made_from))
    elif not audit.measures_texts(events):
        yield _OTHER_MEASURES
    if note := server_note(replay(events).look_ups):
        yield note
    if flags.key:
        yield f"signed up to its last event, of {events[-1].at}, by the key {flags.key}"


def report(flags: Namespace, settings: Settings) -> int:
    """Print one report of a record."""
    debate, _ = read_account(flags, settings)
    match flags.format:
        case "summary":
            text = f"{summary_report(debate)}\n"
            remarks = [*origin_words(debate)]
            if debate.decision.signed:
                remarks.append(decided_sentence(debate))
            for remark in remarks:
                say(remark)
        case "md":
            text = markdown_report(debate)
        case "json":
            text = dumps(run_json(debate, record=flags.record))
        case _:
            text = text_report(debate)
    print(text, end="")
    return HOLDS


def export(flags: Namespace, settings: Settings) -> int:
    """Write the files of an export, with signatures if there are any; each is complete or absent."""
    _refuse_unclear_target(flags)
    debate, signatures = read_account(flags, settings)
    if flags.to is not None:
        _export_to_folder(flags, debate, signatures)
    if flags.to_git is not None:
        export_to_git(flags, settings, debate, signatures)
    return HOLDS


def _refuse_unclear_target(flags: Namespace) -> None:
    """Raise InvalidSpec without a target, and for flags that belong to another one."""
    if flags.to is None and flags.to_git is None:
        raise InvalidSpec("name a folder with --to, or a git repository with --to-git")
    if flags.to == "":
        raise InvalidSpec("--to names no folder")
    given = {
        "--branch": flags.branch,
        "--folder": flags.folder,
        "--supersedes": flags.supersedes,
        "--push": flags.push,
        "--pull-request": flags.pull_request,
    }
    if flags.to_git is None and any(given.values()):
        names = ", ".join(name for name, value in given.items() if value)
        raise InvalidSpec(f"{names}: only with --to-git")


def _export_to_folder(flags: Namespace, debate: Account, signatures: str) -> None:
    folder = Path(flags.to)
    number = next_number(_read_numbered(folder), debate.state.debate)
    profile = profile_named(flags.profile)
    key = key_in(signatures)
    files = export_files(debate, flags.format, adr_number=number, profile=profile, signing_key=key)
    if signatures and "events.jsonl" in files:
        files |= {"signatures.json": signatures.encode(), "verify_record.py": VERIFIER.read_bytes()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            if name == "events.jsonl":
                write_record(folder / name, data, folder / "signatures.json")
            else:
                write_whole(folder / name, data)
    except OSError as error:
        raise cannot_write("--to", folder, error) from None
    say(f"{folder}: {', '.join(files)}")


def _read_numbered(folder: Path) -> Mapping[str, str]:
    """The numbered files of a folder with their texts: a new decision record gets the next number."""
    try:
        numbered = [path for path in folder.iterdir() if is_numbered(path.name) and path.is_file()]
        return {path.name: path.read_text("utf-8", "replace") for path in numbered}
    except OSError:
        return {}


def protocols(flags: Namespace) -> int:
    """List the presets, or print one whole protocol."""
    if flags.name:
        protocol = read_protocol(flags.name)
        answer(flags, protocol.model_dump(mode="json"), _format_protocol(protocol))
        return HOLDS
    shipped = [read_protocol(name) for name in sorted(presets.PROTOCOLS)]
    dumped = [protocol.model_dump(mode="json") for protocol in shipped]
    answer(flags, dumped, "".join(_format_protocol(protocol) for protocol in shipped))
    return HOLDS


def _format_protocol(protocol: Protocol) -> str:
    phases = ", ".join(phase.name for phase in protocol.phases())
    rounds = f"rounds {protocol.rounds.default} (at most {protocol.rounds.hard_max})"
    return (
        f"{protocol.name}: {protocol.purpose}\n"
        f"  phases {phases}; {rounds}; {protocol.decide.kind}\n"
        f"  source: {protocol.source}\n"
    )


def export_to_git(flags: Namespace, settings: Settings, debate: Account, signatures: str) -> None:
    """Put the decision into a repository, and say where it is."""
    given = {name: getattr(flags, name) or "" for name in ("branch", "folder", "supersedes")}
    request = BranchRequest(profile=profile_named(flags.profile), **given)
    target = GitTarget(flags.to_git, settings.git.token, settings.git.api, settings.network)
    done = export_decision(debate, signatures, target, request, push=flags.push, pull_request=flags.pull_request)
    branch = done.branch
    for note in branch.notes:
        say(note)
    if branch.is_new:
        say(f"{done.place}: {branch.file} on the branch {branch.name}, commit {branch.commit[:12]}")
    else:
        say(f"{done.place}: {branch.file} is on the branch {branch.name} already")
    if done.pushed:
        say(f"pushed: {branch.name}")
    if done.request_url:
        say(f"pull request: {done.request_url}")


MAX_AGE_S = 366 * 86_400


def verify_answer(flags: Namespace, data: bytes) -> bool:
    """Check an answer against the key, the question and the age of the flags; False and a sentence if it is refused."""
    if flags.signatures is not None:
        raise InvalidSpec(f"{flags.record} is a signed answer: --signatures is for a record")
    if flags.key is None:
        raise InvalidSpec(f"{flags.record} is a signed answer: give the key of its server with --key")
    if flags.max_age_s is not None and flags.max_age_s > MAX_AGE_S:
        raise InvalidSpec(f"--max-age-s must be at most {MAX_AGE_S}")
    expected = Expected(flags.key, flags.question, flags.asked, flags.max_age_s)
    try:
        statement = check_answer(data, expected, at=now())
    except BrokenRecord as error:
        answer(flags, {"ok": False, "answer": flags.record, "finding": str(error)}, "")
        say(f"{flags.record}: {error}")
        return False
    said = {"ok": True, "answer": flags.record, "statement": statement.model_dump(mode="json", exclude_none=True)}
    answer(flags, said, "".join(f"{words}\n" for words in _describe(flags, statement)))
    return True


def _describe(flags: Namespace, statement: AnswerStatement) -> Iterator[str]:
    yield f"{flags.record} is valid: {line(statement.question)} {line(statement.outcome)}"
    signed = f"; signed by {line(statement.signed_by)}" if statement.signed_by else ""
    yield f"decided by: {line(statement.decided_by)}{signed}; at {statement.decided_at}. {line(statement.count)}"
    asked = statement.asked
    if asked is None:
        yield "no program asked this question"
    elif asked.question == statement.question:
        yield f"asked by {line(asked.by)} at {asked.at}, as {asked.id}"
    else:
        yield f"asked by {line(asked.by)} at {asked.at}, as {asked.id}, in other words: {line(asked.question)}"
    if flags.asked is None and flags.question is None:
        yield "not compared with a question: name it with --asked or --question"
    yield f"record of {statement.events} events, head {statement.head}; signed at {statement.signed_at}"


def refuse_answer_flags(flags: Namespace) -> None:
    """Raise InvalidSpec for flags of an answer that are given for a record."""
    given = {"--asked": flags.asked, "--question": flags.question, "--max-age-s": flags.max_age_s}
    names = ", ".join(name for name, value in given.items() if value is not None)
    if names:
        raise InvalidSpec(f"{flags.record} is no signed answer: {names} only for one")
