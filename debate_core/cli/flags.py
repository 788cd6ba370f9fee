"""The commands and their flags, and a parser that refuses in one sentence instead of printing its usage.

Knows names and types of flags, not what they mean.
"""

import argparse
import re
from argparse import ArgumentParser
from collections.abc import Callable
from typing import NamedTuple, NoReturn, get_args

from debate_core.errors import InvalidSpec
from debate_core.record.acts import OutcomeResult
from debate_core.report.files.export import FORMATS
from debate_core.spec.advice import QUESTIONS, Answer, QuestionKind, Task
from debate_core.spec.dialects import DIALECTS
from debate_core.spec.models import Structure
from debate_core.spec.presets.baselines import BASELINES
from debate_core.spec.values import Commitment, TaskType

HOW_FIRMLY = ", ".join(get_args(Commitment))
PROGRAM = "python -m debate_core"
REPORTS = ("text", "summary", "md", "json")


class Parser(ArgumentParser):
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


def _share(text: str) -> float:
    if not re.fullmatch(r"0(\.[0-9]{1,9})?|1(\.0{1,9})?", text):
        raise argparse.ArgumentTypeError(f"must be a share from 0 to 1, as in 0.8, not {text[:40]!r}")
    return float(text)


def _amount(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,12})?", text):
        raise argparse.ArgumentTypeError(f"must be an amount in USD from 0, as in 1.50, not {text[:40]!r}")
    return text


def _run(command: ArgumentParser) -> None:
    _debate_flags(command)
    _model_flags(command)
    command.add_argument(
        "--baselines",
        metavar="a,b",
        help=f"once it is over, ask its models the same without a debate: {', '.join(BASELINES)}",
    )
    command.add_argument("--db", metavar="URL", help="keep the debate in this database")
    command.add_argument("--out", metavar="RECORD.jsonl", help="write the record to this file")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")


def _estimate(command: ArgumentParser) -> None:
    _debate_flags(command)
    _model_flags(command)
    command.add_argument("--json", action="store_true")


def _probe(command: ArgumentParser) -> None:
    _model_flags(command)
    command.add_argument("--json", action="store_true")
    command.set_defaults(offline=False)


def _verify(command: ArgumentParser) -> None:
    command.add_argument("record", metavar="RECORD")
    _signature_flags(command)
    command.add_argument("--json", action="store_true")


def _signature_flags(command: ArgumentParser) -> None:
    command.add_argument("--signatures", metavar="FILE", help="signatures.json, as it came with the record")
    command.add_argument("--key", metavar="HEX", help="the public key of who should have signed")


def _origin_flags(command: ArgumentParser) -> None:
    """By what it can be known where a record is from."""
    _signature_flags(command)
    command.add_argument("--db", metavar="URL", help="the database in which the debate was opened, if it was here")


def _report(command: ArgumentParser) -> None:
    command.add_argument("record", metavar="RECORD")
    command.add_argument("--format", choices=REPORTS, default="text")
    _origin_flags(command)


def _export(command: ArgumentParser) -> None:
    command.add_argument("record", metavar="RECORD")
    command.add_argument("--to", metavar="DIR", required=True)
    # Not `choices`: the export itself says which formats there are.
    command.add_argument("--format", default="all", metavar="|".join(FORMATS))
    _origin_flags(command)


