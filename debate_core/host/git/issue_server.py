"""Reads an issue with its comments from GitHub, and writes the one comment of the program."""

from typing import Any

from debate_core.errors import InvalidSpec
from debate_core.host.git.issue_comments import MEMBERS, Comment, Issue
from debate_core.host.git.pull_request import GitServer

_PER_PAGE = 100
_MAX_PAGES = 50


def read_issue(server: GitServer, number: int) -> Issue:
    """The issue or pull request of this number. InvalidSpec if the server does not answer as GitHub does."""
    found = server.call("GET", f"issues/{number}")
    try:
        comments = tuple(sorted((_comment(one) for one in _pages(server, number)), key=lambda one: one.id))
        from_fork = "pull_request" in found and _is_fork(server, number)
        return Issue(number, str(found["title"]), str(found["body"] or ""), comments, from_fork)
    except (KeyError, TypeError, ValueError):
        raise InvalidSpec("{api} does not list issues as GitHub does", api=server.api) from None


def write_post(server: GitServer, number: int, post: int | None, text: str) -> int:
    """Change the comment `post`, or add one; returns its id."""
    if post is not None:
        server.call("PATCH", f"issues/comments/{post}", {"body": text})
        return post
    return int(server.call("POST", f"issues/{number}/comments", {"body": text})["id"])


def _pages(server: GitServer, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for page in range(1, _MAX_PAGES + 1):
        listed = server.call("GET", f"issues/{number}/comments?per_page={_PER_PAGE}&page={page}")
        found += listed
        if len(listed) < _PER_PAGE:
            return found
    raise InvalidSpec("issue {number} has more than {most} comments", number=number, most=_PER_PAGE * _MAX_PAGES)


def _comment(found: dict[str, Any]) -> Comment:
    return Comment(
        id=found["id"],
        author=found["user"]["login"],
        author_id=found["user"]["id"],
        is_member=found["author_association"] in MEMBERS,
        text=found["body"] or "",
    )


def _is_fork(server: GitServer, number: int) -> bool:
    """True if the branch of a pull request is in another repository, or in one that is gone."""
    ends = server.call("GET", f"pulls/{number}")
    head, base = ends["head"]["repo"], ends["base"]["repo"]
    return head is None or head["full_name"] != base["full_name"]
