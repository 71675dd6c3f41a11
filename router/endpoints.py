"""HTTP paths of a question: written out, or named beside a word such as "endpoint" or "ручка"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import KnownName
from docs_agent.core.text import name_key, sound_keys
from docs_agent.router.markers import Marker, Vocabulary
from docs_agent.router.question import Question, Word

_METHODS: Final = frozenset(
    ["get", "head", "post", "put", "patch", "delete", "options", "trace", "connect"]
)
_PATH = (
    r"(?ai)(?:(?:get|head|post|put|patch|delete|options|trace)[ :]*)?"
    r"(/[\w{}.~:*%@+-]+(?:/[\w{}.~:*%@+-]+)*/?)"
)
_URL = r"(?i)https?://[^/]+(/.*)"
_PARAMETER = r"(?i)\{[^{}]*\}|:[a-z_]\w*"
_SUFFIX = r"\.[a-z][a-z0-9]{0,5}$"
_LETTER = r"[a-z{]"
_BARE = r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*"
# A longer path that begins like this is a place on a disk.
_DISK: Final = "/(?:etc|usr|var|home|tmp|opt|bin|dev|proc|mnt|root|sys|lib|srv)/."
# Words of these groups name no endpoint that the index does not know.
_NO_NAMES: Final = (
    "question",
    "intent",
    "filler",
    "generic",
    "qualifier",
    "link",
    "endpoint_noun",
    "method_noun",
)
_NO_NAME_BESIDE: Final = ("list_api_methods", "openapi")
_MAX_MEANT: Final = 3
"""More endpoints than this under one name, and the name means none of them."""
_MAX_SEGMENTS: Final = 10
_MAX_PARAMETERS: Final = 3
"""Of a path that is written out with values, as the segments above."""
_SHORT: Final = 7
"""Words of a question in which "method x" is likely all there is."""
_MAX_NAME_WORDS: Final = 3


class Endpoints(NamedTuple):
    """What the question says about endpoints."""

    paths: tuple[str, ...] = ()
    """Lower case: as written first, then the known templates they fit."""
    known: tuple[KnownName, ...] = ()
    """Endpoints of the index that are meant."""
    positions: frozenset[int] = frozenset()
    """Words of the question that are these paths or names."""


class _Index(NamedTuple):
    """The endpoints of the index by what a question may call them."""

    by_path: dict[str, list[KnownName]]
    """By path with all parameters alike."""
    by_name: dict[str, list[KnownName]]
    """By key of the last segment, and of all segments together."""
    by_stem: dict[str, list[KnownName]]
    """The same for paths that end in a parameter, parameters left out."""
    names: tuple[KnownName, ...]
    """All of them."""


def find_endpoints(
    question: Question, markers: tuple[Marker, ...], words: Vocabulary, knowledge: Knowledge
) -> Endpoints:
    """Written paths win; without one, names beside an endpoint noun are tried."""
    written = tuple(dict.fromkeys(_written(question)))
    nouns = _naming_nouns(markers)
    joined = _joined(question, words)
    if not (written or nouns or joined or "://" in question.text):
        return Endpoints()
    index = _index(knowledge.endpoints())
    return (
        _from_paths(question, written, index)
        or _from_joined(question, joined, index)
        or _from_names(question, nouns, words, index)
    )


def _naming_nouns(markers: tuple[Marker, ...]) -> tuple[Marker, ...]:
    """Nouns that may have a name beside them: not those of "which API methods are there"."""
    listed = frozenset(i for m in markers if m.group in _NO_NAME_BESIDE for i in m.positions)
    nouns = (m for m in markers if m.group in ("endpoint_noun", "method_noun"))
    return tuple(m for m in nouns if listed.isdisjoint(m.positions))


def _bare_path(text: str) -> str:
    """Lower-case path without method, trailing slash or query: `GET /Health/` is `/health`."""
    match = re.match(_PATH, text.strip())
    path = match.group(1).lower() if match else text.strip().lower()
    return path.rstrip("/") or "/"


def _written(question: Question) -> Iterator[str]:
    for chunk in question.chunks:
        match = "/" in chunk and re.match(_PATH, chunk)
        if match:
            yield match.group(1).lower().rstrip("-.:*/") or "/"


def _from_paths(question: Question, written: tuple[str, ...], index: _Index) -> Endpoints | None:
    paths: list[str] = []
    known: list[KnownName] = []
    for path in written:
        meant = _known_by_path(path, index)
        if meant or _is_endpoint(path):
            paths.append(path)
            known.extend(meant)
    for chunk in question.chunks:
        url = "://" in chunk and re.match(_URL, chunk)
        if url:
            known.extend(_known_by_path(_bare_path(url.group(1).split("?")[0]), index))
    if not paths and not known:
        return None
    positions = (
        i for i, word in enumerate(question.words) if word.form.startswith("/") or "/" in word.form
    )
    return _endpoints(paths, known, positions)


def _endpoints(
    paths: Iterable[str], known: Iterable[KnownName], positions: Iterable[int]
) -> Endpoints:
    names = tuple(dict.fromkeys(known))
    every = (*paths, *(name.key for name in names))
    return Endpoints(tuple(dict.fromkeys(every)), names, frozenset(positions))


def _is_endpoint(path: str) -> bool:
    """Whether an unknown path reads as an HTTP path: not a file, not a place on a disk."""
    if path.count("{") != path.count("}") or not re.search(_LETTER, path):
        return False
    if "." in path and re.search(_SUFFIX, path):
        return False
    return re.match(_DISK, path) is None


def _known_by_path(path: str, index: _Index) -> list[KnownName]:
    """The very path; else a template it fits; else the only known path that ends in it."""
    same = index.by_path.get(_shape(path))
    if same:
        return same
    fitting = next((index.by_path[s] for s in _templates(path) if s in index.by_path), None)
    if fitting:
        return fitting
    longer = [n for s, names in index.by_path.items() if s.endswith(_shape(path)) for n in names]
    return longer if len({n.key for n in longer}) == 1 else []


def _shape(path: str) -> str:
    lower = path.lower()
    if "{" in lower or ":" in lower:
        lower = re.sub(_PARAMETER, "{}", lower)
    return lower.rstrip("/") or "/"


def _templates(path: str) -> Iterator[str]:
    """Shapes that `/items/42` may be written out from, fewest parameters first: `/items/{}`."""
    segments = _shape(path).strip("/").split("/")
    if len(segments) > _MAX_SEGMENTS:
        return
    for size in range(1, min(len(segments), _MAX_PARAMETERS + 1)):
        for places in combinations(range(len(segments)), size):
            filled = ("{}" if i in places else segment for i, segment in enumerate(segments))
            yield "/" + "/".join(filled)


@lru_cache(maxsize=4)
def _index(names: tuple[KnownName, ...]) -> _Index:
    by_path: dict[str, list[KnownName]] = {}
    by_name: dict[str, list[KnownName]] = {}
    by_stem: dict[str, list[KnownName]] = {}
    for name in names:
        shape = _shape(name.key)
        by_path.setdefault(shape, []).append(name)
        segments = [s for s in shape.strip("/").split("/") if s]
        fixed = [s for s in segments if s != "{}"]
        if not fixed:
            continue
        table = by_name if segments[-1] != "{}" else by_stem
        for key in dict.fromkeys((name_key(fixed[-1]), name_key(" ".join(fixed)))):
            table.setdefault(key, []).append(name)
    return _Index(by_path, by_name, by_stem, names)


@lru_cache(maxsize=4)
def _by_sound(names: tuple[KnownName, ...]) -> dict[str, list[KnownName]]:
    """Endpoints by the sound of their last segment and of all, for names in Cyrillic letters."""
    found: dict[str, list[KnownName]] = {}
    for name in names:
        fixed = [s for s in _shape(name.key).strip("/").split("/") if s not in ("", "{}")]
        spoken = (fixed[-1], " ".join(fixed)) if fixed else ()
        for sound in dict.fromkeys(key for text in spoken for key in sound_keys(text)):
            found.setdefault(sound, []).append(name)
    return found


def _joined(question: Question, words: Vocabulary) -> tuple[tuple[int, str], ...]:
    """Names joined to their noun by a hyphen, `health-endpoint`, with their positions."""
    found = []
    for i, word in enumerate(question.words):
        name, _, noun = word.text.rpartition("-")
        is_noun = words.knows(noun.lower(), "endpoint_noun")
        if is_noun and re.fullmatch(_BARE, name) and not words.knows(name, *_NO_NAMES):
            found.append((i, name))
    return tuple(found)


def _from_joined(
    question: Question, joined: tuple[tuple[int, str], ...], index: _Index
) -> Endpoints | None:
    paths: list[str] = []
    known: list[KnownName] = []
    for _, name in joined:
        meant = _named(name, index)
        known.extend(meant)
        if not meant:
            paths.append(f"/{name}")
    if not paths and not known:
        return None
    return _endpoints(paths, known, (i for i, _ in joined))


def _from_names(
    question: Question, nouns: tuple[Marker, ...], words: Vocabulary, index: _Index
) -> Endpoints:
    paths: list[str] = []
    known: list[KnownName] = []
    positions: set[int] = set()
    for noun in nouns:
        at = noun.positions[0]
        spans = _spans(question, at, noun.positions[-1] + 1, words)
        hit = next(((s, m) for s in spans if (m := _named(question.phrase(*s), index))), None)
        if hit:
            known.extend(hit[1])
            positions.update(range(*hit[0]))
        elif (bare := _bare_name(question, noun, words)) is not None:
            paths.append(f"/{question.words[bare].form}")
            positions.add(bare)
    return _endpoints(paths, known, positions)


def _spans(question: Question, start: int, end: int, words: Vocabulary) -> list[tuple[int, int]]:
    """Runs of words beside the noun that may name it, longest first, behind it before ahead."""
    after = end
    while _beside(question, after, start) and words.has(question.words[after], "link"):
        after += 1
    found: list[tuple[int, int]] = []
    for size in range(_MAX_NAME_WORDS, 0, -1):
        found.append((after, after + size))
        found.append((start - size, start))
    return [span for span in found if _may_name(question, span, start, words)]


def _may_name(question: Question, span: tuple[int, int], noun: int, words: Vocabulary) -> bool:
    first, last = span[0], span[1] - 1
    if not (_beside(question, first, noun) and _beside(question, last, noun)):
        return False
    return not any(
        words.has(question.words[i], "question", "intent", "filler")
        or question.words[i].form in _METHODS
        for i in (first, last)
    )


def _beside(question: Question, at: int, noun: int) -> bool:
    """Whether the word exists and stands in the noun's sentence."""
    if not 0 <= at < len(question.words):
        return False
    return question.words[at].sentence == question.words[noun].sentence


