"""Updates the message catalogues: extracts every marked sentence from the code and keeps existing translations.

`python -m bench.messages` rewrites `debate_core/locale/*/LC_MESSAGES/debate.po` and lists untranslated sentences. The
files have the gettext format, for any editor of such files. Babel is not used, because this project marks whole tables
of words, and because this module is short.
"""

import ast
import gc
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import get_args

from debate_core import errors
from debate_core.engine.count.methods import METHODS
from debate_core.engine.quotes import QuoteVerdict
from debate_core.engine.rights import MAY, words_of
from debate_core.language import LANGUAGES, Catalogue, read_catalogue
from debate_core.report.facts.terms import RECORDED, english_name
from debate_core.spec.people import VOTER_NAMES, RoomRole
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.rules import Elected
from debate_core.spec.values import BallotStatus, Occupant, Role, Status, TieBreak
from debate_core.ui.kit.fetched import sentences

ROOT = Path(__file__).resolve().parent.parent
HEAD = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""
Message = tuple[str, ...]
REFUSALS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
UNSEEN = re.compile(
    r"debate_core/(cli|api|evaluation/(?!practice)|engine/(count/ballot_files|reply_parser)|seats/(model|reply)|"
    r"host/(settings|runner|monitor|stores/migrate|git/issue_))"
)
"""Modules whose refusals only terminals, models and programs show; they have no German."""
_TEMPLATES = REFUSALS | {"Sentence"}


@cache
def messages() -> dict[Message, str]:
    """Return every sentence in the order of the code, with the file in which it first occurs."""
    first_places: dict[Message, str] = {}
    for said, where in (*_in_modules(), *_in_scripts(), *_in_tables()):
        first_places.setdefault(said, where)
    return first_places


def _in_modules() -> Iterator[tuple[Message, str]]:
    seen = seen_files()
    for path in sorted([*(ROOT / "debate_core").rglob("*.py"), *(ROOT / "pages").glob("*.py")]):
        where = path.relative_to(ROOT).as_posix()
        if "debate_core.language" in path.read_text("utf-8") or where == "debate_core/language.py":
            yield from ((said, where) for said in marked(parsed(where)) if said[0])
        if where in seen:
            yield from ((said, where) for said in refused(parsed(where)))


def _in_scripts() -> Iterator[tuple[Message, str]]:
    for path in sorted((ROOT / "debate_core").rglob("*.js")):
        where = path.relative_to(ROOT).as_posix()
        for text in sentences(path.read_text("utf-8")):
            yield (text,), where


def _in_tables() -> Iterator[tuple[Message, str]]:
    for act in MAY:
        yield (words_of(act),), "debate_core/engine/rights.py"
    for preset in PROTOCOLS.values():
        yield (preset.purpose,), "debate_core/spec/presets"
    for term in _terms():
        yield (english_name(term),), "debate_core/report/facts/terms.py"


def _terms() -> Iterator[str]:
    """Yield the names of phases, rules, roles and statuses, and the reasons for pauses and ties in records."""
    yield from (phase.name for preset in PROTOCOLS.values() for phase in preset.phases())
    for name, method in METHODS.items():
        words = (getattr(method, field.name) for field in fields(method) if field.name != "source")
        yield from (name, *(text for text in words if isinstance(text, str) and text))
    yield from VOTER_NAMES.values()
    for names in (Role, RoomRole, Occupant, Status, BallotStatus, TieBreak, QuoteVerdict):
        yield from get_args(names)
    yield Elected.model_fields["if_undecided"].default
    yield from RECORDED


@cache
def parsed(path: str) -> ast.Module:
    """Parse a file of the repository."""
    return ast.parse((ROOT / path).read_text("utf-8"))


@cache
def calls_and_tuples(tree: ast.AST) -> tuple[ast.Call | ast.Tuple, ...]:
    """The parts of a module in which sentences are; the module is walked through once for all readers."""
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Tuple))


