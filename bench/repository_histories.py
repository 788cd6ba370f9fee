"""Generated histories of repositories for `watch`: planted changes that break an assumption, and harmless ones.

`python -m bench.repository_histories` plays 100 histories with 300 planted and 3,000 harmless changes. Each change is
made in a folder in which every check holds, evaluated, and taken back.
"""

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from debate_core.spec.tripwires import Check, check_text, read_check
from debate_core.watch.checkout import Checkout
from debate_core.watch.evaluate import Evaluator

TODAY = date(2026, 11, 2)
Files = dict[str, str]
"""The texts of a repository by path; a value that begins with @ is a symbolic link."""
Change = Callable[[Files, random.Random], None]
OTHERS = ("alpha", "bravo-kit", "cargo_tools", "delta", "redis-like", "leftpad")
WATCHED = "redis"

_LOCKS: Mapping[str, Callable[[Sequence[tuple[str, str]]], str]] = {
    "poetry.lock": lambda rows: "".join(f'[[package]]\nname = "{n}"\nversion = "{v}"\n\n' for n, v in rows),
    "uv.lock": lambda rows: "".join(f'[[package]]\nname = "{n}"\nversion = "{v}"\n\n' for n, v in rows),
    "Cargo.lock": lambda rows: "".join(f'[[package]]\nname = "{n}"\nversion = "{v}"\n\n' for n, v in rows),
    "requirements.txt": lambda rows: "".join(f"{n}=={v} ; python_version > '3.8'\n" for n, v in rows),
    "package-lock.json": lambda rows: json.dumps(
        {"lockfileVersion": 3, "packages": {"": {}, **{f"node_modules/{n}": {"version": v} for n, v in rows}}}
    ),
    "yarn.lock": lambda rows: "".join(f'"{n}@^{v}":\n  version "{v}"\n  resolved "x"\n\n' for n, v in rows),
    "pnpm-lock.yaml": lambda rows: "packages:\n\n" + "".join(f"  {n}@{v}:\n    resolution: {{}}\n\n" for n, v in rows),
    "go.mod": lambda rows: "module m\n\nrequire (\n" + "".join(f"\texample.org/{n} v{v}\n" for n, v in rows) + ")\n",
    "Gemfile.lock": lambda rows: "GEM\n  specs:\n" + "".join(f"    {n} ({v})\n      rake (>= 1)\n" for n, v in rows),
    "composer.lock": lambda rows: json.dumps({"packages": [{"name": n, "version": f"v{v}"} for n, v in rows]}),
    "pom.xml": lambda rows: "".join(
        f"<dependency>\n<groupId>org.x</groupId><artifactId>{n}</artifactId><version>{v}</version></dependency>\n"
        for n, v in rows
    ),
    "package.json": lambda rows: json.dumps({"dependencies": {n: f"^{v}" for n, v in rows}}),
    "pyproject.toml": lambda rows: f"[project]\ndependencies = {json.dumps([f'{n}>={v},<99' for n, v in rows])}\n",
}
_PY = '''"""Sends orders."""
import logging
import outbox

TIMEOUT_S = 30
client = outbox.Client(host="orders", retries=3)


def send(order):
    """Put an order into the outbox."""
    client.put(order, timeout=TIMEOUT_S)
'''
_TS = """import { Queue } from './queue';

export const limits = { perMinute: 1800, burst: 50 };
// reads the queue
export function read(queue: Queue) { return queue.take(limits.perMinute); }
"""
_DOC = """# Load test

The broker lost no message in 9,000 runs. Failover took at most 40 seconds.

We tested with three nodes and a disk that was nearly full.
"""


def repository(chance: random.Random) -> tuple[Files, str, list[Check]]:
    """A repository, the name of its lock file, and eight checks that hold."""
    lock = chance.choice([*_LOCKS])
    go = "example.org/" if lock == "go.mod" else ""
    files = {
        "src/orders/send.py": _PY,
        "web/queue/read.ts": _TS,
        "docs/load-test.md": _DOC,
        "metrics/load.csv": "service,load,errors\ncheckout,1500,2\nsearch,900,0\n",
        "config/limits.json": json.dumps({"orders": {"max_rate": 1800, "burst": 50}, "note": "x"}),
        lock: _LOCKS[lock]([*[(n, "1.2.3") for n in OTHERS], (WATCHED, "4.9.1")]),
    }
    checks = [
        "files src/**/*.py has outbox.Client(*retries=3",
        "files src/** lacks import redis",
        "files web/**/*.ts has from './queue'",
        "number load.csv load of checkout under 2000",
        "number config/limits.json orders.max_rate over 1000",
        f"version {go}{WATCHED} below 4.10",
        "quote load-test.md The broker lost no message in 9,000 runs",
        f"date {TODAY + timedelta(days=90)}",
        f"ask Ana on {TODAY + timedelta(days=60)}",
    ]
    return files, lock, [read_check(text) for text in checks]


