"""The flags of every command, and a parser that refuses in one sentence instead of printing its usage.

Knows names and types of flags, not what they mean.
"""

import argparse
import re
from collections.abc import Callable
from typing import NoReturn, get_args

from debate_core.errors import InvalidSpec
from debate_core.report.files.export import FORMATS
from debate_core.spec.advice import QUESTIONS, Answer, Kind, Task
from debate_core.spec.models import Dialect

REPORTS = ("text", "summary", "md", "json")


class Parser(argparse.ArgumentParser):
    """argparse whose errors are ours."""

    def error(self, message: str) -> NoReturn:
        raise InvalidSpec(f"{message} (try: {self.prog} --help)")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text[:40]!r}") from None


def _limit(text: str) -> int:
    number = _whole(text)
    if not 0 <= number < 10**15:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, not {text[:40]!r}")
    return number


def _amount(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,12})?", text):
        raise argparse.ArgumentTypeError(f"must be an amount in USD from 0, as in 1.50, not {text[:40]!r}")
    return text


def parser() -> Parser:
    """The parser of all commands; `command` names the one that was asked."""
    top = Parser(
        prog="python -m debate_core",
        description="Debates with fixed rules, a counted decision and a record that anybody can check again.",
        allow_abbrev=False,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, meaning: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(name, help=meaning, description=meaning, allow_abbrev=False)
        return made

    run = command("run", "hold a debate")
    _debate_flags(run)
    _model_flags(run)
    run.add_argument("--db", metavar="URL", help="keep the debate in this database")
    run.add_argument("--out", metavar="RECORD.jsonl", help="write the record to this file")
    run.add_argument("--json", action="store_true", help="print the result as one JSON object")
    estimate = command("estimate", "say what a debate would cost, and ask nobody")
    _debate_flags(estimate)
    _model_flags(estimate)
    estimate.add_argument("--json", action="store_true")
    probe = command("probe", "ask each model for one short answer and say what its server can do")
    _model_flags(probe)
    probe.add_argument("--json", action="store_true")
    probe.set_defaults(offline=False)
    _record_commands(command)
    _count_flags(command("count", "elect from a file of ballots, by any rule"))
    _triage_flags(command("triage", "say whether a question should be debated, or what to do instead"))
    metrics = command("metrics", "figures over all debates of a database that are over, with the bars that warn")
    metrics.add_argument("--db", metavar="URL")
    metrics.add_argument("--protocol", metavar="NAME", help="only debates under this protocol")
    metrics.add_argument("--rehearsals", action="store_true", help="count rehearsals too")
    metrics.add_argument("--json", action="store_true")
    protocols = command("protocols", "list the protocols, or print one")
    protocols.add_argument("name", metavar="NAME", nargs="?")
    protocols.add_argument("--json", action="store_true")
    command("bench", "measure what a turn costs").add_argument("--json", action="store_true")
    return top


def _count_flags(count: argparse.ArgumentParser) -> None:
    count.add_argument("ballots", metavar="BALLOTS", help=".abif, PrefLib (.soc .soi .toc .toi) or our votes.csv")
    count.add_argument("--rule", metavar="NAME", required=True, help="plurality, irv, borda, schulze, ...")
    count.add_argument("--seats", metavar="N", type=_limit, help="how many may vote: quorum and shares are of these")
    count.add_argument("--threshold", metavar="N", type=_whole, help="votes needed, for threshold_vote")
    count.add_argument("--poll", metavar="ID", help="one count of people in our votes.csv, as final.room")
    count.add_argument("--json", action="store_true")


def _link_flags(link: argparse.ArgumentParser) -> None:
    link.add_argument("debate_id", metavar="DEBATE")
    link.add_argument("--person", metavar="ID", help="whom it is for; default: the only facilitator")
    link.add_argument("--list", action="store_true", help="only say who is in the debate, and make no link")
    link.add_argument("--db", metavar="URL")
    link.add_argument("--json", action="store_true")


def _triage_flags(triage: argparse.ArgumentParser) -> None:
    for question in QUESTIONS:
        flag = f"--{question.name.replace('_', '-')}"
        triage.add_argument(flag, choices=get_args(Answer), default="unknown", help=question.text)
    triage.add_argument("--task", choices=get_args(Task), default="unknown", help="what kind of decision it is")
    triage.add_argument(
        "--kind", choices=get_args(Kind), default="unknown", help="what kind of question, for the sides"
    )
    triage.add_argument("--downside-usd", metavar="X", type=_amount, help="what a wrong decision would cost")
    triage.add_argument("--debate-usd", metavar="X", type=_amount, help="what the debate would cost: see estimate")
    triage.add_argument("--json", action="store_true")


def _record_commands(command: Callable[[str, str], argparse.ArgumentParser]) -> None:
    verify = command("verify", "read a record again, count again, name what was changed")
    verify.add_argument("record", metavar="RECORD")
    verify.add_argument("--json", action="store_true")
    report = command("report", "print a record as text, summary, md or json")
    report.add_argument("record", metavar="RECORD")
    report.add_argument("--format", choices=REPORTS, default="text")
    export = command("export", "write a record as files into a folder")
    export.add_argument("record", metavar="RECORD")
    export.add_argument("--to", metavar="DIR", required=True)
    # Not `choices`: the export itself says which formats there are.
    export.add_argument("--format", default="all", metavar="|".join(FORMATS))
    imported = command("import", "take in a record (.jsonl) or a script (.json)")
    imported.add_argument("file", metavar="FILE")
    imported.add_argument("--db", metavar="URL")
    imported.add_argument("--json", action="store_true")
    resume = command("resume", "go on with a debate of a database")
    resume.add_argument("debate_id", metavar="ID")
    resume.add_argument("--db", metavar="URL")
    resume.add_argument("--json", action="store_true")
    _link_flags(command("link", "a new personal link for somebody of a debate whom no link lets in any more"))


def _debate_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument("question", metavar="QUESTION", nargs="?")
    command.add_argument("--protocol", metavar="NAME|FILE.toml", help="default: expert_panel")
    command.add_argument("--options", metavar="a,b,c", help="default: adopt,defer,reject")
    command.add_argument("--seat", metavar="ID=STANCE", action="append", default=[], help="seat a debater by hand")
    command.add_argument("--human", metavar="SEAT", action="append", default=[], help="a person sits there")
    command.add_argument("--source", metavar="FILE", action="append", default=[], help="a document to quote from")
    command.add_argument("--panel-size", metavar="N", type=_whole, help="number of debaters")
    command.add_argument("--rounds", metavar="N", type=_whole)
    command.add_argument("--threshold", metavar="N", type=_whole)
    command.add_argument("--seed", metavar="N", type=_whole)
    command.add_argument("--offline", action="store_true", help="fill every seat without a model")
    command.add_argument("--script", metavar="FILE.json", help="scripted seats: a rehearsal")
    command.add_argument("--budget-usd", metavar="X", type=_amount, help="end before more than this is spent")
    command.add_argument("--max-calls", metavar="N", type=_limit, help="end before more calls are made")
    command.add_argument("--max-tokens", metavar="N", type=_limit, help="end before more tokens are used, both ways")
    command.add_argument("--max-seconds", metavar="N", type=_limit, help="ask nobody after this long")
    command.add_argument(
        "--prompt", metavar="NAME=FILE", action="append", default=[], help="a prompt of your own; the record says so"
    )


def _model_flags(command: argparse.ArgumentParser) -> None:
    command.add_argument("--panel", metavar="NAME", help="models sit there, as the panel file says")
    command.add_argument("--model", metavar="NAME", help="this model sits there; with --panel: in its empty lines")
    command.add_argument("--base-url", metavar="URL", help="where the model answers; default: its vendor")
    command.add_argument(
        "--dialect", choices=get_args(Dialect), help="default: chat with --base-url, else its vendor's"
    )
    command.add_argument("--key-env", metavar="NAME", help="variable that holds the key of --model")
