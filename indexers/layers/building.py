"""Making records: stable ids, sane spans, the common metadata, the lexical text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.layers.context import DocumentContext

_DIGEST_BYTES = 16


class LayerRecords:
    """Collects the records of one layer of one document.

    A record's id depends on path, layer, its local key and, for repeats of the same key, its
    ordinal: inserting lines elsewhere in the file does not change it.
    """

    def __init__(self, context: DocumentContext, layer: str, id_field: str = "") -> None:
        self._context = context
        self._layer = layer
        self._id_field = id_field
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._records: list[Record] = []

    def __len__(self) -> int:
        return len(self._records)

    def add(
        self,
        key: Sequence[str],
        *,
        title: str,
        content: str,
        span: tuple[int, int],
        metadata: Mapping[str, Any],
        lexical: LexicalText,
        embed_text: str = "",
        lang: str = "",
    ) -> None:
        """Adds one record; `key` is what tells it from the others of this file and layer."""
        context = self._context
        record_id = self._id(tuple(key))
        attributes: dict[str, Any] = {self._id_field: record_id} if self._id_field else {}
        attributes.update(metadata)
        start = max(1, span[0])
        self._records.append(
            Record(
                record_id=record_id,
                layer=self._layer,
                title=title,
                content=content,
                span_start=start,
                span_end=max(start, min(span[1], len(context.doc.lines))),
                lang=lang or context.doc.lang,
                metadata=attributes,
                lexical=lexical,
                embed_text=embed_text,
            )
        )

    def done(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def _id(self, key: tuple[str, ...]) -> str:
        ordinal = self._seen[key]
        self._seen[key] += 1
        text = "\0".join((self._context.doc.path, self._layer, *key, str(ordinal)))
        return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def place(context: DocumentContext) -> dict[str, str]:
    """Metadata every layer carries, so that the plan's domain filters reach it."""
    return {
        "domain": context.domain,
        "subdomain": context.subdomain,
        "source_path": context.doc.path,
    }
