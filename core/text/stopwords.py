"""Words that carry no subject: what is left of a question without them is what it is about."""

from __future__ import annotations

import json
from functools import cache
from os import path

from docs_agent.core.text.stems import stems


@cache
def stop_stems() -> frozenset[str]:
    """Stems of the stop words of both languages (`stopwords.json`)."""
    return _stems_of("stop")


@cache
def lookup_stems() -> frozenset[str]:
    """Stems of the words by which a question asks for a document and not for its subject."""
    return _stems_of("lookup")


@cache
def asking_stems() -> frozenset[str]:
    """Stems of the words by which one asks (explain, works, отличается): they weigh little."""
    return _stems_of("asking")


def _stems_of(kind: str) -> frozenset[str]:
    # importlib.resources takes longer to import than all the words to be stemmed.
    with open(path.join(path.dirname(__file__), "stopwords.json"), "rb") as file:
        data = json.load(file)
    return frozenset(found for words in data[kind].values() for found in stems(words))