def marked(tree: ast.AST) -> Iterator[Message]:
    """Yield the marked sentences of a module: arguments of `_`, `_n` and `message`, tables of `Words`, plural pairs."""
    for node in calls_and_tuples(tree):
        match node:
            case ast.Call(func=ast.Name(id="_" | "message"), args=[first, *_others]):
                yield from ((text,) for text in _texts(first))
            case ast.Call(func=ast.Name(id="_n"), args=[_number, one, many]):
                yield from ((a, b) for a in _texts(one) for b in _texts(many))
            case ast.Call(func=ast.Name(id="Words"), args=[table]):
                yield from ((text,) for text in _values(table))
            case ast.Tuple(elts=[*_others, one, many]):
                yield from _pair(one, many)


def refused(tree: ast.AST) -> Iterator[Message]:
    """Yield the sentences of code without a language: templates of `Sentence` and of errors."""
    for node in calls_and_tuples(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[first, *_others]) if name in _TEMPLATES:
                yield from ((text,) for text in _texts(first))
            case ast.Call(func=ast.Attribute(attr="counted"), args=[_number, one, many]):
                yield from ((a, b) for a in _texts(one) for b in _texts(many))


def glued(tree: ast.AST) -> list[str]:
    """List refusals that no catalogue can contain: f-strings and sums instead of a template with values."""
    lines = []
    for call in _calls(tree, _TEMPLATES):
        template = call.args[0] if call.args else None
        if isinstance(template, ast.JoinedStr | ast.BinOp) and _has_text(template):
            lines.append(f"line {call.lineno}: {ast.unparse(template)}")
    return lines