def _replace(path: str, *pairs: tuple[str, str]) -> Change:
    def change(files: Files, chance: random.Random) -> None:
        before, after = chance.choice(pairs)
        assert before in files[path], before
        files[path] = files[path].replace(before, after)

    return change


def _lock_rows(files: Files, lock: str, chance: random.Random, version: str, *, others: str = "1.2.3") -> None:
    rows = [*[(name, others) for name in OTHERS], (WATCHED, version)]
    chance.shuffle(rows)
    files[lock] = _LOCKS[lock](rows)


PY, TS, DOC, CSV, JSON = (
    "src/orders/send.py",
    "web/queue/read.ts",
    "docs/load-test.md",
    "metrics/load.csv",
    "config/limits.json",
)
_CALL = 'client = outbox.Client(host="orders", retries=3)'


def planted(lock: str) -> list[tuple[int, Change]]:
    """Changes that break one check, with its place."""
    return [
        (0, _replace(PY, ("retries=3", "retries=0"), ("outbox.Client(", "queue.Client("), (_CALL, f"# {_CALL}"))),
        (
            1,
            _replace(
                PY, ("import logging", "import logging\nimport  redis"), ("import outbox", "import redis, outbox")
            ),
        ),
        (1, lambda files, _: files.update({"src/new/cache.py": "def f():\n    import redis as r\n"})),
        (2, _replace(TS, ("'./queue'", '"./broker"'), ("import {", "// import {"))),
        (3, _replace(CSV, ("1500", "2000"), ("1500", "20000"), ("1500", "2.5e3"))),
        (4, _replace(JSON, ("1800", "1000"), ("1800", "-1800"), ('"max_rate": 1800', '"max_rate": 999.5'))),
        (
            5,
            lambda files, chance: _lock_rows(files, lock, chance, chance.choice(("4.10.0", "5.0.0", "4.11.2", "10.0"))),
        ),
        (
            6,
            _replace(
                DOC,
                ("no message", "nine messages"),
                ("9,000", "900"),
                ("The broker lost no", "The broker did not lose any"),
            ),
        ),
        (6, _replace(DOC, ("The broker lost no message in 9,000 runs. ", ""))),
    ]


