"""What the rest of the collection has to know of a page; kept in the cache instead of the page.

Named tuples of texts, numbers and tuples: they become JSON arrays and come back.
"""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.lint.contract import ContractFacts
from docs_agent.lint.finding import Span


class HeadingFact(NamedTuple):
    """A heading, enough to work out its anchors."""

    text: str
    raw: str
    level: int
    alt_text: str
    line: int


class LinkFact(NamedTuple):
    """A link to something in the repository; links to other sites are not kept."""

    kind: str
    """As in `Link.kind`, and `definition` for a reference definition."""
    target: str
    span: Span
    """Of the target."""
    is_image: bool


class Ref(NamedTuple):
    """A value of a metadata key that names something else."""

    key: str
    """Dotted: `related_docs`, `links.calls_api`."""
    value: str
    span: Span


class KeyFact(NamedTuple):
    """A metadata key with a single text."""

    name: str
    value: str
    span: Span


class TextFact(NamedTuple):
    """A paragraph long enough to be told apart from chance."""

    digest: str
    span: Span
    beginning: str
    """Its first words, for the message."""


class Facts(NamedTuple):
    """What is known of one page."""

    path: str
    docs_root: str
    title: str
    is_modelled: bool
    front_state: str
    body_line: int
    keys: tuple[KeyFact, ...]
    """Single-valued metadata keys, of modelled and other pages."""
    refs: tuple[Ref, ...]
    """Values of keys that the model says name documents, entities or code."""
    headings: tuple[HeadingFact, ...]
    html_anchors: tuple[str, ...]
    links: tuple[LinkFact, ...]
    texts: tuple[TextFact, ...]
    contract: ContractFacts

    def key(self, name: str) -> KeyFact | None:
        """A single-valued metadata key."""
        return next((fact for fact in self.keys if fact.name == name), None)

    def value(self, name: str) -> str:
        """The text of a key; empty when there is none."""
        fact = self.key(name)
        return fact.value if fact else ""
