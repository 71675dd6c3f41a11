"""What HTML inside Markdown says: links, visible text, a heading. By html.parser, never regexes."""

from __future__ import annotations

from html.parser import HTMLParser

_MAX_HTML = 64_000
"""Characters of one HTML block that are looked at."""
_HIDDEN = frozenset({"script", "style", "template"})


def may_link(content: str) -> bool:
    """Cheap test whether an HTML text can hold a link or an image."""
    lower = content.lower()
    return "href" in lower or "src" in lower


class HtmlLinks(HTMLParser):
    """Links and images of HTML, fed tag by tag (inline) or as a block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._line = 0
        self._open: tuple[str, int] | None = None
        self._text: list[str] = []
        self._found: list[tuple[str, str, int]] = []

    def tag(self, content: str, line: int) -> None:
        """One complete inline tag."""
        self._line = line - self.getpos()[0]
        if content[1:2] in "aAiI/":
            self.feed(content)

    def text(self, content: str) -> None:
        """Text between inline tags."""
        if self._open:
            self._text.append(content)

    def block(self, content: str, line: int) -> None:
        """A whole HTML block."""
        self._line = line - 1
        self.feed(content[:_MAX_HTML])

    def close(self) -> list[tuple[str, str, int]]:  # type: ignore[override]
        """(target, text, line) of everything found, in order."""
        self._end_link()
        return self._found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note `<a href>` and `<img src>`."""
        values = dict(attrs)
        line = self._line + self.getpos()[0]
        if tag == "a":
            self._end_link()
            if values.get("href"):
                self._open = (values["href"] or "", line)
        elif tag == "img" and values.get("src"):
            self._found.append((values["src"] or "", values.get("alt") or "", line))

    def handle_endtag(self, tag: str) -> None:
        """Close the link that is open."""
        if tag == "a":
            self._end_link()

    def handle_data(self, data: str) -> None:
        """Text of the link that is open."""
        self.text(data)

    def _end_link(self) -> None:
        if self._open:
            self._found.append((self._open[0], "".join(self._text), self._open[1]))
        self._open, self._text = None, []


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.headings: list[str] = []
        self._hidden = 0
        self._heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "h1":
            self._heading = True
            self.headings.append("")
        elif tag == "img":
            alt = dict(attrs).get("alt")
            self.handle_data(f" {alt} " if alt else "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "h1":
            self._heading = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)
            if self._heading:
                self.headings[-1] += data


def visible_text(html: str) -> str:
    """Text that a browser would show of an HTML block, alternative texts of images included."""
    return " ".join("".join(_read(html).pieces).split())


def first_h1(html: str) -> str:
    """Text of the first `<h1>` of an HTML block, or empty."""
    headings = _read(html).headings if "<h1" in html.lower() else []
    return " ".join(headings[0].split()) if headings else ""


def _read(html: str) -> _Text:
    reader = _Text()
    reader.feed(html[:_MAX_HTML])
    reader.close()
    return reader
