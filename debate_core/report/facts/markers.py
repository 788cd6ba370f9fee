"""What makes a statement checkable: percentages, percentiles, money, durations, rates, sizes, ratios, links, studies.

A marker says that a statement can be checked, not that it is true.
"""

import re

from debate_core.spec.contents import Claim

_NUMBER = (
    r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?"  # 9,000 or 1,250.5
    r"|(?<![\w.])\d+(?:\.\d+)?"  # 40 or 0.5, but not the 2 of v2 or of 1.2.3
)
_UNITS = (
    r"\s?(?:%|percent\b|per cent\b)",  # 12 %
    r"\s?(?:ms|µs|us|ns|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b",  # 120 ms, 3 days
    r"(?<!\d{4})\s?s\b",  # 30 s, but not the decade of 1990s
    r"\s?[kKM]?\s?(?:rps|qps|tps|(?:req(?:uests)?|events|messages|writes|reads|rows|calls)?\s?(?:/|per )\s?"
    r"(?:s|sec|second|min|minute|hour|day|month|year)\b)",  # 500 rps, 2k requests/s, 40 per day
    r"\s?(?:[KMGT]i?B|bytes)\b",  # 16 GiB
    r"\s?(?:[x×]|-?fold|times)(?![\w])",  # 3x, 10-fold
    r" (?:out )?of (?:the )?\d+\b(?!/)",  # 7 out of 10
)
_MARKER = re.compile(
    r"[$€£]\s?\d[\d,.]*(?<![,.])\s?(?:[kKM]\b|million\b)?"  # $40, € 1.2 million
    r"(?:\s?(?:/|per |a )\s?(?:month|mo|year|hour|day|GB|request)\b)?"  # $40/month
    r"|[$€£]/(?:month|mo|year|hour)\b"  # $/month
    r"|\bp\d{2}(?:\.\d+)?\b"  # p95, p99.9
    rf"|(?:{_NUMBER})(?:{'|'.join(_UNITS)})"
)
_LINK = re.compile(r"https?://[^\s)>\]]+")
_STUDY = re.compile(r"\b(?:study|studies|survey|benchmark|measured|load test|experiment|audit|post-?mortem)\b", re.I)
_EVIDENCE_TYPES = (("link", _LINK), ("statistic", _MARKER), ("study", _STUDY))


def markers(text: str) -> tuple[str, ...]:
    """The markers of a statement as they are written, in order."""
    return tuple(match.group().strip() for match in _MARKER.finditer(text))


def has_marker(text: str) -> bool:
    """True if the statement holds an evidence marker."""
    return _MARKER.search(text) is not None


def evidence_type(claim: Claim) -> str:
    """The first that fits: quote, link, statistic, study; empty if none does (which does not say unsupported)."""
    if claim.quote:
        return "quote"
    return next((name for name, pattern in _EVIDENCE_TYPES if pattern.search(claim.text)), "")
