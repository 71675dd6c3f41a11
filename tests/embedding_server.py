"""Replies of a service of embeddings, for the server of `llm_server`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from llm_server import Reply, Request

from docs_agent.core.embed.static import StaticEmbedder

STATIC = StaticEmbedder()
DIM = STATIC.dim
"""Length of the vectors that `embed` gives."""


def embed(request: Request) -> Reply:
    """The vectors of the static table, three times as long and last one first."""
    return vectors((3 * STATIC.documents(request.json()["input"])).tolist())


def vectors(rows: Sequence[Any], **more: Any) -> Reply:
    """A good answer with these vectors; `more` are fields of Reply."""
    data = [
        {"object": "embedding", "index": number, "embedding": row}
        for number, row in reversed(list(enumerate(rows)))
    ]
    usage = {"prompt_tokens": 5 * len(rows), "total_tokens": 5 * len(rows)}
    value = {"object": "list", "model": "served", "data": data, "usage": usage}
    return Reply(body=json.dumps(value).encode(), **more)


def texts(requests: Sequence[Request]) -> list[str]:
    """All that was sent to be embedded, in order."""
    return [text for request in requests if request.body for text in request.json()["input"]]
