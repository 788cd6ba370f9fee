"""The command line: `python -m debate_core COMMAND`. Results on standard output, everything else on standard error.

Exit status: 0 decided, or the check holds; 3 undecided; 4 truncated; 5 waiting for a person; 6 `verify` found
something; 2 bad input, in one sentence; 1 any other error.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from io import TextIOWrapper

from debate_core.cli import (
    count,
    database,
    estimate,
    evaluate,
    imports,
    issue,
    link,
    metrics,
    outcome,
    owning,
    probe,
    prompts,
    records,
    resume,
    run,
    token,
    triage,
    worker,
    workshop,
)
from debate_core.cli.flags import parser
from debate_core.cli.terminal import say
from debate_core.errors import DebateError
from debate_core.host.settings import read_settings

ERROR = 1
BAD_INPUT = 2


def main(argv: Sequence[str]) -> int:
    """Run the command and return the exit status."""
    try:
        return _do(parser().parse_args(argv))
    except DebateError as error:
        say(f"debate_core: {error}")
        return BAD_INPUT if error.is_bad_input else ERROR
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"debate_core: {where}{error.strerror or error}")
        return ERROR
    except KeyboardInterrupt:
        return ERROR


def _do(flags: Namespace) -> int:
    match flags.command:
        case "run":
            return run.run(flags, read_settings(db=flags.db))
        case "resume":
            return resume.resume(flags, read_settings(db=flags.db))
        case "estimate":
            return estimate.estimate(flags, read_settings())
        case "probe":
            return probe.probe(flags, read_settings())
        case "verify":
            return records.verify(flags)
        case "report":
            return records.report(flags, read_settings(db=flags.db))
        case "export":
            return records.export(flags, read_settings(db=flags.db))
        case "issue":
            return issue.issue(flags, read_settings())
        case "import":
            return imports.import_file(flags, read_settings(db=flags.db))
        case "count":
            return count.count(flags)
        case "triage":
            return triage.advise(flags, read_settings(db=flags.db))
        case "metrics":
            return metrics.measure(flags, read_settings(db=flags.db))
        case "link":
            return link.link(flags, read_settings(db=flags.db))
        case "token":
            return token.token(flags, read_settings(db=flags.db))
        case "workshop":
            return workshop.workshop(flags, read_settings())
        case "worker":
            return worker.work(flags, read_settings(db=flags.db))
        case "rotate-secret":
            return link.rotate_secret(flags, read_settings(db=flags.db))
        case "migrate":
            return database.migrate(flags, read_settings(db=flags.db))
        case "copy":
            return database.copy(flags)
        case "hand-over":
            return owning.hand_over(flags, read_settings(db=flags.db))
        case "erase":
            return owning.erase(flags, read_settings(db=flags.db))
        case "backup":
            return database.backup(flags, read_settings(db=flags.db))
        case "outcome":
            return outcome.record(flags, read_settings(db=flags.db))
        case "eval":
            return evaluate.evaluate(flags, read_settings())
        case "prompts":
            return prompts.prompts(flags)
        case "protocols":
            return records.protocols(flags)
        case _:
            # Imported here, since no other command needs it.
            from bench.measure import main as bench

            return bench(as_json=flags.json)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main(sys.argv[1:]))