def _named(name: str, index: _Index) -> list[KnownName]:
    """Endpoints of the index that go by a name, unless they are too many to be meant."""
    key = name_key(name)
    for table in (index.by_name, index.by_stem):
        names = table.get(key, [])
        if names and len({name.key for name in names}) <= _MAX_MEANT:
            return names
    if not name.isascii():
        by_sound = _by_sound(index.names)
        heard = [n for sound in sound_keys(name) for n in by_sound.get(sound, ())]
        if len({n.key for n in heard}) == 1:
            return list(dict.fromkeys(heard))
    return []


def _bare_name(question: Question, noun: Marker, words: Vocabulary) -> int | None:
    """Position of a name beside the noun that the index does not know, or None.

    "метод health" and "the health endpoint" name one; "a single endpoint", "my endpoint" and
    "endpoint works" do not. English words around a noun are mostly no names, so there the name
    must stand behind a definite word or close its sentence, and behind "method" or "API" the
    question must be short as well.
    """
    first, after = noun.positions[0], noun.positions[-1] + 1
    strong, words_at = noun.group == "endpoint_noun", question.words
    if words_at[first].form == "endpoints":
        # The plural has the name of none behind it.
        return None
    if question.words[first].is_cyrillic:
        # "метод get_user" is a function.
        if _is_name(question, after, first, words) and (strong or "_" not in words_at[after].form):
            return after
        return first - 1 if strong and _is_name(question, first - 1, first, words) else None
    if strong and _is_name(question, first - 1, first, words):
        return first - 1 if _is_definite(question, first - 1, words) else None
    if not strong and len(words_at) > _SHORT:
        return None
    if _is_name(question, after, first, words) and _is_definite(question, first, words):
        closes = not _beside(question, after + 1, first)
        return after if closes or words.has(question.words[after + 1], "intent") else None
    return None


def _is_name(question: Question, at: int, noun: int, words: Vocabulary) -> bool:
    if not _beside(question, at, noun):
        return False
    word = question.words[at]
    if len(word.text) < 3 or word.form in _METHODS or not re.fullmatch(_BARE, word.text):
        return False
    if not question.adjoin(*sorted((at, noun))):
        return False
    if not question.words[noun].is_cyrillic and word.form.endswith(("ing", "ed", "able")):
        return False
    return not words.has(word, *_NO_NAMES)


def _is_definite(question: Question, at: int, words: Vocabulary) -> bool:
    """Whether what stands before the word lets it be a name: nothing, "the", "explain", "of"."""
    if not _beside(question, at - 1, at):
        return True
    before: Word = question.words[at - 1]
    if words.has(before, "indefinite"):
        return False
    return words.has(before, "question", "intent", "filler")
