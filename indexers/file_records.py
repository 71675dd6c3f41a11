"""What one file gives to the index; nothing is ever raised."""

from __future__ import annotations

from docs_agent.core.records import FileRecords, IndexWarning
from docs_agent.indexers.discover_walk import FoundFile


def is_our_fault(result: FileRecords | IndexWarning) -> bool:
    """Whether this program, not the document, is at fault for what `records_of` gave."""
    return isinstance(result, IndexWarning) and result.code == "internal-error"


def records_of(found: FoundFile, data: bytes, max_bytes: int) -> FileRecords | IndexWarning:
    """The records of a file, or why it is no document. `data`: all bytes of the file."""
    try:
        return _records(found, data, max_bytes)
    except Exception as exc:
        # A document that finds a fault in this program must not cost the others their index.
        return IndexWarning(
            found.path,
            0,
            "internal-error",
            f"The file could not be taken apart ({type(exc).__name__}: {exc}); what the "
            "index holds of it is kept. Please report this with the file.",
        )


def _records(found: FoundFile, data: bytes, max_bytes: int) -> FileRecords | IndexWarning:
    # Markdown is only loaded once a file has really changed.
    from docs_agent.indexers.document import Refused
    from docs_agent.indexers.extract import extract
    from docs_agent.indexers.parse import parse

    document = parse(found.path, data, docs_root=found.docs_root, max_bytes=max_bytes)
    if isinstance(document, Refused):
        return IndexWarning(document.path, document.line, document.code, document.message)
    return extract(document)
