"""Reads an issue with its comments from GitHub, and writes the one comment that shows its debate."""

from typing import Any

from debate_core.errors import InvalidSpec
from debate_core.host.git.issue_debate import MEMBERS, Comment, Issue, IssueDebate, branch_of
from debate_core.host.git.pull_request import GitServer
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.polls import poll_progress
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.outcome import unreached_sentence
from debate_core.report.phrases.polls import progress_words
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.spec.values import ABSTAIN
from debate_core.text import line, md_text

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


_MAX_REPORT_CHARS = 50_000
"""Git servers take comments of 65,536 characters."""
_SEALED = """Sealed vote. Choose a key of 16 or more letters and digits, keep it, and write the option exactly as above:

    printf '%s %s' 'OPTION' 'KEY' | sha256sum

1. `/commit DIGEST`: your choice stays hidden.
2. `/reveal OPTION KEY because REASON`: when everyone has committed. The first reveal ends the commitments."""
_OPEN = "Open vote: `/vote OPTION because REASON`. The latest vote of a person counts."


def post_text(debate: IssueDebate) -> str:
    """Markdown: the state in one paragraph, the next step, refusals, and the report folded."""
    parts = []
    if debate.debate_id:
        state = debate.state()
        parts = [f"**{md_text(line(state.spec.question))}**", *_standing(debate, state)]
    if debate.answered.refused:
        refused = [f"- {md_text(sentence)}" for sentence in debate.answered.refused]
        parts.append("\n".join(["Not accepted:", *refused]))
    if debate.debate_id:
        report = markdown_report(account(debate.state(), debate.events()))
        if len(report) > _MAX_REPORT_CHARS:
            report = f"{report[:_MAX_REPORT_CHARS]}\n\n[…] The record has the rest."
        parts += [
            f"<details><summary>The debate</summary>\n\n{report}\n\n</details>",
            f"Record: branch `{branch_of(debate.issue.number)}`.",
        ]
    return _without_mentions("\n\n".join(parts)) + "\n"


def _standing(debate: IssueDebate, state: State) -> list[str]:
    poll = state.room.polls.get("final")
    if poll is None:
        waiting = unreached_sentence(state) or state.paused or "The debate is not over."
        return [md_text(line(waiting)), "`/debate` continues it."]
    if poll.revealed:
        said = [md_text(line(decided_sentence(account(state, debate.events()))))]
        url = debate.answered.decision_url
        return [*said, f"Decision record: {url}. To merge it is to sign it."] if url else said
    options = ", ".join(f"`{line(option).replace('`', '')}`" for option in (*state.spec.options, ABSTAIN))
    progress = progress_words(poll_progress(state, "final"))
    committed = f" {len(poll.commitments)} committed." if debate.answered.is_sealed else ""
    names = state.room.people[state.spec.terms.people[0].id].name
    return [
        f"The vote is open: {progress}.{committed} Options: {options}.",
        _SEALED if debate.answered.is_sealed else _OPEN,
        f"`/close` by {md_text(names)} counts the vote.",
    ]


def _without_mentions(text: str) -> str:
    """The text in which no one is mentioned: a zero-width space after each @."""
    return text.replace("@", "@\u200b")
