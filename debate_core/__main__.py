"""The command line: `python -m debate_core COMMAND`. Results on standard output, everything else on standard error.

Exit status: 0 decided, or the check holds; 3 undecided; 4 truncated; 5 waiting for a person; 6 `verify` found
something; 7 `watch` found a broken assumption; 2 bad input, in one sentence; 1 any other error.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper

from debate_core.cli import (
    count,
    database,
    estimate,
    evaluate,
    imports,
    issue,
    mcp_server,
    metrics,
    outcome,
    owning,
    precedents,
    probe,
    prompts,
    records,
    run,
    token,
    triage,
    worker,
    workshop,
)
from debate_core.cli.flags import parser
from debate_core.cli.terminal import say
from debate_core.errors import DebateError
from debate_core.host.settings import Settings, read_settings

ERROR = 1
BAD_INPUT = 2


def _watch(flags: Namespace, settings: Settings) -> int:
    # Imported here, since no other command needs its readers of lock files.
    from debate_core.cli.watch import watch_assumptions

    return watch_assumptions(flags, settings)


_WITH_SETTINGS: Mapping[str, Callable[[Namespace, Settings], int]] = {
    "run": run.run,
    "resume": run.resume,
    "estimate": estimate.estimate,
    "probe": probe.probe,
    "report": records.report,
    "export": records.export,
    "issue": issue.issue,
    "import": imports.import_file,
    "triage": triage.advise,
    "metrics": metrics.measure,
    "precedents": precedents.precedents,
    "link": owning.link,
    "token": token.token,
    "workshop": workshop.workshop,
    "mcp": mcp_server.serve,
    "worker": worker.work,
    "rotate-secret": owning.rotate_secret,
    "migrate": database.migrate,
    "hand-over": owning.hand_over,
    "erase": owning.erase,
    "backup": database.backup,
    "outcome": outcome.record,
    "watch": _watch,
    "eval": evaluate.evaluate,
}
_WITHOUT_SETTINGS: Mapping[str, Callable[[Namespace], int]] = {
    "verify": records.verify,
    "count": count.count,
    "copy": database.copy,
    "prompts": prompts.prompts,
    "protocols": records.protocols,
}


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
    if act := _WITH_SETTINGS.get(flags.command):
        return act(flags, read_settings(db=getattr(flags, "db", None)))
    if alone := _WITHOUT_SETTINGS.get(flags.command):
        return alone(flags)
    # Imported here, since no other command needs it.
    from bench.measure import main as bench

    return bench(as_json=flags.json)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main(sys.argv[1:]))
