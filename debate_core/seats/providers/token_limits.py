"""Token limits that a server names when it refuses a call: of a reply, of prompt and reply together, per minute.

Each provider words them differently. Knows no debate and opens no connection.
"""

import re
from dataclasses import dataclass, field, replace

from debate_core.seats.providers.wire import Call

MIN_REPLY_TOKENS = 64
"""Shortest limit that allows a turn; with a lower one the prompt is too long."""
MAX_LOWERED = 3
"""How often in a row a server may name a lower limit before its refusal counts as final."""

# Examples: "max_tokens", "max_completion_tokens", "maxOutputTokens", "The maximum tokens you requested".
_LIMIT_FIELD = re.compile(
    r"\bmax_(completion_|output_|new_)?tokens\b|maxOutputTokens|maximum tokens you requested", re.I
)
# Examples: "maximum context length is 8192 tokens".
_CONTEXT = re.compile(r"maximum context length is (\d[\d,]*)", re.I)
# Examples: "(1500 in the messages", "your request has 1500 input tokens", "1500 of text input".
_PROMPT = re.compile(r"(\d[\d,]*)(?: tokens)? (?:in the messages|in your prompt|input tokens|of text input)", re.I)
# As Anthropic says it: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000".
_SUM = re.compile(r"(\d[\d,]*) \+ \d[\d,]* > (\d[\d,]*)")
# A separate number, with the word after it: "4,096", "4097 (exclusive)"; not the digits of "gpt-4" or "v1.5".
_NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*)(?![\w-]|\.\d)(\s*\(exclusive\))?")
# Examples: "Limit 30000, Requested 30601", "Limit 10000, Used 0, Requested 13082".
_MINUTE = re.compile(r"limit:? (\d[\d,]*)\b.{0,40}?\brequested:? (\d[\d,]*)", re.I)
_PER_MINUTE = re.compile(r"tokens per min|\bTPM\b", re.I)
_TOO_LARGE = re.compile(r"request too large", re.I)


@dataclass(frozen=True, slots=True)
class ReplyLimit:
    """The maximum tokens of a reply, according to a refusal."""

    tokens: int
    """Of the reply to the call that was refused."""
    context_tokens: int = 0
    """Limit of prompt and reply together; 0 = only the reply is limited."""


def reply_limit(said: str, asked_tokens: int) -> ReplyLimit | None:
    """The limit that a refusal of `asked_tokens` names; None if it names no lower one, or is about another part.

    `max_tokens is too large: 8000. This model supports at most 4096 completion tokens` names 4096.
    """
    context, prompt = _CONTEXT.search(said), _PROMPT.search(said)
    if context and prompt:
        return _room(_count(context[1]), _count(prompt[1]), asked_tokens)
    if sums := _SUM.search(said):
        return _room(_count(sums[2]), _count(sums[1]), asked_tokens)
    if context or not is_about_the_limit(said):
        return None
    numbers = (_count(number) - bool(exclusive) for number, exclusive in _NUMBER.findall(said))
    lower = [number for number in numbers if MIN_REPLY_TOKENS <= number < asked_tokens]
    return ReplyLimit(max(lower)) if lower else None


def _room(context_tokens: int, prompt_tokens: int, asked_tokens: int) -> ReplyLimit | None:
    left = context_tokens - prompt_tokens
    return ReplyLimit(left, context_tokens) if MIN_REPLY_TOKENS <= left < asked_tokens else None


def is_about_the_limit(said: str) -> bool:
    """True if a refusal is about the field with the maximum tokens of a reply."""
    return _LIMIT_FIELD.search(said) is not None


def never_fits_a_minute(said: str) -> bool:
    """True if a request exceeds the tokens per minute, so that no wait makes it possible.

    `on tokens per min (TPM): Limit 30000, Requested 30601` does. `Limit 10000, Used 8554, Requested 3082` has to wait.
    """
    if not _PER_MINUTE.search(said):
        return False
    if numbers := _MINUTE.search(said):
        return _count(numbers[2]) > _count(numbers[1])
    return _TOO_LARGE.search(said) is not None


def _count(digits: str) -> int:
    # Python refuses to parse 5,000 digits, and no token count has more than 12.
    return int(digits.replace(",", "")[:12])


@dataclass
class ServerLimits:
    """Parts and lengths that a server refuses, learned from its refusals. Shared by all debates of a process."""

    refused: set[str] = field(default_factory=set)
    """Optional parts that later calls leave out."""
    _reply_tokens: int | None = None
    _context: tuple[int, int, int] | None = None
    """(tokens of prompt and reply together, tokens of a prompt, its characters)."""
    _lowered: int = 0

    def lower(self, limit: ReplyLimit, prompt_chars: int) -> bool:
        """Apply this limit to later calls. False if it was lowered too often, so that the refusal counts as final."""
        self._lowered += 1
        if limit.context_tokens:
            self._context = limit.context_tokens, limit.context_tokens - limit.tokens, max(prompt_chars, 1)
        else:
            self._reply_tokens = limit.tokens
        return self._lowered <= MAX_LOWERED

    def answered(self) -> None:
        """Reset the count of lowered limits after an accepted call."""
        self._lowered = 0

    def fitted(self, call: Call, prompt_chars: int) -> Call:
        """Limit the reply tokens of a call to what the server allows."""
        most = [call.max_tokens]
        if self._reply_tokens is not None:
            most.append(self._reply_tokens)
        if self._context is not None:
            context, tokens, chars = self._context
            most.append(max(MIN_REPLY_TOKENS, context - -(-prompt_chars * tokens // chars)))
        return replace(call, max_tokens=min(most))
