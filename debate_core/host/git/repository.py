"""A git repository, read and written through git itself; no file of a work tree is touched.

A commit is one `git fast-import`: the branch has all files of the commit or stays as it was, and it never loses a
commit. Hooks of the repository do not run, and git never asks for a password at the terminal.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from debate_core.errors import InvalidSpec
from debate_core.text import line

MAX_WAIT_S = 120
_AUTHOR = "Debate room <debate-room@localhost>"
"""Author of commits where git knows no user."""
_REMOTE = re.compile(r"(?:https://|ssh://)[^\s]+|[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^\s]+")
"""Addresses to clone from; `ext::` and other transports that run commands are refused."""
_LOGIN = re.compile(r"//[^/@\s]+@")


class GitFile(NamedTuple):
    """Path in the repository, and content."""

    path: str
    data: bytes


class GitRepository:
    """A local repository, bare or with a work tree."""

    def __init__(self, place: str, git_dir: str) -> None:
        self.place = place
        """As the user named it; without a login in an address."""
        self._git_dir = git_dir

    def branch(self) -> str:
        """The branch that decisions branch off from: that of the remote repository if known, else the present one."""
        for name in ("refs/remotes/origin/HEAD", "HEAD"):
            found = self._try("symbolic-ref", "--quiet", "--short", name)
            if found is not None:
                return found.decode().strip().removeprefix("origin/")
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
        found = {}
        for entry in filter(None, self._run("ls-tree", "-z", commit, "--", f"{folder}/").split(b"\0")):
            meta, path = entry.split(b"\t", 1)
            mode, _kind, blob = meta.split(b" ")
            if mode.startswith(b"100"):
                name = path.decode("utf-8", "replace").removeprefix(f"{folder}/")
                found[name] = self._run("cat-file", "blob", blob.decode())
        return found

    def read(self, commit: str | None, path: str) -> bytes | None:
        """The content of a file; None if there is none at this path."""
        return self._try("cat-file", "blob", f"{commit}:{path}") if commit else None

    def exists(self, commit: str | None, path: str) -> bool:
        """True if there is a file, a link or a folder at this path."""
        return commit is not None and self._try("cat-file", "-e", f"{commit}:{path}") is not None

    def folders(self, commit: str | None) -> tuple[str, ...]:
        """All folders of a commit."""
        if commit is None:
            return ()
        listed = self._run("ls-tree", "-r", "-d", "-z", "--name-only", commit)
        return tuple(filter(None, listed.decode("utf-8", "replace").split("\0")))

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
        self._run("fast-import", "--quiet", "--done", "--date-format=now", stdin=b"".join(parts))
        done = self.tip(branch)
        assert done is not None
        return done

    def push(self, branch: str, before: str | None) -> None:
        """Push a branch to the remote repository that this one came from; never by force.

        A branch that cannot be pushed goes back to its earlier commit, `before`, so that nothing is half done.
        """
        reference = f"refs/heads/{branch}"
        done = _git(self._git_dir, ("push", "--quiet", "--no-verify", "origin", f"{reference}:{reference}"))
        if done.returncode == 0:
            return
        self._run("update-ref", *((reference, before) if before else ("-d", reference)))
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
        checked_out = self._try("symbolic-ref", "--quiet", "HEAD")
        has_work_tree = (self._try("config", "--get", "core.bare") or b"").strip() != b"true"
        if has_work_tree and checked_out is not None and checked_out.decode().strip() == f"refs/heads/{branch}":
            raise InvalidSpec(
                "the branch {branch} is checked out in {place}: name another branch", branch=branch, place=self.place
            )

    def _try(self, *words: str) -> bytes | None:
        done = _git(self._git_dir, words)
        return done.stdout if done.returncode == 0 else None

    def _run(self, *words: str, stdin: bytes | None = None) -> bytes:
        done = _git(self._git_dir, words, stdin)
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
    done = _call(["git", "-C", place, "rev-parse", "--absolute-git-dir"])
    if done.returncode:
        raise InvalidSpec("{place} is no git repository", place=place)
    return GitRepository(place, done.stdout.decode().strip())


def is_remote(place: str) -> bool:
    """True for an address; False for a folder."""
    return _REMOTE.fullmatch(place) is not None


def _clone(address: str, scratch: Path) -> GitRepository:
    shown = without_login(address)
    target = scratch / "clone.git"
    # A blobless clone would ask for files one by one; decisions are small, so the newest state is enough.
    done = _call(
        ["git", *_SAFE, "clone", "--quiet", "--bare", "--depth", "1", "--no-single-branch", address, str(target)]
    )
    if done.returncode:
        raise InvalidSpec("{place} cannot be cloned: {why}", place=shown, why=_why(done.stderr))
    return GitRepository(shown, str(target))


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
    "-c",
    "core.quotePath=false",
)


def _git(git_dir: str, words: Iterable[str], stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return _call(["git", *_SAFE, f"--git-dir={git_dir}", *words], stdin)


def _call(command: list[str], stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            command, input=stdin or b"", capture_output=True, timeout=MAX_WAIT_S, check=False, start_new_session=True
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
    """Files as texts; bytes that are no UTF-8 are replaced."""
    return {name: data.decode("utf-8", "replace") for name, data in files.items()}
