"""The commands and their flags, and a parser that refuses in one sentence instead of printing its usage.

Knows names and types of flags, not their meaning.
"""

import argparse
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NoReturn, get_args

from debate_core.errors import InvalidSpec
from debate_core.host.access.tokens import SCOPES, USUAL_DAYS
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
    """An argument parser that raises InvalidSpec."""

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


class Flag(NamedTuple):
    """A flag or an argument, with the options of `add_argument`."""

    names: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def dest(self) -> str:
        """The name of its value: `--max-calls` -> `max_calls`."""
        return self.names[0].lstrip("-").replace("-", "_")

    @property
    def default(self) -> object:
        """The value of a flag that is not given."""
        return self.options.get("default", False if self.options.get("action") == "store_true" else None)


def _flag(*names: str, **options: Any) -> Flag:
    return Flag(names, options)


def _limits(what: str) -> tuple[Flag, ...]:
    return (
        _flag("--budget-usd", metavar="X", type=_amount, help=f"{what} this many USD"),
        _flag("--max-calls", metavar="N", type=_limit, help=f"{what} this many calls"),
        _flag("--max-tokens", metavar="N", type=_limit, help=f"{what} this many tokens, both ways"),
        _flag("--max-seconds", metavar="N", type=_limit, help=f"{what} this many seconds"),
    )


_JSON = _flag("--json", action="store_true")
_DB = _flag("--db", metavar="URL")
_DEBATE = _flag("debate_id", metavar="DEBATE")
_RECORD = _flag("record", metavar="RECORD")
_MODEL = (
    _flag("--panel", metavar="NAME", help="seat the models of this panel in the panel file"),
    _flag("--model", metavar="NAME", help="seat this model; with --panel: in its empty lines"),
    _flag("--base-url", metavar="URL", help="address of the model's server; default: its vendor"),
    _flag("--dialect", choices=DIALECTS, help="default: chat with --base-url, else its vendor's"),
    _flag("--key-env", metavar="NAME", help="variable that holds the key of --model"),
    _flag("--structured", choices=get_args(Structure), help="how to ask for a structured reply: see probe"),
)
_HELD = (
    _flag("question", metavar="QUESTION", nargs="?"),
    _flag("--protocol", metavar="NAME|FILE.toml", help="default: expert_panel"),
    _flag(
        "--options",
        metavar="a,b,c",
        help="default: the stances of --seat, else adopt,defer,reject; none where seats propose them",
    ),
    _flag("--yes-option", metavar="OPTION", help="the option that answers the question with yes; none: no option does"),
    _flag(
        "--options-file", metavar="FILE.csv", help="options of a tournament, one per line, or columns option and text"
    ),
    _flag("--top", metavar="N", type=_whole, help="number of best options that a tournament looks for"),
    _flag(
        "--matches",
        choices=("debate",),
        help="compare each pair of a tournament in a short debate with its own record; default: a seat compares alone",
    ),
    _flag("--output-schema", metavar="FILE.json", help="JSON Schema that the deliverable of the synthesis must match"),
    _flag("--task", choices=get_args(TaskType), help="kind of decision, for metrics"),
    _flag("--seat", metavar="ID=STANCE", action="append", default=[], help="add a debater with a stance"),
    _flag("--human", metavar="SEAT", action="append", default=[], help="give this seat to a person"),
    _flag(
        "--commitment", metavar="SEAT=HOW", action="append", default=[], help=f"how firmly a seat argues: {HOW_FIRMLY}"
    ),
    _flag(
        "--instructions",
        metavar="SEAT=FILE",
        action="append",
        default=[],
        help="a text that the prompts of this model have in addition; it goes into the record",
    ),
    _flag(
        "--source",
        metavar="FILE",
        action="append",
        default=[],
        help="a document to quote from; of a folder all documents, of a git checkout the tracked ones",
    ),
    _flag(
        "--later-source",
        metavar="ROUND=FILE",
        action="append",
        default=[],
        help="a document that arrives in that round",
    ),
    _flag(
        "--source-for",
        metavar="SEATS=FILE",
        action="append",
        default=[],
        help="a document that only these seats read before the end, as in ann,ben=costs.md",
    ),
    _flag("--moderator-search", action="store_true", help="let the moderator search the documents before a round"),
    _flag("--premortem", action="store_true", help="let all debaters write why the decision might be reversed"),
    _flag("--crux", action="store_true", help="ask voters which claim decided it, and their votes if it were false"),
    _flag("--panel-size", metavar="N", type=_whole, help="number of debaters"),
    _flag("--rounds", metavar="N", type=_whole),
    _flag(
        "--synthesiser-may-end",
        metavar="N",
        type=_whole,
        help="add a synthesis to every round, which can end the rounds from round N on",
    ),
    _flag("--rotate-models", action="store_true", help="move the debaters' models on by one seat after every round"),
    _flag("--threshold", metavar="N", type=_whole),
    _flag("--seed", metavar="N", type=_whole),
    _flag("--offline", action="store_true", help="fill every seat without a model"),
    _flag("--script", metavar="FILE.json", help="scripted seats: a rehearsal"),
    *_limits("end before more than"),
    _flag("--max-wait-s", metavar="N", type=_whole, help="end without a decision after a longer wait for people"),
    _flag("--escalate-to", metavar="NAME", help="the person or role that takes an unresolved outcome"),
    _flag("--escalate-by", metavar="DATE", help="the deadline of its addressee, as in 2027-01-15"),
    _flag(
        "--prompt", metavar="NAME=FILE", action="append", default=[], help="a custom prompt; it goes into the record"
    ),
)
_IN_ISSUES = frozenset(
    (
        *("--protocol", "--panel-size", "--rounds", "--threshold", "--seed", "--source", "--offline", "--task"),
        *("--budget-usd", "--max-calls", "--max-tokens", "--max-seconds", "--escalate-to", "--escalate-by"),
    )
)
"""Flags of `run` that `issue` has too: question, options and people come from the issue."""
_SIGNATURES = (
    _flag("--signatures", metavar="FILE", help="the signatures.json of the record"),
    _flag("--key", metavar="HEX", help="the public key of the expected signer"),
)
_ORIGIN = (*_SIGNATURES, _flag("--db", metavar="URL", help="the database in which the debate was opened, if here"))
_SIGNED_ACT = (
    _flag("--by", metavar="WHO", required=True, help="your name, for the record"),
    _flag("--reason", metavar="TEXT", required=True, help="why, for the record"),
    _DB,
    _JSON,
)
_TRIAGE = (
    *(
        _flag(f"--{one.name.replace('_', '-')}", choices=get_args(Answer), default="unknown", help=one.text)
        for one in QUESTIONS
    ),
    _flag("--task", choices=get_args(Task), default="unknown", help="kind of decision"),
    _flag("--kind", choices=get_args(QuestionKind), default="unknown", help="kind of question, for the sides"),
    _flag("--downside-usd", metavar="X", type=_amount, help="cost of a wrong decision"),
    _flag("--debate-usd", metavar="X", type=_amount, help="cost of the debate: see estimate"),
    _flag("--db", metavar="URL", help="use the threshold accepted in this database"),
    _JSON,
)


