"""Markup that is no text: include directives, shortcodes, JSX, comments, admonition fences.

Lines made of it alone are recognised by a block rule of the Markdown parser, so that code stays
code; what stands inside a paragraph is cut out of the paragraph's text, code spans left alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs_agent.indexers.codespans import backticks_at, code_end

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

NOISE = "noise"
"""Token type of lines that are no text."""
TITLE = "noise_title"
"""Token type of an admonition or tab line that carries a title, in `content`."""

# opening, closing; the longer opening first where one starts with the other
_PAIRS = (
    ("{{<", ">}}"),
    ("{{%", "%}}"),
    ("{/*", "*/}"),
    ("{*", "*}"),
    ("{!", "!}"),
    ("{%", "%}"),
    ("<!--", "-->"),
)
_MAX_LINES = 20
"""A directive or JSX tag that is not closed within so many lines is text."""
_MAX_DEPTH = 20
"""Indented admonitions inside one another; deeper ones are code, as Markdown has it."""
_FIRST = frozenset("/:{!?=-[<ie")
_SLASHES = re.compile(r"/{3,}[ \t]*([\w-]*)[ \t]*(?:\|(.*))?$")
_COLONS = re.compile(r":{3,}[ \t]*(?:\{?[ \t]*([\w.+-]*)([^}]*)\}?[ \t]*)?(.*)$")
_MKDOCS = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+[\w -]+(?:\"([^\"]*)\")?[ \t]*$")
_TAB = re.compile(r"===[!+]?[ \t]+\"([^\"]*)\"[ \t]*$")
_ALERT = re.compile(r"\[![A-Za-z]+\][+-]?[ \t]*(.*)$")
_FROM = re.compile(r"[ \t}]from[ \t]+(?:'[^']+'|\"[^\"]+\")[ \t]*;?[ \t]*$")
_IMPORTED = re.compile(
    r"import[ \t]*(?:[ \t]type[ \t]+)?(?:[ \t][\w$]+[ \t]*,?[ \t]*)?"
    r"(?:\{[\w$, \t]*\}?|\*[ \t]+as[ \t]+[\w$]+)?[ \t]*$"
)
_SIDE_EFFECT = re.compile(r"import[ \t]+(?:'[^']+'|\"[^\"]+\")[ \t]*;?[ \t]*$")
_EXPORT = re.compile(
    r"export[ \t]+(?:(?:const|let)[ \t]+[\w${}\[\], ]+="
    r"|(?:default[ \t]+)?(?:async[ \t]+)?function[ \t(*]|default[ \t]*(?:[({]|class\b|[\w$]+;))"
)
_JSX = re.compile(r"</?[A-Z][\w.]*(?=[\s/>]|$)|</?>$")
_LABELLED = re.compile(
    r"[\s](label|title|name|header)[ \t]*=[ \t]*\{?[ \t]*(?:\"([^\"\n]{1,120})\"|'([^'\n]{1,120})')"
)
_TAB_TAG = re.compile(r"<Tab(?:Item|Panel|s\.Tab|\.Panel)?(?=[\s/>])")
_TAB_CODE = re.compile(r"\{[{%][<%]?[ \t]*tab(?:[ \t]+\"([^\"\n]{1,120})\"|(?=[ \t]))")
_SPECIAL = re.compile(r"[`{<\\]")
_LONELY = frozenset({"[toc]", "[[toc]]", "[[_toc_]]", "{:toc}"})


def install(parser: MarkdownIt) -> None:
    """Teach a parser to see noise lines; they end paragraphs, lists, quotes and tables."""
    parser.block.ruler.before(
        "table", NOISE, noise_rule, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def noise_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: one directive, fence, shortcode or JSX tag that fills its lines."""
    position = state.bMarks[start] + state.tShift[start]
    if position >= state.eMarks[start] or state.src[position] not in _FIRST:
        return False
    # Script lines look like prose: they never cut a paragraph in two.
    if state.is_code_block(start) or (silent and state.src[position] in "ie"):
        return False
    line = state.src[position : state.eMarks[start]].rstrip()
    found = _match(state, line, start, end)
    if found is None:
        return False
    last, title, indented = found
    if silent:
        return True
    token = state.push(TITLE if title else NOISE, "", 0)
    token.content = title
    token.map = [start, last]
    state.line = last
    if indented:
        _parse_indented(state, last, end)
    return True