def _calls(tree: ast.AST, names: Collection[str]) -> Iterator[ast.Call]:
    """Yield the calls of functions with these names."""
    for node in calls_and_tuples(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def english_values(tree: ast.AST) -> list[str]:
    """List English words among the values of sentences: they would stay English in every language."""
    return [
        f"line {text.lineno}: {text.value!r}"
        for call in _calls(tree, ("_", "_n"))
        for keyword in call.keywords
        for text in _words_in(keyword.value)
    ]


def _words_in(node: ast.expr) -> Iterator[ast.Constant]:
    """Yield the word constants among the possible values of an expression."""
    match node:
        case ast.Constant(value=str(text)) if re.search(r"[A-Za-z]", re.sub(r"\{\w+\}", "", text)):
            yield node
        case ast.IfExp(body=one, orelse=other):
            yield from (*_words_in(one), *_words_in(other))
        case ast.BoolOp(values=values):
            yield from (text for value in values for text in _words_in(value))
        case ast.Call(func=ast.Attribute(value=between, attr="join")):
            yield from _words_in(between)
        case _:
            pass


def shown_in_english(tree: ast.AST) -> list[str]:
    """List errors that a screen shows by `str(error)` or in an f-string instead of by `said(error)`."""
    lines = []
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            shown = (part for part in ast.walk(handler) if _shows(part, handler.name))
            lines += [f"line {part.lineno}: {handler.name}" for part in shown if isinstance(part, ast.expr)]
    return lines


def _shows(part: ast.AST, error: str) -> bool:
    """True for `str(error)`, and for `{error}` in an f-string."""
    match part:
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return name == error
        case ast.FormattedValue(value=ast.Name(id=name)):
            return name == error
        case ast.FormattedValue(value=ast.Call() as call):
            return ast.unparse(call) == f"str({error})"
        case _:
            return False


def _has_text(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _pair(one: ast.expr, many: ast.expr) -> Iterator[Message]:
    pairs = [(a, b) for a in _texts(one) for b in _texts(many)]
    yield from (pair for pair in pairs if all("{n}" in text for text in pair))


def _values(table: ast.expr) -> Iterator[str]:
    values = table.values if isinstance(table, ast.Dict) else []
    for value in values:
        yield from _texts(value)


def written(catalogue: Catalogue, language: str) -> str:
    """Format a catalogue with all sentences of the code, without obsolete ones."""
    entries = [HEAD.format(language=language)]
    for english, where in messages().items():
        translated = catalogue.get(english, ("",) * len(english))
        entries.append(f"#: {where}\n{_entry(english, translated)}\n")
    return "\n".join(entries)


def _entry(english: Message, translated: Message) -> str:
    keys = ["msgid"] if len(english) == 1 else ["msgid", "msgid_plural"]
    values = ["msgstr"] if len(english) == 1 else ["msgstr[0]", "msgstr[1]"]
    pairs = [*zip(keys, english, strict=True), *zip(values, translated, strict=True)]
    return "\n".join(f"{key} {json.dumps(text, ensure_ascii=False)}" for key, text in pairs)


def places(text: str) -> list[str]:
    """Return the names of the placeholders."""
    return sorted(re.findall(r"\{(\w+)", text))


DRAWS = re.compile(
    r"(\.|^)(button|caption|markdown|checkbox|radio|selectbox|multiselect|text_input|text_area|number_input|slider|"
    r"select_slider|toggle|popover|expander|metric|subheader|header|title|info|warning|error|success|badge|page_link|"
    r"link_button|download_button|file_uploader|segmented_control|pills|dialog|tell)$"
)
SHOWN = ("label", "help", "placeholder", "title")


def translated_files() -> list[str]:
    """Files whose drawn sentences have to be marked for translation."""
    paths = [*(ROOT / "debate_core" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def seen_files() -> set[str]:
    """Files whose refusals may reach a screen and therefore have to be templates with values."""
    paths = (path.relative_to(ROOT).as_posix() for path in (ROOT / "debate_core").rglob("*.py"))
    return {path for path in paths if not UNSEEN.match(path)}


def unmarked(tree: ast.AST) -> list[str]:
    """List unmarked words that the code draws or puts into a placeholder."""
    found = []
    for node in calls_and_tuples(tree):
        if isinstance(node, ast.Call):
            found += [text for told in _told(node) for end in _ends(told) for text in _bare(end)]
    return found


def _told(call: ast.Call) -> list[ast.expr]:
    """Return the message of a call."""
    if isinstance(call.func, ast.Name) and call.func.id in ("_", "_n"):
        return [keyword.value for keyword in call.keywords]
    if DRAWS.search(ast.unparse(call.func)) and not _is_inner(call):
        return [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg in SHOWN)]
    return []


def _ends(node: ast.expr) -> Iterator[ast.expr]:
    """Return the possible values of `a if b else c` and `a or b`."""
    match node:
        case ast.IfExp():
            yield from (*_ends(node.body), *_ends(node.orelse))
        case ast.BoolOp(op=ast.Or()):
            yield from (end for value in node.values for end in _ends(value))
        case _:
            yield node


def _is_inner(call: ast.Call) -> bool:
    """True for calls such as `host.tell`, which draw nothing."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("host", "log", "_log")


def unformatted(tree: ast.AST) -> list[str]:
    """List numbers that an f-string formats in the English way instead of `format_number`."""
    return [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None
        if re.search(r"[,%]|\.[1-9{]", ast.unparse(node.format_spec))
    ]


def headings(tree: ast.AST) -> Iterator[tuple[ast.Dict, list[str], list[str]]]:
    """Yield the rows of a module's tables, each with its marked and unmarked headings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            marked_keys = [text for key in node.keys if isinstance(key, ast.Call) for (text,) in marked(key)]
            yield node, marked_keys, [text for key in node.keys if key is not None for text in _texts(key)]


def _bare(node: ast.expr) -> Iterator[str]:
    texts = [node] if isinstance(node, ast.Constant) else node.values if isinstance(node, ast.JoinedStr) else []
    for text in texts:
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and _has_words(text.value):
            yield text.value


def _has_words(text: str) -> bool:
    """True if the text has words besides `:material/add:`, `:gray[`, `{time}` or code."""
    no_words = r":material/\w+:?|:\w+(?=\[)|\{\w+\}|`[^`]*`|<[^>]*>|\S*[/=]\S*|^\S*\.\w+$"
    return bool(re.search(r"[A-Za-z]{2,}", re.sub(no_words, "", text)))


def path_of(language: str) -> Path:
    """Return the path of a language's catalogue."""
    return ROOT / "debate_core" / "locale" / language / "LC_MESSAGES" / "debate.po"


def main() -> None:
    """Rewrite every catalogue."""
    for language in LANGUAGES:
        path = path_of(language)
        if language == "en":
            continue
        catalogue = read_catalogue(path.read_text("utf-8")) if path.exists() else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(catalogue, language), "utf-8")
        missing = [english for english in messages() if english not in catalogue]
        print(f"{language}: {len(messages()) - len(missing)} translated, {len(missing)} left")
        for english in missing:
            print("  ", " | ".join(english))


if __name__ == "__main__":
    # All syntax trees are kept until the end.
    gc.disable()
    main()
