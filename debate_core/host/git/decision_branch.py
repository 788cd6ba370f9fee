"""Puts a decision into a git repository: decision record, index page, links, record and signatures on one branch.

Nothing is overwritten but files that this program wrote for the same debate, its index page, and the status of a
superseded record.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import shorten

from debate_core.errors import InvalidSpec
from debate_core.host.git.repository import GitFile, GitRepository, texts
from debate_core.host.signatures import VERIFIER, key_in
from debate_core.record.events import dump_record
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.folder import INDEX, index_page, superseded
from debate_core.report.files.adr.profiles import ProfileName
from debate_core.report.files.adr.record import Adr, decision_record
from debate_core.report.files.adr.record_number import next_number
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.text import line

USUAL_FOLDER = "docs/decisions"
KNOWN_FOLDERS = ("docs/decisions", "docs/adr", "docs/adrs", "doc/adr", "doc/adrs", "adr", "adrs", "decisions")
_FOLDER = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._ -]*(?:/[A-Za-z0-9_-][A-Za-z0-9._ -]*)*")
_MAX_SUBJECT_CHARS = 72
_REPLACED = "\ufffd"
"""Replaces bytes that are not UTF-8; writing it back would lose them."""
_ATTRIBUTES = b"# Records are checked byte by byte, so git must not change their line ends.\n* -text\n"


@dataclass(frozen=True, slots=True)
class BranchRequest:
    """Target and form of a decision in a repository; empty values are chosen."""

    branch: str = ""
    folder: str = ""
    profile: ProfileName = "madr"
    supersedes: str = ""
    """File name of the decision record that this one replaces."""


@dataclass(frozen=True, slots=True)
class DecisionBranch:
    """A branch that contains the decision."""

    name: str
    base: str
    """The branch that it was branched off from."""
    commit: str
    file: str
    """Path of the decision record."""
    subject: str
    """First line of the commit message."""
    notes: tuple[str, ...]
    is_new: bool
    """False if the branch contained all files already."""
    before: str | None
    """The commit of the branch before; None if there was no such branch here."""


def put_decision(
    repository: GitRepository, account: Account, signatures: str, request: BranchRequest
) -> DecisionBranch:
    """Commit the decision to a separate branch. InvalidSpec in one sentence, with nothing changed."""
    base = repository.branch()
    base_tip = repository.tip(base)
    folder = request.folder.strip("/") or _find_folder(repository, base_tip)
    if not _FOLDER.fullmatch(folder):
        raise InvalidSpec("{folder!r} is no folder of a repository, as in docs/decisions", folder=folder[:80])
    present = texts(repository.files(base_tip, folder))
    branch = request.branch or f"decision/{_new_record(present, account, signatures, request).name.removesuffix('.md')}"
    before = repository.tip(branch, here_only=True)
    parent = repository.tip(branch) or base_tip
    if parent != base_tip:
        present = texts(repository.files(parent, folder))
    record = _new_record(present, account, signatures, request)
    files, notes = _files(present, folder, record, request)
    files |= _record_files(folder, record, account, signatures)
    _refuse_obstacles(repository, parent, files)
    changed = [GitFile(path, data) for path, data in files.items() if repository.read(parent, path) != data]
    subject = shorten(f"Record decision: {line(account.state.spec.question)}", _MAX_SUBJECT_CHARS, placeholder=" …")
    commit = repository.commit(branch, parent, changed, _message(subject, account)) if changed else parent
    assert commit is not None
    return DecisionBranch(
        branch, base, commit, f"{folder}/{record.name}", subject, notes, is_new=bool(changed), before=before
    )


def _find_folder(repository: GitRepository, commit: str | None) -> str:
    """The known folder that exists; docs/decisions if none does."""
    folders = repository.folders(commit, KNOWN_FOLDERS)
    return next((folder for folder in KNOWN_FOLDERS if folder in folders), USUAL_FOLDER)


def _refuse_obstacles(repository: GitRepository, commit: str | None, paths: Iterable[str]) -> None:
    for path in paths:
        if obstacle := repository.obstacle(commit, path):
            raise InvalidSpec(
                "{path} in {place} is in the way: name another folder", path=obstacle, place=repository.place
            )


def _new_record(present: Mapping[str, str], account: Account, signatures: str, request: BranchRequest) -> Adr:
    """The decision record with its number in this folder."""
    number = next_number(present, account.state.debate)
    return decision_record(
        account,
        profile=request.profile,
        number=number,
        supersedes=request.supersedes,
        signing_key=key_in(signatures),
    )


def _files(
    present: Mapping[str, str], folder: str, record: Adr, request: BranchRequest
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """New texts by path: decision record, superseded record, index page; and notes on unchanged files."""
    changed = {record.name: record.text}
    if old := request.supersedes:
        if old not in present:
            raise InvalidSpec("{folder} has no decision record {file}", folder=folder, file=old)
        if _REPLACED in present[old]:
            raise InvalidSpec("{file} is no text in UTF-8: convert it first", file=old)
        changed[old] = superseded(old, present[old], record.name)
    before = present.get(INDEX)
    index = index_page({**present, **changed}, before) if _REPLACED not in (before or "") else None
    notes: tuple[str, ...] = ()
    if index is None:
        notes = (f"{folder}/{INDEX} was written by someone else and is not changed.",)
    else:
        changed[INDEX] = index
    return {f"{folder}/{name}": text.encode() for name, text in changed.items()}, notes


def _record_files(folder: str, record: Adr, account: Account, signatures: str) -> dict[str, bytes]:
    """The record of the debate, with what is needed to check it, by path."""
    stem = f"{folder}/records/{record.name.removesuffix('.md')}"
    files = {f"{folder}/records/.gitattributes": _ATTRIBUTES, f"{stem}.jsonl": dump_record(account.events).encode()}
    if signatures:
        files[f"{stem}.signatures.json"] = signatures.encode()
        files[f"{folder}/records/verify_record.py"] = VERIFIER.read_bytes()
    return files


def _message(subject: str, account: Account) -> str:
    head = f"Record: {account.state.debate}, {account.state.version} events, head {account.state.head}"
    return f"{subject}\n\n{line(decided_sentence(account))}\n\n{head}\n"
