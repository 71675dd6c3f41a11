"""The metadata block of a page with the place of every key and value."""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.lint.finding import Span

READ = "read"
RECOVERED = "recovered"
NONE = ""


class Value(NamedTuple):
    """A value as written: a text, a list or a mapping."""

    text: str | None
    """None for a list or mapping; the empty text for a key without value."""
    span: Span
    style: str
    """How a text is quoted: empty (plain), `'`, `"`, `|` or `>`; `[` or `{` for a flow list or
    mapping, `-` or `:` for a block one."""
    items: tuple[Value, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def texts(self) -> tuple[Value, ...]:
        """The texts in it: itself, or the texts of its items."""
        if self.text is not None:
            return (self,) if self.text else ()
        return tuple(item for item in self.items if item.text)

    def get(self, name: str) -> Value | None:
        """The value of a key in a mapping; the last one counts."""
        return next((key.value for key in reversed(self.keys) if key.name == name), None)


class Key(NamedTuple):
    """A key and its value."""

    name: str
    span: Span
    value: Value


class Fault(NamedTuple):
    """What kept the block, or a value in it, from being read as meant."""

    code: str
    """As in the indexer's warnings: `frontmatter-mangled`, `frontmatter-duplicate-key`, …"""
    message: str
    span: Span
    key: str = ""


class Front(NamedTuple):
    """The metadata block; empty when a document has none."""

    state: str = NONE
    """`read`, `recovered` (faulty: what could be read is there), or empty."""
    start: int = 0
    """Line of the opening fence; 0 = no block."""
    end: int = 0
    """Line of the closing fence, or the last recovered line."""
    body: int = 0
    """Lines before the body."""
    keys: tuple[Key, ...] = ()
    faults: tuple[Fault, ...] = ()
    language: str = "yaml"
    """`yaml` or `toml`."""

    def key(self, name: str) -> Key | None:
        """A key by name, nested ones with dots (`links.calls_api`); the last one counts."""
        found: Key | None = None
        keys = self.keys
        for part in name.split("."):
            found = next((key for key in reversed(keys) if key.name == part), None)
            if found is None:
                return None
            keys = found.value.keys
        return found

    def text(self, name: str) -> str:
        """The text of a key, trimmed; empty when there is none or it is no text."""
        key = self.key(name)
        return (key.value.text or "").strip() if key else ""


NO_FRONT = Front()
"""Of a document without a metadata block."""
