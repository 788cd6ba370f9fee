"""Decode TOML and JSON from users; every error is an `Undecodable`.

Python refuses decimal numbers of more than 4,300 digits, but reads longer hexadecimal ones and then cannot print them.
Deep nesting can be read, but breaks code that walks through it.
"""

import json
from collections.abc import Callable
from typing import Any

MAX_DIGITS = 4_300
"""Python's own limit (`sys.int_info.default_max_str_digits`), fixed here against settings in the environment."""
MAX_DEPTH = 100
"""Nesting of tables and lists; our formats need fewer than ten levels."""
# TOML 1.0 promises 64 bits.
_LARGEST = 2**63


class Undecodable(ValueError):
    """Text that is not TOML or JSON, with a short reason."""


def decode_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables of a TOML file. Raises `Undecodable`."""
    import tomllib  # records are read without it

    try:
        data = tomllib.loads(text.removeprefix("\ufeff"), parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        raise Undecodable(str(error)) from None
    except ValueError:
        raise Undecodable(f"a number has more than {MAX_DIGITS:,} digits") from None
    except RecursionError:
        raise Undecodable("too many brackets in each other") from None
    _refuse_unusable(data)
    return data


def _refuse_unusable(data: dict[str, Any]) -> None:
    level: list[Any] = [data]
    for _depth in range(MAX_DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
                raise Undecodable("a whole number has more than 64 bits")
        if not below:
            return
        level = below
    raise Undecodable("too many tables in each other")


def decode_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises `Undecodable`, also for NaN and Infinity, which are not JSON.

    A name given twice in an object is refused, too: another reader could take the other one of its values.
    """
    try:
        unmarked = text.removeprefix("\ufeff") if isinstance(text, str) else text
        return json.loads(unmarked, parse_int=_whole, parse_constant=_refuse_constant, object_pairs_hook=object_of)
    except RecursionError:
        raise Undecodable("too many brackets in each other") from None
    except ValueError as error:
        raise Undecodable(str(error)) from None


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these names and values, as hook for `json`. Raises `Undecodable` for a name given twice."""
    names = set[str]()
    for name, _value in pairs:
        if name in names:
            raise Undecodable(f"{name[:40]!r} is given twice")
        names.add(name)
    return dict(pairs)


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise Undecodable(f"a number has more than {MAX_DIGITS:,} digits")
    return int(text)


def _refuse_constant(name: str) -> None:
    raise Undecodable(f"{name} is no number in JSON")