def _import(command: ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE")
    _signature_flags(command)
    command.add_argument("--db", metavar="URL")
    command.add_argument("--json", action="store_true")


def _resume(command: ArgumentParser) -> None:
    command.add_argument("debate_id", metavar="ID")
    command.add_argument("--db", metavar="URL")
    _limit_flags(command, "raise the limit to")
    command.add_argument("--give-up", action="store_true", help="go on without those who could not be reached")
    command.add_argument("--json", action="store_true")


def _link(command: ArgumentParser) -> None:
    command.add_argument("debate_id", metavar="DEBATE")
    command.add_argument("--person", metavar="ID", help="whom it is for; default: the only facilitator")
    command.add_argument("--list", action="store_true", help="only say who is in the debate, and make no link")
    command.add_argument("--db", metavar="URL")
    command.add_argument("--json", action="store_true")


def _hand_over(command: ArgumentParser) -> None:
    command.add_argument("debate_id", metavar="DEBATE")
    to = "the e-mail address of somebody who has logged in here, or `server`"
    command.add_argument("--to", metavar="EMAIL", required=True, help=to)
    _by_and_why(command)


def _erase(command: ArgumentParser) -> None:
    command.add_argument("debate_id", metavar="DEBATE")
    command.add_argument("--person", metavar="NAME", required=True, help="the name as it stands in the record")
    _by_and_why(command)


def _by_and_why(command: ArgumentParser) -> None:
    command.add_argument("--by", metavar="WHO", required=True, help="who does this, for the record")
    command.add_argument("--reason", metavar="TEXT", required=True, help="why, for the record")
    command.add_argument("--db", metavar="URL")
    command.add_argument("--json", action="store_true")


def _rotate_secret(command: ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL")


def _worker(command: ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL")


def _migrate(command: ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL")


def _copy(command: ArgumentParser) -> None:
    command.add_argument("--from", metavar="URL", dest="source", required=True, help="the database that is there")
    command.add_argument("--to", metavar="URL", dest="target", required=True, help="the one that gets the debates")
    left = "leave behind the records from which a name was taken out (`erase`): others stand for them"
    command.add_argument("--without-replaced", action="store_true", help=left)
    command.add_argument("--json", action="store_true")


def _backup(command: ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL")
    command.add_argument("--to", metavar="FILE", required=True, help="a file that is not there yet")


def _workshop(command: ArgumentParser) -> None:
    command.add_argument("--port", metavar="N", type=_whole, default=8501, help="default: 8501")


def _outcome(command: ArgumentParser) -> None:
    command.add_argument("debate_id", metavar="DEBATE")
    command.add_argument("result", choices=get_args(OutcomeResult))
    command.add_argument("--right", metavar="OPTION", help="the option that turned out right, where that is known")
    command.add_argument("--reason", metavar="TEXT", required=True, help="how you know")
    command.add_argument("--by", metavar="ID", help="who records it; default: the only person who may")
    command.add_argument("--db", metavar="URL")
    command.add_argument("--json", action="store_true")


def _count(command: ArgumentParser) -> None:
    command.add_argument("ballots", metavar="BALLOTS", help=".abif, PrefLib (.soc .soi .toc .toi) or our votes.csv")
    command.add_argument("--rule", metavar="NAME", required=True, help="plurality, irv, borda, schulze, ...")
    command.add_argument("--seats", metavar="N", type=_limit, help="how many may vote: quorum and shares are of these")
    command.add_argument("--threshold", metavar="N", type=_whole, help="votes needed, for threshold_vote")
    command.add_argument("--poll", metavar="ID", help="one count of people in our votes.csv, as final.room")
    command.add_argument("--json", action="store_true")


def _triage(command: ArgumentParser) -> None:
    for question in QUESTIONS:
        flag = f"--{question.name.replace('_', '-')}"
        command.add_argument(flag, choices=get_args(Answer), default="unknown", help=question.text)
    command.add_argument("--task", choices=get_args(Task), default="unknown", help="what kind of decision it is")
    command.add_argument(
        "--kind", choices=get_args(QuestionKind), default="unknown", help="what kind of question, for the sides"
    )
    command.add_argument("--downside-usd", metavar="X", type=_amount, help="what a wrong decision would cost")
    command.add_argument("--debate-usd", metavar="X", type=_amount, help="what the debate would cost: see estimate")
    command.add_argument("--json", action="store_true")


def _metrics(command: ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL")
    command.add_argument("--protocol", metavar="NAME", help="only debates under this protocol")
    command.add_argument("--rehearsals", action="store_true", help="count rehearsals too")
    command.add_argument("--json", action="store_true")


def _protocols(command: ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", nargs="?")
    command.add_argument("--json", action="store_true")


def _prompts(command: ArgumentParser) -> None:
    command.add_argument("name", metavar="RECORD.jsonl|PROTOCOL|FILE.toml")
    command.add_argument("--seat", metavar="SEAT", help="only what this seat is sent")
    command.add_argument("--round", metavar="N", type=_whole, help="only in this round")
    command.add_argument("--phase", metavar="PHASE", help="only in this phase")
    command.add_argument("--json", action="store_true")


def _bench(command: ArgumentParser) -> None:
    command.add_argument("--json", action="store_true")


def _eval(command: ArgumentParser) -> None:
    command.add_argument(
        "folder", metavar="DIR", help="labelled sets, .csv with question, options and answer, or decision records"
    )
    command.add_argument("--protocols", metavar="a,b", default="expert_panel", help="default: expert_panel")
    _model_flags(command)
    command.add_argument("--seeds", metavar="N", type=_whole, default=1, help="how often each question is held")
    command.add_argument("--runs", metavar="FOLDER", help="where records are kept; default: DIR/runs")
    command.add_argument(
        "--fail-below", metavar="ACCURACY", type=_share, help="exit 1 if a protocol is right less often, as in 0.8"
    )
    command.add_argument("--json", action="store_true")
    command.set_defaults(offline=False, script=None, human=[])


def _debate_flags(command: ArgumentParser) -> None:
    command.add_argument("question", metavar="QUESTION", nargs="?")
    command.add_argument("--protocol", metavar="NAME|FILE.toml", help="default: expert_panel")
    command.add_argument(
        "--options",
        metavar="a,b,c",
        help="default: the stances of --seat, else adopt,defer,reject; none where seats propose them",
    )
    command.add_argument(
        "--yes-option", metavar="OPTION", help="the option that answers the question with yes; none: no option does"
    )
    command.add_argument(
        "--options-file", metavar="FILE.csv", help="options of a tournament, one a line, or columns option and text"
    )
    command.add_argument("--top", metavar="N", type=_whole, help="how many of the best a tournament looks for")
    command.add_argument("--task", choices=get_args(TaskType), help="what kind of decision it is, for metrics")
    command.add_argument("--seat", metavar="ID=STANCE", action="append", default=[], help="seat a debater by hand")
    command.add_argument("--human", metavar="SEAT", action="append", default=[], help="a person sits there")
    command.add_argument(
        "--commitment", metavar="SEAT=HOW", action="append", default=[], help=f"how firmly a seat argues: {HOW_FIRMLY}"
    )
    command.add_argument("--source", metavar="FILE", action="append", default=[], help="a document to quote from")
    command.add_argument(
        "--later-source", metavar="ROUND=FILE", action="append", default=[], help="a document that comes in that round"
    )
    command.add_argument("--panel-size", metavar="N", type=_whole, help="number of debaters")
    command.add_argument("--rounds", metavar="N", type=_whole)
    command.add_argument("--threshold", metavar="N", type=_whole)
    command.add_argument("--seed", metavar="N", type=_whole)
    command.add_argument("--offline", action="store_true", help="fill every seat without a model")
    command.add_argument("--script", metavar="FILE.json", help="scripted seats: a rehearsal")
    _limit_flags(command, "end before more than")
    command.add_argument(
        "--max-wait-s", metavar="N", type=_whole, help="end without a decision when people are waited for longer"
    )
    command.add_argument(
        "--prompt", metavar="NAME=FILE", action="append", default=[], help="a prompt of your own; the record says so"
    )


def _limit_flags(command: ArgumentParser, what: str) -> None:
    command.add_argument("--budget-usd", metavar="X", type=_amount, help=f"{what} so many USD")
    command.add_argument("--max-calls", metavar="N", type=_limit, help=f"{what} so many calls")
    command.add_argument("--max-tokens", metavar="N", type=_limit, help=f"{what} so many tokens, both ways")
    command.add_argument("--max-seconds", metavar="N", type=_limit, help=f"{what} so many seconds")


def _model_flags(command: ArgumentParser) -> None:
    command.add_argument("--panel", metavar="NAME", help="models sit there, as the panel file says")
    command.add_argument("--model", metavar="NAME", help="this model sits there; with --panel: in its empty lines")
    command.add_argument("--base-url", metavar="URL", help="where the model answers; default: its vendor")
    command.add_argument("--dialect", choices=DIALECTS, help="default: chat with --base-url, else its vendor's")
    command.add_argument("--key-env", metavar="NAME", help="variable that holds the key of --model")
    command.add_argument("--structured", choices=get_args(Structure), help="how a reply is asked for: see probe")


class CliCommand(NamedTuple):
    """A command: `example` is what stands behind the name of the program, as its `--help` shows it."""

    name: str
    meaning: str
    example: str
    add_flags: Callable[[ArgumentParser], None]


COMMANDS = (
    CliCommand("run", "hold a debate", 'run "Should we adopt a four-day week?" --offline --out debate.jsonl', _run),
    CliCommand(
        "estimate",
        "say what a debate would cost, and ask nobody",
        'estimate "Should we adopt a four-day week?" --panel balanced --rounds 3',
        _estimate,
    ),
    CliCommand(
        "probe",
        "ask each model for one short answer and say what its server can do",
        "probe --model qwen3:8b --base-url http://localhost:11434/v1",
        _probe,
    ),
    CliCommand("verify", "read a record again, count again, name what was changed", "verify debate.jsonl", _verify),
    CliCommand("report", "print a record as text, summary, md or json", "report debate.jsonl --format md", _report),
    CliCommand("export", "write a record as files into a folder", "export debate.jsonl --to files", _export),
    CliCommand(
        "import", "take in a record (.jsonl), a script (.json) or practice debates", "import debate.jsonl", _import
    ),
    CliCommand("resume", "go on with a debate of a database", "resume d-abcdefghij --db sqlite:///debates.db", _resume),
    CliCommand(
        "link",
        "a new personal link for somebody of a debate whom no link lets in any more",
        "link d-abcdefghij --person p-ann",
        _link,
    ),
    CliCommand(
        "workshop",
        "start the app for everybody in this network, and print its address and host code",
        "workshop --port 8501",
        _workshop,
    ),
    CliCommand(
        "worker",
        "ask the seats of all debates of a database, without a screen, until it is stopped",
        "worker --db sqlite:///debates.db",
        _worker,
    ),
    CliCommand(
        "rotate-secret",
        "make a new secret: links and cookies that are out stop to work, debates go on",
        "rotate-secret --db sqlite:///debates.db",
        _rotate_secret,
    ),
    CliCommand(
        "migrate",
        "make the tables of a database, or bring them to this version",
        "migrate --db postgresql+psycopg://debates@localhost/debates",
        _migrate,
    ),
    CliCommand(
        "copy",
        "copy all debates of a database into another one, and check each there",
        "copy --from sqlite:///debates.db --to postgresql+psycopg://debates@localhost/debates",
        _copy,
    ),
    CliCommand(
        "hand-over",
        "give a debate another owner",
        'hand-over d-abcdefghij --to ana@example.org --by "Operations" --reason "Bo has left"',
        _hand_over,
    ),
    CliCommand(
        "erase",
        "take the name of a person out: a record without it stands for the debate",
        'erase d-abcdefghij --person "Ana Ruiz" --by "Operations" --reason "she asked for it"',
        _erase,
    ),
    CliCommand(
        "backup",
        "copy a database file while it is used, and read every debate of the copy again",
        "backup --db sqlite:///debates.db --to monday.db",
        _backup,
    ),
    CliCommand(
        "outcome",
        "put on record what became of a decision: metrics reads it",
        'outcome d-abcdefghij reversed --right defer --reason "it was too slow"',
        _outcome,
    ),
    CliCommand("count", "elect from a file of ballots, by any rule", "count votes.abif --rule schulze", _count),
    CliCommand(
        "triage",
        "say whether a question should be debated, or what to do instead",
        "triage --contested yes --check no --task architecture --downside-usd 50000",
        _triage,
    ),
    CliCommand(
        "metrics",
        "figures over all debates of a database that are over, with the bars that warn",
        "metrics --protocol expert_panel",
        _metrics,
    ),
    CliCommand(
        "prompts",
        "print what each seat of a record or a protocol is sent, and ask nobody",
        "prompts expert_panel --seat risk --round 2",
        _prompts,
    ),
    CliCommand("protocols", "list the protocols, or print one", "protocols expert_panel", _protocols),
    CliCommand(
        "eval",
        "measure detectors on labelled sets, or protocols on judged questions",
        "eval questions --panel balanced --protocols expert_panel,stance_judge --fail-below 0.8",
        _eval,
    ),
    CliCommand("bench", "measure what a turn costs", "bench --json", _bench),
)


def parser() -> Parser:
    """The parser of all commands; `command` names the one that was asked."""
    top = Parser(
        prog=PROGRAM,
        description="Debates with fixed rules, a counted decision and a record that anybody can check again.",
        allow_abbrev=False,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        flags = commands.add_parser(
            command.name,
            help=command.meaning,
            description=command.meaning,
            epilog=f"example:\n  {PROGRAM} {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_flags(flags)
    return top
