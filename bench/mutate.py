"""Generates small faults of a module: `and` for `or`, `<` for `<=`, a number one larger, a missing condition.

Each mutant is one change of the syntax tree, so that it is valid code with another meaning.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from itertools import islice

BOOLEANS: dict[type[ast.boolop], ast.boolop] = {ast.And: ast.Or(), ast.Or: ast.And()}
COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}
UNCHANGED = ("annotation", "returns", "decorator_list")
"""Fields of a node that are never changed."""
CUT = 20
"""A slice of at least this length truncates a text, where one letter more or less does not matter."""
TOP = "-"
"""The function name of module-level code."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Slot:
    """The place of a node in a tree, and its outermost function: `Class.method`."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    function: str

    def put(self, node: ast.AST) -> None:
        """Replace the node."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """A change of a module."""

    path: str
    number: int
    """Its index among all mutants of the module."""
    line: int
    function: str
    before: str
    after: str
    nth: int = 1
    """Its index among the mutants of this function with the same text."""

    @property
    def key(self) -> str:
        """Return an identifier that survives moved lines."""
        return f"{self.path} | {self.function} | {self._change}"

    @property
    def _change(self) -> str:
        return f"{self.before} -> {self.after}{f' ({self.nth})' if self.nth > 1 else ''}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self._change}"


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a module."""
    found, alike = [], Counter[tuple[str, str, str]]()
    for number, (slot, node) in enumerate(_changes(ast.parse(source))):
        line = getattr(slot.node, "lineno", 0) or getattr(slot.parent, "lineno", 0)
        change = (slot.function, _shown(slot.node), _shown(node))
        alike[change] += 1
        found.append(Mutant(path, number, line, *change, alike[change]))
    return found


def tree_of(source: str, number: int) -> ast.Module:
    """Parse the module with the mutant of this number; line numbers stay the same."""
    tree = ast.parse(source)
    slot, node = next(islice(_changes(tree), number, None))
    slot.put(ast.copy_location(node, slot.node))
    return ast.fix_missing_locations(tree)


def _changes(tree: ast.Module) -> Iterator[tuple[Slot, ast.AST]]:
    for slot in _slots(tree, "", TOP):
        for node in _replacements(slot.node):
            yield slot, node


def _slots(parent: ast.AST, inside: str, function: str) -> Iterator[Slot]:
    """Yield every node in textual order; `inside` is the surrounding class, with a dot."""
    for field, index, node in _children(parent):
        if _asserts(node) or _cuts_a_text(node):
            continue
        yield Slot(parent, field, index, node, function)
        if isinstance(node, ast.ClassDef):
            yield from _slots(node, f"{inside}{node.name}.", function)
        elif isinstance(node, Function) and function == TOP:
            yield from _slots(node, inside, inside + node.name)
        else:
            yield from _slots(node, inside, function)


def _children(parent: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Yield field, index in a list field, and node of each child that may change."""
    for field, value in ast.iter_fields(parent):
        if field in UNCHANGED:
            continue
        if isinstance(value, list):
            yield from ((field, index, node) for index, node in enumerate(value) if isinstance(node, ast.AST))
        elif isinstance(value, ast.AST):
            yield field, None, value


def _asserts(node: ast.AST) -> bool:
    """True for an assertion, including `zip(..., strict=True)`."""
    match node:
        case ast.Assert() | ast.keyword(arg="strict", value=ast.Constant(value=True)):
            return True
        case _:
            return False


def _cuts_a_text(node: ast.AST) -> bool:
    """True for a slice such as `text[:60]`, which shortens a text for a message."""
    match node:
        case ast.Slice(lower=None, upper=ast.Constant(value=int(length))):
            return length >= CUT
        case _:
            return False


def _replacements(node: ast.AST) -> list[ast.AST]:
    """Return the possible replacements of this node."""
    match node:
        case ast.BoolOp():
            return [_with(node, op=BOOLEANS[type(node.op)])]
        case ast.Compare():
            return [_with(node, ops=_but_one(node.ops, place)) for place in range(len(node.ops))]
        case ast.UnaryOp(op=ast.Not()):
            return [node.operand]
        case ast.Constant(value=bool(said)):
            return [ast.Constant(not said)]
        case ast.Constant(value=int(number)):
            return [ast.Constant(number + 1), *([ast.Constant(number - 1)] if number > 0 else [])]
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            return [_with(node, func=ast.Name(CALLS[name], ast.Load()))]
        case ast.If() | ast.IfExp():
            return [_with(node, test=ast.Constant(always)) for always in (True, False)]
        case ast.comprehension(ifs=[_, *_]):
            return [_with(node, ifs=[])]
        case _:
            return []


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _but_one(ops: list[ast.cmpop], place: int) -> list[ast.cmpop]:
    return [*ops[:place], COMPARISONS[type(ops[place])], *ops[place + 1 :]]


def _shown(node: ast.AST) -> str:
    text = f"if {ast.unparse(node.test)}" if isinstance(node, ast.If) else ast.unparse(node)
    return " ".join(text.split())