def harmless(lock: str) -> list[Change]:
    """Changes that break nothing, among them the hard ones: layout, order, comments, neighbours."""
    rows = "service,load,errors\nsearch,900,0\ncheckout,{},2\n"
    return [
        _replace(
            PY,
            (_CALL, 'client = outbox.Client(\n    host="orders",\n    retries=3,\n)'),
            (_CALL, _CALL.replace('"', "'")),
        ),
        _replace(PY, (_CALL, _CALL.replace("=3", " = 3")), (_CALL, f"{_CALL}  # three tries"), ("\n", "\r\n")),
        _replace(
            PY, ("import logging", "# import redis was dropped\nimport logging"), ("import logging", "import redisson")
        ),
        _replace(PY, ("import outbox", "import outbox\nimport redis_like"), ("    ", "\t"), ("TIMEOUT_S", "WAIT_S")),
        _replace(PY, ("def send(order)", "def send(order, *, at=None)"), ("Put an order", "Puts one order")),
        _replace(TS, ("'./queue'", '"./queue"'), ("import { Queue }", "import {Queue}"), ("burst: 50", "burst: 70")),
        _replace(TS, ("// reads", "/* reads from './broker' */\n// reads"), ("export function", "export  function")),
        _replace(
            CSV, ("service,load,errors\ncheckout,1500,2", "service,errors,load\ncheckout,2,1500"), ("900", "9000")
        ),
        _replace(CSV, (",", ";"), ("1500", "1999"), ("1500", " 1500 "), ("checkout", "Checkout"), ("\n", "\r\n")),
        lambda files, chance: files.update({CSV: "\ufeff" + rows.format(chance.randrange(2000))}),
        lambda files, _: files.update({CSV: "service,day,load\nnew,1,9999\ncheckout,1,1500\nother,1,9999\n"}),
        _replace(JSON, ("1800", "1001"), ('"burst": 50', '"burst": 1'), ("1800", "1800.0"), ('"note"', '"max_rate"')),
        lambda files, _: files.update({JSON: json.dumps(json.loads(files[JSON]), indent=2, sort_keys=True)}),
        lambda files, chance: _lock_rows(files, lock, chance, "4.9.1"),
        lambda files, chance: _lock_rows(files, lock, chance, chance.choice(("4.9.2", "4.8.0", "3.99.0", "4.9.10"))),
        lambda files, chance: _lock_rows(files, lock, chance, "4.9.1", others=chance.choice(("9.9.9", "4.10.0"))),
        lambda files, _: files.update({f"examples/{lock}": _LOCKS[lock]([(WATCHED, "5.0.0")])}),
        _replace(
            DOC, ("lost no message in", "lost no\nmessage in"), ("9,000", "9000"), ("The broker", "The **broker**")
        ),
        _replace(
            DOC, ("at most 40 seconds", "at most 60 seconds"), ("# Load test", "# Load test, repeated"), (". ", ".  ")
        ),
        _replace(DOC, ("The broker lost", "> The broker lost"), ("9,000 runs.", "9,000 runs, all told.")),
        lambda files, _: files.update({"src/orders/deliver.py": files.pop(PY)}),
        lambda files, _: files.update({"docs/redis.md": "import redis was considered.\n"}),
        lambda files, _: files.update({"src/orders/logo.bin": "\0\0import redis"}),
        lambda files, _: files.update({"src/outside": "@/etc", "docs/loop.md": "@load-test.md"}),
        lambda files, _: files.update({"web/queue/old.ts": "// import redis from 'redis'\n"}),
        lambda files, _: files.update({"archive/load-test-2019.md": "The broker lost nine messages in 9,000 runs.\n"}),
    ]


def write(root: Path, files: Files) -> None:
    """Put these files into an empty folder."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("@"):
            target.symlink_to(text[1:])
        else:
            target.write_bytes(text.encode())


def moved(files: Files, checks: Sequence[Check], today: date = TODAY) -> list[str]:
    """The results of all checks in a folder with these files."""
    with tempfile.TemporaryDirectory(prefix="watch-") as folder:
        write(Path(folder), files)
        evaluator = Evaluator(Checkout(Path(folder)), today)
        return [evaluator.evaluate(check).result for check in checks]


def play(seed: int, n_planted: int = 3, n_harmless: int = 30) -> tuple[Counter[str], list[str]]:
    """Counts of one history, and a line for each wrong result."""
    chance = random.Random(seed)
    files, lock, checks = repository(chance)
    counts, wrong = Counter[str](), list[str]()
    assert set(moved(files, checks)) == {"holds"}, (lock, moved(files, checks))
    for _ in range(n_planted):
        place, change = chance.choice([*planted(lock), (7, None), (8, None)])
        now = dict(files)
        today = TODAY
        if change is None:
            today += timedelta(days=chance.randrange(90, 4000))
        else:
            change(now, chance)
        results = moved(now, checks, today)
        counts["planted"] += 1
        counts["found"] += results[place] == "moved"
        if results[place] != "moved":
            wrong.append(f"{seed}: missed {check_text(checks[place])} with {lock}: {results[place]}")
    for _ in range(n_harmless):
        at = chance.randrange(len(harmless(lock)))
        now = dict(files)
        harmless(lock)[at](now, chance)
        results = moved(now, checks, TODAY + timedelta(days=chance.randrange(59)))
        counts["harmless"] += 1
        counts["false alarms"] += "moved" in results
        counts["lost"] += "unknown" in results
        if set(results) != {"holds"}:
            odd = [check_text(check) for check, result in zip(checks, results, strict=True) if result != "holds"]
            wrong.append(f"{seed}: change {at} with {lock}: {odd} {set(results)}")
    return counts, wrong


def main(n_histories: int = 100) -> int:
    """Print the counts of all histories."""
    counts, wrong = Counter[str](), list[str]()
    for seed in range(n_histories):
        more, lines = play(seed)
        counts += more
        wrong += lines
    print(f"{n_histories} histories")
    print(f"planted changes: {counts['planted']}, found {counts['found']}")
    print(f"harmless changes: {counts['harmless']}, false alarms {counts['false alarms']}, unknown {counts['lost']}")
    print("\n".join(wrong))
    return 0


if __name__ == "__main__":
    sys.exit(main())
