"""From a page to its facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from docs_agent.lint.contract import ContractFacts, contract_of
from docs_agent.lint.facts import Facts, HeadingFact, KeyFact, LinkFact, Ref, TextFact
from docs_agent.lint.front import Key
from docs_agent.lint.page import Page
from docs_agent.lint.scope import Scope
from docs_agent.lint.targets import is_local

_ANCHOR: Final = re.compile(
    r"""<[a-z][^<>]*?\s(?:id|name)\s*=\s*["']?([^"'\s<>]+)""", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
MIN_WORDS: Final = 25
"""A paragraph with fewer words may stand in two documents by right: a note, a warning."""
_REFERENCES: Final = ("documents", "entities", "code")


def facts_of(page: Page, scope: Scope) -> Facts:
    """What the collection has to know of a page."""
    modelled = scope.is_modelled
    title = page.front.text("title") or next((h.text for h in page.headings if h.level == 1), "")
    return Facts(
        path=page.path,
        docs_root=page.docs_root,
        title=title,
        is_modelled=modelled,
        front_state=page.front.state,
        body_line=page.body_line,
        keys=tuple(_keys(page.front.keys, "")),
        refs=tuple(_refs(page.front.keys, "", scope)) if modelled else (),
        headings=tuple(
            HeadingFact(h.text, h.raw, h.level, h.alt_text, h.span.line) for h in page.headings
        ),
        html_anchors=tuple(
            found[1] for piece in page.html for found in _ANCHOR.finditer(piece.text)
        ),
        links=tuple(_links(page)),
        texts=tuple(_texts(page)),
        contract=contract_of(page, scope.model) if modelled else ContractFacts(),
    )


def _keys(keys: tuple[Key, ...], prefix: str) -> Iterator[KeyFact]:
    for key in keys:
        name = f"{prefix}{key.name}"
        if key.value.text is not None:
            yield KeyFact(name, key.value.text.strip(), key.value.span)
        yield from _keys(key.value.keys, f"{name}.")


def _refs(keys: tuple[Key, ...], prefix: str, scope: Scope) -> Iterator[Ref]:
    for key in keys:
        name = f"{prefix}{key.name}"
        spec = scope.model.key(name)
        if spec is not None and spec.references in _REFERENCES:
            for value in key.value.texts:
                yield Ref(name, (value.text or "").strip(), value.span)
        yield from _refs(key.value.keys, f"{name}.", scope)
        yield from _typed(key, name, scope)


def _typed(key: Key, name: str, scope: Scope) -> Iterator[Ref]:
    """`- type: uses_logic` with `target: …`: a relation written as an item of a list."""
    for item in key.value.items:
        kind, target = item.get("type"), item.get("target")
        if kind is None or target is None or not kind.text:
            continue
        spec = scope.model.key(f"{name}.{kind.text}")
        if spec is not None and spec.references in _REFERENCES:
            for value in target.texts:
                yield Ref(spec.name, (value.text or "").strip(), value.span)


def _links(page: Page) -> Iterator[LinkFact]:
    for link in page.links:
        # What a reference points to is checked where it is defined, once.
        if link.kind in ("inline", "html") and is_local(link.target):
            yield LinkFact(link.kind, link.target, link.target_span, link.is_image)
    for definition in page.definitions:
        if is_local(definition.target):
            span = definition.target_span
            yield LinkFact("definition", definition.target, span, False)


def _texts(page: Page) -> Iterator[TextFact]:
    for paragraph in page.paragraphs:
        if len(paragraph.text) < 4 * MIN_WORDS:
            continue
        words = _WORD.findall(paragraph.text.casefold())
        if len(words) < MIN_WORDS:
            continue
        digest = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=8).hexdigest()
        yield TextFact(digest, paragraph.span, " ".join(paragraph.text.split()[:6]))
