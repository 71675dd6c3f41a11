"""Names of files in a question: `*.md|yaml|yml|json` and paths below a docs folder."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.text import name_key
from docs_agent.router.question import Question

_EXTENSION: Final = r"(?i)[^/]\.(?:md|ya?ml|json)$"
_DOCS_PATH: Final = r"(?i)(?:docs|doc|documentation)/[\w{}.~@+-]"


def is_file_name(text: str) -> bool:
    """Whether a word is a file by the seed's rules. `/health` is an endpoint and never a file."""
    if "://" in text:
        return False
    if "." in text and re.search(_EXTENSION, text):
        return True
    return "/" in text and bool(re.match(_DOCS_PATH, text))


def is_path(text: str) -> bool:
    """Whether a word is a path of any kind, an endpoint or a file, and so no name."""
    return "/" in text or is_file_name(text)


def find_file_names(question: Question, endpoint_paths: Collection[str]) -> tuple[str, ...]:
    """File names as written, without a leading `./` and a trailing `#anchor` or `:line`."""
    bare = (chunk.partition("#")[0].partition(":")[0] for chunk in question.chunks)
    found = (chunk.removeprefix("./") for chunk in bare)
    return tuple(
        dict.fromkeys(f for f in found if is_file_name(f) and f.lower() not in endpoint_paths)
    )


def documents_of(file_names: Iterable[str], knowledge: Knowledge) -> tuple[str, ...]:
    """Paths of the documents that are meant by file names.

    The index is asked under what the file may be known as: its name, its path, its title if that
    is alike. A Markdown file that it does not know so is passed on as written, because only the
    store can tell whether it exists; a data file (`package.json`) is not.
    """
    paths: list[str] = []
    for file_name in file_names:
        known = _known_paths(file_name.lstrip("/"), knowledge)
        if known:
            paths.extend(known)
        elif file_name.lower().endswith(".md"):
            paths.append(file_name.lstrip("/"))
    return tuple(dict.fromkeys(paths))


def _known_paths(file_name: str, knowledge: Knowledge) -> list[str]:
    stem_path = re.sub(_EXTENSION, lambda match: match.group()[0], file_name)
    keys = {name_key(text) for text in (file_name, stem_path, stem_path.rpartition("/")[2])}
    wanted = file_name.lower()
    names = knowledge.names(keys - {""})
    return sorted(
        {n.path for n in names if n.path.lower() == wanted or n.path.lower().endswith(f"/{wanted}")}
    )
