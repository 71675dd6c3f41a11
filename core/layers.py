"""The layers of the index, by the names of the RAG seed (`RAG`, "Слои DOCS")."""

from __future__ import annotations

from typing import Final

D0: Final = "D0_DOC_CHUNKS"
D1: Final = "D1_DOCUMENT_CATALOG"
D2: Final = "D2_FACT_INDEX"
D3: Final = "D3_ENTITY_CATALOG"
D4: Final = "D4_WORKFLOW_INDEX"
D5: Final = "D5_RELATION_GRAPH"
D6: Final = "D6_INTEGRATION_INDEX"

DOCS_LAYERS: Final = (D0, D1, D2, D3, D4, D5, D6)
