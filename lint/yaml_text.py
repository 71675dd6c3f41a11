"""Writing a text as a YAML value, and telling which plain texts other readers change."""

from __future__ import annotations

import json
import re
from typing import Final

_BOOL: Final = re.compile(r"(?i:y|n|yes|no|on|off|true|false)")
_NULL: Final = re.compile(r"(?i:null|~)")
_INT: Final = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_ODD_INT: Final = re.compile(r"[-+]?0[xob]?[0-9A-Fa-f_]+")
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?")
_EXPONENT: Final = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+")
_BASE_60: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_DATE: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?")
_PLAIN: Final = re.compile(r"[^\W_](?:[^:#\\\n\"'\[\]{},&*!|>%@`]*[^\s:#\\\"'\[\]{},&*!|>%@`])?")

TYPES: Final = (
    ("true or false", _BOOL),
    ("nothing", _NULL),
    ("a number in another base", _ODD_INT),
    ("a whole number", _INT),
    ("a number", _FLOAT),
    ("a number", _EXPONENT),
    ("a number in base 60", _BASE_60),
    ("a date", _DATE),
)
"""What YAML 1.1 readers make of a plain text, in the order they are tried."""


def read_as(text: str) -> str:
    """What a plain text becomes for YAML 1.1 readers; empty when it stays a text."""
    return next((name for name, pattern in TYPES if pattern.fullmatch(text)), "")


def written(text: str) -> str:
    """A text as a YAML value: plain where every reader takes it for this text, else quoted."""
    if _PLAIN.fullmatch(text) and not read_as(text):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes; JSON's escapes are YAML's too."""
    return json.dumps(text, ensure_ascii=False)