class CliCommand(NamedTuple):
    """A command. Its `--help` shows `example` after the name of the program."""

    name: str
    meaning: str
    example: str
    flags: Iterable[Flag]
    defaults: Mapping[str, object] = {}


COMMANDS = (
    CliCommand(
        "run",
        "hold a debate",
        'run "Should we adopt a four-day week?" --offline --out debate.jsonl',
        (
            *_HELD,
            *_MODEL,
            _flag(
                "--baselines",
                metavar="a,b",
                help=f"afterwards, ask its models the same without a debate: {', '.join(BASELINES)}",
            ),
            _flag("--db", metavar="URL", help="keep the debate in this database"),
            _flag("--out", metavar="RECORD.jsonl", help="write the record to this file"),
            _flag("--json", action="store_true", help="print the result as one JSON object"),
        ),
    ),
    CliCommand(
        "estimate",
        "forecast the cost of a debate without calling a model",
        'estimate "Should we adopt a four-day week?" --panel balanced --rounds 3',
        (*_HELD, *_MODEL, _JSON),
    ),
    CliCommand(
        "probe",
        "ask each model for one short answer and show the features of its server",
        "probe --model qwen3:8b --base-url http://localhost:11434/v1",
        (*_MODEL, _JSON),
        {"offline": False},
    ),
    CliCommand(
        "verify",
        "check a record, or a signed answer: hashes, counts and signatures",
        "verify debate.jsonl",
        (
            _RECORD,
            *_SIGNATURES,
            _flag("--asked", metavar="ID", help="the id or digest of the question that the answer must answer"),
            _flag("--question", metavar="TEXT", help="the question that the answer must answer, as asked"),
            _flag("--max-age-s", metavar="N", type=_limit, help="refuse an answer that was signed earlier"),
            _JSON,
        ),
    ),
    CliCommand(
        "report",
        "print a record as text, summary, md or json",
        "report debate.jsonl --format md",
        (_RECORD, _flag("--format", choices=REPORTS, default="text"), *_ORIGIN),
    ),
    CliCommand(
        "export",
        "write a record as files into a folder, or the decision into a git repository",
        "export debate.jsonl --to files",
        (
            _RECORD,
            _flag("--to", metavar="DIR", help="the folder"),
            # Not `choices`: the export itself names the formats.
            _flag("--format", default="all", metavar="|".join(FORMATS)),
            _flag(
                "--profile",
                default="madr",
                metavar="madr|madr-minimal|nygard|log4brains",
                help="form of the decision record",
            ),
            _flag("--to-git", metavar="REPOSITORY", help="a folder or an address; the decision becomes a branch of it"),
            _flag("--branch", metavar="NAME", help="decision/NUMBER-TITLE if omitted"),
            _flag(
                "--folder", metavar="PATH", help="of the decision records there; found, or docs/decisions, if omitted"
            ),
            _flag("--supersedes", metavar="FILE", help="the decision record there that this one replaces"),
            _flag("--push", action="store_true", help="push the branch to origin"),
            _flag("--pull-request", action="store_true", help="push, and open a pull or merge request"),
            *_ORIGIN,
        ),
    ),
    CliCommand(
        "issue",
        "hold a debate in an issue of a git server, from the commands in its comments",
        "issue 12 --repository .",
        (
            _flag("number", metavar="NUMBER", type=_whole),
            _flag("--repository", metavar="DIR", default=".", help="a clone of the repository; default: here"),
            *(flag for flag in _HELD if flag.names[0] in _IN_ISSUES),
            *_MODEL,
            _JSON,
        ),
        {flag.dest: flag.default for flag in _HELD if flag.names[0] not in _IN_ISSUES},
    ),
    CliCommand(
        "import",
        "import a record, a script or practice debates; after a review also decision records, ballots, transcripts",
        "import docs/decisions",
        (
            _flag("file", metavar="FILE_OR_FOLDER"),
            _flag("--yes", action="store_true", help="accept the review, and keep a draft or a record for each file"),
            _flag("--rule", metavar="NAME", default="plurality", help="the rule that counts ballots, as of count"),
            _flag("--poll", metavar="ID", help="one poll of people in our votes.csv, as final.room"),
            _flag("--question", metavar="TEXT", help="the question of a transcript"),
            _flag("--options", metavar="a,b,c", help="the options of a transcript"),
            _flag("--facilitator", metavar="NAME", help="the person who leads the room of a transcript's record"),
            *_SIGNATURES,
            _DB,
            _JSON,
        ),
    ),
    CliCommand(
        "resume",
        "continue a debate of a database",
        "resume 1f0c9a52-6f1e-4d5c-9a3e-2b7d8c4e5f60 --db sqlite:///debates.db",
        (
            _flag("debate_id", metavar="ID"),
            _DB,
            *_limits("raise the limit to"),
            _flag("--give-up", action="store_true", help="continue without the seats that could not be reached"),
            _JSON,
        ),
    ),
    CliCommand(
        "link",
        "make a new personal link for a person of a debate",
        "link 1f0c9a52-6f1e-4d5c-9a3e-2b7d8c4e5f60 --person p-ann",
        (
            _DEBATE,
            _flag("--person", metavar="ID", help="the person; default: the only facilitator"),
            _flag("--list", action="store_true", help="only list the people in the debate"),
            _DB,
            _JSON,
        ),
    ),
    CliCommand(
        "token",
        "make, list or revoke the tokens with which programs read debates and ask people",
        'token create "nightly archive" --until 2027-01-15',
        (
            _flag("action", choices=("create", "list", "revoke")),
            _flag("what", metavar="NAME|ID", nargs="?", help="create: a name; revoke: the id of the token"),
            _flag(
                "--scope",
                action="append",
                choices=SCOPES,
                help="`read` (default): the read API; `ask`: the MCP endpoint; may be repeated",
            ),
            _flag("--debate", metavar="ID", action="append", default=[], help="read only this debate; may be repeated"),
            _flag("--until", metavar="DATE", help=f"its last day, as in 2027-01-15; default: in {USUAL_DAYS} days"),
            _flag(
                "--owner", metavar="EMAIL", help="read what this account may read; default: what the operator may read"
            ),
            _DB,
            _JSON,
        ),
    ),
    CliCommand(
        "workshop",
        "start the app for everyone in this network, and print its address and host code",
        "workshop --port 8501",
        (_flag("--port", metavar="N", type=_whole, default=8501, help="default: 8501"),),
    ),
    CliCommand(
        "mcp",
        "let programs ask people and read decisions, over MCP on standard input",
        "mcp --db sqlite:///debates.db --app-url https://debates.example.org",
        (_DB, _flag("--app-url", metavar="URL", help="address of the app in links; default: DEBATE_PUBLIC_URL")),
    ),
    CliCommand(
        "worker",
        "ask the seats of all debates of a database, without a screen, until stopped",
        "worker --db sqlite:///debates.db",
        (_DB,),
    ),
    CliCommand(
        "rotate-secret",
        "make a new secret: existing links and cookies stop working, debates continue",
        "rotate-secret --db sqlite:///debates.db",
        (_DB,),
    ),
    CliCommand(
        "migrate",
        "make the tables of a database, or bring them to this version",
        "migrate --db postgresql+psycopg://debates@localhost/debates",
        (_DB,),
    ),
    CliCommand(
        "copy",
        "copy all debates of a database into another one, and check each there",
        "copy --from sqlite:///debates.db --to postgresql+psycopg://debates@localhost/debates",
        (
            _flag("--from", metavar="URL", dest="source", required=True, help="the existing database"),
            _flag("--to", metavar="URL", dest="target", required=True, help="the database that receives the debates"),
            _flag(
                "--without-replaced",
                action="store_true",
                help="skip records that were replaced because a name was removed (`erase`)",
            ),
            _JSON,
        ),
    ),
    CliCommand(
        "hand-over",
        "give a debate another owner",
        'hand-over 1f0c9a52-6f1e-4d5c-9a3e-2b7d8c4e5f60 --to ana@example.org --by "Operations" --reason "Bo has left"',
        (
            _DEBATE,
            _flag(
                "--to",
                metavar="EMAIL",
                required=True,
                help="the e-mail address of a person who has logged in here, or `server`",
            ),
            *_SIGNED_ACT,
        ),
    ),
    CliCommand(
        "erase",
        "remove a person's name: a record without it replaces the debate",
        'erase 1f0c9a52-6f1e-4d5c-9a3e-2b7d8c4e5f60 --person "Ana Ruiz" --by "Operations" --reason "she asked for it"',
        (_DEBATE, _flag("--person", metavar="NAME", required=True, help="the name as in the record"), *_SIGNED_ACT),
    ),
    CliCommand(
        "backup",
        "copy a database file while it is used, and check every debate of the copy",
        "backup --db sqlite:///debates.db --to monday.db",
        (_DB, _flag("--to", metavar="FILE", required=True, help="a file that does not exist yet")),
    ),
    CliCommand(
        "outcome",
        "record how a decision turned out, for metrics",
        'outcome 1f0c9a52-6f1e-4d5c-9a3e-2b7d8c4e5f60 reversed --right defer --reason "it was too slow"',
        (
            _DEBATE,
            _flag("result", choices=get_args(OutcomeResult)),
            _flag("--right", metavar="OPTION", help="the option that turned out right, if known"),
            _flag("--reason", metavar="TEXT", required=True, help="how you know"),
            _flag("--by", metavar="ID", help="the person who records it; default: the only one permitted"),
            _DB,
            _JSON,
        ),
    ),
    CliCommand(
        "watch",
        "check the assumptions of signed decisions; 7 if one is broken",
        "watch .",
        (
            _flag("folder", metavar="FOLDER", nargs="?", help="the files to check, and the decisions without --db"),
            _flag("--db", metavar="URL", help="take the decisions from a database, and challenge those that moved"),
            _JSON,
        ),
    ),
    CliCommand(
        "precedents",
        "find earlier decisions on a question; without one, list them all with contradictions",
        'precedents "Which cache do we use?" --folder docs/decisions',
        (
            _flag("question", metavar="QUESTION", nargs="?", help="any text; its words are searched"),
            _flag("--folder", metavar="DIR", help="decision records or a git checkout; default: DEBATE_PRECEDENTS"),
            _flag("--most", metavar="N", type=_limit, default=3, help="decisions or texts that are shown; default: 3"),
            _flag("--kind", choices=get_args(TaskType), help="print the base rates of decisions of this kind"),
            _flag("--texts", action="store_true", help="search all texts of debates and files for these words"),
            _DB,
            _JSON,
        ),
    ),
    CliCommand(
        "count",
        "elect from a file of ballots, by any rule",
        "count votes.abif --rule schulze",
        (
            _flag("ballots", metavar="BALLOTS", help=".abif, PrefLib (.soc .soi .toc .toi) or our votes.csv"),
            _flag("--rule", metavar="NAME", required=True, help="plurality, irv, borda, schulze, ..."),
            _flag("--seats", metavar="N", type=_limit, help="number of eligible voters, for quorum and shares"),
            _flag("--threshold", metavar="N", type=_whole, help="votes needed, for threshold_vote"),
            _flag("--poll", metavar="ID", help="one poll of people in our votes.csv, as final.room"),
            _JSON,
        ),
    ),
    CliCommand(
        "triage",
        "recommend a debate, or what to do instead",
        "triage --contested yes --check no --task architecture --downside-usd 50000",
        _TRIAGE,
    ),
    CliCommand(
        "metrics",
        "show figures over all finished debates of a database, with their warning limits",
        "metrics --protocol expert_panel",
        (
            _DB,
            _flag("--protocol", metavar="NAME", help="only debates under this protocol"),
            _flag("--rehearsals", action="store_true", help="count rehearsals too"),
            _flag("--threshold", choices=("accept", "decline"), help="answer the proposal for the threshold of triage"),
            _flag("--by", metavar="NAME", help="with --threshold: who answers; default: the operator"),
            _flag("--reason", metavar="TEXT", help="with --threshold: why"),
            _JSON,
        ),
    ),
    CliCommand(
        "prompts",
        "print the prompts of each seat in a record or a protocol without calling a model",
        "prompts expert_panel --seat risk --round 2",
        (
            _flag("name", metavar="RECORD.jsonl|PROTOCOL|FILE.toml"),
            _flag("--seat", metavar="SEAT", help="only the prompts of this seat"),
            _flag("--round", metavar="N", type=_whole, help="only in this round"),
            _flag("--phase", metavar="PHASE", help="only in this phase"),
            _JSON,
        ),
    ),
    CliCommand(
        "protocols",
        "list the protocols, or print one",
        "protocols expert_panel",
        (_flag("name", metavar="NAME", nargs="?"), _JSON),
    ),
    CliCommand(
        "eval",
        "measure detectors on labelled sets, or protocols on judged questions",
        "eval questions --panel balanced --protocols expert_panel,stance_judge --fail-below 0.8",
        (
            _flag(
                "folder",
                metavar="DIR",
                help="labelled sets, .csv with question, options and answer, or decision records",
            ),
            _flag("--protocols", metavar="a,b", default="expert_panel", help="default: expert_panel"),
            *_MODEL,
            _flag("--seeds", metavar="N", type=_whole, default=1, help="debates per question"),
            _flag("--runs", metavar="FOLDER", help="folder of the records; default: DIR/runs"),
            _flag(
                "--fail-below",
                metavar="ACCURACY",
                type=_share,
                help="exit 1 if a protocol is right less often, as in 0.8",
            ),
            _JSON,
        ),
        {"offline": False, "script": None, "human": []},
    ),
    CliCommand("bench", "measure what a turn costs", "bench --json", (_JSON,)),
)


def parser() -> Parser:
    """The parser of all commands; `command` is the name of the chosen one."""
    top = Parser(
        prog=PROGRAM,
        description="Debates with fixed rules, a counted decision and a record that anyone can check.",
        allow_abbrev=False,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        own = commands.add_parser(
            command.name,
            help=command.meaning,
            description=command.meaning,
            epilog=f"example:\n  {PROGRAM} {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for flag in command.flags:
            own.add_argument(*flag.names, **flag.options)
        own.set_defaults(**command.defaults)
    return top
