"""The stems of a record's lexical text, as full-text search stores them."""

from __future__ import annotations

from dataclasses import replace

from docs_agent.core.records import FileRecords, LexicalText, StemRow
from docs_agent.core.text import stems


def stem_row(text: LexicalText, seen: dict[str, str]) -> StemRow:
    """Stems of the four texts, joined by spaces.

    seen: stems of short texts, which the records of a file repeat (path, title, section); one
    dictionary for each file.
    """
    return (
        _stemmed(text.title, seen),
        _stemmed(text.section, seen),
        _stemmed(text.path, seen),
        " ".join(stems(text.body)),
    )


def with_stems(file: FileRecords) -> FileRecords:
    """The same records with their stems worked out and the texts of them dropped: what is left to
    do is done elsewhere, and less has to travel there."""
    seen: dict[str, str] = {}
    empty = LexicalText()
    return file._replace(
        records=tuple(
            replace(record, stems=stem_row(record.lexical, seen), lexical=empty)
            for record in file.records
        ),
    )


def _stemmed(text: str, seen: dict[str, str]) -> str:
    found = seen.get(text)
    if found is None:
        found = seen[text] = " ".join(stems(text))
    return found
