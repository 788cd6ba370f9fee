"""Markers of checkable statements: percentages, percentiles, money, durations, rates, sizes, ratios, counts, studies.

A marker means that a statement can be checked, not that it is true. The rules of a debate depend on markers: raise
`MEASURES` in `debate_core/record/events.py` when you change what is found here.
"""

import re
from functools import cache, lru_cache

from debate_core.spec.contents import Claim

_SPELT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|(?:a |one )?hundred|(?:a |one )?thousand|a dozen|half an?|several hundred|several thousand)"
)
_DIGITS = (
    r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?"  # 9,000 or 1,250.5
    r"|(?<![\w.])\d+(?:\.\d+)?"  # 40 or 0.5, but not the 2 of v2 or of 1.2.3
)
_NUMBER = rf"(?:{_DIGITS}|\b{_SPELT}(?:[- ]{_SPELT})?)"
_TIME = r"(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|quarters?)"
_UNITS = (
    r"\s?(?:%|percent\b|per cent\b|percentage points?\b)",  # 12 %
    rf"(?:\s?(?:ms|µs|us|ns)|[\s-]?(?:{_TIME}|milliseconds?|microseconds?))\b",  # 120 ms, four hours, 3-day
    r"(?<=\d)(?<!\d{4})\s?s\b",  # 30 s, but not the decade of 1990s
    # 500 rps, 2k requests/s, 40 per day, 9,000 writes a second, three releases each week
    r"\s?[kKM]?\s?(?:rps|qps|tps)\b",
    rf"\s?[kKM]?\s?(?:[a-z]+ ?){{0,2}}?(?:/|\b(?:per|an?|each|every) )\s?(?:s|h|{_TIME})\b",
    r"\s?(?:[KMGT]i?B|bytes|kilobytes|megabytes|gigabytes|terabytes)\b",  # 16 GiB
    r"\s?(?:[kKM]\s?)?(?:USD|EUR|GBP|CHF|JPY|dollars?|euros?|pounds?|francs?)\b",  # 300 USD
    r"\s?(?:[x×]|[- ]?fold|times)(?![\w])",  # 3x, 10-fold, three times
    # 7 out of 10, one in four; but not the dates in 3 in 2019 and 3 of 12/2024
    rf" (?:out )?(?:of|in) (?:the |every )?(?!(?:19|20)\d\d\b)(?:\d+|{_SPELT})\b(?!/)",
    r" (?:million|billion|thousand)\b",  # 8 million
)
_LARGE = r"(?<![\w.,$€£])\d{1,3}(?:,\d{3})+(?![\w,])"
"""10,000 of anything."""
_MONEY = (
    r"[$€£]\s?\d[\d,.]*(?<![,.])\s?(?:[kKM]\b|million\b|billion\b)?"  # $40, € 1.2 million
    r"(?:\s?(?:/|per |a )\s?(?:month|mo|year|hour|day|GB|request)\b)?"  # $40/month
    r"|[$€£]/(?:month|mo|year|hour)\b"  # $/month
)
_SHARE = r"\b(?:half|a third|two thirds|a quarter|three quarters|a majority) of (?:the|all|our|its|their)\b"
"""Half of the teams, a majority of our writes."""
_STATISTIC = (
    rf"{_MONEY}|\bp\d{{2}}(?:\.\d+)?\b"  # p95, p99.9
    rf"|{_NUMBER}(?:{'|'.join(_UNITS)})|{_LARGE}|{_SHARE}"
)
_STUDY = (
    r"\b(?:study|studies(?! (?:the|how|what|why)\b)|surveys?|meta-?analys[ei]s|systematic reviews?|research|statistics"
    r"|findings|correlat(?:es?|ed|ions?)|estimated|measured|benchmark(?:s|ed)?|load tests?|post-?mortems?)\b"
)
_MARKER = f"{_STATISTIC}|{_STUDY}"
_LINK = r"https?://[^\s)>\]]+"
_RESEARCH = rf"{_STUDY}|\b(?:experiments?|audit(?:s|ed)?)\b"
_EVIDENCE_TYPES = (("link", _LINK), ("statistic", _STATISTIC), ("study", _RESEARCH))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled on first use: at import it would slow down every start."""
    return re.compile(pattern, re.I)


@lru_cache(maxsize=8192)
def markers(text: str) -> tuple[str, ...]:
    """The markers of a statement as written, in order."""
    return tuple(match.group().strip() for match in _compiled(_MARKER).finditer(text))


def has_marker(text: str) -> bool:
    """True if the statement has an evidence marker."""
    return bool(markers(text))


def evidence_type(claim: Claim) -> str:
    """The first type that fits: quote, link, statistic, study; "" = none, which does not mean unsupported."""
    return "quote" if claim.quote else _type_in(claim.text)


@lru_cache(maxsize=8192)
def _type_in(text: str) -> str:
    return next((name for name, pattern in _EVIDENCE_TYPES if _compiled(pattern).search(text)), "")
