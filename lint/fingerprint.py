"""Fingerprints: what stays the same of a finding while the rest of its file changes.

Made of path, rule, the text of the lines the finding spans and its message without line numbers;
equal ones are told apart by their order. Lines inserted elsewhere change none of these.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from docs_agent.lint.finding import Finding, Span, in_order, last_line

_WHOLE_FILE: Final = Span(1, 1, 1, 1)
_LINE_NUMBER = r"(?i)\blines? \d+(?:(?: ?[-–,] ?| and | to )\d+)*|(?<=[^\s:]):\d+(?::\d+)?\b"
"""`line 12`, `lines 3-5`, and the `:12:3` of a place."""
_LENGTH = 32


def with_fingerprints(
    findings: Iterable[Finding], lines_of: Callable[[str], Sequence[str]]
) -> tuple[Finding, ...]:
    """Return the findings in the order of a report, each with a fingerprint of its own.

    lines_of: path to the decoded lines of that file, without line ends.
    """
    seen: Counter[bytes] = Counter()
    done = []
    for finding in in_order(findings):
        key = _key(finding, lines_of(finding.path))
        ordinal = seen[key]
        seen[key] += 1
        digest = hashlib.sha256(b"%s\0%d" % (key, ordinal)).hexdigest()
        done.append(replace(finding, fingerprint=digest[:_LENGTH]))
    return tuple(done)


def message_without_places(message: str) -> str:
    """The message with the line numbers left out."""
    return re.sub(_LINE_NUMBER, "#", message)


def _key(finding: Finding, lines: Sequence[str]) -> bytes:
    span = finding.span
    # A finding about the whole file does not hang on what stands in its first line.
    spanned = () if span == _WHOLE_FILE else lines[span.line - 1 : last_line(span)]
    parts = (
        finding.path,
        finding.code,
        "\n".join(" ".join(line.split()) for line in spanned),
        message_without_places(finding.message),
    )
    text = "\0".join(part.replace("\0", "\ufffd") for part in parts)
    normal = unicodedata.normalize("NFC", text)
    return hashlib.sha256(normal.encode("utf-8", "surrogatepass")).digest()
