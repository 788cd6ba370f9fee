"""The faults that `bench/mutate.py` puts into a module: each is one change, and each is valid code."""

import ast

from bench.forks import bodies
from bench.mutate import mutants_of, tree_of

CODE = """
@dataclass(frozen=True)
class Kept:
    count: Annotated[int, Field(ge=1)]

    def full(self, most: int = 2) -> bool:
        assert most > 1
        return self.count <= most and not self.empty
"""


def changes(code: str) -> list[str]:
    return [f"{m.line} {m.function}: {m.before} -> {m.after}" for m in mutants_of("x.py", code)]


def test_a_mutant_is_one_change_outside_types_and_assertions():
    assert changes(CODE) == [
        "6 Kept.full: 2 -> 3",
        "6 Kept.full: 2 -> 1",
        "8 Kept.full: self.count <= most and (not self.empty) -> self.count <= most or not self.empty",
        "8 Kept.full: self.count <= most -> self.count < most",
        "8 Kept.full: not self.empty -> self.empty",
    ]
    assert "return self.count < most and (not self.empty)" in ast.unparse(tree_of(CODE, 3))


def test_every_mutant_is_code_with_each_line_where_it_was():
    code = CODE + "\nlist(min(x) if any(y) else max(z) for x in (True, 1) if x < 2)\nzip(a, b, strict=True)\n"
    found = mutants_of("x.py", code)
    assert "strict" not in " ".join(m.after for m in found)
    for mutant in found:
        module = compile(tree_of(code, mutant.number), "x.py", "exec")
        assert [c.co_firstlineno for c in bodies(module, "Kept.full").values()] == [6]


def test_where_a_quoted_text_is_cut_is_no_fault():
    assert changes("x = text[:60], text[:2]") == ["1 -: 2 -> 3", "1 -: 2 -> 1"]


def test_mutants_drop_conditions_and_negate_calls():
    assert changes("x = [min(a) for a in b if a]") == ["1 -: min(a) -> max(a)", "1 -: for a in b if a -> for a in b"]
    assert changes("if x:\n    y = 1 if any(z) else w") == [
        "1 -: if x -> if True",
        "1 -: if x -> if False",
        "2 -: 1 if any(z) else w -> 1 if True else w",
        "2 -: 1 if any(z) else w -> 1 if False else w",
        "2 -: any(z) -> all(z)",
        "2 -: 1 -> 2",
        "2 -: 1 -> 0",
    ]


def test_equal_faults_in_one_function_are_distinct():
    found = mutants_of("x.py", "x = 1\ny = 1\ndef f():\n    return 1")
    assert [m.key for m in found if m.after == "2"] == [
        "x.py | - | 1 -> 2",
        "x.py | - | 1 -> 2 (2)",
        "x.py | f | 1 -> 2",
    ]
    assert str(found[2]) == "x.py:2 -: 1 -> 2 (2)"
