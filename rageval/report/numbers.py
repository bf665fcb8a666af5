"""Numbers as readers see them: the only place that rounds.

Three decimals by default; a value that is not zero never shows as zero, a number that does not
exist shows as `n/a`, and minus is U+2212.
"""

from __future__ import annotations

import math

MINUS = "\u2212"
ABSENT = "n/a"
SAME = 1e-9
"""Values closer than this are equal: the rule by which wins and ties are counted."""
NOISE = 1e-12
"""Smaller than this is what is left of rounding in sums, and shows as zero."""
MAX_P_DIGITS = 6


def value(number: float, digits: int = 3) -> str:
    """Write a value or mean: `0.625`, `<0.001` for what would round to zero, `n/a` for NaN."""
    if not math.isfinite(number):
        return ABSENT
    return _bounded(number, digits, "") if _vanishes(number, digits) else _plain(number, digits)


def difference(number: float, digits: int = 3) -> str:
    """Write a signed difference: `+0.059`, `\u22120.090`, `0.000` only for zero itself."""
    if not math.isfinite(number):
        return ABSENT
    if abs(number) < NOISE:
        return _plain(0.0, digits)
    return _bounded(number, digits, "+") if _vanishes(number, digits) else _signed(number, digits)


def interval(low: float, high: float) -> str:
    """Write the interval of a difference: `[+0.020, +0.097]`; `no interval` where it has none."""
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"[{_end(low, difference)}, {_end(high, difference)}]"


def mean_interval(low: float, high: float) -> str:
    """Write the interval of a mean: `[0.583, 0.667]`; `no interval` where it has none."""
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"[{_end(low, value)}, {_end(high, value)}]"


def estimate(number: float, low: float, high: float) -> str:
    """Write a difference with its interval in brackets after it."""
    return f"{difference(number)} {interval(low, high)}"


def p_value(p: float, alpha: float = math.nan) -> str:
    """Write a p-value: `0.006`, `<0.001`, `>0.999`, `1.000` only for one itself.

    Where three decimals would put p on the other side of `alpha`, or on it, more are written.
    """
    if math.isnan(p):
        return ABSENT
    if p < 0.001:
        return "<0.001"
    if 0.999 < p < 1:
        return ">0.999"
    return f"{p:.{_digits_beside(p, alpha)}f}"


def p_phrase(p: float, alpha: float = math.nan) -> str:
    """Write `p = 0.006` or `p < 0.001`."""
    text = p_value(p, alpha)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


def effect(number: float) -> str:
    """Write a standardised effect size or statistic, signed, two decimals."""
    return difference(number, 2)


def degrees(df: float) -> str:
    """Write degrees of freedom: whole, or one decimal where they are not."""
    if math.isnan(df):
        return ABSENT
    return f"{df:,.0f}" if df == round(df) else f"{df:,.1f}"


def statistic(number: float, df: float) -> str:
    """Write a test statistic and its degrees of freedom: `+3.01 (199)`."""
    return effect(number) if math.isnan(df) else f"{effect(number)} ({degrees(df)})"


def count(number: int) -> str:
    """Write a count with commas between thousands."""
    return f"{number:,}"


def queries(number: int) -> str:
    """Write a number of queries: `1 query`, `200 queries`."""
    return f"{count(number)} {'query' if number == 1 else 'queries'}"


def share(number: float) -> str:
    """Write a share in percent: `10.5%`; `<0.1%` and `>99.9%` are not 0 and 100."""
    if math.isnan(number):
        return ABSENT
    if 0 < number < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= number < 1 else f"{number:.1%}"


def relative(number: float) -> str:
    """Write a relative change in percent, signed."""
    if not math.isfinite(number):
        return ABSENT
    return _minus(f"{number:+.1%}") if abs(number) >= 0.0005 or number == 0 else "<0.1%"


def level(number: float) -> str:
    """Write a level such as alpha or a margin with the digits it has: `0.05`."""
    return f"{number:.6g}"


def confidence(alpha: float) -> str:
    """Write the confidence of an interval: `95%`."""
    return f"{100 * (1 - alpha):.6g}%"


def tick(number: float, step: float, *, signed: bool) -> str:
    """Write an axis label with as many decimals as the step between labels needs."""
    if abs(number) < step * 1e-6:
        return "0"
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if round(step, digits) != round(step, digits + 1):  # a step of 0.25 needs one more
        digits += 1
    return _signed(number, digits) if signed else _plain(number, digits)


def percent_place(number: float) -> str:
    """Write a place on a scale, in percent of its width."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def pixel(number: float) -> str:
    """Write a coordinate of a drawing."""
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _vanishes(number: float, digits: int) -> bool:
    return NOISE <= abs(number) < 0.5 * 10.0**-digits


def _bounded(number: float, digits: int, plus: str) -> str:
    smallest = f"{10.0**-digits:.{digits}f}"
    return f"<{plus}{smallest}" if number > 0 else f">{MINUS}{smallest}"


def _end(number: float, write: object) -> str:
    if math.isinf(number):
        return "unbounded"
    assert callable(write)
    return str(write(number))


def _plain(number: float, digits: int) -> str:
    return _minus(f"{number:.{digits}f}")


def _signed(number: float, digits: int) -> str:
    return _minus(f"{number:+.{digits}f}")


def _minus(text: str) -> str:
    return text.replace("-", MINUS)


def _digits_beside(p: float, alpha: float) -> int:
    for digits in range(3, MAX_P_DIGITS):
        shown = float(f"{p:.{digits}f}")
        if math.isnan(alpha) or p == alpha or (shown != alpha and (shown < alpha) == (p < alpha)):
            return digits
    return MAX_P_DIGITS
