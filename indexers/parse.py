"""One file, parsed once: bytes in, ParsedDocument or Refused out. Nothing is ever raised."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePosixPath

from docs_agent.core.records import IndexWarning
from docs_agent.core.text import language_of
from docs_agent.indexers.decode import decode, split_lines
from docs_agent.indexers.document import Frontmatter, ParsedDocument, Refused
from docs_agent.indexers.frontmatter import split_frontmatter
from docs_agent.indexers.markdown import Body, read_body

DEFAULT_MAX_BYTES = 10_000_000


def parse(
    path: str, data: bytes, *, docs_root: str = "docs", max_bytes: int = DEFAULT_MAX_BYTES
) -> ParsedDocument | Refused:
    """Parse a Markdown file.

    path: relative to the project root, with `/`; docs_root: the root it was found under;
    max_bytes: larger files are refused. Faults inside the file become warnings of the document.
    """
    if len(data) > max_bytes:
        message = (
            f"the file has more than {max_bytes} bytes, which is the limit. "
            "Split it, leave it out, or raise the limit"
        )
        return Refused(path, 0, "file-too-large", message)
    decoded = decode(data)
    if decoded is None:
        message = "the file is binary, not text. Leave it out of the documentation folder"
        return Refused(path, 0, "binary-file", message)
    lines = split_lines(decoded.text)
    split = split_frontmatter(path, lines)
    body = read_body(lines, split.body)
    warnings = [
        *([(decoded.line, decoded.code, decoded.message)] if decoded.code else []),
        *((w.line, w.code, w.message) for w in split.warnings),
        *body.warnings,
    ]
    return ParsedDocument(
        path=path,
        docs_root=docs_root,
        content_hash=sha256(data).hexdigest(),
        lines=tuple(lines),
        frontmatter=split.frontmatter,
        title=_title(path, split.frontmatter, body),
        lang=language_of(body.prose),
        sections=tuple(body.sections),
        links=tuple(body.links),
        code_spans=tuple(body.code_spans),
        warnings=tuple(IndexWarning(path, *warning) for warning in warnings),
    )


def _title(path: str, frontmatter: Frontmatter, body: Body) -> str:
    given = frontmatter.values.get("title")
    if isinstance(given, str) and given.strip():
        return given.strip()
    first = next((s.title for s in body.sections if s.level == 1 and s.title), "")
    return first or body.html_title or PurePosixPath(path).stem
