"""Which document a person means: by id, path, title, alias or endpoint.

Exact names win over names in other words, and those over the end of a path. The first kind of
name that anything goes by decides: one document is the answer, several are told apart by asking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.records import KnownName, NameKind
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.relations import spelling
from docs_agent.retrieval.relations.graph import graph_of
from docs_agent.retrieval.relations.values import Candidate, Node, Resolved, Unresolved

MAX_REFERENCE: Final = 1000
"""Characters; nothing that long names a document."""
MAX_NEAREST: Final = 5
"""Documents offered for a name that nothing goes by."""
_ALIKE: Final = 60
"""Of 100: how alike a name must be to be offered."""
_MAX_CANDIDATES: Final = 1000
_NAMES: Final[tuple[tuple[NameKind, str], ...]] = (
    ("document_id", "id"),
    ("title", "title"),
    ("alias", "alias"),
)
_NO_ALIASES: Final[Mapping[str, str]] = MappingProxyType({})

Named = dict[str, str]
"""Paths of documents with the name each was found by."""


def resolve_reference(
    ref: str,
    reader: Reader,
    *,
    root: str = "",
    here: str = "",
    aliases: Mapping[str, str] = _NO_ALIASES,
) -> Resolved | Unresolved:
    """The document that `ref` means.

    root: absolute project root, for absolute paths; the session's when not given. here: current
    folder relative to it, for relative paths. aliases: those of the configuration, to a path or id.
    """
    lookup = _Lookup(reader, root or reader.session.root, here, aliases)
    if len(ref) <= MAX_REFERENCE:
        for spelled in spelling.spellings(ref):
            for matched, find in lookup.steps():
                found = find(spelled)
                if found:
                    return _decided(lookup, found, matched)
    return Unresolved("unknown", _candidates(lookup, _nearest(ref[:MAX_REFERENCE], reader)))


def _decided(lookup: _Lookup, found: Named, matched: str) -> Resolved | Unresolved:
    candidates = _candidates(lookup, found)
    if len(candidates) == 1:
        return Resolved(candidates[0].node, matched)
    return Unresolved("ambiguous", candidates)


def _candidates(lookup: _Lookup, found: Named) -> tuple[Candidate, ...]:
    return tuple(Candidate(node, found[node.path]) for node in lookup.nodes(found))


class _Lookup:
    """The ways to find a document, each a few look-ups in the index."""

    def __init__(self, reader: Reader, root: str, here: str, aliases: Mapping[str, str]) -> None:
        self._reader = reader
        self._root = root
        self._here = here
        self._aliases = aliases

    def nodes(self, found: Iterable[str]) -> Iterable[Node]:
        """The documents at these paths, in their order."""
        return graph_of(self._reader).nodes(tuple(found)).values()

    def steps(self) -> tuple[tuple[str, Callable[[str], Named]], ...]:
        """How a document is found, and the function that finds it, in order."""
        return (
            ("path", self._path),
            ("id", lambda text: self._exact(text, "document_id")),
            ("endpoint", self._endpoint),
            ("title", lambda text: self._exact(text, "title")),
            ("alias", self._alias),
            ("path", self._page),
            *((word, self._in_other_words(kind)) for kind, word in _NAMES),
            ("path_end", self._path_end),
        )

    def _indexed(self, paths: Iterable[str]) -> Named:
        """The first of the paths that is a document."""
        for path in paths:
            if self._reader.rows_of(RowFilter(layers=(D1,), paths=(path,)), 1):
                return {path: path}
        return {}

    def _path(self, text: str) -> Named:
        return self._indexed(spelling.paths(text, self._root, self._here))

    def _page(self, text: str) -> Named:
        """A path without its extension, the folder of an index page, or in other letters."""
        written = [p.rstrip("/") for p in spelling.paths(text, self._root, self._here)]
        found = self._indexed(p + end for p in written for end in spelling.PAGE_ENDS[1:])
        if found or not written:
            return found
        forms = {(p + end).lower() for p in written for end in spelling.PAGE_ENDS}
        return {path: path for path in self._containing(written) if path.lower() in forms}

    def _path_end(self, text: str) -> Named:
        """Whole last parts of a path: `health.md` and `api/health` for `docs/api/health.md`."""
        wanted = text.replace("\\", "/").strip("/").lower()
        if not wanted or wanted.startswith("."):
            return {}
        ends = tuple(f"/{wanted}{end}".lower() for end in spelling.PAGE_ENDS)
        return {path: path for path in self._containing([wanted]) if path.lower().endswith(ends)}

    def _containing(self, parts: list[str]) -> tuple[str, ...]:
        return self._reader.paths_like(parts, RowFilter(), _MAX_CANDIDATES)

    def _endpoint(self, text: str) -> Named:
        """The very endpoint; else one that differs in the names of its parameters, or has values
        in their place."""
        asked = spelling.endpoint(text)
        if asked is None:
            return {}
        known = [(spelling.endpoint(n.value), n) for n in self._reader.knowledge.endpoints()]
        fitting = [(e, n) for e, n in known if e and (not asked.method or asked.method == e.method)]
        same = {n.path: n.value for e, n in fitting if e.path == asked.path}
        return same or {
            n.path: n.value for e, n in fitting if spelling.same_shape(asked.path, e.path)
        }

    def _named(self, text: str, kind: NameKind) -> tuple[KnownName, ...]:
        from docs_agent.core.text import name_key

        key = name_key(text)
        names = self._reader.knowledge.names((key,)) if key else ()
        return tuple(name for name in names if name.kind == kind)

    def _exact(self, text: str, kind: NameKind) -> Named:
        return {n.path: n.value for n in self._named(text, kind) if n.value == text}

    def _alias(self, text: str) -> Named:
        found = self._exact(text, "alias")
        target = self._aliases.get(text, "")
        if target:
            meant = self._indexed((target,)) or self._exact(target, "document_id")
            found |= dict.fromkeys(meant, text)
        return found

    def _in_other_words(self, kind: NameKind) -> Callable[[str], Named]:
        return lambda text: {n.path: n.value for n in self._named(text, kind)}


def _nearest(ref: str, reader: Reader) -> Named:
    """Documents whose path or name is most like the reference, best first."""
    from rapidfuzz.fuzz import WRatio
    from rapidfuzz.process import extract
    from rapidfuzz.utils import default_process

    names = [(file.path, file.path) for file in reader.files()]
    names += [(n.value, n.path) for kind, _ in _NAMES for n in reader.known_names(kind)]
    names += [(n.value, n.path) for n in reader.knowledge.endpoints()]
    close = extract(
        " ".join(ref.split()),
        [name for name, _ in names],
        scorer=WRatio,
        processor=default_process,
        score_cutoff=_ALIKE,
        # A document goes by several names.
        limit=MAX_NEAREST * 4,
    )
    found: Named = {}
    for name, _, at in close:
        found.setdefault(names[at][1], name)
    return dict(list(found.items())[:MAX_NEAREST])
