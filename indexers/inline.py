"""Links and code spans of a document, from the parser's own inline rules.

Emphasis, entities and line breaks are of no interest here, so their rules are off and plain text is
skipped in long strides: four times as fast as a full inline parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docs_agent.indexers.codespans import code_spans
from docs_agent.indexers.document import Link
from docs_agent.indexers.html_text import html_links, tags

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_TERMINATORS = re.compile(r"[\\`\]\[]|!(?=\[)|<(?=[A-Za-z/!?])")
_POSITIONED = ("backticks", "link", "image", "autolink", "html_inline")
_OFF = ("newline", "emphasis", "entity")
_MAX_SPECIAL = 1000
"""More brackets than this in one paragraph are data, not links."""
_MAX_TEXT = 100_000
"""Longer paragraphs are not searched for links, characters."""

InlineRule = Callable[["StateInline", bool], bool]


def install(parser: MarkdownIt) -> None:
    """Set a parser's inline rules up for finding links and code spans with their positions."""
    from markdown_it import rules_inline

    parser.disable(list(_OFF))
    parser.inline.terminator_re = _TERMINATORS
    rules: dict[str, InlineRule] = {
        "backticks": rules_inline.backtick,
        "link": rules_inline.link,
        "image": rules_inline.image,
        "autolink": rules_inline.autolink,
        "html_inline": rules_inline.html_inline,
    }
    for name in _POSITIONED:
        parser.inline.ruler.at(name, _positioned(rules[name]))


class InlineReader:
    """Collects links and code spans of one document."""

    def __init__(self, parser: MarkdownIt, env: dict[str, object]) -> None:
        self._parser = parser
        self._env = env
        self.links: list[Link] = []
        self.code_spans: list[tuple[str, int]] = []
        self.skipped_line = 0
        """Line of the first paragraph that was too large to search; 0 when there was none."""

    def read(self, content: str, line: int) -> None:
        """Search one inline token's content that starts on the given line."""
        special = content.count("[") + content.count("<")
        if not special and "`" not in content:
            return
        if special > _MAX_SPECIAL or len(content) > _MAX_TEXT:
            self.skipped_line = self.skipped_line or line
            return
        multi_line = "\n" in content
        if not special and "\\" not in content:
            for code, offset in code_spans(content):
                at = line + content.count("\n", 0, offset) if multi_line else line
                self.code_spans.append((code, at))
            return
        tokens = self._parser.inline.parse(content, self._parser, self._env, [])
        opened: list[tuple[int, int, str]] = []
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "text":
                continue
            at = line
            if multi_line and token.meta:
                at += content.count("\n", 0, token.meta["pos"])
            if kind == "code_inline":
                self.code_spans.append((token.content, at))
            elif kind == "link_open":
                opened.append((index, at, str(token.attrs["href"])))
            elif kind == "link_close":
                start, at, href = opened.pop()
                self._add(href, _text_of(tokens[start + 1 : index]), at)
            elif kind == "image":
                # An alternative text may hold code of its own; it is shown nowhere.
                self._add(str(token.attrs["src"]), token.content, at)
            elif kind == "html_inline":
                self._tag(tokens, index, at)

    def html(self, content: str, line: int) -> None:
        """Search an HTML block that starts on the given line."""
        for target, text, at in html_links(content, line):
            self._add(target, text, at)

    def _tag(self, tokens: list[Token], index: int, line: int) -> None:
        """An inline `<a href>` or `<img src>`; the text of a link runs to the next tag `</a>`."""
        for tag in tags(tokens[index].content):
            if tag.name == "img":
                self._add(tag.attributes.get("src", ""), tag.attributes.get("alt", ""), line)
            elif tag.name == "a":
                end = index + 1
                while end < len(tokens) and not tokens[end].content.startswith(("</a", "<a ")):
                    end += 1
                text = _text_of(tokens[index + 1 : end])
                self._add(tag.attributes.get("href", ""), text, line)

    def _add(self, target: str, text: str, line: int) -> None:
        if target:
            clean = unquote(target, errors="replace") if "%" in target else target
            self.links.append(Link(clean, " ".join(text.split()), line))


def _text_of(tokens: list[Token]) -> str:
    from docs_agent.indexers.plain import plain_text

    text = "".join(t.content for t in tokens if t.type in ("text", "code_inline", "image"))
    return plain_text(text) if any(mark in text for mark in "*_~&") else text


def _positioned(rule: InlineRule) -> InlineRule:
    """The same rule, noting in its token where in the content it started."""

    def run(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            for token in state.tokens[count : count + 2]:
                if token.type != "text":
                    token.meta = {"pos": start}
                    break
        return True

    return run
