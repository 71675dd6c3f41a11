"""From a parsed document to its records, layer by layer."""

from __future__ import annotations

from typing import Final

from docs_agent.core.layers import D0, D1, D2, D3, D4, D5, D6
from docs_agent.core.records import FileRecords
from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.layers.context import Extractor, build_context
from docs_agent.indexers.layers.d0_doc_chunks import extract_doc_chunks
from docs_agent.indexers.layers.d1_document_catalog import extract_document_card
from docs_agent.indexers.layers.d2_fact_index import extract_facts
from docs_agent.indexers.layers.d3_entity_catalog import extract_entities
from docs_agent.indexers.layers.d4_workflow_index import extract_workflows
from docs_agent.indexers.layers.d5_relation_graph import extract_relations
from docs_agent.indexers.layers.d6_integration_index import extract_integrations
from docs_agent.indexers.names import known_names
from docs_agent.indexers.pipeline_version import PIPELINE_VERSION as PIPELINE_VERSION

EXTRACTORS: Final[tuple[tuple[str, Extractor], ...]] = (
    (D0, extract_doc_chunks),
    (D1, extract_document_card),
    (D2, extract_facts),
    (D3, extract_entities),
    (D4, extract_workflows),
    (D5, extract_relations),
    (D6, extract_integrations),
)
"""Layer and extractor, in the order of the records."""


def extract(doc: ParsedDocument) -> FileRecords:
    """All records, names and warnings of one document, those of the parser included."""
    context = build_context(doc)
    records = tuple(record for _, run in EXTRACTORS for record in run(context))
    return FileRecords(
        path=doc.path,
        content_hash=doc.content_hash,
        records=records,
        names=known_names(context, records),
        warnings=(*doc.warnings, *context.warnings),
    )
