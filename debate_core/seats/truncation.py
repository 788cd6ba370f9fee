"""Whether a server read the whole prompt: some cut it to what fits, without a word, and the model answers the rest."""

from debate_core.seats.wires.wire import Call
from debate_core.spec.values import Usage

WHOLE_SHARE = 0.8
"""Of the words of a prompt. A word is at least a token for every tokenizer in use, so a whole prompt is never below."""


def cut_prompt(call: Call, usage: Usage) -> str:
    """One sentence if the server counts fewer tokens than the prompt has words, "" if not or if it does not count."""
    words = sum(len(part.split()) for part in (call.system, *call.blocks, call.tail))
    if usage.estimated or not usage.input_tokens or usage.input_tokens >= words * WHOLE_SHARE:
        return ""
    return (
        f"the server read {usage.input_tokens:,} tokens of a prompt of more than {words:,}, and said nothing: "
        "give the model a larger context there (num_ctx in Ollama)"
    )
