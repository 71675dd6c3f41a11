"""What a project may set about its embedder: the `[embedder]` table."""

from __future__ import annotations

from typing import NamedTuple


class EmbedderConfig(NamedTuple):
    """The `[embedder]` table of the project's configuration. No field holds a secret."""

    kind: str = ""
    """Name that `core.embed.registry` knows; empty = what `index.embedder` says."""
    model: str = ""
    """As the service or the package names it."""
    path: str = ""
    """Absolute path of a folder with the model's files; empty = the package finds the model."""
    dimensions: int = 0
    """Length of a vector; 0 = as the model gives it."""
    document_prefix: str = ""
    """Put before each text of a record, as some models want it."""
    query_prefix: str = ""
    """Put before each question."""
    text_chars: int = 8000
    """Characters of a text that the model reads."""
    batch: int = 64
    """Texts of a request at most."""
    batch_chars: int = 100_000
    """Characters of a request's texts at most; a longer text is a request of its own."""
    base_url: str = ""
    """Where the service is, `/embeddings` is appended."""
    timeout: float = 120.0
    """Seconds that one request of an index run may take in all, retries included."""
    question_timeout: float = 5.0
    """Seconds that the vector of a question may take in all, retries included."""
    connect_timeout: float = 3.0
    """Seconds that reaching the service may take in all, retries included."""
    retries: int = 3
    """How often a request is tried again."""
    auth_url: str = ""
    """Where the key is exchanged for a token, as GigaChat wants it; empty = the key itself is sent,
    but to GigaChat."""
    scope: str = ""
    """OAuth scope of that; empty = GigaChat's default."""
    verify: bool | str = True
    """Whether certificates are checked, or the absolute path of a file with the accepted ones."""
    source: str = ""
    """Name of the configuration file the table was read from; empty = defaults only."""