def without_noise(text: str, *, code_spans: bool = True) -> str:
    """The text without directives, shortcodes and comments; lines left empty by that are dropped.

    code_spans: whether backticks protect what stands between them (not so in HTML).
    """
    if "{" not in text and "<!--" not in text:
        return text
    pieces: list[str] = []
    missing: set[str] = set()
    kept = position = 0
    while match := _SPECIAL.search(text, position):
        position = match.start()
        char = text[position]
        if char == "\\":
            position += 2
        elif char == "`":
            position = _after_code(text, position, missing) if code_spans else position + 1
        else:
            closed = _closing(text, position, missing)
            if closed < 0:
                position += 1
            else:
                pieces.append(text[kept:position])
                kept = position = closed
    if not pieces:
        return text
    pieces.append(text[kept:])
    before = text.split("\n")
    return "\n".join(
        line.rstrip() for line in "".join(pieces).split("\n") if line.strip() or line in before
    ).strip("\n")


def _match(state: StateBlock, line: str, start: int, end: int) -> tuple[int, str, bool] | None:
    """(line after the noise, title, whether indented content follows), or None."""
    char = line[0]
    if char == "/":
        slashes = _SLASHES.match(line)
        if not slashes:
            return None
        title = "" if slashes[1] == "html" else (slashes[2] or "").strip()
        return _after_options(state, start + 1, end), title, False
    if char == ":":
        if not line.startswith(":::"):
            return None
        return _after_options(state, start + 1, end), _colon_title(line), False
    if char in "!?=":
        match = _TAB.match(line) if char == "=" else _MKDOCS.match(line)
        return (start + 1, (match[1] or "").strip(), True) if match else None
    if char == "[":
        alert = _ALERT.match(line) if line.startswith("[!") else None
        if alert:
            return start + 1, alert[1], False
        return (start + 1, "", False) if line.lower() in _LONELY else None
    if char in "ie":
        last = _after_script(state, line, start, end)
    elif char == "-":
        last = start + 1 if line.startswith(("--8<--", "-8<-")) else 0
    else:
        last = _after_directives(state, line, start, end)
    if not last:
        return None
    tag = state.src[state.bMarks[start] : state.eMarks[last - 1]]
    return last, _label(tag.strip()) if char in "<{" else "", False


def _label(tag: str) -> str:
    """The words a reader sees on a tab, card or step that a tag opens; empty for other tags."""
    if tag.startswith("<"):
        if tag.startswith("</") or tag.endswith("/>"):
            return ""
        named = _TAB_TAG.match(tag) is not None
    else:
        code = _TAB_CODE.match(tag)
        if not code or code[1]:
            return code[1].strip() if code else ""
        named = True
    for name, double, single in _LABELLED.findall(tag):
        if named or name in ("label", "title"):
            return str(double or single).strip()
    return ""


def _colon_title(line: str) -> str:
    match = _COLONS.match(line)
    if not match:
        return ""
    kind, attributes, rest = match[1] or "", match[2] or "", match[3] or ""
    if "." in kind.strip("."):
        return kind
    if "{" in line[: match.start(1) if match[1] else len(line)]:
        return rest.strip()
    title = (attributes + rest).strip()
    return title[1:-1].strip() if title.startswith("[") and title.endswith("]") else title


def _after_options(state: StateBlock, line: int, end: int) -> int:
    """First line that is no option of the block opened above: options are indented, no gap."""
    while line < end and not state.isEmpty(line) and state.sCount[line] - state.blkIndent >= 4:
        line += 1
    return line


def _after_script(state: StateBlock, line: str, start: int, end: int) -> int:
    """First line after MDX `import …` / `export …`, brackets balanced; 0 when it is prose."""
    imported = line.startswith("import")
    if imported:
        source = _FROM.search(line)
        if _SIDE_EFFECT.match(line) or (source and _IMPORTED.match(line[: source.start() + 1])):
            return start + 1
        if source or "{" not in line or not _IMPORTED.match(line):
            return 0
    elif not _EXPORT.match(line):
        return 0
    depth = 0
    for last in range(start, min(end, start + _MAX_LINES)):
        text = state.src[state.bMarks[last] : state.eMarks[last]]
        depth += sum(map(text.count, "{[(")) - sum(map(text.count, "}])"))
        if depth <= 0:
            return last + 1 if not imported or _FROM.search(text) else 0
    return 0


