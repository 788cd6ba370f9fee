"""The templates of one debate, shipped or custom: their digests, and filling them.

Knows no views.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from debate_core.errors import InvalidSpec
from debate_core.seats.prompts.texts import BY_KIND, COMPOSED, CONDITIONAL, FIXED, LOOK_UPS, OWN, SERVER_TOOLS
from debate_core.spec.models import Template
from debate_core.spec.protocol import Protocol
from debate_core.spec.tools import has_tools, server_tools
from debate_core.spec.values import MAX_TEXT_CHARS

SHIPPED: Mapping[str, str] = {**FIXED, **OWN}
_OF_KINDS: Mapping[str, str] = {name: text for texts in BY_KIND.values() for name, text in texts.items()}
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill each placeholder once; braces in values and unknown placeholders stay unchanged."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def digests(protocol: Protocol | None = None) -> tuple[Template, ...]:
    """The shipped templates by digest, as a debate under this protocol without custom texts records them.

    Those of features that the protocol does not use are left out.
    """
    used = dict(SHIPPED)
    if protocol is not None and protocol.output_schema is not None:
        used |= CONDITIONAL
    for phase in protocol.phases() if protocol else ():
        used |= BY_KIND.get(phase.gives, {})
    if protocol is not None and has_tools(protocol):
        used |= LOOK_UPS
    if protocol is not None and server_tools(protocol):
        used |= SERVER_TOOLS
    return tuple(Template(name=name, sha256=_sha256(text)) for name, text in used.items())


def with_custom(templates: Mapping[str, str], protocol: Protocol | None = None) -> tuple[Template, ...]:
    """All templates of a debate with these custom texts; the others by digest.

    InvalidSpec if a template is unknown, fixed or empty, or if a placeholder is unknown.
    """
    own = {name: _check_template(name, text) for name, text in templates.items()}
    return tuple(own.get(t.name, t) for t in digests(protocol))


def changed(templates: Sequence[Template]) -> tuple[str, ...]:
    """Names of the recorded templates that this program renders differently."""
    return tuple(t.name for t in templates if _sha256(texts_of((t,)).get(t.name, "")) != t.sha256)


def texts_of(templates: Sequence[Template]) -> Mapping[str, str]:
    """Template name -> text, for a debate with these templates."""
    own = {t.name: t.text for t in templates if t.text and t.name in OWN}
    return {**SHIPPED, **COMPOSED, **CONDITIONAL, **_OF_KINDS, **LOOK_UPS, **SERVER_TOOLS, **own}


def _check_template(name: str, text: str) -> Template:
    if name in {**FIXED, **CONDITIONAL, **_OF_KINDS, **LOOK_UPS, **SERVER_TOOLS}:
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
