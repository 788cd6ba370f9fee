"""The rules of the house that no linter enforces: sizes, docstrings, exports, import time, secrets, settings.

Knows nothing of debates. Read CONTRIBUTING.md for the reasons.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_CORE_IMPORT = 5.0
"""CPU time of importing the core, in imports of pydantic, which is part of it: a busy machine is slow at both."""
HEAVY_PACKAGES = ("streamlit", "pandas", "plotly", "openai", "anthropic", "sqlalchemy", "psycopg", "alembic", "mcp")
BROAD_HANDLERS_ALLOWED = {"debate_core/host/background.py": 1, "debate_core/host/runner.py": 1}

# In two pieces, so that this file does not contain what it looks for.
PACKAGE_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("deb.debian", "org"),
        ("anaconda", "org"),
    )
]
KEY_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{32,}"
    r"|AKIA[0-9A-Z]{16}"
    r"|AIza[0-9A-Za-z_-]{35}"
    r"|gh[pousr]_[A-Za-z0-9]{36}"
    r"|drt_[a-z2-7]{10}[0-9A-Za-z]{38}"
    r"|xox[abprs]-[A-Za-z0-9-]{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def product_files(*suffixes: str) -> list[Path]:
    inside = [p for folder in ("debate_core", "pages") for p in (ROOT / folder).rglob("*")]
    return sorted(p for p in [*inside, ROOT / "app.py"] if p.suffix in suffixes and p.is_file())


@cache
def product_trees() -> dict[str, ast.Module]:
    paths = product_files(".py")
    assert paths, "no product code found"
    return {p.relative_to(ROOT).as_posix(): ast.parse(p.read_text("utf-8")) for p in paths}


def repository_files() -> list[Path]:
    """Tracked files, and new ones that git would track."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("not a git checkout, so nobody can say which files belong to the repository")
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def functions() -> Iterator[tuple[str, int]]:
    """Yield the place of each product function and its lines from `def` to the end, docstring included."""
    for name, tree in product_trees().items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                assert node.end_lineno is not None
                yield f"{name}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def in_fresh_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_files_are_short():
    tests = sorted((ROOT / "tests").rglob("*.py"))
    long = {
        p.relative_to(ROOT).as_posix(): lines
        for p in product_files(".py", ".js", ".css") + tests
        if (lines := len(p.read_text("utf-8").splitlines())) > MAX_FILE_LINES
    }
    assert long == {}


def test_functions_are_short():
    assert {where: lines for where, lines in functions() if lines > MAX_FUNCTION_LINES} == {}


def test_every_module_says_what_it_is():
    assert [name for name, tree in product_trees().items() if not ast.get_docstring(tree)] == []


def test_no_docstring_says_who_calls_it():
    """Imports tell it, and never tell it wrong."""
    documented = (ast.Module, ast.ClassDef, *get_args(Function))
    found = [
        f"{name}: {getattr(node, 'name', 'the module')}"
        for name, tree in product_trees().items()
        for node in ast.walk(tree)
        if isinstance(node, documented) and "Called by" in (ast.get_docstring(node) or "")
    ]
    assert found == []


def types_of(tree: ast.Module) -> list[str]:
    """Classes and type aliases of a module, private ones without their underscore."""
    classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assigned = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    names = [name.id for name in assigned if isinstance(name, ast.Name)]
    aliases = [name for name in names if re.match(r"_?[A-Z]\w*[a-z]", name)]
    return [name.lstrip("_") for name in classes + aliases]


def test_a_type_name_means_one_thing_in_the_whole_tree():
    counted = Counter(name for tree in product_trees().values() for name in types_of(tree))
    assert {name for name, times in counted.items() if times > 1} == set()


def test_public_names_are_what_the_package_says():
    """Also once every module is loaded: a module of the same name would then hide what is exported."""
    code = (
        "import pkgutil, importlib, json, debate_core as d\n"
        "modules = [m.name for m in pkgutil.iter_modules(d.__path__) if not m.name.startswith('__')]\n"
        "[importlib.import_module(f'debate_core.{name}') for name in modules]\n"
        "print(json.dumps([[n for n in d.__all__ if type(getattr(d, n)).__name__ == 'module'], d.__all__]))"
    )
    hidden, names = json.loads(in_fresh_python(code))
    assert hidden == []
    assert names == sorted(set(names))


def test_nothing_else_is_public():
    code = (
        "import json, debate_core as d\n"
        "own = [n for n, v in vars(d).items() if getattr(v, '__module__', '').startswith('debate_core')]\n"
        "print(json.dumps([dir(d) + own, list(d.__all__)]))"
    )
    seen, exported = json.loads(in_fresh_python(code))
    modules = {p.stem for p in (ROOT / "debate_core").iterdir()}
    public = {name for name in seen if not name.startswith("_")}
    assert public - modules - set(exported) == set()


