"""The metadata at the top of a document, read as written and recovered where it is broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from docs_agent.core.records import IndexWarning
from docs_agent.indexers.document import Frontmatter
from docs_agent.indexers.keylines import (
    KeyBlock,
    KeyLine,
    has_key,
    heading_key,
    is_rule,
    scan,
    scan_mangled,
)
from docs_agent.indexers.metadata import MAX_CHARS, Metadata, MetadataError, read_toml, read_yaml

_MIN_MANGLED_KEYS = 2
_MAX_FAULTS = 20
"""Lines left out of a TOML block before it is given up."""
_MAX_WARNINGS = 50
"""The rest of a hopeless block tells nothing new."""
_FENCES = ("---", "...")


@dataclass(slots=True)
class Split:
    """Metadata and where the body begins."""

    frontmatter: Frontmatter
    body: int = 0
    """Index of the first line of the body."""
    warnings: list[IndexWarning] = field(default_factory=list)


def split_frontmatter(path: str, lines: list[str]) -> Split:
    """Read the metadata block of a document; a document without one has an empty Frontmatter."""
    return _Reader(path, lines).read()


class _Reader:
    def __init__(self, path: str, lines: list[str]) -> None:
        self._path = path
        self._lines = lines
        self._warnings: list[IndexWarning] = []
        self._values: dict[str, Any] = {}
        self._key_lines: dict[str, int] = {}

    def read(self) -> Split:
        start = next((i for i, line in enumerate(self._lines) if line.strip()), len(self._lines))
        if start == len(self._lines):
            return Split(Frontmatter())
        fence = self._lines[start].rstrip()
        if fence == "+++":
            return self._toml(start)
        if not is_rule(fence) or fence[0].isspace():
            return Split(Frontmatter())
        mangled = self._mangled(start)
        if mangled:
            return mangled
        return self._yaml(start) if fence == "---" else Split(Frontmatter())

    def _yaml(self, start: int) -> Split:
        end = self._closing(start, _FENCES)
        first = next(
            (line for line in self._lines[start + 1 : end] if line.strip() and line[0] != "#"), None
        )
        if end < len(self._lines) and first is None:
            return self._done(start, end + 1)
        if end < len(self._lines) and (text := "\n".join(self._lines[start + 1 : end])):
            try:
                self._keep(read_yaml(text), start + 1)
            except MetadataError as error:
                if error.refused:
                    self._refuse(error, start + 1)
                    return self._done(start, end + 1)
            else:
                self._notice_comments(start + 1, end)
                return self._done(start, end + 1)
        enclosed = self._is_enclosed(start, end)
        if first is None or not (has_key(first) or (enclosed and first.startswith("?"))):
            return Split(Frontmatter())
        block = scan(self._lines, start + 1, closing=end if enclosed else 0)
        if not block.keys:
            return Split(Frontmatter())
        if not block.closed:
            if not self._is_metadata(block):
                return Split(Frontmatter())
            self._warn(
                start,
                "frontmatter-unterminated",
                f"the metadata block has no closing `---`; {len(block.keys)} keys were recovered. "
                f"Add a line `---` after line {block.end}",
            )
        self._recover(block)
        return self._done(start, block.end)

    def _is_enclosed(self, start: int, end: int) -> bool:
        """Whether the fence at `end` closes the block: a line `---` may as well be a rule in the
        text of a document whose block is open, and then a paragraph begins before it."""
        if end == len(self._lines):
            return False
        blank = False
        for line in self._lines[start + 1 : end]:
            if blank and line.strip() and line[0] not in " \t?:" and not has_key(line):
                return False
            blank = not line.strip()
        return True

    def _is_metadata(self, block: KeyBlock) -> bool:
        """Whether an unclosed block is metadata: one `Word: …` line may as well begin a text."""
        if len(block.keys) > 1:
            return True
        after = self._lines[block.end : block.end + 1]
        return block.keys[0].key.islower() and not "".join(after).strip()

    def _mangled(self, start: int) -> Split | None:
        """A block that a formatter rewrote, or None when this is none."""
        first = start + 1
        while first < len(self._lines) and not self._lines[first].strip():
            first += 1
        if first == len(self._lines):
            return None
        plain_fence = self._lines[start].rstrip() == "---"
        if plain_fence and not self._looks_mangled(start, first):
            return None
        block = scan_mangled(self._lines, first)
        if len(block.keys) < _MIN_MANGLED_KEYS or not block.keys[0].key.islower():
            return None
        self._recover(block)
        self._warn(
            block.keys[0].line,
            "frontmatter-mangled",
            f"a formatter rewrote the metadata block; {len(self._values)} keys were recovered. "
            "Restore it between two lines `---`",
        )
        return self._done(start, block.end)

    def _looks_mangled(self, start: int, first: int) -> bool:
        """Whether a block after `---` is a formatter's work and not readable as it stands."""
        if heading_key(self._lines[first]):
            return first > start + 1 or self._lines[first].startswith("##")
        if first == start + 1 or not has_key(self._lines[first].replace("\\_", "_")):
            return False
        end = self._closing(start, _FENCES)
        text = "\n".join(self._lines[start + 1 : end])
        if end == len(self._lines) or len(text) > MAX_CHARS:
            return True
        try:
            read = read_yaml(text)
        except MetadataError as error:
            return not error.refused
        return any("\\" in key for key in read.values)

    def _toml(self, start: int) -> Split:
        end = self._closing(start, ("+++",))
        if end == len(self._lines):
            return Split(Frontmatter())
        source = self._lines[start + 1 : end]
        for _ in range(_MAX_FAULTS):
            try:
                self._keep(read_toml("\n".join(source)), start + 1)
                break
            except MetadataError as error:
                if error.refused or not source:
                    self._refuse(error, start + 1)
                    break
                faulty = min(error.line, len(source) - 1)
                self._invalid_line(start + 1 + faulty, source[faulty])
                source[faulty] = ""
        return self._done(start, end + 1)

    def _recover(self, block: KeyBlock) -> None:
        """Read every key of a broken block on its own."""
        for number in block.stray:
            self._invalid_line(number, self._lines[number])
        for entry in block.keys:
            if entry.key in self._values:
                self._duplicate(entry.key, self._key_lines[entry.key], entry.line)
            self._values[entry.key] = self._value(entry)
            self._key_lines[entry.key] = entry.line

    def _invalid_line(self, index: int, line: str) -> None:
        self._warn(
            index,
            "frontmatter-invalid",
            f"this line cannot be read as metadata: `{line.strip()[:80]}`. "
            "Correct or remove it; the other keys were kept",
        )

    def _value(self, entry: KeyLine) -> Any:
        more = [line.replace("\t", "  ") for line in entry.more]
        written = [self._lines[entry.line], *entry.more]
        tab = next((n for n, line in enumerate(written) if "\t" in _indent(line)), -1)
        if tab >= 0:
            self._warn(
                entry.line + tab,
                "frontmatter-tab",
                f"a tab indents `{entry.key}` or its value. Use spaces",
            )
        kept = entry.text if entry.more else _hash_kept(entry.text)
        if kept != entry.text or " #" in entry.text:
            self._comment(entry.key, entry.line, kept=kept != entry.text)
        try:
            read = read_yaml("\n".join([f"value: {kept}", *more]))
            if set(read.values) == {"value"}:
                return read.values["value"]
        except MetadataError as error:
            self._warn_value(entry, error)
        return _raw(entry.text, more)

    def _warn_value(self, entry: KeyLine, error: MetadataError) -> None:
        colon = ": " in entry.text and entry.text[:1] not in "\"'[{"
        self._warn(
            entry.line,
            "frontmatter-colon" if colon else "frontmatter-invalid",
            f"the value of `{entry.key}` holds an unquoted `: ` and was taken as written. "
            f'Quote it: `{entry.key}: "…"`'
            if colon
            else f"the value of `{entry.key}` is no valid YAML ({error.message}) and was taken as "
            "written. Correct or quote it",
        )

    def _keep(self, read: Metadata, offset: int) -> None:
        self._values |= read.values
        self._key_lines |= {key: line + offset for key, line in read.lines.items()}
        for key, dropped, kept in read.duplicates:
            self._duplicate(key, dropped + offset, kept + offset)

    def _notice_comments(self, start: int, end: int) -> None:
        """Warn of ` #` in plain values, and keep what is no comment: `Error #404 explained`."""
        by_line = {line: key for key, line in self._key_lines.items()}
        for number in range(start, end):
            key, line = by_line.get(number, ""), self._lines[number]
            if not key or " #" not in line or ":" not in line:
                continue
            text = line.partition(":")[2].strip()
            kept = _hash_kept(text)
            if not isinstance(self._values[key], str) or not (_is_plain(text) or kept != text):
                continue
            if kept != text:
                self._values[key] = read_yaml(f"value: {kept}").values["value"]
            self._comment(key, number, kept=kept != text)

    def _comment(self, key: str, line: int, *, kept: bool) -> None:
        if kept:
            what = "holds an unquoted ` #`, which YAML takes for a comment; it was kept as text"
        else:
            what = "is followed by ` #`: what comes after it is a comment and was left out"
        self._warn(line, "frontmatter-comment", f"the value of `{key}` {what}. Quote the value")

    def _duplicate(self, key: str, dropped: int, kept: int) -> None:
        self._warn(
            kept,
            "frontmatter-duplicate-key",
            f"`{key}` stands on line {dropped + 1} and again on line {kept + 1}; the last one "
            "counts. Remove one",
        )

    def _refuse(self, error: MetadataError, offset: int) -> None:
        self._warn(
            offset + error.line,
            error.code,
            f"the metadata block was left out: {error.message}. Write the values out",
        )

    def _closing(self, start: int, fences: tuple[str, ...]) -> int:
        """Index of the closing fence, or the number of lines."""
        for index in range(start + 1, len(self._lines)):
            if self._lines[index].rstrip() in fences:
                return index
        return len(self._lines)

    def _warn(self, index: int, code: str, message: str) -> None:
        self._warnings.append(IndexWarning(self._path, index + 1, code, message))

    def _done(self, start: int, body: int) -> Split:
        lines = {key: line + 1 for key, line in self._key_lines.items() if key in self._values}
        frontmatter = Frontmatter(self._values, lines, start + 1, body)
        return Split(
            frontmatter, body, sorted(self._warnings, key=lambda w: w.line)[:_MAX_WARNINGS]
        )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _is_plain(text: str) -> bool:
    return bool(text) and text[0] not in "\"'[{|>&*!#%@`"


def _hash_kept(text: str) -> str:
    """A plain value in which `#word` is text gets quoted; `# word` stays a comment."""
    if not (_is_plain(text) or text.startswith("#")):
        return text
    position = f" {text}".find(" #")
    if position < 0 or text[position + 1 : position + 2] in ("", " ", "#"):
        return text
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def _raw(text: str, more: list[str]) -> Any:
    """A value as it stands: a list when its lines are bullets, text otherwise."""
    items = [line.strip() for line in more if line.strip()]
    if not text and items and all(item.startswith("- ") for item in items):
        return [item[2:].strip().strip("\"'") for item in items]
    return " ".join([text.strip("\"'") if text[:1] in "\"'" else text, *items]).strip()