def _after_directives(state: StateBlock, line: str, start: int, end: int) -> int:
    """First line after directives or a JSX tag that fill whole lines; 0 when there is text too."""
    if (
        line[0] == "{"
        and line[-1] == "}"
        and (line[1:].lstrip(" :")[:1] in ("#", ".") or line.lower() in _LONELY)
    ):
        return start + 1
    jsx = _JSX.match(line)
    if jsx or line.startswith("<<<"):
        return _after_jsx(state, start, end) if jsx else start + 1
    pair = _pair_at(line, 0)
    if pair is None or pair[0] == "<!--":
        return 0
    stop = min(end, start + _MAX_LINES)
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[stop - 1]]
    position, missing = 0, set[str]()
    while position < len(text):
        closed = _closing(text, position, missing)
        if closed < 0:
            return 0
        newline = text.find("\n", closed)
        rest = text[closed : newline if newline >= 0 else len(text)].strip()
        if not rest:
            return start + text.count("\n", 0, closed) + 1
        position = text.index(rest, closed)
    return 0


def _after_jsx(state: StateBlock, start: int, end: int) -> int:
    """First line after one JSX tag, quotes and braces respected; 0 when text follows the tag."""
    stop = min(end, start + _MAX_LINES)
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[stop - 1]]
    depth, quote = 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'`" and (depth or text[index - 1] in "= "):
            quote = char
        elif char == "<" and index and not depth:
            return 0
        elif char in "{}":
            depth += 1 if char == "{" else -1
        elif char == ">" and depth <= 0 and text[index - 1] != "=":
            newline = text.find("\n", index)
            rest = text[index + 1 : newline if newline >= 0 else len(text)].strip()
            return 0 if rest else start + text.count("\n", 0, index) + 1
        elif char == "\n" and not depth and text[index : index + 2] == "\n\n":
            return 0
    return 0


def _parse_indented(state: StateBlock, line: int, end: int) -> None:
    """Parse the content of a `!!!` or `===` block where it stands: four columns to the right."""
    last = line
    indent = state.blkIndent + 4
    depth = state.env.get(NOISE, 0)
    if depth >= _MAX_DEPTH:
        return
    while last < end and (state.isEmpty(last) or state.sCount[last] >= indent):
        last += 1
    while last > line and state.isEmpty(last - 1):
        last -= 1
    if last == line:
        return
    old_indent, old_max, old_parent = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, last, "root"
    state.env[NOISE] = depth + 1
    state.md.block.tokenize(state, line, last)
    state.env[NOISE] = depth
    state.blkIndent, state.lineMax, state.parentType = old_indent, old_max, old_parent
    state.line = last


def _pair_at(text: str, position: int) -> tuple[str, str] | None:
    for pair in _PAIRS:
        if text.startswith(pair[0], position):
            return pair
    return None


def _closing(text: str, position: int, missing: set[str]) -> int:
    """Offset after the directive that opens here, or -1. `missing` spares searching twice."""
    pair = _pair_at(text, position)
    if pair is None or pair[1] in missing:
        return -1
    found = text.find(pair[1], position + len(pair[0]))
    if found < 0:
        missing.add(pair[1])
        return -1
    return found + len(pair[1])


def _after_code(text: str, position: int, missing: set[str]) -> int:
    """Offset after the code span that opens here, or after its backticks when it never closes."""
    run = backticks_at(text, position)
    after = position + len(run)
    close = -1 if run in missing else code_end(text, after, run)
    if close < 0:
        missing.add(run)
        return after
    return close + len(run)


def split_attributes(heading: str) -> tuple[str, str]:
    """A heading without its `{ #anchor .class }` attributes, and the anchor named there."""
    text = heading.rstrip()
    opened = text.rfind("{") if text.endswith("}") else -1
    if opened < 0:
        return text, ""
    inner = text[opened + 1 : -1].strip()
    if inner.startswith("/*") or inner.endswith("*/"):
        inner = inner.strip("/* ")
    words = inner.removeprefix(":").split()
    marked = [word for word in words if word[0] in "#."]
    if not words or not (marked or words == ["-"]) or words[0][0] not in "#.-":
        return text, ""
    anchor = next((word[1:] for word in marked if word[0] == "#"), "")
    before = text[:opened].rstrip()
    unclosed = before.rstrip("#")
    return (unclosed.rstrip() if unclosed.endswith((" ", "\t")) else before), anchor