def test_the_core_imports_fast_and_alone():
    code = (
        "import sys, time; start = time.process_time()\n"
        "import pydantic.main; print(time.process_time() - start)\n"
        "import debate_core.engine.engine, debate_core.spec.presets; print(time.process_time() - start)\n"
        f"print([name for name in {HEAVY_PACKAGES} if name in sys.modules])"
    )
    ratios: list[float] = []
    while not ratios or ratios[-1] >= MAX_CORE_IMPORT:
        # Ratios within each run: a machine that slows down between two runs is no fault of the core.
        pydantic_s, core_s, loaded = in_fresh_python(code).splitlines()
        assert loaded == "[]"
        ratios.append(float(core_s) / float(pydantic_s))
        assert len(ratios) <= 7, ratios


def is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(ast.unparse(name).split(".")[-1] in {"Exception", "BaseException"} for name in names)


def broad_handlers(tree: ast.Module) -> int:
    """Counts `except Exception` in every spelling, `suppress(Exception)` included."""
    handlers = [n for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and is_broad(n.type)]
    suppressions = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Call)
        and ast.unparse(n.func).split(".")[-1] == "suppress"
        and any(is_broad(argument) for argument in n.args)
    ]
    return len(handlers) + len(suppressions)


def test_only_runner_and_background_catch_broadly():
    found = {name: broad_handlers(tree) for name, tree in product_trees().items()}
    assert {name: n for name, n in found.items() if n > BROAD_HANDLERS_ALLOWED.get(name, 0)} == {}


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("try: ...\nexcept ValueError: ...", 0),
        ("try: ...\nexcept: ...", 1),
        ("try: ...\nexcept Exception as error: raise", 1),
        ("try: ...\nexcept (KeyError, builtins.BaseException): ...", 1),
        ("try: ...\nexcept* Exception: ...", 1),
        ("with contextlib.suppress(Exception): ...", 1),
        ("with suppress(OSError): ...", 0),
    ],
)
def test_a_broad_handler_is_recognised(code: str, count: int):
    assert broad_handlers(ast.parse(code)) == count


def test_no_secret_and_no_package_host_in_the_repository():
    found = []
    for path in repository_files():
        text = path.read_text("utf-8", errors="ignore")
        found += [f"{path.relative_to(ROOT)}: {host}" for host in PACKAGE_HOSTS if host in text]
        if KEY_SHAPES.search(text):
            found.append(f"{path.relative_to(ROOT)}: looks like a key")
    assert found == []


def test_the_server_settings_that_must_not_drift():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    required: dict[str, dict[str, object]] = {
        "server": {
            "headless": True,
            "address": "127.0.0.1",
            "fileWatcherType": "none",
            "disconnectedSessionTTL": 600,
            "maxUploadSize": 10,
            "maxMessageSize": 20,
        },
        "browser": {"gatherUsageStats": False},
        "client": {"toolbarMode": "minimal", "showErrorDetails": "none", "disableDataExport": True},
        "runner": {"magicEnabled": False, "postScriptGC": False},
    }
    kept = {section: {key: config[section].get(key) for key in keys} for section, keys in required.items()}
    assert kept == required
    light, dark = config["theme"]["light"], config["theme"]["dark"]
    assert light.keys() == dark.keys()


