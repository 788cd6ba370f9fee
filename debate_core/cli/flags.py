"""The flags of every command, and a parser that refuses in one sentence instead of printing its usage.

Knows names and types of flags, not what they mean. Called by `__main__`.
"""

import argparse
from typing import NoReturn

from debate_core.errors import InvalidSpec
from debate_core.report import FORMATS

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

    _run_flags(command("run", "hold a debate"))
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
    protocols = command("protocols", "list the protocols, or print one")
    protocols.add_argument("name", metavar="NAME", nargs="?")
    protocols.add_argument("--json", action="store_true")
    command("bench", "measure what a turn costs").add_argument("--json", action="store_true")
    return top


def _run_flags(run: argparse.ArgumentParser) -> None:
    run.add_argument("question", metavar="QUESTION", nargs="?")
    run.add_argument("--protocol", metavar="NAME|FILE.toml", help="default: expert_panel")
    run.add_argument("--options", metavar="a,b,c", help="default: adopt,defer,reject")
    run.add_argument("--seat", metavar="ID=STANCE", action="append", default=[], help="seat a debater by hand")
    run.add_argument("--human", metavar="SEAT", action="append", default=[], help="a person sits there")
    run.add_argument("--source", metavar="FILE", action="append", default=[], help="a document to quote from")
    run.add_argument("--panel-size", metavar="N", type=_whole, help="number of debaters")
    run.add_argument("--rounds", metavar="N", type=_whole)
    run.add_argument("--threshold", metavar="N", type=_whole)
    run.add_argument("--seed", metavar="N", type=_whole)
    run.add_argument("--offline", action="store_true", help="fill every seat without a model")
    run.add_argument("--script", metavar="FILE.json", help="scripted seats: a rehearsal")
    run.add_argument("--db", metavar="URL", help="keep the debate in this database")
    run.add_argument("--out", metavar="RECORD.jsonl", help="write the record to this file")
    run.add_argument("--json", action="store_true", help="print the result as one JSON object")
