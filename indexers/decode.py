"""From bytes to text: BOM, UTF-8, UTF-16 and UTF-32, then legacy code pages, guessed aloud."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import pairwise

_BOMS = (
    # UTF-32 first: its little-endian mark starts with the UTF-16 one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x7fELF", b"\x1f\x8b")
_CONTROL = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.005
_CONTROL_ALLOWED = 8
"""Stray control characters (a NUL, a form feed of an old printer) do not make a file binary."""
_SAMPLE = 8192
"""Bytes or characters that a guess looks at."""
_BAD_SHARE = 0.25
"""A UTF-8 text with fewer broken sequences than this share is damaged UTF-8, not a code page."""
_UNUSED_1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")
_FREQUENT = frozenset("оеаинтсрвл")
_RUSSIAN = re.compile(r"[а-яё]+", re.IGNORECASE)
_PAIRS = frozenset(
    first + second
    for first, seconds in (
        ("с", "т"), ("н", "оаие"), ("т", "оа"), ("е", "нр"), ("о", "встрм"), ("р", "аео"),
        ("в", "оа"), ("к", "оа"), ("а", "лн"), ("л", "иаь"), ("п", "ор"), ("и", "н"), ("г", "о"),
    )
    for second in seconds
)  # fmt: skip
"""Frequent neighbours in Russian words."""
_ODD = re.compile(
    r"[\u2500-\u259f]{6,}|[^\x00-\x7f\w«»—–…№„“”’‘°§©·•±×\xa0]|(?<=[^\W\d_])№(?=[^\W\d_])"
)
"""What Russian text does not hold, or holds as the line of a drawing: then the line counts once."""
_CYRILLIC = ("cp1251", "koi8-r", "cp866", "mac-cyrillic")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a file, without its byte order mark."""

    text: str
    encoding: str
    """Python's name of the encoding used."""
    code: str = ""
    """Warning code when something had to be guessed or replaced; empty when all is exact."""
    message: str = ""
    """What the warning says."""
    line: int = 0
    """Where, 1-based; 0 = the whole file."""


def decode(data: bytes) -> Decoded | None:
    """The text of a document, or None when the bytes are no text at all."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _checked(data[len(mark) :], encoding)
    if data.startswith(_MAGIC):
        return None
    wide = _wide_encoding(data[:_SAMPLE])
    if wide:
        return _guessed(data, wide)
    try:
        return _text_of(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if b"\0" in data:
        return None
    return _damaged_utf8(data) or _guessed(data, _code_page(data))


def split_lines(text: str) -> list[str]:
    """Lines as editors count them: only `\\n`, `\\r\\n` and a lone `\\r` end a line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _checked(data: bytes, encoding: str) -> Decoded | None:
    try:
        return _text_of(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors="replace")
        return _replaced(text, encoding, data[: error.start].decode(encoding, errors="replace"))


def _text_of(text: str, encoding: str) -> Decoded | None:
    controls = len(_CONTROL.findall(text))
    if controls > max(_CONTROL_ALLOWED, _CONTROL_SHARE * len(text)):
        return None
    if "\0" not in text:
        return Decoded(text, encoding)
    line = len(split_lines(text[: text.index("\0") + 1]))
    message = "the file holds NUL characters, shown as U+FFFD. Remove them from the file"
    return Decoded(text.replace("\0", "\ufffd"), encoding, "nul-characters", message, line)


def _replaced(text: str, encoding: str, before: str) -> Decoded:
    message = f"some bytes are not valid {encoding}, shown as U+FFFD. Save the file as UTF-8 again"
    line = len(split_lines(before + "x"))
    return Decoded(text.replace("\0", "\ufffd"), encoding, "encoding-invalid-bytes", message, line)


def _damaged_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - bad
    if bad > _BAD_SHARE * good:
        return None
    return _replaced(text, "utf-8", text[: text.index("\ufffd")])


def _guessed(data: bytes, encoding: str) -> Decoded | None:
    text = data.decode(encoding, errors="replace")
    if len(_CONTROL.findall(text)) > max(_CONTROL_ALLOWED, _CONTROL_SHARE * len(text)):
        return None
    message = f"the file is not UTF-8 and was read as {encoding}. Save it as UTF-8"
    return Decoded(text.replace("\0", "\ufffd"), encoding, "encoding-guessed", message)


def _wide_encoding(sample: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, told by where the high bytes of Latin or Cyrillic stand."""
    usable = sample[: len(sample) - len(sample) % 4]
    if len(usable) < 8:
        return ""
    lanes = [usable[offset::4] for offset in range(4)]
    high = [sum(lane.count(byte) for byte in (0, 4)) / len(lane) for lane in lanes]
    zero = [lane.count(0) / len(lane) for lane in lanes]
    if min(zero[2], zero[3], high[1]) > 0.9 and high[0] < 0.5:
        return "utf-32-le"
    if min(zero[0], zero[1], high[2]) > 0.9 and high[3] < 0.5:
        return "utf-32-be"
    if min(high[1], high[3]) > 0.7 and max(high[0], high[2]) < 0.3:
        return "utf-16-le"
    if min(high[0], high[2]) > 0.7 and max(high[1], high[3]) < 0.3:
        return "utf-16-be"
    return ""


def _code_page(data: bytes) -> str:
    """The likeliest of the Cyrillic pages and Latin-1 (with the dashes and quotes of cp1252).

    The wrong Cyrillic page shows rare letters, symbols and pieces of drawings, and swaps upper and
    lower case, so frequent letters and pairs of them in lower case tell the right one; in Latin-1
    text accented letters stand among ASCII ones.
    """
    high = [index for index, byte in enumerate(data) if byte > 0x7F][:_SAMPLE]
    sample = data[max(0, high[0] - 16) : high[-1] + 16]
    scores = {name: _russian_score(sample, name) for name in _CYRILLIC}
    best = max(scores, key=lambda name: scores[name])
    if scores[best] > 0:
        return best
    return "latin-1" if any(byte in _UNUSED_1252 for byte in data) else "cp1252"


def _russian_score(sample: bytes, encoding: str) -> int:
    text = sample.decode(encoding, errors="replace")
    score = -2 * len(_ODD.findall(text))
    for word in _WORD.findall(text):
        letters = sum(map(len, _RUSSIAN.findall(word)))
        if not letters:
            continue
        if letters < len(word):
            score -= 2 * letters
            continue
        lower = word.lower()
        score += sum(2 for char in lower if char in _FREQUENT)
        score += sum(1 for pair in map("".join, pairwise(lower)) if pair in _PAIRS)
        score += 1 if word[1:].islower() or len(word) == 1 else 0
        score -= sum(1 for char in word[1:] if char.isupper()) if word.upper() != word else 0
    return score