def test_streamlit_accepts_every_setting():
    shown = subprocess.run(
        [sys.executable, "-m", "streamlit", "config", "show"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert shown.stderr == ""


def test_the_top_level_is_what_was_agreed():
    # R003
    agreed = ("app.py", "pages", "debate_core", "tests", ".streamlit", "requirements.txt", "README.md")
    assert [name for name in agreed if not (ROOT / name).exists()] == []


def test_the_packages_of_the_design_are_required():
    # R002
    required = re.findall(r"^([A-Za-z0-9_-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert {"streamlit", "pandas", "plotly", "openai", "anthropic", "pydantic", "pytest"} <= set(required)


def test_every_requirement_is_pinned_once():
    lines = [
        line
        for name in ("requirements.txt", "requirements-server.txt", "requirements-dev.txt")
        for line in (ROOT / name).read_text("utf-8").splitlines()
        if line and not line.startswith(("#", "-r "))
    ]
    assert [line for line in lines if not re.match(r"[A-Za-z0-9_-]+==[0-9][0-9.]*(;.*)?$", line)] == []
    packages = sorted(line.split("==")[0].lower() for line in lines)
    assert [a for a, b in pairwise(packages) if a == b] == []


@pytest.mark.parametrize("name", ["requirements", "requirements-server", "requirements-dev"])
def test_installed_packages_are_required_and_hashed(name: str):
    required = dict(
        re.findall(r"^([A-Za-z0-9_-]+)==([0-9.]+)", (ROOT / f"{name}.txt").read_text("utf-8"), re.MULTILINE)
    )
    lock = (ROOT / f"{name}.lock").read_text("utf-8")
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", lock, flags=re.MULTILINE).strip())
    locked = [entry.split("==", 1) for entry in entries]
    assert {package.lower(): version for package, version in required.items()}.items() <= {
        package: re.split(r"[ ;]", rest)[0] for package, rest in locked
    }.items(), "run `make lock`"
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}$", entry)] == []
    assert "://" not in lock
    assert f"--require-hashes -r {name}.lock" in (ROOT / "Makefile").read_text("utf-8")


def test_a_fragment_with_a_timer_stands_in_no_other_fragment():
    """Crossed fragments leave the inner one writing to a removed place, and the page goes blank."""
    trees = {p: tree for p, tree in product_trees().items() if p.startswith(("debate_core/ui/", "pages/"))}
    timed = {
        node.name: path
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, Function) and any("run_every=" in ast.unparse(d) for d in node.decorator_list)
    }
    assert timed
    inside = [
        f"{path}: {function.name} calls {call}"
        for path, tree in trees.items()
        for function in ast.walk(tree)
        if isinstance(function, Function)
        for call in _calls(function)
        if call in timed
    ]
    assert inside == []


def _calls(function: Function) -> list[str]:
    names = [ast.unparse(n.func).rpartition(".")[2] for n in ast.walk(function) if isinstance(n, ast.Call)]
    return [name for name in names if name != function.name]


def test_open_or_edited_fields_stay_while_the_page_grows():
    """A drawer or a form without a key is known by its place: something new above it closes or empties it."""
    nameless, loose = [], []
    for path, tree in product_trees().items():
        if not path.startswith(("debate_core/ui/", "pages/")):
            continue
        in_keyed = {
            id(item.context_expr)
            for node in ast.walk(tree)
            if isinstance(node, ast.With)
            for item in node.items[1:]
            if "st.container(key=" in ast.unparse(node.items[0].context_expr)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("expander", "popover") and "key" not in {word.arg for word in node.keywords}:
                nameless.append(f"{path}:{node.lineno}")
            if ast.unparse(node.func) == "st.form" and id(node) not in in_keyed:
                loose.append(f"{path}:{node.lineno}")
    assert (nameless, loose) == ([], [])


TRANSLATED = frozenset({"_", "_n", "said", "named", "recorded"})
COMPARING = frozenset({"startswith", "endswith", "partition", "removeprefix", "removesuffix", "index", "find"})


def test_no_code_compares_translated_text():
    """Code compares ids: translated words differ by language and are only shown."""
    compared = []
    for path, tree in product_trees().items():
        tables = _tables_of_words(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Compare(left=left, comparators=others):
                    parts = [left, *others]
                case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if name in COMPARING:
                    parts = [value, *args]
                case _:
                    continue
            if any(_is_translated(part, tables) for part in parts):
                compared.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    in_scripts = re.compile(r".*(?:startsWith|endsWith|includes|indexOf)\(_\(.*|.*[=!]== _\(.*")
    for script in product_files(".js"):
        compared += in_scripts.findall(script.read_text("utf-8"))
    assert compared == []


def _tables_of_words(tree: ast.Module) -> set[str]:
    """The names of tables that give words in the language of the page: `KINDS = Words({...})`."""
    tables = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(node.value.func) == "Words":
                tables.add(ast.unparse(target))
    return tables


def _is_translated(value: ast.expr, tables: set[str]) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name)):
            return name in TRANSLATED
        case ast.Call(func=ast.Attribute(value=inner)) | ast.Subscript(value=ast.Call() as inner):
            return _is_translated(inner, tables)
        case ast.Subscript(value=ast.Name(id=name)):
            return name in tables
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_is_translated(part, tables) for part in parts)
        case _:
            return False


def test_a_press_is_handled_where_no_redraw_can_overtake_it():
    """`if st.button(...)` is false in the drawing that overtakes the one that was told of the press."""
    asked = [
        f"{path}:{node.lineno}"
        for path, tree in product_trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and re.search(r"\b(button|form_submit_button)\(", ast.unparse(node.test))
    ]
    assert asked == []
