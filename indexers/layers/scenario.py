"""Reading scenarios: bold labels or sub-headings, steps as text lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from docs_agent.indexers.document import Block, Section
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import bold_label, key_and_value, plain
from docs_agent.templates.lookup import label_role, section_role

FIELDS: Final = (
    "preconditions",
    "trigger",
    "main_flow",
    "alternative_flow",
    "error_handling",
    "postconditions",
)
"""What a scenario may say, in reading order."""
_LABELS: Final = frozenset((*FIELDS, "name"))
_FREE: Final = ""
"""Lists of a scenario under no label."""


@dataclass(slots=True)
class Draft:
    """A scenario while it is read."""

    name: str
    level: int
    """Heading level it stands under; a field heading above it ends it."""
    start: int
    anchor: str
    end: int = 0
    fields: dict[str, list[str]] = field(default_factory=dict)

    def add(self, role: str, text: str, end: int) -> None:
        """Appends a line to a field."""
        if text.strip():
            self.fields.setdefault(role, []).append(text.rstrip())
        self.end = max(self.end, end)

    def finished(self) -> bool:
        """Settles what the unlabelled text is; False when there is no scenario at all."""
        free = self.fields.pop(_FREE, [])
        if free and "main_flow" not in self.fields:
            self.fields["main_flow"] = free
        return any(self.fields.get(name) for name in FIELDS)


@dataclass(frozen=True, slots=True)
class Line:
    """One line or item inside a scenario."""

    text: str
    """As written, with the list marker where it tells something."""
    raw: str
    """Without any marker, for reading labels; empty when there can be none."""
    level: int
    """Depth in a list, -1 outside of lists."""
    end: int
    ordered: bool = False
    """An item of a numbered list, or anything nested in a list."""


def lines_of(block: Block) -> Iterator[Line]:
    """Items of a list, lines of a paragraph; any other block as one."""
    if block.kind == "list":
        for item in (i for i in block.items if i.text.strip()):
            mark = f"{item.number}. " if item.number else "- " if item.level else ""
            text = "  " * item.level + mark + item.text
            ordered = item.number > 0 or item.level > 0
            yield Line(text, item.text, item.level, item.end, ordered)
    elif block.kind in ("paragraph", "quote"):
        for offset, text in enumerate(block.text.split("\n")):
            bare = text.strip(" >")
            yield Line(bare, bare, -1, min(block.start + offset, block.end))
    elif block.kind in ("code", "table"):
        yield Line(block.text, "", -1, block.end)


def read_scenarios(context: DocumentContext, index: int) -> list[Draft]:
    """Scenarios of a section and what is below it."""
    reader = _Reader(context, context.doc.sections[index])
    for position in context.subtree(index):
        reader.section(position, position == index)
    return [draft for draft in reader.drafts if draft.finished()]


class _Reader:
    def __init__(self, context: DocumentContext, root: Section) -> None:
        self._context = context
        self._root = Draft(_own_name(root.title), root.level, root.start, root.anchor)
        self._many = self._root if section_role(root.title) == "flows" else None
        self._current = self._root
        self._field = _FREE
        self.drafts = [self._root]

    def section(self, position: int, is_root: bool) -> None:
        section = self._context.doc.sections[position]
        if not is_root:
            self._heading(position, section)
        for block in section.blocks:
            for line in lines_of(block):
                self._line(section, line)

    def _heading(self, position: int, section: Section) -> None:
        if self._current is not self._root and section.level <= self._current.level:
            self._current = self._root
        role = self._context.roles[position]
        if role in _LABELS:
            self._enter(role, section, section.start)
        elif role == "scenario" or self._has_content(position):
            self._begin(_own_name(section.title), section, section.start, section.level)
        else:
            self._field = _FREE

    def _has_content(self, position: int) -> bool:
        sections = self._context.doc.sections
        return any(
            self._context.roles[i] in _LABELS
            or any(b.kind == "list" or _label_of(b) for b in sections[i].blocks)
            for i in self._context.subtree(position)
        )

    def _line(self, section: Section, line: Line) -> None:
        label = _label(line.raw) if line.level <= 0 else None
        if label is None:
            if self._field != _FREE or self._is_step(line):
                self._current.add(self._field, line.text, line.end)
            return
        role, value = label
        if role == "name":
            if self._current.fields or self._current.name:
                self._begin("", section, line.end, self._current.level)
            self._current.name = plain(value).strip(" .")
            self._current.start = min(self._current.start, line.end)
            self._current.end = max(self._current.end, line.end)
            self._field = "name" if not value else _FREE
            return
        self._enter(role, section, line.end)
        self._current.add(role, value, line.end)

    def _is_step(self, line: Line) -> bool:
        """Prose under no label tells about a scenario, only a list is its steps; bullets right
        under "Use cases" name the cases."""
        return line.level >= 0 and (line.ordered or self._current is not self._many)

    def _enter(self, role: str, section: Section, line: int) -> None:
        if role == "main_flow" and self._current.fields.get("main_flow"):
            self._begin("", section, line, self._current.level)
        self._field = role
        self._current.end = max(self._current.end, line)

    def _begin(self, name: str, section: Section, line: int, level: int) -> None:
        self._current = Draft(name, level, line, section.anchor, line)
        self.drafts.append(self._current)
        self._field = _FREE


def _own_name(title: str) -> str:
    """What a heading calls its scenario: nothing for "Scenario", the rest for "Scenario 2: Pay"."""
    if section_role(title) == "scenario":
        return title.partition(":")[2].strip()
    return "" if section_role(title) else title


def _label(raw: str) -> tuple[str, str] | None:
    found = bold_label(raw) or key_and_value(raw, 3)
    if found is None:
        return None
    role = label_role(found[0])
    return (role, found[1]) if role in _LABELS else None


def _label_of(block: Block) -> bool:
    return block.kind == "paragraph" and _label(block.text.partition("\n")[0].strip()) is not None
