"""The forms in which a document defines an endpoint, as against a sentence that mentions one.

A definition is an HTTP method in capitals with a path: in a heading, in a row of a table that has
columns for both, or at the beginning of a list item below a heading that announces endpoints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from docs_agent.templates.lookup import name_form

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE")
_VERB: Final = rf"(?:{'|'.join(METHODS)})"
_TARGET: Final = r"(?:https?://[^\s/`\"'<>|,;]+)?(?:/(?:[^\s`\"'<>|,;]|<[\w:.-]{1,60}>)*)?"
_DEFINED = re.compile(
    rf"(?<![\w/])({_VERB}(?:(?:\s?[,/|]\s?|\s(?:and|or|и|или)\s){_VERB}){{0,7}}):?\s+(?=/|https?://)({_TARGET})"
)
"""Methods and one target: `GET /x`, `GET, HEAD /x`, `GET https://host/x`."""
_MARKUP = re.compile(r"`|\*\*|~~")
_NUMBERING = re.compile(r"(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|[A-Za-zА-Яа-я][.)]|[-–—•])\s+")
_LEADING: Final = (":", "—", "–", " -", "(", "[", "|", "→", "=>")
"""What stands before the method in a heading that has a name in front: `Create: POST /x`."""
_METHOD_COLUMNS: Final = frozenset(
    [
        "method",
        "http method",
        "http",
        "verb",
        "http verb",
        "метод",
        "http метод",
        "глагол",
        "метод http",
    ]
)
_PATH_COLUMNS: Final = frozenset(
    """path|url|uri|endpoint|route|resource|http path|url path|путь|эндпоинт|эндпойнт|ручка|адрес
    |маршрут|ресурс|url путь|путь url|урл""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_BOTH_COLUMNS: Final = frozenset(
    ["api", "api method", "метод api", "вызов", "call", "запрос", "request"]
)
_ENDPOINT_WORDS: Final = frozenset(
    [
        "endpoint",
        "endpoints",
        "route",
        "routes",
        "api",
        "apis",
        "method",
        "methods",
        "эндпоинт",
        "эндпоинты",
        "эндпойнты",
        "ручка",
        "ручки",
        "метод",
        "методы",
        "апи",
        "маршрут",
        "маршруты",
        "роут",
        "роуты",
    ]
)
_OPENS: Final = {")": "(", "]": "["}
_MAX_SECTION_WORDS: Final = 4
_MAX_HEADING: Final = 300
_DEPRECATED = re.compile(
    r"\b(?:deprecated|removed|obsolete|sunset|устарел\w{0,5}|удал[её]н\w{0,3}|отключ[её]н\w{0,3})\b"
    r"|не поддерживается",
    re.IGNORECASE,
)


def in_heading(title: str) -> tuple[str, ...]:
    """Endpoints that a heading defines: `GET /x`, `1. GET /x`, `Create: POST /x`,
    `Update (PUT /x)`, `GET https://host/x`; markup does not count.

    `What follows after GET /x` is a sentence and defines nothing.
    """
    text = _bare(title[:_MAX_HEADING])
    found = _DEFINED.search(text)
    if found is None:
        return ()
    before = text[: found.start()].rstrip()
    return tuple(_all(text)) if not before or before.endswith(_LEADING) else ()


def in_item(text: str) -> tuple[str, ...]:
    """The endpoint that a list item or a cell begins with, once for each of its methods."""
    bare = _bare(text[:_MAX_HEADING])
    found = _DEFINED.match(bare)
    return tuple(_spelled(found)) if found else ()


def columns(header: Sequence[str]) -> tuple[int, int] | None:
    """Positions of the columns of the method and of the path; the same position twice for a column
    that holds both. None for a table that defines no endpoints."""
    forms = [name_form(name) for name in header]
    method = next((i for i, form in enumerate(forms) if form in _METHOD_COLUMNS), None)
    path = next((i for i, form in enumerate(forms) if form in _PATH_COLUMNS), None)
    if method is not None and path is not None:
        return method, path
    whole = next((i for i in (path, method) if i is not None), None)
    if whole is None:
        whole = next((i for i, form in enumerate(forms) if form in _BOTH_COLUMNS), None)
    return None if whole is None else (whole, whole)


def in_row(cells: Sequence[str], at: tuple[int, int]) -> tuple[str, ...]:
    """Endpoints that a row defines; its column says what is a method, so letters may be small."""
    method, path = at
    if max(at) >= len(cells):
        return ()
    if method == path:
        return in_item(cells[method])
    methods = _bare(cells[method]).upper()
    return in_item(f"{methods} {_bare(cells[path])}") or in_item(cells[path])


def announces_endpoints(path: Sequence[str]) -> bool:
    """Whether the list below a heading is one of endpoints, by the headings from the outermost on.

    Its own heading speaks of them (`Endpoints`, `Orders API`, `Методы`), or the one above says
    nothing else (`API methods`); the title `Shop API` says nothing of each list of the page.
    """
    words = [name_form(title).split() for title in path[-2:]]
    if not words:
        return False
    own = len(words[-1]) <= _MAX_SECTION_WORDS and not _ENDPOINT_WORDS.isdisjoint(words[-1])
    return own or (bool(words[0]) and _ENDPOINT_WORDS.issuperset(words[0]))


def says_deprecated(title: str) -> bool:
    """Whether a heading says that what it defines is not to be used any more."""
    return _DEPRECATED.search(title[:_MAX_HEADING]) is not None


def trimmed_path(path: str) -> str:
    """A path without the punctuation of the text around it; brackets that it opens are its own."""
    while path:
        last = path[-1]
        mark = last in ".:!?*" and not path.endswith("/*")
        if not mark and not (last in ")]" and path.count(last) > path.count(_OPENS[last])):
            break
        path = path[:-1]
    return path


def _bare(text: str) -> str:
    """One line without markup and numbering."""
    text = " ".join(_MARKUP.sub("", text).split())
    return _NUMBERING.sub("", text, count=1) if _NUMBERING.match(text) else text


def _all(text: str) -> Iterator[str]:
    for found in _DEFINED.finditer(text):
        yield from _spelled(found)


def _spelled(found: re.Match[str]) -> Iterator[str]:
    target = found.group(2)
    if "://" in target:
        target = "/" + target.partition("://")[2].partition("/")[2]
    path = trimmed_path(target)
    if path:
        for method in re.findall(_VERB, found.group(1)):
            yield f"{method} {path}"
