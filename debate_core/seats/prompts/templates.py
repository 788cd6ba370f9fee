"""The templates of one debate, shipped or custom: their digests, and filling them.

Knows no views.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from debate_core.errors import InvalidSpec
from debate_core.seats.prompts.texts import FIXED, LOOK_UPS, OWN
from debate_core.spec.models import Template
from debate_core.spec.values import MAX_TEXT_CHARS

SHIPPED: Mapping[str, str] = {**FIXED, **OWN}
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill each placeholder once; braces in values and unknown placeholders stay unchanged."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def digests(*, with_tools: bool = False) -> tuple[Template, ...]:
    """The shipped templates by digest, as a debate without custom texts records them.

    Those of tools are recorded only where a protocol has tools.
    """
    shipped = {**SHIPPED, **LOOK_UPS} if with_tools else SHIPPED
    return tuple(Template(name=name, sha256=_sha256(text)) for name, text in shipped.items())


def with_custom(templates: Mapping[str, str], *, with_tools: bool = False) -> tuple[Template, ...]:
    """All templates of a debate with these custom texts; the others by digest.

    InvalidSpec if a template is unknown, fixed or empty, or if a placeholder is unknown.
    """
    own = {name: _check_template(name, text) for name, text in templates.items()}
    return tuple(own.get(t.name, t) for t in digests(with_tools=with_tools))


def changed(templates: Sequence[Template]) -> tuple[str, ...]:
    """Names of the recorded templates that this program renders differently."""
    return tuple(t.name for t in templates if _sha256(texts_of((t,)).get(t.name, "")) != t.sha256)


def texts_of(templates: Sequence[Template]) -> Mapping[str, str]:
    """Template name -> text, for a debate with these templates."""
    return {**SHIPPED, **LOOK_UPS, **{t.name: t.text for t in templates if t.text and t.name in OWN}}


def _check_template(name: str, text: str) -> Template:
    if name in FIXED or name in LOOK_UPS:
        raise InvalidSpec("template {name!r} is fixed: a debate can word {own}", name=name, own=", ".join(OWN))
    if name not in OWN:
        raise InvalidSpec("unknown template {name!r}: a debate can word {own}", name=name, own=", ".join(OWN))
    if not text.strip():
        raise InvalidSpec("template {name!r} is empty: write its text, or leave it out for the shipped one", name=name)
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidSpec(
            "template {name!r} has {n_text} characters: at most {max_text_chars} are allowed",
            name=name,
            n_text=len(text),
            max_text_chars=MAX_TEXT_CHARS,
        )
    known = list(dict.fromkeys(_PLACEHOLDER.findall(OWN[name])))
    for placeholder in _PLACEHOLDER.findall(text):
        if placeholder not in known:
            allowed = ", ".join(f"{{{p}}}" for p in known) or "none"
            raise InvalidSpec(
                "template {name!r} has the unknown placeholder {{{placeholder}}}; it can have: {allowed}",
                name=name,
                placeholder=placeholder,
                allowed=allowed,
            )
    return Template(name=name, sha256=_sha256(text), text=text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
