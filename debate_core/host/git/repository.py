"""A git repository, read and written through git itself; no file of a work tree is touched.

A commit is one `git fast-import`: the branch has all files of the commit or stays as it was, and it never loses a
commit. Hooks of the repository do not run, and git never asks for a password at the terminal.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from debate_core.errors import InvalidSpec
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.text import line


@dataclass(frozen=True, slots=True)
class GitTarget:
    """A repository, and the server at which pull requests for it are opened."""

    repository: str
    """A folder, or an address. Empty = none is set."""
    token: str = field(default="", repr=False)
    api: str = ""
    """REST interface of the server; empty = derived from the address."""
    network: Network = field(default=DIRECT, repr=False)


NO_TARGET = GitTarget("")


MAX_WAIT_S = 120
_AUTHOR = "Debate room <debate-room@localhost>"
"""Author of commits where git knows no user."""
_REMOTE = re.compile(r"(?:https://|ssh://)[^\s]+|[A-Za-z0-9_][A-Za-z0-9._-]*@[A-Za-z0-9.-]+:[^\s]+")
"""Addresses to clone from; `ext::` and other transports that run commands are refused."""
_LOGIN = re.compile(r"//[^/\s]+@")
"""`//user:p@ss@`: up to the last @ before the path."""
_OTHER_REPOSITORY = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "COMMON_DIR", "INDEX_FILE", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES"),
        *("NAMESPACE", "PREFIX", "SHALLOW_FILE", "GRAFT_FILE", "REPLACE_REF_BASE"),
    )
)
"""Variables that hooks of git set, and that would lead git to the repository of the hook."""


class GitFile(NamedTuple):
    """Path in the repository, and content."""

    path: str
    data: bytes


class _TreeEntry(NamedTuple):
    """Mode and hash of a file, folder, link or submodule in a commit."""

    mode: str
    blob: str

    @property
    def is_file(self) -> bool:
        return self.mode.startswith("100")

    @property
    def is_folder(self) -> bool:
        return self.mode == "040000"


class GitRepository:
    """A local repository, bare or with a work tree."""

    def __init__(self, place: str, top: Path) -> None:
        self.place = place
        """As the user named it; without a login in an address."""
        self._top = top
        """Top of the work tree, or the bare repository: paths that git reads are relative to it."""

    def branch(self) -> str:
        """The branch that decisions branch off from: that of the remote repository if known, else the present one."""
        for name, prefix in (("refs/remotes/origin/HEAD", "refs/remotes/origin/"), ("HEAD", "refs/heads/")):
            found = self._try("symbolic-ref", "--quiet", name)
            if found is not None:
                return found.decode().strip().removeprefix(prefix)
        raise InvalidSpec("the repository {place} is on no branch: check one out", place=self.place)

    def tip(self, branch: str, *, here_only: bool = False) -> str | None:
        """The newest commit of a branch here, else of the remote branch as last fetched; None if there is none."""
        names = [f"refs/heads/{branch}"]
        if not here_only:
            names.append(f"refs/remotes/origin/{branch}")
        for name in names:
            found = self._try("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
            if found is not None:
                return found.decode().strip()
        return None

    def files(self, commit: str | None, folder: str) -> dict[str, bytes]:
        """Name and content of the files directly in a folder; {} without a commit. Links are omitted."""
        if commit is None:
            return {}
        entries = self._entries(commit, f"{folder}/")
        blobs = {path.removeprefix(f"{folder}/"): found.blob for path, found in entries.items() if found.is_file}
        contents = self._run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs.values()).encode())
        found, stream = {}, BytesIO(contents)
        for name in blobs:
            # "HASH blob SIZE", then the content and a line end; or "HASH missing"
            head = stream.readline().decode().split()
            if head[1] != "blob":
                raise InvalidSpec("{path} is missing in {place}", path=f"{folder}/{name}", place=self.place)
            found[name] = stream.read(int(head[2]))
            stream.readline()
        return found

    def read(self, commit: str | None, path: str) -> bytes | None:
        """The content of a file; None if there is none at this path."""
        return self._try("cat-file", "blob", f"{commit}:{path}") if commit else None

    def folders(self, commit: str | None, paths: Iterable[str]) -> frozenset[str]:
        """Those of these paths that are folders."""
        entries = self._entries(commit, *paths) if commit else {}
        return frozenset(path for path, entry in entries.items() if entry.is_folder)

    def obstacle(self, commit: str | None, path: str) -> str:
        """The part of a path at which a file cannot be written without replacing something else; empty = none.

        A file, link or submodule in place of a folder, or anything but a file at the path itself.
        """
        if commit is None:
            return ""
        parts = tuple(accumulate(path.split("/"), lambda above, name: f"{above}/{name}"))
        entries = self._entries(commit, *parts)
        *folders, _file = parts
        blocked = [folder for folder in folders if folder in entries and not entries[folder].is_folder]
        if path in entries and not entries[path].is_file:
            blocked.append(path)
        return blocked[0] if blocked else ""

    def _entries(self, commit: str, *paths: str) -> dict[str, _TreeEntry]:
        """The entries of a commit at these paths, with the folders above them."""
        found = {}
        for entry in filter(None, self._run("ls-tree", "-t", "-z", commit, "--", *paths).split(b"\0")):
            meta, path = entry.split(b"\t", 1)
            mode, _kind, blob = meta.decode().split(" ")
            found[path.decode("utf-8", "replace")] = _TreeEntry(mode, blob)
        return found

    def commit(self, branch: str, parent: str | None, files: Iterable[GitFile], message: str) -> str:
        """Add or replace files on a branch in one commit; returns its hash. InvalidSpec if the branch has moved on."""
        self._check_branch(branch)
        author = (self._try("var", "GIT_COMMITTER_IDENT") or b"").decode("utf-8", "replace").rsplit(" ", 2)[0]
        text = message.encode()
        parts = [f"commit refs/heads/{branch}\ncommitter {author or _AUTHOR} now\ndata {len(text)}\n".encode(), text]
        if parent is not None:
            parts.append(f"\nfrom {parent}".encode())
        for file in files:
            parts += [f"\nM 100644 inline {_quoted(file.path)}\ndata {len(file.data)}\n".encode(), file.data]
        parts.append(b"\ndone\n")
        try:
            self._run("fast-import", "--quiet", "--done", "--date-format=now", stdin=b"".join(parts))
        except InvalidSpec:
            if self.tip(branch, here_only=True) in (None, parent):
                raise
            raise InvalidSpec("the branch {branch} has moved on meanwhile: try again", branch=branch) from None
        done = self.tip(branch)
        assert done is not None
        return done

    def push(self, branch: str, commit: str, before: str | None) -> None:
        """Push a commit to a branch of the remote repository that this one came from; never by force.

        If it cannot be pushed, the branch here goes back from it to its earlier commit, `before`.
        """
        reference = f"refs/heads/{branch}"
        done = _git(self._top, ("push", *_PUSH, "origin", f"{commit}:{reference}"))
        if done.returncode == 0:
            return
        # Fails if another process has moved the branch on: its commit stays.
        self._try("update-ref", *((reference, before, commit) if before else ("-d", reference, commit)))
        if b"rejected" in done.stderr:
            raise InvalidSpec(
                "the branch {branch} has moved on in the remote repository: fetch it first, or name another --branch",
                branch=branch,
            )
        raise InvalidSpec("{branch} cannot be pushed: {why}", branch=branch, why=_why(done.stderr))

    def origin(self) -> str:
        """The address of the remote repository; InvalidSpec if there is none."""
        found = self._try("config", "--get", "remote.origin.url")
        if found is None:
            raise InvalidSpec("the repository {place} has no remote named origin", place=self.place)
        return found.decode("utf-8", "replace").strip()

    def _check_branch(self, branch: str) -> None:
        if branch.startswith("-") or self._try("check-ref-format", f"refs/heads/{branch}") is None:
            raise InvalidSpec("{branch!r} is no name of a git branch", branch=branch[:80])
        # A repository can have several work trees.
        if f"branch refs/heads/{branch}" in self._checked_out():
            raise InvalidSpec(
                "the branch {branch} is checked out in {place}: name another branch", branch=branch, place=self.place
            )

    def _checked_out(self) -> list[str]:
        return self._run("worktree", "list", "--porcelain").decode("utf-8", "replace").splitlines()

    def _try(self, *words: str) -> bytes | None:
        done = _git(self._top, words)
        return done.stdout if done.returncode == 0 else None

    def _run(self, *words: str, stdin: bytes | None = None) -> bytes:
        done = _git(self._top, words, stdin)
        if done.returncode:
            raise InvalidSpec(
                "git {command} failed in {place}: {why}", command=words[0], place=self.place, why=_why(done.stderr)
            )
        return done.stdout


def open_repository(place: str, scratch: Path) -> GitRepository:
    """Open a local repository, or clone a remote one into `scratch`. InvalidSpec in one sentence."""
    if shutil.which("git") is None:
        raise InvalidSpec("git is not installed here: install it, or take the files with --to")
    if _REMOTE.fullmatch(place):
        return _clone(place, scratch)
    if not Path(place).is_dir():
        raise InvalidSpec("{place} is neither a folder nor the https:// or ssh:// address of a repository", place=place)
    done = _git(Path(place), ("rev-parse", "--show-cdup"))
    if done.returncode:
        raise InvalidSpec("{place} is no git repository", place=place)
    return GitRepository(place, Path(place, done.stdout.decode().strip()))


def tracked_files(folder: Path, *, most: int) -> list[str]:
    """Paths of the tracked files of a checkout, within the folder. InvalidSpec if git fails, or for too many.

    git only lists its index: it runs no hook, filter or file monitor, and follows no link.
    """
    if shutil.which("git") is None:
        raise InvalidSpec("git is not installed here: install it, or name a folder without .git")
    done = _git(folder, ("-c", "core.fsmonitor=false", "ls-files", "-z", "--cached"))
    if done.returncode:
        raise InvalidSpec("git ls-files failed in {place}: {why}", place=folder, why=_why(done.stderr))
    paths = [os.fsdecode(path) for path in done.stdout.split(b"\0") if path]
    if len(paths) > most:
        raise InvalidSpec("{place} has more than {most:,} files: name a smaller folder", place=folder, most=most)
    return paths


def is_remote(place: str) -> bool:
    """True for an address; False for a folder."""
    return _REMOTE.fullmatch(place) is not None


def _clone(address: str, scratch: Path) -> GitRepository:
    shown = without_login(address)
    target = scratch / "clone.git"
    # A blobless clone would ask for files one by one; decisions are small, so the newest state is enough.
    done = _call(
        ["git", *_SAFE, "clone", "--quiet", "--bare", "--depth", "1", "--no-single-branch", "--", address, str(target)]
    )
    if done.returncode:
        raise InvalidSpec("{place} cannot be cloned: {why}", place=shown, why=_why(done.stderr))
    return GitRepository(shown, target)


def without_login(address: str) -> str:
    """An address without a user name or password."""
    return _LOGIN.sub("//", address)


_SAFE = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "core.askPass=true",
    "-c",
    "credential.interactive=false",
)
_PUSH = ("--quiet", "--no-verify", "--no-recurse-submodules", "--no-follow-tags")
"""Push only this branch, also if the configuration adds others."""


def _git(top: Path, words: Iterable[str], stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return _call(["git", *_SAFE, "-C", str(top), *words], stdin)


def _call(command: list[str], stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    caller = {name: value for name, value in os.environ.items() if name not in _OTHER_REPOSITORY}
    # Messages of git are read, so they are in English.
    env = {**caller, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(
            command,
            input=stdin or b"",
            capture_output=True,
            timeout=MAX_WAIT_S,
            check=False,
            start_new_session=True,
            env=env,
        )
    except subprocess.TimeoutExpired:
        raise InvalidSpec("git did not finish within {seconds} s", seconds=MAX_WAIT_S) from None


def _why(stderr: bytes) -> str:
    """The last line of git's own words, without a login in an address."""
    lines = [text for text in stderr.decode("utf-8", "replace").splitlines() if text.strip()]
    told = [text for text in lines if text.startswith(("fatal:", "error:", " !"))] or lines
    return line(without_login(told[-1].partition(": ")[2] or told[-1]))[:300] if told else "it gave no reason"


def _quoted(path: str) -> str:
    """A path for fast-import, in C style."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Files as texts for reading; bytes that are no UTF-8 are replaced."""
    return {name: data.decode("utf-8", "replace") for name, data in files.items()}
